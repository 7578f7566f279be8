# SPDX-License-Identifier: GPL-3.0-or-later
"""The air that a scene's plants stand in: what the Wind panel says, as the solver's wind fields.

A script can add winds of its own, which the panel then offers by name:

    from bl_ext.user_default.plant_dynamics.plant_dynamics_addon.dynamics.surroundings.winds import register_wind

    def whirl(points, time):  # (k, 3) m, world axes, and s -> (k, 3) m/s
        x, y, z = points.T
        return 4.0 * np.stack([-y, x, 0.0 * z], axis=1)

    register_wind("Whirl", whirl)

The time is the scene's, frame over frame rate. Equal arguments must give equal velocities, or the preview is not what
is baked. Files keep the name only, so the script must run again when the file is opened.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import bpy
import numpy as np

from ....solver import GustyWind, Sample, WindField
from ... import changes
from ...blender.fcurves import all_curves
from ...errors import PlantError

#: Shorter ways (m) than this do not make a loop: the wind then is as good as still.
_SHORTEST_LOOP = 1e-3

_registered: dict[str, tuple[int, WindField]] = {}


def register_wind(name: str, function: Callable[[np.ndarray, float], np.ndarray]) -> None:
    """Offer a wind under this name: velocities (k, 3) m/s of the air at points (k, 3) m, world axes, and a time in s.

    Registered again under the same name it replaces the former.
    """
    version = _registered[name][0] + 1 if name in _registered else 0
    _registered[name] = (version, function)
    changes.all_inputs_changed()


def unregister_wind(name: str) -> None:
    """Offer it no more; plants that stand in it report that it is missing."""
    _registered.pop(name, None)
    changes.all_inputs_changed()


def wind_names() -> list[str]:
    """Names of the winds that scripts have registered."""
    return sorted(_registered)


@dataclass(frozen=True)
class WindShape:
    """Everything about gusts but their speed: that of a GustyWind with a mean of 1 m/s. loop: m, or None."""

    direction: tuple[float, float, float]
    turbulence_intensity: float
    length_scale: float
    spectrum: str
    seed: int
    loop: float | None
    height_exponent: float
    reference_height: float


@lru_cache(maxsize=16)
def _field(shape: WindShape) -> GustyWind:
    return GustyWind(
        shape.direction, shape.turbulence_intensity, shape.length_scale, shape.spectrum, shape.seed, shape.loop,
        shape.height_exponent, shape.reference_height,
    )  # fmt: skip


@dataclass(frozen=True)
class SceneWind:
    """Gusts that have travelled some way (m); their speed (m/s) can change without a jump in their pattern.

    passing: m/s at which the pattern moves on, the speed but in a loop.
    """

    shape: WindShape
    speed: float
    passing: float
    travelled: float = 0.0

    def __call__(self, points: np.ndarray, time: float) -> np.ndarray:
        """Velocities (k, 3) m/s at the points (k, 3) m."""
        return self.speed * _field(self.shape)(points, self.travelled)

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
        if self.name not in _registered:
            raise PlantError(f"There is no wind '{self.name}': run the script that registers it")
        function = _registered[self.name][1]
        try:
            return np.array(function(points.copy(), time), dtype=np.float64)
        except Exception as error:
            raise PlantError(f"The wind '{self.name}' failed: {type(error).__name__}: {error}") from error


@dataclass(frozen=True)
class BlownAir:
    """Air in which also force fields of type Wind blow."""

    air: SceneWind | CustomWind | tuple[float, float, float]
    fields: WindField

    def __call__(self, points: np.ndarray, time: float) -> np.ndarray:
        """Velocities (k, 3) m/s at the points (k, 3) m and the time (s)."""
        return (self.air(points, time) if callable(self.air) else np.array(self.air)) + self.fields(points, time)


Wind = SceneWind | CustomWind | BlownAir | tuple[float, float, float] | None


def has_direction(wind: bpy.types.PropertyGroup) -> bool:
    """Whether the scene's wind blows to anywhere."""
    return sum(x * x for x in wind.direction) > 1e-12


def read_wind(scene: bpy.types.Scene) -> Wind:
    """The air of the scene at its present frame; None: there is none."""
    wind = scene.plant_dynamics.wind
    if not wind.use_air:
        return None
    if wind.source == "STILL" or (wind.source == "CUSTOM" and not wind.custom):  # none is chosen yet
        return (0.0, 0.0, 0.0)
    if wind.source == "CUSTOM":
        if wind.custom not in _registered:
            raise PlantError(f"There is no wind '{wind.custom}': run the script that registers it")
        return CustomWind(wind.custom, _registered[wind.custom][0])
    # Without a direction nothing blows, but the gusts go on passing, for directions that are keyed through zero.
    blows = has_direction(wind)
    direction = np.array(wind.direction if blows else (1.0, 0.0, 0.0), dtype=np.float64)
    direction /= np.linalg.norm(direction)
    passing, loop = wind.speed, None
    if wind.use_loop:
        fastest = _fastest(scene)
        seconds = wind.loop_frames * scene.render.fps_base / scene.render.fps
        if fastest * seconds >= _SHORTEST_LOOP:
            passing, loop = fastest, fastest * seconds
    shape = WindShape(
        tuple(direction.tolist()), wind.turbulence_intensity, wind.length_scale, wind.spectrum.lower(), wind.seed,
        loop, wind.height_exponent, wind.reference_height,
    )  # fmt: skip
    return SceneWind(shape, wind.speed if blows else 0.0, passing)


def _fastest(scene: bpy.types.Scene) -> float:
    """Largest speed (m/s) that is keyed, else the present one: with it a loop is as long as it says."""
    data = scene.animation_data
    path = "plant_dynamics.wind.speed"
    curves = all_curves(data.action) if data and data.action else []
    keyed = [point.co[1] for curve in curves if curve.data_path == path for point in curve.keyframe_points]
    return max(keyed, default=scene.plant_dynamics.wind.speed)


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
