# SPDX-License-Identifier: GPL-3.0-or-later
"""What loads share that hold points of bones as hard as one likes: guides."""

import math
from dataclasses import dataclass
from typing import Any

import bpy
from bpy.props import FloatProperty

from .....solver import Guide
from ..influence import Moment

#: How hard all guides hold, so that it is declared once.
HARDNESS = {
    "softness": FloatProperty(
        name="Softness",
        description="0 holds the bone exactly. Higher values let it give way, as a string of rubber does: with 1 by "
        "about a tenth of what its own springs would",
        default=0.0, min=0.0, soft_max=10.0, max=1e6, precision=3,
    ),
    "largest_force": FloatProperty(
        name="Largest Force (N)",
        description="More force the guide does not give, but lets the bone go on. 0: no limit",
        default=0.0, min=0.0, soft_max=100.0, max=1e9, precision=3,
    ),
}  # fmt: skip

FRICTION = {
    "friction": FloatProperty(
        name="Friction",
        description="How much the bone rubs where it slides: 0 not at all, 1 as much as it is pressed on",
        default=0.0, min=0.0, soft_max=1.0, max=1e3, precision=3,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class NamedGuide(Guide):
    """A guide that is told of. holder: see holder_of; is_limited: whether the user says how much force it gives."""

    holder: str = ""
    is_limited: bool = False


def hold(moment: Moment, rod: int, load: bpy.types.PropertyGroup, by: str, **held: Any) -> Guide | None:
    """The guide of a load; None where it has no influence. With less than all of it the guide is the softer."""
    if load.influence <= 0.0:
        return None
    gives = load.softness + (1.0 - load.influence) / load.influence
    stiffness = moment.plant.handle_stiffness(rod) / gives if gives > 0.0 else math.inf
    largest = load.largest_force if load.largest_force > 0.0 else math.inf
    limited = math.isfinite(largest)
    return NamedGuide(
        rod, load.along, by, stiffness=stiffness, largest=largest, holder=holder_of(load), is_limited=limited, **held
    )


def holder_of(load: bpy.types.PropertyGroup) -> str:
    """What holds by a load, as it is told of: an object, a bone, or that of another object."""
    if load.target is not None and load.kind != "TIE":
        return str(load.target.name)
    return f"{load.other_object.name}: {load.other_bone}" if load.other_object else str(load.other_bone)


def add(world: dict[str, Any], guide: Guide | None) -> None:
    """Add it to a Sample's fields."""
    if guide is not None:
        world.setdefault("guides", []).append(guide)
