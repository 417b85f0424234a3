"""How fast YAML is read, beside PyYAML's CSafeLoader and the parser's events alone.

python -m benchmarks.yaml_load [DIRECTORY]
"""

from __future__ import annotations

import sys

import yaml

from benchmarks.yaml_corpus import PlainLoader, compare, corpus
from renderer.document.read import read_stream


def main(arguments: list[str]) -> None:
    """Measure and print."""
    files = corpus(arguments)

    def ours() -> None:
        for name, data in files.items():
            read_stream(data, name)

    def events() -> None:
        for data in files.values():
            for _ in yaml.parse(data, Loader=yaml.CSafeLoader):
                pass

    def theirs() -> None:
        for data in files.values():
            for _ in yaml.load_all(data, Loader=PlainLoader):
                pass

    size = sum(map(len, files.values()))
    print(f"{len(files)} files, {size / 1e6:.1f} MB")
    for line in compare({"read_stream": ours, "CSafeLoader": theirs, "events alone": events}, size):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
