"""Findings about text that Flux would take for a variable."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from renderer.check.delivered import Published
from renderer.check.finding import Rule, some
from renderer.check.reader import Reader
from renderer.document.pointer import escape
from renderer.document.problem import Problem
from renderer.document.values import Value, dig, sequence
from renderer.model.carried import FIELDS, clusters_of, written
from renderer.model.plan import Plan, Rendering
from renderer.model.surroundings import Surroundings

SUBSTITUTED: Final = Rule(id="KR808", title="Text is taken for a variable")

RULES: Final = (SUBSTITUTED,)

# Source: fluxcd/pkg/envsubst. Of two $ one stays, which is how `${` is written: `$${`. Others are no escapes.
_TAKEN: Final = re.compile(r"\$\$\{|\$\$|\$\{[A-Za-z_][A-Za-z0-9_]*")
_PAIR: Final = "$$"
_DISABLED: Final = "kustomize.toolkit.fluxcd.io/substitute"


def substitution_findings(plan: Plan, readers: Sequence[Reader], around: Surroundings) -> Iterator[Problem]:
    """All findings of this family: one for each template and Kustomization that substitutes."""
    published = Published(plan, around)
    for reader in readers:
        if reader.variables is None or published.is_read(reader) is False:
            continue
        names = [cluster.name for cluster in published.read(reader)]
        for rendering in written(plan) if names else ():
            if any(name in names for name in clusters_of(rendering)):
                yield from _taken(rendering, reader, reader.variables)


def _taken(rendering: Rendering, reader: Reader, variables: tuple[str, ...]) -> Iterator[Problem]:
    template = rendering.template
    if template.document is None or not _TAKEN.search(template.document.text):
        return
    if any(dig(template.body, "metadata", field, _DISABLED) == "disabled" for field in FIELDS):
        return
    found = [(place, text) for place, text in _taken_in(template.body, "") if text[2:] not in variables]
    if found:
        names = list(dict.fromkeys(text if text == _PAIR else f"{text}}}" for _, text in found))
        yield SUBSTITUTED.at(
            template.document,
            found[0][0],
            what=f"{template.identity} has {some(names)}, which {reader.subject} takes for variables",
            why="of two $ Flux leaves one"
            if names == [_PAIR]
            else "it has no value for them: Flux puts nothing in their place, or does not apply the object",
            fix=f'annotate the template with {_DISABLED}: disabled, or write "$$" for each "$"',
        )


def _taken_in(value: Value, pointer: str) -> Iterator[tuple[str, str]]:
    """Where text is that Flux does not leave as it is: `$$`, or `${` with a name."""
    if isinstance(value, str):
        yield from ((pointer, text) for text in _TAKEN.findall(value) if text != "$${")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _taken_in(item, f"{pointer}/{escape(key)}")
    else:
        for index, item in enumerate(sequence(value)):
            yield from _taken_in(item, f"{pointer}/{index}")
