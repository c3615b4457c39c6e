"""Runs the tests of LSAP, where the names of this module come from, with this module in place of theirs.

    python tests/lsap.py CHECKOUT

CHECKOUT is a folder with the sources of LSAP, of which only the tests of markers, parsing and locations are run.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Optional

import pytest

import locant

TESTS = ("test_locate_markers.py", "test_locate_integration.py", "test_locate.py")


class LocateCapability:
    """Answers a request from the text that a client reads, as theirs does."""

    def __init__(self, client: Any) -> None:
        self.client = client

    async def __call__(self, request: locant.LocateRequest) -> Optional[locant.LocateResponse]:
        text = await self.client.read_file(request.locate.file_path)
        try:
            return locant.locate(request, text=text)
        except locant.NotFound:
            return None


def module(name: str, **names: object) -> None:
    """Makes a module, and those above it."""
    parents = name.split(".")
    for depth in range(1, len(parents)):
        sys.modules.setdefault(".".join(parents[:depth]), ModuleType(".".join(parents[:depth])))
    made = ModuleType(name)
    vars(made).update(names)
    sys.modules[name] = made


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    tests = Path(sys.argv[1]) / "tests"
    names = {name: getattr(locant, name) for name in locant.__all__}
    module("lsap.schema.locate", **names)
    module("lsap.utils.locate", **names)
    module("lsap.capability.locate", LocateCapability=LocateCapability)
    files = [str(tests / name) for name in TESTS]
    return int(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", str(tests), *files]))


if __name__ == "__main__":
    sys.exit(main())
