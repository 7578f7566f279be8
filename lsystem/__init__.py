# SPDX-License-Identifier: GPL-3.0-or-later
"""L-systems: text -> grammar -> module string -> skeleton. Pure Python and NumPy."""

from .derivation import Limits, derive
from .errors import LSystemError
from .grammar import Grammar, Material, Module, Production
from .growth import grow
from .organs import ORGANS
from .parser import parse, parse_modules
from .preset_files import Preset, presets
from .skeleton import Skeleton
from .turtle import interpret

__all__ = [
    "ORGANS",
    "Grammar",
    "LSystemError",
    "Limits",
    "Material",
    "Module",
    "Preset",
    "Production",
    "Skeleton",
    "derive",
    "grow",
    "interpret",
    "parse",
    "parse_modules",
    "presets",
]
