# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant is replaced by another one that is grown in its place.

Armature object, mesh, pot and soil stay the objects they are, with all that is set, keyed or tied to them; what
changes is their data. So nothing has to be copied, and other objects go on knowing them.

from bl_ext.user_default.plant_dynamics.plant_dynamics_addon import commands

commands.regrow(rose, steps=30)
"""

import re
from collections.abc import Generator, Iterator

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_

from ..blender.fcurves import actions_of, assign, curve_lists, find_owner, posed, slot_of
from ..blender.meanwhile import result_of
from ..changes import object_changed
from ..dynamics.live.live import go_live, is_live, note_outside, show_soon, stop_live
from ..dynamics.live.refusals import forget
from ..errors import PlantError
from ..viewport.boxed_bones import is_boxed, set_boxed
from .from_text import grown_in_steps
from .handles import Handles
from .objects.armature import are_in_front, display_of
from .objects.parts import all_parts, exchange_parts, rename_parts
from .objects.ties import Ties
from .provenance import exact_recipe, recipe_of_plant, take_over
from .recipe import Recipe

_SHOWN = ("show_axes", "show_names", "axes_position", "pose_position", "relation_line_position")
_MATRIX_TOLERANCE = 1e-6


def check_regrowable(obj: bpy.types.Object) -> None:
    """PlantError where the plant cannot be replaced."""
    if not obj.plant_dynamics.growth.is_known:
        raise PlantError("'{object}' was not grown here, or by an older version", object=obj.name)
    for one in (obj, *all_parts(obj)):
        if one.override_library is not None:
            raise PlantError(
                "'{one}' is a library override, whose bones cannot be exchanged: make it local",
                one=one.name,
            )
        if not one.is_editable:
            raise PlantError("'{one}' is linked from another file: make it local, or grow it anew there", one=one.name)
    if obj.mode == "EDIT":
        raise PlantError("Leave Edit Mode first")


def regrow(context: bpy.types.Context, obj: bpy.types.Object, recipe: Recipe) -> list[str]:
    """`regrown_in_steps`, all at once."""
    return result_of(regrown_in_steps(context, obj, recipe))


def regrown_in_steps(
    context: bpy.types.Context, obj: bpy.types.Object, recipe: Recipe
) -> Generator[float, None, list[str]]:
    """Grow what the recipe says in the plant's place, yielding progress 0..1. Returns what is to be said.

    Stays: the object with its transform, parent, constraints and collections, the name that the user has given it, the
    plant's settings, loads and
    keys, materials that the user has put into its slots, and all that is tied to a bone, to another one if that is
    gone; handles go where their bones have gone. What was changed on single bones stays only where the same is grown
    with another look. A plant that was playing plays on.
    Raises PlantError and LSystemError; the plant is then as before, as it is when this is given up.
    """
    check_regrowable(obj)
    title = recipe_of_plant(obj).title
    exact = exact_recipe(obj, recipe)
    same = exact is not None
    if obj.plant_dynamics.is_baked and not same:
        raise PlantError(
            "'{object}' is baked, and the keys are those of its present bones. Use Clear Bake first",
            object=obj.name,
        )
    layer = context.view_layer
    is_posed = layer.objects.active == obj and obj.mode == "POSE"
    new = yield from grown_in_steps(context, exact or recipe, (0.0, 0.0, 0.0), obj)
    for other in list(context.selected_objects):
        other.select_set(False)
    told: list[str] = []
    handles = Handles(obj)
    if not (same and (obj.plant_dynamics.is_baked or _has_same_shape(obj, new))):
        was_live = is_live(obj)
        stop_live(obj)
        told = _exchange_bones(obj, new)
        object_changed(obj)
        forget(obj)
        if was_live:
            go_live(obj)
    meshes = [part for part in all_parts(obj) if part.data.shape_keys is not None]
    told += _gone(rpt_("The shape keys are gone of {names}"), [part.name for part in meshes])
    _raise(obj, exchange_parts(obj, new))
    handles.come_along()
    take_over(obj, new)
    unused = new.data
    bpy.data.objects.remove(new)
    if unused.users == 0:
        bpy.data.armatures.remove(unused)
    if title != recipe.title and _is_called(obj, title):
        called, obj.name = obj.name, recipe.title
        rename_parts(obj, called)
    _choose(layer, obj, is_posed)
    if is_live(obj):
        note_outside()
        show_soon()
    return told


def _is_called(obj: bpy.types.Object, title: str) -> bool:
    """Whether the plant has the name that it was grown with, or that with a number behind it."""
    return re.fullmatch(rf"{re.escape(title)}(\.\d+)?", obj.name) is not None


def _has_same_shape(obj: bpy.types.Object, new: bpy.types.Object) -> bool:
    """Whether nobody has edited the bones, or the skin would no longer fit."""
    if [bone.name for bone in obj.data.bones] != [bone.name for bone in new.data.bones]:
        return False
    own, other = (np.array([bone.matrix_local for bone in one.data.bones], np.float64) for one in (obj, new))
    return bool((np.abs(own - other) < _MATRIX_TOLERANCE).all())


def _exchange_bones(obj: bpy.types.Object, new: bpy.types.Object) -> list[str]:
    ties, old, name = Ties(obj), obj.data, obj.data.name
    constrained = [bone.name for bone in obj.pose.bones if len(bone.constraints)]
    for setting in _SHOWN:
        setattr(new.data, setting, getattr(old, setting))
    if old.display_type != display_of(len(old.bones)):  # the user has chosen another
        new.data.display_type = old.display_type
    was_few, are_few = are_in_front(len(old.bones)), are_in_front(len(new.data.bones))
    if obj.show_in_front == was_few:
        obj.show_in_front = are_few
    if is_boxed(obj) != was_few:
        set_boxed(obj, not are_few)
    if old.animation_data is not None and old.animation_data.action is not None:
        assign(new.data.animation_data_create(), old.animation_data.action, slot_of(old.animation_data))
    driven = old.animation_data is not None and len(old.animation_data.drivers) > 0
    had_bodies, before = _has_bodies(old), set(obj.pose.bones.keys())
    obj.data = new.data
    for bone in obj.pose.bones:
        bone.matrix_basis.identity()
        if bone.name not in before:
            bone.rotation_mode = "QUATERNION"
    settings, grown = obj.plant_dynamics, new.plant_dynamics
    settings.bones_have_materials = grown.bones_have_materials
    if had_bodies != _has_bodies(new.data):  # bodies have joints and a start of their own
        settings.layout, settings.start = grown.layout, grown.start
    if old.users == 0:
        bpy.data.armatures.remove(old)
        obj.data.name = name
    told = ties.mend() + _gone(rpt_("The drivers are gone of the armature {names}"), [name] * driven)
    without = [one for one in constrained if one not in obj.pose.bones]
    told += _gone(rpt_("The constraints are gone of {names}"), without)
    keyed = sorted({one for one in _keyed_bones(obj) if one not in obj.pose.bones})
    return told + _gone(rpt_("In the action stay keys of bones that there are no longer: {names}"), keyed)


def _has_bodies(armature: bpy.types.Armature) -> bool:
    return any(bone.plant_dynamics.use_body for bone in armature.bones)


def _gone(what: str, names: list[str]) -> list[str]:
    """The sentence with the names in it, if there are any."""
    return [what.format(names=", ".join([*names[:4], *["..."] * (len(names) > 4)]))] if names else []


def _keyed_bones(obj: bpy.types.Object) -> Iterator[str]:
    data = obj.animation_data
    if data is None:
        return
    lists = [data.drivers, *(curves for used in actions_of(data) for curves in curve_lists(*used))]
    yield from (name for curves in lists for curve in curves if (name := posed(curve.data_path)[0]))


def _raise(obj: bpy.types.Object, height: float) -> None:
    """Let the plant stand where it stood, on another pot or on none; not where its place is keyed."""
    data = obj.animation_data
    owner = find_owner(data.action, slot_of(data)) if data is not None else None
    curves = [*(owner.fcurves if owner is not None else ()), *(data.drivers if data is not None else ())]
    if height and not any(curve.data_path == "location" for curve in curves):
        obj.location += obj.matrix_basis.to_3x3().col[2] * height


def _choose(layer: bpy.types.ViewLayer, obj: bpy.types.Object, is_posed: bool) -> None:
    """Alone selected, and active, as after Grow; in Pose Mode if it was."""
    if obj.name not in layer.objects:
        return
    obj.select_set(True, view_layer=layer)
    layer.objects.active = obj
    if is_posed:
        bpy.ops.object.mode_set(mode="POSE")
