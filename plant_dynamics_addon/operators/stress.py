# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones the motion would break, and when."""

from collections.abc import Iterator

import bpy
from bpy.props import BoolProperty
from bpy.types import Context, Event, Operator

from ..comparison.stresses import Stresses, measure
from ..dynamics.bone_selection import select_bones
from ..dynamics.warm_up import warm_up
from ..errors import PlantError
from .common import active_armature, poll_plant, reports_errors
from .slow_work import SlowWork


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

    _results: list[Stresses]
    _plant: str

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        text = properties.bl_rna.properties["select"].description if properties.select else ""
        return f"{text}.\n{cls.__doc__}" if text else str(cls.__doc__)

    def _measurement(self, context: Context) -> Iterator[float]:
        obj = active_armature(context)
        if self.select and not obj.visible_get():
            raise PlantError(f"'{obj.name}' is hidden: show it to select its bones")
        self._results, self._plant = [], obj.name_full
        return measure(context, obj, context.scene.frame_end, self._results)

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        warm_up()
        for _ in self._measurement(context):
            pass
        return self.finished(context)

    def invoke(self, context: Context, event: Event) -> set[str]:
        try:
            work = self._measurement(context)
        except PlantError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return self.work_on(context, work)

    def finished(self, context: Context) -> set[str]:
        found = self._results[0]
        breaking = found.would_break()
        if self.select and breaking:
            _select(context, context.scene.objects[self._plant], set(breaking))
        self.report({"WARNING" if breaking else "INFO"}, found.told())
        return {"FINISHED"}


def _select(context: Context, obj: bpy.types.Object, names: set[str]) -> None:
    """Select the bones of these names in Pose Mode."""
    if obj.mode != "POSE":
        if context.object is not None and context.object.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        context.view_layer.objects.active = obj
        bpy.ops.object.mode_set(mode="POSE")
    select_bones(obj, names)
    bpy.ops.ed.undo_push(message="Measure Stress")
