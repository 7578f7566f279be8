# SPDX-License-Identifier: GPL-3.0-or-later
"""Make an armature dynamic, and give it back."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty, StringProperty
from bpy.types import Context, Object

from ...baking.bake import clear_bake
from ...dynamics.kernels.warm_up import compile_ahead
from ...dynamics.live.live import stop_live
from ...dynamics.live.refusals import forget
from ...dynamics.rig.armature_reader import read_armature, uniform_scale
from ...dynamics.rig.natural import (
    STIFFEST_STEM,
    carries_itself,
    natural_radius,
    natural_size,
    natural_young,
    says_nothing,
)
from ...errors import PlantError
from ...plants import active_armature, active_plant
from ...rigging.bone_selection import selected_bones
from ...rigging.skin.radii import control_bones, take_skin_radii
from ...user_choices import start_as_chosen
from ..common import AtOnce, needs, poll_armature, poll_plant


def _in_units(context: Context, length: float) -> str:
    return bpy.utils.units.to_string(context.scene.unit_settings.system, "LENGTH", length, precision=2)


class PLANT_DYNAMICS_OT_make_dynamic(AtOnce):
    """Let the armature's bones move as an elastic plant does"""

    bl_idname = "plant_dynamics.make_dynamic"
    bl_label = "Make Dynamic"

    bones: EnumProperty(
        name="Bones",
        items=[
            ("ALL", "All", "Every bone moves by physics"),
            ("SELECTED", "Selected", "The bones that are selected in Pose Mode move by physics; the others move as "
             "they are animated and carry them"),
            ("KEEP", "As Set", "The bones that say so in the Bone tab: all of a new armature, but for controls, which "
             "move no vertex of its meshes and deform nothing or are what constraints aim at"),
        ],
        default="KEEP",
        options={"SKIP_SAVE"},
    )  # fmt: skip

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_armature(cls, context) and needs(
            cls, active_plant(context) is None, "The armature is dynamic already"
        )

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        before = {bone.name: bone.plant_dynamics.use_physics for bone in obj.data.bones}
        chosen = {bone.name for bone in selected_bones(obj)}
        known = control_bones(obj) if self.bones == "KEEP" else []
        controls = [one for one in known if not one.plant_dynamics.is_property_set("use_physics")]
        for bone in obj.data.bones if self.bones != "KEEP" else ():
            bone.plant_dynamics.use_physics = self.bones == "ALL" or bone.name in chosen
        for bone in controls:
            bone.plant_dynamics.use_physics = False
        try:
            read_armature(obj, obj.matrix_world)  # reports what cannot be simulated
        except PlantError:
            for bone in obj.data.bones:
                bone.plant_dynamics.use_physics = before[bone.name]
            raise
        settings = obj.plant_dynamics
        settings.is_dynamic = True
        start_as_chosen(settings)
        forget(obj)
        told = []
        if self.bones == "SELECTED":
            told.append(rpt_("{count} of {all} bones are simulated").format(count=len(chosen), all=len(obj.data.bones)))
        if controls:
            told.append(rpt_("Control bones that stay as animated: {count}").format(count=len(controls)))
        is_free = not (settings.is_property_set("young_modulus") or settings.bones_have_materials)
        if says_nothing(obj) and not settings.is_property_set("radius_source"):
            told.append(self._choose_radius(context, obj, is_free))
        if is_free:
            told.append(self._choose_stiffness(obj))
        if told:
            self.report({"INFO"}, ". ".join(told))
        compile_ahead()

    def _choose_radius(self, context: Context, obj: Object, is_free: bool) -> str:
        """Of bones that have the envelopes of new ones, and what is to be said of it. is_free: whether a Young's
        modulus may be chosen, too."""
        if take_skin_radii(obj):
            return str(rpt_("The bones are as thick as the skin about them"))
        settings = obj.plant_dynamics
        scale = uniform_scale(obj.matrix_world, obj.name)
        if is_free:
            settings.radius, settings.young_modulus = natural_size(obj, scale)
        else:
            settings.radius = natural_radius(obj, scale)
        settings.radius_source = "FIXED"
        text = rpt_("The bones have the envelopes of new bones: a radius of {radius} was chosen, which fits their size")
        return text.format(radius=_in_units(context, settings.radius))

    def _choose_stiffness(self, obj: Object) -> str:
        """Within what stems and wood have; what that does not hold up starts as drawn. Gives what is to be said."""
        settings = obj.plant_dynamics
        young = natural_young(read_armature(obj, obj.matrix_world).model, settings.young_modulus)
        settings.young_modulus = young
        if not carries_itself(read_armature(obj, obj.matrix_world).model):
            if settings.start == "settled":
                settings.start = "keep_shape"
            text = rpt_(
                "Young's: {young:.5g} MPa, the stiffest wood's. Held out level it would not carry its weight, so the "
                "plant starts As Drawn, Held. Make its bones thicker, or soften it by a preset"
            )
        elif young > STIFFEST_STEM:
            text = rpt_("Young's: {young:.5g} MPa, as wood has, so that it carries its weight")
        else:
            text = rpt_("Young's: {young:.5g} MPa, as green stems have. Presets make it stiffer or softer")
        return text.format(young=float(f"{young:.3g}"))


class PLANT_DYNAMICS_OT_remove_dynamics(AtOnce):
    """Forget the simulation and the baked keys; bones, meshes and other animation stay"""

    bl_idname = "plant_dynamics.remove_dynamics"
    bl_label = "Remove Dynamics"

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        stop_live(obj)
        if obj.plant_dynamics.is_baked:
            clear_bake(obj)
        obj.plant_dynamics.is_dynamic = False


class PLANT_DYNAMICS_OT_choose_plant(AtOnce):
    """Make this plant the active object"""

    bl_idname = "plant_dynamics.choose_plant"
    bl_label = "Choose Plant"

    plant: StringProperty(name="Plant", options={"SKIP_SAVE"})

    def act(self, context: Context) -> None:
        layer = context.view_layer
        obj = layer.objects.get(self.plant)
        if obj is None:
            raise PlantError("There is no plant '{plant}' in this view layer", plant=self.plant)
        for other in context.selected_objects:
            other.select_set(False)
        obj.select_set(True)
        layer.objects.active = obj
