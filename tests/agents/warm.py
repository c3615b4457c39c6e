"""A server of the model context protocol that is kept running, asked over its standard streams."""

import json
import queue
import subprocess
import threading


class Warm:
    def __init__(self, command, folder, environment, seconds, without):
        """`without` are the names of tools that are not offered."""
        self.seconds = seconds
        self.without = without
        self.folder = folder
        self.lines = queue.Queue()
        self.n_asked = 0
        self.child = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        threading.Thread(target=self.read, daemon=True).start()
        capabilities = {"roots": {}}
        client = {"name": "tasks", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": client}
        self.instructions = self.ask("initialize", hello)["result"].get("instructions", "")
        self.send({"method": "notifications/initialized"})

    def read(self):
        for line in self.child.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, message):
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.child.stdin.flush()

    def ask(self, method, params):
        self.n_asked += 1
        self.send({"id": self.n_asked, "method": method, "params": params})
        while True:
            line = self.lines.get(timeout=self.seconds)
            if line is None:
                raise RuntimeError("the server ended")
            message = json.loads(line) if line.startswith("{") else {}
            if "method" in message and "id" in message:
                self.reply(message)
            elif message.get("id") == self.n_asked:
                return message

    def reply(self, message):
        """Servers ask too: for the folders of the project, and whether the client is still there."""
        if message["method"] == "roots/list":
            result = {"roots": [{"uri": self.folder.as_uri(), "name": self.folder.name}]}
            self.send({"id": message["id"], "result": result})
        elif message["method"] == "ping":
            self.send({"id": message["id"], "result": {}})
        else:
            self.send({"id": message["id"], "error": {"code": -32601, "message": "not offered"}})

    def tools(self):
        """The text that a model reads before its first call: the instructions, and the name, description and schema of each
        tool."""
        tools = self.ask("tools/list", {})["result"]["tools"]
        tools = [tool for tool in tools if tool["name"] not in self.without]
        told = [{name: tool.get(name) for name in ("name", "description", "inputSchema")} for tool in tools]
        lines = [json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in told]
        return "\n".join([self.instructions, *lines])

    def call(self, name, arguments):
        """The text of the answer, whether the answer is an error, and further fields for the log."""
        if name in self.without:
            return f"there is no tool {name}", True, {}
        try:
            message = self.ask("tools/call", {"name": name, "arguments": arguments})
        except (queue.Empty, RuntimeError, OSError) as why:
            return f"no answer: {why or 'it took too long'}", True, {}
        if "error" in message:
            return message["error"].get("message", "error"), True, {}
        result = message["result"]
        text = "\n".join(part.get("text", "") for part in result.get("content", []))
        structured = result.get("structuredContent") or {}
        extra = {}
        if structured:
            extra["structured"] = len(json.dumps(structured, ensure_ascii=False, separators=(",", ":")))
        if isinstance(structured.get("id"), str):
            extra["preview"] = structured["id"]
        return text, bool(result.get("isError")), extra

    def end(self):
        self.child.stdin.close()
        try:
            self.child.wait(15)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
