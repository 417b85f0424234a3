"""Going through the tokens of a script, and what is known of the functions around the place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from renderer.interpret.lua.tokens import NAME, SyntaxFault, Token, tokens

DEEPEST: Final = 100  # expressions and blocks inside each other; what Lua itself takes is not much more


@dataclass(slots=True)
class Block:
    """A block being read: its variables, its labels, and the jumps to labels not found yet."""

    names: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    jumps: list[Token] = field(default_factory=list)


@dataclass(slots=True)
class Function:
    """A function being read; the script itself is one."""

    takes_more: bool  # has `...`
    uses_more: bool = False
    loops: int = 0  # those around the place
    blocks: list[Block] = field(default_factory=list)


class Cursor:
    """The tokens that are left, and the functions that are open."""

    def __init__(self, script: str) -> None:
        """Read a script's tokens. Raises SyntaxFault."""
        self._tokens = list(tokens(script))
        self._at = 0
        self._depth = 0
        self.functions = [Function(takes_more=True)]

    @property
    def token(self) -> Token:
        """The next token."""
        return self._tokens[self._at]

    @property
    def following(self) -> Token:
        """The token after the next one; the last token is followed by itself."""
        return self._tokens[min(self._at + 1, len(self._tokens) - 1)]

    @property
    def function(self) -> Function:
        """The innermost function."""
        return self.functions[-1]

    def declare(self, *names: str) -> None:
        """Note variables of the block, as they are written down (line ends and all)."""
        self.function.blocks[-1].names.update(name.strip() for name in names)

    def is_local(self, text: str) -> bool:
        """Whether a text is the name of a variable of the function itself."""
        return any(text.strip() in block.names for block in self.function.blocks)

    def take(self) -> Token:
        """The next token, which is then behind us."""
        token = self._tokens[self._at]
        self._at += 1
        return token

    def accept(self, kind: str) -> Token | None:
        """The next token if it is of the kind."""
        return self.take() if self.token.kind == kind else None

    def expect(self, kind: str) -> Token:
        """The next token, which has to be of the kind."""
        if self.token.kind != kind:
            wanted = "a name" if kind == NAME else f"'{kind}'"
            raise self.fault(f"unexpected {self.token}, {wanted} is missing")
        return self.take()

    def fault(self, text: str) -> SyntaxFault:
        """Something wrong at the next token."""
        return SyntaxFault(self.token.line, text)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Count one thing inside another. Raises SyntaxFault where they are too many."""
        if self._depth == DEEPEST:
            raise self.fault(f"more than {DEEPEST} expressions and blocks are inside each other")
        self._depth += 1
        yield
        self._depth -= 1
