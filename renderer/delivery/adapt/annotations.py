"""Annotations by which an engine is told how to treat one object. What somebody else wrote there stays."""

from __future__ import annotations

from collections.abc import Iterable

from renderer.document.patch import ABSENT
from renderer.document.pointer import escape
from renderer.document.values import Object, dig, text
from renderer.model.adaptation import Adaptation
from renderer.model.engine_keys import option_name, options_of
from renderer.model.identity import Identity, annotations_of, labels_of


def with_option(
    body: Object,
    key: str,
    option: str,
    *,
    by: str,
    reason: str,
    unless: Iterable[str] = (),
    because: Identity | None = None,
) -> tuple[Adaptation, ...]:
    """An option added to Argo CD's comma-separated list; not where it, or one of `unless`, is stated.

    An option counts as stated with any value.
    """
    stated = text(dig(body, "metadata", "annotations", key))
    options = options_of(stated)
    if not {option_name(item) for item in options}.isdisjoint((option_name(option), *unless)):
        return ()
    return annotated(
        body, key, ",".join([*options, option]), by=by, reason=reason, because=because, over=True
    )


def annotated(
    body: Object,
    key: str,
    value: str,
    *,
    by: str,
    reason: str,
    because: Identity | None = None,
    over: bool = False,
) -> tuple[Adaptation, ...]:
    """An annotation; not where the object has it already, as one or as a label, unless it is `over` it."""
    annotations = dig(body, "metadata", "annotations")
    if not isinstance(annotations, dict | None) or not isinstance(body.get("metadata"), dict):
        return ()  # no engine could read it there
    stated = annotations_of(body).get(key)
    if not over and (stated is not None or key in labels_of(body)):
        return ()
    return (
        Adaptation(
            by=by,
            path=f"/metadata/annotations/{escape(key)}",
            before=ABSENT if stated is None else stated,
            after=value,
            reason=reason,
            because=because,
        ),
    )
