# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel and the bones say about material, air and limits, as columns of the solver's rods."""

from typing import Any

import bpy
import numpy as np

_MEGA = 1e6

#: A cone's tip, drawn with a radius of zero, has this share of the radius at its other end.
_POINTED = 0.05

#: A bone's limit of this angle (rad) or more is none.
FULL_TURN = 2.0 * np.pi


def rod_columns(bones: list[bpy.types.Bone], settings: bpy.types.PropertyGroup, scale: float) -> dict[str, np.ndarray]:
    """Columns of Rods by name, of bones in an armature of this scale with these settings of its object."""
    n = len(bones)
    explicit = {name: np.full((n, 3), np.nan) for name in ("com", "inertia", "stiffness")}
    explicit["mass"] = np.full(n, np.nan)
    rows = []
    for i, bone in enumerate(bones):
        own = bone.plant_dynamics
        rows.append(bone_row(bone, settings))
        if own.use_body:
            explicit["mass"][i] = own.mass
            explicit["com"][i] = own.center_of_mass
            explicit["inertia"][i] = own.inertia
            explicit["stiffness"][i] = own.stiffness
    columns = {name: np.array([row[name] for row in rows], dtype=np.float64) for name in rows[0]}
    of_bones = columns.pop("damping_factor")
    base, tip = columns["radius_base"] * scale, columns["radius_tip"] * scale
    columns["radius_base"] = np.where(base > 0.0, base, _POINTED * tip)
    columns["radius_tip"] = np.where(tip > 0.0, tip, _POINTED * base)
    columns["blade_area"] *= scale * scale
    for name in ("drag_across", "drag_along", "blade_drag_normal", "blade_drag_along"):
        columns[name] *= settings.air_factor
    damping = {name: values * of_bones for name, values in _damping(bones, settings).items()}
    return columns | damping | explicit


def segments_of(bones: list[bpy.types.Bone], settings: bpy.types.PropertyGroup) -> np.ndarray:
    """(n,) into how many pieces each bone is cut; one with a mass of its own stays whole."""
    whole = [bone.plant_dynamics.use_body for bone in bones]
    return np.where(whole, 1, settings.segments).astype(np.int64)


def bone_row(bone: bpy.types.Bone, settings: Any) -> dict[str, float]:
    """What holds for one bone, its own or the plant's, in SI units but for the armature's scale."""
    own, envelope = bone.plant_dynamics, settings.radius_source == "ENVELOPE"
    return {
        "radius_base": own.radius_base or (bone.head_radius if envelope else settings.radius),
        "radius_tip": own.radius_tip or (bone.tail_radius if envelope else settings.radius),
        "young": (own.young_modulus or settings.young_modulus) * _MEGA,
        "poisson": settings.poisson if own.poisson <= -1.0 else own.poisson,
        "density": own.density or settings.density,
        "hollow": settings.hollow if own.hollow < 0.0 else own.hollow,
        "stiffness_factor": own.stiffness_factor,
        "damping_factor": own.damping_factor,
        "pinned": own.pinned,
        "bend_limit": _limit(own.bend_limit, settings.use_bend_limit, settings.bend_limit),
        "twist_limit": _limit(own.twist_limit, settings.use_twist_limit, settings.twist_limit),
        "drag_across": settings.drag_across * own.drag_factor,
        "drag_along": settings.drag_along * own.drag_factor,
        "blade_area": own.blade_area,
        "blade_drag_normal": settings.blade_drag_normal * own.drag_factor,
        "blade_drag_along": settings.blade_drag_along * own.drag_factor,
    }


def _limit(own: float, is_limited: bool, of_plant: float) -> float:
    if own > 0.0:
        return own if own < FULL_TURN - 1e-5 else np.inf
    return of_plant if is_limited else np.inf


def _damping(bones: list[bpy.types.Bone], settings: Any) -> dict[str, np.ndarray]:
    """Columns of the damping; that of a ratio is found when the plant starts."""
    n, mode, factor = len(bones), settings.damping_mode, settings.damping_factor
    times = np.zeros(n)
    if mode == "TIME":
        own = np.array([bone.plant_dynamics.damping_time for bone in bones], dtype=np.float64)
        times = np.where(own < 0.0, settings.damping_time, own) * factor
    constant = 0.0 if mode == "RATIO" else settings.joint_damping * factor
    return {"damping_time": times, "joint_damping": np.full(n, constant)}
