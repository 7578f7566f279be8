# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs outside of cpfg that its files let answer `?E`, and which environment of ours answers in their place.

No program is ever started. VLAB's honda81 is our `space`, with the same answers; those that compute light have ours,
whose numbers are others.
"""

import re
from collections.abc import Mapping

from ...environment.kinds import Environment
from ...environment.light import Light
from ...environment.space import Space

_POSITION = re.compile(r"^[ \t]*turtle position[ \t]*:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE)
_EXECUTABLE = re.compile(r"^[ \t]*executable[ \t]*:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE)
_FORMAT = re.compile(r"%(\.[0-9]{1,2})?([fg])")
_RADIUS = re.compile(r"^[ \t]*radius[ \t]*:[ \t]*([0-9.]+)", re.MULTILINE)
_SOLID = re.compile(r"^[ \t]*3d case[ \t]*:[ \t]*on", re.MULTILINE)
_LIGHT = ("chiba", "MonteCarlo", "QuasiMC", "shadowpyramid", "takenaka", "radiosity")
# its x, y and z are our x, z and -y
_AXES, _FLAT_AXES = (0, 2, 1), (0, 1)


def files_of(text: str) -> list[str]:
    """Words of the command in an environment file, of which some are files."""
    executable = _EXECUTABLE.search(text)
    return executable.group(1).split()[1:] if executable else []


def environment_of(text: str, files: Mapping[str, str]) -> tuple[Environment | None, str]:
    """What answers in place of the program of an environment file, and a note that says so."""
    executable = _EXECUTABLE.search(text)
    program = executable.group(1).split()[0].rpartition("/")[2] if executable and executable.group(1).split() else ""
    if program == "honda81":
        specification = "\n".join(files[name] for name in files_of(text) if name in files)
        return _space(text, specification), "'honda81' is not started; our environment 'space' answers as it does"
    if program in _LIGHT:
        return Light(cell=1.0), f"'{program}' is not started; our environment 'light' answers, with other numbers"
    return None, f"'{program}' is not started, and no environment of ours answers in its place; ?E is told nothing"


def _space(text: str, specification: str) -> Environment:
    radius = _RADIUS.search(specification)
    position = _POSITION.search(text)
    # coordinates that are not sent at all are not known there
    formats = tuple((places or "") + kind for places, kind in _FORMAT.findall(position.group(1) if position else ""))
    wide = float(radius.group(1)) if radius else 0.0
    if _SOLID.search(specification):
        return Space(wide, _AXES, formats[:3])
    return Space(wide, _FLAT_AXES, (*formats[:1], *formats[2:3]))
