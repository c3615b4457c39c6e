"""Positions and ranges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, order=True)
class Position:
    """A line and a character in it, both counted from 1.

    What a character is depends on the encoding that was asked for. The default is UTF-16, as in the language server
    protocol.
    """

    line: int
    character: int

    def __post_init__(self) -> None:
        for name, number in (("line", self.line), ("character", self.character)):
            if isinstance(number, bool) or not isinstance(number, int):
                raise ValueError(f"{name} must be a whole number, not {number!r}")
            if number < 1:
                raise ValueError(f"{name} is counted from 1, so it cannot be {number}")

    def __str__(self) -> str:
        return f"{self.line}:{self.character}"

    @classmethod
    def _of(cls, said: dict[str, Any]) -> Position:
        return cls(said["line"], said["character"])


@dataclass(frozen=True)
class Range:
    """A stretch of text. `start` belongs to it, `end` does not."""

    start: Position
    end: Position

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"

    @classmethod
    def _of(cls, said: dict[str, Any]) -> Range:
        return cls(Position._of(said["start"]), Position._of(said["end"]))
