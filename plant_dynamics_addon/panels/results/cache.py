# SPDX-License-Identifier: GPL-3.0-or-later
"""Cache: which frames are in memory and on disk."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Panel, UILayout

from ...dynamics.cache import disk_cache
from ...dynamics.motion.sessions import session_of
from ..base import SubPanel, message


class PLANT_DYNAMICS_PT_cache(SubPanel, Panel):
    bl_label = "Cache"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        for text, icon in cached_frames(obj):
            layout.label(text=text, icon=icon, translate=False)
        note = disk_cache.note_of(obj)
        if note:
            message(bpy.context, layout, note)
        layout.prop(settings, "use_disk_cache")
        if settings.use_disk_cache and not bpy.data.filepath:
            layout.label(text="Written when the file is saved", icon="INFO")
        row = layout.row(align=True)
        row.operator("plant_dynamics.save_cache", icon="FILE_TICK")
        row.operator("plant_dynamics.delete_cache", text="", icon="TRASH")


def cached_frames(obj: bpy.types.Object) -> list[tuple[str, str]]:
    """What is cached of a plant, in lines with icons."""
    session, file = session_of(obj), disk_cache.file_of(obj)
    lines = []
    if session is None or session.end_frame < session.recording.start_frame:
        lines.append((str(iface_("In memory: none")), "MEMORY"))
    else:
        text = iface_("In memory: frames {first} to {last}")
        lines.append((text.format(first=session.recording.start_frame, last=session.end_frame), "MEMORY"))
    if session is not None and session.remembered_end > session.end_frame:
        text = iface_("To frame {last} where nothing has changed")
        lines.append((text.format(last=session.remembered_end), "BLANK1"))
    on_disk = str(iface_("On disk: none"))
    if file:
        on_disk = iface_("On disk: frames {first} to {last}").format(first=file.first_frame, last=file.last_frame)
    lines.append((on_disk, "DISK_DRIVE"))
    return lines
