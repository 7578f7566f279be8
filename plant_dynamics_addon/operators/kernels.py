# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled solver: made now, or deleted."""

from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Context, Operator

from ...solver import NUMBA_AVAILABLE
from ..dynamics.kernel_files import clear_kernels
from ..dynamics.warm_up import compile_now
from .common import reports_errors


class PLANT_DYNAMICS_OT_compile_now(Operator):
    """Compile the solver now, so that the first Play does not have to wait: one to three minutes"""

    bl_idname = "plant_dynamics.compile_now"
    bl_label = "Compile Now"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not NUMBA_AVAILABLE:
            cls.poll_message_set("numba is missing: nothing can be compiled")
            return False
        return True

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        begun = compile_now()
        self.report({"INFO"}, "The solver is being compiled" if begun else "The solver is compiled already")
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_clear_kernels(Operator):
    """Delete the compiled solver, of older versions too. It is compiled anew when it is needed"""

    bl_idname = "plant_dynamics.clear_kernels"
    bl_label = "Clear"
    bl_options = {"REGISTER"}

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        self.report({"INFO"}, rpt_("{size:.1f} MB deleted").format(size=clear_kernels() / 1e6))
        return {"FINISHED"}


CLASSES = (PLANT_DYNAMICS_OT_compile_now, PLANT_DYNAMICS_OT_clear_kernels)
