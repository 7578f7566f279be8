# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts that render the documentation's pictures run, here to tiny ones."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"


@pytest.mark.parametrize(
    ("script", "target", "arguments", "made"),
    [
        ("preset_pictures.py", "sheet.jpg", ("grass", "--size", "24", "--samples", "1"), "sheet.jpg"),
        ("preset_pictures.py", "", ("grass", "--each", "--samples", "1"), "grass.jpg"),
        ("hero_picture.py", "hero.jpg", ("48", "1"), "hero.jpg"),
    ],
)
def test_script_makes_its_picture(tmp_path, script, target, arguments, made):
    picture = tmp_path / made
    done = subprocess.run(
        [sys.executable, TOOLS / script, tmp_path / target, *arguments],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert picture.read_bytes()[:2] == b"\xff\xd8"  # a JPEG's beginning
