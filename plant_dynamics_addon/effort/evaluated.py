# SPDX-License-Identifier: GPL-3.0-or-later
"""The motion of an armature's bones as Blender evaluates it, whatever moves them, read once at every frame."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...solver import rotations
from ..blender.evaluation_cache import EvaluationCache
from ..blender.in_bulk import values_of
from ..blender.timeline import frame_handler_paused, place_in_time
from ..blender.view_layers import depsgraph_of
from ..dynamics.live.live import go_back
from ..dynamics.rig.armature_reader import read_armature
from ..dynamics.rig.plant import Plant
from ..dynamics.surroundings.gravity import Gravity
from ..dynamics.surroundings.influence import Moment
from ..errors import PlantError
from .joint_moments import RodMotion


@dataclass(frozen=True)
class Evaluated:
    """What is simulated of an armature, and how its m rods move in k frames: over the armature's own scale at the first
    frame their scale along their axes (k, m, 3), and that of the armature (k,)."""

    plant: Plant
    motion: RodMotion
    stretch: np.ndarray
    scale: np.ndarray


def evaluated_motion(
    context: bpy.types.Context, obj: bpy.types.Object, first: int, last: int
) -> Generator[float, None, Evaluated]:
    """Evaluate the frames one after the other and read the bones, yielding progress 0..1.

    The scene's frame is put back at the end, also when the iteration is given up. Raises PlantError.
    """
    scene, plant, index = context.scene, None, np.empty(0, dtype=np.int64)
    frame_before, subframe_before = place_in_time(scene)
    rows: list[tuple[np.ndarray, ...]] = []
    try:
        with frame_handler_paused():
            for frame in range(first, last + 1):
                scene.frame_set(frame)
                once = EvaluationCache()
                depsgraph = depsgraph_of(obj, scene, context.evaluated_depsgraph_get(), once)
                now = obj.evaluated_get(depsgraph)
                if not now.is_evaluated:
                    raise PlantError(
                        "'{object}' is not evaluated, for it is disabled in viewports or excluded from the view "
                        "layer. Enable it in the Outliner",
                        object=obj.name,
                    )
                if plant is None:
                    plant = read_armature(obj, now.matrix_world)
                    place = {name: i for i, name in enumerate(obj.pose.bones.keys())}
                    index = np.array([place[name] for name in plant.bones])
                world: dict[str, Any] = {}
                Gravity().read(Moment(obj, plant, scene, depsgraph, once), world)
                rows.append((*_bones(now, plant, index, frame), np.array(world["gravity"], dtype=np.float64)))
                yield (frame - first + 1) / (last - first + 1)
    finally:
        go_back(scene, frame_before, subframe_before)
    assert plant is not None
    orientation, head, stretch, scale, gravity = (np.array(column) for column in zip(*rows, strict=True))
    return Evaluated(plant, RodMotion(orientation, head, gravity), stretch, scale)


def _bones(
    now: bpy.types.Object, plant: Plant, index: np.ndarray, frame: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """World orientations, heads, stretches and the armature's scale of its evaluated pose. Raises PlantError."""
    of_object = np.array(now.matrix_world, dtype=np.float64)
    columns = values_of(now.pose.bones, "matrix", 16).astype(np.float64)[index].reshape(-1, 4, 4)
    posed = columns.transpose(0, 2, 1)
    wrong = np.flatnonzero(~np.isfinite(posed).all(axis=(1, 2)))
    if wrong.size or not np.isfinite(of_object).all():
        where = f"'{now.name}', bone '{plant.bones[wrong[0]]}'" if wrong.size else f"'{now.name}'"
        raise PlantError(
            "{where}: its place is not a number at frame {frame}. Look for what moves it there: keys, drivers, "
            "constraints",
            where=where, frame=frame,
        )
    if np.linalg.det(of_object[:3, :3]) <= 0.0:
        raise PlantError(
            "'{object}' is mirrored or has a scale of zero at frame {frame}: keep the scale of it and of what it "
            "hangs on above zero",
            object=now.name, frame=frame,
        )
    stretch = np.linalg.norm(posed[:, :3, :3], axis=1)
    flat = np.flatnonzero(~(stretch > 1e-6).all(axis=1))
    if flat.size:
        raise PlantError(
            "'{object}', bone '{bone}': it has a scale of zero at frame {frame}, and so no direction. Give it another",
            object=now.name, bone=plant.bones[flat[0]], frame=frame,
        )
    world = of_object @ posed
    scale = np.linalg.norm(of_object[:3, :3], axis=0).mean() / plant.scale
    return rotations.from_matrices(_turned(world[:, :3, :3])), world[:, :3, 3], stretch, scale


def _turned(axes: np.ndarray) -> np.ndarray:
    """(n, 3, 3) rotations nearest to matrices whose columns are axes: the bone's own direction stays."""
    y = axes[:, :, 1] / np.linalg.norm(axes[:, :, 1], axis=1)[:, None]
    x = axes[:, :, 0] - (axes[:, :, 0] * y).sum(axis=1)[:, None] * y
    x /= np.linalg.norm(x, axis=1)[:, None]
    return np.stack([x, y, np.cross(x, y)], axis=2)
