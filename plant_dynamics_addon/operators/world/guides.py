# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides for many bones at once: a shoot tied to its stake, one that climbs along a wire, a garland, and a plant whose
base slides."""

from collections.abc import Callable
from functools import partial

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty
from bpy.types import Context
from mathutils import Vector
from mathutils.geometry import intersect_point_line

from ...changes import inputs_changed, object_changed
from ...dynamics.rig.armature_reader import read_armature
from ...dynamics.rig.plant import Plant
from ...dynamics.surroundings.loads.kinds import LOADS
from ...dynamics.surroundings.loads.load import NewLoad
from ...dynamics.surroundings.loads.targeted import hangs_on
from ...errors import PlantError
from ...plants import active_armature
from ...rigging.bone_selection import selected_bones, shoot_of
from ..common import AtOnce, described, poll_plant
from .loads import append_load, choose, link_beside

#: Types of objects that are stakes when they are selected.
_STAKES = ("MESH", "EMPTY", "CURVE")

#: What the redo panel shows of each arrangement.
_OPTIONS = {
    "TIED": ("every", "draw_near", "softness"),
    "WIRE": ("every", "friction", "softness"),
    "GARLAND": ("slack", "loose_foot", "softness"),
    "BASE": ("friction", "softness"),
}


class PLANT_DYNAMICS_OT_guide_shoot(AtOnce):
    """Guide the selected bones or, where none or one is, the whole shoot of the active bone, or the main stem"""

    bl_idname = "plant_dynamics.guide_shoot"
    bl_label = "Guide Shoot"

    arrangement: EnumProperty(
        name="Arrangement",
        items=[
            ("TIED", "Tied", "Tie bones to the selected object, a stake, or to the nearest bones of the plant's other "
             "shoots"),
            ("WIRE", "On Wire", "Have bones slide on the selected curve, as a shoot climbs along a wire or a pole"),
            ("GARLAND", "Garland", "Nail the shoot's tip, and selected bones between, so that it hangs from them"),
            ("BASE", "Sliding Base", "Let the plant go, and have its lowest bone slide on the selected curve with both "
             "ends, as a carriage on its rail"),
        ],
    )  # fmt: skip
    every: IntProperty(
        name="Every",
        description="Of a whole shoot each bone of so many, counted from its tip; selected bones are all guided",
        default=2, min=1, soft_max=10, max=1000,
    )
    draw_near: FloatProperty(
        name="Draw Near",
        description="How far bones are drawn to the stake: 0 holds them where they are drawn, 1 on its surface",
        default=0.0, min=0.0, max=1.0, subtype="FACTOR",
    )
    slack: FloatProperty(
        name="Slack",
        description="By what share of their distance nails are nearer to the shoot's foot than it is drawn, so that it "
        "sags",
        default=0.1, min=0.0, max=0.95, subtype="FACTOR",
    )
    loose_foot: BoolProperty(
        name="Loose Foot",
        description="The foot turns freely where it is held, as the tip does about its nail. Off: it goes on as it is "
        "drawn, and the shoot bends away from there",
        default=True,
    )
    friction: FloatProperty(
        name="Friction",
        description="How much the bones rub where they slide: 0 not at all, 1 as much as they are pressed on",
        default=0.0, min=0.0, soft_max=1.0, max=1e3,
    )
    softness: FloatProperty(
        name="Softness",
        description="0 holds the bones exactly. Higher values let them give way, as strings of rubber do",
        default=0.0, min=0.0, soft_max=10.0, max=1e6,
    )  # fmt: skip

    poll = classmethod(poll_plant)

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return described(cls, properties, "arrangement")

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "arrangement")
        for name in _OPTIONS[self.arrangement]:
            layout.prop(self, name)

    def act(self, context: Context) -> None:
        context.view_layer.update()  # when it is redone, nothing has been evaluated since it was undone
        obj = active_armature(context)
        line = _Line(context, obj)
        arrange = {"TIED": self._tied, "WIRE": self._on_wire, "GARLAND": self._garland, "BASE": self._sliding_base}
        arrange[self.arrangement](line)
        count = len({load.bone for load in line.added()})
        if not count:
            raise PlantError("'{object}': these bones are guided so already", object=obj.name)
        for load in line.added():
            load.softness = self.softness
        object_changed(obj)
        inputs_changed(obj)
        if self.arrangement == "GARLAND":
            choose(context, [load.target for load in line.added()])
        self.report({"INFO"}, rpt_("Bones that are guided now: {count}").format(count=count))

    def _tied(self, line: "_Line") -> None:
        stake = next((one for one in line.others() if one.type in _STAKES), None)
        bones = line.each(self.every)
        if stake is not None:
            for bone in bones:
                tip = line.tip(bone)
                line.nail(bone, tip.lerp(_on_surface(stake, tip), self.draw_near), stake)
        else:
            line.tie(bones)

    def _on_wire(self, line: "_Line") -> None:
        wire = line.wire()
        for bone in line.each(self.every):
            load = line.add("WIRE", bone)
            if load is not None:
                load.target, load.friction = wire, self.friction

    def _sliding_base(self, line: "_Line") -> None:
        wire = line.wire()
        for along in (0.0, 1.0):
            load = line.add("WIRE", line.lowest, along=along)
            if load is not None:
                load.target, load.friction = wire, self.friction
        if line.added():
            line.let_go()

    def _garland(self, line: "_Line") -> None:
        foot = line.place(line.shoot[0].head_local, line.shoot[0].name, "head")
        ends = dict.fromkeys([*line.selected, line.shoot[-1]])
        for bone in ends:
            line.nail(bone, line.tip(bone).lerp(foot, self.slack))
        if self.loose_foot and line.added():
            joint = line.shoot[0].plant_dynamics
            joint.stiffness_factor = joint.bl_rna.properties["stiffness_factor"].hard_min


class _Line:
    """The bones of a plant that are meant, and the guides that they are given.

    lowest: the first bone; shoot: that of the active bone, or the main stem; selected: the bones that are selected,
    where several are
    """

    def __init__(self, context: Context, obj: bpy.types.Object):
        if not len(obj.data.bones):
            raise PlantError("'{object}' has no bones", object=obj.name)
        self._context, self._obj = context, obj
        self._plant: Plant = read_armature(obj, obj.matrix_world)
        simulated = set(self._plant.bones)
        self.lowest = next(bone for bone in obj.data.bones if bone.name in simulated)
        shoot = shoot_of(obj.data.bones.active or self.lowest)
        self.shoot = [bone for bone in shoot if bone.name in simulated] or [self.lowest]
        chosen = [bone for bone in selected_bones(obj) if bone.name in simulated] if obj.mode == "POSE" else []
        self.selected = chosen if len(chosen) > 1 else []
        self._first = len(obj.plant_dynamics.loads)

    def each(self, every: int) -> list[bpy.types.Bone]:
        """The selected bones, or each of so many of the shoot, from its tip down, but for the lowest."""
        return self.selected or self.shoot[1:][::-1][::every][::-1] or self.shoot

    def others(self) -> list[bpy.types.Object]:
        """Selected objects that are none of the plant's."""
        targets = {load.target for load in self._obj.plant_dynamics.loads if load.kind == "HOLD"}
        others = [one for one in self._context.selected_objects if one not in targets]
        return [one for one in others if not hangs_on(one, self._obj)]

    def _at(self, bone: bpy.types.Bone) -> tuple[float, float, float]:
        tip = self.tip(bone)
        return tip.x, tip.y, tip.z

    def place(self, drawn: Vector, bone: str, end: str) -> Vector:
        """Where an end of a bone is posed, in the world; while the plant moves, where it is drawn."""
        settings = self._obj.plant_dynamics
        is_moved = settings.live or settings.is_baked
        return self._obj.matrix_world @ (drawn if is_moved else getattr(self._obj.pose.bones[bone], end))

    def tip(self, bone: bpy.types.Bone) -> Vector:
        """The same of a bone's tip."""
        return self.place(bone.tail_local, bone.name, "tail")

    def wire(self) -> bpy.types.Object:
        """The selected curve."""
        wire = next((one for one in self.others() if one.type == "CURVE"), None)
        if wire is None:
            raise PlantError("Select a curve together with the plant")
        return wire

    def let_go(self) -> None:
        """Let the plant's base fall, but for what holds it."""
        self._obj.plant_dynamics.let_go = True

    def add(
        self, kind: str, bone: bpy.types.Bone, begin: Callable[[NewLoad], None] | None = None, along: float = 1.0
    ) -> bpy.types.PropertyGroup | None:
        """A guide of a kind for a bone, so far along it; none where it has one of that kind there already."""
        before = self._obj.plant_dynamics.loads[: self._first]
        if any((load.kind, load.bone, load.along) == (kind, bone.name, along) for load in before):
            return None
        load = append_load(self._obj, LOADS[kind], bone)
        load.along = along
        if begin is not None:
            rod, tip = self._plant.rod_of(bone.name), partial(self._at, bone)
            begin(NewLoad(load, self._obj, bone, self._plant, rod, tip, tip))
        return load

    def added(self) -> list[bpy.types.PropertyGroup]:
        """The guides that were added; none of them outlives the next one."""
        return list(self._obj.plant_dynamics.loads)[self._first :]

    def nail(self, bone: bpy.types.Bone, place: Vector, stake: bpy.types.Object | None = None) -> None:
        """Hold the bone's tip at a place, which goes along with the stake if there is one."""
        load = self.add("HOLD", bone, LOADS["HOLD"].begin)
        if load is None:
            return
        nail = load.target
        link_beside(self._context, self._obj, nail)
        nail.location = place
        if stake is not None:
            nail.parent = stake
            nail.matrix_parent_inverse = stake.matrix_world.inverted_safe()

    def tie(self, bones: list[bpy.types.Bone]) -> None:
        """Tie the bones' tips to the nearest bones of other shoots. Raises PlantError; none is tied then."""
        for bone, (other, along) in [(bone, self._nearest_other(bone)) for bone in bones]:
            load = self.add("TIE", bone)
            if load is not None:
                load.other_bone, load.other_along = other, along

    def _nearest_other(self, bone: bpy.types.Bone) -> tuple[str, float]:
        """The bone of another shoot that is nearest to the bone's tip, and where along it."""
        own = {bone.name, *(one.name for one in (*self.shoot, *bone.parent_recursive, *bone.children_recursive))}
        others = [self._obj.data.bones[name] for name in self._plant.bones if name not in own]
        if not others:
            raise PlantError(
                "'{object}' has no other shoot to tie '{bone}' to: select a stake with it",
                object=self._obj.name, bone=bone.name,
            )
        found = [(one, *_nearest(bone.tail_local, one)) for one in others]
        other, _, along = min(found, key=lambda one: one[1])
        return other.name, along


def _nearest(point: Vector, bone: bpy.types.Bone) -> tuple[float, float]:
    """How far a bone is from a point, and where along it that is, both in the armature's axes."""
    share = intersect_point_line(point, bone.head_local, bone.tail_local)[1] if bone.length > 0.0 else 0.0
    along = min(1.0, max(0.0, share))
    return (bone.head_local.lerp(bone.tail_local, along) - point).length, along


def _on_surface(stake: bpy.types.Object, point: Vector) -> Vector:
    """The point of a mesh that is nearest, in the world; of other objects, their origin's axis Z."""
    if stake.type == "MESH" and len(stake.data.polygons):
        found, place, _, _ = stake.closest_point_on_mesh(stake.matrix_world.inverted_safe() @ point)
        if found:
            return stake.matrix_world @ place
    foot = stake.matrix_world.translation
    return Vector(intersect_point_line(point, foot, foot + stake.matrix_world.col[2].to_3d())[0])
