# SPDX-License-Identifier: GPL-3.0-or-later
"""What resists at points of a plant, which what holds them is measured by."""

from functools import cached_property

import numpy as np

from ..base.arrays import Floats, Ints
from ..base.constants import GRAVITY
from ..model.model import Model

#: What is rigid is so much stiffer.
_RIGID = 1e9


class Strengths:
    """Of points of a model's bodies."""

    def __init__(self, model: Model):
        self._model = model
        self._known: dict[tuple[int, float], float] = {}

    def __call__(self, body: Ints, reach: Floats) -> Floats:
        """(k,) N/m: what resists at points of bodies so far (m) from their joints, 0 at the base itself."""
        found = np.zeros(len(body))
        for j, key in enumerate(zip(body.tolist(), reach.tolist(), strict=True)):
            if key not in self._known:
                self._known[key] = self._strength(*key)
            found[j] = self._known[key]
        return found

    def rigid_at(self, rod: Ints, body: Ints, point: Floats) -> Floats:
        """(k,) N/m: stiffness that is as good as rigid at points of bodies, on rods; also of what hangs on them."""
        return _RIGID * self(body, np.maximum(np.linalg.norm(point, axis=1), self._model.length[rod]))

    def _strength(self, body: int, reach: float) -> float:
        """N/m: the springs of the joints on the way from the base or, if that is more, the weight of all that they
        carry over the length of the way."""
        bodies, length, gives, hung = self._model.bodies, reach, 0.0, 0.0
        while body >= 0:
            soft = float(bodies.stiffness[body].min())
            gives = gives + length * length / soft if soft > 0.0 else np.inf
            length += float(np.linalg.norm(bodies.offset[body]))
            hung = float(self._outboard[body])
            body = int(bodies.parent[body])
        return max(1.0 / gives if gives > 0.0 else 0.0, GRAVITY * hung / length) if length > 0.0 else 0.0

    @cached_property
    def _outboard(self) -> Floats:
        """(n,) kg: mass of the bodies and of all that they carry."""
        mass = self._model.bodies.mass.tolist()
        for i in range(len(mass) - 1, 0, -1):
            if (k := int(self._model.bodies.parent[i])) >= 0:
                mass[k] += mass[i]
        return np.array(mass)
