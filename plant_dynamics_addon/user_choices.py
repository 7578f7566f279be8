# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user has set in Preferences, Add-ons, for code that must also run where the extension is not enabled."""

from typing import Any

import bpy

#: The extension's package, by which Blender knows its preferences.
PACKAGE = (__package__ or "").rpartition(".")[0]


def user_choice(name: str, otherwise: Any) -> Any:
    """A value of the preferences, or another where there are none."""
    addon = bpy.context.preferences.addons.get(PACKAGE)
    return getattr(addon.preferences, name, otherwise) if addon is not None else otherwise


def start_as_chosen(settings: bpy.types.PropertyGroup) -> None:
    """Give a new plant the start that the user prefers, where nothing has been said about its own."""
    start = user_choice("start", settings.start)
    if not settings.is_property_set("start") and settings.start != start:
        settings.start = start
