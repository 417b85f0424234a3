"""A file of the published memory: read, held to its shape, and refused where somebody made nonsense of it."""

from __future__ import annotations

from typing import Final

from renderer.document.problem import InputError, Position, Problem
from renderer.document.read import read_stream
from renderer.document.source import Document
from renderer.model.tree import Blob, Tree
from renderer.schedule.stored_shape import Fault, Shape

_WHY: Final = "it is the memory of where workloads run; a wrong one would move them"
_FIX: Final = "restore the file from the branch's history, or render with --fresh to decide everything anew"


def read_documents(data: bytes, file: str, shape: Shape) -> tuple[Document, ...]:
    """All documents of a file, each of the shape.

    Raises InputError with all that is wrong, and where there is none.
    """
    documents = read_stream(data, file)
    if not documents:
        raise InputError(problem(Position(file, 1, 1), "it is empty"))
    problems = [
        refused(document, fault) for document in documents for fault in shape.faults(document.value, "")
    ]
    if problems:
        raise InputError(*problems)
    return documents


def read_one(tree: Tree, path: str, shape: Shape) -> Document | None:
    """The only document of a file, None where there is no such file. Raises InputError as above."""
    node = tree.at(path)
    if not isinstance(node, Blob):
        return None
    documents = read_documents(node.data, path, shape)
    if len(documents) > 1:
        raise InputError(problem(documents[1].where(), "a second document is one too many"))
    return documents[0]


def refused(document: Document, fault: Fault) -> Problem:
    """What is wrong at a place of a document."""
    where = document.where(fault.pointer)
    return problem(where, f"{fault.pointer or 'it'} {fault.what}", document.excerpt(where))


def problem(where: Position, what: str, excerpt: str = "") -> Problem:
    """A reason not to go on from what is published."""
    what = f"what is published cannot be read: {what}"
    return Problem(where=where, what=what, why=_WHY, fix=_FIX, excerpt=excerpt)
