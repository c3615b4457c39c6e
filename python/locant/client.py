"""Clients of a running locant, for what needs language servers: definitions, references, renames …

A client runs the program `locant` once and keeps it, so that files stay parsed and servers stay warm.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Optional, Union

from locant._errors import ServerError, failure

_PROGRAM = "locant.exe" if os.name == "nt" else "locant"


def program() -> str:
    """The path of the program that came with this package, or else the one that is found by its name."""
    beside = Path(sys.executable).parent / _PROGRAM
    found = str(beside) if beside.is_file() else shutil.which(_PROGRAM)
    if found is None:
        raise ServerError("the program `locant` was not found", "server", "install the package again")
    return found


def _command(given: Optional[str], root: Union[str, os.PathLike[str], None]) -> list[str]:
    command = [given or program(), "batch"]
    return command if root is None else [*command, "--root", os.fspath(root)]


def _request(number: int, op: str, fields: dict[str, Any]) -> bytes:
    present = {name: value for name, value in fields.items() if value is not None}
    return json.dumps({"id": number, "op": op, **present}).encode() + b"\n"


def _result(line: bytes) -> dict[str, Any]:
    answer = json.loads(line)
    if "error" in answer:
        raise failure(answer["error"])
    result: dict[str, Any] = answer["result"]
    return result


def _ended() -> ServerError:
    return ServerError("the program `locant` has ended", "server", "make a new client")


class Client:
    """A running locant. Every command is a method: `client.ask("references", locate="models.py:User")`.

    >>> with Client() as client:
    ...     client.ask("locate", locate="a.py@<|>y", text="x = y")["position"]
    {'line': 1, 'character': 5}

    It may be used from several threads; their requests are answered one after the other.
    """

    def __init__(
        self,
        root: Union[str, os.PathLike[str], None] = None,
        *,
        program: Optional[str] = None,
    ) -> None:
        self._process = subprocess.Popen(
            _command(program, root), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._numbers = itertools.count(1)
        self._turn = threading.Lock()

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        """Asks any command, with the fields of a batch request, and returns its answer as JSON has it."""
        input, output = self._process.stdin, self._process.stdout
        assert input is not None and output is not None, "both are pipes"
        with self._turn:
            try:
                input.write(_request(next(self._numbers), op, fields))
                input.flush()
                line = output.readline()
            except (OSError, ValueError):
                raise _ended() from None
        if not line:
            raise _ended()
        return _result(line)

    def close(self) -> None:
        """Ends the program."""
        if self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except OSError:
                pass
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient:
    """A running locant, for asynchronous programs.

    >>> async def place():
    ...     async with AsyncClient() as client:
    ...         return (await client.ask("locate", locate="a.py@<|>y", text="x = y"))["offset"]
    >>> asyncio.run(place())
    4
    """

    _LONGEST = 1 << 28
    """The longest answer that is read, in bytes."""

    def __init__(
        self,
        root: Union[str, os.PathLike[str], None] = None,
        *,
        program: Optional[str] = None,
    ) -> None:
        self._command = _command(program, root)
        self._process: Optional[asyncio.subprocess.Process] = None
        self._numbers = itertools.count(1)
        self._waiting: list[asyncio.Future[bytes]] = []
        self._reader: Optional[asyncio.Task[None]] = None
        self._starting = asyncio.Lock()

    async def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        """Asks any command, with the fields of a batch request. Several questions may be on their way at once."""
        input = (await self._started()).stdin
        assert input is not None, "it is a pipe"
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        # Answers come in the order of the requests. So nothing may be awaited between this line and writing the
        # request.
        self._waiting.append(answer)
        try:
            input.write(_request(next(self._numbers), op, fields))
            await input.drain()
        except (OSError, ValueError):
            raise _ended() from None
        return _result(await answer)

    async def close(self) -> None:
        """Ends the program."""
        process = self._process
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 5)
        except asyncio.TimeoutError:
            process.kill()
            await process.wait()
        if self._reader is not None:
            await self._reader

    async def __aenter__(self) -> AsyncClient:
        await self._started()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _started(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None:
                self._process = await asyncio.create_subprocess_exec(
                    *self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    limit=self._LONGEST,
                )
                self._reader = asyncio.create_task(self._read())
        return self._process

    async def _read(self) -> None:
        """Reads the answers, and gives each to the request that waits for it. They come in the order of the requests."""
        assert self._process is not None and self._process.stdout is not None, "it was started with a pipe"
        try:
            while line := await self._process.stdout.readline():
                waiting = self._waiting.pop(0)
                if not waiting.done():
                    waiting.set_result(line)
        finally:
            for waiting in self._waiting:
                if not waiting.done():
                    waiting.set_exception(_ended())
