# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact forces keyed for drivers and materials, and taken away again."""

from collections.abc import Generator

from bpy.types import Context, Operator

from ...baking.contact_keys import CONTACT_KEYS, write_contact_keys
from ...baking.keyed_properties import refuse_linked
from ...comparison.contact_forces import ContactForces, measure
from ...plants import active_armature
from ..common import AtOnce, needs, poll_plant
from ..slow_work import SlowWork


class PLANT_DYNAMICS_OT_key_contact_forces(SlowWork, Operator):
    """Key with how much force (N) each bone is pushed and rubbed, for drivers and materials to read. Esc stops"""

    bl_idname = "plant_dynamics.key_contact_forces"
    bl_label = "Key Contact Forces"
    bl_options = {"REGISTER", "UNDO"}

    poll = classmethod(poll_plant)

    doing, given_up = "Measuring", "Measurement cancelled"

    result: ContactForces
    _plant: str

    def work(self, context: Context) -> Generator[float, None, ContactForces]:
        obj = active_armature(context)
        refuse_linked(obj)
        CONTACT_KEYS.refuse_other_use(obj)
        self._plant = obj.name_full
        return measure(context, obj, context.scene.frame_end, context.scene.plant_dynamics_bake.allow_stopped)

    def finished(self, context: Context) -> set[str]:
        found = self.result
        write_contact_keys(context.scene.objects[self._plant], found.forces, found.first)
        self.report({"INFO"}, found.told())
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_clear_contact_forces(AtOnce):
    """Take the keyed contact forces of the plant and its bones away"""

    bl_idname = "plant_dynamics.clear_contact_forces"
    bl_label = "Clear Contact Forces"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_plant(cls, context) and needs(
            cls, CONTACT_KEYS.are_there(active_armature(context)), "No contact forces have been keyed"
        )

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        refuse_linked(obj)
        CONTACT_KEYS.clear(obj)
