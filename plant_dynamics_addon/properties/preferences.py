# SPDX-License-Identifier: GPL-3.0-or-later
"""What is set once for all files, in Preferences, Add-ons."""

from bpy.app.translations import pgettext_iface as iface_
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from bpy.types import AddonPreferences, Context, UILayout

from ..dynamics.kernels.kernel_files import kernels_size
from ..dynamics.kernels.warm_up import compiling_for, kernels
from ..user_choices import PACKAGE
from ..viewport import wind_arrow


def _shown(self: "PlantPreferences", context: Context) -> None:
    wind_arrow.drawing.refresh()


class PlantPreferences(AddonPreferences):
    """The extension's preferences."""

    bl_idname = PACKAGE

    start: EnumProperty(
        name="Start",
        description="How plants begin that are grown or made dynamic from now on; each has its own setting then",
        items=[
            ("settled", "Settled", "The plant hangs where its weight and the loads hold it: no run-up is needed"),
            ("keep_shape", "As Drawn, Held", "The drawn shape carries the loads: it stays until something moves it"),
            ("drawn", "As Drawn, Released", "The drawn shape without loads, then let go at the first frame"),
        ],
    )
    threads: IntProperty(
        name="Threads",
        description="How many processor threads work on one armature whose simulated parts are carried by several "
        "bones, from the next Play on. 0: all. The motion is the same",
        default=0, min=0, max=256,
    )  # fmt: skip
    show_wind_arrow: BoolProperty(
        name="Wind Arrow in All Scenes",
        description="Draw the wind's arrow in 3D views wherever gusts blow, though the scene does not ask for it",
        default=False, update=_shown,
    )  # fmt: skip
    output_folder: StringProperty(
        name="Output Folder",
        description="Where pictures, movies, plots and tables of comparisons go, unless the scene's own folder is "
        "set. Empty: beside the .blend file",
        subtype="DIR_PATH",
    )  # fmt: skip

    def draw(self, context: Context) -> None:
        """The rows in Preferences, Add-ons."""
        layout = self.layout
        layout.use_property_split = True
        for name in ("start", "threads", "show_wind_arrow", "output_folder"):
            layout.prop(self, name)
        self.draw_kernels(layout.column(align=True))

    def draw_kernels(self, column: UILayout) -> None:
        """How the solver runs, and the buttons for where numba compiles it."""
        running = kernels()
        if running is not None and running.how == "python":
            column.label(text="The solver runs as plain Python: very slow", icon="ERROR")
        elif running is not None and running.how != "numba":
            text = iface_("The solver's machine code for this processor is loaded ({level})")
            column.label(text=text.format(level=running.how), translate=False, icon="CHECKMARK")
        else:
            text = iface_("Compiled by numba: {size:.1f} MB").format(size=kernels_size() / 1e6)
            column.label(text=text, translate=False, icon="DISK_DRIVE")
            row = column.row(align=True)
            row.operator("plant_dynamics.compile_now", icon="FILE_REFRESH")
            row.operator("plant_dynamics.clear_kernels", icon="TRASH")
            if compiling_for() is not None:
                column.label(text="Being compiled", icon="TIME")
            elif running is not None:
                column.label(text="Loaded", icon="CHECKMARK")
