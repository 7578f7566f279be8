# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides: bones tied to each other, of one plant, which closes loops, or of two."""

from collections.abc import Iterator, Set
from typing import Any

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.props import FloatProperty, PointerProperty, StringProperty

from ....blender.evaluation_cache import EvaluationCache
from ....blender.moving_data import is_animated, may_move
from ....blender.view_layers import enabled_objects, layer_of
from ....changes import inputs_changed, object_changed
from ....errors import Fix, PlantError
from ....relations import group_of, is_to_another, ties_between
from ...rig.leaders import is_simulated
from ..influence import Moment
from ..samples import TieTo
from .guiding import HARDNESS, add, hold
from .load import AddButton, Load, NewLoad
from .targeted import TARGET, is_in_scene


def _is_armature(self: bpy.types.PropertyGroup, obj: bpy.types.Object) -> bool:
    return bool(obj.type == "ARMATURE")


def _other_chosen(self: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    if self.other_object is not None and self.other_object == self.id_data:
        self.other_object = None  # which says the same, also of a copy of the plant
        return
    before = bpy.data.objects.get(self.other_name)
    self.other_name = "" if self.other_object is None else self.other_object.name
    for one in {before, self.other_object} - {None}:
        object_changed(one)  # what holds bones decides where these bend
    inputs_changed(self.id_data)


class BoneTies(Load):
    """A string of no length between two bones.

    Where both are simulated and not baked, the string draws both; where the other one moves as it is posed or baked,
    it holds the plant's there.
    """

    item = ("TIE", "Tied", "The bone is tied to another bone, of the plant or of another armature")
    icon = "LINKED"
    button = AddButton(
        "Tie", "Tie the active bone's tip (or the farthest tip) to another selected bone, of this armature or of "
        "another one, or to the bone whose tip is nearest"
    )  # fmt: skip
    properties = {"along": TARGET["along"]} | {
        "other_object": PointerProperty(
            name="Armature",
            type=bpy.types.Object,
            description="The armature to whose bone this one is tied. Empty: the plant itself",
            poll=_is_armature, update=_other_chosen,
        ),
        "other_bone": StringProperty(name="To Bone", description="The bone to which this one is tied"),
        "other_along": FloatProperty(
            name="Along It",
            description="Where on the other bone: 0 at its head, 1 at its tip",
            default=1.0, min=0.0, max=1.0, subtype="FACTOR",
        ),
    } | HARDNESS  # fmt: skip

    def begin(self, new: NewLoad) -> None:
        found = next(_selected_beside(new), None) or _nearest_elsewhere(new)
        if found is not None:
            other, bone = found
            new.load.other_bone, new.load.other_along = bone, _nearer_end(new, other, bone)
            if other != new.obj:
                new.load.other_object = other
        elif nearest := _nearest_to(new):
            new.load.other_bone, new.load.other_along = nearest

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load in self.acting(moment):
            if is_to_another(load):
                _read_between(moment, world, rod, load)
            elif load.other_bone and load.other_bone != load.bone:
                try:
                    other = moment.plant.rod_of(load.other_bone)
                except PlantError as error:
                    raise PlantError(str(error), Fix("LOST_LOAD", moment.obj.session_uid)) from None
                add(world, hold(moment, rod, load, "rod", other_rod=other, other_along=load.other_along))

    def objects(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> list[bpy.types.Object]:
        return [load.other_object for load in ties_between(plant)]

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return any(may_move(one) or _is_posed_anew(one) for one in self.objects(plant, scene, once))

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        if item.bone and is_to_another(item) and (item.other_bone or item.other_object is None):
            return _why_nowhere(item, scene)
        if item.bone and not item.other_bone:
            return "No other bone is chosen: nothing ties this one"
        if item.bone and item.bone == item.other_bone:
            return "A bone cannot be tied to itself: choose another one"
        return super().why_idle(item, settings, scene)


def _why_nowhere(load: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
    """Why it is not known where the bone of another object is, or an empty string."""
    other, plant = load.other_object, load.id_data
    if other is None:
        text = iface_("'{name}', to which the bone was tied, is gone. Choose another object, or '{plant}' itself")
        return text.format(name=load.other_name, plant=plant.name)
    if not is_in_scene(scene, other):
        return iface_("'{name}' is not in this scene").format(name=other.name)
    if load.other_bone not in other.data.bones:
        text = iface_("'{name}' has no bone '{bone}': choose another one")
        return text.format(name=other.name, bone=load.other_bone)
    if not _is_live(other, load.other_bone) and other not in enabled_objects(layer_of(plant, scene), None):
        text = iface_("'{name}' is disabled in viewports, so that its bones are nowhere")
        return text.format(name=other.name)
    return ""


def _is_live(other: bpy.types.Object, bone: str) -> bool:
    """Whether the bone is simulated, and not baked."""
    settings = other.plant_dynamics
    return bool(settings.live and not settings.is_baked and is_simulated(other, bone))


def _is_posed_anew(other: bpy.types.Object) -> bool:
    """Whether the bones of an object may be others at other frames, though it stands still."""
    return is_animated(other.data) or any(bone.constraints for bone in other.pose.bones)


def _read_between(moment: Moment, world: dict[str, Any], rod: int, load: bpy.types.PropertyGroup) -> None:
    """Add a tie to a bone of another object, if it is known where that is."""
    if load.other_object is None or not load.other_bone:
        return
    other = load.other_object.original
    fellow = moment.fellows.get(other.session_uid)
    if fellow is not None and load.other_bone in fellow.plant.bones:
        held: dict[str, Any] = {"other_rod": fellow.plant.rod_of(load.other_bone), "other_along": load.other_along}
        guide = hold(moment, rod, load, "rod", **held)
        if guide is not None:
            world["ties"] = (*world.get("ties", ()), TieTo(fellow.number, guide))
        return
    evaluated = other.evaluated_get(moment.depsgraph)
    bone = evaluated.pose.bones.get(load.other_bone)
    enabled = moment.once(enabled_objects, moment.depsgraph.view_layer, None)
    if bone is None or not evaluated.is_evaluated or other not in enabled:
        return
    is_apart = other.plant_dynamics.live or group_of(other) != group_of(moment.obj)
    if is_apart and not other.plant_dynamics.is_baked and is_simulated(other, bone.name):
        return  # its pose is what has been simulated, at whatever frame is shown
    point = bone.head.lerp(bone.tail, load.other_along)
    add(world, hold(moment, rod, load, "place", position=tuple(evaluated.matrix_world @ point)))


_End = tuple[bpy.types.Object, str]


def _selected_beside(new: NewLoad) -> Iterator[_End]:
    """Other selected bones of this object, then those of others."""
    chosen = [(one.id_data, one.name) for one in bpy.context.selected_pose_bones or ()]
    for own in (True, False):
        yield from (end for end in chosen if (end[0] == new.obj) is own and end != (new.obj, new.bone.name))


def _nearest_elsewhere(new: NewLoad) -> _End | None:
    """The bone whose tip is nearest to this one's, of another selected plant, or armature where none is a plant."""
    tip = new.obj.matrix_world @ new.obj.pose.bones[new.bone.name].tail
    others = [one for one in bpy.context.selected_objects if one.type == "ARMATURE" and one != new.obj]
    plants = [one for one in others if one.plant_dynamics.is_dynamic]
    far: list[tuple[float, bpy.types.Object, str]] = []
    for one in plants or others:
        bones = [bone for bone in one.pose.bones if one not in plants or is_simulated(one, bone.name)]
        far += [((one.matrix_world @ bone.tail - tip).length, one, bone.name) for bone in bones]
    nearest = min(far, key=lambda end: end[0], default=None)
    return None if nearest is None else nearest[1:]


def _nearest_to(new: NewLoad) -> tuple[str, float] | None:
    """The bone whose tip is nearest to this one's, of those that neither carry it nor are carried by it, and its end
    (0 head, 1 tip) that is nearer; where there is none, the nearest free end, so a chain is closed to a ring; and of a
    bone between these any end, of bones that are not joined to it."""
    line = {new.bone, *new.bone.parent_recursive, *new.bone.children_recursive}
    names, tip = set(new.plant.bones), new.bone.tail_local
    simulated = [bone for bone in new.obj.data.bones if bone.name in names]
    beside = [bone for bone in simulated if bone not in line]
    if beside:
        nearest = min(beside, key=lambda bone: (bone.tail_local - tip).length)
        return nearest.name, _nearer_end(new, new.obj, nearest.name)
    apart = [bone for bone in simulated if bone not in {new.bone, new.bone.parent, *new.bone.children}]
    free = [(bone, along) for bone in apart for along in _free_ends(bone, names)]
    ends = free or [(bone, along) for bone in apart for along in (0.0, 1.0)]
    found = min(ends, key=lambda end: (end[0].head_local.lerp(end[0].tail_local, end[1]) - tip).length, default=None)
    return None if found is None else (found[0].name, found[1])


def _free_ends(bone: bpy.types.Bone, simulated: Set[str]) -> list[float]:
    """The ends of a bone, 0 its head and 1 its tip, at which none that is simulated goes on."""
    is_root = bone.parent is None or bone.parent.name not in simulated
    is_last = not any(child.name in simulated for child in bone.children)
    return [0.0] * is_root + [1.0] * is_last


def _nearer_end(new: NewLoad, other: bpy.types.Object, bone: str) -> float:
    """0 where the head of the other bone is nearer to this one's tip than its tip is, else 1."""
    tip, posed = new.obj.matrix_world @ new.obj.pose.bones[new.bone.name].tail, other.pose.bones[bone]
    head, tail = (other.matrix_world @ end for end in (posed.head, posed.tail))
    return 0.0 if (head - tip).length < 0.999 * (tail - tip).length else 1.0
