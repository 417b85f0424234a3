"""Names, label keys and label values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from renderer.load.names import Texts, cluster_name, dns_label, dns_subdomain, label_key, label_value


@pytest.mark.parametrize(
    ("rule", "value", "starts"),
    [
        pytest.param(label_key, "app", [], id="plain-key"),
        pytest.param(label_key, "example.io/App_1.x", [], id="prefixed-key"),
        pytest.param(
            label_key, "", ["name part must be non-empty", "name part must consist of"], id="empty-key"
        ),
        pytest.param(label_key, "/a", ["prefix part must be non-empty"], id="empty-prefix"),
        pytest.param(
            label_key, "A/a", ["prefix part a lowercase RFC 1123 subdomain"], id="upper-case-prefix"
        ),
        pytest.param(label_key, "a/b/c", ["a valid label key must consist of"], id="two-slashes"),
        pytest.param(label_key, "a" * 64, ["name part must be no more than 63 bytes"], id="long-key"),
        pytest.param(
            label_key, f"{'a.' * 127}a/b", ["prefix part must be no more than 253 bytes"], id="long-prefix"
        ),
        pytest.param(label_key, "a\n", ["name part must consist of"], id="line-break"),
        pytest.param(label_value, "", [], id="empty-value"),
        pytest.param(label_value, "a b", ["a valid label must be"], id="blank-in-value"),
        pytest.param(label_value, "a" * 64, ["must be no more than 63 bytes"], id="long-value"),
        pytest.param(dns_subdomain, "a.b-c", [], id="subdomain"),
        pytest.param(dns_subdomain, "A", ["a lowercase RFC 1123 subdomain"], id="upper-case-name"),
        pytest.param(dns_subdomain, "a" * 254, ["must be no more than 253 characters"], id="long-name"),
        pytest.param(dns_label, "a-b", [], id="label"),
        pytest.param(dns_label, "a.b", ["must not contain dots"], id="dots"),
        pytest.param(dns_label, "-a", ["a lowercase RFC 1123 label"], id="dash-first"),
        pytest.param(dns_label, "a" * 64, ["must be no more than 63 characters"], id="long-label"),
        pytest.param(cluster_name, "eu-1", [], id="cluster"),
        pytest.param(cluster_name, "", ["must be not empty"], id="no-cluster"),
        pytest.param(cluster_name, "a" * 49, ["must be no more than 48 characters"], id="long-cluster"),
        pytest.param(cluster_name, "Eu", ["a lowercase RFC 1123 label"], id="upper-case-cluster"),
    ],
)
def test_names(rule: Callable[[str], Texts], value: str, starts: list[str]) -> None:
    texts = rule(value)
    assert len(texts) == len(starts)
    assert all(text.startswith(start) for text, start in zip(texts, starts, strict=True))
