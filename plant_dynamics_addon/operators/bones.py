# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones are simulated, and what they override, for many bones at once."""

import bpy
from bpy.props import EnumProperty, IntProperty
from bpy.types import Context, Operator

from ..dynamics.armature_reader import bones_by_carrier
from ..dynamics.bone_selection import branch_levels, select_bones, selected_bones
from ..dynamics.live import stop_live
from .common import active_armature, described, is_linked, poll_plant, reports_errors


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

    poll = classmethod(poll_plant)

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
        on = f", carried by {', '.join(carriers[:3])}{' …' if len(carriers) > 3 else ''}" if carriers else ""
        self.report({"INFO"}, f"{count} of {len(obj.data.bones)} bones are simulated{on}")
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_copy_to_selected(Operator):
    """Give all selected bones what the active bone overrides: sizes, material, limits, drag, organ and pin"""

    bl_idname = "plant_dynamics.copy_to_selected"
    bl_label = "Copy to Selected"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not poll_plant(cls, context):
            return False
        if active_armature(context).data.bones.active is None:
            cls.poll_message_set("There is no active bone")
            return False
        return True

    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        source = obj.data.bones.active
        names = [item.identifier for item in source.plant_dynamics.bl_rna.properties if not item.is_readonly]
        names.remove("name")
        others = [bone for bone in selected_bones(obj) if bone != source]
        if not others:
            self.report({"ERROR"}, "Select other bones in Pose Mode first")
            return {"CANCELLED"}
        for bone in others:
            for name in names:
                setattr(bone.plant_dynamics, name, getattr(source.plant_dynamics, name))
        self.report({"INFO"}, f"'{source.name}' copied to {len(others)} bones")
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_select_level(Operator):
    """Select all bones of a branch level, to set them at once: 0 the main stem, 1 its branches, 2 theirs"""

    bl_idname = "plant_dynamics.select_level"
    bl_label = "Select Branch Level"
    bl_options = {"REGISTER", "UNDO"}

    level: IntProperty(name="Level", description="How often one must turn off to get there", default=1, min=0, max=100)
    above: EnumProperty(
        name="Levels",
        items=[("ONLY", "Only", "This level"), ("UP", "And Above", "This level and all that grows on it")],
    )

    poll = classmethod(poll_plant)

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        levels = branch_levels(obj.data.bones)
        highest = self.level if self.above == "ONLY" else max(levels.values())
        chosen = {name for name, level in levels.items() if self.level <= level <= highest}
        if not chosen:
            self.report({"WARNING"}, f"The highest branch level is {max(levels.values())}")
            return {"CANCELLED"}
        if obj.mode != "POSE":
            bpy.ops.object.mode_set(mode="POSE")
        select_bones(obj, chosen)
        self.report({"INFO"}, f"{len(chosen)} bones of level {self.level}")
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

    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        group = [obj] + [child for child in obj.children if child.data is None or child.data.users == 1]
        chosen = {"active_object": obj, "object": obj, "selected_objects": group, "selected_editable_objects": group}
        with context.temp_override(**chosen):
            bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
        return {"FINISHED"}
