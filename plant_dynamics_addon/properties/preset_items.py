# SPDX-License-Identifier: GPL-3.0-or-later
"""The plants that come with the add-on, to choose from: as a menu, and by pictures."""

from functools import cache
from pathlib import Path
from zlib import crc32

import bpy.utils.previews

from ...lsystem import presets

#: Headings of the menu, in this order; the first plant of the first group is the menu's first choice.
GROUPS = ("Herbs", "Flowers", "Grasses", "Trees and shrubs", "Studies")
#: The groups of plants that do not stand in pots.
OF_TREES = ("Trees and shrubs", "Studies")

Heading = tuple[str, str, str]
Item = tuple[str, str, str, str | int, int]

#: A picture for each plant, by its name; tools/preset_pictures.py renders them.
PICTURES = Path(__file__).parent.parent / "grow" / "pictures"


def _number(name: str) -> int:
    """A number of the name's own. Blender's menus pass numbers on in single precision, exact below 2^24."""
    return crc32(name.encode()) & 0xFFFFFF


def preset_items() -> list[Heading | Item]:
    """The plants by title below the headings of their groups.

    The number by which a file remembers a plant follows from its name, so more plants do not change it.
    """
    items: list[Heading | Item] = []
    for group in GROUPS:
        items.append(("", group, ""))
        members = sorted((preset for preset in presets() if preset.group == group), key=lambda preset: preset.title)
        items += [(one.name, one.title, one.description, "NONE", _number(one.name)) for one in members]
    return items


@cache
def picture_items(group: str) -> list[Item]:
    """The plants of a group in the menu's order and with its numbers, each with its picture and a name that fits below
    it."""
    pictures, members = _pictures(), {preset.name for preset in presets() if preset.group == group}
    return [
        (name, _short(title), told, pictures[name].icon_id if name in pictures else "QUESTION", number)
        for name, title, told, _, number in (item for item in preset_items() if item[0] in members)
    ]


def group_of(name: str) -> str:
    """The group of the plant of this name; the first one where there is no such plant."""
    return next((preset.group for preset in presets() if preset.name == name), GROUPS[0])


def first_of(group: str) -> str:
    """The name of the first plant in a group."""
    return min((preset.title, preset.name) for preset in presets() if preset.group == group)[1]


def _short(title: str) -> str:
    return title.partition(",")[0].partition(" with ")[0].partition(" after ")[0]


@cache
def _pictures() -> bpy.utils.previews.ImagePreviewCollection:
    """All pictures. Blender reads each when it is first shown."""
    found = bpy.utils.previews.new()
    for path in sorted(PICTURES.glob("*.jpg")):
        found.load(path.stem, str(path), "IMAGE")
    return found


def forget_pictures() -> None:
    """Give the pictures back to Blender, before the extension goes."""
    bpy.utils.previews.remove(_pictures())
    _pictures.cache_clear()
    picture_items.cache_clear()
