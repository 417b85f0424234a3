"""Documents encrypted with SOPS, which are published byte for byte or not at all.

SOPS seals all values of a file together. A file that krender took apart, completed or wrote anew could not
be decrypted any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from renderer.document.file import SourceFile
from renderer.document.problem import Problem
from renderer.document.source import Document
from renderer.document.values import Object, dig, mapping
from renderer.load.wording import told
from renderer.model.sops import is_encrypted, is_sops

_WHY = "SOPS seals all values of a file together; changed, it could not be decrypted any more"
_NAMES = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))


def sealed(
    file: SourceFile, documents: Sequence[Document]
) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
    """The documents of a file, encrypted ones with the file's bytes; and those that cannot be passed on."""
    if b"sops" not in file.data or not any(is_sops(mapping(document.value)) for document in documents):
        return tuple(documents), ()
    problems = tuple(_faults(documents))
    if problems:
        return tuple(item for item in documents if not is_sops(mapping(item.value))), problems
    return tuple(replace(document, raw=file.data) for document in documents), ()


def unsealed(documents: Sequence[Document]) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
    """The documents that a template gave, and a problem for each that SOPS had sealed."""
    kept, problems = [], []
    for document in documents:
        if is_sops(mapping(document.value)):
            what = "a document encrypted with SOPS cannot be a template"
            problems.append(told(document, "", what, why=_WHY, fix="put it in a file without .j2"))
        else:
            kept.append(document)
    return tuple(kept), tuple(problems)


def seal_fault(document: Document, body: Object, namespace: str) -> Problem | None:
    """What is wrong with an encrypted object that krender would have to put into a namespace."""
    if not is_sops(body):
        return None
    fix = f'write "namespace: {namespace}" into it and encrypt it again'
    if not namespace:
        fix = "take the namespace out and encrypt it again"
    what = "an object encrypted with SOPS must state the namespace it is in"
    return told(document, "/metadata", what, why=_WHY, fix=fix)


def _faults(documents: Sequence[Document]) -> Iterator[Problem]:
    for document in documents:
        body = mapping(document.value)
        if not is_sops(body):
            continue
        if len(documents) > 1:
            what = f"a file encrypted with SOPS holds {len(documents)} documents"
            yield told(document, "", what, why=_WHY, fix="give each document a file of its own")
        elif isinstance(body.get("items"), list):
            what = "a List is encrypted with SOPS"
            yield told(document, "", what, why=_WHY, fix="give each item a file of its own")
        elif any(is_encrypted(dig(body, *path)) for path in _NAMES):
            what = "kind, name or namespace of the object are encrypted"
            why = "nobody can tell what it is, and where it goes"
            fix = "encrypt the values only: sops --encrypted-regex '^(data|stringData)$'"
            yield told(document, "/kind", what, why=why, fix=fix)
