"""Builds the package: the module by maturin, and beside it the program `locant`.

The program is the native one, so that no interpreter starts when it is called.
"""

import os
import shutil
import subprocess
from pathlib import Path

import maturin

_HERE = Path(__file__).resolve().parent
_PROGRAM = "locant.exe" if os.name == "nt" else "locant"

get_requires_for_build_wheel = maturin.get_requires_for_build_wheel
get_requires_for_build_editable = maturin.get_requires_for_build_editable
prepare_metadata_for_build_wheel = maturin.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = maturin.prepare_metadata_for_build_editable


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _add_program()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _add_program()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def _add_program():
    """Copies the program to where maturin takes scripts from. It is the program that LOCANT_PROGRAM names, or else a new
    build."""
    scripts = _HERE / "locant.data" / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    shutil.copy(os.environ.get("LOCANT_PROGRAM") or _build(), scripts / _PROGRAM)


def _build():
    """Builds the program, and returns its path."""
    command = ["cargo", "build", "--release", "--package", "locant", "--message-format", "json-render-diagnostics"]
    built = subprocess.run(command, cwd=_HERE, check=True, stdout=subprocess.PIPE, text=True)
    return _built(built.stdout)


def _built(messages):
    """The path of the program, as cargo tells it."""
    import json

    for line in messages.splitlines():
        message = json.loads(line) if line.startswith("{") else {}
        executable = message.get("executable")
        if executable and Path(executable).name == _PROGRAM:
            return executable
    raise RuntimeError("cargo built no program `locant`")
