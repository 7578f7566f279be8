# SPDX-License-Identifier: GPL-3.0-or-later
"""L-systems: text -> grammar -> module string -> skeleton. Pure Python and NumPy."""

from .articulated.bodies import ArticulatedBodies, is_articulated, read_articulated
from .articulated.geometry import articulated_skeleton, body_frames
from .base.between_steps import Derived
from .base.errors import LSystemError
from .base.module_string import Module, ModuleString, modules_text
from .base.organs import ORGANS
from .base.skeleton import Polygon, Skeleton
from .blade_rods import blades_in_few_rods, blades_of_tubes
from .derivation.derivation import derive, derive_at, derive_between
from .derivation.limits import Limits
from .divided_leaves import divided_leaves, undivided_leaves
from .drawing import draw, grow, nothing_drawn
from .environment.solids.solids import Solid, Solids
from .language.beside.kinds import Colour as NumberedColour
from .language.grammar import Constant, Grammar, Production
from .language.parser import parse, parse_modules
from .lstudio_folders import beside, headings, object_name, objects_in
from .lstudio_objects import LStudioObject, open_object
from .preset_files import Preset, presets
from .turtle.turtle import interpret, interpret_between

__all__ = [
    "ORGANS",
    "ArticulatedBodies",
    "Constant",
    "Derived",
    "Grammar",
    "LStudioObject",
    "LSystemError",
    "Limits",
    "Module",
    "ModuleString",
    "NumberedColour",
    "Polygon",
    "Preset",
    "Production",
    "Skeleton",
    "Solid",
    "Solids",
    "articulated_skeleton",
    "beside",
    "blades_in_few_rods",
    "blades_of_tubes",
    "body_frames",
    "derive",
    "derive_at",
    "derive_between",
    "divided_leaves",
    "draw",
    "grow",
    "headings",
    "interpret",
    "interpret_between",
    "is_articulated",
    "modules_text",
    "nothing_drawn",
    "object_name",
    "objects_in",
    "open_object",
    "parse",
    "parse_modules",
    "presets",
    "read_articulated",
    "undivided_leaves",
]
