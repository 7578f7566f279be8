# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether work goes on in the window, which the buttons wait for."""

from collections.abc import Callable
from time import perf_counter

import bpy
from bpy.app.translations import pgettext_iface as iface_

from ...blender.redraw import redraw_sidebars, redraw_views

_doing, _share, _begun, _lasted = "", 0.0, 0.0, 0
_give_up: Callable[[], None] | None = None
_is_aside = False


def begin(give_up: Callable[[], None], is_aside: bool = False) -> None:
    """Work begins, which this gives up; is_aside: nobody has asked for it, and it is begun anew where it is wanted."""
    global _give_up, _begun, _is_aside
    _give_up, _begun, _is_aside = give_up, perf_counter(), is_aside


def has_begun() -> bool:
    """Whether work has begun that has not come to its end, also while it waits for the solver."""
    return _give_up is not None


def interrupt() -> None:
    """Give up what is being done, before undo, redo, an operator or another file takes away what it works on."""
    if _give_up is not None:
        _give_up()


def tell(doing: str, share: float = 0.0) -> None:
    """Work goes on, such as "Baking", of which this share is done."""
    global _doing, _share, _lasted
    seconds = int(lasts()) if share == 0.0 else _lasted
    if _doing != doing or round(100.0 * share) != round(100.0 * _share) or seconds != _lasted:
        redraw_sidebars()  # and no view: Blender draws that again and again until its edges are smooth
    _doing, _share, _lasted = doing, share, seconds


def end() -> None:
    """The work has come to its end, or was given up."""
    global _doing, _share, _give_up, _is_aside
    _doing, _share, _give_up, _is_aside = "", 0.0, None, False
    redraw_views()


def is_going_on() -> bool:
    """Whether there is any."""
    return bool(_doing)


def going_on() -> tuple[str, float]:
    """What is being done, or "", and the share of it that is done."""
    return _doing, _share


def lasts() -> float:
    """For how long (s) the work has gone on."""
    return perf_counter() - _begun


def how_far(doing: str, share: float) -> str:
    """What is done and the share of it, or as long as that is nothing, for how long."""
    return f"{iface_(doing)} {100.0 * share:.0f} %" if share > 0.0 else f"{iface_(doing)} {lasts():.0f} s"


def poll_ends_aside(cls: type[bpy.types.Operator]) -> bool:
    """Poll: no work goes on but what nobody has asked for, which the operator interrupts."""
    return _is_aside or poll_idle(cls)


def poll_idle(cls: type[bpy.types.Operator]) -> bool:
    """Poll: no work goes on."""
    if not _doing:
        return True
    cls.poll_message_set(iface_("{doing}: wait, or press Esc").format(doing=iface_(_doing)))
    return False
