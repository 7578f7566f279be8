# SPDX-License-Identifier: GPL-3.0-or-later
"""blender --command plant_dynamics ...: grow, regrow, simulate, bake, compare and info without a window.

The exit code is 0 when all went well, 1 with one line that says what is wrong, and 2 for a command that cannot be read.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import bpy

from ..lsystem import LSystemError
from ..solver import SolverError
from . import command_line_values as values
from . import commands
from .baking.options import TARGETS
from .comparison.output import render_shot, write_plots
from .comparison.plots import plot_one, write_csv
from .comparison.quantities import QUANTITIES
from .comparison.scene import Shot
from .dynamics.kernels.warm_up import is_warm, kernels, warm_up
from .errors import PlantError
from .grow.mesh.detail import CHOICES
from .properties.compare import CompareSettings
from .properties.scene import GrowOptions

NAME = "plant_dynamics"

_handle: Any = None

_Add = Callable[..., argparse.Action]


def register() -> None:
    """Have Blender know the command."""
    global _handle
    _handle = bpy.utils.register_cli_command(NAME, run)


def unregister() -> None:
    """Have Blender forget it."""
    bpy.utils.unregister_cli_command(_handle)


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say; gives the exit code."""
    try:
        options = _parser().parse_args(list(arguments))
    except SystemExit as end:  # argparse has printed why, or its help
        return int(end.code or 0)
    try:
        options.act(options)
    except (PlantError, LSystemError, SolverError, OSError) as error:
        print(f"plant_dynamics {options.command}: {' '.join(str(error).split())}", file=sys.stderr, flush=True)
        return 1
    return 0


class Meter:
    """Progress on the terminal: a line that is written over, or a line for every tenth where that is not possible."""

    def __init__(self, what: str) -> None:
        self.what, self.over = what, sys.stderr.isatty()
        self.shown = -1

    def __call__(self, share: float) -> None:
        """Show the share (0 to 1) that is done."""
        percent = int(100.0 * share)
        step = percent if self.over else percent // 10
        if step == self.shown:
            return
        self.shown = step
        end = "\n" if percent == 100 or not self.over else "\r"
        print(f"{self.what} {percent:3d} %", end=end, file=sys.stderr, flush=True)


def _say(text: str) -> None:
    print(text, flush=True)


def _plants_to_move(options: argparse.Namespace) -> list[bpy.types.Object]:
    """Get the solver ready, tell why it is slow where it is, open the file and give its plants that are meant."""
    if not is_warm():
        print("Compiling the solver, once: about a minute", file=sys.stderr, flush=True)
    warm_up()
    running = kernels()
    if running is not None and running.how == "python":
        print(f"The solver runs as plain Python, very slowly: {running.problem}", file=sys.stderr, flush=True)
    commands.open_file(options.file)
    return commands.plants(options.plant)


def _save(options: argparse.Namespace) -> Path:
    """Save to the output, or else to the file that was opened; gives which."""
    output: Path = options.output or options.file
    commands.save(output)
    return output


def _grow(options: argparse.Namespace) -> None:
    values.check_file(options.output)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if options.frames:
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = options.frames
    obj = commands.grow(
        options.source, steps=options.steps, seed=options.seed, constants=dict(options.constant),
        prune_below=options.prune_below, pot=options.pot, detail=options.detail.upper(),
        leaf_bones=options.leaf_bones, instanced=options.instance, unit=options.unit, thicken=options.thicken,
        told=_say,
    )  # fmt: skip
    commands.save(options.output)
    _say(f"{obj.name}: {len(obj.data.bones)} bones, saved to {options.output}")


def _regrow(options: argparse.Namespace) -> None:
    values.check_file(options.output)
    commands.open_file(options.file)
    changes = {name: value for name in ("steps", "seed", "around") if (value := getattr(options, name)) is not None}
    for obj in commands.plants(options.plant):
        told = commands.regrow(obj, options.source, constants=dict(options.constant), **changes)
        _say(f"{obj.name}: {'. '.join([f'{len(obj.data.bones)} bones', *told])}")
    output = _save(options)
    _say(f"Saved to {output}")


def _simulate(options: argparse.Namespace) -> None:
    values.check_file(options.csv)
    values.check_file(options.plot)
    chosen = _plants_to_move(options)
    if len(chosen) > 1 and (options.csv or options.plot):
        raise PlantError("One table or plot is of one plant: choose it with --plant")
    for obj in chosen:
        motion = commands.simulate(
            obj, last_frame=options.last, allow_stopped=options.allow_stopped, progress=Meter(f"Simulating {obj.name}")
        )
        way = float(abs(motion.tip - motion.tip[0]).max())
        _say(f"{obj.name}: frames {motion.frames[0]} to {motion.frames[-1]}, tip of {motion.bone} moves {way:.4g} m")
        if options.csv:
            write_csv(motion, options.csv)
        if options.plot:
            plot_one(motion, options.plot)
        if options.stress:
            found = commands.stress(obj, last_frame=options.last, allow_stopped=options.allow_stopped)
            _say(f"{obj.name}: {found.told()}")


def _bake(options: argparse.Namespace) -> None:
    values.check_file(options.output)
    chosen = _plants_to_move(options)
    first, last = options.frames or (None, None)
    commands.bake(
        chosen, first_frame=first, last_frame=last, progress=Meter("Baking"), target=options.target,
        step=options.step, max_error=math.radians(options.max_error), loop_frames=options.loop,
        part_only=options.part, edited=options.edited.upper(), allow_stopped=options.allow_stopped,
    )  # fmt: skip
    output = _save(options)
    _say(f"Baked {', '.join(obj.name for obj in chosen)}, saved to {output}")


def _compare(options: argparse.Namespace) -> None:
    values.check_file(options.output)
    values.check_folder(options.folder)
    chosen = _plants_to_move(options)
    if len(chosen) > 1:
        raise PlantError(
            "Choose one of the plants with --plant: {names}",
            names=", ".join(obj.name for obj in chosen),
        )
    first, last = options.frames or (bpy.context.scene.frame_start, bpy.context.scene.frame_end)
    stills = values.stills(options.stills, first, last) if options.stills else None
    done = commands.compare(
        chosen[0], options.quantity, options.values, constant=options.constant, first_frame=first, last_frame=last,
        shot=Shot(width=options.width, samples=options.samples), measured=options.plots,
        allow_stopped=options.allow_stopped, progress=Meter("Comparing"),
    )  # fmt: skip
    _say(f"{done.scene.name}: {', '.join(place.text for place in done.places)}")
    if done.things or done.beside or done.left_out:
        _say(done.told())
    folder, paths = options.folder, []
    if options.plots:
        paths += write_plots(done, folder)
    if stills:
        paths += render_shot(done.scene, folder, stills)
    if options.movie:
        paths += render_shot(done.scene, folder, None)
    for path in paths:
        _say(str(path))
    if options.output:
        commands.save(options.output)
        _say(f"Saved to {options.output}")


def _info(options: argparse.Namespace) -> None:
    if options.file and options.file.is_dir():
        _tell_objects(options)
        return
    if options.file:
        commands.open_file(options.file)
    found = commands.info()
    if options.json:
        _say(json.dumps(found, indent=2))
        return
    problem = f" ({found['problem']})" if found["problem"] else ""
    _say(f"Blender {found['blender']}, kernels: {found['kernels']}{problem}")
    _say(f"Presets: {', '.join(found['presets'])}")
    _say(f"Quantities: {', '.join(name.lower() for name in QUANTITIES)}")
    if options.file:
        _say(f"{found['scene']}: frames {found['frames'][0]} to {found['frames'][1]}, "
             f"{found['frames_per_second']:.4g} per second")  # fmt: skip
        for plant in found["plants"]:
            _say(f"{plant['name']}: {plant['bones']} bones, {plant['loads']} loads{', baked' * plant['baked']}")


def _tell_objects(options: argparse.Namespace) -> None:
    found = commands.objects(options.file)
    if options.json:
        _say(json.dumps(found, indent=2))
        return
    if not found:
        raise PlantError("'{folder}' holds no .l file of L-studio", folder=options.file)
    for one in found:
        others = ", ".join(f"{kind} {name}" for kind, name in one.items() if kind not in ("file", "name"))
        _say(f"{one['file']}: {one['name']}{f' ({others})' if others else ''}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="blender --command plant_dynamics", description="Plants that move as real ones do."
    )
    subs = parser.add_subparsers(dest="command", required=True)
    for name, act, add_arguments, text in (
        ("grow", _grow, _add_grow, "Grow a plant in an empty file and save it."),
        ("regrow", _regrow, _add_regrow, "Grow plants of a file again in their places, with something changed."),
        ("simulate", _simulate, _add_simulate, "Simulate plants and tell how they move; the file stays as it is."),
        ("bake", _bake, _add_bake, "Write the motion of plants to keyframes and save the file."),
        ("compare", _compare, _add_compare, "Set a plant beside itself with other values, and render that."),
        ("info", _info, _add_info, "Tell what runs here and which plants a file or a folder holds."),
    ):
        sub = subs.add_parser(name, help=text, description=text)
        sub.set_defaults(act=act)
        add_arguments(sub.add_argument)
    return parser


def _add_grow(add: _Add) -> None:
    add("source", help="name of a preset, or a file with an L-system")
    add("-o", "--output", type=Path, required=True, help="the .blend to write")
    _add_changes(add, "age in derivation steps (default: as the text says)", seed=0)
    add("--unit", type=values.number(1e-6, 1e3), default=0.0, metavar="METRES",
        help="that a length of 1 in an object of L-studio is (default: it is half a metre large)")  # fmt: skip
    add("--thicken", action="store_true", help="lines of an object of L-studio become wide enough for wood to carry it")
    add("--prune-below", type=values.number(0.0, math.inf), default=1e-4, metavar="METRES")
    add("--pot", action="store_true", help="add a pot")
    add("--detail", choices=[name.lower() for name in CHOICES], default="auto", help="of the mesh")
    add("--leaf-bones", type=int, default=0, help="of leaves of one segment; 0: by how many leaves there are")
    add("--instance", action="store_true", help="leaves and flowers are instances")
    _add_frames(add, "the scene's frames")


def _add_regrow(add: _Add) -> None:
    add("file", type=Path, help="a .blend with plants")
    add("source", nargs="?", help="another preset, or a file with an L-system (default: their own)")
    _add_plant(add)
    _add_changes(add, "age in derivation steps")
    add("--around", metavar="NAME", help="object or collection that the plant grows around, if its text asks for any")
    _add_output(add)


def _add_simulate(add: _Add) -> None:
    _add_file(add)
    add("--last", type=values.whole(-values.last_frame(), values.last_frame()),
        help="last frame (default: the scene's)")  # fmt: skip
    add("--csv", type=Path, help="write tip, angle and energies of every frame to this table")
    add("--plot", type=Path, help="the same as a picture, a PNG")
    add("--stress", action="store_true", help="also tell which bones would break by their strength")
    _add_allow_stopped(add)


def _add_bake(add: _Add) -> None:
    _add_file(add)
    _add_frames(add, "frames with keys (default: the scene's)")
    add("--target", choices=TARGETS, default="NEW", help="where keys go")
    add("--step", type=values.whole(1, values.last_frame()), default=1, help="a key on every n-th frame")
    add("--max-error", type=values.number(0.0, 30.0), default=0.0, metavar="DEGREES",
        help="leave out keys where every bone stays this near (default: 0, leave out none)")  # fmt: skip
    add("--loop", type=values.whole(0, values.last_frame()), default=0, metavar="FRAMES",
        help="over so many frames at the end go over into the beginning, for a seamless loop")  # fmt: skip
    add("--part", action="store_true", help="keep a former bake's keys outside the frames")
    add("--edited", choices=("refuse", "replace", "keep"), default="refuse",
        help="what to do with baked keys that were edited since; keep: in a copy")  # fmt: skip
    _add_allow_stopped(add)
    _add_output(add)


def _add_compare(add: _Add) -> None:
    _add_file(add)
    add("quantity", type=str.upper, choices=QUANTITIES, metavar="QUANTITY",
        help=f"one of {', '.join(name.lower() for name in QUANTITIES)}")  # fmt: skip
    add("values", help='such as "0.5x, 1x, 2x", "50, 0.2 GPa" or 100:400:4 (from, to, how many)')
    add("--constant", default="", help="name of the L-system's constant, of the quantity 'constant'")
    _add_frames(add, "frames to compare (default: the scene's)")
    add("-o", "--output", type=Path, help="the .blend to write")
    add("--folder", type=Path, default=Path("comparison"), help="where pictures go (default: comparison)")
    add("--stills", metavar="FRAMES", help='render these frames, such as "1, 12, 24"')
    add("--movie", action="store_true", help="render all frames to a movie")
    add("--plots", action="store_true", help="plot tips and energies, and write tables")
    add("--width", type=values.whole_of(CompareSettings, "width"), default=1280, help="width of the picture, pixels")
    add("--samples", type=values.whole_of(CompareSettings, "samples"), default=24, help="Cycles samples per pixel")
    _add_allow_stopped(add)


def _add_info(add: _Add) -> None:
    add("file", type=Path, nargs="?", help="a .blend, or a folder with objects of L-studio")
    add("--json", action="store_true", help="in a form for other programs")


def _add_file(add: _Add) -> None:
    add("file", type=Path, help="a .blend with plants")
    _add_plant(add)


def _add_plant(add: _Add) -> None:
    add("--plant", action="append", default=[], metavar="NAME",
        help="a plant's name; may be repeated (default: all of the scene's)")  # fmt: skip


def _add_changes(add: _Add, steps: str, seed: int | None = None) -> None:
    """What may be grown otherwise; the help for --steps, and the seed where none is given."""
    add("--steps", type=values.number(0.0, math.inf), help=steps)
    add("--seed", type=values.whole_of(GrowOptions, "seed"), default=seed)
    add("--constant", type=values.constant, action="append", default=[], metavar="NAME=VALUE",
        help="another value of a constant of the text; may be repeated")  # fmt: skip


def _add_frames(add: _Add, text: str) -> None:
    add("--frames", type=values.frames, metavar="FIRST-LAST", help=text)


def _add_output(add: _Add) -> None:
    add("-o", "--output", type=Path, help="the .blend to write (default: the same file)")


def _add_allow_stopped(add: _Add) -> None:
    add("--allow-stopped", action="store_true",
        help="take the motion of plants too that did not settle or were stopped")  # fmt: skip
