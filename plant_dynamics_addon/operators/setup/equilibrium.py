# SPDX-License-Identifier: GPL-3.0-or-later
"""Statics on request: the pose at rest, and the natural frequencies about it."""

from collections.abc import Generator

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty, IntProperty
from bpy.types import Context, Operator
from mathutils import Quaternion

from ...dynamics.measure.equilibrium import AtRest, by_hall, settled
from ...dynamics.measure.frequencies import Frequencies, measure
from ...plants import active_armature
from ..common import described, needs, poll_plant
from ..slow_work import SlowWork


class PLANT_DYNAMICS_OT_pose_at_rest(SlowWork, Operator):
    """Pose the bones as the plant hangs at rest in the present frame, and tell how exact that is. Nothing is keyed"""

    bl_idname = "plant_dynamics.pose_at_rest"
    bl_label = "Pose at Rest"
    bl_options = {"REGISTER", "UNDO"}

    method: EnumProperty(
        name="Method",
        items=[
            ("SETTLED", "Settled", "As the plant starts with Settled: under all loads, handles, twists and wind"),
            ("HALL", "Hall's Chain", "The chain algorithm of Hall 2013, under weight and forces only"),
        ],
    )
    element: EnumProperty(
        name="Element",
        description="What stands for a bone, or for a segment of it",
        items=[
            ("3R", "3R", "Three joints, with the constants of the thesis"),
            ("3R corrected", "3R Corrected", "Three joints whose compliances add up to the bone's"),
            ("1R", "1R", "One joint; needs many segments"),
        ],
    )
    form: EnumProperty(
        name="Form",
        description="Two ways to the same result",
        items=[
            ("fast", "Quick", "Time in proportion to the number of bones"),
            ("direct", "Direct", "As first written down: time with the square of the number of bones"),
        ],
    )
    step: EnumProperty(
        name="Steps",
        items=[
            ("cautious", "Cautious", "Smaller turns where loads turn a joint more readily than its spring resists"),
            ("full", "Full", "As published; does not converge with too few segments under large loads"),
        ],
    )
    segments: IntProperty(name="Segments per Bone", description="Elements that stand for a bone",
                          default=1, min=1, soft_max=16, max=256)  # fmt: skip
    increments: IntProperty(name="Load Increments", description="The loads are applied in so many equal parts",
                            default=1, min=1, soft_max=20, max=1000)  # fmt: skip
    iterations: IntProperty(name="Iterations", description="At most so many for every increment",
                            default=1000, min=1, soft_max=10000, max=1000000)  # fmt: skip

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not poll_plant(cls, context):
            return False
        settings = active_armature(context).plant_dynamics
        return needs(cls, not settings.live, "The simulation poses the plant: press Reset first") and needs(
            cls, not settings.is_baked, "The plant is baked: Clear Bake first"
        )

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return described(cls, properties, "method")

    def draw(self, context: Context) -> None:
        self.layout.use_property_split = True
        self.layout.prop(self, "method")
        if self.method == "HALL":
            for name in ("element", "form", "step", "segments", "increments", "iterations"):
                self.layout.prop(self, name)

    doing, given_up = "Settling", "Pose at Rest cancelled, nothing was changed"

    result: AtRest
    _plant: str

    def work(self, context: Context) -> Generator[float, None, AtRest]:
        obj, depsgraph = active_armature(context), context.evaluated_depsgraph_get()
        self._plant = obj.name_full
        if self.method == "HALL":
            steps = by_hall(
                obj, context.scene, depsgraph, element=self.element, form=self.form, step=self.step,
                segments=self.segments, increments=self.increments, iterations=self.iterations,
            )  # fmt: skip
        else:
            steps = settled(obj, context.scene, depsgraph)
        return (yield from steps)

    def finished(self, context: Context) -> set[str]:
        found = self.result
        _pose(context.scene.objects[self._plant], found)
        text = f"{found.iterations} iterations, {found.residual}"
        is_fine = found.is_balanced and not found.warning
        self.report({"INFO" if is_fine else "WARNING"}, f"{text}. {found.warning}" if found.warning else text)
        return {"FINISHED"}


def _pose(obj: bpy.types.Object, found: AtRest) -> None:
    """Turn the bones, whatever their rotation mode; where they are and their scale stay."""
    for index, q in zip(found.pose_index.tolist(), found.channels.tolist(), strict=True):
        bone, rotation = obj.pose.bones[index], Quaternion(q)
        if bone.rotation_mode == "QUATERNION":
            bone.rotation_quaternion = rotation
        elif bone.rotation_mode == "AXIS_ANGLE":
            axis, angle = rotation.to_axis_angle()
            bone.rotation_axis_angle = (angle, *axis)
        else:
            bone.rotation_euler = rotation.to_euler(bone.rotation_mode)
    obj.update_tag(refresh={"OBJECT", "DATA"})


class PLANT_DYNAMICS_OT_measure_frequencies(SlowWork, Operator):
    """Find how often in a second the plant swings by itself about its equilibrium, and how fast that dies out"""

    bl_idname = "plant_dynamics.measure_frequencies"
    bl_label = "Measure Frequencies"
    bl_options = {"REGISTER"}

    count: IntProperty(name="Modes", description="How many of the slowest swings", default=3, min=1, soft_max=12,
                       max=60)  # fmt: skip

    poll = classmethod(poll_plant)

    doing, given_up = "Measuring", "Measurement cancelled"

    result: Frequencies

    def work(self, context: Context) -> Generator[float, None, Frequencies]:
        steps = measure(active_armature(context), context.scene, context.evaluated_depsgraph_get(), self.count)
        return (yield from steps)

    def finished(self, context: Context) -> set[str]:
        found = self.result
        hertz = ", ".join(f"{value:.3g}" for value in found.hertz)
        text = rpt_("{hertz} Hz; damping ratio of the first {share:.3g} %")
        self.report({"INFO"}, text.format(hertz=hertz, share=100.0 * found.ratio))
        return {"FINISHED"}
