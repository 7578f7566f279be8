# SPDX-License-Identifier: GPL-3.0-or-later
"""Files saved by one Blender open in the next with the same motion: playing, baked and unbaked.

A file of this version is opened by another process of the same and by the next one that has an environment beside it.
In the full form it is opened by all later ones.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import bpy
import pytest

from tests.forms import IS_FULL

REPOSITORY = Path(__file__).resolve().parents[3]
HERE = ".".join(map(str, bpy.app.version[:2]))


def environments() -> dict[str, str]:
    """Pythons with a Blender, by its version."""
    found = {HERE: sys.executable}
    for folder in REPOSITORY.glob(".venv-blender-*"):
        version = folder.name.removeprefix(".venv-blender-")
        if re.fullmatch(r"\d+\.\d+", version) and (folder / "bin" / "python").exists():
            found.setdefault(version, str(folder / "bin" / "python"))
    return found


PYTHONS = environments()
LATER = sorted((version for version in PYTHONS if float(version) >= float(HERE)), key=float)
if not IS_FULL:
    LATER = LATER[:2]


def run(version: str, what: str, folder: Path, extension: str) -> None:
    command = [PYTHONS[version], "-m", "tests.blender.scenes.version_process", what, str(folder), extension]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr


@pytest.fixture(scope="module")
def files(addon, tmp_path_factory) -> Path:
    """Files of this version."""
    folder = tmp_path_factory.mktemp("files")
    run(HERE, "make", folder, addon.__name__)
    return folder


@pytest.mark.slow
@pytest.mark.timeout(1000)
@pytest.mark.parametrize("version", LATER)
def test_files_open_in_this_and_later_versions(addon, files, version):
    run(version, "open", files, addon.__name__)
    found = json.loads((files / "found.json").read_text())
    print(found)
    assert found["version"].startswith(version)
    assert found["unbaked: state"] == [True, False, False]
    assert found["playing: state"] == [True, True, False]
    assert found["baked: state"] == found["nla: state"] == [True, False, True]
    assert found["baked: cleared"] == found["nla: cleared"] == [False, False]
    for name in ("unbaked", "playing"):
        assert found[name] < 1e-5, name
    for name in ("baked", "baked again", "nla", "nla again"):
        assert found[name] < 1e-5, name
