# SPDX-License-Identifier: GPL-3.0-or-later
"""What numba compiles where the extension's own machine code does not run: made now, or deleted."""

from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Context

from ...dynamics.kernels.kernel_files import clear_kernels
from ...dynamics.kernels.warm_up import compile_now, is_warm
from ..common import AtOnce, needs


class PLANT_DYNAMICS_OT_compile_now(AtOnce):
    """Compile the solver now, so that the first Play does not have to wait: about a minute"""

    bl_idname = "plant_dynamics.compile_now"
    bl_label = "Compile Now"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return needs(cls, not is_warm(), "The solver is loaded: nothing has to be compiled")

    def act(self, context: Context) -> None:
        begun = compile_now()
        self.report({"INFO"}, "The solver is being compiled" if begun else "The solver is compiled already")


class PLANT_DYNAMICS_OT_clear_kernels(AtOnce):
    """Delete what numba has compiled, for older versions too. It is compiled anew when it is needed"""

    bl_idname = "plant_dynamics.clear_kernels"
    bl_label = "Clear"
    bl_options = {"REGISTER"}

    def act(self, context: Context) -> None:
        self.report({"INFO"}, rpt_("{size:.1f} MB deleted").format(size=clear_kernels() / 1e6))
