"""Assignments to several variables, in the order in which gopher-lua does them.

It writes a value that goes to a local variable at once, so that the next expression sees it: `a, b = b, a`
makes both of them b. All other values wait, but one that is itself a local variable is looked at last of all.
Then they are assigned from right to left.
Source: gopher-lua compile.go compileAssignStmt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from renderer.interpret.lua.expressions import Code, Shape


@dataclass(slots=True)
class _Assignment:
    """The statements that are written down, and the ones that come at the end."""

    is_local: Callable[[str], bool]
    prefix: str
    now: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)

    def kept(self, kind: str, number: int, text: str) -> str:
        """Put a value into a variable of its own; give its name."""
        name = f"{self.prefix}{kind}{number}"
        self.now.append(f"local {name}={text}")
        return name

    def target(self, number: int, target: Code) -> str:
        """The variable, its table and its key looked at now; a local table is itself looked at later."""
        table, key = target.parts or (target.text, "")
        bare = table.lstrip("\n")
        if not key or self.is_local(bare):
            self.now.append(table[: -len(bare)])  # the line ends stay where they are
        else:
            bare = self.kept("o", number, table)
        return f"{bare}[{self.kept('i', number, key)}]" if key else bare

    def value(self, number: int, target: Code, place: str, value: Code) -> None:
        """Look at a value now, or where gopher-lua looks at it."""
        if target.parts is None and self.is_local(place):
            self.now.append(f"{place}={value.single}")
        elif target.parts is not None and self.is_local(value.text):
            self.later.append(f"{place}={value.text.strip()}")
        else:
            self.later.append(f"{place}={self.kept('v', number, value.single)}")


def assigned(
    targets: Sequence[Code],
    values: Sequence[Code],
    listed: Callable[[Sequence[Code]], str],
    is_local: Callable[[str], bool],
    prefix: str,
) -> str:
    """The assignment in Lua 5.4. `is_local` tells whether a text is a variable of the function itself."""
    work = _Assignment(is_local, prefix)
    places = [work.target(number, target) for number, target in enumerate(targets)]
    for number, (target, place) in enumerate(zip(targets, places, strict=True)):
        last = number == len(values) - 1
        if number < len(values) and last and values[number].shape in (Shape.CALL, Shape.MORE):
            names = [f"{prefix}v{rest}" for rest in range(number, len(places))]
            work.now.append(f"local {','.join(names)}={listed(values[number:])}")
            work.later += [f"{place}={name}" for place, name in zip(places[number:], names, strict=True)]
            break
        value = values[number] if number < len(values) else Code("nil", Shape.CONSTANT)
        work.value(number, target, place, value)
    if len(values) > len(targets):
        work.now.append(f"local _={listed(values[len(targets) :])}")
    return f" do {';'.join([*work.now, *reversed(work.later)])} end"
