# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking a preset over, and making one of the present settings."""

from collections.abc import Sequence
from typing import Any

import bpy

from ..material_columns import COLUMNS
from . import files
from .kinds import KINDS


def apply_preset(context: bpy.types.Context, kind: str, name: str) -> None:
    """Set what the preset names; the rest stays. Raises PlantError, with everything as it was."""
    owner = KINDS[kind].owner(context)
    values = files.checked(owner, files.read(kind, name), KINDS[kind].names)
    if kind == "plant" and owner.bones_have_materials:
        _in_proportion(owner.id_data, values)
    for key, value in values.items():
        setattr(owner, key, value)


def apply_to_bones(context: bpy.types.Context, kind: str, name: str, bones: Sequence[bpy.types.Bone]) -> None:
    """Set what the preset names of what bones can have of their own; the rest stays. Raises PlantError, with everything
    as it was."""
    values = files.checked(KINDS[kind].owner(context), files.read(kind, name), KINDS[kind].names)
    own = {key for key in values if key in COLUMNS and COLUMNS[key].of_bone and COLUMNS[key].of_plant}
    for bone in bones:
        for key in own:
            setattr(bone.plant_dynamics, key, values[key])


def present_values(context: bpy.types.Context, kind: str) -> dict[str, Any]:
    """What a preset made now would hold."""
    owner = KINDS[kind].owner(context)
    return {name: _plain(getattr(owner, name)) for name in KINDS[kind].names}


def is_applied(context: bpy.types.Context, kind: str, name: str) -> bool:
    """Whether the settings are as a preset that comes with the extension says."""
    owner = KINDS[kind].owner(context)
    return all(_plain(getattr(owner, key)) == _plain(value) for key, value in files.shipped_values(kind, name).items())


def _plain(value: Any) -> Any:
    """Floats with the digits that they have in a file of 32 bits."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def _in_proportion(obj: bpy.types.Object, values: dict[str, Any]) -> None:
    """What grown plants have of their own, bone by bone: the stem's foot gets the preset's value, and the rest keeps
    its proportion to it."""
    bones = [bone.plant_dynamics for bone in obj.data.bones]
    for name in values.keys() & {column.name for column in COLUMNS.values() if column.in_proportion}:
        having = [own for own in bones if not COLUMNS[name].inherits(getattr(own, name))]
        stem = next((getattr(own, name) for own in having if not own.pinned), 0.0)
        for own in having if stem > 0.0 else ():
            setattr(own, name, getattr(own, name) * values[name] / stem)
