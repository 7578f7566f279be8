# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants side by side in the one array of columns.py, and reading and writing it body by body."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats2, Ints, Ints1
from ..machine.jit import inlined, kernel
from ..model.model import Bodies, Panels
from . import columns as col
from .lanes import LANES, get8, larger8


@inlined
def largest(data, column):
    """Return the largest of a field of one component."""
    most = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for b in range(len(data)):
        most = larger8(get8(data, b, column), most)
    result = 0.0
    for value in most:
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
    first_base   (plants + 1,): bases on which plants stand; base (n,): which of its plant's the body's root hangs on
    """

    data: Floats2
    slots: Ints1
    parent: Ints1
    first_body: Ints1
    first_block: Ints1
    first_panel: Ints1
    place: Ints1
    panel_place: Ints1
    first_base: Ints1
    base: Ints1


def rows_of(plants: list[tuple[Bodies, Panels]], bases: Sequence[Ints] | None = None) -> Rows:
    """Lay plants out side by side, at rest with relaxed springs. bases: for the bodies of each the base, counted from
    the plant's first, on which their root hangs; each plant has one where none are given."""
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
    data = np.zeros((first_block[-1], col.WIDTH + most * col.SLOT))
    total = int(per_body.sum())
    first_panel = np.concatenate([[0], np.cumsum([panels.start[-1] for _, panels in plants])]).astype(np.int64)
    slot = np.arange(total) - np.repeat(np.cumsum(per_body) - per_body, per_body)
    body_place = np.repeat(place, per_body)
    panel_place = (body_place // LANES * most + slot) * LANES + body_place % LANES
    base = np.zeros(len(within), dtype=np.int64) if bases is None else np.concatenate(bases)
    first_base = np.arange(len(plants) + 1)
    if bases is not None:
        first_base = np.concatenate([[0], np.cumsum([one.max() + 1 for one in bases])]).astype(np.int64)
    rows = Rows(
        data, np.ascontiguousarray(slots.max(axis=1)), np.concatenate([bodies.parent for bodies, _ in plants]),
        first_body, first_block, first_panel, place, panel_place, first_base, base,
    )  # fmt: skip
    for unit in (col.REST, col.STATE_Q, col.POSE_BEFORE, col.POSE, col.DRAWN, col.MASS):
        data[:, unit : unit + LANES] = 1.0
    for component in (0, 3, 5):
        c = col.INERTIA + component * LANES
        data[:, c : c + LANES] = 1.0
    data[:, col.STIFFNESS : col.STIFFNESS + 3 * LANES] = 1.0
    data[:, col.STRENGTH : col.STRENGTH + LANES] = np.inf
    data[:, col.MODULUS : col.MODULUS + 3 * LANES] = 1.0
    names = (
        "offset", "rest", "mass", "com", "inertia", "stiffness", "damping_time", "damping", "bend_limit", "twist_limit",
        "limit_stiffness", "strength", "modulus", "fibres",
    )  # fmt: skip
    for name in names:
        put_bodies(rows, getattr(col, name.upper()), np.concatenate([getattr(bodies, name) for bodies, _ in plants]))
    for name in (
        "center", "axis", "along", "across", "plate", "plate_along", "chord", "air_volume", "cup", "shift", "rolls",
    ):  # fmt: skip
        put_panels(rows, getattr(col, name.upper()), np.concatenate([getattr(panels, name) for _, panels in plants]))
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
    slots = (rows.data.shape[1] - col.WIDTH) // col.SLOT
    for j in range(rows.first_panel[first], rows.first_panel[last]):
        place = rows.panel_place[j] >> 3
        column = col.WIDTH + place % slots * col.SLOT + field + (rows.panel_place[j] & 7)
        for c in range(values.shape[1]):
            rows.data[place // slots, column + c * LANES] = values[j, c]


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
