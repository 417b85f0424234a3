"""The syntax tree of a Jinja2 template with the meter built in, and without what a template must not have."""

from __future__ import annotations

from typing import cast

from jinja2 import TemplateSyntaxError, nodes
from jinja2.visitor import NodeTransformer

STEPS = ("made", "each", "use", "concat")  # names of the meter's steps, as filters nobody can write

_ALONE = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport, nodes.Block)


def step_name(step: str) -> str:
    """The name under which a step of the meter is registered; no template can spell it."""
    return f"krender.{step}"


def instrument(tree: nodes.Template) -> nodes.Template:
    """Build the meter into a tree. Raises TemplateSyntaxError for what is not allowed."""
    return cast(nodes.Template, _Metering().visit(tree))


class _Metering(NodeTransformer):
    """Lets each node that makes something, or goes through it, tell the meter."""

    def visit(self, node: nodes.Node) -> nodes.Node:
        """Refuse what a template must not have, then go on as usual."""
        if isinstance(node, _ALONE):
            raise TemplateSyntaxError("a template stands alone: there are no others to use", node.lineno)
        if isinstance(node, nodes.ScopedEvalContextModifier):
            raise TemplateSyntaxError("there is nothing to escape in YAML", node.lineno)
        return cast(nodes.Node, super().visit(node))

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 - Jinja2's names, here and below
        if node.recursive:
            raise TemplateSyntaxError("a loop cannot be recursive here", node.lineno)
        self.generic_visit(node)
        node.iter = _through("each", node.iter)
        return node

    def visit_Output(self, node: nodes.Output) -> nodes.Node:  # noqa: N802
        # Plain text becomes an expression, so that each piece has its own line and its cost.
        for index, child in enumerate(node.nodes):
            if isinstance(child, nodes.TemplateData):
                node.nodes[index] = nodes.Const(child.data, lineno=child.lineno)
        return self.generic_visit(node)

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.expr = _through("use", node.expr)
        for operand in node.ops:
            operand.expr = _through("use", operand.expr)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through("concat", nodes.List(node.nodes, lineno=node.lineno))

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through("made", node) if isinstance(node.arg, nodes.Slice) else node

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through("made", node) if node.ctx == "load" else node

    def _made(self, node: nodes.Expr) -> nodes.Node:
        self.generic_visit(node)
        return _through("made", node)

    visit_Call = visit_List = visit_Dict = _made  # noqa: N815


def _through(step: str, node: nodes.Node) -> nodes.Filter:
    """The expression, its value handed through a step of the meter."""
    return nodes.Filter(cast(nodes.Expr, node), step_name(step), [], [], None, None, lineno=node.lineno)
