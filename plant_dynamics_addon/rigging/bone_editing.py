# SPDX-License-Identifier: GPL-3.0-or-later
"""One value for many bones: which bones, and what becomes of it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

import bpy

from ..dynamics.rig.rod_columns import held_columns
from ..errors import PlantError
from ..material_columns import bone_columns
from .bone_selection import branch_levels, selected_bones

_OF_BONES = bone_columns("SIZE", "MATERIAL", "SECTION", "DAMPING", "JOINT", "LIMIT", "AIR", "CONTACT", "BREAKING")
_NUMBERS = [one for one in _OF_BONES if not (one.is_switch or one.choices)]

#: What can be set to a number, or multiplied by one: the columns of bones that are called so.
QUANTITIES = {
    one.of_quantity: [column for column in _NUMBERS if column.of_quantity == one.of_quantity] for one in _NUMBERS
}

#: What is on or off.
STATES = {"PINNED": ("Pinned", "pinned"), "SIMULATED": ("Simulated", "use_physics")} | {
    one.of_quantity: (str(one.of_bone.keywords["name"]), one.name) for one in _OF_BONES if one.is_switch
}

#: What is one of a few.
CHOICES = {one.of_quantity: one for one in _OF_BONES if one.choices}


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
    """quantity: of QUANTITIES, STATES or CHOICES; multiply: times the value that holds now, else the value itself;
    per level above the lowest of the bones it is once more multiplied by grade."""

    quantity: str
    value: float = 1.0
    multiply: bool = False
    grade: float = 1.0
    state: bool = True
    chosen: str = ""


def edit_bones(obj: bpy.types.Object, choice: Choice, change: Change) -> list[str]:
    """Names of the bones that were changed."""
    levels = branch_levels(obj.data.bones)
    bones = choice.bones(obj, levels)
    if change.quantity in STATES or change.quantity in CHOICES:
        is_state = change.quantity in STATES
        name = STATES[change.quantity][1] if is_state else CHOICES[change.quantity].name
        for bone in bones:
            setattr(bone.plant_dynamics, name, change.state if is_state else change.chosen)
        return [bone.name for bone in bones]
    lowest = min((levels[bone.name] for bone in bones), default=0)
    held = held_columns(bones, obj.plant_dynamics)
    for i, bone in enumerate(bones):
        row = {name: float(values[i]) for name, values in held.items()}
        _set(bone, row, change, change.grade ** (levels[bone.name] - lowest))
    return [bone.name for bone in bones]


def label_of(quantity: str) -> str:
    """What is shown for one of QUANTITIES."""
    first, *others = QUANTITIES[quantity]
    return quantity.capitalize() if others else str(first.of_bone.keywords["name"])


def value_property(quantity: str) -> str:
    """Which of an operator's properties has a value of one of QUANTITIES: "length", "angle" or "value"."""
    shown = QUANTITIES[quantity][0].of_bone.keywords
    if shown.get("unit") == "LENGTH":
        return "length"
    return "angle" if shown.get("subtype") == "ANGLE" else "value"


def _set(bone: bpy.types.Bone, row: Mapping[str, float], change: Change, grade: float) -> None:
    own = bone.plant_dynamics
    for column in QUANTITIES[change.quantity]:
        name, limits = column.name, column.of_bone.keywords
        present = row[column.of_solver] / column.unit if column.of_solver in row else getattr(own, name)
        value = (present if change.multiply else 1.0) * change.value * grade
        if not value >= limits["min"] or column.inherits(value):
            raise PlantError(
                "'{bone}': {quantity} would be {value:.3g}, which is too small",
                bone=bone.name, quantity=label_of(change.quantity), value=value,
            )
        setattr(own, name, min(value, limits.get("max", math.inf)))


def _copied(*groups: str) -> tuple[str, ...]:
    return tuple(column.name for column in bone_columns(*groups))


#: Overrides of a bone in groups, as they are copied to others.
GROUPS = {
    "SIZE": ("Size", _copied("SIZE")),
    "MATERIAL": ("Material", _copied("MATERIAL")),
    "SECTION": ("Section", _copied("SECTION")),
    "DAMPING": ("Damping", _copied("DAMPING")),
    "JOINT": ("Joint and Limits", (*_copied("JOINT", "LIMIT"), "pinned")),
    "AIR": ("Air", _copied("AIR")),
    "CONTACT": ("Contact", _copied("CONTACT")),
    "BREAKING": ("Breaking", _copied("BREAKING")),
    "ORGAN": ("Organ", ("organ",)),
    "SIMULATED": ("Simulated", ("use_physics",)),
    "FOLLOW": ("Follow", ()),  # which are values of pose bones, see copy_following
    "BODY": ("Explicit Body", ("use_body", "mass", "center_of_mass", "inertia", "stiffness", "initial_rotation")),
}


#: How a pose bone follows its keys, as it is copied to others.
_FOLLOWING = tuple(f"plant_dynamics_{name}" for name in ("follow", "recovery", "damping_ratio", "largest_moment"))


def copy_following(source: bpy.types.PoseBone, bones: list[bpy.types.PoseBone]) -> None:
    """Give pose bones the source's way of following."""
    for name in _FOLLOWING:
        for bone in bones:
            setattr(bone, name, getattr(source, name))


def copy_overrides(source: bpy.types.Bone, bones: list[bpy.types.Bone], groups: set[str]) -> None:
    """Give the bones the source's values of these groups."""
    for group in groups:
        for name in GROUPS[group][1]:
            value = getattr(source.plant_dynamics, name)
            for bone in bones:
                setattr(bone.plant_dynamics, name, value)
