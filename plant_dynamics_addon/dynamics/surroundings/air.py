# SPDX-License-Identifier: GPL-3.0-or-later
"""The air that plants stand in, from frame to frame, as the solver's wind fields. Needs no Blender."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ....solver import GustyWind, Sample, ShelteredWind, WindField
from ...errors import PlantError
from .shelter.foliage import Windbreak, shelter_of

#: Version and function of the winds that scripts have registered, by name.
REGISTERED: dict[str, tuple[int, Callable[[np.ndarray, float], np.ndarray]]] = {}


def registered(name: str) -> tuple[int, Callable[[np.ndarray, float], np.ndarray]]:
    """Version and function of a script's wind. Raises PlantError where there is none of this name."""
    if name not in REGISTERED:
        raise PlantError("There is no wind '{name}': run the script that registers it", name=name)
    return REGISTERED[name]


@dataclass(frozen=True)
class WindShape:
    """Everything about gusts but their speed: that of a GustyWind with a mean of 1 m/s. loop: m, or None. eddies: those
    of the plant that stands in it, over the mean speed."""

    direction: tuple[float, float, float]
    turbulence_intensity: float
    length_scale: float
    spectrum: str
    seed: int
    loop: float | None
    height_exponent: float
    reference_height: float
    eddies: float = 0.0


@lru_cache(maxsize=16)
def _field(shape: WindShape) -> GustyWind:
    return GustyWind(
        shape.direction, shape.turbulence_intensity, shape.length_scale, shape.spectrum, shape.seed, shape.loop,
        shape.height_exponent, shape.reference_height, shape.eddies,
    )  # fmt: skip


@dataclass(frozen=True)
class SceneWind:
    """Gusts that have travelled some way (m); their speed (m/s) can change without a jump in their pattern.

    passing: m/s at which the pattern moves on, the speed but in a loop
    windbreak: what slows the wind down, by this share of what it takes; None: nothing
    """

    shape: WindShape
    speed: float
    passing: float
    travelled: float = 0.0
    windbreak: Windbreak | None = None
    share: float = 0.0

    def __call__(self, points: np.ndarray, time: float) -> np.ndarray:
        """Velocities (k, 3) m/s at the points (k, 3) m."""
        field: WindField = _field(self.shape)
        if self.windbreak is not None:
            field = ShelteredWind(field, shelter_of(self.windbreak, self.shape.direction), self.share)
        return self.speed * field(points, self.travelled)

    def without_eddies(self) -> "SceneWind":
        """The same gusts alone, in which plants can come to rest."""
        return replace(self, shape=replace(self.shape, eddies=0.0)) if self.shape.eddies else self

    def begun(self, time: float) -> "SceneWind":
        """The same at a time (s) up to which it has always blown like this."""
        return replace(self, travelled=self.passing * time)

    def after(self, before: "SceneWind", duration: float) -> "SceneWind":
        """The same, so long (s) after the wind was as before."""
        return replace(self, travelled=before.travelled + 0.5 * duration * (before.passing + self.passing))


@dataclass(frozen=True)
class CustomWind:
    """A wind that a script has registered. version tells replaced ones apart."""

    name: str
    version: int

    def __call__(self, points: np.ndarray, time: float) -> np.ndarray:
        """Velocities (k, 3) m/s at the points (k, 3) m and the time (s)."""
        function = registered(self.name)[1]
        try:
            return np.array(function(points.copy(), time), dtype=np.float64)
        except Exception as error:
            raise PlantError(
                "The wind '{wind}' failed: {name}: {error}",
                wind=self.name, name=type(error).__name__, error=error,
            ) from error


@dataclass(frozen=True)
class BlownAir:
    """Air in which also force fields of type Wind blow."""

    air: SceneWind | CustomWind | tuple[float, float, float]
    fields: WindField

    def __call__(self, points: np.ndarray, time: float) -> np.ndarray:
        """Velocities (k, 3) m/s at the points (k, 3) m and the time (s)."""
        return (self.air(points, time) if callable(self.air) else np.array(self.air)) + self.fields(points, time)

    def without_eddies(self) -> "BlownAir":
        """The same with gusts without them."""
        alone = self.air.without_eddies() if isinstance(self.air, SceneWind) else self.air
        return self if alone is self.air else replace(self, air=alone)


Wind = SceneWind | CustomWind | BlownAir | tuple[float, float, float] | None


def in_time(sample: Sample, before: Sample | None, time: float, duration: float) -> Sample:
    """The sample at a time (s) of the scene, so long (s) after the sample before, with its wind carried on."""
    wind, at = wind_in_time(sample.wind, None if before is None else before.wind, time, duration)
    return sample if at is None else replace(sample, wind=wind, time=at)


def wind_in_time(wind: Wind, before: Wind, time: float, duration: float) -> tuple[Wind, float | None]:
    """The wind so long (s) after the one before, and the time (s) of the scene if it depends on that."""
    air, former = (one.air if isinstance(one, BlownAir) else one for one in (wind, before))
    if isinstance(air, SceneWind):
        air = air.after(former, duration) if isinstance(former, SceneWind) else air.begun(time)
    elif not isinstance(air, CustomWind):
        return wind, None
    return (replace(wind, air=air) if isinstance(wind, BlownAir) else air), time
