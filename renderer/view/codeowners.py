"""Who owns which sources, as a CODEOWNERS file says it: what only one team's objects lie in is the team's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from renderer.match.tenants import Tenants
from renderer.model.delivery import Tenant
from renderer.model.workspace import Workspace

BEGIN: Final = "# krender codeowners: begin. Made from the teams of krender.yaml; write above or below."
END: Final = "# krender codeowners: end"

_BLOCK: Final = re.compile(
    r"^# krender codeowners: begin.*?^# krender codeowners: end[^\n]*\n?", re.DOTALL | re.MULTILINE
)
_NOT_PLAIN: Final = re.compile(r"[*?\[\]#!\\]")  # what a pattern cannot say of itself, or not everywhere


def owned_paths(workspace: Workspace) -> Mapping[str, Tenant]:
    """The directories (with a slash at their end) and files that belong to a team, by path.

    A team's `paths` are its own. Elsewhere a file is a team's where nothing else lies in it, and a directory
    where all that the workspace reads of it is; never the workspace itself, where its settings are.
    """
    files = _files(workspace)
    found = dict(_shared(files))
    for tenant in workspace.config.tenants:
        for path in tenant.paths:
            bare = path.rstrip("/")
            found[bare if bare in files else f"{bare}/"] = tenant
    return dict(sorted(found.items()))


def codeowners(workspace: Workspace, folder: str) -> str:
    """The block of lines for a workspace that lies in a folder of its repository (empty: its top).

    The last line that fits a file counts, so a directory stands before what lies in it. Empty where no team
    names owners.
    """
    prefix = f"/{folder}/" if folder else "/"
    lines = [
        f"{_pattern(prefix + path)} {' '.join(tenant.owners)}"
        for path, tenant in owned_paths(workspace).items()
        if tenant.owners
    ]
    return "\n".join([BEGIN, *lines, END]) + "\n" if lines else ""


def with_block(text: str, block: str) -> str:
    """A CODEOWNERS file with the block in the place of the one it has, or at its end."""
    if _BLOCK.search(text):
        return _BLOCK.sub(lambda _: block, text, count=1)
    return f"{text.rstrip()}\n\n{block}" if text.strip() and block else text or block


def _files(workspace: Workspace) -> Mapping[str, Tenant | None]:
    """Each file that is read, with the team that all in it belongs to."""
    tenants = Tenants(workspace.config.tenants)
    namespaced = chain(
        ((item.identity.namespace, item.document) for item in workspace.templates),
        ((item.namespace, item.document) for item in workspace.propagation_policies),
        ((item.namespace, item.document) for item in workspace.override_policies),
        (("", item.document) for item in workspace.clusters),
        (("", item.document) for item in workspace.customizations),
        (("", item.document) for item in workspace.rebalancers),
        (("", item.document) for item in workspace.taint_policies),
    )
    found: dict[str, Tenant | None] = {}
    for namespace, document in namespaced:
        if document is not None:
            tenant = tenants.of(namespace)
            found[document.file] = tenant if found.get(document.file, tenant) is tenant else None
    return found


def _shared(files: Mapping[str, Tenant | None]) -> Iterator[tuple[str, Tenant]]:
    """What belongs to one team: the largest directories that do, and single files elsewhere."""
    holds: dict[str, set[str]] = {}
    for file, tenant in files.items():
        parts = file.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            holds.setdefault("/".join(parts[:depth]) + "/", set()).add(tenant.name if tenant else "")
    whole = {path for path, names in holds.items() if len(names) == 1}
    for file, tenant in sorted(files.items()):
        if tenant is None:
            continue
        parents = [directory for directory in whole if file.startswith(directory)]
        yield min(parents, key=len, default=file), tenant


def _pattern(path: str) -> str:
    """A path as a pattern that fits it."""
    return _NOT_PLAIN.sub("?", path).replace(" ", "\\ ")
