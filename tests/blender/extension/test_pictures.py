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
    run(script, tmp_path / target, *arguments)
    assert is_jpeg(tmp_path / made)


def test_objects_of_lstudio_are_drawn_as_their_views_look(tmp_path):
    for name in ("01-herb", "02-tree"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "plant.l").write_text("Lsystem: 1\nAxiom: F(3)[+(60)~l(2)]F(2)\nendlsystem\n")
    (tmp_path / "01-herb" / "plant.v").write_text("viewpoint: 0,20,30\n/* viewpoint: 1,1,1 */\n")
    run("lstudio_pictures.py", tmp_path / "sheet.jpg", tmp_path, "tree", "herb", "--size", "24", "--samples", "1")
    assert is_jpeg(tmp_path / "sheet.jpg")


def is_jpeg(picture: Path) -> bool:
    return picture.read_bytes()[:2] == b"\xff\xd8"


def run(script: str, *arguments: str | Path) -> None:
    """To the end, without an error."""
    done = subprocess.run(
        [sys.executable, TOOLS / script, *arguments],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
