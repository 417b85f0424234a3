"""`python -m tests.conformance DIR… [--show ID]`: krender beside the recorded answers of the real Karmada."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.conformance.runner import report, show
from tests.conformance.vectors import cases_below


def main() -> int:
    """Run, print, and tell by the exit code whether everything agreed."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("directories", nargs="+", type=Path, metavar="DIR", help="searched for vectors")
    parser.add_argument("--show", metavar="ID", help="print input, expected and got of one vector")
    arguments = parser.parse_args()
    missing = [str(directory) for directory in arguments.directories if not directory.is_dir()]
    if missing:
        parser.error(f"not a directory: {', '.join(missing)}")
    cases = [case for directory in arguments.directories for case in cases_below(directory)]
    if arguments.show:
        chosen = [case for case in cases if case.id == arguments.show]
        for case in chosen:
            print("\n".join(show(case)))
        if not chosen:
            parser.error(f"no vector has the id {arguments.show}")
        return 0
    lines, failed = report(cases)
    print("\n".join(lines))
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
