# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether work goes on in the window, which the buttons wait for."""

import bpy
from bpy.app.translations import pgettext_iface as iface_

from ...blender.redraw import redraw_views

_doing = ""


def begin(doing: str) -> None:
    """From now on, as the status bar says: such as "Baking"."""
    global _doing
    if _doing != doing:
        _doing = doing
        redraw_views()


def end() -> None:
    """The work has come to its end, or was given up."""
    global _doing
    _doing = ""
    redraw_views()


def is_going_on() -> bool:
    """Whether there is any."""
    return bool(_doing)


def poll_idle(cls: type[bpy.types.Operator]) -> bool:
    """Poll: no work goes on."""
    if not _doing:
        return True
    cls.poll_message_set(iface_("{doing}: wait, or press Esc").format(doing=iface_(_doing)))
    return False
