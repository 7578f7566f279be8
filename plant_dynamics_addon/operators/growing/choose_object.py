# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose a plant of L-studio to be opened: in the file browser, and of a folder with several from a menu."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.props import StringProperty
from bpy.types import Context, Event, Operator

from ....lsystem import headings, object_name, objects_in
from ...dynamics.live.at_work import poll_idle
from ..common import reports_errors
from .open_object import PLANT_DYNAMICS_OT_open_object, SizeOfObject

#: L-systems that a menu lists.
MOST_CHOICES = 40
#: Seconds in which the file browser's window is gone, and where the pointer is known in the other.
_CLOSED = 0.2


class PLANT_DYNAMICS_OT_choose_object(SizeOfObject, Operator):
    """Open a plant of L-studio or VLAB, an .l file of cpfg, with its view, functions and surfaces, as one text"""

    bl_idname = "plant_dynamics.choose_object"
    bl_label = "Open L-studio Object"
    bl_options = set()  # to choose is no step to be undone

    filepath: StringProperty(subtype="FILE_PATH", options={"HIDDEN", "SKIP_SAVE"})
    filter_glob: StringProperty(default="*.l", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_idle(cls)

    def invoke(self, context: Context, event: Event) -> set[str]:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        path = Path(bpy.path.abspath(self.filepath))
        files = objects_in(path) if path.is_dir() else []
        size = {"unit": self.unit, "thicken": self.thicken}
        if len(files) > 1:
            bpy.app.timers.register(partial(_ask, context.window, path, files, size), first_interval=_CLOSED)
        else:
            bpy.ops.plant_dynamics.open_object("INVOKE_DEFAULT", filepath=self.filepath, **size)
        return {"FINISHED"}


def _ask(window: bpy.types.Window, folder: Path, files: Sequence[Path], size: dict[str, object]) -> None:
    with bpy.context.temp_override(window=window):
        bpy.context.window_manager.popup_menu(
            lambda menu, _: draw_choices(menu.layout, folder, files, size),
            title=iface_("Choose L-studio Object"), icon="FILE_FOLDER",
        )  # fmt: skip


def draw_choices(layout: bpy.types.UILayout, folder: Path, files: Sequence[Path], size: dict[str, object]) -> None:
    """A button for each of the L-systems of a folder, the first ones of very many."""
    layout.operator_context = "INVOKE_DEFAULT"
    called = headings(folder)
    for file in files[:MOST_CHOICES]:
        text = f"{called.get(file.name) or object_name(file)}  ({file.relative_to(folder)})"
        row = layout.operator(PLANT_DYNAMICS_OT_open_object.bl_idname, text=text, translate=False)
        row.filepath = str(file)
        for name, value in size.items():
            setattr(row, name, value)
    if len(files) > MOST_CHOICES:
        text = iface_("{count} others: choose a folder that is nearer to them")
        layout.label(text=text.format(count=len(files) - MOST_CHOICES), translate=False)
