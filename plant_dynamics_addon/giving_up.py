# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on another thread: how far it has come, and that nobody may wait for it any more."""

from collections.abc import Callable
from threading import Event, local

_here = local()  # given_up, told: of the work that this thread does


class GivenUp(Exception):
    """Nobody waits any more for what this thread does."""


def may_be_given_up(given_up: Event, told: Callable[[float], None]) -> None:
    """From now on this thread's work ends soon after that event, and what share of it is done is told."""
    _here.given_up, _here.told = given_up, told


def unless_given_up() -> None:
    """For work that takes long, now and then: raises GivenUp on a thread for which nobody waits any more."""
    if hasattr(_here, "given_up") and _here.given_up.is_set():
        raise GivenUp


def done_so_far(share: float) -> None:
    """The same, with the share (0 to 1) of the work that is done, which whoever waits then knows."""
    unless_given_up()
    if hasattr(_here, "told"):
        _here.told(share)
