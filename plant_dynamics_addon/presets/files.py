# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of presets: found, read with every value checked, written and deleted. Nothing in them is run."""

import json
import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import bpy

from ..errors import PlantError

_SHIPPED = Path(__file__).parent

#: A name is a file's name too.
_NAME = re.compile(r"[^\W_][\w\-' .]{0,62}")

#: Numbers are written with seven digits, by which they may be off so much.
_ROUNDING = 1e-6

_LONGEST = 40  # letters of a value in a message


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
    found = _content(kind, name)
    values = found.get("values") if isinstance(found, dict) else None
    if not isinstance(values, dict) or found.get("preset_of") != kind:
        raise PlantError("'{path}' is no preset of this kind", path=_path(kind, name))
    return values


def level_sag(kind: str, name: str) -> float | None:
    """By which share of its length what is drawn out level shall sag, whatever its size, if the preset says so."""
    sag = _content(kind, name).get("level_sag")
    return sag if isinstance(sag, float) and 0.0 < sag < math.inf else None


def _path(kind: str, name: str) -> Path:
    return (_SHIPPED / kind if name in shipped(kind) else user_folder(kind)) / f"{name}.json"


def _content(kind: str, name: str) -> Any:
    if name not in shipped(kind) + own(kind):
        raise PlantError("There is no preset '{name}'", name=name)
    path = _path(kind, name)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PlantError("The preset '{path}' cannot be read: {error}", path=path, error=error) from None
    except RecursionError:
        raise PlantError("The preset '{path}' cannot be read: its lists are too deep", path=path) from None


@cache
def shipped_values(kind: str, name: str) -> dict[str, Any]:
    """The values of a preset that comes with the extension, which panels ask for whenever they are drawn."""
    return read(kind, name)


def save(kind: str, name: str, values: Mapping[str, Any]) -> Path:
    """Write a preset of the user's, over one of the same name; gives its file. Raises PlantError."""
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise PlantError("Give it a name of letters, digits, blanks, points, - and '")
    if name.lower() in (one.lower() for one in shipped(kind)):
        raise PlantError("'{name}' comes with Plant Dynamics and stays as it is: choose another name", name=name)
    path = user_folder(kind, create=True) / f"{name}.json"
    try:
        text = json.dumps({"preset_of": kind, "values": dict(values)}, indent=2)
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise PlantError("'{path}' cannot be written: {reason}", path=path, reason=error.strerror) from None
    return path


def delete(kind: str, name: str) -> None:
    """Delete a preset of the user's. Raises PlantError."""
    if name not in own(kind):
        raise PlantError("'{name}' is no preset of yours", name=name)
    try:
        (user_folder(kind) / f"{name}.json").unlink()
    except OSError as error:
        raise PlantError("'{name}' cannot be deleted: {reason}", name=name, reason=error.strerror) from None


def checked(owner: bpy.types.PropertyGroup, values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Those of the values that the owner has under these names. Raises PlantError for one that it cannot take."""
    fitting = {name: value for name, value in values.items() if name in names}
    for name, value in fitting.items():
        prop = owner.bl_rna.properties[name]
        if not _is_of_its_kind(prop, value):
            raise PlantError("The preset's '{name}' cannot be {text}", name=name, text=_told(value))
        if prop.type in ("INT", "FLOAT") and not _is_in_range(prop, value):
            raise PlantError(
                "The preset's '{name}' cannot be {text}, only from {least:g} to {most:g}",
                name=name, text=_told(value), least=prop.hard_min, most=prop.hard_max,
            )
    return fitting


def _is_of_its_kind(prop: bpy.types.Property, value: Any) -> bool:
    if prop.type == "ENUM":
        return isinstance(value, str) and value in {item.identifier for item in prop.enum_items}
    if prop.type == "STRING":
        return isinstance(value, str) and value.isprintable()
    if prop.type == "FLOAT":
        return type(value) is int or (isinstance(value, float) and math.isfinite(value))
    return type(value) is {"BOOLEAN": bool, "INT": int}[prop.type]


def _is_in_range(prop: bpy.types.Property, value: float) -> bool:
    """Whether the property takes the number as it is; one at the end of its range is written with fewer digits."""
    least, most = prop.hard_min, prop.hard_max
    if prop.type == "FLOAT":
        least, most = least - _ROUNDING * abs(least), most + _ROUNDING * abs(most)
    return bool(least <= value <= most)


def _told(value: Any) -> str:
    """The value as the file says it, of a length that can be read."""
    if isinstance(value, list | dict):
        return "a list"
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
