# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators share: when they can be pressed, and how errors reach the user."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import bpy

from ...lsystem import LSystemError
from ...solver import SolverError
from ..blender.redraw import redraw_sidebars, redraw_views
from ..dynamics.live.at_work import poll_idle
from ..dynamics.live.refusals import remember
from ..errors import PlantError
from ..plants import active_armature, active_plant, dynamic_objects, is_linked


def needs(cls: type[bpy.types.Operator], what: object, otherwise: str) -> bool:
    """For polls: whether there is what the operator needs; if not, its button tells so."""
    if not what:
        cls.poll_message_set(otherwise)
    return bool(what)


def poll_armature(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Poll: an armature is active that can be changed, and nothing is at work."""
    obj, several = active_armature(context), len(dynamic_objects(context.scene)) > 1
    return (
        poll_idle(cls)
        and needs(cls, obj is not None or not several, "Select which of the plants is meant as well")
        and needs(cls, obj is not None, "Select an armature first")
        and needs(cls, not is_linked(obj), "The armature is linked: make it local or a library override")
        and needs(cls, obj.mode != "EDIT", "Leave Edit Mode first")
    )


def poll_plant(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Poll: such an armature is active, and dynamic."""
    return poll_armature(cls, context) and needs(cls, active_plant(context), "Make the armature dynamic first")


Method = Callable[..., set[str]]


def reports_errors(method: Method) -> Method:
    """Domain errors in an operator's execute, invoke or modal become a report to the user, and a button where one mends
    them; the operator is cancelled."""

    def run(self: bpy.types.Operator, *arguments: Any) -> set[str]:
        try:
            return method(self, *arguments)
        except (PlantError, LSystemError, SolverError) as error:
            remember(error)
            self.report({"ERROR"}, str(error))
            redraw_views()
            return {"CANCELLED"}

    # Blender counts the arguments.
    if method.__code__.co_argcount == 2:
        return wraps(method)(lambda self, context: run(self, context))
    return wraps(method)(lambda self, context, event: run(self, context, event))


class AtOnce(bpy.types.Operator):
    """An operator whose work is done at once, and can be undone unless it says otherwise."""

    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        self.act(context)
        return {"FINISHED"}

    def act(self, context: bpy.types.Context) -> None:
        """The work; domain errors are told."""


def tell_of_compiling(context: bpy.types.Context, seconds: float) -> None:
    """Say in the status bar, and by the bar of panels, for how long the solver has been compiled."""
    redraw_sidebars()
    context.workspace.status_text_set(
        f"Plant Dynamics: numba compiles the solver, once: {seconds:.0f} s, usually one to three minutes   |   "
        "Esc: cancel"
    )


def described(operator: type[bpy.types.Operator], properties: bpy.types.OperatorProperties, name: str) -> str:
    """The tooltip of an operator in a menu of its enum property: the item's, before what the operator does."""
    item = properties.bl_rna.properties[name].enum_items.get(getattr(properties, name))  # the class's lack its own
    if item is None or not item.description:
        return str(operator.__doc__)
    return f"{item.description.rstrip('.')}.\n{operator.__doc__}"
