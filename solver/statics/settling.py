# SPDX-License-Identifier: GPL-3.0-or-later
"""Equilibrium in fields, of the wind or of forces, which act differently wherever the plant bends to.

The plant settles in what the fields are where it stands, they are read there again, and so on until it is still. Each
time the loads go a share of the way to what was read: with the whole of it a plant that stands lower in less wind would
rise and sink for ever where the field is steep. The share is Aitken's in the form for vectors (Irons and Tuck 1969, A
version of the Aitken accelerator for computer iteration; Kuettler and Wall 2008, Fixed-point fluid-structure
interaction solvers with dynamic relaxation), one for the air and one for forces. It is kept positive: then it does not
find equilibria that the field pushes the plant away from.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..base.arrays import Floats
from ..forces.force_field import places_in_field, still_accelerations
from ..math.rotations import rotate
from ..model.model import Bodies
from .equilibrium import FELL, Equilibrium, farthest_turn, find_equilibrium
from .tangent import StillWorld, Tangent, balance, new_tangent

#: Fields are read at most so often, and the loads go at least and at most such a share of the way to what was read.
_MOST_READINGS, _LEAST_SHARE, _MOST_SHARE = 100, 0.01, 10.0

#: A field is the same if it differs by rounding only.
_SAME = 1e-15


class _Air:
    """Air at the panels. read changes the loads to what is where the plant stands, ask to a share of the way there."""

    def __init__(self, world: StillWorld, field: Callable[[Floats], Floats], bodies: int):
        self._air, self._center, self._field = world.loads.air, world.panels.center, field
        self._body = np.repeat(np.arange(bodies), np.diff(world.panels.start))
        self._asked, self._relaxed = self._air.copy(), _Relaxed()

    def read(self, work: Tangent) -> bool:
        """Whether the field is not as it was taken to be."""
        places = work.position[self._body] + rotate(work.orientation[self._body], self._center)
        self._air[:] = self._field(places)
        self._gap = self._air - self._asked
        return _differs(self._gap, self._air)

    def ask(self) -> None:
        self._asked += self._relaxed.share(self._gap) * self._gap
        self._air[:] = self._asked


class _Force:
    """The same of the bodies' accelerations. What drives a body back is the reading's, whole and at once."""

    def __init__(self, world: StillWorld, field: Callable[[Floats, Floats], Floats], bodies: Bodies):
        self._rows, self._places, self._field = world.loads.field, places_in_field(bodies), field
        self._asked, self._relaxed = self._rows.copy(), _Relaxed()

    def read(self, work: Tangent) -> bool:
        """Whether the field is not as it was taken to be."""
        arm = rotate(np.repeat(work.orientation, 2, axis=0), self._places)
        places = np.repeat(work.position, 2, axis=0) + arm
        self._rows[:] = self._field(places, np.zeros_like(places))
        here = still_accelerations(self._rows, places)
        self._gap = here - still_accelerations(self._asked, places)
        return _differs(self._gap, here)

    def ask(self) -> None:
        self._rows[:, :3] -= (1.0 - self._relaxed.share(self._gap)) * self._gap
        self._asked[:] = self._rows


class _Relaxed:
    """Aitken's share from the last one and the last two differences between what was read and asked for."""

    def __init__(self) -> None:
        self._share = 1.0
        self._before: Floats | None = None

    def share(self, gap: Floats) -> float:
        if self._before is not None:
            change = gap - self._before
            size = float((change * change).sum())
            if size > 0.0:
                self._share *= -float((self._before * change).sum()) / size
            self._share = min(max(self._share, _LEAST_SHARE), _MOST_SHARE)
        self._before = gap
        return self._share


def settle_in_fields(
    bodies: Bodies,
    q: Floats,
    world: StillWorld,
    wind: Callable[[Floats], Floats] | None,
    force: Callable[[Floats, Floats], Floats] | None,
    tolerance: float,
    most_iterations: int,
) -> Equilibrium:
    """Move the joint rotations q (n, 4) to equilibrium in fields, in place.

    wind: the air's velocity at points (k, 3); force: what acts on the bodies, see force_field_of of force_field.py.
    The loads have of both what is at the given pose; it becomes that at the found one, and so are residual and stable.
    Where no pose is found that is still to the tolerance, it is said not to be stable.
    """
    work = new_tangent(len(q))
    fields: list[_Air | _Force] = []
    if wind is not None:
        fields.append(_Air(world, wind, len(q)))
    if force is not None:
        fields.append(_Force(world, force, bodies))
    balance(bodies, q, world, work, False)
    drawn = work.orientation.copy()
    found = find_equilibrium(bodies, q, world, tolerance, most_iterations)
    is_still = True
    for reading in range(1, _MOST_READINGS + 1):
        if not math.isfinite(found.residual):
            return found
        balance(bodies, q, world, work, False)
        changed = [field.read(work) for field in fields]
        if not any(changed):
            break
        here = find_equilibrium(bodies, q, world, tolerance, 0)
        found = found._replace(residual=here.residual, stable=here.stable, rod=here.rod)
        left = most_iterations - found.iterations
        is_still = here.residual <= tolerance
        if is_still or left <= 0 or reading == _MOST_READINGS:
            break
        for field in fields:
            field.ask()
        last = find_equilibrium(bodies, q, world, tolerance, left)
        found = last._replace(iterations=found.iterations + last.iterations, fell=found.fell or last.fell)
    balance(bodies, q, world, work, False)
    turn = farthest_turn(drawn, work)
    return found._replace(stable=found.stable and is_still, fell=found.fell or turn > FELL, turn=turn)


def _differs(gap: Floats, values: Floats) -> bool:
    """Whether values that were read differ from those that were asked for by more than rounding."""
    return bool(np.abs(gap).max(initial=0.0) > _SAME * np.abs(values).max(initial=0.0))


def together(found: Sequence[Equilibrium]) -> Equilibrium:
    """Several plants' equilibria as one."""
    return Equilibrium(
        max(one.residual for one in found), sum(one.iterations for one in found),
        all(one.stable for one in found), any(one.fell for one in found), max(one.turn for one in found),
        max(found, key=lambda one: one.residual).rod, any(one.sways for one in found),
    )  # fmt: skip
