# SPDX-License-Identifier: GPL-3.0-or-later
"""Grow, simulate, bake, save and render the demo's plants. Started by tools/demo.sh; needs `bpy`.

Writes to the output folder: a .blend of every case with the motion baked to keyframes, one contact sheet of stills
(a row for each case), and a short movie of the pot that is pushed and stopped.
"""

import argparse
import importlib
import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

REPOSITORY = Path(__file__).resolve().parent.parent
EXTENSION = "bl_ext.user_default.plant_dynamics"


class Terminal:
    """Progress on the terminal; what Blender itself prints goes to a log file instead."""

    def __init__(self, log: Path) -> None:
        self.begin = perf_counter()
        sys.stdout.flush()
        self._terminal = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
        file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)

    def say(self, text: str) -> None:
        """A line with the seconds since the start."""
        self._terminal.write(f"{perf_counter() - self.begin:5.0f} s  {text}\n")
        self._terminal.flush()


def link_extension(folder: Path) -> None:
    """Lay out this checkout as an installed extension in a Blender user folder of its own."""
    installed = folder / "extensions" / "user_default" / "plant_dynamics"
    installed.mkdir(parents=True)
    for name in ("__init__.py", "blender_manifest.toml", "lsystem", "solver", "plant_dynamics_addon"):
        (installed / name).symlink_to(REPOSITORY / name)
    # Read by Blender when it is imported.
    os.environ["BLENDER_USER_RESOURCES"] = str(folder)
    os.environ["BLENDER_USER_EXTENSIONS"] = str(folder / "extensions")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=REPOSITORY / "demo_output", help="folder for the results")
    parser.add_argument("--only", default="", help="only cases with this in their name, for example pot")
    parser.add_argument("--size", type=int, default=360, help="width and height of a still, pixels")
    parser.add_argument("--samples", type=int, default=16, help="Cycles samples per pixel of a still")
    parser.add_argument("--no-render", action="store_true", help="only grow, simulate, bake and save")
    parser.add_argument("--no-movie", action="store_true", help="only the contact sheet")
    options = parser.parse_args()
    options.output = options.output.resolve()
    options.output.mkdir(parents=True, exist_ok=True)

    terminal = Terminal(options.output / "blender.log")
    code = 1
    try:
        with tempfile.TemporaryDirectory(prefix="plant_dynamics_demo_") as folder:
            link_extension(Path(folder))
            importlib.import_module("bpy")
            importlib.import_module("addon_utils").enable(EXTENSION, default_set=True)
            importlib.import_module("demo_shots").run(options, terminal.say)
        terminal.say(f"Done. The results are in {options.output}")
        code = 0
    except Exception as error:  # noqa: BLE001  the process ends below whatever happens, so this is the last word
        terminal.say(f"Failed: {type(error).__name__}: {error}")
        terminal.say(f"Blender's messages are in {options.output / 'blender.log'}")
        importlib.import_module("traceback").print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # some releases of bpy hang when Python tears them down


if __name__ == "__main__":
    main()
