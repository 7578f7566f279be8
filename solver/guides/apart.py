# SPDX-License-Identifier: GPL-3.0-or-later
"""What is rigid and does not begin where it holds, as it was drawn or comes to hold: it is drawn in evenly.

It holds as far off as that is at the beginning, and ever less: else it would be a blow.
"""

import numpy as np

from ..base.arrays import Bools, Floats
from ..math.rotations import rotate
from . import pulls as pull
from . import ties as tie
from .on_surface import MOVES
from .pulls import Pulls
from .ties import Ties

#: What is farther off than this share of the plant's size at rest is not held, nearer than the other one it is only
#: rounding that is off; and of its largest force this share is much.
_OPEN, _ROUNDING, _MUCH = 1e-7, 1e-13, 0.5

#: 1/s: so many times the plant's size is drawn in a second.
_DRAWN_IN = 1.0


def pulled_apart(pulls: Pulls, position: Floats, orientation: Floats) -> Floats:
    """(k, 3) m: how far off what holds them rigid pulls are, of bodies at position (n, 3) m and orientation (n, 4)."""
    found = np.zeros((len(pulls.body), 3))
    there = pulls.numbers.copy()
    there[:, pull.APART : pull.APART + 3] = 0.0
    for j, i in enumerate(pulls.body.tolist()):
        if i >= 0 and there[j, pull.RIGID] > 0.0:
            x = tuple((position[i] + rotate(orientation[i], pull.points_of(pulls)[j])).tolist())
            found[j] = -np.array(pull.held_at(pulls.shapes, pulls.shapes, pulls.on, there, j, 0.0, x, MOVES)[0])
    return found


def tied_apart(ties: Ties, position: Floats, orientation: Floats) -> Floats:
    """(t, 3) m: how far the ends of rigid ties are from each other, likewise."""
    way = tie.ways_of(ties, position, orientation)
    return np.where(ties.numbers[:, tie.RIGID, None] > 0.0, way, 0.0)


def keep_apart(pulls: Pulls, ties: Ties, position: Floats, orientation: Floats, drawn: Bools, size: Floats) -> None:
    """Let what holds bodies (n,) that are drawn hold them as far off as they are; others, of plants of sizes (n,) m, if
    no equilibrium was found in which they are held, and not because it gives way."""
    for numbers, column, apart, body, held, gives in (
        (pulls.numbers, pull.APART, pulled_apart(pulls, position, orientation), pulls.body, pulls.held, pull.GIVES),
        (ties.numbers, tie.APART, tied_apart(ties, position, orientation), ties.body[:, 0], ties.held, tie.GIVES),
    ):
        far, gives_way = np.linalg.norm(apart, axis=1), ~are_firm(held, numbers[:, gives])
        is_off, is_open = far > _ROUNDING * size[body], far > _OPEN * size[body]
        off = (body >= 0) & ((drawn[body] & is_off) | (is_open & ~gives_way))
        numbers[:, column : column + 3] = np.where(off[:, None], apart, 0.0)


def are_firm(held: Floats, gives: Floats) -> Bools:
    """(k,) whether what holds with forces (k, 3) N does not give way; gives (k,): one over its largest force (1/N)."""
    return np.asarray(np.linalg.norm(held, axis=1) * gives < _MUCH)


def drawn_in(apart: Floats, size: Floats, duration: float) -> Floats:
    """What is left of distances (k, 3) m in plants of sizes (k,) m after a duration (s)."""
    if not apart.any():
        return apart
    far = np.linalg.norm(apart, axis=1)
    left = np.maximum(0.0, far - _DRAWN_IN * size * duration)
    return apart * (left / np.maximum(far, 1e-300))[:, None]
