"""What is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from locant._errors import Candidate
from locant._model import Locate, LocateRange, parse_locate_string
from locant._positions import Position, Range

Rest = Callable[[], dict[str, Any]]


class _Response:
    """A place that was found. Fields that take longer to compute than the place are computed on first use."""

    __slots__ = ("file_path", "position", "offset", "encoding", "line_text", "matches", "partial", "_rest", "_said")

    file_path: Path
    """The file, as it was given."""
    position: Position
    """The place, or the start of the range."""
    offset: int
    """The place as a number of bytes from the start of the file."""
    encoding: str
    """What `character` counts: `utf-16`, `utf-8` or `utf-32`."""
    line_text: str
    """The line of the place, without its line break."""
    matches: int
    """How many places the location matches, this one included."""
    partial: bool
    """Whether the match cuts a word in two."""

    def __init__(self, fields: dict[str, Any], rest: Optional[Rest] = None) -> None:
        self.file_path = Path(fields["file_path"])
        position = fields["position"]
        self.position = position if isinstance(position, Position) else Position._of(position)
        self.offset = fields["offset"]
        self.encoding = fields["encoding"]
        self.line_text = fields["line_text"]
        self.matches = fields["matches"]
        self.partial = fields["partial"]
        self._rest = rest
        self._said = fields if rest is None else None

    def to_dict(self) -> dict[str, Any]:
        """The answer as the command line prints it with `--json`."""
        if self._said is None:
            assert self._rest is not None, "an answer is complete, or can be completed"
            self._said = self._rest()
        return self._said

    @property
    def status(self) -> str:
        """How it was found: `exact`, or after a change `relocated` or `renamed`."""
        # An answer that is not complete yet comes from the short way, which finds only exact places.
        return str(self._said["status"]) if self._said is not None else "exact"

    @property
    def confidence(self) -> Optional[float]:
        """How sure the place is, from 0 to 1; None if the location was written for this text."""
        return self._said.get("confidence") if self._said is not None else None

    @property
    def location(self) -> str:
        """A location that leads to exactly this place, and to no other."""
        return str(self.to_dict()["location"])

    @property
    def candidates(self) -> list[Candidate]:
        """The other places that match."""
        return [Candidate._of(one) for one in self.to_dict()["candidates"]]

    @property
    def notes(self) -> list[str]:
        """What limits the answer, in words."""
        said = self.to_dict()
        notes = said.get("notes") or ([said["note"]] if said.get("note") else [])
        return [str(note) for note in notes]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Response) or type(self) is not type(other):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.file_path, self.offset))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.to_dict(),)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(file_path={str(self.file_path)!r}, position={self.position})"


class LocateResponse(_Response):
    """A place that was found."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"Located `{self.file_path}` at {self.position}"


class LocateRangeResponse(_Response):
    """A stretch of text that was found."""

    __slots__ = ("range", "text")

    range: Range
    """Where it is."""
    text: str
    """What stands there."""

    def __init__(self, fields: dict[str, Any], rest: Optional[Rest] = None) -> None:
        super().__init__(fields, rest)
        given = fields["range"]
        self.range = given if isinstance(given, Range) else Range._of(given)
        self.text = fields["text"]

    def __str__(self) -> str:
        return f"Located `{self.file_path}` range {self.range}"


@dataclass(frozen=True)
class Anchor:
    """A description of a place that finds it again after its file has changed. It can be stored as JSON."""

    fields: dict[str, Any]
    """The anchor in the form of its JSON. Only locant reads the fields."""

    @property
    def location(self) -> str:
        """The location of the place when the anchor was made."""
        return str(self.fields["location"])


@dataclass(frozen=True)
class Description:
    """A place in words."""

    location: Locate
    """The location that leads there: the shortest that a person would write."""
    alternatives: list[str]
    """Other locations that lead there."""
    symbol_path: list[str]
    """The names of the symbols around the place, the outermost first."""
    position: Position
    """The place."""
    stable: bool
    """Whether the location survives changes of other lines."""
    anchor: Optional[Anchor] = field(repr=False, default=None)
    """What finds the place again after a change; None where the text has only blanks."""

    def __str__(self) -> str:
        return str(self.location)

    @classmethod
    def _of(cls, said: dict[str, Any]) -> Description:
        anchor = said.get("anchor")
        return cls(
            location=parse_locate_string(said["location"]),
            alternatives=list(said["alternatives"]),
            symbol_path=list(said["symbol_path"]),
            position=Position._of(said["position"]),
            stable=bool(said["stable"]),
            anchor=Anchor(anchor) if anchor else None,
        )


@dataclass(frozen=True)
class Symbol:
    """A named declaration."""

    name: str
    kind: str
    """What it is, in one word: `class`, `method` …"""
    path: list[str]
    """The names that lead to it."""
    range: Range
    """All of it, from its comments and decorators to its end."""
    selection_range: Range
    """Its name."""
    location: str
    """A location that leads to it."""
    detail: str = ""
    """The line that declares it."""
    children: list[Symbol] = field(default_factory=list)
    """The symbols in it."""

    @classmethod
    def _of(cls, said: dict[str, Any]) -> Symbol:
        return cls(
            name=said["name"],
            kind=said["kind"],
            path=list(said["path"]),
            range=Range._of(said["range"]),
            selection_range=Range._of(said["selection_range"]),
            location=said["location"],
            detail=said.get("detail") or "",
            children=[cls._of(one) for one in said["children"]],
        )


@dataclass(frozen=True)
class Outline:
    """The symbols of a file, nested as people think of them."""

    file_path: Path
    symbols: list[Symbol]

    def __iter__(self) -> Iterator[Symbol]:
        """All symbols, each before those in it."""
        waiting = list(reversed(self.symbols))
        while waiting:
            symbol = waiting.pop()
            yield symbol
            waiting.extend(reversed(symbol.children))


@dataclass(frozen=True)
class Node:
    """A node of the syntax tree."""

    kind: str
    """What the grammar calls it."""
    start: int
    """Where it starts, in bytes."""
    end: int
    """Where it ends, in bytes."""


@dataclass(frozen=True)
class ProtoLocation:
    """A row of the location table of a .proto file, as protoc makes it."""

    path: list[int]
    """The path in the descriptor."""
    span: list[int]
    """The first line and column and the last ones, counted from 0; three numbers if the lines are the same."""
    leading_comments: Optional[str] = None
    trailing_comments: Optional[str] = None
    leading_detached_comments: list[str] = field(default_factory=list)

    @classmethod
    def _of(cls, said: dict[str, Any]) -> ProtoLocation:
        return cls(
            path=list(said["path"]),
            span=list(said["span"]),
            leading_comments=said.get("leading_comments"),
            trailing_comments=said.get("trailing_comments"),
            leading_detached_comments=list(said.get("leading_detached_comments", [])),
        )


__all__ = [
    "Anchor",
    "Description",
    "LocateRange",
    "LocateRangeResponse",
    "LocateResponse",
    "Node",
    "Outline",
    "ProtoLocation",
    "Symbol",
]
