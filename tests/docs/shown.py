"""Commands with their output, as a document shows them: blocks whose first line begins with `$ `."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

# A fenced block, or lines that are indented by four; blank lines may stand in either.
_BLOCK: Final = re.compile(
    r"^```console\n(?P<fenced>\$ [\s\S]*?)^```$|^(?P<indented>    \$ .*\n(?:    .*\n|\n(?=    ))*)",
    re.MULTILINE,
)
_INDENT: Final = "    "


@dataclass(frozen=True, slots=True)
class Shown:
    """A command as it is typed, and what a document says it prints."""

    command: str
    output: str


def shown(document: str) -> list[Shown]:
    """Every command of a document, in the order in which a reader would type them."""
    return [item for block in _BLOCK.finditer(document) for item in _commands(_plain(block))]


def rewritten(document: str, output: Callable[[str], str]) -> str:
    """The document with what each command really prints."""

    def block(found: re.Match[str]) -> str:
        commands = _commands(_plain(found))
        text = "\n\n".join(f"$ {item.command}\n{output(item.command)}".rstrip() for item in commands)
        if found["fenced"] is not None:
            return f"```console\n{text}\n```"
        return "".join(f"{_INDENT}{line}".rstrip() + "\n" for line in text.split("\n"))

    return _BLOCK.sub(block, document)


def _plain(block: re.Match[str]) -> str:
    if block["fenced"] is not None:
        return block["fenced"]
    return "".join(f"{line.removeprefix(_INDENT)}\n" for line in block["indented"].split("\n")[:-1])


def _commands(text: str) -> list[Shown]:
    found: list[Shown] = []
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        found.append(Shown(command, output.rstrip("\n")))
    return found
