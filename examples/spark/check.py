"""Checks the answers of the job: every comment has an answer, none has failed, and those that can be checked without locant
are right.

    python check.py FILES COMMENTS ANSWERS [REQUESTS_ANSWERED...]

If the text of a line occurs once in the old file and once in the new one, with the same lines around it, it is the same line.
Each answer about such a line must lead to it. A few may lead nowhere. REQUESTS_ANSWERED are answers of `locant
batch` about the same comments. In files that have kept
their path, it must find each line that the job found, at the same place. In other files it may find more, because it can
search the rest of the tree.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional


def rows(folder: str) -> Iterator[dict[str, Any]]:
    path = Path(folder)
    for file in sorted(path.glob("part-*")) if path.is_dir() else [path]:
        for line in open(file, encoding="utf-8"):
            yield json.loads(line)


def places(text: str) -> dict[tuple[str, ...], Optional[int]]:
    """For each line with the two before and the two after it, where it is; None if it is there more than once."""
    lines = ["", "", *text.split("\n"), "", ""]
    found: dict[tuple[str, ...], Optional[int]] = {}
    for number in range(1, len(lines) - 3):
        around = tuple(lines[number - 1 : number + 4])
        found[around] = None if around in found else number
    return found


def certain(old_text: str, text: str) -> dict[int, int]:
    """The lines of the old text that are certainly there, each with its line now."""
    now = places(text)
    both = ((then, now.get(around)) for around, then in places(old_text).items())
    return {then: line for then, line in both if then and line}


def main() -> None:
    files, comments, answers, *batches = sys.argv[1:]
    found = {row["id"]: row for row in rows(answers)}
    asked = {row["id"]: row for row in rows(comments)}
    assert len(list(rows(answers))) == len(found) and found.keys() == asked.keys(), "each comment has one answer"
    failed = [row for row in found.values() if row["status"] == "failed"]
    assert not failed, f"{len(failed)} answers failed, the first: {failed[0]}"
    changed = {(row["repository"], row["file_path"]): row for row in rows(files)}
    known = {
        key: certain(row["old_text"], row["text"]) if row.get("text") else {} for key, row in changed.items()
    }
    n_certain, wrong, lost = 0, [], []
    for number, row in asked.items():
        line = known[row["repository"], row["file_path"]].get(row["line"])
        if line is None:
            continue
        n_certain += 1
        now = found[number].get("new_line")
        if now is None:
            lost.append(row)
        elif now != line:
            wrong.append((row, line, found[number]))
    assert not wrong, f"{len(wrong)} lines of {n_certain} are elsewhere, the first: {wrong[0]}"
    assert len(lost) * 100 <= n_certain, f"{len(lost)} lines of {n_certain} are not found, the first: {lost[0]}"
    print(f"{len(found)} answers, none failed; {n_certain - len(lost)} of {n_certain} lines that are certain are found")
    n_same = 0
    for batch in batches:
        for answer in rows(batch):
            row, ours = asked[answer["id"]], found[answer["id"]]
            is_moved = changed[row["repository"], row["file_path"]].get("new_path") != row["file_path"]
            if is_moved or not ours.get("new_line"):
                continue
            result = answer.get("result") or {"status": answer["error"]["kind"]}
            line = result["position"]["line"] if "position" in result else None
            same = (result["status"], line) == (ours["status"], ours["new_line"])
            assert same, f"{row}: locant batch says {answer}, and the job {ours}"
            n_same += 1
    if batches:
        print(f"{n_same} places that the job found are those of `locant batch`")


if __name__ == "__main__":
    main()
