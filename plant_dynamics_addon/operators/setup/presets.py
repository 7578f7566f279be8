# SPDX-License-Identifier: GPL-3.0-or-later
"""Take over a preset, add one, remove one of the user's."""

from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty, StringProperty
from bpy.types import Bone, Context, Object

from ...blender.redraw import redraw_views
from ...dynamics.rig.armature_reader import read_armature
from ...dynamics.rig.natural import level_sag
from ...errors import PlantError
from ...plants import active_plant
from ...presets import files
from ...presets.apply import apply_preset, apply_to_bones, present_values
from ...presets.kinds import KINDS
from ...rigging.bone_selection import selected_bones
from ..common import AtOnce, poll_plant

#: A bone of a Joint Factor up to this turns freely, and is not what sags.
_LOOSE = 1e-2

#: What would sag by more of its length than this is limp.
_LIMP = 10.0

_KINDS = [(kind.name, kind.label, "") for kind in KINDS.values()]


class _PresetOperator(AtOnce):
    kind: EnumProperty(name="Kind", items=_KINDS, options={"HIDDEN"})
    preset: StringProperty(name="Name", description="Name of the preset", options={"SKIP_SAVE"})


class PLANT_DYNAMICS_OT_preset_apply(_PresetOperator):
    """Set everything that the preset names, or of the selected bones what bones can have of their own"""

    bl_idname = "plant_dynamics.preset_apply"
    bl_label = "Apply Preset"

    target: EnumProperty(
        name="For",
        items=[
            ("PLANT", "Whole Armature", "All bones that have no values of their own"),
            ("SELECTED", "Selected Bones", "The bones that are selected in Pose Mode: Hair for some, Tail for others"),
        ],
        options={"SKIP_SAVE"},
    )

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        plant = active_plant(context)
        if self.target == "PLANT":
            apply_preset(context, self.kind, self.preset)
            sag = files.level_sag(self.kind, self.preset)
            if sag is not None:
                self._soften(plant, sag)
            return
        bones = [bone for bone in selected_bones(plant) if bone.plant_dynamics.use_physics]
        if not bones:
            raise PlantError("None of the selected bones is simulated: select others in Pose Mode")
        apply_to_bones(context, self.kind, self.preset, bones)
        sag = files.level_sag(self.kind, self.preset)
        if sag is not None:
            self._soften_bones(plant, bones, sag)
        else:
            text = rpt_("{preset}: {count} bones. What all bones share stays, such as Start and limits")
            self.report({"INFO"}, text.format(preset=iface_(self.preset), count=len(bones)))

    def _soften(self, plant: Object, sag: float) -> None:
        """What behaves alike at any size: as stiff as sags so much, of bones that have no Young's modulus of their own,
        unless all have one."""
        settings = plant.plant_dynamics
        read = read_armature(plant, plant.matrix_world)
        bones = {name: plant.data.bones[name].plant_dynamics for name in read.names}
        bending = {
            read.rod_of(name) for name, own in bones.items()
            if own.young_modulus <= 0.0 and own.stiffness_factor > _LOOSE
        }  # fmt: skip
        is_of_plant = bending and not settings.bones_have_materials
        name = "young_modulus" if is_of_plant else "stiffness_factor"
        times = level_sag(read.model, bending if is_of_plant else None) / sag
        setattr(settings, name, times * getattr(settings, name))
        label = iface_(settings.bl_rna.properties[name].name)
        self._tell(label, getattr(settings, name), sag)

    def _soften_bones(self, plant: Object, bones: list[Bone], sag: float) -> None:
        """The same of some bones, which have Young's moduli of their own then."""
        read = read_armature(plant, plant.matrix_world)
        times = level_sag(read.model, {read.rod_of(bone.name) for bone in bones}) / sag
        for bone in bones:
            bone.plant_dynamics.young_modulus *= times
        own = bones[0].plant_dynamics
        self._tell(iface_(own.bl_rna.properties["young_modulus"].name), own.young_modulus, sag)

    def _tell(self, setting: str, value: float, sag: float) -> None:
        text = rpt_("{preset}: {setting} {value:g}, chosen for its size. Held out level it would hang down by "
                    "{share:.0f} % of its length")  # fmt: skip
        if sag > _LIMP:
            text = rpt_("{preset}: {setting} {value:g}, so that bones are limp. It hangs by its root until Let Go")
        told = {"preset": iface_(self.preset), "setting": setting, "value": float(f"{value:.3g}")}
        self.report({"INFO"}, text.format(**told, share=100.0 * sag))


class PLANT_DYNAMICS_OT_preset_add(_PresetOperator):
    """Keep the present settings as a preset, for all files"""

    bl_idname = "plant_dynamics.preset_add"
    bl_label = "Add Preset"
    bl_options = {"REGISTER"}

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        path = files.save(self.kind, self.preset, present_values(context, self.kind))
        context.window_manager.preset_name = ""
        self.report({"INFO"}, f"'{path}'")
        redraw_views()


class PLANT_DYNAMICS_OT_preset_remove(_PresetOperator):
    """Delete this preset of yours"""

    bl_idname = "plant_dynamics.preset_remove"
    bl_label = "Remove Preset"
    bl_options = {"REGISTER"}

    def act(self, context: Context) -> None:
        files.delete(self.kind, self.preset)
        redraw_views()
