"""What Karmada's validating webhook has against a ClusterTaintPolicy.

Source: Karmada pkg/webhook/clustertaintpolicy.
"""

from __future__ import annotations

from collections.abc import Iterator

from renderer.document.values import Object, mapping, sequence, text
from renderer.load.field import ROOT, FieldError, duplicate, forbidden

_NO_EXECUTE = (
    "Configuring taint with NoExecute effect is not allowed, this capability must be explicitly enabled "
    "by administrators through command-line flags"
)


def check_taints(spec: Object, *, allow_no_execute: bool = False) -> Iterator[FieldError]:
    """Everything wrong with the taints. `allow_no_execute` is the webhook's flag for NoExecute taints."""
    path = ROOT.child("spec", "taints")
    taints = [mapping(item) for item in sequence(spec.get("taints"))]
    pairs = [(text(taint.get("key")), text(taint.get("effect"))) for taint in taints]
    for index, (key, effect) in enumerate(pairs):
        if effect == "NoExecute" and not allow_no_execute:
            yield forbidden(path.index(index), _NO_EXECUTE)
        if (key, effect) in pairs[index + 1 :]:
            yield duplicate(
                path.index(index),
                f"Duplicate taint with the same key({key}) and effect({effect}) is not allowed",
            )
