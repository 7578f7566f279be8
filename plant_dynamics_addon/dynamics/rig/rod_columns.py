# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel and the bones say about material, air and limits, as columns of the solver's rods."""

from collections.abc import Sequence

import bpy
import numpy as np

from ....solver import sections
from ...material_columns import COLUMNS, FULL_TURN, columns_of

#: A cone's tip, drawn with a radius of zero, has this share of the radius at its other end.
_POINTED = 0.05

_OF_RODS = [column for column in COLUMNS.values() if column.is_of_rods] + columns_of("SECTION")[1:]
_FRICTION = [column for column in columns_of("DAMPING") if column.is_of_rods]
_LIMITS = [column for column in columns_of("LIMIT") if column.switch]
_DRAG = [column.of_solver for column in columns_of("DRAG")]


def rod_columns(bones: list[bpy.types.Bone], settings: bpy.types.PropertyGroup, scale: float) -> dict[str, np.ndarray]:
    """Columns of Rods by name, of bones in an armature of this scale with these settings of its object."""
    n = len(bones)
    explicit = {name: np.full((n, 3), np.nan) for name in ("com", "inertia", "stiffness")}
    explicit["mass"] = np.full(n, np.nan)
    for i, bone in enumerate(bones):
        own = bone.plant_dynamics
        if own.use_body:
            explicit["mass"][i] = own.mass
            explicit["com"][i] = own.center_of_mass
            explicit["inertia"][i] = own.inertia
            explicit["stiffness"][i] = own.stiffness
    columns = held_columns(bones, settings)
    base, tip = columns["radius_base"] * scale, columns["radius_tip"] * scale
    columns["radius_base"] = np.where(base > 0.0, base, _POINTED * tip)
    columns["radius_tip"] = np.where(tip > 0.0, tip, _POINTED * base)
    columns["blade_area"] *= scale * scale
    of_bones = COLUMNS["drag_factor"].own([bone.plant_dynamics for bone in bones])
    flutters = settings.flutter * settings.air_factor * of_bones
    columns["blade_lift"] = flutters * _lift_slope(bones, columns["blade_area"], scale)
    never = (columns["strength"] <= 0.0) | (not settings.breaks)
    columns["strength"] = np.where(never, np.inf, columns["strength"])
    for name in _DRAG:
        columns[name] *= settings.air_factor
    of_bones = COLUMNS["damping_factor"].own([bone.plant_dynamics for bone in bones])
    for friction in _FRICTION:  # that of a ratio is found when the plant starts
        name, holds = friction.of_solver, friction.acts_in(settings.damping_mode)
        columns[name] = columns[name] * settings.damping_factor * of_bones if holds else np.zeros(n)
    columns["section"] = sections.of_kinds(
        columns["section"], columns.pop("aspect"), columns.pop("twist_to_bend"), columns["poisson"]
    )
    return columns | explicit


def _lift_slope(bones: list[bpy.types.Bone], area: np.ndarray, scale: float) -> np.ndarray:
    """(n,) how the force across blades of areas (n,) m2 grows with the angle of the air along them: 2 pi a / (a + 2), a
    being length over width (Prandtl's lifting line, of an ellipse)."""
    length2 = (scale * np.array([bone.length for bone in bones])) ** 2
    return 2.0 * np.pi * length2 / (length2 + 2.0 * area)


def segments_of(bones: list[bpy.types.Bone], settings: bpy.types.PropertyGroup) -> np.ndarray:
    """(n,) into how many pieces each bone is cut; one with a mass of its own stays whole."""
    whole = [bone.plant_dynamics.use_body for bone in bones]
    return np.where(whole, 1, settings.segments).astype(np.int64)


def held_columns(bones: Sequence[bpy.types.Bone], settings: bpy.types.PropertyGroup) -> dict[str, np.ndarray]:
    """(n,) each: what holds for the bones, their own or the plant's, in SI units but for the armature's scale."""
    owned = [bone.plant_dynamics for bone in bones]
    columns = {column.of_solver: column.held(owned, settings) * column.unit for column in _OF_RODS}
    columns["pinned"] = np.array([own.pinned for own in owned], dtype=np.float64)
    for name, end in (("radius_base", "head_radius"), ("radius_tip", "tail_radius")):
        drawn = [getattr(bone, end) if settings.radius_source == "ENVELOPE" else settings.radius for bone in bones]
        columns[name] = np.where(columns[name] == 0.0, drawn, columns[name])
    for limit in _LIMITS:
        angle, is_on = limit.own(owned), getattr(settings, limit.switch)
        columns[limit.of_solver][limit.inherits(angle) & (not is_on) | (angle >= FULL_TURN - 1e-5)] = np.inf
    factor = COLUMNS["drag_factor"].own(owned)
    for name in _DRAG:
        columns[name] *= factor
    return columns
