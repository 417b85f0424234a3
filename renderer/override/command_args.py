"""commandOverrider and argsOverrider: more or fewer words in what containers run.

Source: Karmada pkg/util/overridemanager/commandargsoverride.go.
"""

from __future__ import annotations

from renderer.document.number import INT64_MAX, INT64_MIN, kubernetes_number, yaml_spelling
from renderer.document.pointer import join, kind_of
from renderer.document.values import Value, mapping, text
from renderer.model.override_result import Note, Remark
from renderer.model.overrides import CommandArgsOverrider, Overriders, PatchOperation
from renderer.override.draft import Draft, OverrideError, Remarks
from renderer.override.pods import CONTAINER_PATHS


def apply_command(draft: Draft, overriders: Overriders) -> None:
    """Change the command of the containers that each entry names."""
    for index, overrider in enumerate(overriders.command_overrider):
        _Entry(draft, index, overrider, "command").apply()


def apply_args(draft: Draft, overriders: Overriders) -> None:
    """Change the args of the containers that each entry names."""
    for index, overrider in enumerate(overriders.args_overrider):
        _Entry(draft, index, overrider, "args").apply()


class _Entry:
    """One entry of the overrider, about one field of the containers of one object."""

    def __init__(self, draft: Draft, index: int, overrider: CommandArgsOverrider, field: str) -> None:
        self.draft, self.index, self.overrider, self.field = draft, index, overrider, field

    def apply(self) -> None:
        kind = text(self.draft.body.get("kind"))
        where = CONTAINER_PATHS.get(kind)
        containers = self._containers(where) if where is not None else ()
        operations: list[PatchOperation] = []
        remarks: list[Remarks] = []
        for place, container in enumerate(containers):
            path = join((*(where or ()), str(place)))
            if not isinstance(container, dict):
                raise self._error(path, f"the container is {kind_of(container)}, not a map")
            if container.get("name") == self.overrider.container_name:
                operation, noted = self._operation(f"{path}/{self.field}", container.get(self.field))
                operations.append(operation)
                remarks.append(noted)
        self.draft.patch(self.index, operations, remarks)
        if not operations:
            names = tuple(text(mapping(item).get("name")) for item in containers)
            remark = Remark(Note.NO_CONTAINER, names) if names else Remark(Note.NO_TARGET, (kind,))
            self.draft.step(self.index, self.overrider.operator, "", remarks=(remark,))

    def _containers(self, where: tuple[str, ...]) -> tuple[Value, ...]:
        """The containers; none where a map on the way is absent. Raises OverrideError for any other shape."""
        node: Value = self.draft.body
        for depth, key in enumerate(where):
            if node is None:
                return ()
            if not isinstance(node, dict):
                raise self._error(join(where[:depth]), f"it is {kind_of(node)}, not a map")
            if key not in node:
                return ()
            node = node[key]
        if not isinstance(node, list):
            raise self._error(join(where), f"it is {kind_of(node)}, not a list")
        return tuple(node)

    def _operation(self, path: str, words: Value) -> tuple[PatchOperation, Remarks]:
        adding = self.overrider.operator == "add"
        if words is None:
            value: tuple[str, ...] = self.overrider.value if adding else ()
            noted = () if adding else (Remark(Note.EMPTY_LIST),)
            return PatchOperation(path=path, operator="add", value=list(value), has_value=True), noted
        if not isinstance(words, list):
            raise self._error(path, f"it is {kind_of(words)}, not a list")
        old = [word if isinstance(word, str) else self._spelled(word) for word in words]
        new = [*old, *self.overrider.value] if adding else [w for w in old if w not in self.overrider.value]
        odd = tuple(o for o, word in zip(old, words, strict=True) if not isinstance(word, str))
        noted = (Remark(Note.NOT_TEXT, odd),) if odd else ()
        absent = () if adding else tuple(word for word in self.overrider.value if word not in old)
        if absent:
            noted = (*noted, Remark(Note.WORD_ABSENT, absent))
        return PatchOperation(path=path, operator="replace", value=new, has_value=True), noted

    def _spelled(self, word: Value) -> str:
        return bad_verb(word, reread=self.draft.patched)

    def _error(self, path: str, reason: str) -> OverrideError:
        return OverrideError(
            index=self.index, operator=self.overrider.operator, path=path, deepest=path, reason=reason
        )


def bad_verb(value: Value, *, reread: bool) -> str:
    """How Go's fmt writes what is no string with the verb %s: 8080 is `%!s(int64=8080)`.

    `reread` tells that the object has been written as JSON and read again, where 1.0 became the integer 1.
    """
    if value is None:
        return "%!s(<nil>)"
    return _verb(value, reread=reread)


def _verb(value: Value, *, reread: bool) -> str:
    match value:
        case None:
            return "<nil>"
        case str():
            return value
        case bool():
            return f"%!s(bool={'true' if value else 'false'})"
        case int() | float():
            return _number_verb(value, reread=reread)
        case dict():
            pairs = (f"{key}:{_verb(value[key], reread=reread)}" for key in sorted(value))
            return f"map[{' '.join(pairs)}]"
        case _:
            return f"[{' '.join(_verb(item, reread=reread) for item in value)}]"


def _number_verb(value: float, *, reread: bool) -> str:
    number = kubernetes_number(value) if reread else value
    if isinstance(number, int) and INT64_MIN <= number <= INT64_MAX:
        return f"%!s(int64={number})"
    return f"%!s(float64={yaml_spelling(float(number))})"
