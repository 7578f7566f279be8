# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare, render the comparison, plot a plant's motion, and set a plant beside footage."""

from collections.abc import Generator
from pathlib import Path

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import BoolProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator

from ...baking.bake import simulate_range
from ...blender.meanwhile import part
from ...comparison.footage import FootageOptions, beside_footage, footage_rate
from ...comparison.output import file_name, output_folder, write_plots
from ...comparison.plots import MeasuredMotion, measured_in_steps, plot_one, write_csv
from ...comparison.row import CompareOptions, Comparison, compare
from ...comparison.scene import Shot
from ...plants import active_armature
from ..common import needs, poll_plant, reports_errors
from ..slow_work import SlowWork


def _show(context: Context, scene: bpy.types.Scene) -> None:
    if context.window is None:
        return
    context.window.scene = scene
    for area in context.window.screen.areas:
        if area.type == "VIEW_3D":
            area.spaces.active.region_3d.view_perspective = "CAMERA"


class PLANT_DYNAMICS_OT_compare(SlowWork, Operator):
    """Repeat the plant in a row with other values, with what it moves and touches and under the same loads, in a new \
scene. This one stays. Esc stops"""

    bl_idname = "plant_dynamics.compare"
    bl_label = "Compare"
    bl_options = {"REGISTER", "UNDO"}

    poll = classmethod(poll_plant)

    doing, given_up = "Comparing", "Comparison cancelled, nothing was changed"

    result: Comparison

    def work(self, context: Context) -> Generator[float, None, Comparison]:
        settings, scene = context.scene.plant_dynamics_compare, context.scene
        if settings.plots:
            output_folder(scene)  # an error comes before the work
        options = CompareOptions(
            settings.quantity, settings.values, scene.frame_start, scene.frame_end, settings.constant.strip(),
            Shot(width=settings.width, samples=settings.samples, spacing=settings.spacing), settings.plots,
            scene.plant_dynamics_bake.allow_stopped,
        )  # fmt: skip
        return compare(context, active_armature(context), options)

    def finished(self, context: Context) -> set[str]:
        comparison, settings = self.result, context.scene.plant_dynamics_compare
        new = comparison.scene
        own = new.plant_dynamics_compare
        for name in ("quantity", "values", "constant", "width", "samples", "spacing", "folder", "stills"):
            setattr(own, name, getattr(settings, name))
        if settings.plots:
            write_plots(comparison, output_folder(context.scene))
        _show(context, new)
        self.report({"INFO"}, comparison.told())
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_plot_motion(SlowWork, Operator):
    """Plot path and angle of the plant's tip and its energy over time, as a PNG and a CSV table in the folder below"""

    bl_idname = "plant_dynamics.plot_motion"
    bl_label = "Plot Motion"
    bl_options = {"REGISTER"}

    poll = classmethod(poll_plant)

    doing, given_up = "Measuring", "Measurement cancelled"

    result: MeasuredMotion

    def work(self, context: Context) -> Generator[float, None, MeasuredMotion]:
        scene, obj = context.scene, active_armature(context)
        assert obj is not None
        output_folder(scene)  # an error comes before the work
        return self._measurement(context, obj, scene.frame_end, scene.plant_dynamics_bake.allow_stopped)

    def _measurement(
        self, context: Context, obj: bpy.types.Object, last_frame: int, allow_stopped: bool
    ) -> Generator[float, None, MeasuredMotion]:
        if not obj.plant_dynamics.is_baked:  # the cache of a baked plant is that of its bake
            for progress, _ in simulate_range(context, [obj], last_frame, allow_stopped=allow_stopped):
                yield 0.5 * progress
        return (yield from part(measured_in_steps(context, obj, last_frame, allow_stopped), 0.5, 1.0))

    def finished(self, context: Context) -> set[str]:
        stem = output_folder(context.scene) / file_name(self.result.name)
        plot_one(self.result, Path(f"{stem}.png"))
        write_csv(self.result, Path(f"{stem}.csv"))
        self.report({"INFO"}, rpt_("Plotted to {path}").format(path=f"{stem}.png"))
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_beside_footage(Operator):
    """Set this scene beside a movie or an image sequence of a real plant, in the sequencer of a new scene"""

    bl_idname = "plant_dynamics.beside_footage"
    bl_label = "Beside Footage"
    bl_options = {"REGISTER", "UNDO"}

    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(
        default=";".join(f"*{e}" for e in (*sorted(bpy.path.extensions_movie), *sorted(bpy.path.extensions_image))),
        options={"HIDDEN"},
    )
    start_frame: IntProperty(name="Begins at Frame", description="The scene's frame at which the footage begins",
                             default=1)  # fmt: skip
    skip: IntProperty(name="Skip", description="Frames of the footage to leave out at its beginning", default=0, min=0)
    height: IntProperty(
        name="Height", description="Height of both pictures. 0: the footage's", default=0, min=0, max=16384,
        subtype="PIXEL",
    )  # fmt: skip
    background: BoolProperty(
        name="Behind Camera",
        description="Also show the footage behind the scene's camera, to line plant and handles up with it",
        default=True,
    )

    @classmethod
    def poll(cls, context: Context) -> bool:
        return needs(cls, context.scene.camera, "Add a camera first and aim it as the footage was taken")

    def invoke(self, context: Context, event: Event) -> set[str]:
        self.start_frame = context.scene.frame_start
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        scene, path = context.scene, Path(bpy.path.abspath(self.filepath))
        options = FootageOptions(self.start_frame, self.skip, self.height, self.background)
        new = beside_footage(scene, path, options)
        new.plant_dynamics_compare.folder = scene.plant_dynamics_compare.folder
        new.plant_dynamics_compare.holds_comparison = True
        rate, own = footage_rate(new), scene.render.fps / scene.render.fps_base
        if rate and abs(rate - own) > 0.01:
            text = rpt_("The footage has {rate:.4g} frames per second, the scene {own:.4g}: set the scene's to the "
                        "same")  # fmt: skip
            self.report({"WARNING"}, text.format(rate=rate, own=own))
        _show(context, new)
        return {"FINISHED"}
