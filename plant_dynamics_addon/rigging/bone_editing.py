# SPDX-License-Identifier: GPL-3.0-or-later
"""One value for many bones: which bones, and what becomes of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

import bpy

from ..dynamics.rig.rod_columns import FULL_TURN, bone_row
from ..errors import PlantError
from .bone_selection import branch_levels, selected_bones

_MEGA = 1e6


@dataclass(frozen=True)
class Quantity:
    """names: the properties of a bone that it sets; present: their values as they hold, of the bone or the plant."""

    label: str
    names: tuple[str, ...]
    present: Callable[[Mapping[str, float], bpy.types.PropertyGroup], tuple[float, ...]]
    least: float = 0.0
    most: float = float("inf")


def _of(
    *columns: str, unit: float = 1.0
) -> Callable[[Mapping[str, float], bpy.types.PropertyGroup], tuple[float, ...]]:
    return lambda row, own: tuple(row[name] / unit for name in columns)


#: What can be set to a number, or multiplied by one.
QUANTITIES = {
    "RADIUS": Quantity("Radius", ("radius_base", "radius_tip"), _of("radius_base", "radius_tip")),
    "STIFFNESS": Quantity("Joint Factor", ("stiffness_factor",), _of("stiffness_factor"), least=1e-4),
    "DAMPING": Quantity("Damping Factor", ("damping_factor",), _of("damping_factor"), most=1e4),
    "YOUNG": Quantity("Young's (MPa)", ("young_modulus",), _of("young", unit=_MEGA)),
    "DENSITY": Quantity("Density (kg/m³)", ("density",), _of("density")),
    "STRENGTH": Quantity("Strength (MPa)", ("strength",), lambda row, own: (own.strength,)),
    "DRAG": Quantity("Air Drag", ("drag_factor",), lambda row, own: (own.drag_factor,), most=1e4),
    "BEND": Quantity("Bend Limit", ("bend_limit",), _of("bend_limit"), most=FULL_TURN),
    "TWIST": Quantity("Twist Limit", ("twist_limit",), _of("twist_limit"), most=FULL_TURN),
}

#: What is on or off.
STATES = {"PINNED": ("Pinned", "pinned"), "SIMULATED": ("Simulated", "use_physics")}


@dataclass(frozen=True)
class Choice:
    """Bones of the branch levels from first to last, the selected ones, those of an organ, by a pattern of names such
    as "leaf*", or all."""

    by: str
    first: int = 0
    last: int = 0
    organ: str = "stem"
    pattern: str = "*"

    def bones(self, obj: bpy.types.Object, levels: Mapping[str, int]) -> list[bpy.types.Bone]:
        """The bones of the object that are meant, whose branch levels are these."""
        if self.by == "SELECTED":
            return selected_bones(obj)
        return [bone for bone in obj.data.bones if self._has(bone, levels[bone.name])]

    def _has(self, bone: bpy.types.Bone, level: int) -> bool:
        if self.by == "LEVELS":
            return self.first <= level <= self.last
        if self.by == "ORGAN":
            return bool(bone.plant_dynamics.organ == self.organ)
        return self.by == "ALL" or fnmatchcase(bone.name, self.pattern)


@dataclass(frozen=True)
class Change:
    """quantity: a key of QUANTITIES or STATES; multiply: times the value that holds now, else the value itself; per
    level above the lowest of the bones it is once more multiplied by grade."""

    quantity: str
    value: float = 1.0
    multiply: bool = False
    grade: float = 1.0
    state: bool = True


def edit_bones(obj: bpy.types.Object, choice: Choice, change: Change) -> list[str]:
    """Names of the bones that were changed."""
    levels = branch_levels(obj.data.bones)
    bones = choice.bones(obj, levels)
    if change.quantity in STATES:
        for bone in bones:
            setattr(bone.plant_dynamics, STATES[change.quantity][1], change.state)
        return [bone.name for bone in bones]
    quantity = QUANTITIES[change.quantity]
    lowest = min((levels[bone.name] for bone in bones), default=0)
    for bone in bones:
        _set(bone, obj.plant_dynamics, quantity, change, change.grade ** (levels[bone.name] - lowest))
    return [bone.name for bone in bones]


def _set(
    bone: bpy.types.Bone, settings: bpy.types.PropertyGroup, quantity: Quantity, change: Change, grade: float
) -> None:
    own, row = bone.plant_dynamics, bone_row(bone, settings)
    for name, present in zip(quantity.names, quantity.present(row, own), strict=True):
        value = (present if change.multiply else 1.0) * change.value * grade
        if not value >= quantity.least or (value <= 0.0 and name in _INHERIT_AT_ZERO):
            raise PlantError(f"'{bone.name}': {quantity.label} would be {value:.3g}, which is too small")
        setattr(own, name, min(value, quantity.most))


#: Properties of which 0 means: as the plant.
_INHERIT_AT_ZERO = ("radius_base", "radius_tip", "young_modulus", "density", "bend_limit", "twist_limit")

#: Overrides of a bone in groups, as they are copied to others.
GROUPS = {
    "SIZE": ("Size", ("radius_base", "radius_tip", "hollow")),
    "MATERIAL": ("Material", ("young_modulus", "poisson", "density", "strength")),
    "DAMPING": ("Damping", ("damping_time", "damping_factor")),
    "JOINT": ("Joint and Limits", ("stiffness_factor", "pinned", "bend_limit", "twist_limit")),
    "AIR": ("Air", ("blade_area", "drag_factor")),
    "ORGAN": ("Organ", ("organ",)),
    "SIMULATED": ("Simulated", ("use_physics",)),
    "BODY": ("Explicit Body", ("use_body", "mass", "center_of_mass", "inertia", "stiffness", "initial_rotation")),
}


def copy_overrides(source: bpy.types.Bone, bones: list[bpy.types.Bone], groups: set[str]) -> None:
    """Give the bones the source's values of these groups."""
    for group in groups:
        for name in GROUPS[group][1]:
            value = getattr(source.plant_dynamics, name)
            for bone in bones:
                setattr(bone.plant_dynamics, name, value)
