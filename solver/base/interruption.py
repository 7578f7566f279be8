# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on a thread for which nobody waits any more: kernels that take long look at it as well."""

from threading import local

import numpy as np

from .arrays import Ints1

#: What is never set, on threads that have no other.
_NEVER = np.zeros(1, dtype=np.int64)

_here = local()  # is_set: of the work that this thread does


class Interrupted(Exception):
    """Nobody waits any more for what this thread does."""


def may_be_interrupted(is_set: Ints1) -> None:
    """From now on what takes long on this thread raises Interrupted soon after is_set (1,) has become 1."""
    _here.is_set = is_set


def interruption() -> Ints1:
    """(1,) that is 1 where nobody waits any more for this thread."""
    is_set: Ints1 = getattr(_here, "is_set", _NEVER)
    return is_set


def unless_interrupted() -> None:
    """Raises Interrupted where nobody waits any more for this thread."""
    if interruption()[0]:
        raise Interrupted
