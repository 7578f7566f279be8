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
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ... import changes
from ...blender.evaluation_cache import EvaluationCache
from ...blender.fcurves import all_curves
from ...blender.moving_data import is_animated
from ...presets.apply import apply_preset
from ...presets.files import shipped_values
from .air import REGISTERED, CustomWind, SceneWind, Wind, WindShape, registered, wind_in_time
from .influence import Influence, Moment

#: The wind, of the presets that come along, that Grow lets blow for the scene's first plant.
GIVEN = "Breeze"
#: Eddies among leaves that flutter as they do: standard deviation over the mean speed, in wind of so many m/s; and the
#: most that it is, in lighter wind.
_EDDIES, _EDDIES_AT, _MOST_EDDIES = 0.3, 4.0, 0.5
#: Shorter ways (m) than this do not make a loop: the wind then is as good as still.
_SHORTEST_LOOP = 1e-3


def register_wind(name: str, function: Callable[[np.ndarray, float], np.ndarray]) -> None:
    """Offer a wind under this name: velocities (k, 3) m/s of the air at points (k, 3) m, world axes, and a time in s.

    Registered again under the same name it replaces the former.
    """
    version = REGISTERED[name][0] + 1 if name in REGISTERED else 0
    REGISTERED[name] = (version, function)
    changes.all_inputs_changed()


def unregister_wind(name: str) -> None:
    """Offer it no more; plants that stand in it report that it is missing."""
    REGISTERED.pop(name, None)
    changes.all_inputs_changed()


def wind_names() -> list[str]:
    """Names of the winds that scripts have registered."""
    return sorted(REGISTERED)


def is_wind_chosen(scene: bpy.types.Scene) -> bool:
    """Whether anybody has said what wind there is, also that there is none; Grow alone has not."""
    wind = scene.plant_dynamics.wind
    is_set = wind.is_property_set("source") or wind.is_property_set("use_air")
    return is_set and not (wind.is_given and not _is_keyed(scene))


def give_wind(context: bpy.types.Context, speed: float | None) -> None:
    """Have a breeze blow in the scene, which nobody has chosen: so fast (m/s), or as the preset says."""
    apply_preset(context, "wind", GIVEN)
    wind = context.scene.plant_dynamics.wind
    wind.speed = speed or wind.speed
    wind.is_given = True


def take_back_given(scene: bpy.types.Scene) -> None:
    """The breeze that nobody has chosen or changed blows no more."""
    wind = scene.plant_dynamics.wind
    if wind.is_given and not _is_keyed(scene):
        for name in (*shipped_values("wind", GIVEN), "is_given"):
            wind.property_unset(name)


def _is_keyed(scene: bpy.types.Scene) -> bool:
    data = scene.animation_data
    curves = [*data.drivers, *(all_curves(data.action) if data.action else ())] if data else []
    return any(curve.data_path.startswith("plant_dynamics.wind.") for curve in curves)


def has_direction(wind: bpy.types.PropertyGroup) -> bool:
    """Whether the scene's wind blows to anywhere."""
    return sum(x * x for x in wind.direction) > 1e-12


def is_windy(scene: bpy.types.Scene) -> bool:
    """Whether a wind blows, which also moves plants that nothing animated acts on."""
    wind = scene.plant_dynamics.wind
    gusty = wind.source == "GUSTS" and wind.speed > 0.0 and has_direction(wind)
    return wind.use_air and (gusty or (wind.source == "CUSTOM" and bool(wind.custom)))


def blows(wind: Wind) -> bool:
    """Whether air moves in a wind that was read."""
    if isinstance(wind, SceneWind):
        return wind.speed > 0.0
    return callable(wind) or (wind is not None and any(wind))


def read_wind(scene: bpy.types.Scene) -> Wind:
    """The air of the scene at its present frame; None: there is none."""
    wind = scene.plant_dynamics.wind
    if not wind.use_air:
        return None
    if wind.source == "STILL" or (wind.source == "CUSTOM" and not wind.custom):  # none is chosen yet
        return (0.0, 0.0, 0.0)
    if wind.source == "CUSTOM":
        return CustomWind(wind.custom, registered(wind.custom)[0])
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


def _air_of(scene: bpy.types.Scene, now: bpy.types.Scene) -> dict[str, Any]:
    """The air as a Sample has it, of a scene with its settings as they are keyed."""
    air, frame_duration = now.plant_dynamics.wind, scene.render.fps_base / scene.render.fps
    time = (scene.frame_current - scene.frame_start) * frame_duration
    wind, at = wind_in_time(read_wind(now), None, time, frame_duration)
    return {"air_density": air.air_density, "buoyancy": air.buoyancy, "wind": wind, "time": at}


def eddies_among_leaves(speed: float) -> float:
    """Standard deviation of the eddies that leaves and twigs shed, over the mean speed (m/s) of the wind.

    They live on what drag takes from the wind, and dissipate the sooner the smaller they are: sigma^3 goes with
    C_d A L U^3 (wake production, Finnigan 2000). Leaves roll up in wind (Vogel 1989), so that drag grows with U and not
    with its square (de Langre 2008): C_d A falls with 1 / U, L as the width of what sheds them does too, and sigma
    grows with U^(1/3). Among leaves it is 0.3 to 0.5 of the mean (Raupach and Thom 1981).
    """
    return min(_MOST_EDDIES, _EDDIES * (_EDDIES_AT / max(speed, _EDDIES_AT * 1e-3)) ** (2.0 / 3.0))


class SceneAir(Influence):
    """Wind, density and buoyancy of the air, the same for all plants."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        world |= moment.once(_air_of, moment.scene, moment.scene_now)
        wind, flutter = world["wind"], moment.settings.flutter
        world["flutter"] = flutter
        if isinstance(wind, SceneWind) and flutter > 0.0:
            eddies = flutter * eddies_among_leaves(wind.speed)
            world["wind"] = replace(wind, shape=replace(wind.shape, eddies=eddies))

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return once(is_animated, scene)
