# SPDX-License-Identifier: GPL-3.0-or-later
"""Grow a plant from an L-system."""

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.types import Context, Operator

from ..dynamics.warm_up import compile_ahead
from ..grow.from_text import grow_from_text
from ..grow.recipe import changed_constants, growth_of, show_constants, show_constants_again, text_of
from .common import reports_errors


class PLANT_DYNAMICS_OT_grow(Operator):
    """Grow the plant at the 3D cursor: an armature that is ready to move, with a skin"""

    bl_idname = "plant_dynamics.grow"
    bl_label = "Grow"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        options = context.scene.plant_dynamics
        if options.source == "TEXT" and options.text is None:
            cls.poll_message_set("Choose a text with an L-system")
            return False
        return True

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        options = context.scene.plant_dynamics
        if options.source == "TEXT":
            show_constants_again(options)
        text, source = text_of(options)
        obj = grow_from_text(
            context, text, source, pot=options.pot, location=tuple(context.scene.cursor.location), **growth_of(options)
        )
        compile_ahead()
        self.report({"INFO"}, rpt_("{plant}: {count} bones").format(plant=obj.name, count=len(obj.data.bones)))
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_preset_to_text(Operator):
    """Copy the preset's L-system to a text, to be changed"""

    bl_idname = "plant_dynamics.preset_to_text"
    bl_label = "Edit as Text"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        options = context.scene.plant_dynamics
        content, title = text_of(options)
        text = bpy.data.texts.new(f"{title}.lsys")
        text.write(content)
        text.cursor_set(0)
        age, constants = options.steps, changed_constants(options)
        options.text = text
        options.source = "TEXT"
        show_constants(options, constants)
        options.steps = age  # it is the same plant still
        self.report({"INFO"}, rpt_("'{text}' can be edited in the Text Editor").format(text=text.name))
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_show_constants(Operator):
    """List the constants of the L-system that can be changed here, as its text has them now"""

    bl_idname = "plant_dynamics.show_constants"
    bl_label = "Show Constants"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return PLANT_DYNAMICS_OT_grow.poll(context)

    def execute(self, context: Context) -> set[str]:
        options = context.scene.plant_dynamics
        show_constants_again(options)
        if not options.constants:
            self.report({"INFO"}, "This text has no 'let' lines")
        return {"FINISHED"}
