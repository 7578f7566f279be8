# SPDX-License-Identifier: GPL-3.0-or-later
"""Taking a preset over, and making one of the present settings."""

from typing import Any

import bpy

from . import files
from .kinds import IN_PROPORTION, KINDS


def apply_preset(context: bpy.types.Context, kind: str, name: str) -> None:
    """Set what the preset names; the rest stays. Raises PlantError, with everything as it was."""
    owner = KINDS[kind].owner(context)
    values = files.checked(owner, files.read(kind, name), KINDS[kind].names)
    if kind == "plant" and owner.bones_have_materials:
        _in_proportion(owner.id_data, values)
    for key, value in values.items():
        setattr(owner, key, value)


def present_values(context: bpy.types.Context, kind: str) -> dict[str, Any]:
    """What a preset made now would hold."""
    owner = KINDS[kind].owner(context)
    return {name: _plain(getattr(owner, name)) for name in KINDS[kind].names}


def _plain(value: Any) -> Any:
    """Floats with the digits that they have in a file of 32 bits."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def _in_proportion(obj: bpy.types.Object, values: dict[str, Any]) -> None:
    bones = [bone.plant_dynamics for bone in obj.data.bones]
    for name, none in IN_PROPORTION.items():
        stem = next((getattr(own, name) for own in bones if getattr(own, name) > none and not own.pinned), 0.0)
        if stem <= 0.0 or name not in values:
            continue
        for own in bones:
            if getattr(own, name) > none:
                setattr(own, name, getattr(own, name) * values[name] / stem)
