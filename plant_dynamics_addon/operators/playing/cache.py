# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the active plant's cache beside the .blend, or delete it there."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Context

from ...dynamics.cache import disk_cache
from ...dynamics.live import cache_saving
from ...dynamics.motion.sessions import session_of
from ...plants import active_plant
from ..common import AtOnce, needs


class _OnDisk(AtOnce):
    """What the two share: a plant in a file that has a place on disk."""

    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return needs(cls, active_plant(context), "Make the armature dynamic first") and needs(
            cls, bpy.data.filepath, "Save the file first: the cache lies beside it"
        )


class PLANT_DYNAMICS_OT_save_cache(_OnDisk):
    """Write the cached frames of this plant beside the .blend now. Renders in another Blender need the file saved as \
it is now as well"""

    bl_idname = "plant_dynamics.save_cache"
    bl_label = "Save Now"

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        session = session_of(active_plant(context))
        is_cached = session is not None and session.remembered_end >= session.recording.start_frame
        return needs(cls, is_cached, "Nothing is cached: press Play first")

    def act(self, context: Context) -> None:
        plant, blend = active_plant(context), bpy.data.filepath
        # Scripts change data without marking the file, so that only a window's word on it counts.
        is_saved = not (bpy.app.background or bpy.data.is_dirty)
        cache_saving.save(plant, blend, disk_cache.blend_digest(blend) if is_saved else "")
        file = disk_cache.file_of(plant)
        text = rpt_("Frames {first} to {last} saved to {folder}")
        told = text.format(first=file.first_frame, last=file.last_frame, folder=disk_cache.folder_of(blend))
        self.report({"INFO"}, told)


class PLANT_DYNAMICS_OT_delete_cache(_OnDisk):
    """Delete this plant's cache beside the .blend; what is in memory stays"""

    bl_idname = "plant_dynamics.delete_cache"
    bl_label = "Delete Cache on Disk"

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not super().poll(context):
            return False
        plant = active_plant(context)
        is_there = disk_cache.file_of(plant) is not None or disk_cache.note_of(plant)
        return needs(cls, is_there, "There is no cache of this plant on disk")

    def act(self, context: Context) -> None:
        cache_saving.remove(active_plant(context), bpy.data.filepath)
