"""`*.j2` files: rendered once, before anything is read from them.

Jinja2 is imported by the first file that needs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import GeneratorType, TracebackType
from typing import TYPE_CHECKING, cast

from renderer.document.file import SourceFile
from renderer.document.limits import Limits
from renderer.document.problem import InputError, Position, Problem
from renderer.document.read import read_stream
from renderer.document.source import Document
from renderer.document.values import Object

if TYPE_CHECKING:
    from jinja2 import Template, nodes
    from jinja2.runtime import Context

TEMPLATE_SUFFIX = ".j2"
CLUSTERS = "clusters"

_MAX_SOURCE = 1024 * 1024  # bytes of a template; the parser takes seconds beyond
_MAX_OUTPUT = 16 * 1024 * 1024  # characters
_FAULTS = (ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class JinjaFile:
    """A parsed template, and whether it needs to know the clusters."""

    path: str
    needs_clusters: bool
    _template: Template
    _plain: frozenset[tuple[int, str]]
    _source: tuple[str, ...]

    def render(self, values: Object, clusters: Sequence[Object]) -> Rendered:
        """Render with these names. Raises InputError, at the line of the template that failed."""
        from jinja2.exceptions import TemplateError

        context = self._template.new_context({"values": values, CLUSTERS: list(clusters)})
        lines = _Lines(self._plain)
        try:
            for piece, line in self._pieces(context):
                lines.add(piece, line)
        except (TemplateError, *_FAULTS) as error:
            raise InputError(self._problem(error)) from None
        return lines.rendered(self.path, self._source)

    def _pieces(self, context: Context) -> Iterator[tuple[str, int]]:
        """What the template writes, piece by piece, each with the template's line it comes from."""
        writing = cast("GeneratorType[str, None, None]", self._template.root_render_func(context))
        known: dict[int, int] = {}
        for piece in writing:
            frame = writing.gi_frame
            python_line = frame.f_lineno if frame else 0
            if python_line not in known:
                known[python_line] = self._template.get_corresponding_lineno(python_line)
            yield piece, known[python_line]

    def _problem(self, error: Exception) -> Problem:
        line = self._line_of(error)
        what = str(error) or type(error).__name__
        fix = getattr(error, "fix", "correct the expression")
        if isinstance(error, RecursionError):
            what = "it calls itself too often"
        elif isinstance(error, MemoryError):
            what = "it needs too much memory"
        elif what.startswith("there is no "):
            fix = "set it in spec.values of krender.yaml, or write | default(...)"
        return Problem(
            where=Position(self.path, line, 1 if line else 0),
            what=f"{self.path} cannot be rendered: {what}",
            why="what it would give is unknown",
            fix=fix,
            excerpt=self._source[line - 1] if line else "",
        )

    def _line_of(self, error: Exception) -> int:
        line = 0
        traceback: TracebackType | None = error.__traceback__
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == _file_name(self.path):
                line = self._template.get_corresponding_lineno(traceback.tb_lineno)
            traceback = traceback.tb_next
        return line


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
    from jinja2 import TemplateSyntaxError
    from jinja2.meta import find_undeclared_variables

    from renderer.load.sandbox import Sandbox

    source = _source(file)
    sandbox = Sandbox()
    try:
        tree = sandbox.prepared(source)
        names = find_undeclared_variables(tree)
        plain = frozenset(_plain_texts(tree))
        code = sandbox.compile(tree, file.path, _file_name(file.path))
        template = sandbox.template_class.from_code(sandbox, code, sandbox.make_globals(None))
    except TemplateSyntaxError as error:
        lines = source.split("\n")
        raise InputError(_syntax_problem(file.path, error.lineno, str(error.message), lines)) from None
    except (SyntaxError, RecursionError, MemoryError, ValueError, AssertionError):
        raise InputError(_syntax_problem(file.path, 0, "it is nested too deeply")) from None
    return JinjaFile(
        path=file.path,
        needs_clusters=CLUSTERS in names,
        _template=template,
        _plain=plain,
        _source=tuple(source.split("\n")),
    )


def _source(file: SourceFile) -> str:
    if len(file.data) > _MAX_SOURCE:
        raise InputError(_syntax_problem(file.path, 0, f"it has more than {_MAX_SOURCE} bytes"))
    try:
        return file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = file.data.count(b"\n", 0, error.start) + 1
        raise InputError(_syntax_problem(file.path, line, "it is not UTF-8 text")) from None


def _plain_texts(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """The texts that the template writes as they are, with their lines."""
    from jinja2 import nodes

    for output in tree.find_all(nodes.Output):
        for child in output.nodes:
            if isinstance(child, nodes.Const) and isinstance(child.value, str):
                yield child.lineno, child.value


class _Lines:
    """Keeps, while a text is written, which line of the template begins each line of the text."""

    def __init__(self, plain: frozenset[tuple[int, str]]) -> None:
        self._plain = plain
        self._pieces: list[str] = []
        self._lines: list[int] = []
        self._length = 0
        self._at_start = True

    def add(self, piece: str, line: int) -> None:
        """Add a piece that the template's `line` wrote. Raises TooMuch."""
        from renderer.load.meter import TooMuch

        self._length += len(piece)
        if self._length > _MAX_OUTPUT:
            raise TooMuch(f"the template writes more than {_MAX_OUTPUT} characters")
        if not piece:
            return
        if self._at_start:
            self._lines.append(line)
        breaks = piece.count("\n")
        self._at_start = piece.endswith("\n")
        # The lines of a text in the template are its own; those of a value are where the value is written.
        step = 1 if (line, piece) in self._plain else 0
        begun = breaks - 1 if self._at_start else breaks
        self._lines.extend(line + step * number for number in range(1, begun + 1))
        self._pieces.append(piece)

    def rendered(self, path: str, source: tuple[str, ...]) -> Rendered:
        """All of it."""
        return Rendered(path=path, text="".join(self._pieces), lines=tuple(self._lines), source=source)


def _template_place(where: Position, lines: Sequence[int]) -> Position:
    if not where.line or not lines:
        return where
    return Position(where.file, lines[min(where.line, len(lines)) - 1], where.column)


def _file_name(path: str) -> str:
    """How Python's frames call the template; no file of ours is called so."""
    return f"<template {path}>"


def _syntax_problem(path: str, line: int, message: str, lines: Sequence[str] = ()) -> Problem:
    return Problem(
        where=Position(path, line, 1 if line else 0),
        what=f"{path} is no Jinja2 template: {message}",
        why="nothing can be rendered from it",
        fix="correct it, or drop .j2 from its name if it is no template",
        excerpt=lines[line - 1] if 0 < line <= len(lines) else "",
    )
