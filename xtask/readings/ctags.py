"""Symbols as universal-ctags finds them, with lines but no columns. The argument is ctags' name of the language."""

import json
import subprocess
import sys

from reading import symbol

paths = [line.rstrip("\n") for line in sys.stdin]
command = [
    "ctags", "--output-format=json", "--fields=+nKZ", "--sort=no", "-L", "-", "-f", "-",
    f"--language-force={sys.argv[1]}", *sys.argv[2:],
]
done = subprocess.run(command, input="\n".join(paths), capture_output=True, text=True, errors="replace", check=True)
found = {path: [] for path in paths}
for line in done.stdout.splitlines():
    tag = json.loads(line)
    if tag.get("_type") == "tag":
        inside = [tag["scopeKind"]] if "scopeKind" in tag else []
        found[tag["path"]].append(symbol(tag["name"], tag["kind"], tag["line"], 0, inside))
for path in paths:
    print(json.dumps({"path": path, "symbols": found[path]}))
