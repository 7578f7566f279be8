# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants as long as their rods are at a frame: their models then, and what kernels need to know of a frame's way."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from .base.arrays import Floats, Ints, Ints1
from .contact.clearance import LONGEST
from .contact.touch import Touch, new_touch
from .data import columns as col
from .data.rows import Rows, get_bodies, put_bodies, put_panels
from .dynamics.breaking import put_joints
from .dynamics.opening import OFF
from .forces.loads import Loads
from .joints.loose import AT, TURNED, Loose
from .joints.stretch import (
    GAIN,
    LENGTHS,
    NOW,
    RATE,
    SUMS,
    Stretching,
    are_stretched,
    filled_ends,
    no_stretching,
    way_between,
)
from .joints.stretching import put_stretched
from .math.rotations import matrices, rotate
from .model.forest import join
from .model.model import Model
from .model.shapes import Shapes
from .model.stretched import STRETCH, THICKNESS

#: So many models are remembered: those of both ends of a frame and of one more.
_REMEMBERED = 3


class Present:
    """Plants side by side, as long as they are now.

    models: of all plants; model: theirs as one; drawn: those of all plants as drawn
    """

    def __init__(self, models: Sequence[Model], rows: Rows):
        self.models, self.model = list(models), join(models)
        self.drawn, self._rows = self.models, rows
        self._drawn = self.models, self.model
        self._known: dict[bytes, tuple[list[Model], Model]] = {}
        self._ends = np.cumsum([one.rod_count for one in models])[:-1]
        systems = len(rows.first_body) - 1
        self._first_rod = _first([one.rod_count for one in models], systems)
        self._nothing = no_stretching(systems)
        self._zeros = np.zeros(systems + 1, dtype=np.int64)
        self._is_put = False  # whether the rows hold other lengths than as drawn

    def of(self, lengths: Floats) -> tuple[list[Model], Model]:
        """Models of the plants, and theirs as one, with rods that are so (m, 5), or as drawn.

        Raises SolverError for rods that cannot be simulated.
        """
        if not len(lengths):
            return self._drawn
        key = lengths.tobytes()
        if key not in self._known:
            own = np.split(lengths, self._ends)
            models = [one.stretched(rods) for one, rods in zip(self._drawn[0], own, strict=True)]
            is_drawn = all(one is other for one, other in zip(models, self._drawn[0], strict=True))
            self._known[key] = self._drawn if is_drawn else (models, join(models))
            for old in list(self._known)[:-_REMEMBERED]:
                del self._known[old]
        return self._known[key]

    def between(self, before: Loads, after: Loads, touch: Touch, cracked: Ints1) -> Stretching:
        """The way through a frame, whose bodies the rows and whose shapes the points of touch are of; what does not go
        along in steps is what it is at the end."""
        if not len(after.lengths) and not len(before.lengths):
            return self._nothing
        m = self.model.rod_count
        begin, end = filled_ends(before.lengths, before.way, m), filled_ends(after.lengths, after.way, m)
        way = way_between(begin[0], end[0], begin[1], end[1])
        stretches = are_stretched(way, self._first_rod)
        if not stretches.any():
            return self._nothing
        (_, one), (_, other) = self.of(begin[0]), self.of(end[0])
        self._put_slow(other, cracked)
        shapes = np.zeros((0, 24))
        if len(touch.shapes.body):
            parts = [new_touch(model, self._rows.first_body) for model in (one, other)]
            shapes = np.column_stack([column for part in parts for column in _columns_of(part.shapes)])
            longest = np.maximum(parts[0].travel[:, LONGEST], parts[1].travel[:, LONGEST])
            if cracked.any():  # what has come off touches with more of its length
                longest = np.maximum(longest, touch.travel[:, LONGEST])
            touch.travel[:, LONGEST] = longest
        springs = np.column_stack([
            _drawn_springs(one, begin[0]), _drawn_springs(other, end[0]), one.thin, other.thin
        ])  # fmt: skip
        return self._constant._replace(stretches=stretches, way=way, springs=springs, shapes=shapes)

    def take(self, loads: Loads, loose: Loose, moved: Touch | None) -> bool:
        """Let plants, and their rows, be as long as these loads say. Returns whether rows may be others then.

        moved: the points of shapes with which they have just got there, so that what has come off stays where it is.
        """
        self.models, self.model = self.of(loads.lengths)
        if not len(loads.lengths) and not self._is_put:
            return False
        self._is_put = len(loads.lengths) > 0
        lengths, way = filled_ends(loads.lengths, loads.way, self.model.rod_count)
        still = np.zeros((len(lengths), LENGTHS))
        through = np.column_stack(
            [lengths, still, way[:, RATE : RATE + LENGTHS], way[:, GAIN : GAIN + LENGTHS], still, still]
        )
        springs = _drawn_springs(self.model, lengths)
        put_stretched(self._rows, loose, self._constant._replace(
            stretches=are_stretched(through, self._first_rod), way=through,
            springs=np.column_stack([springs, springs, self.model.thin, self.model.thin]),
        ), self._zeros)  # fmt: skip
        for name in ("mass", "com", "inertia"):
            put_bodies(self._rows, getattr(col, name.upper()), getattr(self.model.bodies, name))
        self._put_offsets(loose, moved is not None)
        if moved is not None:
            self._put_shapes(moved, loose.cracked)
        self._put_slow(self.model, loose.cracked)
        return True

    def _put_slow(self, model: Model, cracked: Ints1) -> None:
        """What steps take to be the same all through a frame, and springs."""
        put_joints(self._rows, model.bodies, cracked)
        for name in ("center", "along", "across", "plate", "plate_along", "chord", "air_volume", "cup", "shift"):
            put_panels(self._rows, getattr(col, name.upper()), getattr(model.panels, name))

    def _put_offsets(self, loose: Loose, moved: bool) -> None:
        """Loose bodies hang where they hung as drawn, on frames that make up for it."""
        rows, offset = self._rows, self.model.bodies.offset
        hung = np.flatnonzero(rows.parent <= -2)
        if len(hung):
            drawn, was = self._drawn[1].bodies.offset[hung], get_bodies(rows, col.OFFSET, 3)[hung]
            offset = offset.copy()
            offset[hung] = drawn
            frames = loose.first[np.searchsorted(rows.first_body, hung, "right") - 1] - 2 - rows.parent[hung]
            if moved:
                turned = loose.now[frames, TURNED : TURNED + 4]
                loose.state[frames, AT : AT + 3] += rotate(turned, was - drawn)
        put_bodies(rows, col.OFFSET, offset)

    def _put_shapes(self, touch: Touch, cracked: Ints1) -> None:
        """Let the shapes of what has come off, which kernels leave alone, be those of the present."""
        plant = np.repeat(np.arange(len(touch.first) - 1), np.diff(touch.first))
        off = np.flatnonzero(cracked[touch.shapes.body + self._rows.first_body[plant]] == OFF)
        if len(off):
            fresh = new_touch(self.model, self._rows.first_body).shapes
            for column, own in zip(_columns_of(touch.shapes), _columns_of(fresh), strict=True):
                column[off] = own[off]

    @cached_property
    def _constant(self) -> Stretching:
        """What does not change of the way through a frame."""
        model, first_body = self._drawn[1], self._rows.first_body
        matter, first_rod = model.matter, self._first_rod
        first_slice = _first([len(one.matter.body) for one in self._drawn[0]], len(first_body) - 1)
        of_rods, of_slices = (np.repeat(np.arange(len(x) - 1), np.diff(x)) for x in (first_rod, first_slice))
        of_bodies = np.repeat(np.arange(len(first_body) - 1), np.diff(first_body))
        last = np.zeros(model.rod_count)
        last[model.body_rod] = model.body_at * matter.length[model.body_rod]  # of several the last one
        return self._nothing._replace(
            first_rod=first_rod, first_slice=first_slice,
            rod_parent=np.where(matter.parent >= 0, matter.parent - first_rod[of_rods], -1),
            rod_joint=np.where(model.first_joint >= 0, model.first_joint - first_body[of_rods], -1),
            turn=matrices(model.rod_rest).reshape(-1, 9), rod=np.column_stack([matter.gap, matter.length, last]),
            body_rod=model.body_rod - first_rod[of_bodies], body_at=model.body_at * matter.length[model.body_rod],
            slice_body=matter.body - first_body[of_slices], slice_rod=matter.rod - first_rod[of_slices],
            matter=matter.numbers, now=np.zeros((model.rod_count, NOW)), sums=np.zeros((model.body_count, SUMS)),
        )  # fmt: skip


def _first(counts: Sequence[int], systems: int) -> Ints:
    """(systems + 1,) where what plants have so many of begins for each of them, or for all that go together."""
    ends = np.cumsum([0, *counts])
    return ends if systems == len(counts) else ends[[0, -1]]


def _drawn_springs(model: Model, lengths: Floats) -> Floats:
    """(n, 3) stiffness times stretch over the fourth power of thickness: that of the rod as drawn, where a joint stands
    for its own rod only."""
    rows = lengths[model.body_rod]
    springs: Floats = model.bodies.stiffness * (rows[:, STRETCH] / rows[:, THICKNESS] ** 4)[:, None]
    return springs


def _columns_of(shapes: Shapes) -> tuple[Floats, ...]:
    return shapes.start, shapes.end, shapes.side, shapes.radius, shapes.stiffness
