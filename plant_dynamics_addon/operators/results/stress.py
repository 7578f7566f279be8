# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones the motion would break, and when."""

from collections.abc import Generator

import bpy
from bpy.props import BoolProperty
from bpy.types import Context, Operator

from ...comparison.stresses import Stresses, measure
from ...plants import active_armature
from ...rigging.bone_selection import pose_alone, refuse_hidden, select_bones
from ..common import poll_plant
from ..slow_work import SlowWork


class PLANT_DYNAMICS_OT_measure_stress(SlowWork, Operator):
    """Tell which bones the motion of the scene's frames would break, and when, by their strength. Esc stops"""

    bl_idname = "plant_dynamics.measure_stress"
    bl_label = "Measure Stress"
    bl_options = {"REGISTER"}

    select: BoolProperty(
        name="Select Bones",
        description="Select in Pose Mode the bones that would break, and no others",
        default=False,
        options={"SKIP_SAVE"},
    )

    poll = classmethod(poll_plant)

    doing, given_up = "Measuring", "Measurement cancelled"

    result: Stresses
    _plant: str

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        text = properties.bl_rna.properties["select"].description if properties.select else ""
        return f"{text}.\n{cls.__doc__}" if text else str(cls.__doc__)

    def work(self, context: Context) -> Generator[float, None, Stresses]:
        obj = active_armature(context)
        if self.select:
            refuse_hidden(obj)
        self._plant = obj.name_full
        return measure(context, obj, context.scene.frame_end, context.scene.plant_dynamics_bake.allow_stopped)

    def finished(self, context: Context) -> set[str]:
        found = self.result
        breaking = found.would_break()
        if self.select and breaking:
            _select(context, context.scene.objects[self._plant], set(breaking))
        self.report({"WARNING" if breaking else "INFO"}, found.told())
        return {"FINISHED"}


def _select(context: Context, obj: bpy.types.Object, names: set[str]) -> None:
    """Select the bones of these names in Pose Mode."""
    pose_alone(context, obj)
    select_bones(obj, names)
    bpy.ops.ed.undo_push(message="Measure Stress")
