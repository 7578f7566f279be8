# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of the state in the columns, which lie one after the other."""

from ..base.arrays import Floats
from . import columns as col
from .rows import Rows, get_bodies

#: Name, column and number of components.
EVOLVING = (
    ("q", col.STATE_Q, 4),
    ("u", col.STATE_U, 3),
    ("a", col.STATE_A, 3),
    ("increment", col.INCREMENT, 3),
    ("gain", col.GAIN, 3),
    ("older_increment", col.OLDER_INCREMENT, 3),
    ("older_gain", col.OLDER_GAIN, 3),
    ("a_gain", col.A_GAIN, 3),
)


def get_fields(rows: Rows, fields: tuple[tuple[str, int, int], ...]) -> dict[str, Floats]:
    """Such fields, read at once."""
    numbers, found, first = get_bodies(rows, fields[0][1], sum(k for _, _, k in fields)), {}, 0
    for name, _, k in fields:
        found[name] = numbers[:, first : first + k].copy()
        first += k
    return found
