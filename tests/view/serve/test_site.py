"""The contracts of both engines, status by status: an answer is a whole list, or no 2xx."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

import pytest

from renderer.model.exchange import Head, Response
from renderer.view.serve.access import tokens_in
from renderer.view.serve.contracts import MOST_BYTES
from renderer.view.serve.ledger import Ledger
from renderer.view.serve.site import INPUTS, METRICS, PARAMS, Site
from renderer.view.serve.snapshot import snapshot_of
from renderer.view.serve.standing import Standing
from tests.view.serve.fleets import COMMIT, body, files, snapshot, tip

TOKEN = "correct-horse-battery"
OTHER = "stapled-to-the-donkey"
ARGOCD = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
FLUX = {"authorization": f"Bearer {TOKEN}", "accept": "application/json"}
FLEET = snapshot_of(
    tip(
        {
            **files(["eu-1", "eu-2"], wave="1"),
            **files(["us-1"], tenant="shop", wave="2"),
            **files(["lab.web"], cluster="lab", namespace="web"),
            **files(["kiosk"], syncMode="Pull"),
            **files(["store-2", "store-1"], "flux"),
        }
    ),
    "sha1",
)
READY = Standing(snapshot=FLEET, failure="")


def basic(text: str) -> str:
    return f"Basic {base64.b64encode(text.encode()).decode()}"


class Asking:
    """A site and the one way to ask it that a server has."""

    def __init__(self, standing: Standing = READY, tokens: str = f"{OTHER}\n{TOKEN}\n") -> None:
        self.standing = standing
        read = tokens_in(tokens) if tokens else ()
        self.site = Site(lambda: self.standing, lambda: read, Ledger(), "1.2.3")

    def __call__(
        self, method: str, path: str, headers: Mapping[str, str], query: str = "", sent: bytes = b""
    ) -> Response:
        head = Head(method=method, path=path, query=query, headers=headers)
        response = self.site.admit(head) or self.site.answer(head, sent)
        self.site.count(path, response.status)
        return response

    def params(self, **parameters: object) -> Response:
        sent = {"applicationSetName": "fleet", "input": {"parameters": parameters}}
        return self("POST", PARAMS, ARGOCD, sent=json.dumps(sent).encode())

    def inputs(self, query: str = "") -> Response:
        return self("GET", INPUTS, FLUX, query)


def told(response: Response) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(response.body)
    return answer


def test_argocd_gets_parameters_in_the_order_of_names() -> None:
    response = Asking().params()
    assert (response.status, response.content_type) == (200, "application/json")
    assert dict(response.headers) == {"Krender-Commit": COMMIT}
    answer = told(response)
    assert answer["commit"] == COMMIT
    assert [item["name"] for item in answer["output"]["parameters"]] == ["eu-1", "eu-2", "lab.web", "us-1"]
    assert answer["output"]["parameters"][0] == body("eu-1", wave="1")


def test_flux_gets_inputs_with_unique_ids() -> None:
    answer = told(Asking().inputs())
    assert answer["commit"] == COMMIT
    assert answer["inputs"] == [{"id": name, **body(name)} for name in ("store-1", "store-2")]


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        pytest.param({"cluster": "eu-1"}, ["eu-1"], id="a-cluster"),
        pytest.param({"wave": "1"}, ["eu-1", "eu-2"], id="a-wave"),
        pytest.param({"wave": 1}, ["eu-1", "eu-2"], id="a-wave-as-a-number"),
        pytest.param({"tenant": "shop"}, ["us-1"], id="a-tenant"),
        pytest.param({"tenant": ""}, ["eu-1", "eu-2", "lab.web"], id="no-tenant"),
        pytest.param({"namespace": "web"}, ["lab.web"], id="a-namespace"),
        pytest.param({"syncMode": "Pull"}, ["kiosk"], id="what-pulls"),
        pytest.param({"engine": "flux"}, ["store-1", "store-2"], id="the-other-engine"),
        pytest.param({"wave": "2", "tenant": "shop"}, ["us-1"], id="all-must-match"),
    ],
)
def test_units_are_selected_by_exact_values(parameters: dict[str, object], names: list[str]) -> None:
    answer = told(Asking().params(**parameters))
    assert [item["name"] for item in answer["output"]["parameters"]] == names
    query = "&".join(f"{key}={value}" for key, value in {"engine": "argocd", **parameters}.items())
    assert [item["id"] for item in told(Asking().inputs(query))["inputs"]] == names


@pytest.mark.parametrize("given", [None, {}, {"parameters": None}, {"parameters": {}}], ids=repr)
def test_argocd_may_ask_for_nothing_in_particular(given: object) -> None:
    sent = json.dumps({"applicationSetName": "fleet", "input": given}).encode()
    assert Asking()("POST", PARAMS, ARGOCD, sent=sent).status == 200


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        pytest.param({"clusters": "eu-1"}, "there is no parameter 'clusters'", id="unknown"),
        pytest.param({"Cluster": "eu-1"}, "there is no parameter 'Cluster'", id="wrong-case"),
        pytest.param({"engine": "argo"}, "'argo', not argocd or flux", id="no-engine"),
        pytest.param({"syncMode": "push"}, "'push', not Push or Pull", id="no-mode"),
        pytest.param({"wave": "one"}, "not a number", id="no-number"),
        pytest.param({"wave": "²"}, "not a number", id="a-digit-that-is-none"),
        pytest.param({"wave": True}, "wave is not a string", id="a-truth"),
        pytest.param({"wave": 1.0}, "wave is not a string", id="a-fraction"),
        pytest.param({"cluster": ["eu-1"]}, "cluster is not a string", id="a-list"),
        pytest.param({"cluster": None}, "cluster is not a string", id="nothing"),
    ],
)
def test_a_parameter_that_says_nothing_is_refused(parameters: dict[str, object], said: str) -> None:
    response = Asking().params(**parameters)
    assert response.status == 400
    assert said in told(response)["message"]


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 60_000,
        b'{"input": {}}',
        b'{"applicationSetName": "", "input": {}}',
        b'{"applicationSetName": 1}',
        b'{"applicationSetName": "a", "input": []}',
        b'{"applicationSetName": "a", "input": {"parameters": []}}',
        b'{"applicationSetName": "a", "input": {"parameters": {"wave": NaN}}}',
        b'{"applicationSetName": "a", "input": {}, "input": {"parameters": {"wave": "1"}}}',
    ],
)
def test_a_body_that_is_no_question_is_refused(sent: bytes) -> None:
    response = Asking()("POST", PARAMS, ARGOCD, sent=sent)
    assert response.status == 400
    assert told(response)["message"]


@pytest.mark.parametrize(
    "query",
    [
        "cluster",
        "&",
        "=x",
        "cluster=a&cluster=a",
        "x=1",
        "token=abc",
        "cluster=%ff",
        "wave=1;wave=2",
        "a=1&" * 40,
    ],
)
def test_a_query_that_is_no_question_is_refused(query: str) -> None:
    assert Asking().inputs(query).status == 400


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        pytest.param(f"Bearer {TOKEN}", 200, id="the-token"),
        pytest.param(f"bearer {TOKEN}", 200, id="schemes-have-no-case"),
        pytest.param(f"Bearer {OTHER}", 200, id="another-that-is-valid"),
        pytest.param(basic(f"krender:{TOKEN}"), 200, id="as-a-password"),
        pytest.param(None, 401, id="none"),
        pytest.param("", 401, id="an-empty-one"),
        pytest.param(TOKEN, 401, id="without-a-scheme"),
        pytest.param("Digest x", 401, id="another-scheme"),
        pytest.param("Bearer", 403, id="no-token"),
        pytest.param(f"Bearer {TOKEN}x", 403, id="one-character-more"),
        pytest.param(f"Bearer {TOKEN[:-1]}", 403, id="one-character-less"),
        pytest.param(f"Bearer {TOKEN} {TOKEN}", 403, id="twice"),
        pytest.param("Bearer \u00e9" + TOKEN[1:], 403, id="another-character"),
        pytest.param(f"Bearer {OTHER}\n{TOKEN}", 403, id="the-whole-file"),
        pytest.param(basic(TOKEN), 403, id="as-a-user"),
        pytest.param(basic(f"{TOKEN}:"), 403, id="an-empty-password"),
        pytest.param("Basic !!!", 403, id="no-base64"),
        pytest.param("Basic \u00e9", 403, id="no-ascii"),
    ],
)
@pytest.mark.parametrize("path", [PARAMS, INPUTS])
def test_who_may_ask(path: str, authorization: str | None, status: int) -> None:
    headers = {"content-type": "application/json"}
    headers |= {} if authorization is None else {"authorization": authorization}
    sent = b'{"applicationSetName": "a"}' if path == PARAMS else b""
    response = Asking()("POST" if path == PARAMS else "GET", path, headers, sent=sent)
    assert response.status == status
    assert ("WWW-Authenticate" in dict(response.headers)) == (status == 401)
    assert status == 200 or (FLEET.commit not in str(response) and "eu-1" not in str(response))


def test_without_a_token_nobody_gets_in() -> None:
    asking = Asking(tokens="")
    assert asking.params().status == 503
    assert asking("GET", INPUTS, {"authorization": "Bearer "}).status == 503


@pytest.mark.parametrize(
    ("method", "path", "status", "allowed"),
    [
        *[(method, PARAMS, 405, "POST") for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE")],
        *[(method, INPUTS, 405, "GET, HEAD") for method in ("POST", "PATCH", "OPTIONS", "get")],
        *[("POST", path, 405, "GET, HEAD") for path in ("/healthz", "/readyz", METRICS)],
        *[
            ("GET", path, 404, None)
            for path in (
                "/",
                "/api/v1/inputs/",
                "/api/v1/INPUTS",
                "//api/v1/inputs",
                "/api/v1/../v1/inputs",
                "/api/v1/%69nputs",
                "/../../etc/passwd",
                "/metrics/../api/v1/inputs",
                "/api/v1/getparams",
            )
        ],
    ],
)
def test_there_is_nothing_else(method: str, path: str, status: int, allowed: str | None) -> None:
    response = Asking()(method, path, ARGOCD)
    assert response.status == status
    assert dict(response.headers).get("Allow") == allowed
    assert told(response)["message"]


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ('application/json;charset="UTF-8"', 200),
        ("", 415),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("application/json-patch+json", 415),
        ("application/json; charset=latin-1", 415),
    ],
)
def test_argocd_sends_json(kind: str, status: int) -> None:
    headers = {**ARGOCD, "content-type": kind}
    assert Asking()("POST", PARAMS, headers, sent=b'{"applicationSetName": "a"}').status == status


def test_argocd_asks_by_its_body_alone() -> None:
    response = Asking()("POST", PARAMS, ARGOCD, "wave=1", b'{"applicationSetName": "a"}')
    assert (response.status, "query" in told(response)["message"]) == (400, True)


@pytest.mark.parametrize(
    ("standing", "state", "ready", "alive", "answers"),
    [
        pytest.param(READY, "ready", 200, 200, 200, id="all-is-well"),
        pytest.param(Standing(), "not ready", 503, 200, 503, id="nothing-was-read-yet"),
        pytest.param(
            Standing(snapshot=FLEET, failure="x", age=60), "degraded", 200, 200, 200, id="the-last-good-one"
        ),
        pytest.param(
            Standing(snapshot=FLEET, failure="x", age=601), "not ready", 503, 200, 503, id="for-too-long"
        ),
        pytest.param(
            Standing(snapshot=FLEET, failure="", age=601, idle=601), "ready", 200, 503, 200, id="a-look-hangs"
        ),
    ],
)
def test_what_is_known_decides(standing: Standing, state: str, ready: int, alive: int, answers: int) -> None:
    asking = Asking(standing)
    assert asking.params().status == answers
    assert asking.inputs().status == answers
    assert (asking("GET", "/readyz", {}).status, asking("GET", "/healthz", {}).status) == (ready, alive)
    assert told(asking("GET", "/readyz", {}))["state"] == state


def test_why_it_is_not_ready_is_told_to_those_who_may_know() -> None:
    asking = Asking(Standing(snapshot=FLEET, failure="git said: no such host git.internal", age=601))
    assert "git.internal" in told(asking.params())["message"]
    assert "git.internal" not in asking("GET", "/readyz", {}).body.decode()


def test_what_matches_nothing_is_told() -> None:
    response = Asking().params(cluster="eu_1")
    assert response.status == 404
    assert "no unit matches engine=argocd syncMode=Push cluster=eu_1" in told(response)["message"]


def test_a_list_that_shrank_is_refused() -> None:
    asking = Asking()
    assert asking.params().status == 200
    asking.standing = Standing(snapshot=snapshot(["eu-1"]), failure="")
    response = asking.params()
    assert response.status == 503
    assert "3 of 4 units" in told(response)["message"]


def test_a_body_that_flux_would_not_take_is_refused_and_not_cut() -> None:
    asking = Asking(
        Standing(snapshot=snapshot([f"n{i:04}" for i in range(3000)], "flux", x="y" * 300), failure="")
    )
    response = asking.inputs()
    assert response.status == 503
    assert "flux-operator takes 900 KiB" in told(response)["message"]
    fewer = Asking(
        Standing(snapshot=snapshot([f"n{i:04}" for i in range(2000)], "flux", x="y" * 270), failure="")
    )
    assert len(fewer.inputs().body) < MOST_BYTES
    assert len(told(fewer.inputs())["inputs"]) == 2000


def test_everything_is_counted() -> None:
    asking = Asking()
    asking.params()
    asking.params(cluster="z")
    asking("GET", INPUTS, {})
    asking("GET", "/a/path/of/somebody", {})
    response = asking("GET", METRICS, {})
    lines = response.body.decode().splitlines()
    assert response.content_type.startswith("application/openmetrics-text")
    assert lines[-1] == "# EOF"
    for line in (
        'krender_serve_requests_total{path="/api/v1/getparams.execute",code="200"} 1',
        'krender_serve_requests_total{path="/api/v1/getparams.execute",code="404"} 1',
        'krender_serve_requests_total{path="/api/v1/inputs",code="401"} 1',
        'krender_serve_requests_total{path="other",code="404"} 1',
        'krender_serve_refusals_total{reason="empty"} 1',
        'krender_serve_units{engine="argocd"} 5',
        'krender_serve_units{engine="flux"} 2',
        f'krender_serve_commit_info{{commit="{COMMIT}"}} 1',
        "krender_serve_ready 1",
        "krender_serve_refresh_ok 1",
        "krender_last_publish_timestamp_seconds 1700000000",
    ):
        assert line in lines


def test_when_clusters_last_changed_is_told_by_their_names() -> None:
    known = snapshot(["eu"], cluster="EU_1", slug="eu")
    standing = Standing(snapshot=known, failure="", changed={"eu": 5, "gone": 7})
    text = Asking(standing)("GET", METRICS, {}).body.decode()
    assert 'krender_cluster_last_publish_timestamp_seconds{member_cluster="EU_1"} 5\n' in text
    assert 'krender_cluster_last_publish_timestamp_seconds{member_cluster="gone"} 7\n' in text


def test_what_is_not_known_is_not_measured() -> None:
    text = Asking(Standing())("GET", METRICS, {}).body.decode()
    assert ("krender_serve_units" in text, "krender_serve_ready 0" in text) == (False, True)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "there is no token"),
        ("\n \n", "there is no token"),
        ("short\n", "shorter than 16"),
        (f"{TOKEN}\nshort", "shorter than 16"),
        ("with a space in it all", "no header can carry"),
        ("mit-einem-ä-darin-geht-nicht", "no header can carry"),
    ],
)
def test_tokens_that_are_none(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        tokens_in(text)


def test_tokens_have_no_space_around_them() -> None:
    assert tokens_in(f"  {TOKEN}\r\n\n{OTHER}") == (TOKEN.encode(), OTHER.encode())
