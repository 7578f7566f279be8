# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts that render the documentation's pictures run, here to tiny ones."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"


@pytest.mark.parametrize(
    ("script", "arguments"),
    [("preset_pictures.py", ("rose", "--size", "24", "--samples", "1")), ("hero_picture.py", ("48", "1"))],
)
def test_script_makes_its_picture(tmp_path, script, arguments):
    picture = tmp_path / "picture.jpg"
    done = subprocess.run(
        [sys.executable, TOOLS / script, picture, *arguments], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert picture.read_bytes()[:2] == b"\xff\xd8"  # a JPEG's beginning
