"""Any description of a place in code as the exact place, and any place as a description that survives.

>>> import locant
>>> source = "class User:\\n    def save(self):\\n        return self\\n"
>>> locant.locate("models.py:User.save@return <|>self", text=source).position
Position(line=3, character=16)
>>> print(locant.describe_position("models.py", locant.Position(3, 16), text=source))
models.py:User.save@return <|>self

Everything here is answered by the engine, in this process. `Client` and `AsyncClient` also ask language servers.
"""

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
from locant._engine import (
    ask,
    describe,
    describe_position,
    locate,
    locate_range,
    outline,
    proto_locations,
    relocate,
    tree,
    tree_path,
)
from locant._errors import (
    Ambiguous,
    Cancelled,
    Candidate,
    Gone,
    InvalidLocation,
    IoError,
    LocantError,
    NoSuchFile,
    NotFound,
    Refused,
    ServerError,
    Unsupported,
)
from locant._model import (
    DescriptorScope,
    LineScope,
    Locate,
    LocateRange,
    LocateRangeRequest,
    LocateRequest,
    Marker,
    SymbolScope,
    WrittenScope,
    detect_marker,
    parse_locate_string,
)
from locant._native import __version__
from locant._positions import Position, Range
from locant.client import AsyncClient, Client

__all__ = [
    "Ambiguous",
    "Anchor",
    "AsyncClient",
    "Cancelled",
    "Candidate",
    "Client",
    "Description",
    "DescriptorScope",
    "Gone",
    "InvalidLocation",
    "IoError",
    "LineScope",
    "LocantError",
    "Locate",
    "LocateRange",
    "LocateRangeRequest",
    "LocateRangeResponse",
    "LocateRequest",
    "LocateResponse",
    "Marker",
    "NoSuchFile",
    "Node",
    "NotFound",
    "Outline",
    "Position",
    "ProtoLocation",
    "Range",
    "Refused",
    "ServerError",
    "Symbol",
    "SymbolScope",
    "Unsupported",
    "WrittenScope",
    "__version__",
    "ask",
    "describe",
    "describe_position",
    "detect_marker",
    "locate",
    "locate_range",
    "outline",
    "parse_locate_string",
    "proto_locations",
    "relocate",
    "tree",
    "tree_path",
]
