# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that are leaves: thin blades which the air turns."""

from collections.abc import Iterator

from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import FloatProperty
from bpy.types import Bone, Context, Operator

from ...dynamics.rig.armature_reader import uniform_scale
from ...errors import PlantError
from ...plants import active_armature
from ...rigging.bone_selection import selected_bones
from ..common import poll_plant, reports_errors

#: Of a leaf: radius at its base over its length, of a rod of its section's area; width of that over its thickness; MPa
#: for every m of its length, so that large leaves hang no lower than small ones; kg/m3; s. As those that are grown.
_SLIM, _ASPECT, _YOUNG, _DENSITY, _DAMPING = 1.0 / 65.0, 20.0, 460.0, 800.0, 0.03
#: Area of a leaf over length times width.
_FULL = 2.0 / 3.0


class PLANT_DYNAMICS_OT_make_leaves(Operator):
    """Make the selected bones thin, soft blades across their Z axes, that flutter in wind. Bones in a row are a leaf"""

    bl_idname = "plant_dynamics.make_leaves"
    bl_label = "Make Leaves"
    bl_options = {"REGISTER", "UNDO"}

    width: FloatProperty(
        name="Width", default=0.5, min=0.01, soft_max=1.0, max=10.0, precision=2,
        description="Width of each leaf over its length",
    )  # fmt: skip

    poll = classmethod(poll_plant)

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        leaves = list(_leaves(selected_bones(obj)))
        if not leaves:
            raise PlantError("Select the bones of leaves in Pose Mode first")
        scale = uniform_scale(obj.matrix_world, obj.name)
        for leaf in leaves:
            _make_leaf(leaf, self.width, scale)
        settings = obj.plant_dynamics
        if settings.flutter == 0.0:
            settings.flutter = settings.blade_rigidity = 1.0
        self.report({"INFO"}, rpt_("Leaves: {count}; they face their bones' Z axes").format(count=len(leaves)))
        return {"FINISHED"}


def _leaves(chosen: list[Bone]) -> Iterator[list[Bone]]:
    """The chosen bones from where leaves begin to where they end or part."""
    names = {bone.name for bone in chosen}

    def after(bone: Bone) -> list[Bone]:
        return [child for child in bone.children if child.name in names]

    for bone in chosen:
        if bone.parent is None or bone.parent.name not in names or len(after(bone.parent)) > 1:
            leaf = [bone]
            while len(after(leaf[-1])) == 1:
                leaf += after(leaf[-1])
            yield leaf


def _make_leaf(leaf: list[Bone], width: float, scale: float) -> None:
    """Let bones be one leaf, of an armature of this scale."""
    length, begun = sum(bone.length for bone in leaf), 0.0
    for bone in leaf:
        own, end = bone.plant_dynamics, begun + bone.length
        own.organ, own.section, own.aspect = "leaf", "FLAT", _ASPECT
        own.radius_base, own.radius_tip = (_SLIM * (length - 0.5 * at) for at in (begun, end))
        own.young_modulus, own.density, own.damping_time = _YOUNG * length * scale, _DENSITY, _DAMPING
        own.blade_area = _FULL * width * length * bone.length
        begun = end
