# SPDX-License-Identifier: GPL-3.0-or-later
"""A grown plant is deleted, with everything that was made for it and nothing else."""

from collections.abc import Collection

import bpy

from .baking.bake import clear_bake
from .dynamics.live.live import stop_live
from .dynamics.surroundings.winds import take_back_given
from .errors import PlantError
from .grow.objects.parts import all_parts, left_over, let_stand, remove_parts
from .plants import dynamic_objects


def check_deletable(obj: bpy.types.Object) -> None:
    """PlantError where the plant cannot be deleted with all that belongs to it."""
    if not obj.plant_dynamics.growth.is_known:
        raise PlantError(
            "'{object}' was not grown here: Delete Plant would not know what belongs to it. Remove Dynamics, the X "
            "beside its name, takes only the dynamics away",
            object=obj.name,
        )
    for one in (obj, *all_parts(obj)):
        if not one.is_editable or one.override_library is not None:
            raise PlantError("'{one}' comes from another file: delete its link in the Outliner", one=one.name)


def delete_plant(obj: bpy.types.Object) -> int:
    """Delete a grown plant: armature, mesh, organs, pot, soil, baked keys, and the handles that were made for its loads
    and that no other plant uses, with their data where nothing else does. Returns how many objects are gone.

    What the user has parented to it goes on standing where it stands. Materials stay, for the next plant, and so do
    actions that the user has keyed. A wind that Grow chose for the scene's first plant goes with the last one. In
    Object Mode. Raises PlantError, with everything as it was.
    """
    check_deletable(obj)
    scenes = [scene for scene in bpy.data.scenes if obj.name in scene.objects]
    stop_live(obj)
    if obj.plant_dynamics.is_baked:
        clear_bake(obj)
    handles, parts = _own_handles(obj), all_parts(obj)
    let_stand([obj, *parts, *handles])
    remove_parts(parts)
    _remove([obj, *handles])
    for scene in scenes:
        if not dynamic_objects(scene):
            take_back_given(scene)
    return len(parts) + len(handles) + 1


def delete_left_over(scene: bpy.types.Scene) -> int:
    """Delete what is left over in the scene from plants whose armatures were deleted, and handles there that no plant
    uses any more. Returns how many objects are gone."""
    left, handles = left_over(scene), unused_handles(scene)
    let_stand([*left, *handles])
    gone = len(left) + len(handles)
    remove_parts(left)
    _remove(handles)
    return gone


def unused_handles(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The handles in the scene that were made for plants and that none has any more."""
    used = set().union(*(_targets(obj) for obj in bpy.data.objects))
    return [obj for obj in scene.objects if obj.plant_dynamics.is_handle and obj not in used and obj.is_editable]


def _targets(obj: bpy.types.Object) -> set[bpy.types.Object]:
    return {load.target for load in obj.plant_dynamics.loads if load.target is not None}


def _own_handles(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Those that were made for the plant's loads and that no other plant's loads use."""
    others = set().union(*(_targets(other) for other in bpy.data.objects if other != obj))
    return [one for one in _targets(obj) - others if one.plant_dynamics.is_handle and one.is_editable]


def _remove(objects: Collection[bpy.types.Object]) -> None:
    data = [obj.data for obj in objects if obj.data is not None]
    bpy.data.batch_remove(objects)
    bpy.data.batch_remove([one for one in dict.fromkeys(data) if one.users == 0])
