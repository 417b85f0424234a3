"""Reading metrics back: with Prometheus' own readers, after every rule of the text that krender relies on."""

from __future__ import annotations

import re
from typing import TypeAlias

from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics_families
from prometheus_client.parser import text_string_to_metric_families as older_families

# Name and labels of a sample to its number.
Samples: TypeAlias = dict[tuple[str, tuple[tuple[str, str], ...]], float]

_NAME = r"[a-zA-Z_][a-zA-Z0-9_]*"
_VALUE = r'"(?:[^"\\\n]|\\["\\n])*"'
_SAMPLE = re.compile(
    rf"(?P<name>{_NAME})(?P<labels>\{{{_NAME}={_VALUE}(?:,{_NAME}={_VALUE})*\}})? -?[0-9][0-9.e+-]*"
)
_ABOUT = re.compile(rf"# (?P<what>TYPE|UNIT|HELP) (?P<name>{_NAME}) (?P<text>[^\n\"\\]+)")
_RESERVED = ("_total", "_created", "_bucket", "_count", "_sum", "_gcount", "_gsum")


def read(text: str) -> Samples:
    """The samples of a text that is right. Fails with what is wrong about it."""
    check(text)
    samples: Samples = {}
    for family in openmetrics_families(text):  # type: ignore[no-untyped-call]
        for sample in family.samples:
            assert sample.timestamp is None
            samples[sample.name, tuple(sorted(sample.labels.items()))] = sample.value
    older = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in older_families(text)
        for sample in family.samples
    }
    assert older == samples  # node_exporter's textfile collector reads the older format
    return samples


def value(text: str, name: str, **labels: str) -> float | None:
    """The number of the one sample that has these labels; None where there is none."""
    wanted = set(labels.items())
    found = [number for (of, has), number in read(text).items() if of == name and wanted <= set(has)]
    assert len(found) < 2, f"{name} {labels} is not one sample"
    return found[0] if found else None


def check(text: str) -> None:
    """See that a text follows the rules, line by line."""
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""]
    seen: dict[str, list[str]] = {}  # family: what was said about it
    series: set[str] = set()
    current = ""
    for line in lines[:-2]:
        about = _ABOUT.fullmatch(line)
        if about:
            if about["name"] != current:
                current = about["name"]
                assert current not in seen, f"{current} is told in two places"
                seen[current] = []
            assert about["what"] not in seen[current]
            seen[current].append(about["what"])
            if about["what"] == "TYPE":
                kind = about["text"]
                assert kind in ("gauge", "counter")  # what the older format knows
                assert not current.endswith(_RESERVED)
            if about["what"] == "UNIT":
                assert current.endswith(f"_{about['text']}")
            continue
        sample = _SAMPLE.fullmatch(line)
        assert sample, f"no sample: {line!r}"
        assert sample["name"] == (f"{current}_total" if kind == "counter" else current)
        names = re.findall(rf"({_NAME})={_VALUE}", sample["labels"] or "")
        assert len(names) == len(set(names))
        one = line.rpartition(" ")[0]
        assert one not in series, f"{one} is told twice"
        series.add(one)
    assert all({"TYPE", "HELP"} <= set(said) for said in seen.values())
    assert list(seen) == sorted(seen)
