"""`*.j2` files: rendered once, before anything is read from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from renderer.document.file import SourceFile
from renderer.document.limits import Limits
from renderer.document.problem import InputError, Position, Problem
from renderer.document.read import read_stream
from renderer.document.source import Document
from renderer.document.values import Object
from renderer.expression.template import ExpressionError, JinjaTemplate, Piece, parse

TEMPLATE_SUFFIX: Final = ".j2"
CLUSTERS: Final = "clusters"
VALUES: Final = "values"

WORK: Final = 5_000_000  # steps; a few seconds, and a fleet of ten thousand clusters in a loop or two


@dataclass(frozen=True, slots=True, kw_only=True)
class JinjaFile:
    """A parsed template, and whether it needs to know the clusters."""

    path: str
    template: JinjaTemplate
    source: tuple[str, ...]

    @property
    def needs_clusters(self) -> bool:
        """Whether what it gives depends on the inventory."""
        return CLUSTERS in self.template.names

    def render(self, values: Object, clusters: Sequence[Object]) -> Rendered:
        """Render with these values. Raises InputError, at the line of the template that failed."""
        try:
            pieces = tuple(self.template.pieces({VALUES: values, CLUSTERS: list(clusters)}))
        except ExpressionError as error:
            raise InputError(self._problem(error)) from None
        text = "".join(piece.text for piece in pieces)
        return Rendered(path=self.path, text=text, lines=tuple(_lines(pieces)), source=self.source)

    def _problem(self, error: ExpressionError) -> Problem:
        fix = error.fix or "correct the expression"
        if error.absent:
            fix = "set it in spec.values of krender.yaml, or write | default(...)"
        return Problem(
            where=Position(self.path, error.line, 1 if error.line else 0),
            what="; ".join(filter(None, (f"{self.path} cannot be rendered: {error.reason}", error.hint))),
            why="what it would give is unknown",
            fix=fix,
            excerpt=self.source[error.line - 1] if error.line else "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """The text a template gave; `lines` says for each of its lines which line of `source` began it."""

    path: str
    text: str
    lines: tuple[int, ...]
    source: tuple[str, ...]

    def documents(self, limits: Limits) -> tuple[Document, ...]:
        """The documents in the text; positions are those of the template. Raises InputError."""
        try:
            documents = read_stream(self.text.encode("utf-8", "surrogatepass"), self.path, limits)
        except InputError as error:
            raise InputError(*(self._placed(problem) for problem in error.problems)) from None
        return tuple(self._traced(document) for document in documents)

    def _traced(self, document: Document) -> Document:
        return RenderedDocument(
            value=document.value,
            file=document.file,
            text=document.text,
            first_line=document.first_line,
            first_column=document.first_column,
            is_json=document.is_json,
            lines=self.lines,
            source=self.source,
        )

    def _placed(self, problem: Problem) -> Problem:
        line = problem.where.line
        if not line:
            return problem
        rendered = self.text.split("\n")
        return replace(
            problem,
            where=_template_place(problem.where, self.lines),
            what=f"{problem.what} (line {line} of the rendered text)",
            excerpt=problem.excerpt or (rendered[line - 1] if line <= len(rendered) else ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedDocument(Document):
    """A document that a template gave: its parts stand where the template wrote them."""

    lines: tuple[int, ...] = field(default=(), repr=False, compare=False)
    source: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def place(self, at: int) -> Position:
        """The place in the template that wrote a character of `text`."""
        return _template_place(Document.place(self, at), self.lines)

    def excerpt(self, position: Position) -> str:
        """The template's line at a position."""
        if position.file != self.file or not 0 < position.line <= len(self.source):
            return ""
        return self.source[position.line - 1].rstrip()


def parse_template(file: SourceFile) -> JinjaFile:
    """Parse a template. Raises InputError at the line that is wrong."""
    try:
        source = file.data.decode("utf-8-sig")
        template = parse(source, (CLUSTERS, VALUES), WORK)
    except UnicodeDecodeError as error:
        line = file.data.count(b"\n", 0, error.start) + 1
        raise InputError(_no_template(file.path, line, "it is not UTF-8 text")) from None
    except ExpressionError as error:
        lines = source.split("\n")
        raise InputError(_no_template(file.path, error.line, error.reason, lines)) from None
    return JinjaFile(path=file.path, template=template, source=tuple(source.split("\n")))


def _lines(pieces: Iterable[Piece]) -> Iterable[int]:
    """For each line of what the pieces give, the line of the template that begins it."""
    at_start = True
    for piece in pieces:
        if not piece.text:
            continue
        if at_start:
            yield piece.line
        at_start = piece.text.endswith("\n")
        begun = piece.text.count("\n") - at_start
        # The lines of a text in the template are its own; those of a value are where the value is written.
        for number in range(1, begun + 1):
            yield piece.line + number * piece.plain


def _template_place(where: Position, lines: Sequence[int]) -> Position:
    if not where.line or not lines:
        return where
    return Position(where.file, lines[min(where.line, len(lines)) - 1], where.column)


def _no_template(path: str, line: int, message: str, lines: Sequence[str] = ()) -> Problem:
    return Problem(
        where=Position(path, line, 1 if line else 0),
        what=f"{path} is no Jinja2 template: {message}",
        why="nothing can be rendered from it",
        fix="correct it, or drop .j2 from its name if it is no template",
        excerpt=lines[line - 1] if 0 < line <= len(lines) else "",
    )
