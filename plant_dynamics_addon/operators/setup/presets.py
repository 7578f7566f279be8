# SPDX-License-Identifier: GPL-3.0-or-later
"""Take over a preset, add one, remove one of the user's."""

from collections.abc import Iterable

from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty, StringProperty
from bpy.types import Bone, Context, Object, PropertyGroup

from ...blender.redraw import redraw_views
from ...dynamics.rig.keyed.constraints import may_follow
from ...errors import PlantError
from ...plants import active_plant
from ...presets import files
from ...presets.apply import apply_preset, apply_to_bones, present_values
from ...presets.kinds import KINDS
from ...rigging.bone_selection import selected_bones
from ...rigging.limpness import LIMP, is_limp, make_limp, soften, soften_bones
from ..common import AtOnce, poll_plant

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
        told = self._to_plant(context, plant) if self.target == "PLANT" else self._to_selected(context, plant)
        if told:
            self.report({"INFO"}, f"{iface_(self.preset)}: {'. '.join(told)}")

    def _to_plant(self, context: Context, plant: Object) -> list[str]:
        """Gives what is to be told of it."""
        settings, start = plant.plant_dynamics, plant.plant_dynamics.start
        apply_preset(context, self.kind, self.preset)
        sag = files.level_sag(self.kind, self.preset)
        if sag is not None and sag > LIMP:
            settings.start = "drawn"
            limp = rpt_("Bones are limp, touch each other and start as drawn. It hangs by its root until Let Go")
            return [f"{_told_value(settings, make_limp(plant))}. {limp}"]
        told = []
        if sag is not None:
            told = [_told_value(settings, soften(plant, sag)), _told_sag(plant.data.bones, sag)]
        if self.kind == "follow" and start == "drawn":  # else what was a ragdoll drops all the same
            settings.start = "settled" if is_limp(plant) else "keep_shape"
        return told + _told_start(settings, start)

    def _to_selected(self, context: Context, plant: Object) -> list[str]:
        """The same for the selected bones."""
        bones = [bone for bone in selected_bones(plant) if bone.plant_dynamics.use_physics]
        if not bones:
            raise PlantError("None of the selected bones is simulated: select others in Pose Mode")
        settings, start = plant.plant_dynamics, plant.plant_dynamics.start
        apply_to_bones(context, self.kind, self.preset, bones)
        sag = files.level_sag(self.kind, self.preset)
        if sag is None:
            text = rpt_("{count} bones. What all bones share stays, such as Start and limits")
            told = [text.format(count=len(bones))]
        else:
            soften_bones(plant, bones, sag)
            told = [_told_value(bones[0].plant_dynamics, "young_modulus"), _told_sag(bones, sag)]
        if may_follow(plant):  # else nothing of their material would show
            for bone in bones:
                plant.pose.bones[bone.name].plant_dynamics_follow = 0.0
            told.append(rpt_("Their Follow is 0 now, so that they swing"))
            # The others begin as they are posed, so that it is the start of these alone.
            settings.start = files.read(self.kind, self.preset).get("start", start)
        return told + _told_start(settings, start)


def _told_value(owner: PropertyGroup, name: str) -> str:
    """What has been chosen."""
    prop, value = owner.bl_rna.properties[name], float(f"{getattr(owner, name):.3g}")
    return rpt_("{setting} {value:g}, chosen for its size").format(setting=iface_(prop.name), value=value)


def _told_sag(bones: Iterable[Bone], sag: float) -> str:
    """How stiff bones are for their size, in words."""
    bearing = {bone.name: bone.parent.name if bone.parent else "" for bone in bones if bone.plant_dynamics.use_physics}
    ways = len(bearing) - len(set(bearing.values())) + sum(below not in bearing for below in bearing.values())
    text = rpt_("Held out level it would hang down by {share:.0f} % of its length")
    if ways > 1:  # it branches, or there are several
        text = rpt_("Held out level, what sags most of it would hang down by {share:.0f} % of its length")
    if sag >= 1.0:
        text = rpt_("Held out level it would hang straight down")
    return text.format(share=100.0 * sag)


def _told_start(settings: PropertyGroup, before: str) -> list[str]:
    """That the preset has changed Start, if it has."""
    if settings.start == before:
        return []
    start = settings.bl_rna.properties["start"].enum_items[settings.start].name
    return [rpt_("Start is '{start}' now").format(start=iface_(start))]


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
