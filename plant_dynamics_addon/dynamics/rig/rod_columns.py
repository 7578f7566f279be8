# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel and the bones say about material, air and limits, as columns of the solver's rods."""

from collections.abc import Sequence

import bpy
import numpy as np

from ....solver import sections
from ...blender.moving_data import is_animated_at
from ...material_columns import COLUMNS, FULL_TURN, columns_of

#: A cone's tip, drawn with a radius of zero, has this share of the radius at its other end.
_POINTED = 0.05

_FLAT = sections.KINDS.index("flat")
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
    flutters = _flutters(settings) * settings.air_factor * of_bones
    length = scale * np.array([bone.length for bone in bones])
    slenderness = _blades_slenderness(bones, length, columns["blade_area"])
    columns["blade_lift"] = flutters * _lift_slope(slenderness)
    columns["blade_lift_along"] = flutters * _lift_slope(1.0 / slenderness)
    columns["blade_air_mass"] = flutters * _air_mass(slenderness)
    columns["blade_shift"] = np.full(n, _flutters(settings))
    never = (columns["strength"] <= 0.0) | (not settings.breaks)
    columns["strength"] = np.where(never, np.inf, columns["strength"])
    for name in _DRAG:
        columns[name] *= settings.air_factor
    of_bones = COLUMNS["damping_factor"].own([bone.plant_dynamics for bone in bones])
    for friction in _FRICTION:  # that of a ratio is found when the plant starts
        name, holds = friction.of_solver, friction.acts_in(settings.damping_mode)
        columns[name] = columns[name] * settings.damping_factor * of_bones if holds else np.zeros(n)
    is_flat = columns["section"] == _FLAT
    columns["section"] = sections.of_kinds(
        columns["section"], columns.pop("aspect"), columns.pop("twist_to_bend"), columns["poisson"]
    )
    _spread_over_blades(columns, is_flat, length)
    return columns | explicit


def _flutters(settings: bpy.types.PropertyGroup) -> float:
    """1 where leaves flutter at any frame, which the samples say how much; 0 where they only drag."""
    return float(settings.flutter > 0.0 or is_animated_at(settings.id_data, "plant_dynamics.flutter"))


def _spread_over_blades(columns: dict[str, np.ndarray], is_flat: np.ndarray, length: np.ndarray) -> None:
    """The mass of flat bones with a blade is as far from their middle as the blade is wide: they twist more slowly."""
    chord = columns["blade_area"] / length
    radius = 0.5 * (columns["radius_base"] + columns["radius_tip"])
    section, which = columns["section"], is_flat & (chord > 0.0) & (radius > 0.0)
    second = sections.Section._fields.index("second_z")
    spread = section[which, sections.Section._fields.index("area")] * chord[which] ** 2 / (3.0 * radius[which] ** 2)
    section[which, second] = np.maximum(section[which, second], spread)


def _lift_slope(span_by_chord: np.ndarray) -> np.ndarray:
    """(n,) how the force across blades grows with the angle of air that comes nearly along them: 2 pi a / (a + 2) of an
    ellipse, a being how far it reaches across the air over how far along it (Prandtl's lifting line)."""
    return 2.0 * np.pi * span_by_chord / (span_by_chord + 2.0)


def _air_mass(slenderness: np.ndarray) -> np.ndarray:
    """(n,) air that blades carry with them, over density, area and width: pi / 4 times the shorter side over width, of
    a long plate, less as it gets square; within 0.006 of potential flow around rectangles."""
    long = np.maximum(slenderness, 1.0 / slenderness)
    return 0.25 * np.pi * np.minimum(slenderness, 1.0) * long / (long + 0.6 + 0.13 / long**2)


def _blades_slenderness(bones: list[bpy.types.Bone], length: np.ndarray, area: np.ndarray) -> np.ndarray:
    """(n,) length over width of the whole leaf, whichever of its bones one is; 1 without a blade. length (n,) m, area
    (n,) m2."""
    place = {bone.name: i for i, bone in enumerate(bones)}
    long, whole, of = length.copy(), area.copy(), np.arange(len(bones))
    for i in np.flatnonzero(area > 0.0).tolist():  # parents first
        parent = place.get(bones[i].parent.name) if bones[i].parent and bones[i].use_connect else None
        if parent is not None and area[parent] > 0.0 and len(bones[i].parent.children) == 1:
            of[i] = of[parent]
            long[of[i]] += length[i]
            whole[of[i]] += area[i]
    return np.where(area > 0.0, long[of] ** 2 / np.where(area > 0.0, whole[of], 1.0), 1.0)


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
