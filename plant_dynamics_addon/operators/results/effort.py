# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard joints work in an animation: told, keyed for drivers and materials, and plotted."""

from collections.abc import Generator
from pathlib import Path

from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Context, Operator

from ...baking.keyed_properties import refuse_linked
from ...blender.redraw import redraw_views
from ...comparison.output import file_name, output_folder
from ...effort.efforts import Efforts, measure
from ...effort.keys import EFFORT_KEYS, write_effort_keys
from ...effort.plots import plot, write_table
from ...plants import active_armature
from ..common import AtOnce, needs, poll_plant
from ..slow_work import SlowWork


class MeasuringEffort(SlowWork):
    """Evaluate all frames of the scene."""

    doing, given_up = "Measuring", "Measurement cancelled"

    poll = classmethod(poll_plant)

    result: Efforts
    _plant: str

    def work(self, context: Context) -> Generator[float, None, Efforts]:
        obj = active_armature(context)
        self._plant = obj.name_full
        return measure(context, obj, context.scene.frame_end)

    def tell(self, text: str) -> None:
        """Report it, as a warning where something is not counted, and show it."""
        redraw_views()
        self.report({"WARNING" if self.result.cautions else "INFO"}, ". ".join([text, *self.result.cautions]))


class PLANT_DYNAMICS_OT_measure_effort(MeasuringEffort, Operator):
    """Tell how hard each bone's joint works, as a muscle or spring, to move the bones as animated. Esc stops"""

    bl_idname = "plant_dynamics.measure_effort"
    bl_label = "Measure Effort"
    bl_options = {"REGISTER"}

    def finished(self, context: Context) -> set[str]:
        self.tell(self.result.told())
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_key_effort(MeasuringEffort, Operator):
    """Key the effort and the moment (N m) of each bone's joint, for drivers and materials to read. Esc stops"""

    bl_idname = "plant_dynamics.key_effort"
    bl_label = "Key Effort"
    bl_options = {"REGISTER", "UNDO"}

    def work(self, context: Context) -> Generator[float, None, Efforts]:
        obj = active_armature(context)
        refuse_linked(obj)
        EFFORT_KEYS.refuse_other_use(obj)
        return super().work(context)

    def finished(self, context: Context) -> set[str]:
        write_effort_keys(context.scene.objects[self._plant], self.result)
        self.tell(self.result.told())
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_clear_effort(AtOnce):
    """Take the keyed efforts and moments of the armature and its bones away"""

    bl_idname = "plant_dynamics.clear_effort"
    bl_label = "Clear Effort"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_plant(cls, context) and needs(
            cls, EFFORT_KEYS.are_there(active_armature(context)), "No effort has been keyed"
        )

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        refuse_linked(obj)
        EFFORT_KEYS.clear(obj)


class PLANT_DYNAMICS_OT_plot_effort(MeasuringEffort, Operator):
    """Plot the efforts and moments of the joints that work hardest, as a PNG, and those of all joints as a CSV table, \
in Compare's folder"""

    bl_idname = "plant_dynamics.plot_effort"
    bl_label = "Plot Effort"
    bl_options = {"REGISTER"}

    def work(self, context: Context) -> Generator[float, None, Efforts]:
        output_folder(context.scene)  # an error comes before the work
        return super().work(context)

    def finished(self, context: Context) -> set[str]:
        stem = output_folder(context.scene) / f"{file_name(self.result.name)} effort"
        plot(self.result, Path(f"{stem}.png"))
        write_table(self.result, Path(f"{stem}.csv"))
        self.tell(rpt_("Plotted to {path}").format(path=f"{stem}.png"))
        return {"FINISHED"}
