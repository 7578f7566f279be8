# SPDX-License-Identifier: GPL-3.0-or-later
"""Take over a preset, add one, remove one of the user's."""

from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty, StringProperty
from bpy.types import Context, Object

from ...blender.redraw import redraw_views
from ...dynamics.rig.armature_reader import read_armature
from ...dynamics.rig.natural import level_sag
from ...plants import active_plant
from ...presets import files
from ...presets.apply import apply_preset, present_values
from ...presets.kinds import KINDS
from ..common import AtOnce, poll_plant

_KINDS = [(kind.name, kind.label, "") for kind in KINDS.values()]


class _PresetOperator(AtOnce):
    kind: EnumProperty(name="Kind", items=_KINDS, options={"HIDDEN"})
    preset: StringProperty(name="Name", description="Name of the preset", options={"SKIP_SAVE"})


class PLANT_DYNAMICS_OT_preset_apply(_PresetOperator):
    """Set everything that the preset names"""

    bl_idname = "plant_dynamics.preset_apply"
    bl_label = "Apply Preset"

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        apply_preset(context, self.kind, self.preset)
        sag = files.level_sag(self.kind, self.preset)
        if sag is not None:
            self._soften(active_plant(context), sag)

    def _soften(self, plant: Object, sag: float) -> None:
        """What behaves alike at any size: as stiff as sags so much."""
        settings = plant.plant_dynamics
        name = "stiffness_factor" if settings.bones_have_materials else "young_modulus"
        times = level_sag(read_armature(plant, plant.matrix_world).model) / sag
        setattr(settings, name, times * getattr(settings, name))
        text = rpt_("{setting}: {value:.3g}, with which it would sag by {share:.0f} % of its length if it were level")
        label = iface_(settings.bl_rna.properties[name].name)
        self.report({"INFO"}, text.format(setting=label, value=getattr(settings, name), share=100.0 * sag))


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
