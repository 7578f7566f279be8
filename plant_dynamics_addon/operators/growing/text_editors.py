# SPDX-License-Identifier: GPL-3.0-or-later
"""Text Editors that are open: what they show, and where."""

from collections.abc import Iterator

import bpy
from bpy.types import Context


def show_text(context: Context, text: bpy.types.Text) -> bool:
    """Show the text in a Text Editor, if one is open: one that shows it already, else the first of this window."""
    editors = list(_editors(context))
    if not editors:
        return False
    space = next((one for one in editors if one.text == text), editors[0])
    space.text = text
    return True


def show_place(context: Context, text: bpy.types.Text, line: int, column: int) -> None:
    """Set the text's cursor to a place (counted from 1), with the character there selected, and have it seen."""
    text.cursor_set(line - 1, character=column - 1)
    text.select_set(line - 1, column - 1, line - 1, column)
    if show_text(context, text):
        for space in _editors(context):
            if space.text == text:
                space.top = max(0, line - 1 - max(space.visible_lines, 1) // 2)


def _editors(context: Context) -> Iterator[bpy.types.SpaceTextEditor]:
    windows = context.window_manager.windows
    for window in sorted(windows, key=lambda one: one != context.window):
        for area in window.screen.areas:
            if area.type == "TEXT_EDITOR":
                area.tag_redraw()
                yield area.spaces.active
