"""Lets a model work on a task with the tools of one toolset only, and logs each call.

    tool.py [--runs DIR] tasks [--shared]           the tasks in words
    tool.py [--runs DIR] TOOLSET TASK say           one task in words
    tool.py [--runs DIR] TOOLSET TASK tools         what the toolset offers: names, descriptions, schemas
    tool.py [--runs DIR] TOOLSET TASK call NAME JSON
    tool.py [--runs DIR] TOOLSET TASK answer JSON   ends the task
    tool.py [--runs DIR] TOOLSET TASK forget        throws the run away, to start afresh

`cargo xtask agents prepare DIR` must have made DIR. Each task and toolset has its own copy of the project there, in
DIR/TOOLSET/TASK/tree, and beside it log.jsonl with a line for each call, the answers as they were printed, and the
final answer. The server of a toolset stays warm between calls, and ends after the answer or ten idle minutes.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

from plain_tools import PlainTools
from warm import Warm

HERE = Path(__file__).resolve().parent
TASKS = HERE / "tasks"
IDLE_SECONDS = 600
# This is longer than any call of a toolset should take, so that a model never waits for an answer in vain.
CALL_SECONDS = 240


def tasks():
    for path in sorted(TASKS.glob("*.toml")):
        for task in tomllib.loads(path.read_text()).get("task", []):
            yield {**task, "kind": path.stem}


def task_of(name):
    for task in tasks():
        if task["name"] == name:
            return task
    sys.exit(f"there is no task {name}")


def toolsets(runs):
    """The commands that start the servers of the toolsets. `programs.json` says where they are on this machine."""
    table = tomllib.loads((HERE / "toolsets.toml").read_text())["toolset"]
    here = runs / "programs.json"
    programs = json.loads(here.read_text()) if here.exists() else {}
    return {name: {**toolset, **programs.get(name, {})} for name, toolset in table.items()}


class Run:
    """One task with one toolset."""

    def __init__(self, runs, toolset, task):
        self.runs, self.toolset, self.task = runs, toolset, task
        self.home = runs / toolset / task["name"]
        self.tree = self.home / "tree"
        self.table = toolsets(runs)
        if toolset not in self.table:
            sys.exit(f"there is no toolset {toolset}: only {', '.join(self.table)}")

    def prepare(self):
        if self.tree.exists():
            return
        pristine = self.runs / "pristine" / self.task["name"]
        if not pristine.exists():
            pristine = self.runs / "pristine" / self.task["project"]
        self.home.mkdir(parents=True, exist_ok=True)
        made = self.home / "making"
        shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(pristine, made, symlinks=True)
        made.rename(self.tree)

    def parts(self):
        """What offers tools: the server, the plain tools, or both."""
        toolset = self.table[self.toolset]
        parts = [Client(self)] if "command" in toolset else []
        return parts + ([PlainTools(self.tree)] if toolset.get("plain") else [])

    def tools(self):
        text = "\n".join(part.tools() for part in self.parts())
        (self.home / "tools.txt").write_text(text)
        return text

    def part_with(self, name):
        parts = self.parts()
        return next((part for part in parts if isinstance(part, PlainTools) and name in part.names), parts[0])

    def call(self, name, arguments):
        if (self.home / "answer.json").exists():
            sys.exit("the task has been answered")
        start = time.monotonic()
        text, error, extra = self.part_with(name).call(name, arguments)
        seconds = round(time.monotonic() - start, 3)
        log = self.home / "log.jsonl"
        number = len(log.read_text().splitlines()) + 1 if log.exists() else 1
        line = {"task": self.task["name"], "toolset": self.toolset, "name": name, "arguments": arguments}
        line |= {"characters": len(text), "seconds": seconds, "error": error, **extra}
        answers = self.home / "answers"
        answers.mkdir(exist_ok=True)
        (answers / f"{number:03}.txt").write_text(text)
        with log.open("a") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return text

    def answer(self, answer):
        self.end()
        (self.home / "answer.json").write_text(json.dumps(answer, ensure_ascii=False) + "\n")

    def end(self):
        if (self.home / "door").exists():
            with_door(Client(self).ask, {"end": True})

    def forget(self):
        self.end()
        shutil.rmtree(self.home, ignore_errors=True)


def with_door(ask, question):
    try:
        return ask(question)
    except OSError:
        return None


class Client:
    """Asks the process that keeps the server of a run warm, and starts that process when there is none."""

    def __init__(self, run):
        self.run = run
        self.door = run.home / "door"

    def tools(self):
        return self.asked({"tools": True})["text"]

    def call(self, name, arguments):
        answer = self.asked({"name": name, "arguments": arguments})
        return answer["text"], answer["error"], answer["extra"]

    def asked(self, question):
        try:
            return self.ask(question)
        except OSError:
            self.start()
            return self.ask(question)

    def ask(self, question):
        with socket.socket(socket.AF_UNIX) as channel:
            channel.settimeout(CALL_SECONDS + 30)
            channel.connect(self.door.read_text() if self.door.exists() else str(self.door))
            channel.sendall(json.dumps(question).encode() + b"\n")
            with channel.makefile() as lines:
                line = lines.readline()
        if not line:
            raise OSError("the server of the run ended")
        return json.loads(line)

    def start(self):
        self.door.unlink(missing_ok=True)
        with (self.run.home / "server.log").open("a") as log:
            arguments = ["--runs", str(self.run.runs), self.run.toolset, self.run.task["name"], "serve"]
            command = [sys.executable, "-B", str(HERE / "tool.py"), *arguments]
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        for _ in range(600):
            if self.door.exists():
                return
            time.sleep(0.1)
        sys.exit("the server of the toolset did not start; see server.log of the run")


def serve(run):
    """Keeps the server of a run warm, and answers one question a connection."""
    toolset = run.table[run.toolset]
    # The path of a socket must be short, so the socket is in a folder for temporary files. The file `door` names it.
    folder = Path(tempfile.mkdtemp(prefix="agents-"))
    path = folder / "socket"
    values = {"ROOT": str(run.tree), "HOME": str(folder), "RUNS": str(run.runs)}

    def filled(text):
        for name, value in values.items():
            text = text.replace("{" + name + "}", value)
        return text

    environment = {**os.environ, "XDG_RUNTIME_DIR": str(folder)}
    environment |= {name: filled(value) for name, value in toolset.get("env", {}).items()}
    command = [filled(word) for word in toolset["command"]]
    warm = Warm(command, run.tree, environment, CALL_SECONDS, toolset.get("without", []))
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen()
            listener.settimeout(IDLE_SECONDS)
            (run.home / "door").write_text(str(path))
            while answer_one(listener, warm):
                pass
    finally:
        (run.home / "door").unlink(missing_ok=True)
        warm.end()
        if "last" in toolset:
            last = [filled(word) for word in toolset["last"]]
            subprocess.run(last, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


def answer_one(listener, warm):
    """Answers one question. Returns whether to go on."""
    try:
        channel, _ = listener.accept()
    except TimeoutError:
        return False
    with channel, channel.makefile() as lines:
        question = json.loads(lines.readline() or "{}")
        if "end" in question:
            answer = {}
        elif "tools" in question:
            answer = {"text": warm.tools()}
        else:
            text, error, extra = warm.call(question["name"], question["arguments"])
            answer = {"text": text, "error": error, "extra": extra}
        channel.sendall(json.dumps(answer).encode() + b"\n")
    return "end" not in question


def in_words(task):
    how = 'Change the files. Then answer {"done": true}.'
    if task["kind"] == "review":
        how = 'Answer {"places": ["FILE:LINE"]}, or {"words": ["gone"]} if what it is about is not there any more.'
    elif "answer" in task:
        how = 'Answer {"words": [...]}.'
        if "places" in task["answer"]:
            how = 'Answer {"places": ["FILE:LINE", ...]}: FILE from the root of the project, LINE from 1.'
    return f"# {task['name']}\n\n{task['says'].strip()}\n\n{how}\n"


def main(arguments):
    runs = Path(os.environ.get("AGENTS_RUNS", "runs"))
    if arguments[:1] == ["--runs"]:
        runs, arguments = Path(arguments[1]), arguments[2:]
    runs = runs.resolve()
    if arguments[:1] == ["tasks"]:
        chosen = [task for task in tasks() if task.get("shared") or "--shared" not in arguments]
        return print("\n".join(in_words(task) for task in chosen))
    if len(arguments) < 3:
        sys.exit(__doc__)
    toolset, task, word, *rest = arguments
    run = Run(runs, toolset, task_of(task))
    run.prepare()
    match word, rest:
        case "say", []:
            print(in_words(run.task) + f"\nThe project is in {run.tree}\n")
        case "tools", []:
            print(run.tools())
        case "call", [name, *given]:
            print(run.call(name, json.loads(given[0] if given else "{}")))
        case "answer", [given]:
            run.answer(json.loads(given))
        case "forget", []:
            run.forget()
        case "serve", []:
            serve(run)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
