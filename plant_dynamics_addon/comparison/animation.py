# SPDX-License-Identifier: GPL-3.0-or-later
"""Animation of what is repeated: keys that are scaled, and motion that is written down frame by frame."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing

import bpy
from mathutils import Matrix

from ..blender.fcurves import actions_of, assign, curve_lists, curve_owner, slot_of
from ..blender.timeline import frame_handler_paused, place_in_time
from ..dynamics.live.live import go_back
from ..errors import PlantError

_TRANSFORM = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def keyed_or(owner: bpy.types.Object | bpy.types.Scene, path: str, present: float) -> float:
    """What a property's values are in proportion to: of a keyed one its largest key, whatever frame is shown, else its
    present value."""
    data = owner.animation_data
    used = (data.action, slot_of(data)) if data is not None and data.action is not None else None
    curves = [curve for curves in curve_lists(*used) for curve in curves] if used else []
    keys = [key.co.y for curve in curves if curve.data_path == path for key in curve.keyframe_points]
    return max(keys, key=abs, default=present)


def set_in_proportion(owner: bpy.types.Object | bpy.types.Scene, path: str, value: float, present: float) -> None:
    """Have the keys of a property, in a copy of the owner's action, be in proportion to what they are, and the largest
    of them the value. present: that of `keyed_or`. Raises PlantError where something else than keys animates it."""
    data = owner.animation_data
    if data is None:
        return
    if any(driver.data_path == path for driver in data.drivers):
        raise PlantError("'{owner}': a driver sets what is to be compared. Remove it first", owner=owner.name)
    if any(curve.data_path == path for used in actions_of(data) if used[0] != data.action
           for curves in curve_lists(*used) for curve in curves):  # fmt: skip
        raise PlantError(
            "'{owner}': a strip of the NLA sets what is to be compared. Key it in the action",
            owner=owner.name,
        )
    if data.action is None or not any(curve.data_path == path for curve in curves_of(owner)):
        return
    if present == 0.0:
        raise PlantError(
            "'{owner}': all keys of what is to be compared are 0. Give it one that is not",
            owner=owner.name,
        )
    assign(data, data.action.copy(), slot_of(data))
    factor = value / present
    for curve in curves_of(owner):
        if curve.data_path == path:
            for key in curve.keyframe_points:
                key.handle_left.y *= factor
                key.handle_right.y *= factor
                key.co.y *= factor


def curves_of(owner: bpy.types.ID) -> bpy.types.bpy_prop_collection:
    """The F-curves by which its action animates the owner."""
    return curve_owner(owner, owner.animation_data.action).fcurves


def moves_by_itself(obj: bpy.types.Object) -> bool:
    """Whether nothing but the object's own channels says where it is, so that it can be carried elsewhere."""
    driven = obj.animation_data and any(d.data_path in _TRANSFORM for d in obj.animation_data.drivers)
    return not (obj.parent or obj.constraints or obj.rigid_body or driven)


def animated_paths(obj: bpy.types.Object) -> set[str]:
    """Data paths that the object's action animates."""
    data = obj.animation_data
    return {curve.data_path for curve in curves_of(obj)} if data and data.action else set()


def looked_through(context: bpy.types.Context, frames: range) -> Generator[bpy.types.Depsgraph, None, None]:
    """The scene as it evaluates at each of the frames; its own frame is put back."""
    scene = context.scene
    before, subframe = place_in_time(scene)
    try:
        with frame_handler_paused():
            for frame in frames:
                scene.frame_set(frame)
                yield context.evaluated_depsgraph_get()
    finally:
        go_back(scene, before, subframe)


def places(
    context: bpy.types.Context, objects: Iterable[bpy.types.Object], frames: range
) -> Generator[float, None, dict[bpy.types.Object, list[Matrix]]]:
    """World matrices of the objects at the frames, in steps."""
    found: dict[bpy.types.Object, list[Matrix]] = {obj: [] for obj in objects}
    if not found:
        return {}
    with closing(looked_through(context, frames)) as evaluated:
        for depsgraph in evaluated:
            for obj, matrices in found.items():
                matrices.append(obj.evaluated_get(depsgraph).matrix_world.copy())
            yield 0.0
    return found


def write_places(obj: bpy.types.Object, matrices: Sequence[Matrix], frames: Iterable[int]) -> None:
    """Key the object's place at every frame, in place of all that moved it."""
    _hold_still(obj)
    for frame, matrix in zip(frames, matrices, strict=True):
        _stand_at(obj, matrix)
        for path in ("location", "rotation_quaternion", "scale"):
            obj.keyframe_insert(path, frame=frame)


def write_place(obj: bpy.types.Object, matrix: Matrix) -> None:
    """Have the object stand there, and nothing move it."""
    _hold_still(obj)
    _stand_at(obj, matrix)


def _hold_still(obj: bpy.types.Object) -> None:
    """Take away all that moves the object."""
    obj.parent = None
    obj.constraints.clear()
    data = obj.animation_data
    for driver in [d for d in data.drivers if d.data_path in _TRANSFORM] if data else ():
        data.drivers.remove(driver)
    if data and data.action:
        assign(data, data.action.copy(), slot_of(data))
        curves = curves_of(obj)
        for curve in [curve for curve in curves if curve.data_path in _TRANSFORM]:
            curves.remove(curve)
    obj.rotation_mode = "QUATERNION"
    obj.delta_location, obj.delta_rotation_quaternion, obj.delta_scale = (0, 0, 0), (1, 0, 0, 0), (1, 1, 1)


def _stand_at(obj: bpy.types.Object, matrix: Matrix) -> None:
    obj.location, rotation, obj.scale = matrix.decompose()
    if rotation.dot(obj.rotation_quaternion) < 0.0:
        rotation.negate()
    obj.rotation_quaternion = rotation
