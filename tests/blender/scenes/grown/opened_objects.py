# SPDX-License-Identifier: GPL-3.0-or-later
"""An object of L-studio all the way from its file to keyframes, by the buttons of the panel."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import bpy
import numpy as np

from tests.blender.scenes import plants

#: A patch that bulges, as a surface's file.
SURFACE = """0 1 0 1 0 1
CONTACT POINT X: 0 Y: 0 Z: 0
END POINT X: 0 Y: 0 Z: 0
HEADING X: 0 Y: 1 Z: 0
UP X: 0 Y: 0 Z: 1
SIZE: 1
one
TOP COLOR: 1 DIFFUSE: 5 BOTTOM COLOR: 2 DIFFUSE: 3
AL: ~ A: ~ AR: ~
L: ~ R: ~
BL: ~ B: ~ BR: ~
-1 0 0 -.33 0 0 .33 0 0 1 0 0
-1 1 0 -.33 1 2 .33 1 2 1 1 0
-1 2 0 -.33 2 2 .33 2 2 1 2 0
-1 3 0 -.33 3 0 .33 3 0 1 3 0
"""

STEPS = ("open", "grow", "settle", "play", "bake")
FRAMES = 24
_STILL, _SAME, _MOVED = 1e-4, 1e-4, 1e-3
"""By the plant's size: what is at rest moves less, what is baked is where it was; wind moves the tips more."""

Poses = np.ndarray
"""(frames, bones, 4, 4) matrices in the plant's space."""


@dataclass
class Taken:
    """What became of one object."""

    name: str
    seconds: dict[str, float] = field(default_factory=dict)
    """Of the processor, by steps that were done."""
    bones: int = 0
    vertices: int = 0
    moved: float = 0.0
    """How far wind has moved what it moves most, by the plant's size."""
    problems: list[str] = field(default_factory=list)


def take(file: Path, name: str, frames: int = FRAMES) -> Taken:
    """Open a `.l` file in an empty scene, grow it, let it settle in still air, play it in wind and bake it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, frames
    taken = Taken(name)
    try:
        _take(file, taken, range(1, frames + 1))
    except RuntimeError as error:  # which is how scripts are told what operators report
        taken.problems.append(" ".join(str(error).split()))
    return taken


def _take(file: Path, taken: Taken, frames: range) -> None:
    operators = bpy.ops.plant_dynamics
    _timed(taken, "open", lambda: operators.open_object(filepath=str(file)))
    _timed(taken, "grow", operators.grow)
    obj = bpy.context.object
    taken.bones, taken.vertices = len(obj.data.bones), len(plants.mesh_of(obj).data.vertices)
    ends = np.array([(*bone.head_local, *bone.tail_local) for bone in obj.data.bones]).reshape(-1, 3)
    size = float(np.ptp(ends, axis=0).max())

    operators.wind_preset(preset="STILL")
    operators.play()
    still = _timed(taken, "settle", lambda: _played(obj, range(1, 4)))
    start = importlib.import_module(f"{plants.ADDON}.dynamics.motion.sessions").session_of(obj).known.equilibrium
    _check(taken, bool(np.isfinite(still).all()), "poses are not finite at rest")
    _check(taken, start is not None and start.balanced and start.stable, "the first frame is not in equilibrium")
    _check(taken, _way(still) <= _STILL * size, f"at rest it moves by {_way(still) / size:.1e} of its size")
    operators.reset()

    operators.wind_preset(preset="WIND")
    operators.play()
    preview = _timed(taken, "play", lambda: _played(obj, frames))
    taken.moved = _way(preview) / size
    _check(taken, bool(np.isfinite(preview).all()), "poses are not finite in wind")
    _check(taken, taken.moved >= _MOVED, "wind does not move it")

    _timed(taken, "bake", operators.bake)
    off = float(np.abs(_played(obj, frames) - preview)[..., :3, 3].max()) / size
    _check(taken, off <= _SAME, f"the bake is {off:.1e} of its size beside the preview")


def _played(obj: bpy.types.Object, frames: range) -> Poses:
    """Poses as they are shown, one frame after the other."""
    poses = np.empty((len(frames), len(obj.pose.bones), 16), dtype=np.float32)
    for number, frame in enumerate(frames):
        plants.show(frame)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
        shown.foreach_get("matrix", poses[number].reshape(-1))
    return poses.reshape(len(frames), -1, 4, 4).swapaxes(2, 3)


def _way(poses: Poses) -> float:
    """How far the ends of bones go at most from where they are in the first frame, m; lengths of 1 turn too."""
    places = poses[..., :3, 3]
    return float(np.linalg.norm(places - places[0], axis=-1).max())


def _timed(taken: Taken, step: str, act: Callable[[], object]) -> Poses:
    begin = process_time()
    result = act()
    taken.seconds[step] = process_time() - begin
    return np.asarray(result)


def _check(taken: Taken, is_well: bool, problem: str) -> None:
    if not is_well:
        taken.problems.append(problem)
