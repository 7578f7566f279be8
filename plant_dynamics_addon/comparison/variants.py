# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant repeated: copies of everything that belongs to it, or grown anew from its L-system."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..baking.bake import clear_bake
from ..blender.evaluation_cache import EvaluationCache
from ..blender.fcurves import assign, slot_of
from ..blender.view_layers import depsgraph_of
from ..changes import unheard
from ..dynamics.live.live import stop_live
from ..dynamics.rig.moved import things_of
from ..dynamics.surroundings.inputs import own_targets
from ..errors import PlantError
from ..grow.from_text import grown_in_steps
from ..grow.objects.rollback import selection_kept
from ..grow.options import recipe_of
from ..grow.provenance import recipe_of_plant, take_over
from ..relations import ties_between
from .animation import moves_by_itself, write_places
from .quantities import Quantity, Variant
from .sticks import add_sticks
from .values import Value


def belongings(
    obj: bpy.types.Object, scene: bpy.types.Scene, company: Sequence[bpy.types.Object] = ()
) -> list[bpy.types.Object]:
    """What is seen of a plant: everything below it, and the meshes elsewhere that it deforms. Without what belongs to
    other plants of its company."""
    apart = {one for other in company if other != obj for one in (other, *other.children_recursive)}
    below = [one for one in obj.children_recursive if one not in apart]
    return below + [one for one in scene.objects if one not in below and one not in apart and is_deformed_by(one, obj)]


def is_deformed_by(mesh: bpy.types.Object, obj: bpy.types.Object) -> bool:
    """Whether the armature object moves the mesh's vertices."""
    return mesh.type == "MESH" and any(m.type == "ARMATURE" and m.object == obj for m in mesh.modifiers)


def copy_plant(
    obj: bpy.types.Object, scene: bpy.types.Scene, company: Sequence[bpy.types.Object] = ()
) -> Variant:
    """The plant once more, with what it moves, neither baked nor live, linked to no scene. It shares actions and
    materials only. company: the plants that are repeated beside it."""
    copied = {obj: obj.copy()}
    copied[obj].data = obj.data.copy()
    for other in belongings(obj, scene, company):
        copied[other] = other.copy()
        if other.type == "MESH":
            copied[other].data = other.data.copy()
    for other in copied.values():
        if other is not copied[obj] and other.parent in copied:
            before = other.matrix_parent_inverse.copy()
            other.parent = copied[other.parent]
            other.matrix_parent_inverse = before
        for modifier in other.modifiers:
            if modifier.type == "ARMATURE" and modifier.object in copied:
                modifier.object = copied[modifier.object]
    top = copied[obj]
    things = _copy_things(obj, scene, top)
    _let_go(top)
    return Variant(top, scene, obj, [one for one in copied.values() if is_deformed_by(one, top)], things)


def moved_by(obj: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """What the plant moves, but for what is disabled in the scene or in an excluded collection."""
    depsgraph = depsgraph_of(obj, scene, bpy.context.evaluated_depsgraph_get(), EvaluationCache())
    return [one for one in things_of(obj) if one.evaluated_get(depsgraph).is_evaluated]


def _copy_things(
    obj: bpy.types.Object, scene: bpy.types.Scene, top: bpy.types.Object
) -> list[bpy.types.Object]:
    """What the plant moves once more, for its copy to move."""
    copied = {one: one.copy() for one in moved_by(obj, scene)}
    with unheard():
        for one in copied.values():
            one.data = one.data.copy()
            one.plant_dynamics.thing.plant = top
        for row in top.plant_dynamics.things:
            row.object = copied.get(row.object)
    return list(copied.values())


def _let_go(copied: bpy.types.Object) -> None:
    """The copy of a plant, with what it moves, is neither live nor baked."""
    stop_live(copied)
    if copied.plant_dynamics.is_baked:
        clear_bake(copied)


def everything_of(variant: Variant) -> list[bpy.types.Object]:
    """The armature object and all that is seen of the variant, without what it moves."""
    return [variant.obj, *variant.obj.children_recursive,
            *(mesh for mesh in variant.meshes if mesh not in variant.obj.children_recursive)]  # fmt: skip


def repeat_handles(variant: Variant) -> None:
    """A handle of its own for every load that has one, moved by as much as its tip has moved by growing longer."""
    obj = variant.original
    for before, load in zip(own_targets(obj), own_targets(variant.obj), strict=True):
        shift = obj.matrix_world.to_3x3() @ (_tail_of(variant.obj, load.bone) - _tail_of(obj, before.bone))
        handle = load.target.copy()
        variant.handles.append(handle)
        if moves_by_itself(load.target):
            empty = bpy.data.objects.new(f"Shift {handle.name}", None)
            empty.empty_display_size = 0.01
            empty.location = shift
            handle.parent = empty
            variant.fitted.append(empty)
        load.target = handle


def tie_copies(variants: Sequence[Variant]) -> None:
    """Let copies of plants that are tied to each other be so too."""
    copies = {one.original: one.obj for one in variants}
    for one in variants:
        for load in ties_between(one.obj):
            if load.other_object in copies:
                load.other_object = other = copies[load.other_object]
                if load.other_bone not in other.data.bones:
                    load.other_bone = max(other.data.bones, key=lambda bone: bone.tail_local.length).name


def carried(
    variant: Variant, carrier: bpy.types.Object, moved: Mapping[bpy.types.Object, list[Matrix]], frames: range
) -> None:
    """Have the carrier move the plant, its handles and what it moves, which keep their motion. moved: world matrices at
    the frames of those originals that others move."""
    top, obj = variant.obj, variant.original
    if obj in moved:
        write_places(top, moved[obj], frames)
    top.parent, top.matrix_parent_inverse = carrier, Matrix()
    for load, handle in zip(own_targets(obj), variant.handles, strict=True):
        if load.target in moved:
            write_places(handle, moved[load.target], frames)
            handle.parent, handle.matrix_parent_inverse = carrier, Matrix()
    for one in (*variant.fitted, *variant.things):
        one.parent = carrier
    if not variant.meshes:
        variant.meshes.append(add_sticks(top))


def regrow(
    context: bpy.types.Context, obj: bpy.types.Object, quantity: Quantity | None, constant: str, value: Value | None
) -> Generator[float, None, Variant]:
    """The plant grown anew, with the settings, loads and animation of the object, in steps.

    From what it was grown from, or, where that is not known, as the Grow panel says.
    """
    options = context.scene.plant_dynamics
    pot = any(one.type == "MESH" and not is_deformed_by(one, obj) for one in obj.children)
    recipe = recipe_of_plant(obj) if obj.plant_dynamics.growth.is_known else recipe_of(options)
    recipe = replace(recipe, pot=pot)
    name = quantity.name if quantity and value else ""
    number = value.number if value else 0.0
    if name == "CONSTANT":
        recipe = replace(recipe, constants={**recipe.constants, constant: number})
    elif name in ("STEPS", "SEED"):
        recipe = replace(recipe, **{name.lower(): round(number)})
    with selection_kept(context):
        grown = yield from grown_in_steps(context, recipe, instead_of=obj)
    top = obj.copy()
    top.data = grown.data
    take_over(top, grown)
    for bone in top.pose.bones:
        bone.rotation_mode = "QUATERNION"
    children = list(grown.children_recursive)
    for child in children:
        if child.parent == grown:
            child.parent = top
        for modifier in child.modifiers:
            if modifier.type == "ARMATURE":
                modifier.object = top
        for collection in list(child.users_collection):
            collection.objects.unlink(child)
    bpy.data.objects.remove(grown)
    things = _copy_things(obj, context.scene, top)
    _let_go(top)
    for load in top.plant_dynamics.loads:
        if load.bone and load.bone not in top.data.bones:
            load.bone = max(top.data.bones, key=lambda bone: bone.tail_local.length).name
    return Variant(top, context.scene, obj, [child for child in children if is_deformed_by(child, top)], things)


def check_recipe(context: bpy.types.Context, obj: bpy.types.Object) -> Iterator[float]:
    """In steps: PlantError unless it is known how this plant was grown, or the Grow panel says it."""
    again = yield from regrow(context, obj, None, "", None)
    same = len(again.obj.data.bones) == len(obj.data.bones) and np.allclose(
        [bone.length for bone in again.obj.data.bones], [bone.length for bone in obj.data.bones], rtol=1e-4
    )
    remove([*again.obj.children_recursive, again.obj, *again.things])
    if not same and obj.plant_dynamics.growth.is_known:
        raise PlantError(
            "The bones of '{object}' have been edited since it was grown: press Grow Again before",
            object=obj.name,
        )
    if not same:
        raise PlantError(
            "The Grow panel does not say how '{object}' was grown: choose its preset or text, Steps, Seed and "
            "Prune Below there",
            object=obj.name,
        )


def _tail_of(obj: bpy.types.Object, bone: str) -> Vector:
    """The bone's tip as it is drawn, in the object's space."""
    found = obj.data.bones.get(bone)
    return found.tail_local.copy() if found else Vector()


def remove(objects: list[bpy.types.Object]) -> None:
    """Delete objects, and data and actions that nothing else uses then."""
    held = [obj.data for obj in objects if obj.data]
    held += [obj.animation_data.action for obj in objects if obj.animation_data and obj.animation_data.action]
    bpy.data.batch_remove(objects)
    bpy.data.batch_remove({data for data in held if data.users == 0})


@contextmanager
def air_kept(scene: bpy.types.Scene) -> Iterator[None]:
    """The scene's wind and its animation are afterwards as before."""
    wind, data = scene.plant_dynamics.wind, scene.animation_data
    source, speed = wind.source, wind.speed
    action, slot = (data.action, slot_of(data)) if data else (None, "")
    try:
        yield
    finally:
        if data and data.action != action:
            own = data.action
            assign(data, action, slot)
            bpy.data.actions.remove(own)
        if (wind.source, wind.speed) != (source, speed):
            wind.source, wind.speed = source, speed
