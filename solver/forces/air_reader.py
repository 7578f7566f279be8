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
from .loads import NO_AIR

#: Where eddies are felt off the middle of a plate, over its chord: at two points of Gauss.
_OFF_MIDDLE = 0.5 / math.sqrt(3.0)


class AirReader:
    """The air of a sample at the panels of a model."""

    def __init__(self, model: Model):
        self._model = model
        self._body = np.repeat(np.arange(model.body_count), np.diff(model.panels.start))
        self._plates = np.flatnonzero(model.panels.plate > 0.0)

    def __call__(self, sample: Sample, time: float, place: Place) -> Floats | None:
        """(p, 3) m/s at a time (s), None without air. place: where the panels will be then."""
        if sample.wind is None:
            return None
        field = wind_field_of(sample, time)
        return self._of_rods(sample) if field is None else field(place(self._body, self._model.panels.center)[0])

    def turns(self, sample: Sample, time: float, place: Place) -> Floats:
        """(p, 3) 1/s: how much faster air with eddies is per metre of the chords of plates; (0, 3) without plates.
        Other winds let plates come to rest, and count as if they were as fast at both edges."""
        plates, panels = self._plates, self._model.panels
        if not len(plates):
            return NO_AIR
        rates = np.zeros((len(panels.rod), 3))
        field = wind_field_of(sample, time)
        if field is not None and gusts_alone(sample.wind) is not sample.wind:
            body, half = self._body[plates], _OFF_MIDDLE * panels.chord[plates]
            center = panels.center[plates]
            points = place(np.tile(body, 2), np.concatenate([center + half, center - half]))[0]
            (one, other), (here, there) = (np.split(of, 2) for of in (points, field(points)))
            rates[plates] = (here - there) / np.linalg.norm(one - other, axis=1)[:, None]  # they move on straight
        return rates

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
