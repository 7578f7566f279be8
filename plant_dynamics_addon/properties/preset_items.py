# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu of plants that come with the add-on."""

from zlib import crc32

from ...lsystem import presets

#: Headings of the menu, in this order; the first plant of the first group is the menu's first choice.
GROUPS = ("Herbs", "Flowers", "Grasses", "Trees and shrubs")

Heading = tuple[str, str, str]
Item = tuple[str, str, str, str, int]


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
