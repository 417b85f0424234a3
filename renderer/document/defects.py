"""What can be wrong with a YAML document, and what the user is told about it."""

from __future__ import annotations

from yaml.events import AliasEvent, Event, MappingStartEvent

from renderer.document.scalars import ScalarError


class Defect(Exception):  # noqa: N818  # becomes a Problem before it leaves the package
    """What is wrong with a text, and at which of its characters (counted from 0).

    `{line}` in `what` stands for the line of the character `other`. `key` is set where the defect is that a
    key stands twice; where it stands first is found out later.
    """

    def __init__(
        self, where: Event | int, what: str, why: str, fix: str, *, key: str | None = None, other: int = 0
    ) -> None:
        """Keep the parts; an event stands for its first character."""
        super().__init__(what)
        if isinstance(where, Event):
            where = where.start_mark.index if where.start_mark else 0
        self.index, self.what, self.why, self.fix = where, what, why, fix
        self.key, self.other = key, other

    def moved(self, by: int) -> Defect:
        """The same defect in a text that has been cut or grown at its start."""
        return Defect(self.index + by, self.what, self.why, self.fix, key=self.key, other=self.other + by)


def bad_scalar(event: Event, error: ScalarError) -> Defect:
    """A scalar that has no place in a Kubernetes object."""
    return Defect(event, error.what, error.why, error.fix)


def too_deep(event: Event | int, depth: int) -> Defect:
    """Nesting beyond the limit."""
    return Defect(
        event,
        f"maps and lists are nested more than {depth} deep",
        "no Kubernetes object is; such input only costs memory",
        "flatten it, or keep it out of the workspace",
    )


def unknown_alias(event: AliasEvent) -> Defect:
    """An alias without its anchor."""
    return Defect(
        event,
        f"alias *{event.anchor} has no anchor",
        "an alias repeats what an anchor has marked earlier in the same document",
        f'mark a value with &{event.anchor}, or put the text in quotes: "*{event.anchor}"',
    )


def endless_alias(event: AliasEvent) -> Defect:
    """An alias inside the value it names."""
    return Defect(
        event,
        f"alias *{event.anchor} stands inside the value it names",
        "the value would be infinite",
        "write the inner part out",
    )


def too_many_aliases(event: Event, nodes: int) -> Defect:
    """Documents that are small in the file and huge when read ("billion laughs")."""
    return Defect(
        event,
        f"aliases make this document {nodes} nodes large",
        "Kubernetes refuses documents that mostly repeat themselves",
        "use fewer aliases of aliases",
    )


def bad_key(event: Event, node: Event) -> Defect:
    """A map or a list (`node`) where a key should stand; braces of a template are the usual cause."""
    return Defect(
        event,
        f"a {'map' if isinstance(node, MappingStartEvent) else 'list'} stands where a key should",
        "JSON keys are strings",
        "put the key in quotes; put braces of a template in quotes too: '{{ … }}'",
    )


def bad_merge(event: Event) -> Defect:
    """A merge key with something else than maps."""
    return Defect(
        event,
        "the merge key << takes a map or a list of maps",
        "Kubernetes cannot read the document",
        'name an anchored map (<<: *name), or put the key in quotes: "<<"',
    )


def repeated_key(event: Event | int, key: str, other: int = 0) -> Defect:
    """A key that is set twice in one map."""
    return Defect(
        event,
        f'key "{key}" is set twice in one map: on line {{line}} and here',
        "readers of YAML disagree which of the two counts",
        "remove one of them",
        key=key,
        other=other,
    )


def bad_version(event: Event | int) -> Defect:
    """A %YAML directive for another version than 1.1."""
    return Defect(
        event,
        "the directive %YAML asks for another version than 1.1",
        "Kubernetes reads YAML 1.1 and refuses all others",
        "remove the directive",
    )


def slash_escape(event: Event) -> Defect:
    r"""A `\/` in double quotes: JSON and YAML 1.2 know it, Kubernetes' YAML does not."""
    return Defect(
        event,
        "the escape \\/ stands in double quotes",
        "it is JSON, and an unknown escape to Kubernetes' YAML reader",
        "write a plain /, or use single quotes for a literal backslash",
    )


def surrogate_escape(event: Event | int) -> Defect:
    r"""An escape such as `\ud83d` in double quotes: half of a surrogate pair."""
    return Defect(
        event,
        r"\u names half of a surrogate pair",
        "JSON has such pairs, YAML has not: Kubernetes cannot read the document",
        r"write \U and eight digits, or the character itself",
    )


def flow_question(event: Event) -> Defect:
    """A `?` in unquoted text between brackets: Kubernetes' reader takes it for a key indicator."""
    return Defect(
        event,
        'an unquoted "?" stands between brackets',
        "Kubernetes' YAML reader takes it for the mark of a key",
        "put the text in quotes",
    )


def stray_bom(index: int) -> Defect:
    """A byte order mark at the start of a line that is not the first."""
    return Defect(
        index,
        "a byte order mark (U+FEFF) stands inside the document",
        "Kubernetes takes it for part of the text that follows",
        "remove the invisible character, it often comes from joining files",
    )


def not_utf8(index: int, encoding: str) -> Defect:
    """Bytes that are not UTF-8."""
    return Defect(
        index,
        f"the text is {encoding}",
        "Kubernetes reads files as UTF-8",
        "save the file as UTF-8",
    )


def not_json(index: int, message: str) -> Defect:
    """Text that is not JSON where only JSON can follow."""
    return Defect(index, f"JSON: {message}", "Kubernetes cannot read the document", "correct the JSON")


def too_many_documents(limit: int) -> Defect:
    """A file with more documents than anybody writes."""
    return Defect(
        0, f"the file has more than {limit} documents", "reading on would only cost time", "split it"
    )


def lost_text(event: Event) -> Defect:
    """What follows the end of a document without `---` in column 1."""
    return Defect(
        event,
        "the document has ended, but its text goes on",
        "Kubernetes reads one document up to the next --- line and drops the rest without a word",
        'remove the "..." line, or write --- in its place',
    )


def bad_separator(at: int, rest: str) -> Defect:
    """A `---` line with something else than a comment."""
    return Defect(
        at,
        f'the line "---" goes on with "{rest}"',
        "Kubernetes stops reading the file at such a line",
        "write it on the next line, or a comment (#) after ---",
    )


def cut_document(defect: Defect) -> Defect:
    """A defect of a document that a `---` line has cut out of the one before."""
    why = "Kubernetes begins a new document at every line that starts with ---, also inside a block of text"
    return Defect(
        defect.index, defect.what, why, "indent the --- line above", key=defect.key, other=defect.other
    )


def lone_directive() -> Defect:
    """A %YAML or %TAG directive at the start of a file's document."""
    return Defect(
        0,
        "the document begins with a directive (%)",
        "Kubernetes cuts the file at the --- line that must follow it, so nothing follows",
        "remove the directive",
    )
