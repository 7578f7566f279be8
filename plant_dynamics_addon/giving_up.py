# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on another thread for which nobody may wait any more."""

from threading import Event, local

_here = local()  # given_up: of the work that this thread does


class GivenUp(Exception):
    """Nobody waits any more for what this thread does."""


def may_be_given_up(given_up: Event) -> None:
    """From now on this thread's work ends soon after that event."""
    _here.given_up = given_up


def unless_given_up() -> None:
    """For work that takes long, now and then: raises GivenUp on a thread for which nobody waits any more."""
    if hasattr(_here, "given_up") and _here.given_up.is_set():
        raise GivenUp
