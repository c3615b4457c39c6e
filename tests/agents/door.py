"""Calls the tools of `locant mcp` with the official client, over stdio and HTTP, in both eras of the protocol.

    python door.py PATH/TO/locant FOLDER/WITH/ty

Each function that starts with `check_` is a test. The project is made in a temporary folder; its language server is
real.
"""

import asyncio
import atexit
import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

import jsonschema
from mcp import Client, StdioServerParameters

LOCANT, SERVERS = sys.argv[1], sys.argv[2]
ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28"}
BUDGET = 25_000
# A daemon keeps servers running. These tests have a daemon of their own in a folder of its own, and end it.
RUNTIME = tempfile.mkdtemp()
ENVIRONMENT = {**os.environ, "LOCANT_SERVER_PATH": SERVERS, "XDG_RUNTIME_DIR": RUNTIME}


def end_daemon():
    subprocess.run([LOCANT, "daemon", "stop"], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.rmtree(RUNTIME, ignore_errors=True)


atexit.register(end_daemon)

SHOP = '''"""A small shop."""


class Item:
    """Something to buy."""

    def __init__(self, name: str, price: int) -> None:
        self.name = name
        self.price = price

    def label(self) -> str:
        """What the tag says."""
        return f"{self.name}: {self.price}"


class Rare(Item):
    def label(self) -> str:
        return "rare " + super().label()


def total(items: list[Item]) -> int:
    # The sum of all prices.
    return sum(item.price for item in items)
'''

MAIN = '''from shop import Item, Rare, total


def main() -> None:
    items = [Item("pen", 2), Rare("map", 30)]
    print(total(items), [item.label() for item in items])
    print(undefined_name)
'''


def make_project(top):
    root = Path(top) / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n')
    (root / "shop.py").write_text(SHOP)
    (root / "main.py").write_text(MAIN)
    (root / "shop.proto").write_text('syntax = "proto3";\nmessage  Item {\nstring name=1;\n}\n')
    (root / "picture.png").write_bytes(b"\x89PNG\0" * 100)
    functions = [f"def function_{n}(first, second):\n    return {n}\n\n\n" for n in range(2000)]
    (root / "long.py").write_text("".join(functions))
    (root / "min.js").write_text("var a = 1;" * 50_000)
    outside = Path(top) / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("PASSWORD = 'xyzzy'\n")
    (root / "link.py").symlink_to(outside / "secret.py")
    (root / "linked").symlink_to(outside)
    return root, outside


def stdio(root, *arguments):
    return StdioServerParameters(command=LOCANT, args=["mcp", *arguments], cwd=str(root), env=ENVIRONMENT)


@contextlib.contextmanager
def served(root, *arguments, **variables):
    with served_as(root, *arguments, **variables) as (url, _):
        yield url


@contextlib.contextmanager
def served_as(root, *arguments, **variables):
    """A server over HTTP: its URL, and the id of its process."""
    command = [LOCANT, "mcp", "--http", "127.0.0.1:0", *arguments]
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, env={**ENVIRONMENT, **variables})
    try:
        yield process.stdout.readline().decode().strip(), process.pid
    finally:
        process.terminate()
        process.wait(10)


def text_of(result):
    return result.content[0].text


# A call of every tool, with a text that the answer must contain.
CALLS = [
    ("locate", {"locate": "shop.py:Item.label@return <|>f"}, "Located `shop.py` at 13:16"),
    ("locate", {"locate": "shop.py:Item.label", "mode": "range"}, "def label"),
    ("locate", {"locate": {"file_path": "shop.py", "find": "<|>sum("}}, "at 23:12"),
    ("describe", {"locate": "shop.py:13:16"}, "Item.label"),
    ("describe", {"file_path": "shop.py", "position": {"line": 13, "character": 16}}, "Item.label"),
    ("outline", {"file_path": "shop.py"}, "`label`"),
    ("outline", {"file_path": ".", "budget": 3000}, "`long.py`"),
    ("search", {"query": "Rare.label"}, "`:Rare.label`"),
    ("search", {"text": "return <|>sum"}, "total"),
    ("read", {"locates": ["shop.py:Item.label", "main.py:5"]}, "What the tag says"),
    ("read", {"locate": "shop.py@<|>sum(", "around": True}, "def total"),
    ("definition", {"locate": "main.py@<|>total(items)"}, "`shop.py`"),
    ("definition", {"locate": "main.py:main@<|>items", "mode": "type"}, ""),
    ("references", {"locate": "shop.py:Item"}, "`main.py`"),
    ("hover", {"locate": "main.py@<|>total(items)"}, "list[Item]"),
    ("complete", {"locate": "main.py@print(<|>total"}, "total"),
    ("complete", {"locate": "main.py@Item(<|>\"pen\"", "mode": "signature"}, "price"),
    ("hierarchy", {"locate": "shop.py:total", "mode": "incoming"}, "main"),
    ("hierarchy", {"locate": "shop.py:Rare", "mode": "super"}, "Item"),
    ("diagnostics", {"file_path": "main.py"}, "undefined_name"),
    ("edit", {"mode": "rename", "locate": "shop.py:total", "new_name": "sum_of"}, "sum_of"),
    ("edit", {"locate": "shop.py@<|>sum(item", "mode": "replace", "new_text": "max(item"}, "+23:     return max(item"),
    ("edit", {"locate": "shop.py:Rare", "mode": "after", "new_text": "LIMIT = 3"}, ": LIMIT = 3"),
    ("edit", {"locate": "main.py@print(undefined_name)", "mode": "delete"}, "-7:     print(undefined_name)"),
    ("edit", {"mode": "plan", "plan": [{"locate": "shop.py:1", "delete": True}]}, "-"),
    ("edit", {"mode": "format", "locate": "shop.proto"}, ":   string name = 1;"),
    # Models often write a single text in place of a list, and numbers in quotes.
    ("search", {"query": "label", "in": "shop.py", "limit": "5"}, "`:Rare.label`"),
]


async def check_tools(client, root):
    listed = await client.list_tools()
    tools = {tool.name: tool for tool in listed.tools}
    assert len(tools) <= 12, list(tools)
    assert list(tools) == [tool.name for tool in (await client.list_tools()).tools], "the order stays"
    told = sum(len(t.name) + len(t.description) + len(json.dumps(t.input_schema)) for t in listed.tools)
    assert told < 10_000, told
    assert 200 < len(client.instructions) < 1500, len(client.instructions)
    for tool in listed.tools:
        assert bool(tool.annotations.read_only_hint) == (tool.name != "edit"), tool.name
        assert tool.output_schema["type"] == "object", tool.name
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        noise = json.dumps(tool.input_schema)
        assert not any(word in noise for word in ["null", "$schema", "uint", "int32"]), noise
    for name, arguments, expected in CALLS:
        result = await client.call_tool(name, arguments)
        text = text_of(result)
        if result.is_error and expected == "":
            continue
        assert not result.is_error, (name, arguments, text)
        assert expected in text, (name, arguments, text)
        jsonschema.validate(result.structured_content, tools[name].output_schema)
        assert len(text) < BUDGET and len(json.dumps(result.structured_content)) < BUDGET, name
    used = {name for name, _, _ in CALLS}
    assert used == set(tools), set(tools) - used


async def check_same_as_batch(client, root):
    for name, arguments, _ in CALLS[:8]:
        if "mode" in arguments or "budget" in arguments:
            continue
        request = json.dumps({"op": name, "id": 1, **arguments})
        batch = subprocess.run([LOCANT, "batch", "--root", root], input=request, capture_output=True, text=True)
        result = await client.call_tool(name, arguments)
        own, other = result.structured_content, json.loads(batch.stdout)["result"]
        assert own == other, (name, own, other)


async def check_errors_are_results(client, root):
    result = await client.call_tool("locate", {"locate": "shop.py:Item.lable"})
    assert result.is_error and result.structured_content["error"]["kind"] == "not_found", result
    assert "shop.py:Item.label" in text_of(result), "the place to paste"
    result = await client.call_tool("locate", {"locate": "shop.py:label"})
    assert result.is_error and result.structured_content["error"]["kind"] == "ambiguous", result
    assert "shop.py:Rare.label" in text_of(result)
    # If the scope is a wrong guess and the find occurs elsewhere, that place is the first candidate.
    for guess in ["shop.py:Rare@sum of all", "shop.py:Item.total@return <|>sum", "shop.py:Nothing.total@return <|>sum"]:
        result = await client.call_tool("locate", {"locate": guess})
        first = result.structured_content["error"]["candidates"][0]["location"]
        again = await client.call_tool("locate", {"locate": first})
        assert "sum" in again.structured_content["line_text"], (guess, first)
    for name, arguments in [
        ("locate", {}),
        ("locate", {"locate": 7}),
        ("locate", {"place": "shop.py:Item"}),
        ("locate", {"locate": "shop.py:Item", "mode": "x"}),
        ("read", {"locate": "shop.py:0"}),
        ("edit", {"mode": "apply", "preview": "0" * 32}),
        ("outline", {"file_path": "shop.py", "limit": "many"}),
        ("read", {"locate": "shop.py", "budget": -1}),
    ]:
        result = await client.call_tool(name, arguments)
        assert result.is_error and result.structured_content["error"]["message"], (name, arguments)
    try:
        result = await client.call_tool("nonsense", {})
        assert result.is_error
    except Exception as error:
        assert "nonsense" in str(error), error


async def check_hints_are_for_models(client, root):
    """No hint names a command of the shell: an agent may have none."""
    for name, arguments in [
        ("locate", {"locate": {"scope": 7}}),
        ("outline", {"file_path": "shop.py", "limit": "many"}),
        ("edit", {"mode": "rename", "locate": "shop.py:total"}),
        ("edit", {"mode": "undo"}),
        ("search", {"query": "zzzz"}),
        ("locate", {"locate": "shop.py:Itm.nothing"}),
        ("definition", {"locate": "shop.py:3"}),
        ("read", {"locate": "."}),
        ("locate", {"anchor": {}}),
    ]:
        text = text_of(await client.call_tool(name, arguments))
        assert "locant " not in text and " --" not in text, (name, arguments, text)


async def check_changes_say_where_they_stand(client, root):
    before = (root / "shop.py").read_text()
    edit = {"mode": "replace", "locate": "shop.py:total@<|>sum(item", "new_text": "max(item", "apply": True, "check": True}
    made = await client.call_tool("edit", edit)
    content, text = made.structured_content, text_of(made)
    assert not made.is_error and content["locations"] == ["shop.py:total@<|>max"], made
    assert "`shop.py`\n:23     return max(item" in text and content["undo"][:8] in text, text
    assert content["undo"] not in text, "models pay for each digit"
    assert content["check"]["new"] == [] and content["check"]["parses"], content
    again = await client.call_tool("edit", {**edit, "check": False})
    assert again.is_error and (root / "shop.py").read_text() != before, "what was there is gone, and nothing is written"
    undone = await client.call_tool("edit", {"mode": "undo", "preview": content["undo"][:8]})
    assert undone.structured_content["locations"] == ["shop.py:total@<|>sum(item"], undone
    assert "`shop.py` :23" in text_of(undone) and (root / "shop.py").read_text() == before, undone
    preview = await client.call_tool("edit", {**edit, "apply": False, "new_text": "summ(item"})
    problem = preview.structured_content["check"]["new"][0]
    assert "summ" in problem["message"], problem
    plan = [{"locate": "shop.py:Rare", "delete": True}, {"locate": "shop.py:Nope", "delete": True}]
    refused = await client.call_tool("edit", {"mode": "plan", "plan": plan, "apply": True})
    assert refused.is_error and "nothing was written" in text_of(refused) and "edit 2 of 2" in text_of(refused), refused
    assert (root / "shop.py").read_text() == before


async def check_long_answers_are_cut(client, root):
    seen, following, n_pages = set(), None, 0
    while n_pages == 0 or following is not None:
        arguments = {"file_path": "long.py"} if following is None else {"file_path": "long.py", "next": following}
        result = await client.call_tool("outline", arguments)
        content = result.structured_content
        assert len(text_of(result)) < BUDGET and len(json.dumps(content)) < BUDGET
        seen |= {symbol["name"] for symbol in content["symbols"]}
        following, n_pages = content.get("next"), n_pages + 1
    assert len([name for name in seen if name.startswith("function_")]) == 2000, len(seen)
    n_lines, location = 0, "long.py"
    while location:
        result = await client.call_tool("read", {"locates": [location]})
        content = result.structured_content
        assert len(text_of(result)) < BUDGET and len(json.dumps(content)) < BUDGET
        item = content["items"][0]
        n_lines, location = n_lines + len(item["lines"]), item.get("next")
        assert not location or location in text_of(result), "what to paste next"
    assert n_lines >= 8000, n_lines
    for name, arguments in [
        ("read", {"locate": "min.js"}),
        ("read", {"locate": "min.js:1"}),
        ("locate", {"locate": "min.js@var a"}),
        ("search", {"text": "var a"}),
        ("search", {"query": "function"}),
    ]:
        result = await client.call_tool(name, arguments)
        assert len(text_of(result)) < BUDGET and len(json.dumps(result.structured_content)) < BUDGET, (name, arguments)
    more = await client.call_tool("read", {"locates": ["long.py"], "budget": 100_000})
    assert len(text_of(more)) > BUDGET, "the call has asked for more"


async def check_nothing_outside(client, root):
    outside = root.parent / "outside"
    paths = [
        "../outside/secret.py",
        "./.././outside/secret.py",
        "shop.py/../../outside/secret.py",
        str(outside / "secret.py"),
        "file://" + str(outside / "secret.py"),
        "/etc/passwd",
        "link.py",
        "linked/secret.py",
    ]
    for path in paths:
        for name, arguments in [
            ("locate", {"locate": path + "@PASSWORD"}),
            ("read", {"locate": path}),
            ("read", {"locates": [path]}),
            ("outline", {"file_path": path}),
            ("references", {"locate": path + ":PASSWORD"}),
            ("edit", {"mode": "rename", "locate": path + ":PASSWORD", "new_name": "X", "apply": True}),
            ("describe", {"file_path": path, "position": {"line": 1, "character": 1}}),
            ("read", {"locate": path, "from": "HEAD"}),
        ]:
            result = await client.call_tool(name, arguments)
            said = text_of(result) + json.dumps(result.structured_content)
            assert "xyzzy" not in said and "root:x" not in said, (name, path, said)
            if name == "read" and "locates" in arguments:
                error = result.structured_content["items"][0]["error"]
            else:
                assert result.is_error, (name, path, said)
                error = result.structured_content["error"]
            assert error["kind"] in ("refused", "no_such_file"), (name, path, error)
    for arguments in [{"locate": "secret.py@PASSWORD", "root": str(outside)}, {"locate": ":PASSWORD"}]:
        result = await client.call_tool("locate", arguments)
        assert result.is_error and "xyzzy" not in json.dumps(result.structured_content), result
    for path in [str(outside), "..", "linked", "/"]:
        result = await client.call_tool("outline", {"file_path": path})
        assert result.is_error and "secret" not in json.dumps(result.structured_content), (path, result)
    assert (outside / "secret.py").read_text() == "PASSWORD = 'xyzzy'\n"
    inside = await client.call_tool("locate", {"locate": str(root / "shop.py") + ":Item"})
    assert not inside.is_error, "absolute paths inside work"


async def check_hostile_calls(client, root):
    for name, arguments in [
        ("locate", {"locate": "shop.py@" + "x" * 2_000_000}),
        ("locate", {"locate": "a" * 1_000_000}),
        ("read", {"locates": ["shop.py:1"] * 3000}),
        ("read", {"locate": "picture.png"}),
        ("outline", {"file_path": "picture.png"}),
        ("locate", {"locate": "shop.py\0:Item"}),
        ("search", {"query": "(" * 100_000}),
        ("search", {"text": "<|>" * 10_000}),
    ]:
        result = await client.call_tool(name, arguments)
        said = text_of(result) + json.dumps(result.structured_content)
        assert result.is_error or len(said) < 3 * BUDGET, (name, len(said))
    calls = [client.call_tool("locate", {"locate": "shop.py:Item.label"}) for _ in range(1000)]
    answers = await asyncio.gather(*calls)
    assert all(not answer.is_error for answer in answers)


async def check_progress(client, root):
    told = []

    async def progress(progress, total, message):
        told.append((progress, message))

    result = await client.call_tool("references", {"locate": "shop.py:Item"}, progress_callback=progress)
    assert not result.is_error
    assert result.structured_content["complete"] in (True, False)
    assert [one for one, _ in told] == sorted(one for one, _ in told)


CHECKS = [check_tools, check_same_as_batch, check_errors_are_results, check_hints_are_for_models,
          check_changes_say_where_they_stand, check_long_answers_are_cut, check_nothing_outside, check_hostile_calls,
          check_progress]


# A call that takes a while.
LONG = {"file_path": "long.py", "limit": 2000}


class Raw:
    """A client that writes its own lines."""

    def __init__(self, root, *arguments, **variables):
        command, variables = [LOCANT, "mcp", *arguments], {**ENVIRONMENT, **variables}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=root, stdin=pipe, stdout=pipe, env=variables)

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def next(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, **message):
        self.send(**message)
        while (answer := self.next()).get("id") != message["id"]:
            pass
        return answer

    def close(self):
        start = time.monotonic()
        self.process.stdin.close()
        code = self.process.wait(10)
        assert time.monotonic() - start < 5, "it ends when its input closes"
        return code


def of_2026(version="2026-07-28", **params):
    meta = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"}}
    return {**params, "_meta": {**meta, **params.pop("_meta", {})}}


def raw_2026(root):
    raw = Raw(root)
    unknown = raw.ask(id=1, method="tools/list", params=of_2026("2099-01-01"))
    assert unknown["error"]["code"] == -32022, unknown
    discovered = raw.ask(id=2, method="server/discover", params=of_2026())
    assert "2026-07-28" in discovered["result"]["supportedVersions"], discovered
    assert raw.ask(id=3, method="tools/list", params=of_2026())["result"]["tools"]
    called = raw.ask(id=4, method="tools/call", params=of_2026(name="locate", arguments={"locate": "shop.py:Item"}))
    assert called["result"]["structuredContent"]["position"] == {"line": 4, "character": 7}, called
    assert called["result"]["resultType"] == "complete", called
    unknown = raw.ask(id=5, method="tools/call", params=of_2026("2099-01-01", name="locate", arguments={}))
    assert unknown["error"]["code"] == -32022, unknown
    params = of_2026(name="hover", arguments={"locate": "main.py@<|>total(items)"}, _meta={"progressToken": "t"})
    raw.send(id=6, method="tools/call", params=params)
    told = []
    while (message := raw.next()).get("id") != 6:
        told.append(message)
    assert all(one["method"] == "notifications/progress" for one in told), told
    assert raw.close() == 0


def raw_2025(root):
    raw = Raw(root)
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    start = time.monotonic()
    begun = raw.ask(id=1, method="initialize", params=hello)
    assert begun["result"]["protocolVersion"] == "2025-11-25" and begun["result"]["instructions"], begun
    raw.send(method="notifications/initialized")
    assert len(raw.ask(id=2, method="tools/list")["result"]["tools"]) <= 12
    assert time.monotonic() - start < 5, "nothing is started for that"
    # A cancelled call gets no answer or an error. Other calls get their answers.
    for n in range(100, 140):
        raw.send(id=n, method="tools/call", params={"name": "outline", "arguments": LONG})
        raw.send(method="notifications/cancelled", params={"requestId": n, "reason": "enough"})
    after = raw.ask(id=3, method="tools/call", params={"name": "locate", "arguments": {"locate": "shop.py:Item"}})
    assert "result" in after, after
    assert raw.close() == 0


def slow_server(root):
    """While a server starts, the client hears of it, may cancel, and other calls are answered."""
    slow = root.parent / "slow"
    slow.mkdir()
    (slow / "ty").write_text(f'#!/bin/sh\nsleep 2\nexec "{SERVERS}/ty" "$@"\n')
    (slow / "ty").chmod(0o755)
    raw = Raw(root, LOCANT_SERVER_PATH=str(slow))
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
    raw.ask(id=1, method="initialize", params=hello)
    raw.send(method="notifications/initialized")
    hover = {"name": "hover", "arguments": {"locate": "main.py@<|>total(items)"}}
    raw.send(id=2, method="tools/call", params={**hover, "_meta": {"progressToken": 7}})
    raw.send(id=3, method="tools/call", params=hover)
    raw.send(method="notifications/cancelled", params={"requestId": 3, "reason": "enough"})
    raw.send(id=4, method="tools/call", params={"name": "locate", "arguments": {"locate": "shop.py:Item"}})
    order, told = [], 0
    while 2 not in order:
        message = raw.next()
        told += message.get("method") == "notifications/progress"
        order += [message["id"]] if "id" in message else []
        assert message.get("id") != 3 or "error" in message, message
    assert told >= 2 and 4 in order and "list[Item]" in json.dumps(message), (told, order, message)
    raw.close()


def client_that_disappears(root):
    for n in range(20):
        raw = Raw(root)
        raw.send(id=1, method="tools/call", params=of_2026(name="outline", arguments=LONG))
        raw.process.stdin.close()
        raw.process.stdout.close()
        raw.process.wait(5)
    raw = Raw(root)
    raw.process.stdin.write(b"this is no message\n\xff\xfe\n" + b"[" * 100_000 + b"\n")
    assert raw.close() in (0, 3)


def post(url, headers, body=None):
    address = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    body = json.dumps(body or {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": of_2026()})
    common = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
              "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}
    connection.request("POST", address.path, body, {**common, **headers})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def http_doors(root):
    with served(root) as url:
        assert url.startswith("http://127.0.0.1:"), url
        assert post(url, {}) == 200
        own = url.removesuffix("/mcp")
        assert post(url, {"Origin": own}) == 200
        for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://localhost:1"]:
            assert 400 <= post(url, {"Origin": origin}) < 500, origin
        for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example"]:
            assert 400 <= post(url, {"Host": host}) < 500, host
    with served(root, LOCANT_TOKEN="secret") as url:
        assert post(url, {}) == 401 and post(url, {"Authorization": "Bearer wrong!"}) == 401
        assert post(url, {"Authorization": "Bearer secret"}) == 200
    command = [LOCANT, "mcp", "--http", "0.0.0.0:0"]
    open_to_all = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=20)
    assert open_to_all.returncode == 2 and "token" in open_to_all.stderr, open_to_all


HOSTILE = [
    ("locate", {"locate": "shop.py@" + "x" * 100_000}),
    ("locate", {"locate": "../outside/secret.py@PASSWORD"}),
    ("read", {"locate": "linked/secret.py"}),
    ("read", {"locate": "picture.png"}),
    ("read", {"locates": ["long.py"] * 200, "budget": 1}),
    ("search", {"query": "(" * 20_000}),
    ("search", {"text": "<|>" * 5_000}),
    ("outline", LONG),
    ("edit", {"mode": "apply", "preview": "../../etc/passwd"}),
    ("edit", {"mode": "plan", "plan": [{"locate": "/etc/passwd:1", "delete": True}]}),
    ("nonsense", {"a": [[[[[[]]]]]]}),
    ("locate", {"locate": None, "mode": 7}),
]


def storm(root):
    """Sends thousands of calls at once, most of them hostile. All are answered, and the legitimate ones are answered rightly."""
    raw, n_calls = Raw(root), 3000
    legitimate = {"name": "locate", "arguments": {"locate": "shop.py:Item.label@return <|>f"}}

    def write():
        for n in range(n_calls):
            name, arguments = HOSTILE[n // 3 % len(HOSTILE)]
            call = legitimate if n % 3 == 0 else {"name": name, "arguments": arguments}
            raw.send(id=n, method="tools/call", params=of_2026(**call))
            if n % 50 == 7:
                raw.send(method="notifications/cancelled", params={"requestId": n, "reason": "enough"})

    writer = threading.Thread(target=write)
    writer.start()
    # A cancelled call may get an answer or none.
    right, missing = 0, {n for n in range(n_calls) if n % 50 != 7}
    n_legitimate = len([n for n in missing if n % 3 == 0])
    while missing:
        message = raw.next()
        if message["id"] in missing and message["id"] % 3 == 0:
            content = message.get("result", {}).get("structuredContent", {})
            right += content.get("position") == {"line": 13, "character": 16}
        missing.discard(message["id"])
        assert "xyzzy" not in json.dumps(message) and "root:x" not in json.dumps(message), message
    writer.join()
    assert right >= 0.99 * n_legitimate, (right, n_legitimate)
    status = Path(f"/proc/{raw.process.pid}/status").read_text()
    threads = int(status.split("Threads:")[1].split()[0])
    assert threads < 100, threads
    assert raw.close() == 0


def clients_over_http_that_vanish(root):
    """Breaks off connections at any point. Soon they cost nothing any more, and other connections are answered."""
    with served_as(root) as (url, pid):
        address = urllib.parse.urlsplit(url)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                           "params": of_2026(name="outline", arguments=LONG)}).encode()
        head = (f"POST {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
                "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
                f"Mcp-Method: tools/call\r\nMcp-Name: outline\r\nContent-Length: {len(body)}\r\n\r\n").encode()
        assert post(url, {}) == 200
        before = len(os.listdir(f"/proc/{pid}/fd"))
        for n in range(300):
            with socket.create_connection((address.hostname, address.port)) as connection:
                whole = head + body
                connection.sendall(whole[: len(whole) * (n % 10 + 1) // 10])
            if n % 30 == 0:
                assert post(url, {}) == 200
        deadline = time.monotonic() + 20
        while len(os.listdir(f"/proc/{pid}/fd")) > before + 5:
            assert time.monotonic() < deadline, "connections that have ended are kept"
            time.sleep(0.1)
        assert post(url, {}) == 200


def pages_of_other_origins(root):
    """Does what a browser does for a page of another origin: it asks for permission first, and must not get it."""
    with served(root) as url:
        address = urllib.parse.urlsplit(url)
        for method in ["OPTIONS", "GET", "POST", "DELETE"]:
            connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
            headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST",
                       "Access-Control-Request-Headers": "content-type", "Content-Type": "text/plain"}
            connection.request(method, address.path, "{}" if method == "POST" else None, headers)
            answer = connection.getresponse()
            assert 400 <= answer.status < 500, (method, answer.status)
            assert not answer.getheader("Access-Control-Allow-Origin"), method
            connection.close()
        # An attacker may make a host name lead to this machine. Such a name is refused, whatever the port is.
        for host in [f"evil.example:{address.port}", f"localhost.evil.example:{address.port}", "[::ffff:7f00:1]:1", ""]:
            assert 400 <= post(url, {"Host": host}) < 500, host
        # A very large request is answered or refused, and the server goes on.
        large = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                 "params": of_2026(name="locate", arguments={"locate": "x" * 60_000_000})}
        with contextlib.suppress(OSError):
            assert post(url, {"Mcp-Method": "tools/call", "Mcp-Name": "locate"}, large) in (200, 400, 413)
        assert post(url, {}) == 200


def piped_requests_are_answered(root):
    """A client may write all its requests and close its end before it reads."""
    lines = [{"jsonrpc": "2.0", "id": n, "method": "tools/call",
              "params": of_2026(name="locate", arguments={"locate": "shop.py:Item"})} for n in range(50)]
    written = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run([LOCANT, "mcp"], input=written, capture_output=True, text=True, cwd=root, timeout=30)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {answer["id"] for answer in answers if "result" in answer} == set(range(50)), len(answers)


def roots(root):
    """The client says which folder it works in."""
    raw = Raw("/")
    hello = {"protocolVersion": "2025-11-25", "clientInfo": {"name": "raw", "version": "1"}}
    hello["capabilities"] = {"roots": {}}
    raw.ask(id=1, method="initialize", params=hello)
    raw.send(method="notifications/initialized")
    raw.send(id=2, method="tools/call", params={"name": "locate", "arguments": {"locate": "shop.py:Item"}})
    while (message := raw.next()).get("id") != 2 or "method" in message:
        assert message["method"] == "roots/list", message
        raw.send(id=message["id"], result={"roots": [{"uri": root.as_uri()}]})
    assert message["result"]["structuredContent"]["file_path"] == "shop.py", message
    raw.close()
    raw = Raw("/", "--root", str(root))
    called = raw.ask(id=2, method="tools/call", params=of_2026(name="locate", arguments={"locate": "shop.py:Item"}))
    assert not called["result"].get("isError"), called
    raw.close()


async def with_client(name, target, mode, root):
    async with Client(target, mode=mode) as client:
        assert client.protocol_version == ERAS[mode], client.protocol_version
        for check in CHECKS:
            start = time.monotonic()
            await check(client, root)
            took, said = time.monotonic() - start, check.__name__.removeprefix("check_")
            print(f"{said} over {name}, {ERAS[mode]}: {took:.1f} s", flush=True)


RAW = [raw_2026, raw_2025, slow_server, client_that_disappears, storm, piped_requests_are_answered, roots, http_doors,
       clients_over_http_that_vanish, pages_of_other_origins]


def main():
    with tempfile.TemporaryDirectory() as top:
        root, _ = make_project(top)
        for test in RAW:
            test(root)
            print(test.__name__, flush=True)
        for mode in ERAS:
            asyncio.run(with_client("stdio", stdio(root), mode, root))
            with served(root) as url:
                asyncio.run(with_client("http", url, mode, root))
    print("all passed")


main()
