"""From a request to a response: which path, who may, what for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from renderer.model.exchange import JSON, Head, Response
from renderer.view.metrics.openmetrics import CONTENT_TYPE, Labels, openmetrics
from renderer.view.serve.access import check
from renderer.view.serve.contracts import asked_by_argocd, asked_by_flux, for_argocd, for_flux
from renderer.view.serve.counts import Counts, measured
from renderer.view.serve.ledger import Ledger
from renderer.view.serve.question import Question
from renderer.view.serve.refused import RefusedError
from renderer.view.serve.snapshot import Snapshot
from renderer.view.serve.standing import Standing

PARAMS: Final = "/api/v1/getparams.execute"
INPUTS: Final = "/api/v1/inputs"
HEALTH: Final = "/healthz"
READY: Final = "/readyz"
METRICS: Final = "/metrics"
_READ: Final = ("GET", "HEAD")
METHODS: Final = {PARAMS: ("POST",), INPUTS: _READ, HEALTH: _READ, READY: _READ, METRICS: _READ}
GUARDED: Final = (PARAMS, INPUTS)


class Site:
    """Everything there is to ask. `standing` and `tokens` are asked for what is so at the moment."""

    def __init__(
        self,
        standing: Callable[[], Standing],
        tokens: Callable[[], Sequence[bytes]],
        ledger: Ledger,
        version: str,
    ) -> None:
        """Count from zero."""
        self._standing = standing
        self._tokens = tokens
        self._ledger = ledger
        self._version = version
        self._requests: Counter[Labels] = Counter()
        self._refusals: Counter[Labels] = Counter()

    def admit(self, head: Head) -> Response | None:
        """Refuse what needs no body to be refused."""
        try:
            methods = METHODS.get(head.path)
            if methods is None:
                raise RefusedError(404, f"there is nothing at this path; there are {', '.join(METHODS)}")
            if head.method not in methods:
                raise RefusedError(405, f"write {' or '.join(methods)}", ("Allow", ", ".join(methods)))
            if head.path in GUARDED:
                check(head.headers.get("authorization"), self._tokens())
            if head.path != INPUTS and head.query:
                raise RefusedError(400, "nothing is asked for by a query here")
            if head.path == PARAMS and not _is_json(head.headers.get("content-type", "")):
                raise RefusedError(415, f"the Content-Type must be {JSON}")
        except RefusedError as refused:
            return self._refuse(refused)
        return None

    def answer(self, head: Head, body: bytes) -> Response:
        """Answer what was admitted."""
        try:
            if head.path == PARAMS:
                asked, name = asked_by_argocd(body)
                return self._listed(asked, for_argocd, f" applicationset={name[:253]!r}")
            if head.path == INPUTS:
                return self._listed(asked_by_flux(head.query), for_flux)
        except RefusedError as refused:
            return self._refuse(refused)
        return self._metrics() if head.path == METRICS else self._health(head.path)

    def count(self, path: str, status: int) -> None:
        """Count a request that was answered."""
        self._requests[path if path in METHODS else "other", str(status)] += 1

    def _listed(self, asked: Question, form: Callable[..., bytes], note: str = "") -> Response:
        snapshot: Snapshot = self._standing().served()
        units = self._ledger.units(asked, snapshot)
        body = form(snapshot, units)
        self._ledger.remember(asked, tuple(unit.name for unit in units))
        return Response(
            status=200,
            body=body,
            headers=(("Krender-Commit", snapshot.commit),),
            note=f"{asked} units={len(units)} commit={snapshot.commit[:12]}{note}",
        )

    def _refuse(self, refused: RefusedError) -> Response:
        if refused.reason:
            self._refusals[(refused.reason,)] += 1
        return refused.response

    def _health(self, path: str) -> Response:
        standing = self._standing()
        is_well = standing.is_alive if path == HEALTH else standing.is_ready
        # Anybody may ask: why something failed stands in the log, and in what bearers of a token get.
        told = {"state": standing.state}
        if not is_well or standing.failure:
            told["message"] = "the branch cannot be read; the log tells why"
        if standing.snapshot:
            told["commit"] = standing.snapshot.commit
        return Response(status=200 if is_well else 503, body=json.dumps(told).encode() + b"\n")

    def _metrics(self) -> Response:
        counts = Counts(requests=dict(self._requests), refusals=dict(self._refusals))
        text = openmetrics(measured(self._standing(), counts, self._version))
        return Response(status=200, body=text.encode(), content_type=CONTENT_TYPE)


def _is_json(content_type: str) -> bool:
    kind, _, rest = content_type.partition(";")
    return kind.strip().lower() == JSON and rest.strip().lower().replace('"', "") in ("", "charset=utf-8")
