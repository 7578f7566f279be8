# SPDX-License-Identifier: GPL-3.0-or-later
"""The one array the kernels work on, laid out so that compilers use the processor's vector units.

data (blocks, WIDTH + slots * SLOT): eight bodies make a block, a row of the array; a field's component c of the body
in lane l is data[block, FIELD + 8 c + l]. Loops over a block's lanes compute eight bodies at once; the passes along
the tree read one body's numbers through the same constant offsets. Everything is in one array because compilers can
only then prove that what is written is not read elsewhere. Plants start on a block of their own; lanes without a body
hold harmless numbers.
"""

from typing import NamedTuple

import numpy as np

from ._arrays import Floats, Floats2, Ints1
from ._jit import inlined, kernel, subroutine
from ._lanes import LANES
from .model import Bodies, Panels


class _Columns:
    """Hands out columns one field after the other."""

    def __init__(self) -> None:
        self.end = 0

    def __call__(self, components: int) -> int:
        start = self.end
        self.end += LANES * components
        return start


_field = _Columns()

# What never changes (see model.Bodies), but for REST, which a start that keeps the drawn shape sets.
OFFSET = _field(3)
REST = _field(4)
MASS = _field(1)
COM = _field(3)
INERTIA = _field(6)
STIFFNESS = _field(3)
DAMPING_TIME = _field(1)
DAMPING = _field(1)
BEND_LIMIT = _field(1)
TWIST_LIMIT = _field(1)
LIMIT_STIFFNESS = _field(1)

# What evolves (see model.State), one after the other.
STATE_Q = _field(4)
STATE_U = _field(3)
STATE_A = _field(3)
INCREMENT = _field(3)
GAIN = _field(3)
OLDER_INCREMENT = _field(3)
OLDER_GAIN = _field(3)
A_GAIN = _field(3)

# Applied force, torque and twist (see loads.Loads) at both ends of a frame.
LOADS_BEFORE = _field(7)
LOADS_AFTER = _field(7)

# Where joints would be with relaxed springs, their pose (see loads.Sample): at the beginning of a frame, the turn (rad)
# to the end of it, and at the end of the present step with its rate (rad/s) in its own axes.
POSE_BEFORE = _field(4)
POSE_TURN = _field(3)
POSE = _field(4)
POSE_RATE = _field(3)

# End of the present step, body's frame: joint rotation, rate, acceleration, and the step's rotation vector.
Q = _field(4)
U = _field(3)
A = _field(3)
TURN = _field(3)

# Torque of the joint's spring and damper, and what the implicit treatment adds to its block: xx, yy, zz and xz in the
# body's frame, later a symmetric matrix in world axes.
SPRING = _field(3)
IMPLICIT = _field(6)

# Rotation from the parent's frame, until orientations are known; then the correction in world axes.
RELATIVE = _field(9)
CORRECTION = RELATIVE

# World axes, of the inboard joint: orientation, position, velocities, accelerations without the correction, and the
# arm from the parent's joint to this one.
ROTATION = _field(9)
POSITION = _field(3)
OMEGA = _field(3)
VELOCITY = _field(3)
ALPHA = _field(3)
ACCELERATION = _field(3)
ARM = _field(3)

# World axes, about the joint: articulated inertia (rotation, coupling, translation), inverse of the joint's block, and
# how the joint gives way to a turn and to a shift of its parent's joint; these stay valid for a few solves.
IA_RR = _field(6)
IA_RT = _field(9)
IA_TT = _field(6)
D_INVERSE = _field(6)
GIVES_R = _field(9)
GIVES_T = _field(9)

# World axes, about the joint: bias moment and force, and the accelerations due to the correction.
PA_R = _field(3)
PA_T = _field(3)
X_R = _field(3)
X_T = _field(3)

# Squares of a body's angular velocity, or of the joint's turn in a step, and of what a solve moved.
TURNED = _field(1)
MOVED = _field(1)

# The panel whose drag is being computed.
PANEL = _field(14)

WIDTH = _field.end

# A body's panels lie in slots behind the fields. Columns within a slot:
_panel = _Columns()
CENTER = _panel(3)
AXIS = _panel(3)
ALONG = _panel(1)
ACROSS = _panel(1)
AIR_BEFORE = _panel(3)
AIR_AFTER = _panel(3)
SLOT = _panel.end


@inlined
def largest(data, column):
    """Return the largest of a field of one component."""
    result = 0.0
    for b in range(len(data)):
        for lane in range(LANES):
            value = data[b, column + lane]
            result = value if value > result else result
    return result


@inlined
def all_below(data, column, other, bound):
    """Whether the sum of two fields of one component is below the bound for every body; NaN is not."""
    above = 0
    for b in range(len(data)):
        for lane in range(LANES):
            above += 0 if data[b, column + lane] + data[b, other + lane] < bound else 1
    return above == 0


class Rows(NamedTuple):
    """Plants side by side.

    data         (blocks, width) as above
    slots        (blocks,) how many panel slots of a block are in use
    parent       (n,) within the plant, -1 for its base
    first_body, first_block, first_panel (plants + 1,): those of plant p are first[p] to first[p + 1]
    place        (n,) block * 8 + lane of every body
    panel_place  (p,) (block * slots + slot) * 8 + lane of every panel
    """

    data: Floats2
    slots: Ints1
    parent: Ints1
    first_body: Ints1
    first_block: Ints1
    first_panel: Ints1
    place: Ints1
    panel_place: Ints1


def rows_of(plants: list[tuple[Bodies, Panels]]) -> Rows:
    """Lay plants out side by side, at rest with relaxed springs."""
    counts = np.array([len(bodies.parent) for bodies, _ in plants])
    blocks = -(-counts // LANES)
    first_body = np.concatenate([[0], np.cumsum(counts)])
    first_block = np.concatenate([[0], np.cumsum(blocks)])
    within = np.arange(first_body[-1]) - np.repeat(first_body[:-1], counts)
    place = np.repeat(first_block[:-1] * LANES, counts) + within
    on = [np.diff(panels.start) for _, panels in plants]
    per_body = np.concatenate(on)
    most = int(per_body.max(initial=0))
    slots = np.zeros((first_block[-1], LANES), dtype=np.int64)
    slots.reshape(-1)[place] = per_body
    data = np.zeros((first_block[-1], WIDTH + most * SLOT))
    total = int(per_body.sum())
    first_panel = np.concatenate([[0], np.cumsum([panels.start[-1] for _, panels in plants])]).astype(np.int64)
    slot = np.arange(total) - np.repeat(np.cumsum(per_body) - per_body, per_body)
    body_place = np.repeat(place, per_body)
    panel_place = (body_place // LANES * most + slot) * LANES + body_place % LANES
    rows = Rows(
        data, np.ascontiguousarray(slots.max(axis=1)), np.concatenate([bodies.parent for bodies, _ in plants]),
        first_body, first_block, first_panel, place, panel_place,
    )  # fmt: skip
    for unit in (REST, STATE_Q, POSE_BEFORE, POSE, MASS):
        data[:, unit : unit + LANES] = 1.0
    for component in (0, 3, 5):
        c = INERTIA + component * LANES
        data[:, c : c + LANES] = 1.0
    data[:, STIFFNESS : STIFFNESS + 3 * LANES] = 1.0
    fields = {
        "offset": OFFSET, "rest": REST, "mass": MASS, "com": COM, "inertia": INERTIA, "stiffness": STIFFNESS,
        "damping_time": DAMPING_TIME, "damping": DAMPING, "bend_limit": BEND_LIMIT, "twist_limit": TWIST_LIMIT,
        "limit_stiffness": LIMIT_STIFFNESS,
    }  # fmt: skip
    for name, field in fields.items():
        put_bodies(rows, field, np.concatenate([getattr(bodies, name) for bodies, _ in plants]))
    for name, field in {"center": CENTER, "axis": AXIS, "along": ALONG, "across": ACROSS}.items():
        put_panels(rows, field, np.concatenate([getattr(panels, name) for _, panels in plants]))
    return rows


def put_bodies(rows: Rows, field: int, values: Floats) -> None:
    """Write one row of values (n, k) or number (n,) per body."""
    rows_of_values = np.ascontiguousarray(values.reshape(len(rows.place), -1))
    put_bodies_of(0, len(rows.first_body) - 1, rows, field, rows_of_values)


def put_panels(rows: Rows, field: int, values: Floats) -> None:
    """Write one row of values (p, k) or number (p,) per panel."""
    if len(rows.panel_place) > 0:  # where there is none, NumPy does not know how many numbers a row has
        rows_of_values = np.ascontiguousarray(values.reshape(len(rows.panel_place), -1))
        put_panels_of(0, len(rows.first_body) - 1, rows, field, rows_of_values)


@kernel
def put_bodies_of(first: int, last: int, rows: Rows, field: int, values: Floats2) -> None:
    """Write values (n, k) of all bodies for those of plants first to last - 1."""
    for i in range(rows.first_body[first], rows.first_body[last]):
        b, column = rows.place[i] >> 3, field + (rows.place[i] & 7)
        for c in range(values.shape[1]):
            rows.data[b, column + c * LANES] = values[i, c]


@kernel
def put_panels_of(first: int, last: int, rows: Rows, field: int, values: Floats2) -> None:
    """Write values (p, k) of all panels for those of plants first to last - 1."""
    slots = (rows.data.shape[1] - WIDTH) // SLOT
    for j in range(rows.first_panel[first], rows.first_panel[last]):
        place = rows.panel_place[j] >> 3
        column = WIDTH + place % slots * SLOT + field + (rows.panel_place[j] & 7)
        for c in range(values.shape[1]):
            rows.data[place // slots, column + c * LANES] = values[j, c]


@subroutine
def put_loads_of(first, last, rows, applied_before, applied_after, air_before, air_after, pose, turn):
    """Write force, torque and twist (n, 7) of all bodies and the air (p, 3) of all panels at both ends of a frame, and
    the joints' pose (n, 4) with its turn (n, 3), for those of plants first to last - 1; of none, (0, k), nothing."""
    if len(applied_after) > 0:
        put_bodies_of(first, last, rows, LOADS_BEFORE, applied_before)
        put_bodies_of(first, last, rows, LOADS_AFTER, applied_after)
    if len(air_after) > 0:
        put_panels_of(first, last, rows, AIR_BEFORE, air_before)
        put_panels_of(first, last, rows, AIR_AFTER, air_after)
    if len(pose) > 0:
        put_bodies_of(first, last, rows, POSE_BEFORE, pose)
        put_bodies_of(first, last, rows, POSE_TURN, turn)


def get_bodies(rows: Rows, field: int, k: int) -> Floats:
    """Read k components of a field, (n, k)."""
    values = np.empty((len(rows.place), k))
    _take_bodies(rows, field, values)
    return values


@kernel
def _take_bodies(rows: Rows, field: int, values: Floats2) -> None:
    for i in range(len(rows.place)):
        b, column = rows.place[i] >> 3, field + (rows.place[i] & 7)
        for c in range(values.shape[1]):
            values[i, c] = rows.data[b, column + c * LANES]
