# The native half of the module. It is described in src/lib.rs.

from typing import Optional

_Scope = tuple[
    Optional[list[str]],
    Optional[tuple[int, int]],
    Optional[list[int]],
    Optional[str],
]
_Point = tuple[int, int, int]
_Place = tuple[_Point, _Point, str, str, int, bool]

__version__: str

def ask(request: str) -> str: ...
def parse(text: str) -> tuple[str, _Scope, Optional[str]]: ...
def write(path: str, scope: _Scope, find: Optional[str]) -> str: ...
def marker(text: str) -> Optional[tuple[str, int, int]]: ...
def place(
    path: str,
    text: str,
    scope: _Scope,
    find: Optional[str],
    find_index: int,
    encoding: str,
    is_range: bool,
) -> Optional[_Place]: ...
