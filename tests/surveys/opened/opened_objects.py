# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants of L-studio all the way from their files to keyframes, by the buttons of the panel. Needs `bpy`:

    .venv-blender-4.5/bin/python -m tests.surveys.opened.opened_objects FOLDER [WORD ...]

FOLDER holds objects of L-studio or VLAB. Each whose path contains one of the words, or each, is opened, grown, settled
in still air, played in wind for a second and baked. Prints a row for each: the processor's seconds that the steps took,
and what is wrong.
"""

import importlib
import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.blender.scenes.extension import EXTENSION, link_extension
from tests.surveys.cpfg_strings import examples


def main(folder: Path, words: list[str]) -> int:
    """Print the table; gives how many objects have problems."""
    table = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # to which Blender writes what it reports
    scenes = _scenes()
    steps = " | ".join(f"{step}, s" for step in scenes.STEPS)
    print(f"| object | bones | vertices | {steps} | moves by | |\n|{' --- |' * (len(scenes.STEPS) + 5)}", file=table)
    count, problems = 0, 0
    for file in examples(folder):
        name = str(file.relative_to(folder)).removeprefix("ext/").replace("/ext/", "/")
        if words and not any(word in name for word in words):
            continue
        taken = scenes.take(file, name)
        count, problems = count + 1, problems + bool(taken.problems)
        print(_row(taken, scenes.STEPS), file=table, flush=True)
    print(f"{count} objects, {problems} with problems", file=table, flush=True)
    return problems


def _scenes() -> ModuleType:
    """What takes objects along, with the extension enabled; Blender reads where it is when it is imported."""
    user = Path(tempfile.mkdtemp(prefix="plant_dynamics_opened_"))
    link_extension(user / "extensions" / "user_default" / "plant_dynamics")
    os.environ["BLENDER_USER_RESOURCES"] = str(user)
    os.environ["BLENDER_USER_EXTENSIONS"] = str(user / "extensions")
    importlib.import_module("bpy")
    importlib.import_module("addon_utils").enable(EXTENSION, default_set=True)
    return importlib.import_module("tests.blender.scenes.grown.opened_objects")


def _row(taken: Any, steps: tuple[str, ...]) -> str:
    took = " | ".join(f"{taken.seconds[step]:.2f}" if step in taken.seconds else "" for step in steps)
    told = "; ".join(taken.problems) or "well"
    return f"| {taken.name} | {taken.bones} | {taken.vertices} | {took} | {100.0 * taken.moved:.1f} % | {told} |"


if __name__ == "__main__":
    os._exit(1 if main(Path(sys.argv[1]), sys.argv[2:]) else 0)  # some releases of bpy hang when Python tears them down
