# SPDX-License-Identifier: GPL-3.0-or-later
"""A session in a real window. Runs where the environment gives a Blender executable (BLENDER) and a display."""

import os
import subprocess
from pathlib import Path

import pytest

SESSION = Path(__file__).resolve().parents[1] / "scenes" / "window_session.py"


@pytest.mark.window
@pytest.mark.skipif("DISPLAY" not in os.environ, reason="there is no display")
def test_a_session_of_edits_jumps_undo_and_bakes(blender_executable, extension_folder, tmp_path):
    result = tmp_path / "result.txt"
    folders = {"BLENDER_USER_RESOURCES": str(tmp_path), "BLENDER_USER_EXTENSIONS": str(extension_folder)}
    environment = os.environ | folders
    command = [blender_executable, "--factory-startup", "--enable-event-simulate", "--python", SESSION, "--", result]
    subprocess.run([str(part) for part in command], env=environment, timeout=300, check=True)
    assert result.read_text(encoding="utf-8") == "finished"
