# SPDX-License-Identifier: GPL-3.0-or-later
"""Open plants of L-studio."""

import re
from collections.abc import Generator, Sequence
from pathlib import Path

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import BoolProperty, FloatProperty, StringProperty
from bpy.types import Context, Event, Operator

from ....lsystem import LStudioObject, LSystemError, object_name, objects_in, open_object, parse
from ...blender.meanwhile import meanwhile
from ...dynamics.live.at_work import poll_idle
from ...giving_up import done_so_far
from ...grow.options import show_constants_again
from ..slow_work import SlowWork
from .text_editors import show_place

#: L-systems that a menu lists.
MOST_CHOICES = 40


class PLANT_DYNAMICS_OT_open_object(SlowWork, Operator):
    """Open a plant of L-studio or VLAB, an .l file of cpfg, with its view, functions and surfaces, as one text"""

    bl_idname = "plant_dynamics.open_object"
    bl_label = "Open L-studio Object"
    bl_options = {"REGISTER", "UNDO"}

    filepath: StringProperty(subtype="FILE_PATH", options={"HIDDEN", "SKIP_SAVE"})
    filter_glob: StringProperty(default="*.l", options={"HIDDEN"})
    unit: FloatProperty(
        name="Unit",
        description="Length of 1 in the file, which has no unit itself. 0: such that the plant is half a metre large",
        default=0.0, min=0.0, max=1e3, subtype="DISTANCE", precision=4,
    )  # fmt: skip
    thicken: BoolProperty(
        name="Thicken Lines",
        description="Lines that are drawn too thin for wood to carry the plant become as wide as that takes. Without "
        "it the plant looks as in its file, of stems that may be stiffer than the stiffest wood that grows",
    )

    doing, given_up = "Opening", "Open cancelled, nothing was changed"
    uses_solver = False

    result: tuple[LStudioObject, list[str]]
    _is_chosen = False  # in the file browser, which executes the operator then

    @classmethod
    def poll(cls, context: Context) -> bool:
        return poll_idle(cls)

    def invoke(self, context: Context, event: Event) -> set[str]:
        if self.filepath and Path(bpy.path.abspath(self.filepath)).is_file():
            return super().invoke(context, event)
        self._is_chosen = True
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column(align=True)
        column.prop(self, "unit")
        if not self.unit:
            row = column.row()
            row.alignment = "RIGHT"
            row.label(text="0: half a metre large")
        layout.prop(self, "thicken")

    def execute(self, context: Context) -> set[str]:
        if self._is_chosen and not bpy.app.background:
            self._is_chosen = False
            folder = Path(bpy.path.abspath(self.filepath))
            files = objects_in(folder) if folder.is_dir() else []
            if len(files) > 1:
                unit, thicken = self.unit, self.thicken  # the operator is gone when the menu is drawn
                context.window_manager.popup_menu(
                    lambda menu, _: draw_choices(menu.layout, folder, files, unit, thicken),
                    title=iface_("Choose L-studio Object"), icon="FILE_FOLDER",
                )  # fmt: skip
                return {"CANCELLED"}
            return super().invoke(context, None)
        return super().execute(context)

    def cancel(self, context: Context) -> None:
        if not self._is_chosen:  # else the file browser is left without a file
            super().cancel(context)

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
        options = context.scene.plant_dynamics
        text = bpy.data.texts.new(opened.name)
        text.write(_with_images(opened))
        text.cursor_set(0)
        options.text = text
        options.source = "TEXT"
        show_constants_again(options)
        told = rpt_("'{name}' is opened: press Grow. A length of 1 is {unit:.3g} m, and so that it stands, its stems' "
                    "Young's is {young} GPa")  # fmt: skip
        wider = opened.thickening()
        if wider > 1.0:
            told = rpt_("'{name}' is opened: press Grow. A length of 1 is {unit:.3g} m. Its lines are thin: so that it "
                        "stands, its stems' Young's is {young} GPa; the stiffest green wood has 19. To have "
                        "wood, open it with Thicken Lines: they become {wider:.2g} times as wide")  # fmt: skip
        kind = {"WARNING" if wider > 1.0 else "INFO"}
        told = told.format(name=text.name, unit=opened.unit, young=_figure(1e-9 * opened.young), wider=wider)
        if opened.missing:
            without = rpt_("Surfaces are without these images, which are not beside the file: {names}")
            notes = [*notes, without.format(names=", ".join(opened.missing))]
        self.report(kind, ". ".join([*notes, told]))
        return {"FINISHED"}


def draw_choices(layout: bpy.types.UILayout, folder: Path, files: Sequence[Path], unit: float, thicken: bool) -> None:
    """A button for each of the L-systems of a folder, the first ones of very many."""
    layout.operator_context = "INVOKE_DEFAULT"
    for file in files[:MOST_CHOICES]:
        called = f"{object_name(file)}  ({file.relative_to(folder)})"
        row = layout.operator(PLANT_DYNAMICS_OT_open_object.bl_idname, text=called, translate=False)
        row.filepath, row.unit, row.thicken = str(file), unit, thicken
    if len(files) > MOST_CHOICES:
        text = iface_("{count} others: choose a folder that is nearer to them")
        layout.label(text=text.format(count=len(files) - MOST_CHOICES), translate=False)


def _with_images(opened: LStudioObject) -> str:
    """The text, with the names that Blender gives to its textures' images, which are packed and kept."""
    text = opened.text
    for path in opened.images:
        image = bpy.data.images.load(str(path), check_existing=True)
        image.use_fake_user = True
        if image.packed_file is None:
            image.pack()
        if image.name != path.name:
            text = re.sub(rf"(?m)^(\s*texture\s*:.*){re.escape(path.name)}", rf"\g<1>{image.name}", text)
    return text


def _figure(value: float) -> str:
    """With two digits, without a power of ten."""
    return f"{value:.0f}" if value >= 10.0 else f"{value:.2g}"
