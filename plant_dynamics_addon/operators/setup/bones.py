# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones are simulated, and what they override, for many bones at once."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator

from ....lsystem import ORGANS
from ...dynamics.live.live import stop_live
from ...dynamics.rig.armature_reader import bones_by_carrier
from ...errors import PlantError
from ...material_columns import COLUMNS, FULL_TURN
from ...plants import active_armature, chosen_plants, is_linked
from ...rigging.bone_editing import (
    CHOICES,
    GROUPS,
    QUANTITIES,
    STATES,
    Change,
    Choice,
    copy_following,
    copy_overrides,
    edit_bones,
    label_of,
    value_property,
)
from ...rigging.bone_locations import BoneLocations, even_factor
from ...rigging.bone_selection import branch_levels, select_bones, selected_bones
from ...rigging.parents_scale import has_scale_of_parents, take_scale_of_parents
from ..common import described, poll_plant, reports_errors

#: The determinant of a scale that is none.
_NO_VOLUME = 1e-18


class PLANT_DYNAMICS_OT_simulate_bones(Operator):
    """Choose the bones that move by physics. The others move as they are animated and carry these"""

    bl_idname = "plant_dynamics.simulate_bones"
    bl_label = "Simulate Bones"
    bl_options = {"REGISTER", "UNDO"}

    bones: EnumProperty(
        name="Bones",
        items=[
            ("ONLY", "Only Selected", "The selected bones and no others"),
            ("ADD", "Add Selected", "The selected bones as well"),
            ("REMOVE", "Remove Selected", "All but the selected bones, of those simulated now"),
            ("ALL", "All", "Every bone"),
        ],
    )

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = active_armature(context)
        return (obj is not None and not is_linked(obj) and obj.mode != "EDIT") or poll_plant(cls, context)

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return described(cls, properties, "bones")

    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        chosen = {bone.name for bone in selected_bones(obj)}
        if self.bones != "ALL" and not chosen:
            self.report({"ERROR"}, "Select bones in Pose Mode first")
            return {"CANCELLED"}
        stop_live(obj)
        for bone in obj.data.bones:
            if self.bones == "ALL" or (bone.name in chosen and self.bones != "REMOVE"):
                bone.plant_dynamics.use_physics = True
            elif self.bones == "ONLY" or (bone.name in chosen and self.bones == "REMOVE"):
                bone.plant_dynamics.use_physics = False
        count = sum(bone.plant_dynamics.use_physics for bone in obj.data.bones)
        carriers = [name for name in bones_by_carrier(obj.data.bones) if name is not None]
        text = rpt_("{count} of {all} bones are simulated").format(count=count, all=len(obj.data.bones))
        if carriers:
            names = ", ".join(carriers[:3]) + (" …" if len(carriers) > 3 else "")
            text += rpt_(", carried by {names}").format(names=names)
        self.report({"INFO"}, text)
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_copy_to_selected(Operator):
    """Give all selected bones what the active bone overrides; groups of values can be left out"""

    bl_idname = "plant_dynamics.copy_to_selected"
    bl_label = "Copy to Selected"
    bl_options = {"REGISTER", "UNDO"}

    groups: EnumProperty(
        name="Values",
        description="What is copied; with Shift several",
        items=[(name, label, "") for name, (label, _) in GROUPS.items()],
        options={"ENUM_FLAG"},
        default=set(GROUPS),
    )

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not poll_plant(cls, context):
            return False
        if active_armature(context).data.bones.active is None:
            cls.poll_message_set("There is no active bone")
            return False
        return True

    def draw(self, context: Context) -> None:
        self.layout.column().prop(self, "groups")

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        plant = active_armature(context)
        source = plant.data.bones.active
        chosen = [(obj, bone) for obj in chosen_plants(context) for bone in selected_bones(obj) if bone != source]
        others = [bone for _, bone in chosen]
        if not others:
            raise PlantError("Select other bones in Pose Mode first")
        copy_overrides(source, others, self.groups)
        if "FOLLOW" in self.groups:
            copy_following(plant.pose.bones[source.name], [obj.pose.bones[bone.name] for obj, bone in chosen])
        self.report({"INFO"}, rpt_("'{bone}' copied to {count} bones").format(bone=source.name, count=len(others)))
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_edit_bones(Operator):
    """Set a value of many bones at once, or multiply it: of branch levels, the selection, an organ, or by name"""

    bl_idname = "plant_dynamics.edit_bones"
    bl_label = "Edit Bones"
    bl_options = {"REGISTER", "UNDO"}

    quantity: EnumProperty(
        name="Quantity",
        items=[(name, label_of(name), "") for name in QUANTITIES]
        + [(name, label, "") for name, (label, _) in STATES.items()]
        + [(name, str(one.of_bone.keywords["name"]), "") for name, one in CHOICES.items()],
    )
    operation: EnumProperty(
        name="Operation",
        items=[
            ("MULTIPLY", "Multiply", "Times what holds for the bone now, its own value or the plant's"),
            ("SET", "Set", "The value itself"),
        ],
    )
    value: FloatProperty(name="Value", default=1.0, min=0.0, soft_max=10.0, precision=4)
    factor: FloatProperty(name="Factor", default=1.0, min=0.0, soft_max=10.0, precision=3)
    length: FloatProperty(name="Radius", default=0.01, min=0.0, precision=4, unit="LENGTH")
    angle: FloatProperty(name="Angle", default=0.785398, min=0.0, max=FULL_TURN, subtype="ANGLE")
    state: BoolProperty(name="On", default=True)
    section: EnumProperty(name="Section", items=COLUMNS["section"].of_bone.keywords["items"])
    by: EnumProperty(
        name="Bones",
        items=[
            ("LEVELS", "Branch Levels", "0 the main stem, 1 its branches, 2 theirs"),
            ("SELECTED", "Selected", "The bones that are selected in Pose Mode"),
            ("ORGAN", "Organ", "All bones that stand for such an organ"),
            ("NAME", "Name", "All bones whose names fit a pattern"),
            ("ALL", "All", "Every bone"),
        ],
    )
    first: IntProperty(name="Lowest Level", default=0, min=0, soft_max=8, max=100)
    last: IntProperty(name="Highest Level", default=100, min=0, soft_max=8, max=100)
    organ: EnumProperty(name="Organ", items=[(name, name.capitalize(), "") for name in ORGANS])
    pattern: StringProperty(
        name="Pattern", description="* stands for any letters, ? for one, [ab] for one of these", default="*"
    )
    grade: FloatProperty(
        name="Per Level",
        description="Each branch level gets so many times what the level below it gets. 1: all the same",
        default=1.0, min=0.0, soft_max=2.0, max=100.0, precision=3,
    )  # fmt: skip

    poll = classmethod(poll_plant)

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "quantity")
        if self.quantity in STATES:
            layout.prop(self, "state")
        elif self.quantity in CHOICES:
            layout.prop(self, CHOICES[self.quantity].name)
        else:
            layout.row().prop(self, "operation", expand=True)
            layout.prop(self, self._value_name())
        layout.prop(self, "by")
        for name in {"LEVELS": ("first", "last"), "ORGAN": ("organ",), "NAME": ("pattern",)}.get(self.by, ()):
            layout.prop(self, name)
        if self.quantity in QUANTITIES:
            layout.prop(self, "grade")

    def invoke(self, context: Context, event: Event) -> set[str]:
        if not self.properties.is_property_set("by"):
            self.by = "SELECTED" if context.mode == "POSE" else "LEVELS"
        return set(context.window_manager.invoke_props_dialog(self))

    def _value_name(self) -> str:
        return "factor" if self.operation == "MULTIPLY" else value_property(self.quantity)

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        choice = Choice(self.by, self.first, self.last, self.organ, self.pattern)
        multiply = self.operation == "MULTIPLY"
        value = getattr(self, self._value_name()) if self.quantity in QUANTITIES else 1.0
        chosen = getattr(self, CHOICES[self.quantity].name) if self.quantity in CHOICES else ""
        change = Change(self.quantity, value, multiply, self.grade, self.state, chosen)
        found = [(obj, edit_bones(obj, choice, change)) for obj in chosen_plants(context)]
        if not any(names for _, names in found):
            raise PlantError("There is no such bone")
        if self.quantity == "SIMULATED":
            for obj, _ in found:
                stop_live(obj)
        self.report({"INFO"}, rpt_("Bones changed: {count}").format(count=sum(len(names) for _, names in found)))
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_select_level(Operator):
    """Select all bones of a branch level, to set them at once: 0 the main stem, 1 its branches, 2 theirs"""

    bl_idname = "plant_dynamics.select_level"
    bl_label = "Select Branch Level"
    bl_options = {"REGISTER", "UNDO"}

    level: IntProperty(name="Level", description="How often one must turn off to get there", default=1, min=0, max=100)
    above: EnumProperty(
        name="Levels",
        items=[
            ("ONLY", "This Level", "One level alone"),
            ("UP", "This and Above", "This level and all that grows on it"),
        ],
    )

    poll = classmethod(poll_plant)

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        levels = branch_levels(obj.data.bones)
        highest = self.level if self.above == "ONLY" else max(levels.values())
        chosen = {name for name, level in levels.items() if self.level <= level <= highest}
        if not chosen:
            self.report({"WARNING"}, rpt_("The highest branch level is {level}").format(level=max(levels.values())))
            return {"CANCELLED"}
        if obj.mode != "POSE":
            bpy.ops.object.mode_set(mode="POSE")
        select_bones(obj, chosen)
        self.report({"INFO"}, rpt_("{count} bones of level {level}").format(count=len(chosen), level=self.level))
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_apply_scale(Operator):
    """Apply the armature's scale to its bones and to the meshes on it, so that lengths are true in every direction"""

    bl_idname = "plant_dynamics.apply_scale"
    bl_label = "Apply Scale"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = active_armature(context)
        if obj is None or is_linked(obj) or obj.mode != "OBJECT":
            cls.poll_message_set("Needs an armature of this file, in Object Mode")
            return False
        if obj.data.users > 1:
            cls.poll_message_set("The armature's data has several users: make it single-user first")
            return False
        return True

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        if abs(obj.matrix_world.determinant()) < _NO_VOLUME:
            raise PlantError(
                "'{object}' has zero scale, from which no size can be told. Set its scale by hand",
                object=obj.name,
            )
        of_parents = has_scale_of_parents(obj)
        moved = BoneLocations(obj, even_factor(obj.matrix_world if of_parents else obj.matrix_basis))
        if of_parents:
            take_scale_of_parents(obj)
            moved.scale()
            return {"FINISHED"}
        group = [obj] + [child for child in obj.children if child.data is None or child.data.users == 1]
        chosen = {"active_object": obj, "object": obj, "selected_objects": group, "selected_editable_objects": group}
        with context.temp_override(**chosen):
            bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
        moved.scale()
        return {"FINISHED"}
