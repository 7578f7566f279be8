# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of presets: found, read with every value checked, written and deleted. Nothing in them is run."""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy

from ..errors import PlantError

_SHIPPED = Path(__file__).parent

#: A name is a file's name too.
_NAME = re.compile(r"[^\W_][\w\-' .]{0,62}")


def user_folder(kind: str, *, create: bool = False) -> Path:
    """Where the user's presets of a kind are, beside Blender's own."""
    parts = Path("presets", "plant_dynamics", kind)
    return Path(bpy.utils.user_resource("SCRIPTS", path=str(parts), create=create))


def shipped(kind: str) -> list[str]:
    """Names of the presets that come with the extension."""
    return _names(_SHIPPED / kind)


def own(kind: str) -> list[str]:
    """Names of the user's presets."""
    return [name for name in _names(user_folder(kind)) if name not in shipped(kind)]


def _names(folder: Path) -> list[str]:
    return sorted((path.stem for path in folder.glob("*.json")), key=str.lower)


def read(kind: str, name: str) -> dict[str, Any]:
    """The values of a preset by their properties' names. Raises PlantError."""
    if name not in shipped(kind) + own(kind):
        raise PlantError(f"There is no preset '{name}'")
    path = (_SHIPPED / kind if name in shipped(kind) else user_folder(kind)) / f"{name}.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PlantError(f"The preset '{path}' cannot be read: {error}") from None
    values = found.get("values") if isinstance(found, dict) else None
    if not isinstance(values, dict) or found.get("preset_of") != kind:
        raise PlantError(f"'{path}' is no preset of this kind")
    return values


def save(kind: str, name: str, values: Mapping[str, Any]) -> Path:
    """Write a preset of the user's, over one of the same name; gives its file. Raises PlantError."""
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise PlantError("Give it a name of letters, digits, blanks, points, - and '")
    if name.lower() in (one.lower() for one in shipped(kind)):
        raise PlantError(f"'{name}' comes with Plant Dynamics and stays as it is: choose another name")
    path = user_folder(kind, create=True) / f"{name}.json"
    try:
        text = json.dumps({"preset_of": kind, "values": dict(values)}, indent=2)
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise PlantError(f"'{path}' cannot be written: {error.strerror}") from None
    return path


def delete(kind: str, name: str) -> None:
    """Delete a preset of the user's. Raises PlantError."""
    if name not in own(kind):
        raise PlantError(f"'{name}' is no preset of yours")
    try:
        (user_folder(kind) / f"{name}.json").unlink()
    except OSError as error:
        raise PlantError(f"'{name}' cannot be deleted: {error.strerror}") from None


def checked(owner: bpy.types.PropertyGroup, values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Those of the values that the owner has under these names. Raises PlantError for one of the wrong kind."""
    fitting = {name: value for name, value in values.items() if name in names}
    for name, value in fitting.items():
        if not _fits(owner.bl_rna.properties[name], value):
            raise PlantError(f"The preset's '{name}' cannot be {json.dumps(value)}")
    return fitting


def _fits(prop: bpy.types.Property, value: Any) -> bool:
    if prop.type == "ENUM":
        return isinstance(value, str) and value in prop.enum_items
    if prop.type == "FLOAT":
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return type(value) is {"BOOLEAN": bool, "INT": int, "STRING": str}[prop.type]
