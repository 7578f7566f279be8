# SPDX-License-Identifier: GPL-3.0-or-later
"""What resists at points of a plant, which what holds them is measured by."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from ..base.arrays import Floats, Ints
from ..base.constants import GRAVITY
from ..joints.reference import SHARE, STIFFNESS
from ..model.model import Model

#: What is rigid is so much stiffer, which nobody sees it give (a hundred times more would drown the inertias of a plant
#: that moves fast in rounding); and gives at most so many times the force that would move points by the whole way
#: from the base, where nobody says how much: where it is to hold what cannot be held it gives way.
_RIGID, _MOST = 1e7, 1e3

#: A joint of less than this share of the usual stiffness of those on its way is loose: what holds a point bends the
#: others.
_LOOSE = 1e-2

#: What follows a pose is drawn to it by up to so many times its mass, pursuit and way; of its stiffness this share
#: counts for that of what is rigid, which holds in each step with what it held with in the last.
_TWICE, _OF_PURSUIT = 2.0, 0.01


def pursuit_of(follow: Floats) -> float:
    """1/s2: by how much, at most, joints that follow so (n, 4) are drawn back over a way, of its length."""
    return float((follow[:, SHARE] * follow[:, STIFFNESS]).max(initial=0.0))


class Strengths:
    """Of points of a model's bodies."""

    def __init__(self, model: Model):
        self._model = model
        self._known: dict[tuple[int, float], tuple[float, float, float]] = {}

    def __call__(self, body: Ints, reach: Floats) -> Floats:
        """(k,) N/m: what resists at points of bodies so far (m) from their joints, 0 at the base itself."""
        return self._at(body, reach)[:, 0]

    def rigid_at(self, rod: Ints, body: Ints, point: Floats, pursuit: float) -> tuple[Floats, Floats]:
        """(k,) N/m: stiffness that is as good as rigid at points of bodies, on rods; also of what hangs on them. And
        (k,) N: what that gives at most. pursuit: see pursuit_of, which is held too."""
        found = self._at(body, np.maximum(np.linalg.norm(point, axis=1), self._model.length[rod]))
        pursued = pursuit * found[:, 2]
        strength = np.maximum(found[:, 0], _OF_PURSUIT * pursued)
        return _RIGID * strength, (_MOST * found[:, 0] + _TWICE * pursued) * found[:, 1]

    def between(self, body: Ints, point: Floats) -> tuple[Floats, Floats]:
        """The same (k,) where points (k, 2, 3) of two bodies (k, 2) are tied: of the joints between them alone."""
        reach = np.linalg.norm(point, axis=2).tolist()
        found = np.array([self._between(*ends) for ends in zip(body.tolist(), reach, strict=True)]).reshape(-1, 2)
        return _RIGID * found[:, 0], _MOST * found[:, 0] * found[:, 1]

    def _between(self, ends: Sequence[int], reach: Sequence[float]) -> tuple[float, float]:
        """N/m: the springs of the joints on the way from one body to the other, and the length (m) of that way."""
        ways = [self._way(body) for body in ends]
        shared = set(ways[0]) & set(ways[1])
        own = [[body for body in way if body not in shared] for way in ways]
        loose = _LOOSE * min(self._typical(body) for body in ends)
        (gives, far), (more, farther) = (self._bends(*side, loose) for side in zip(own, reach, strict=True))
        return 1.0 / (gives + more) if gives + more > 0.0 else 0.0, far + farther

    def _way(self, body: int) -> list[int]:
        """The bodies from this one to the base."""
        way = []
        while body >= 0:
            way.append(body)
            body = int(self._model.bodies.parent[body])
        return way

    def _bends(self, way: Sequence[int], reach: float, loose: float) -> tuple[float, float]:
        """m/N: how far a point gives, so far (m) from the first joint of a way; and how far it is from its end."""
        length, gives = reach, 0.0
        for body in way:
            soft = float(self._model.bodies.stiffness[body].min())
            if soft > loose or loose == 0.0:
                gives = gives + length * length / soft if soft > 0.0 else np.inf
            length += float(np.linalg.norm(self._model.bodies.offset[body]))
        return gives, length

    def _at(self, body: Ints, reach: Floats) -> Floats:
        """(k, 3) what resists (N/m), the length (m) of the way from the base, and what follows on it (kg)."""
        found = np.zeros((len(body), 3))
        for j, key in enumerate(zip(body.tolist(), reach.tolist(), strict=True)):
            if key not in self._known:
                self._known[key] = self._strength(*key)
            found[j] = self._known[key]
        return found

    def _strength(self, body: int, reach: float) -> tuple[float, float, float]:
        """N/m: the springs of the joints on the way from the base, but for loose ones, or, if that is more, the weight
        of all that they carry over the length (m) of the way; that length; and the mass (kg) that they carry, times how
        many they are."""
        way = self._way(body)
        gives, length = self._bends(way, reach, _LOOSE * self._typical(body))
        if length == 0.0:
            return 0.0, 0.0, 0.0
        hung = float(self._outboard[way[-1]]) if way else 0.0
        return max(1.0 / gives if gives > 0.0 else 0.0, GRAVITY * hung / length), length, len(way) * hung

    def _typical(self, body: int) -> float:
        """N m/rad: the middle one of the stiffnesses of the joints from the base to the body."""
        way = self._way(body)
        return float(np.median(self._model.bodies.stiffness[way].min(axis=1))) if way else 0.0

    @cached_property
    def _outboard(self) -> Floats:
        """(n,) kg: mass of the bodies and of all that they carry."""
        mass = self._model.bodies.mass.tolist()
        for i in range(len(mass) - 1, 0, -1):
            if (k := int(self._model.bodies.parent[i])) >= 0:
                mass[k] += mass[i]
        return np.array(mass)
