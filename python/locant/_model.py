"""Locations as objects: a file, a scope in it, and a text to find there."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

from locant import _native


class LineScope:
    """One line, or several.

    >>> LineScope(42)
    LineScope(line=42)
    >>> LineScope(line=(10, 20)).end_line
    21
    >>> LineScope(start_line=10, end_line=0).line
    (10, 0)
    """

    __slots__ = ("start_line", "end_line")

    start_line: int
    """The first line, counted from 1."""
    end_line: int
    """The line after the last one; 0 for the end of the file."""

    def __init__(
        self,
        line: Union[int, Sequence[int], None] = None,
        *,
        start_line: Optional[int] = None,
        end_line: Optional[int] = None,
    ) -> None:
        if line is not None:
            if start_line is not None or end_line is not None:
                raise ValueError("give either line, or start_line and end_line")
            first, last = _ends(line)
            start_line, end_line = first, last + 1 if last else 0
        if start_line is None or end_line is None:
            raise ValueError("give either line, or start_line and end_line")
        self.start_line = _line_number("start_line", start_line, 1)
        self.end_line = _line_number("end_line", end_line, 0)
        if 0 < self.end_line <= self.start_line:
            raise ValueError(f"no line lies between start_line {start_line} and end_line {end_line}")

    @property
    def line(self) -> Union[int, tuple[int, int]]:
        """The line, or the first and the last of several; a last one of 0 is the end of the file."""
        last = self.end_line - 1 if self.end_line else 0
        return self.start_line if last == self.start_line else (self.start_line, last)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LineScope):
            return NotImplemented
        return (self.start_line, self.end_line) == (other.start_line, other.end_line)

    def __hash__(self) -> int:
        return hash((self.start_line, self.end_line))

    def __repr__(self) -> str:
        return f"LineScope(line={self.line!r})"

    def _parts(self) -> _native._Scope:
        last = self.end_line - 1 if self.end_line else 0
        return None, (self.start_line, last), None, None

    def _said(self) -> dict[str, Any]:
        return {"start_line": self.start_line, "end_line": self.end_line}


class SymbolScope:
    """A symbol, by the names that lead to it. `steps[1]` is the second of several symbols with one path.

    >>> SymbolScope(symbol_path=["MyClass", "my_method"])
    SymbolScope(symbol_path=['MyClass', 'my_method'])
    """

    __slots__ = ("symbol_path",)

    symbol_path: list[str]

    def __init__(self, symbol_path: Sequence[str]) -> None:
        if isinstance(symbol_path, str):
            raise ValueError("symbol_path is a list of names, such as ['MyClass', 'my_method']")
        names = list(symbol_path)
        if not names or not all(isinstance(name, str) and name for name in names):
            raise ValueError("symbol_path is a list of names, none of them empty")
        self.symbol_path = names

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SymbolScope):
            return NotImplemented
        return self.symbol_path == other.symbol_path

    def __hash__(self) -> int:
        return hash(tuple(self.symbol_path))

    def __repr__(self) -> str:
        return f"SymbolScope(symbol_path={self.symbol_path!r})"

    def _parts(self) -> _native._Scope:
        return self.symbol_path, None, None, None

    def _said(self) -> dict[str, Any]:
        return {"symbol_path": self.symbol_path}


class DescriptorScope:
    """A place in a .proto file, by its path in the descriptor, such as `[4, 0, 2, 0]`."""

    __slots__ = ("descriptor_path",)

    descriptor_path: list[int]

    def __init__(self, descriptor_path: Sequence[int]) -> None:
        numbers = list(descriptor_path)
        if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
            raise ValueError("descriptor_path is a list of whole numbers")
        self.descriptor_path = numbers

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DescriptorScope):
            return NotImplemented
        return self.descriptor_path == other.descriptor_path

    def __hash__(self) -> int:
        return hash(tuple(self.descriptor_path))

    def __repr__(self) -> str:
        return f"DescriptorScope(descriptor_path={self.descriptor_path!r})"

    def _parts(self) -> _native._Scope:
        return None, None, self.descriptor_path, None

    def _said(self) -> dict[str, Any]:
        return {"descriptor_path": self.descriptor_path}


@dataclass(frozen=True)
class WrittenScope:
    """A scope that has no class of its own, as it is written in a location string: a coordinate such as `42:7`."""

    scope: str

    def _parts(self) -> _native._Scope:
        return None, None, None, self.scope

    def _said(self) -> str:
        return self.scope


Scope = Union[LineScope, SymbolScope, DescriptorScope, WrittenScope]
"""Where in a file to look."""

_SCOPES = (LineScope, SymbolScope, DescriptorScope, WrittenScope)


@dataclass(frozen=True, init=False)
class _Location:
    file_path: Path
    """The file. An empty path is the whole workspace."""
    scope: Optional[Scope] = None
    """Where in the file to look."""
    find: Optional[str] = None
    """The text to find there, with `<|>` at the place that is meant."""
    find_index: int = 0
    """Which of several matches, counted from 0."""

    def __init__(
        self,
        file_path: Union[str, os.PathLike[str]],
        scope: Union[Scope, Mapping[str, Any], None] = None,
        find: Optional[str] = None,
        find_index: int = 0,
    ) -> None:
        if find is not None and not isinstance(find, str):
            raise ValueError(f"find is a string, not {find!r}")
        if isinstance(find_index, bool) or not isinstance(find_index, int) or find_index < 0:
            raise ValueError(f"find_index is a whole number from 0, not {find_index!r}")
        scope = _scope(scope)
        if scope is None and not find:
            raise ValueError("Either scope or find must be provided")
        # The class is frozen, so a plain assignment would fail.
        object.__setattr__(self, "file_path", Path(file_path))
        object.__setattr__(self, "scope", scope)
        object.__setattr__(self, "find", find or None)
        object.__setattr__(self, "find_index", find_index)

    def __str__(self) -> str:
        return _native.write(path_text(self.file_path), self._parts(), self.find)

    def _parts(self) -> _native._Scope:
        return self.scope._parts() if self.scope else (None, None, None, None)

    def _said(self) -> dict[str, Any]:
        said: dict[str, Any] = {"file_path": path_text(self.file_path)}
        if self.scope:
            said["scope"] = self.scope._said()
        if self.find:
            said["find"] = self.find
        if self.find_index:
            said["find_index"] = self.find_index
        return said


class Locate(_Location):
    """A place: a file, a scope in it, and a text to find there. At least one of scope and find is needed.

    >>> print(Locate(file_path="foo.py", scope=SymbolScope(["process"]), find="return <|>result"))
    foo.py:process@return <|>result
    """


class LocateRange(_Location):
    """A stretch of text: all of the scope, or the text that matches.

    >>> print(LocateRange(file_path="handlers.py", scope=SymbolScope(["handle_request"])))
    handlers.py:handle_request
    """


class LocateRequest:
    """A request for a place."""

    __slots__ = ("locate",)

    locate: Locate

    def __init__(self, locate: Union[Locate, str, Mapping[str, Any]]) -> None:
        self.locate = place(locate)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LocateRequest) and self.locate == other.locate

    def __hash__(self) -> int:
        return hash(self.locate)

    def __repr__(self) -> str:
        return f"LocateRequest(locate={self.locate!r})"


class LocateRangeRequest:
    """A request for a stretch of text."""

    __slots__ = ("locate",)

    locate: LocateRange

    def __init__(self, locate: Union[_Location, str, Mapping[str, Any]]) -> None:
        self.locate = stretch(locate)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LocateRangeRequest) and self.locate == other.locate

    def __hash__(self) -> int:
        return hash(self.locate)

    def __repr__(self) -> str:
        return f"LocateRangeRequest(locate={self.locate!r})"


class Marker(NamedTuple):
    """A marker in a find, and where it is, counted in characters."""

    marker: str
    start: int
    end: int


def detect_marker(text: str) -> Optional[Marker]:
    """The marker of a find: the deepest of `<|>`, `<<|>>` … that occurs once. None if there is none.

    >>> detect_marker("x = <|> + y <<|>> z")
    Marker(marker='<<|>>', start=12, end=17)
    """
    found = _native.marker(text)
    return Marker(*found) if found else None


def parse_locate_string(text: str) -> Locate:
    """Reads a location string: `FILE:SCOPE@FIND`.

    >>> parse_locate_string("foo.py:10,20@if <|>condition").scope
    LineScope(line=(10, 20))
    >>> parse_locate_string("foo.py:MyClass.my_method@self.<|>").scope
    SymbolScope(symbol_path=['MyClass', 'my_method'])
    """
    if not isinstance(text, str):
        raise ValueError(f"a location string is a string, not {text!r}")
    path, parts, find = _native.parse(text)
    return Locate(path, _scope_of_parts(parts), find)


def place(given: object) -> Locate:
    """A location in any of its forms, as an object."""
    if isinstance(given, LocateRequest):
        return given.locate
    if isinstance(given, Locate):
        return given
    if isinstance(given, str):
        return parse_locate_string(given)
    if isinstance(given, Mapping):
        return Locate(**given)
    raise ValueError(f"expected a Locate or a location string, not {given!r}")


def stretch(given: object) -> LocateRange:
    """A location of a range in any of its forms, as an object."""
    if isinstance(given, (LocateRequest, LocateRangeRequest)):
        return stretch(given.locate)
    if isinstance(given, LocateRange):
        return given
    if isinstance(given, Mapping):
        return LocateRange(**given)
    one = given if isinstance(given, _Location) else place(given)
    return LocateRange(one.file_path, one.scope, one.find, one.find_index)


def path_text(path: Path) -> str:
    """A path as locations write it. Python writes the empty path as a dot."""
    text = str(path)
    return "" if text == "." else text


def _scope_of_parts(parts: _native._Scope) -> Optional[Scope]:
    names, lines, numbers, written = parts
    if names is not None:
        return SymbolScope(names)
    if lines is not None:
        return LineScope(lines)
    if numbers is not None:
        return DescriptorScope(numbers)
    return WrittenScope(written) if written is not None else None


def _scope(given: object) -> Optional[Scope]:
    if given is None or isinstance(given, _SCOPES):
        return given
    if isinstance(given, Mapping):
        if "symbol_path" in given:
            return SymbolScope(**given)
        if "descriptor_path" in given:
            return DescriptorScope(**given)
        return LineScope(**given)
    raise ValueError(f"scope is a LineScope or a SymbolScope, not {given!r}")


def _ends(line: Union[int, Sequence[int]]) -> tuple[int, int]:
    if isinstance(line, int):
        number = _line_number("line", line, 1)
        return number, number
    if isinstance(line, str) or len(line) != 2:
        raise ValueError(f"line is a number, or the first and the last of several, not {line!r}")
    first, last = line
    first, last = _line_number("line", first, 1), _line_number("line", last, 0)
    if 0 < last < first:
        raise ValueError(f"the lines {first}-{last} end before they start")
    return first, last


def _line_number(name: str, number: object, least: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError(f"{name} is a whole number, not {number!r}")
    if number < least:
        raise ValueError(f"{name} is at least {least}, not {number}")
    return number
