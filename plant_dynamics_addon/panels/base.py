# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels of the Plant tab share."""

from collections.abc import Iterable, Iterator

import blf
import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, PropertyGroup, UILayout

from ..dynamics.kernels.warm_up import compiling_for
from ..dynamics.live.at_work import going_on, has_begun, how_far, lasts
from ..plants import active_plant

_EDGES, _BOX, _ICON, _POINTS = 56.0, 16.0, 22.0, 11.0  # pixels at scale 1 beside a label; and the height of its letters
_FONT = 0  # the interface's own
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_USUAL = 60.0  # s; after so long a bar without a known end is half full


def message(context: Context, layout: UILayout, text: str, icon: str = "ERROR", boxed: bool = False) -> None:
    """Labels with the whole text, in as many lines as the width of the region, or of a box in it, makes of it."""
    messages(context, layout, [(text, icon)], boxed)


def messages(
    context: Context, layout: UILayout, texts: Iterable[tuple[str, str]], boxed: bool = False, lines: int = 0
) -> bool:
    """Texts with their icons below each other in the same way. With a number of lines always so many, so that what
    stands below does not move: empty ones where there is less to say, and an ellipsis where there is more. Returns
    whether something was left out."""
    width = context.region.width / context.preferences.system.ui_scale if context.region else 300.0
    width -= _EDGES + _BOX * boxed
    drawn = [
        (line, width - _ICON * (icon != "NONE"), "BLANK1" if number and icon != "NONE" else icon)
        for text, icon in texts
        for number, line in enumerate(_lines(iface_(text), width - _ICON * (icon != "NONE")))
    ]
    column, most = layout.column(align=True), lines or len(drawn)
    for number, (line, room, icon) in enumerate(drawn[:most]):
        is_cut = number == most - 1 < len(drawn) - 1
        column.label(text=_cut(line, room) if is_cut else line, translate=False, icon=icon)
    for _ in range(len(drawn), lines):
        column.label(text="")
    return len(drawn) > most


def _cut(line: str, room: float) -> str:
    """As much of a line as there is room for, in pixels, with an ellipsis behind it."""
    while line and _width(f"{line}{_ELLIPSIS}") > room:
        line = line[:-1].rstrip()
    return f"{line}{_ELLIPSIS}"


def _lines(text: str, room: float) -> list[str]:
    """The text in lines of so many pixels."""
    blf.size(_FONT, _POINTS)
    lines = [""]
    for word in text.split(" "):
        for piece in [word] if _width(word) <= room else _pieces(word, room):
            longer = f"{lines[-1]} {piece}" if lines[-1] else piece
            if lines[-1] and _width(longer) > room:
                lines.append(piece)
            else:
                lines[-1] = longer
    return lines


def _pieces(word: str, room: float) -> Iterator[str]:
    """What a word that is longer than a line is cut into, as paths are."""
    begin = 0
    for end in range(2, len(word) + 1):
        if _width(word[begin:end]) > room and end - begin > 1:
            yield word[begin : end - 1]
            begin = end - 1
    yield word[begin:]


def _width(text: str) -> float:
    return float(blf.dimensions(_FONT, text)[0])


def progress(layout: UILayout, *kinds: str) -> bool:
    """In place of a button, how far its work has come. kinds: which work, else all; returns whether it goes on."""
    doing, share = going_on()
    if not doing or (kinds and doing not in kinds):
        return False
    factor = share if share > 0.0 else lasts() / (lasts() + _USUAL)
    layout.progress(factor=factor, text=how_far(doing, share))
    return True


def compiling(layout: UILayout) -> bool:
    """In place of buttons while work waits for the solver, for how long that has been compiled; returns whether it is.
    """
    seconds = compiling_for()
    if seconds is None or not has_begun():
        return False
    text = iface_("Compiling the solver: {seconds:.0f} s").format(seconds=seconds)
    layout.progress(factor=seconds / (seconds + _USUAL), text=text)
    return True


def play_button(context: Context, layout: UILayout, settings: PropertyGroup) -> None:
    """Play, or Pause while a plant with these settings plays."""
    playing = context.screen.is_animation_playing and settings.live
    layout.operator("plant_dynamics.play", text="Pause" if playing else "Play", icon="PAUSE" if playing else "PLAY")


class PlantPanel:
    """A panel in the Plant tab of the 3D View's sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plant"


class SubPanel(PlantPanel):
    """A panel below Dynamics, which is there while a plant is active."""

    bl_parent_id = "PLANT_DYNAMICS_PT_plant"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return active_plant(context) is not None

    def draw(self, context: Context) -> None:
        self.layout.use_property_split = True
        plant = active_plant(context)
        self.draw_plant(self.layout, plant, plant.plant_dynamics)

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        """What the panel shows."""
