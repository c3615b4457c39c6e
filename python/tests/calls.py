"""Measures a call of `locant.locate` from Python.

    python tests/calls.py FILE LOCATION...

FILE is a text. Prints a line for each location: the nanoseconds of a call with the location as a string, and with the
same as an object. The best of many rounds counts, since other programs on the machine only ever make a call slower.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import locant

ROUNDS, CALLS = 200, 50


def nanoseconds(call: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter_ns()
        for _ in range(CALLS):
            call()
        best = min(best, (time.perf_counter_ns() - start) / CALLS)
    return best


def main() -> None:
    file, *locations = sys.argv[1:]
    text = Path(file).read_text(encoding="utf-8")
    for location in locations:
        parsed = locant.parse_locate_string(location)
        as_string = nanoseconds(lambda: locant.locate(location, text=text))
        as_object = nanoseconds(lambda: locant.locate(parsed, text=text))
        print(f"{as_string:.0f} {as_object:.0f}")


if __name__ == "__main__":
    main()
