# SPDX-License-Identifier: GPL-3.0-or-later
"""Open plants of L-studio."""

from collections.abc import Generator
from pathlib import Path

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import BoolProperty, FloatProperty, StringProperty
from bpy.types import Context, Operator

from ....lsystem import LStudioObject, LSystemError, open_object, parse
from ...blender.meanwhile import meanwhile
from ...dynamics.live.at_work import poll_idle
from ...giving_up import done_so_far
from ...grow.opened_images import text_with_images, without_images
from ...grow.options import show_constants_again
from ..slow_work import SlowWork
from .text_editors import show_place

#: Metres that 1 in a file stands for, where another unit than the automatic one begins.
_CENTIMETRE = 0.01


class SizeOfObject:
    """How large a plant of L-studio becomes, which its file does not say."""

    unit: FloatProperty(
        name="Unit",
        description="Length of 1 in the file, which has no unit itself. 0: such that the plant is half a metre large",
        default=0.0, min=0.0, max=1e3, subtype="DISTANCE", precision=4,
    )  # fmt: skip
    is_half_metre: BoolProperty(
        name="Half a Metre Large",
        description="Take the unit with which the plant is half a metre large, for its file has none. Without it a "
        "length of 1 in the file is Unit",
        get=lambda self: self.unit == 0.0,
        set=lambda self, value: setattr(self, "unit", 0.0 if value else _CENTIMETRE),
        options={"SKIP_SAVE"},
    )
    thicken: BoolProperty(
        name="Thicken Lines",
        description="Lines that are drawn too thin for wood to carry the plant become as wide as that takes. Without "
        "it the plant looks as in its file, of stems that may be stiffer than the stiffest wood that grows",
    )

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "is_half_metre")
        if not self.is_half_metre:
            layout.prop(self, "unit")
        layout.prop(self, "thicken")


class PLANT_DYNAMICS_OT_open_object(SizeOfObject, SlowWork, Operator):
    """Open a plant of L-studio or VLAB, an .l file of cpfg, with its view, functions and surfaces, as one text"""

    bl_idname = "plant_dynamics.open_object"
    bl_label = "Open L-studio Object"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}  # INTERNAL: the one that asks for the file is found by searching

    filepath: StringProperty(subtype="FILE_PATH", options={"HIDDEN", "SKIP_SAVE"})
    used: StringProperty(options={"HIDDEN", "SKIP_SAVE"})  # the unit, as it is told

    doing, given_up = "Opening", "Open cancelled, nothing was changed"
    uses_solver = False

    result: tuple[LStudioObject, list[str]]

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_idle(cls)

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return f"{properties.filepath}\n{cls.__doc__}" if properties.filepath else str(cls.__doc__)

    def draw(self, context: Context) -> None:
        SizeOfObject.draw(self, context)
        if self.is_half_metre:
            text = iface_("A length of 1 is {length}").format(length=self.used)
            self.layout.label(text=text, translate=False, icon="INFO")

    def work(self, context: Context) -> Generator[float, None, tuple[LStudioObject, list[str]]]:
        path, unit, thicken = Path(bpy.path.abspath(self.filepath)), self.unit, self.thicken

        def opened() -> tuple[LStudioObject, list[str]]:
            found = open_object(path, unit, thicken, done_so_far)
            return found, list(parse(found.text, found.path.name).notes)

        try:
            return (yield from meanwhile(opened))
        except LSystemError as error:
            if error.line and error.source == path.name:
                text = bpy.data.texts.new(path.name)
                text.write(path.read_text(encoding="utf-8", errors="replace"))
                show_place(context, text, error.line, error.column)
            raise

    def finished(self, context: Context) -> set[str]:
        opened, notes = self.result
        self.used = f"{opened.unit:.3g} m"
        options = context.scene.plant_dynamics
        text = bpy.data.texts.new(opened.name)
        text.write(text_with_images(opened))
        text.cursor_set(0)
        options.text = text
        options.source = "TEXT"
        options.pot = False  # the file has what it stands on, if anything
        show_constants_again(options)
        told = rpt_("'{name}' is opened: press Grow. A length of 1 is {unit}, and so that it stands, its stems' "
                    "Young's is {young} GPa")  # fmt: skip
        wider = opened.thickening()
        if wider > 1.0:
            told = rpt_("'{name}' is opened: press Grow. A length of 1 is {unit}. Its lines are thin: so that it "
                        "stands, its stems' Young's is {young} GPa; the stiffest green wood has 19. To have "
                        "wood, open it with Thicken Lines: they become {wider:.2g} times as wide")  # fmt: skip
        kind = {"WARNING" if wider > 1.0 else "INFO"}
        told = told.format(name=text.name, unit=self.used, young=_figure(1e-9 * opened.young), wider=wider)
        self.report(kind, ". ".join([*notes, *without_images(opened), told]))
        return {"FINISHED"}


def _figure(value: float) -> str:
    """With two digits, without a power of ten."""
    return f"{value:.0f}" if value >= 10.0 else f"{value:.2g}"
