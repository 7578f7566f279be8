# SPDX-License-Identifier: GPL-3.0-or-later
"""The worlds of several plants, or groups of them, as one world of all."""

from collections.abc import Sequence
from dataclasses import replace
from operator import is_
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .base.arrays import Floats, Ints
from .base.checks import finite
from .base.errors import SolverError
from .model.model import Model
from .world.sample import PER_PLANT, PER_PULL, PER_ROD, ForceField, Sample
from .world.wind import UniformWind, gusts_alone


class Counts(NamedTuple):
    """How many plants, rods, bodies and panels a world is of."""

    plants: int
    rods: int
    bodies: int
    panels: int

    @classmethod
    def of(cls, plants: int, model: Model) -> "Counts":
        """Of so many plants, whose models joined this is."""
        return cls(plants, model.rod_count, model.body_count, len(model.panels.rod))


class _EachItsOwn:
    """Fields of simulations side by side as one: each is asked for its own points only, to the same bits as alone."""

    def __init__(self, fields: Sequence[Any], counts: Ints, plants: Ints):
        """counts, plants: of how many rows, and plants, each is asked."""
        self._fields, self._counts, self._plants = fields, counts, plants
        self._ends, self._all = np.cumsum(counts)[:-1], int(counts.sum())

    def of_plant(self, p: int) -> Any:
        """The field of plant p alone."""
        return self._fields[int(np.searchsorted(np.cumsum(self._plants), p, "right"))]

    def __call__(self, points: Floats, *rest: Any) -> Floats:
        """At points (k, 3), which are those of all simulations once or several times over."""

        def parts(values: Floats) -> list[Floats]:
            return np.split(values.reshape(-1, self._all, 3), self._ends, axis=1)

        asked = [parts(points), *(parts(one) for one in rest[:-1])]
        found = [
            finite("a field", field(*(one.reshape(-1, 3) for one in own), rest[-1]), own[0].reshape(-1, 3).shape)
            for field, own in zip(self._fields, zip(*asked, strict=True), strict=True)
        ]
        times = len(points) // self._all
        return np.concatenate([one.reshape(times, -1, 3) for one in found], axis=1).reshape(-1, 3)


class _EachItsWind(_EachItsOwn):
    """The winds of several plants, which differ in their eddies or in what blows on them."""

    def without_eddies(self) -> "_EachItsWind":
        """The same winds as their own `without_eddies` have them."""
        alone = [gusts_alone(wind) for wind in self._fields]
        return self if all(map(is_, alone, self._fields)) else _EachItsWind(alone, self._counts, self._plants)


def joined_samples(samples: Sequence[Sample], counts: Sequence[Counts]) -> Sample:
    """The worlds of all as one, in which plants, rods and bodies come one world after the other.

    Density of air, time, colliders and which plants touch are those of the first. Its numbers are checked by whoever
    takes it. Raises SolverError where some stand in air and others do not, or a wind per rod beside a field.
    """
    plants, rods, bodies, panels = (np.array(column) for column in zip(*counts, strict=True))
    first_rod = np.cumsum(rods) - rods

    def of_plants(name: str, k: int) -> Floats:
        values = [getattr(one, name) for one in samples]
        if len(values) == int(plants.sum()) and all(np.size(one) == k for one in values):
            return np.array(values, dtype=np.float64).reshape(-1, k)  # the commonest case, much faster
        return _rows([np.reshape(one, (-1, k)) for one in values], plants, (k,))

    def of_rods(name: str, nothing: ArrayLike) -> Floats | None:
        given = [getattr(one, name) for one in samples]
        if all(one is None for one in given):
            return None
        return _rows([nothing if one is None else one for one in given], rods, np.shape(nothing))

    if any(one.thickness is not None for one in samples):
        samples = [_with_thickness(one) for one in samples]
    joined: dict[str, Any] = {name: of_plants(name, k) for name, k in PER_PLANT.items()}
    for name in ("stiffness_scale", "flutter"):
        joined[name] = joined[name][:, 0]
    joined |= {name: of_rods(name, nothing) for name, nothing in PER_ROD.items()}
    joined |= {"wind": _wind([one.wind for one in samples], rods, panels, plants), "pull_rod": ()}
    joined |= {"force_field": _field([one.force_field for one in samples], bodies, plants)}
    joined |= dict.fromkeys(PER_PULL, ())
    pulls = [(one, rod) for one, rod in zip(samples, first_rod, strict=True) if np.size(one.pull_rod)]
    if pulls:
        joined["pull_rod"] = np.concatenate([np.asarray(one.pull_rod) + rod for one, rod in pulls])
        joined |= {name: np.concatenate([np.asarray(getattr(one, name)) for one, _ in pulls]) for name in PER_PULL}
    joined["guides"] = [
        replace(guide, rod=guide.rod + rod, other_rod=guide.other_rod + rod)
        for one, rod in zip(samples, first_rod.tolist(), strict=True) for guide in one.guides
    ]  # fmt: skip
    return replace(samples[0], **joined)


def _with_thickness(sample: Sample) -> Sample:
    """The same, in which the thickness that keeps the volume is written out."""
    if sample.stretch is None or sample.thickness is not None:
        return sample
    return replace(sample, thickness=np.asarray(sample.stretch, dtype=np.float64) ** -0.5)


def _wind(winds: Sequence[Any], rods: Ints, panels: Ints, plants: Ints) -> Any:
    first = winds[0]
    if all(one is None for one in winds):
        return None
    if any(one is None for one in winds):
        raise SolverError("of plants that go together all stand in air or none does")
    if not any(callable(one) for one in winds):
        return _rows(winds, rods, (3,))
    if all(one is first or (callable(one) and one == first) for one in winds):
        return first
    return _EachItsWind([one if callable(one) else UniformWind(one) for one in winds], panels, plants)


def _field(fields: Sequence[Any], bodies: Ints, plants: Ints) -> ForceField | None:
    return None if fields[0] is None else _EachItsOwn(fields, 2 * bodies, plants)


def _rows(values: Sequence[ArrayLike], counts: Ints, shape: tuple[int, ...]) -> Floats:
    """The values one after the other, each as many rows of a shape as it counts."""
    return np.concatenate([np.broadcast_to(one, (k, *shape)) for one, k in zip(values, counts.tolist(), strict=True)])
