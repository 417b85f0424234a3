"""How fast YAML is written, beside PyYAML's CSafeDumper.

python -m benchmarks.yaml_emit [DIRECTORY]
"""

from __future__ import annotations

import sys

import yaml

from benchmarks.yaml_corpus import compare, corpus
from renderer.document.emit import emit
from renderer.document.emit_go import emit_go
from renderer.document.read import read_stream


def main(arguments: list[str]) -> None:
    """Measure and print."""
    values = [
        document.value for name, data in corpus(arguments).items() for document in read_stream(data, name)
    ]

    def ours() -> None:
        for value in values:
            emit(value)

    def library() -> None:
        for value in values:
            emit_go(value)

    def theirs() -> None:
        for value in values:
            yaml.dump(value, Dumper=yaml.CSafeDumper, sort_keys=False)

    size = sum(len(emit(value).encode()) for value in values)
    print(f"{len(values)} documents, {size / 1e6:.1f} MB")
    for line in compare({"emit": ours, "CSafeDumper": theirs, "emit_go": library}, size):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
