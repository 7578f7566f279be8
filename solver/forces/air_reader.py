# SPDX-License-Identifier: GPL-3.0-or-later
"""The air of a sample where panels are, and how it turns about plates."""

import math
from collections.abc import Callable

import numpy as np

from ..base.arrays import Floats
from ..base.checks import finite, floats
from ..base.errors import SolverError
from ..model.model import Model
from ..world.sample import Place, Sample
from ..world.wind import gusts_alone
from .loads import NO_PLATES

#: Where eddies are felt off the middle of a plate, over its chord: at two points of Gauss.
_OFF_MIDDLE = 0.5 / math.sqrt(3.0)


class AirReader:
    """The air of a sample at the panels of a model."""

    def __init__(self, model: Model):
        self._model = model
        panels = model.panels
        self._body = np.repeat(np.arange(model.body_count), np.diff(panels.start))
        self._plates = np.flatnonzero((panels.plate > 0.0) | (panels.shift > 0.0) | (panels.air_volume > 0.0))
        self._off_middle = np.zeros_like(panels.center)
        self._off_middle[self._plates] = _OFF_MIDDLE * panels.chord[self._plates]

    def __call__(self, sample: Sample, flutter: Floats, time: float, place: Place) -> tuple[Floats, Floats]:
        """The air (p, 3) at a time (s), and what plates feel of it (p, 4), see Loads; (0, 4) without plates.

        flutter (n,): of the bodies; place: where the panels will be then. Eddies turn plates, which feel the mean of
        what there is off their middle. Other winds let plates come to rest, and count as if they were as fast at both
        edges.
        """
        center, plates, rates = self._model.panels.center, self._plates, NO_PLATES
        if len(plates):
            rates = np.zeros((len(center), 4))
            rates[plates, 3] = flutter[self._body[plates]]
        field = wind_field_of(sample, time)
        if field is None:
            return self._of_rods(sample), rates
        if not len(plates) or gusts_alone(sample.wind) is sample.wind:
            return field(place(self._body, center)[0]), rates
        one, other = (place(self._body, center + off)[0] for off in (self._off_middle, -self._off_middle))
        here, there = np.split(field(np.concatenate([one, other])), 2)
        apart = np.linalg.norm(one[plates] - other[plates], axis=1)
        rates[plates, :3] = (here[plates] - there[plates]) / apart[:, None]  # they move on straight
        return 0.5 * (here + there), rates

    def _of_rods(self, sample: Sample) -> Floats:
        """(p, 3) m/s at the panels, of one velocity of the air or one per rod."""
        wind, rods = floats("wind", sample.wind), self._model.rod_count
        if wind.shape not in ((3,), (rods, 3)):
            raise SolverError(f"wind has shape {wind.shape}, expected (3,) or {(rods, 3)}")
        wind = finite("wind", wind, wind.shape)
        panels = self._model.panels.rod
        if wind.ndim > 1:
            return wind[panels]
        air = np.empty((len(panels), 3))
        air[:] = wind
        return air


def wind_field_of(sample: Sample, time: float) -> Callable[[Floats], Floats] | None:
    """The sample's wind at the time (s) as a field of points (k, 3) m alone, or None where it is not a field.

    The field raises SolverError for velocities that are not finite and of another shape than the points.
    """
    wind = sample.wind
    if not callable(wind):
        return None
    return lambda points: finite("wind", wind(points, time), points.shape)
