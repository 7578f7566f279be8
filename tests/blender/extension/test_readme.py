# SPDX-License-Identifier: GPL-3.0-or-later
"""The README's example for Blender runs as it stands."""

import re
import runpy
from pathlib import Path

import bpy

README = Path(__file__).resolve().parents[3] / "README.md"


def test_the_example_for_blender_bakes_a_plant(fresh, tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
    (example,) = [block for block in blocks if "import bpy" in block]
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    runpy.run_path(str(script))
    plant = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    assert plant.plant_dynamics.is_baked
    assert plant.animation_data.action.frame_range[:] == (1.0, 96.0)
