"""Names as Argo CD's projects match them: a pattern that is one name, or exactly one of several.

In a pattern `{a,b}` is a or b, and what follows a backslash stands for itself.
Source: Argo CD util/glob (github.com/gobwas/glob).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_SPECIAL: Final = re.compile(r"[\\*?\[\]{}!,]")
_PART: Final = re.compile(r"(?:\\.|[^\\,])+")


def pattern(names: Sequence[str]) -> str:
    """The pattern that exactly these names match; they are not empty."""
    parts = [_SPECIAL.sub(r"\\\g<0>", name) for name in names]
    return parts[0] if len(parts) == 1 else f"{{{','.join(parts)}}}"


def names(glob: str) -> Iterable[str]:
    """The names that a pattern of `pattern` stands for."""
    inner = glob[1:-1] if glob.startswith("{") and glob.endswith("}") else glob
    return [re.sub(r"\\(.)", r"\1", part) for part in _PART.findall(inner)] or [""]
