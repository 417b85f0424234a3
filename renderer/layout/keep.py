"""The file that keeps the directory of a cluster that gets no manifests.

An empty directory does not exist in Git, and a vanished one is an error to Argo CD and Flux instead of a wish
to prune. Neither reads a file of this name as a manifest.
"""

from __future__ import annotations

from typing import Final

from renderer.model.tree import Blob

KEEP_FILE: Final = Blob(
    b"This cluster gets no manifests. The file keeps the directory, so that the last ones are pruned.\n"
)
