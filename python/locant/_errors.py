"""What is raised when there is no answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from locant._positions import Position


@dataclass(frozen=True)
class Candidate:
    """A place that may be meant."""

    location: str
    """A location that leads there, ready to be asked for."""
    position: Optional[Position] = None
    """Where it is; None when only a file is named."""
    line_text: Optional[str] = None
    """The line of the place."""
    why: str = ""
    """Why it is offered."""
    offset: Optional[int] = None
    """The place as a number of bytes from the start of the file."""

    @classmethod
    def _of(cls, said: dict[str, Any]) -> Candidate:
        position = said.get("position")
        return cls(
            location=said["location"],
            position=Position._of(position) if position else None,
            line_text=said.get("line_text"),
            why=said.get("why", ""),
            offset=said.get("offset"),
        )


class LocantError(Exception):
    """There is no answer."""

    kind: str
    """What kind of failure it is, in one word: `not_found`, `server` …"""
    message: str
    """What was tried, and why it failed."""
    hint: str
    """What to try next."""
    candidates: list[Candidate]
    """Places that may be meant, the most likely first."""

    def __init__(
        self,
        message: str,
        kind: str = "",
        hint: str = "",
        candidates: Optional[list[Candidate]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.hint = hint
        self.candidates = candidates or []

    def __str__(self) -> str:
        lines = [f"{self.message}; {self.hint}" if self.hint else self.message]
        lines += [f"  {one.location}  ({one.why})" for one in self.candidates]
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.kind, self.hint, self.candidates)


class NotFound(LocantError, LookupError):
    """Nothing matches. `candidates` are places that may be meant."""


class Ambiguous(NotFound):
    """Several places match, and which one is meant must be said."""


class Gone(NotFound):
    """The place was there in an earlier text, and is not any more."""


class InvalidLocation(LocantError, ValueError):
    """What was asked makes no sense."""


class NoSuchFile(LocantError, FileNotFoundError):
    """There is no such file."""


class IoError(LocantError, OSError):
    """A file could not be read or written."""


class Unsupported(LocantError):
    """This cannot be asked of this file."""


class Refused(LocantError):
    """It was not done, because it could do harm."""


class ServerError(LocantError):
    """A language server, or locant as a process, gave no answer."""


class Cancelled(LocantError, TimeoutError):
    """There was no answer in time."""


_CLASSES: dict[str, type[LocantError]] = {
    "not_found": NotFound,
    "ambiguous": Ambiguous,
    "gone": Gone,
    "invalid_location": InvalidLocation,
    "no_such_file": NoSuchFile,
    "io": IoError,
    "unsupported": Unsupported,
    "refused": Refused,
    "server": ServerError,
    "cancelled": Cancelled,
}


def failure(said: dict[str, Any]) -> LocantError:
    """The exception for the error of an answer."""
    kind = said.get("kind", "")
    candidates = [Candidate._of(one) for one in said.get("candidates", [])]
    error = _CLASSES.get(kind, LocantError)
    return error(said.get("message", ""), kind, said.get("hint", ""), candidates)
