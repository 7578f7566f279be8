# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants deleted with all that was made for them, and what is left over where only their armatures were."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Context

from ...deletion import check_deletable, delete_left_over, delete_plant
from ...dynamics.live.at_work import interrupt, poll_ends_aside
from ...dynamics.surroundings.winds import is_windy
from ...grow.objects.parts import keep_as_own, left_over
from ...plants import dynamic_objects
from ..common import AtOnce, needs
from .grow import grown_plants


class PLANT_DYNAMICS_OT_delete_plant(AtOnce):
    """Delete the plant, and others that are selected, with all that was made for it: mesh, pot, soil, baked keys and \
handles. Materials and what you have parented to it stay"""

    bl_idname = "plant_dynamics.delete_plant"
    bl_label = "Delete Plant"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_ends_aside(cls) and needs(cls, grown_plants(context), "Select a plant that was grown here")

    def act(self, context: Context) -> None:
        interrupt()
        plants = grown_plants(context)
        for obj in plants:
            check_deletable(obj)
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        names = ", ".join(obj.name for obj in plants)
        count = sum(map(delete_plant, plants))
        told = rpt_("Deleted {plants}: {count} objects").format(plants=names, count=count)
        if not dynamic_objects(context.scene) and is_windy(context.scene):
            told = f'{told}. {rpt_("The wind that was chosen for this scene stays")}'
        self.report({"INFO"}, told)


def _poll_left_over(cls: type[AtOnce], context: Context) -> bool:
    return poll_ends_aside(cls) and needs(cls, left_over(context.scene), "Nothing is left over from deleted plants")


class PLANT_DYNAMICS_OT_remove_left_over(AtOnce):
    """Delete meshes, pots, soil and handles of plants whose armatures were deleted"""

    bl_idname = "plant_dynamics.remove_left_over"
    bl_label = "Remove Left Over"

    poll = classmethod(_poll_left_over)

    def act(self, context: Context) -> None:
        interrupt()
        count = delete_left_over(context.scene)
        self.report({"INFO"}, rpt_("{count} objects were removed").format(count=count))


class PLANT_DYNAMICS_OT_keep_left_over(AtOnce):
    """Keep them as objects of your own, and say no more of it"""

    bl_idname = "plant_dynamics.keep_left_over"
    bl_label = "Keep Left Over"

    poll = classmethod(_poll_left_over)

    def act(self, context: Context) -> None:
        interrupt()
        keep_as_own(left_over(context.scene))
