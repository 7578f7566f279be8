# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs outside of cpfg that its files let answer `?E`, and which environment of ours answers in their place.

No program is ever started. VLAB's honda81 is our `space`, its clover our light on the ground and its ecosystem our
competition of whole plants, with the same answers; those that compute light above have ours, whose numbers are others.
"""

import re
from collections.abc import Mapping

import numpy as np

from ...environment.ground_light import GroundLight
from ...environment.kinds import Environment
from ...environment.light import Light
from ...environment.rivals import Rivals
from ...environment.space import Space
from .images import MOST, read_image
from .numbers import LARGEST

_POSITION = re.compile(r"^[ \t]*turtle position[ \t]*:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE)
_EXECUTABLE = re.compile(r"^[ \t]*executable[ \t]*:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE)
_FORMAT = re.compile(r"%(\.[0-9]{1,2})?([fg])")
_RADIUS = re.compile(r"^[ \t]*radius[ \t]*:[ \t]*([0-9.]+)", re.MULTILINE)
_IMAGE = re.compile(r"^[ \t]*input image[ \t]*:[ \t]*(\S+)", re.MULTILINE)
_NUMBERS = "[ \t:]*(-?[0-9.]+)[x,; \t]+(-?[0-9.]+)"
_SOLID = re.compile(r"^[ \t]*3d case[ \t]*:[ \t]*on", re.MULTILINE)
_LIGHT = ("chiba", "MonteCarlo", "QuasiMC", "shadowpyramid", "takenaka", "radiosity")
# its x, y and z are our x, z and -y
_AXES, _FLAT_AXES = (0, 2, 1), (0, 1)


def image_of(specification: str) -> str:
    """The name of the image that a specification has the ground's light from, "" without one."""
    match = _IMAGE.search(specification)
    return match.group(1) if match else ""


def files_of(text: str) -> list[str]:
    """Words of the command in an environment file, of which some are files."""
    executable = _EXECUTABLE.search(text)
    return executable.group(1).split()[1:] if executable else []


def environment_of(text: str, files: Mapping[str, str]) -> tuple[Environment | None, str]:
    """What answers in place of the program of an environment file, and a note that says so."""
    executable = _EXECUTABLE.search(text)
    program = executable.group(1).split()[0].rpartition("/")[2] if executable and executable.group(1).split() else ""
    specification = "\n".join(files[name] for name in files_of(text) if name in files)
    if program == "clover" and (ground := _ground(text, specification, files)) is not None:
        return ground, "'clover' is not started; our light on the ground answers as it does"
    if program == "ecosystem" and re.search(r"^[ \t]*vigor[ \t]*:[ \t]*on", specification, re.MULTILINE) is None:
        return _rivals(text, specification), "'ecosystem' is not started; our competition of plants answers as it does"
    if program == "honda81":
        return _space(text, specification), "'honda81' is not started; our environment 'space' answers as it does"
    if program in _LIGHT:
        return Light(cell=1.0), f"'{program}' is not started; our environment 'light' answers, with other numbers"
    return None, f"'{program}' is not started, and no environment of ours answers in its place; ?E is told nothing"


def _formats(text: str) -> tuple[str, ...]:
    """How the coordinates of the turtle are sent."""
    position = _POSITION.search(text)
    return tuple((places or "") + kind for places, kind in _FORMAT.findall(position.group(1) if position else ""))


def _rivals(text: str, specification: str) -> Rivals:
    formats = _formats(text)
    if re.search(r"^[ \t]*3[dD] case[ \t]*:[ \t]*(on|yes)\b", specification, re.MULTILINE):
        return Rivals(_AXES, formats[:3])
    return Rivals(_FLAT_AXES, (*formats[:1], *formats[2:3]))


def _space(text: str, specification: str) -> Environment:
    radius = _RADIUS.search(specification)
    # coordinates that are not sent at all are not known there
    formats = _formats(text)
    wide = _number(radius.group(1)) if radius else 0.0
    if _SOLID.search(specification):
        return Space(wide, _AXES, formats[:3])
    return Space(wide, _FLAT_AXES, (*formats[:1], *formats[2:3]))


def _ground(text: str, specification: str, files: Mapping[str, str]) -> GroundLight | None:
    """Of a specification's `grid size`, `range` and `position`, and the image that it names; full light without one."""
    pairs = [re.search(rf"^[ \t]*grid {word}{_NUMBERS}", specification, re.MULTILINE)
             for word in ("size", "range", "position")]  # fmt: skip
    numbers = [(_number(pair.group(1)), _number(pair.group(2))) for pair in pairs if pair]
    if len(numbers) < 3:
        return None
    (wide, high), size, corner = numbers
    columns, rows = int(wide), int(high)
    if not (1 < columns <= MOST and 1 < rows <= MOST and min(size) > 0.0):
        return None
    name = image_of(specification)
    light, richness = np.full((rows, columns), 255, dtype=np.uint8), np.zeros((rows, columns), dtype=np.uint8)
    if name in files:
        pixels = read_image(files[name], name)
        row, column = (
            (np.arange(count, dtype=np.float32) * (np.float32(there - 1) / np.float32(count - 1))).astype(np.int64)
            for there, count in zip(pixels.shape[1:], (rows, columns), strict=True)
        )
        richness, light = pixels[:, row][:, :, column]
    through = re.search(r"^[ \t]*transmittance[ \t]*:[ \t]*([0-9.]+)", specification, re.MULTILINE)
    share = min(_number(through.group(1)), 1.0) if through else 0.6
    axes = (0, 1) if re.search(r"^[ \t]*z is up[ \t]*:[ \t]*(no|off)", specification, re.MULTILINE) else (0, 2)
    forgets = re.search(r"^[ \t]*remove old leaves[ \t]*:[ \t]*on", specification, re.MULTILINE) is not None
    form = next(iter(_formats(text)), "g")
    return GroundLight(corner, size, light, richness, share or 1e-4, axes, form, forgets)


def _number(word: str) -> float:
    match = re.match(r"-?[0-9]+\.?[0-9]*|-?\.[0-9]+", word)
    return min(max(float(match.group()), -LARGEST), LARGEST) if match else 0.0
