# SPDX-License-Identifier: GPL-3.0-or-later
"""View files of cpfg: of their many lines those that tell the turtle something."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ...base.errors import LSystemError
from ...base.module_string import single
from ..cpfg.preprocessor import preprocess
from .kinds import Texture, Tropism, View

_LABEL = re.compile(r"\s*([A-Za-z][A-Za-z %]*?)\s*:(.*)")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")

_NUMBERS = {
    "angle increment": "angle",
    "initial line width": "width",
    "line width increment": "width_increment",
    "initial color": "colour",
    "color increment": "colour_increment",
    "initial elasticity": "elasticity",
    "elasticity increment": "elasticity_increment",
}
"""Labels with one number, and the field of `View` that it is for."""
_LARGEST = 1e9
_SHADED = ("shaded", "shadows", "5")
_TOWARDS_LIGHT = 0.7
"""The cosine at which surfaces usually stand to the light."""
_WHOLE = ("colour", "colour_increment")
_DEFAULTS: dict[str, float] = {"angle": 45.0, "width": 1.0, "colour": 128}
"""cpfg's own, where a view file says nothing."""


@dataclass
class ViewFile:
    """What a view file says."""

    view: View
    functions: list[tuple[str, int]] = field(default_factory=list)
    """Names of the files of functions, with the samples of each; -1 where none are given."""
    function_sets: list[str] = field(default_factory=list)
    curves: list[tuple[str, int]] = field(default_factory=list)
    contours: dict[int, str] = field(default_factory=dict)
    """Number of a contour -> name of its file."""
    surfaces: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Letter of a surface -> name of its file, and its size."""


def read_view(text: str, source: str, included: Callable[[str], str | None]) -> ViewFile:
    """Read a view file; lines that only light, colour or show are left out. Raises `LSystemError`."""
    values: dict[str, Any] = {**_DEFAULTS, "in_pixels": True}
    light = {"surface ambient": 0.15, "surface diffuse": 0.75}
    shaded = False
    tropisms: list[Tropism] = []
    textures: list[Texture] = []
    surface_textures: dict[str, int] = {}
    file = ViewFile(View())
    for place, line in enumerate(preprocess(text, source, included, {}, {}).text.content.split("\n"), 1):
        match = _LABEL.match(line)
        if match is None:
            continue
        label, words = match.group(1), match.group(2).split()
        numbers = [float(number) for number in _NUMBER.findall(match.group(2))]
        if any(abs(number) > _LARGEST for number in numbers):
            raise LSystemError(f"a number beyond {_LARGEST:g}", place, 1, source)
        if label in _NUMBERS and numbers:
            name = _NUMBERS[label]
            values[name] = int(numbers[0]) if name in _WHOLE else single(numbers[0])
            if name == "width":
                values["in_pixels"] = words[-1].startswith("p")
        elif label in light and numbers:
            light[label] = numbers[0]
        elif label in ("render mode", "shade mode") and words:
            shaded = words[0] in (_SHADED if label[0] == "r" else ("3", "6"))
        elif label == "line style" and words:
            values["in_pixels"] = words[0] == "pixel"
        elif label == "angle factor" and numbers and numbers[0]:
            values["angle"] = single(360.0 / numbers[0])
        elif label == "tropism direction" and len(numbers) >= 3:
            values["tropism"] = _direction(numbers)
        elif label in ("tropism", "torque"):
            tropisms.append(_tropism(match.group(2), label == "torque"))
        elif label in ("initial scale", "scale multiplier") and numbers and numbers[0]:
            values["scale" if label == "initial scale" else "scale_multiplier"] = numbers[0]
        elif label.startswith("interpretation past") and words:
            values["draws_past_cut"] = words[-1] != "off"
        elif label == "twist of cylinders" and words:
            values["tubes_twist"] = words[0].startswith("on")
        elif label == "environment display" and words:
            values["asks_before"] = words[0] == "before"
        elif label == "function" and words:
            file.functions.append((words[0], _samples(words, -1)))
        elif label == "curve" and words:
            file.curves.append((words[0], _samples(words, 100)))
        elif label == "contour" and len(words) > 1 and words[0].isdecimal():
            file.contours[int(words[0])] = words[1]
        elif label == "function set" and words:
            file.function_sets.append(words[0])
        elif label in ("surface", "tsurface", "line") and len(words) >= 3 and len(words[0]) == 1:
            size = float(words[2]) if _NUMBER.fullmatch(words[2]) else (numbers or [1.0])[-1]
            file.surfaces[words[0]] = (words[1], size if size > 0.0 else 1.0)
            # behind the numbers of pieces across and along, or alone
            texture = words[5] if len(words) > 5 else words[3] if len(words) == 4 and label == "surface" else ""
            if texture.isdecimal():
                surface_textures[words[0]] = int(texture)
        elif label == "texture" and words:
            textures.append(_texture(match.group(2)))
    if shaded:
        values["lit"] = light["surface ambient"] + _TOWARDS_LIGHT * light["surface diffuse"]
    file.view = View(
        **values, tropisms=tuple(tropisms), textures=tuple(textures), surface_textures=surface_textures
    )
    return file


def _texture(text: str) -> Texture:
    """A line such as ``F: leaf.rgb H: n L: n S:``, or the file's name alone."""
    parts = {match.group(1): match.group(2).strip() for match in re.finditer(r"\b([A-Z]):\s*([^\s:]*(?!\S*:))", text)}
    return Texture(parts.get("F") or text.split()[0], "S" in parts)


def _direction(numbers: list[float]) -> tuple[float, float, float]:
    """A unit vector, all in single precision as cpfg has it."""
    x, y, z = map(single, numbers[:3])
    square = single(single(single(x * x) + single(y * y)) + single(z * z))
    length = single(math.sqrt(square)) or 1.0
    return single(x / length), single(y / length), single(z / length)


def _tropism(text: str, twists: bool) -> Tropism:
    """A line such as ``T: 0,1,0 A: 90 E: 0.2``."""
    parts = {
        match.group(1): [float(number) for number in _NUMBER.findall(match.group(2))]
        for match in re.finditer(r"([A-Z]):([^A-Z]*)", text)
    }
    direction = parts.get("T", [])
    if len(direction) < 3:
        return Tropism((0.0, 0.0, 0.0))
    angle, elasticity, increment = ((parts.get(letter) or [0.0])[0] for letter in "AES")
    x, y, z = direction[:3]
    if length := math.sqrt(x * x + y * y + z * z):
        scale = 1.0 / length
        if intensity := parts.get("I"):
            # as cpfg bounds it: before it has the vector's own length
            scale = min(max(scale * intensity[0], -1.0), 1.0)
        x, y, z = x * scale, y * scale, z * scale
    return Tropism((x, y, z), angle, twists, elasticity, increment)


def _samples(words: list[str], default: int) -> int:
    return int(words[1]) if len(words) > 1 and words[1].isdecimal() else default
