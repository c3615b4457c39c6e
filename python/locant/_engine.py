"""The questions that the engine answers by itself, without starting anything."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from locant import _native
from locant._answers import (
    Anchor,
    Description,
    LocateRangeResponse,
    LocateResponse,
    Node,
    Outline,
    ProtoLocation,
    Symbol,
)
from locant._errors import failure
from locant._model import (
    Locate,
    LocateRange,
    LocateRangeRequest,
    LocateRequest,
    _Location,
    path_text,
    place,
    stretch,
)
from locant._positions import Position, Range

from pathlib import Path

AnyPath = Union[str, "os.PathLike[str]"]
AnyPosition = Union[Position, tuple[int, int]]
AnyPlace = Union[Locate, LocateRequest, str, Mapping[str, Any]]
AnyRange = Union[_Location, LocateRequest, LocateRangeRequest, str, Mapping[str, Any]]

ENCODINGS = ("utf-16", "utf-8", "utf-32")


def ask(op: str, **fields: Any) -> dict[str, Any]:
    """Asks any command, with the fields of a batch request, and returns its answer as JSON has it.

    >>> ask("locate", locate="a.py@<|>y", text="x = y")["position"]
    {'line': 1, 'character': 5}
    """
    request = {"op": op, **{name: value for name, value in fields.items() if value is not None}}
    answer = json.loads(_native.ask(json.dumps(request)))
    if "error" in answer:
        raise failure(answer["error"])
    result: dict[str, Any] = answer["result"]
    return result


def locate(
    location: AnyPlace,
    *,
    text: Optional[str] = None,
    encoding: str = "utf-16",
    find_index: Optional[int] = None,
    fuzzy: bool = False,
    strict: bool = False,
    code: bool = False,
    root: Optional[AnyPath] = None,
    language: Optional[str] = None,
) -> LocateResponse:
    """Finds the place that a location means, in `text` or in the file as it is on disk.

    `find_index` takes one of several matches, `strict` refuses several, `fuzzy` finds the place again after a change by
    what the location says of it, and `code` leaves comments and strings out. Raises `NotFound` with candidates.

    >>> source = "def process(x):\\n    result = x\\n    return result\\n"
    >>> locate("foo.py:process@return <|>result", text=source).position
    Position(line=3, character=12)
    """
    given = _chosen(place(location), find_index)
    options = _options(encoding, fuzzy=fuzzy, strict=strict, code=code, root=root, language=language)

    def rest() -> dict[str, Any]:
        return ask("locate", locate=given._said(), text=text, **options)

    fields = _short(given, text, encoding, len(options) == 1, False)
    return LocateResponse(fields, rest) if fields else LocateResponse(rest())


def locate_range(
    location: AnyRange,
    *,
    text: Optional[str] = None,
    encoding: str = "utf-16",
    find_index: Optional[int] = None,
    fuzzy: bool = False,
    strict: bool = False,
    code: bool = False,
    root: Optional[AnyPath] = None,
    language: Optional[str] = None,
) -> LocateRangeResponse:
    """Finds the stretch of text that a location means: all of a symbol or of lines, or the text that matches.

    >>> locate_range("foo.py:f", text="def f():\\n    pass\\n").text
    'def f():\\n    pass'
    """
    given = _chosen(stretch(location), find_index)
    options = _options(encoding, fuzzy=fuzzy, strict=strict, code=code, root=root, language=language)

    def rest() -> dict[str, Any]:
        return ask("range", locate=given._said(), text=text, **options)

    fields = _short(given, text, encoding, len(options) == 1, True)
    return LocateRangeResponse(fields, rest) if fields else LocateRangeResponse(rest())


def describe(
    file: AnyPath,
    place: Union[AnyPosition, Range],
    *,
    text: Optional[str] = None,
    encoding: str = "utf-16",
    root: Optional[AnyPath] = None,
    language: Optional[str] = None,
) -> Description:
    """Describes a place in words, with the anchor that finds it again after a change.

    >>> describe("foo.py", (2, 5), text="def f():\\n    pass\\n").location.find
    '<|>pass'
    """
    options = _options(encoding, root=root, language=language)
    where = {"range": _range(place)} if isinstance(place, Range) else {"position": _position(place)}
    return Description._of(ask("describe", file_path=_text(file), text=text, **where, **options))


def describe_position(
    file: AnyPath,
    position: AnyPosition,
    *,
    text: Optional[str] = None,
    encoding: str = "utf-16",
    root: Optional[AnyPath] = None,
    language: Optional[str] = None,
) -> Locate:
    """The location that leads to a place: the shortest that a person would write.

    >>> print(describe_position("foo.py", Position(2, 5), text="def f():\\n    pass\\n"))
    foo.py:f@<|>pass
    """
    described = describe(file, position, text=text, encoding=encoding, root=root, language=language)
    return described.location


def relocate(
    location: Union[AnyPlace, Anchor],
    *,
    old_text: Optional[str] = None,
    text: Optional[str] = None,
    file: Optional[AnyPath] = None,
    from_rev: Optional[str] = None,
    encoding: str = "utf-16",
    root: Optional[AnyPath] = None,
    language: Optional[str] = None,
) -> LocateResponse:
    """Finds a place again after its file has changed: by the text for which its location was written (`old_text`), by
    a revision (`from_rev`), by its anchor, or else by what the location says alone. Raises `Gone` if it is not there
    any more, and `Ambiguous` if it could be one of several.

    >>> old, new = "def f():\\n    return 1\\n", "import os\\n\\ndef f():\\n    return 1\\n"
    >>> relocate("foo.py:2@<|>return", old_text=old, text=new).position
    Position(line=4, character=5)
    """
    options = _options(encoding, root=root, language=language)
    if isinstance(location, Anchor):
        where: dict[str, Any] = {"anchor": location.fields}
    else:
        where = {"locate": place(location)._said()}
        options["fuzzy"] = old_text is None and from_rev is None
    if file is not None:
        where["file_path"] = _text(file)
    said = ask("locate", **where, old_text=old_text, text=text, **{"from": from_rev}, **options)
    return LocateResponse(said)


def outline(
    file: AnyPath,
    *,
    text: Optional[str] = None,
    encoding: str = "utf-16",
    root: Optional[AnyPath] = None,
    language: Optional[str] = None,
) -> Outline:
    """The symbols of a file, nested as people think of them.

    >>> [symbol.path for symbol in outline("a.py", text="class A:\\n    def f(self): ...\\n")]
    [['A'], ['A', 'f']]
    """
    options = _options(encoding, root=root, language=language)
    said = ask("outline", file_path=_text(file), text=text, **options)
    return Outline(Path(said["file_path"]), [Symbol._of(one) for one in said["symbols"]])


def tree(
    file: AnyPath,
    *,
    text: Optional[str] = None,
    root: Optional[AnyPath] = None,
    language: Optional[str] = None,
) -> list[Node]:
    """All nodes of the syntax tree of a file, each before those in it.

    >>> tree("a.py", text="x")[:2]
    [Node(kind='module', start=0, end=1), Node(kind='expression_statement', start=0, end=1)]
    """
    options = _options("utf-16", root=root, language=language)
    said = ask("tree", file_path=_text(file), text=text, nodes=True, **options)
    return [Node(*node) for node in said["list"]]


def tree_path(
    file: AnyPath,
    position: AnyPosition,
    *,
    text: Optional[str] = None,
    encoding: str = "utf-16",
    root: Optional[AnyPath] = None,
    language: Optional[str] = None,
) -> list[Node]:
    """The nodes of the syntax tree around a place, the outermost first.

    >>> [node.kind for node in tree_path("a.py", (1, 5), text="x = y")][-1]
    'identifier'
    """
    options = _options(encoding, root=root, language=language)
    said = ask("tree", file_path=_text(file), text=text, position=_position(position), **options)
    return [Node(one["kind"], one["start_byte"], one["end_byte"]) for one in said["path"]]


def proto_locations(
    file: AnyPath,
    *,
    text: Optional[str] = None,
    table: Optional[str] = None,
    proto_path: Optional[Sequence[AnyPath]] = None,
    root: Optional[AnyPath] = None,
) -> list[ProtoLocation]:
    """The location table of a .proto file, as protoc makes it. `table` is `raw`, `retained` or `default`.

    >>> proto_locations("a.proto", text='syntax = "proto3";')[1]
    ProtoLocation(path=[12], span=[0, 0, 18], leading_comments=None, trailing_comments=None, leading_detached_comments=[])
    """
    options = _options("utf-16", root=root)
    paths = None if proto_path is None else [_text(path) for path in proto_path]
    said = ask("proto", file_path=_text(file), text=text, table=table, proto_path=paths, **options)
    return [ProtoLocation._of(one) for one in said["locations"]]


def _chosen(given: Any, find_index: Optional[int]) -> Any:
    if find_index is None:
        return given
    return type(given)(given.file_path, given.scope, given.find, find_index)


def _options(encoding: str, **options: Any) -> dict[str, Any]:
    """The options that are not the default."""
    if encoding not in ENCODINGS:
        raise ValueError(f"encoding is one of {', '.join(ENCODINGS)}, not {encoding!r}")
    chosen: dict[str, Any] = {"encoding": encoding}
    for name, value in options.items():
        if value is not None and value is not False:
            chosen[name] = _text(value) if name == "root" else value
    return chosen


def _short(
    given: _Location, text: Optional[str], encoding: str, is_plain: bool, is_range: bool
) -> Optional[dict[str, Any]]:
    """The fields of the place, from the native module alone. None if the question needs the full request."""
    if text is None or not is_plain:
        return None
    path = path_text(given.file_path)
    try:
        found = _native.place(path, text, given._parts(), given.find, given.find_index, encoding, is_range)
    except UnicodeEncodeError:
        raise ValueError("the text has a lone surrogate in it, so it is no text") from None
    if found is None:
        return None
    (offset, line, character), (_, last_line, last_character), line_text, matched, matches, partial = found
    start = Position(line, character)
    return {
        "file_path": path,
        "position": start,
        "offset": offset,
        "encoding": encoding,
        "line_text": line_text,
        "matches": matches,
        "partial": partial,
        "range": Range(start, Position(last_line, last_character)),
        "text": matched,
    }


def _position(position: AnyPosition) -> dict[str, int]:
    one = position if isinstance(position, Position) else Position(*position)
    return {"line": one.line, "character": one.character}


def _range(range: Range) -> dict[str, Any]:
    return {"start": _position(range.start), "end": _position(range.end)}


def _text(path: AnyPath) -> str:
    return os.fspath(path)
