"""Places: found, not found, described and found again."""

import asyncio
import json
import pickle
import random
import sysconfig
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import locant
from locant import LineScope, Locate, LocateRange, Position, SymbolScope
from locant import _engine, _native

SOURCE = """import os


class User:
    def save(self):
        self.saved = True
        return self

    def load(self):
        return self


# 𝄞 before = a
x = "𝄞"; after = x
"""

PLACES = [
    ("m.py:User", 4, 7),
    ("m.py:User.save", 5, 9),
    ("m.py:User.save@return <|>self", 7, 16),
    ("m.py:User.load@return <|>self", 10, 16),
    ("m.py:6", 6, 9),
    ("m.py:6@self.<|>saved", 6, 14),
    ("m.py:5-7@return", 7, 9),
    ("m.py@import <|>os", 1, 8),
    ("m.py@after<|>", 14, 16),
    ("m.py:6:14", 6, 14),
]


@pytest.mark.parametrize("location, line, character", PLACES)
def test_a_place_is_found(location: str, line: int, character: int) -> None:
    assert locant.locate(location, text=SOURCE).position == Position(line, character)


@pytest.mark.parametrize("location", [location for location, *_ in PLACES])
def test_a_string_and_its_object_are_the_same(location: str) -> None:
    parsed = locant.parse_locate_string(location)
    assert str(parsed) == location
    assert locant.parse_locate_string(str(parsed)) == parsed
    assert locant.locate(parsed, text=SOURCE) == locant.locate(location, text=SOURCE)
    assert pickle.loads(pickle.dumps(parsed)) == parsed


def test_columns_are_in_the_encoding_that_is_asked_for() -> None:
    found = {name: locant.locate("m.py@<|>after =", text=SOURCE, encoding=name) for name in _engine.ENCODINGS}
    columns = {name: place.position.character for name, place in found.items()}
    assert columns == {"utf-16": 11, "utf-8": 13, "utf-32": 10}


def test_several_matches_are_told() -> None:
    first = locant.locate("m.py@return <|>self", text=SOURCE)
    assert (first.matches, first.position.line) == (2, 7)
    assert [other.location for other in first.candidates] == ["m.py:User.load@return <|>self"]
    assert locant.locate("m.py@return <|>self", text=SOURCE, find_index=1).position.line == 10
    assert locant.locate(Locate("m.py", None, "return <|>self", find_index=1), text=SOURCE).position.line == 10
    with pytest.raises(locant.Ambiguous) as error:
        locant.locate("m.py@return <|>self", text=SOURCE, strict=True)
    assert error.value.kind == "ambiguous" and len(error.value.candidates) == 2


def test_what_is_not_there_has_candidates_and_pickles() -> None:
    with pytest.raises(locant.NotFound) as error:
        locant.locate("m.py:User.svae", text=SOURCE)
    again = pickle.loads(pickle.dumps(error.value))
    assert [one.location for one in again.candidates] == ["m.py:User.save"]
    assert (type(again), str(again), again.kind) == (locant.NotFound, str(error.value), "not_found")


def test_a_file_that_is_not_there_is_an_os_error() -> None:
    with pytest.raises(OSError):
        locant.locate("no-such-folder/m.py:User")


def test_the_file_on_disk_is_read(tmp_path: Path) -> None:
    file = tmp_path / "m.py"
    file.write_text(SOURCE)
    assert locant.locate(Locate(file, SymbolScope(["User", "load"]))).position == Position(9, 9)
    assert locant.locate("m.py:User.load", root=tmp_path).position == Position(9, 9)
    assert [symbol.name for symbol in locant.outline(file).symbols] == ["User", "x", "after"]


WRONG = [
    lambda: Locate("m.py"),
    lambda: Locate("m.py", find=""),
    lambda: Locate("m.py", "User"),  # type: ignore[arg-type]
    lambda: Locate("m.py", find="x", find_index=-1),
    lambda: LineScope(0),
    lambda: LineScope((5, 4)),
    lambda: LineScope(start_line=5, end_line=5),
    lambda: LineScope(True),
    lambda: LineScope(),
    lambda: SymbolScope([]),
    lambda: SymbolScope("User"),
    lambda: Position(0, 1),
    lambda: Position(1, 0),
    lambda: locant.parse_locate_string("m.py"),
    lambda: locant.parse_locate_string("m.py:6:14@x"),
    lambda: locant.locate("m.py:User", text=SOURCE, encoding="latin-1"),
    lambda: locant.locate(42, text=SOURCE),  # type: ignore[arg-type]
    lambda: locant.locate("m.py:User", text="\ud800"),
    lambda: locant.LocateRequest(locate="m.py"),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_arguments_are_value_errors(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError):
        wrong()


def test_lines_in_all_their_forms() -> None:
    assert LineScope(42) == LineScope(line=42) == LineScope(start_line=42, end_line=43)
    assert LineScope((10, 0)).end_line == 0 and LineScope((10, 0)).line == (10, 0)
    assert LineScope((10, 20)).line == (10, 20) and LineScope((7, 7)).line == 7
    assert locant.parse_locate_string("m.py:10,0").scope == LineScope((10, 0))


def test_requests_take_all_forms() -> None:
    place = locant.parse_locate_string("m.py:User@self")
    assert locant.LocateRequest(locate="m.py:User@self").locate == place
    assert locant.LocateRequest(place) == locant.LocateRequest(
        locate={"file_path": "m.py", "scope": {"symbol_path": ["User"]}, "find": "self"}
    )
    stretch = locant.LocateRangeRequest(locate=LocateRange("m.py", SymbolScope(["User", "load"])))
    assert locant.locate_range(stretch, text=SOURCE).text == "def load(self):\n        return self"


def real_files() -> list[Path]:
    """Some files of Python's own library."""
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    return random.Random(7).sample(files, 25)


def test_the_short_way_gives_what_the_command_gives() -> None:
    chance, n_places = random.Random(7), 0
    for file in real_files():
        text = file.read_text(encoding="utf-8")
        symbols = [".".join(symbol.path) for symbol in locant.outline(file, text=text)]
        lines = [number for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        words = [word for word in text.split() if word.isidentifier()]
        asked = [f"{file}:{symbol}" for symbol in chance.sample(symbols, min(8, len(symbols)))]
        asked += [f"{file}:{line}" for line in chance.sample(lines, min(8, len(lines)))]
        asked += [f"{file}@<|>{word}" for word in chance.sample(words, min(8, len(words)))]
        for location in asked:
            short = locant.locate(location, text=text, encoding="utf-32")
            whole = locant.ask("locate", locate=location, text=text, encoding="utf-32")
            fields = (short.offset, short.line_text, short.matches, short.partial, short.status)
            assert fields == tuple(whole[name] for name in ("offset", "line_text", "matches", "partial", "status"))
            assert short.position == Position._of(whole["position"])
            range = locant.locate_range(location, text=text)
            whole = locant.ask("range", locate=location, text=text)
            assert (range.text, range.range) == (whole["text"], locant.Range._of(whole["range"]))
            n_places += 1
    assert n_places > 200


def test_a_place_is_described_and_found_again() -> None:
    for file in real_files()[:8]:
        text = file.read_text(encoding="utf-8")
        for symbol in list(locant.outline(file, text=text))[:10]:
            start = symbol.selection_range.start
            location = locant.describe_position(file, start, text=text)
            assert locant.locate(location, text=text).position == start
            anchor = locant.describe(file, start, text=text).anchor
            assert anchor is not None
            later = "# a new first line\n" + text
            found = locant.relocate(anchor, file=file, text=later)
            assert (found.position.line, found.status in ("exact", "relocated")) == (start.line + 1, True)


def test_what_is_gone_is_said() -> None:
    with pytest.raises(locant.NotFound) as error:
        locant.relocate("m.py:User.save@self.<|>saved", old_text=SOURCE, text="class Other:\n    pass\n")
    assert error.value.kind == "gone" and isinstance(error.value, locant.Gone)


def test_threads_work_side_by_side() -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: locant.locate("m.py:User.load", text=SOURCE).position, range(200)))
    assert set(found) == {Position(9, 9)}


def test_other_threads_go_on_while_the_engine_works() -> None:
    text = "".join(f"def f{number}(): return {number}\n" for number in range(40_000))
    request = json.dumps({"op": "locate", "locate": "m.py:f39999", "text": text})
    starting, done = threading.Event(), threading.Event()

    def ask() -> None:
        starting.set()
        _native.ask(request)
        done.set()

    asking = threading.Thread(target=ask)
    asking.start()
    starting.wait()
    n_turns = 0
    # If the other thread kept the interpreter all the time, this loop would get no turns.
    while not done.is_set():
        n_turns += 1
        time.sleep(0)
    asking.join()
    assert n_turns > 100


def test_a_client_answers_and_says_what_is_wrong() -> None:
    with locant.Client() as client:
        assert client.ask("locate", locate="m.py:User.load", text=SOURCE)["position"]["line"] == 9
        with pytest.raises(locant.NotFound):
            client.ask("locate", locate="m.py:User.lod", text=SOURCE)
        assert client.ask("outline", file_path="m.py", text=SOURCE)["symbols"][0]["name"] == "User"
    with pytest.raises(locant.ServerError):
        client.ask("locate", locate="m.py:User.load", text=SOURCE)


def test_an_asynchronous_client_answers_many_at_once() -> None:
    async def ask() -> list[int]:
        async with locant.AsyncClient() as client:
            asked = (client.ask("locate", locate=f"m.py:{line}", text=SOURCE) for line in (4, 5, 6, 7) * 25)
            return [answer["position"]["line"] for answer in await asyncio.gather(*asked)]

    assert asyncio.run(ask()) == [4, 5, 6, 7] * 25
