# SPDX-License-Identifier: GPL-3.0-or-later
"""What has no part in a step that is too long for something else in the same simulation, and is not slowed down for it.

That is a body of its own that is neither held nor tied and touches none of the others. MOVED marks it, which a solve
has no use for once it has been added.
"""

from ..contact.pairs import NEAR, PAIR_SLOTS, touches
from ..data import columns as col
from ..data.lanes import LANES, get3, put3
from ..joints.loose import is_bystander
from ..machine.jit import inlined, subroutine
from ..math.vectors import scale
from .energy import energy_of_motion


@inlined
def forget_bystanders(data):
    """Let there be none."""
    for b in range(len(data)):
        for lane in range(LANES):
            data[b, col.MOVED + lane] = 0.0


@subroutine
def mark_bystanders(data, parent, world):
    """Mark bystanders, where there are others besides. Returns whether there are any then."""
    for i in range(len(parent)):
        _mark(data, i, 1.0 if parent[i] <= -2 else 0.0)
    for i in range(len(parent)):
        if parent[i] >= 0:
            _mark(data, parent[i], 0.0)
    pairs, body = world.pairs, world.touching.shapes.body
    for i in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        if touches(pairs.marks, i):
            for end in range(2):
                _mark(data, body[pairs.ends[i // PAIR_SLOTS, end]], 0.0)
    for j in range(len(world.ties.body)):
        for end in range(2):
            _mark(data, world.ties.body[j, end], 0.0)
    count = 0
    for i in range(len(parent)):
        count += 1 if is_bystander(data, i) else 0
    if count == len(parent):
        forget_bystanders(data)
    return 0 < count < len(parent)


@inlined
def _mark(data, i, mark):
    data[i >> 3, col.MOVED + (i & 7)] = mark


@subroutine
def energy_of_bystanders(data, n):
    """Kinetic energy (J) of those among n bodies where their columns are."""
    kinetic = 0.0
    for i in range(n):
        if is_bystander(data, i):
            shifting, turning = energy_of_motion(data, i)
            kinetic += shifting + turning
    return kinetic


@inlined
def slow_others(data, field, share):
    """Let a field of vectors of all but bystanders be this share of what it was."""
    for b in range(len(data)):
        for lane in range(LANES):
            less = 1.0 if data[b, col.MOVED + lane] == 1.0 else share
            put3(data, b, field + lane, scale(less, get3(data, b, field + lane)))
