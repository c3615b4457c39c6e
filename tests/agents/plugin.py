"""Tries what agent hosts are given: the plugin folder, the entry for registries, and every command of the skill.

    python plugin.py PATH/TO/locant FOLDER/WITH/ty

The commands of SKILL.md are run as they stand there, each in a fresh copy of a small project with the files that they
name. Its language server is real.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LOCANT, SERVERS = Path(sys.argv[1]), sys.argv[2]
AGENTS = Path(__file__).resolve().parents[2] / "agents"
PLUGIN = AGENTS / "claude-code"

MODELS = '''"""Who may come in."""


class User:
    """Somebody with a name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def save(self) -> str:
        # Nothing is kept yet.
        result = self.name
        return result


class QuerySet:
    def filter(self, name: str) -> "QuerySet":
        if not name:
            raise ValueError("no name")
        return self
'''

VIEWS = '''from src.models import QuerySet, User

debug = True


def index(name: str) -> str:
    print(debug)
    return User(name).save()


def listing(name: str) -> QuerySet:
    return QuerySet().filter(name)


#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
#
def last(user: User) -> str:
    return user.save()
'''

# For a part of a command: the text that the output of such commands must contain.
EXPECTED = {
    "outline .": "models.py",
    "outline src/models.py": "save",
    "search QuerySet.filter": "QuerySet.filter",
    "search --text": "ValueError",
    "read src/models.py:User.save": "Nothing is kept yet",
    "--around": "def save",
    "read src/models.py:User src/views.py": "def __init__",
    "definition": "models.py",
    "references": "views.py",
    "hover": "User",
    "--incoming": "index",
    "diagnostics": "",
    "rename": "`src/models.py` :10",
    "--replace": "+11:         return 'saved'",
    "--after": "+class Guest(User): ...",
    "--delete": "-    print(debug)",
    "describe": "src/views.py",
    "locate": '"position"',
    "doctor": "ok",
}


def project(top):
    root = Path(top) / "project"
    (root / "src").mkdir(parents=True)
    (root / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n')
    (root / "src" / "models.py").write_text(MODELS)
    (root / "src" / "views.py").write_text(VIEWS)
    (root / "new_body.py").write_text("    def save(self) -> str:\n        return 'saved'\n")
    return root


def commands_of(skill):
    """The commands of a page: its indented lines that start with `locant`, without their comments."""
    indented = [line.strip() for line in skill.splitlines() if line.startswith("    locant ")]
    return [re.sub(r"\s+# .*$", "", line) for line in indented]


def run(command, root, environment):
    done = subprocess.run(["sh", "-c", command], cwd=root, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout


def check_commands(top):
    runtime = tempfile.mkdtemp()
    environment = {**os.environ, "LOCANT_SERVER_PATH": SERVERS, "XDG_RUNTIME_DIR": runtime,
                   "XDG_CACHE_HOME": str(Path(top) / "cache"), "PATH": f"{LOCANT.parent}:{os.environ['PATH']}"}
    commands = commands_of((PLUGIN / "skills/locant/SKILL.md").read_text())
    assert len(commands) >= 19, commands
    try:
        for command in commands:
            copy = tempfile.mkdtemp(dir=top)
            root = project(copy)
            said = run(command, root, environment)
            expected = [(part, text) for part, text in EXPECTED.items() if part in command]
            assert expected, f"nothing is expected of `{command}`"
            for part, text in expected:
                assert text in said, (command, text, said)
            if "--apply" in command:
                made = "def store" if "rename" in command else "class Guest"
                assert made in (root / "src/models.py").read_text(), command
        # A change is applied and undone by the id of its preview.
        root = project(tempfile.mkdtemp(dir=top))
        said = run("locant rename src/models.py:User.save store --json", root, environment)
        identity = json.loads(said)["id"]
        run(f"locant apply {identity}", root, environment)
        assert "def store" in (root / "src/models.py").read_text()
        assert ".store()" in (root / "src/views.py").read_text()
        run(f"locant undo {identity}", root, environment)
        assert (root / "src/models.py").read_text() == MODELS
    finally:
        subprocess.run([LOCANT, "daemon", "stop"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        shutil.rmtree(runtime, ignore_errors=True)
    print(f"{len(commands)} commands of the skill", flush=True)


def check_skill():
    skill = (PLUGIN / "skills/locant/SKILL.md").read_text()
    _, head, _ = skill.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.strip().splitlines())
    # Hosts look for the skill in the folder of its name, and show its description to the model.
    assert fields["name"] == "locant" and re.fullmatch(r"[a-z0-9-]{1,64}", fields["name"])
    assert 0 < len(fields["description"]) <= 1024 and "<" not in fields["description"]
    assert len(skill) < 5000, len(skill)


def check_plugin(version):
    manifest = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())
    assert re.fullmatch(r"[a-z0-9-]+", manifest["name"]) and manifest["version"] == version, manifest
    # The folder of the manifest contains nothing else. All parts are at the top of the plugin.
    assert [path.name for path in (PLUGIN / ".claude-plugin").iterdir()] == ["plugin.json"]
    assert {path.name for path in PLUGIN.iterdir()} == {".claude-plugin", ".mcp.json", "skills"}
    (name, server), = json.loads((PLUGIN / ".mcp.json").read_text())["mcpServers"].items()
    assert name == "locant" and server["command"] == "locant", server
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "plugin", "version": "1"}}}
    started = subprocess.run([LOCANT, *server["args"]], input=json.dumps(hello) + "\n", capture_output=True, text=True)
    assert json.loads(started.stdout)["result"]["serverInfo"] == {"name": "locant", "version": version}, started


def check_entry(version):
    """What the registry of the protocol asks of an entry."""
    entry = json.loads((AGENTS / "server.json").read_text())
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"]), entry["name"]
    assert 0 < len(entry["title"]) <= 100 and 0 < len(entry["description"]) <= 100
    assert entry["version"] == version
    for package in entry["packages"]:
        assert package["registryType"] in ("pypi", "npm") and package["identifier"] == "locant", package
        assert package["version"] == version and package["transport"] == {"type": "stdio"}, package
        assert package["packageArguments"] == [{"type": "positional", "value": "mcp"}], package


def main():
    said = subprocess.run([LOCANT, "--version"], capture_output=True, text=True, check=True)
    version = said.stdout.split()[1]
    check_plugin(version)
    check_entry(version)
    check_skill()
    with tempfile.TemporaryDirectory() as top:
        check_commands(top)


main()
