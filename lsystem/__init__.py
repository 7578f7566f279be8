# SPDX-License-Identifier: GPL-3.0-or-later
"""L-systems: text -> grammar -> module string -> skeleton. Pure Python and NumPy."""

from .articulated import ArticulatedBodies, is_articulated, read_articulated
from .articulated_geometry import articulated_skeleton, body_frames
from .derivation import Limits, derive
from .errors import LSystemError
from .grammar import Grammar, Material, Module, Production, modules_text
from .growth import grow
from .organs import ORGANS
from .parser import parse, parse_modules
from .preset_files import Preset, presets
from .skeleton import Skeleton
from .turtle import interpret

__all__ = [
    "ORGANS",
    "ArticulatedBodies",
    "Grammar",
    "LSystemError",
    "Limits",
    "Material",
    "Module",
    "Preset",
    "Production",
    "Skeleton",
    "articulated_skeleton",
    "body_frames",
    "derive",
    "grow",
    "interpret",
    "is_articulated",
    "modules_text",
    "parse",
    "parse_modules",
    "presets",
    "read_articulated",
]
