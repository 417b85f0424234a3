"""What an AppProject permits, by Argo CD's rules.

Source: Argo CD pkg/apis/application/v1alpha1/app_project_types.go, util/glob.
"""

from __future__ import annotations

import re
from functools import cache

from renderer.document.values import Object, Value, dig, mapping, sequence, text


def permits(project: Object, *, server: str, name: str, group: str, kind: str, namespace: str) -> bool:
    """Whether an object may be on a cluster (IsResourcePermitted)."""
    spec = mapping(project.get("spec"))
    scope = "namespaceResource" if namespace else "clusterResource"
    allowed, denied = spec.get(f"{scope}Whitelist"), spec.get(f"{scope}Blacklist")
    listed = _is_listed(allowed, group, kind) or (bool(namespace) and allowed is None)
    if not listed or _is_listed(denied, group, kind):
        return False
    return not namespace or admits(project, server=server, name=name, namespace=namespace)


def admits(project: Object, *, server: str, name: str, namespace: str) -> bool:
    """Whether an Application may have this destination, its namespace as it says (IsDestinationPermitted)."""
    for item in map(mapping, sequence(dig(project, "spec", "destinations"))):
        assert not any(text(value).startswith("!") for value in item.values())
        is_there = (name and _matches(item.get("name"), name)) or (
            server and _matches(item.get("server"), server)
        )
        if is_there and _matches(item.get("namespace"), namespace):
            return True
    return False


def reads(project: Object, repo_url: str) -> bool:
    """Whether an Application may have this source (IsSourcePermitted)."""
    return any(_matches(item, repo_url) for item in sequence(dig(project, "spec", "sourceRepos")))


def _is_listed(items: Value, group: str, kind: str) -> bool:
    return any(
        _matches(item.get("group"), group) and _matches(item.get("kind"), kind)
        for item in map(mapping, sequence(items))
    )


def _matches(glob: Value, name: str) -> bool:
    return _compiled(text(glob)).fullmatch(name) is not None


@cache
def _compiled(glob: str) -> re.Pattern[str]:
    """gobwas/glob without separators, as far as our patterns go."""
    out, depth = "", 0
    for token in re.findall(r"\\.|.", glob, re.DOTALL):
        if token == "{":
            out, depth = f"{out}(?:", depth + 1
        elif token == "}":
            out, depth = f"{out})", depth - 1
        elif token == "," and depth:
            out += "|"
        elif token == "*":
            out += ".*"
        else:
            assert token not in "?[]", f"{glob}: not a pattern of ours"
            out += re.escape(token[-1])
    assert not depth
    return re.compile(out, re.DOTALL)
