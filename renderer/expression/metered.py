"""The syntax tree of a template with the meter built in, and without what a template must not have."""

from __future__ import annotations

from typing import cast

from jinja2 import TemplateSyntaxError, nodes
from jinja2.visitor import NodeTransformer

_ALONE = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport, nodes.Block)


def step_name(step: str) -> str:
    """The name under which a step of the meter is registered; no template can spell it."""
    return f"krender.{step}"


def metered(tree: nodes.Template) -> nodes.Template:
    """Build the meter into a tree. Raises TemplateSyntaxError for what is not allowed."""
    return cast(nodes.Template, _Metering().visit(tree))


class _Metering(NodeTransformer):
    """Lets each node that repeats something, makes something or goes through it tell the meter.

    What runs more than once pays for its nodes each time, so that time follows the budget whatever the
    template is like.
    """

    def __init__(self) -> None:
        self._seen = 0

    def visit(self, node: nodes.Node) -> nodes.Node:
        """The node as it is to be compiled; its parts come first."""
        if isinstance(node, _ALONE):
            raise TemplateSyntaxError("a template stands alone: there are no others to use", node.lineno)
        if isinstance(node, nodes.ScopedEvalContextModifier):
            raise TemplateSyntaxError("there is nothing to escape in YAML", node.lineno)
        self._seen += 1
        before = self._seen
        self.generic_visit(node)
        return self._metered(node, 1 + self._seen - before)

    def _metered(self, node: nodes.Node, size: int) -> nodes.Node:
        match node:
            case nodes.For(recursive=True):
                raise TemplateSyntaxError("a loop cannot be recursive here", node.lineno)
            case nodes.For():
                node.body.insert(0, _paying(size, node.lineno))
                if node.test is not None:
                    node.test = _through("spend", node.test, size)
            case nodes.Macro():
                node.body.insert(0, _paying(size, node.lineno))
            case nodes.CallBlock():
                node.body.insert(0, _paying(size, node.lineno))
                # It must stay a call; what is written meanwhile is paid for piece by piece.
                node.call = cast(nodes.Call, cast(nodes.Filter, cast(object, node.call)).node)
            case nodes.Output():
                # Plain text becomes an expression, so that each piece has its own line and its price.
                node.nodes = [_constant(child) for child in node.nodes]
            case nodes.Compare():
                node.expr = _through("use", node.expr)
            case nodes.Operand():
                node.expr = _through("use", node.expr)
            case nodes.Pair():
                node.key = _through("use", node.key)
            case nodes.Concat():
                return _through("concat", nodes.List(node.nodes, lineno=node.lineno))
            case nodes.Getitem(arg=nodes.Slice()) | nodes.Call() | nodes.List() | nodes.Dict():
                return _through("made", node)
            case nodes.Getitem():
                node.arg = _through("use", node.arg)
            case nodes.Tuple(ctx="load"):
                return _through("made", node)
        return node


def _constant(node: nodes.Expr) -> nodes.Expr:
    return nodes.Const(node.data, lineno=node.lineno) if isinstance(node, nodes.TemplateData) else node


def _paying(steps: int, line: int) -> nodes.Stmt:
    return nodes.ExprStmt(_through("spend", nodes.Const(None, lineno=line), steps), lineno=line)


def _through(step: str, node: nodes.Node, *args: int) -> nodes.Filter:
    """The expression, its value handed through a step of the meter."""
    given: list[nodes.Expr] = [nodes.Const(arg, lineno=node.lineno) for arg in args]
    return nodes.Filter(cast(nodes.Expr, node), step_name(step), given, [], None, None, lineno=node.lineno)
