"""Makes the two tables that the job reads, from the histories of git repositories.

    python histories.py OUT --comments N --commits N REPOSITORY...

A host of code reviews has such tables in its database: each comment was written about a line of some old commit, and the
branch has moved on since. In each repository, the old commit is the N-th ancestor of its head, by first parents.

OUT/files/     a row for each file that has changed since: both of its texts, and its path then and now
OUT/comments/  a row for each comment: the repository, the path and the line at that time; lines are chosen at random
OUT/requests/  for each repository the same comments as requests to `locant batch`
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Optional

LONGEST = 200_000
"""Longer files are left out: nobody reviews them line by line."""


class Changed(NamedTuple):
    """A file that has changed since the old commit."""

    repository: str
    file_path: str
    new_path: Optional[str]
    old_text: str
    text: Optional[str]


def git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(repository), *arguments], check=True, stdout=subprocess.PIPE).stdout


def name_of(repository: Path) -> str:
    """The last folder of the path that is no mere `.git`."""
    return next(part for part in reversed(repository.resolve().parts) if part not in (".git", "repo"))


def old_commit(repository: Path, n_commits: int) -> str:
    """The commit so many first parents behind the head, or the first one."""
    commits = git(repository, "rev-list", "--first-parent", f"--max-count={n_commits + 1}", "HEAD").split()
    return commits[-1].decode()


def renames(repository: Path, old: str) -> Iterator[tuple[str, Optional[str]]]:
    """The paths of the files that have changed, then and now."""
    words = iter(git(repository, "diff", "--name-status", "-z", "-M", old, "HEAD").split(b"\0"))
    for status in words:
        if not status:
            return
        path = next(words).decode(errors="replace")
        if status.startswith((b"R", b"C")):
            now = next(words).decode(errors="replace")
            if status.startswith(b"R"):
                yield path, now
        elif status == b"M":
            yield path, path
        elif status == b"D":
            yield path, None


class Texts:
    """The texts of files in commits, read by one process."""

    def __init__(self, repository: Path) -> None:
        command = ["git", "-C", str(repository), "cat-file", "--batch"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def text(self, commit: str, path: str) -> Optional[str]:
        """The text of a file; None if it is no text, or too long."""
        source, sink = self._process.stdout, self._process.stdin
        assert source is not None and sink is not None, "both are pipes"
        if "\n" in path:
            return None
        sink.write(f"{commit}:{path}\n".encode())
        sink.flush()
        header = source.readline().split()
        if header[-1] == b"missing" or header[-2] != b"blob":
            if header[-1] != b"missing":
                source.read(int(header[-1]) + 1)
            return None
        content = source.read(int(header[-1]) + 1)[:-1]
        if len(content) > LONGEST or b"\0" in content:
            return None
        try:
            return content.decode()
        except UnicodeDecodeError:
            return None

    def close(self) -> None:
        assert self._process.stdin is not None, "it is a pipe"
        self._process.stdin.close()
        self._process.wait()


def changed_files(repository: Path, n_commits: int) -> Iterator[Changed]:
    old, name = old_commit(repository, n_commits), name_of(repository)
    texts = Texts(repository)
    for path, new_path in renames(repository, old):
        old_text = texts.text(old, path)
        text = texts.text("HEAD", new_path) if new_path else None
        if old_text and (text or new_path is None):
            yield Changed(name, path, new_path, old_text, text)
    texts.close()


def lines(changed: Changed) -> list[int]:
    """The lines that say something, counted from 1."""
    numbered = enumerate(changed.old_text.split("\n"), 1)
    return [number for number, line in numbered if any(character.isalnum() for character in line)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--comments", type=int, default=10_000)
    arguments.add_argument("--commits", type=int, default=200)
    arguments.add_argument("repositories", type=Path, nargs="+")
    given = arguments.parse_args()
    for folder in ("files", "comments", "requests"):
        (given.out / folder).mkdir(parents=True, exist_ok=True)
    places: list[tuple[str, str, int]] = []
    with open(given.out / "files" / "part-0.jsonl", "w") as files:
        for repository in given.repositories:
            n_files = 0
            try:
                for changed in changed_files(repository, given.commits):
                    files.write(json.dumps(changed._asdict()) + "\n")
                    places += [(changed.repository, changed.file_path, line) for line in lines(changed)]
                    n_files += 1
            except subprocess.CalledProcessError:
                # Git has printed the reason on standard error. For example, a partial clone lacks some objects.
                print(f"{name_of(repository)}: left out, git cannot read it")
                continue
            print(f"{name_of(repository)}: {n_files} files have changed")
    chosen = sorted(random.Random(7).sample(places, min(given.comments, len(places))))
    requests = {name: open(given.out / "requests" / f"{name}.jsonl", "w") for name in {place[0] for place in chosen}}
    with open(given.out / "comments" / "part-0.jsonl", "w") as comments:
        for number, (repository, file_path, line) in enumerate(chosen):
            row = {"id": number, "repository": repository, "file_path": file_path, "line": line}
            comments.write(json.dumps(row) + "\n")
            request = {"id": number, "op": "locate", "locate": {"file_path": file_path, "scope": {"line": line}}}
            requests[repository].write(json.dumps(request) + "\n")
    for request_file in requests.values():
        request_file.close()
    print(f"{len(chosen)} comments of {len(places)} lines")


if __name__ == "__main__":
    main()
