"""A template: parsed once, then rendered with values.

Jinja2 is imported by the first text that needs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import GeneratorType, TracebackType
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    import jinja2
    from jinja2 import nodes

    from renderer.expression.sandbox import Sandbox

_MAX_SOURCE: Final = 1024 * 1024  # characters; the parser takes seconds beyond
_FRAME: Final = "<krender template>"  # how Python's frames call a template
# What a template can go wrong with beside errors of Jinja2; anything else is a mistake of ours.
_FAULTS: Final = (
    ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError,
)  # fmt: skip


class ExpressionError(ValueError):
    """A template that is none, or that gives nothing.

    `hint` says what there is instead of a name that is `absent`, `line` counts from 1 and is 0 where it is
    the whole template, `fix` is empty where there is nothing better to say than: correct it.
    """

    def __init__(
        self, reason: str, *, line: int = 0, hint: str = "", fix: str = "", absent: bool = False
    ) -> None:
        """Keep all of it."""
        super().__init__(reason)
        self.reason, self.line, self.hint, self.fix, self.absent = reason, line, hint, fix, absent


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that a template writes; `plain` where the text stands in the template as it is."""

    text: str
    line: int
    plain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class JinjaTemplate:
    """A parsed template; `names` are those it does not define itself, `work` the steps it may take."""

    names: frozenset[str]
    work: int
    _template: jinja2.Template
    _plain: frozenset[tuple[int, str]]

    def text(self, values: Mapping[str, object]) -> str:
        """What it writes with these values. Raises ExpressionError."""
        with self._told():
            return "".join(self._writing(values))

    def pieces(self, values: Mapping[str, object]) -> Iterator[Piece]:
        """What it writes, piece by piece, each with the template's line. Raises ExpressionError."""
        writing = self._writing(values)
        lines: dict[int, int] = {}
        with self._told():
            for text in writing:
                at = writing.gi_frame.f_lineno if writing.gi_frame else 0
                if at not in lines:
                    lines[at] = self._template.get_corresponding_lineno(at)
                yield Piece(text, lines[at], (lines[at], text) in self._plain)

    def _writing(self, values: Mapping[str, object]) -> GeneratorType[str, None, None]:
        cast("Sandbox", self._template.environment).meter.start(self.work)
        context = self._template.new_context(dict(values))
        return cast("GeneratorType[str, None, None]", self._template.root_render_func(context))

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tells what goes wrong in a template as an ExpressionError."""
        from jinja2.exceptions import TemplateError

        try:
            yield
        except (TemplateError, *_FAULTS) as error:
            raise _failure(error, self._line_of(error)) from None

    def _line_of(self, error: Exception) -> int:
        line = 0
        traceback: TracebackType | None = error.__traceback__
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == _FRAME:
                line = self._template.get_corresponding_lineno(traceback.tb_lineno)
            traceback = traceback.tb_next
        return line


def parse(source: str, known: Sequence[str], work: int) -> JinjaTemplate:
    """Parse a template that is given values by the names `known`. Raises ExpressionError."""
    from jinja2 import TemplateSyntaxError
    from jinja2.meta import find_undeclared_variables

    from renderer.expression.sandbox import Sandbox

    if len(source) > _MAX_SOURCE:
        raise ExpressionError(f"it has more than {_MAX_SOURCE} characters")
    sandbox = Sandbox(known)
    try:
        tree = sandbox.prepared(source)
        names = find_undeclared_variables(tree)
        plain = frozenset(_plain_texts(tree))
        code = sandbox.compile(tree, None, _FRAME)
        template = sandbox.template_class.from_code(sandbox, code, sandbox.make_globals(None))
    except TemplateSyntaxError as error:
        raise ExpressionError(str(error.message).removesuffix("."), line=error.lineno) from None
    except (SyntaxError, RecursionError, MemoryError, ValueError, AssertionError):
        raise ExpressionError("it is nested too deeply") from None
    return JinjaTemplate(names=frozenset(names), work=work, _template=template, _plain=plain)


def _plain_texts(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """The texts that the template writes as they are, with their lines."""
    from jinja2 import nodes

    for output in tree.find_all(nodes.Output):
        for child in output.nodes:
            if isinstance(child, nodes.Const) and isinstance(child.value, str):
                yield child.lineno, child.value


def _failure(error: Exception, line: int) -> ExpressionError:
    from jinja2 import UndefinedError

    reason, hint = str(error) or type(error).__name__, ""
    if isinstance(error, UndefinedError):
        reason, _, hint = reason.partition("\n")
    elif isinstance(error, RecursionError):
        reason = "it calls itself too often"
    elif isinstance(error, MemoryError):
        reason = "it needs too much memory"
    absent = isinstance(error, UndefinedError) and reason.startswith("there is no ")
    return ExpressionError(reason, line=line, hint=hint, fix=getattr(error, "fix", ""), absent=absent)
