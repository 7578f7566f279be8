# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides: points of bones that are held at an object, and such as slide in a plane of one."""

from typing import Any

import bpy
from mathutils import Vector

from ..influence import Moment
from .guiding import FRICTION, HARDNESS, add, hold
from .load import AddButton, NewLoad
from .targeted import TARGET, Targeted

#: m: an Empty is at least so large.
_LEAST = 0.02

#: So much larger is one that stands for a plane.
_PANE = 5.0


def put_empty(
    new: NewLoad, name: str, shape: str, place: tuple[float, float, float] | None = None
) -> bpy.types.Object:
    """A new Empty, which is the load's target, at a place or where the bone's tip is seen."""
    empty = bpy.data.objects.new(f"{new.bone.name} {name}", None)
    empty.empty_display_type = shape
    empty.empty_display_size = max(_LEAST, 0.05 * max(new.obj.dimensions[:]))
    empty.location = new.shown() if place is None else place
    new.load.target = empty
    return empty


class Holds(Targeted):
    """A nail: the bone's point stays where an object is."""

    item = ("HOLD", "Held", "The bone is held at an object, and turns about it")
    icon = "PINNED"
    button = AddButton(
        "Hold", "Add an Empty at the active bone's tip (or the farthest tip) that holds it there, as a nail does, and "
        "takes it along where it moves"
    )  # fmt: skip
    properties = TARGET | HARDNESS

    def begin(self, new: NewLoad) -> None:
        put_empty(new, "Nail", "PLAIN_AXES")

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load, target in self.targets(moment):
            add(world, hold(moment, rod, load, "place", position=tuple(target.matrix_world.translation)))


class Planes(Targeted):
    """A pane: the bone's point slides in a plane."""

    item = ("PLANE", "In Plane", "The bone slides in the plane of an object's X and Y axes")
    icon = "MESH_PLANE"
    button = AddButton(
        "In Plane", "Add an Empty at the active bone's tip (or the farthest tip), in whose plane of X and Y it slides"
    )
    properties = TARGET | HARDNESS | FRICTION
    labels = {"target": "Plane of"}

    def begin(self, new: NewLoad) -> None:
        put_empty(new, "Plane", "IMAGE").empty_display_size *= _PANE

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load, target in self.targets(moment):
            place = target.matrix_world
            normal: tuple[float, ...] = tuple(place.to_3x3().inverted_safe().transposed() @ Vector((0.0, 0.0, 1.0)))
            held = {"position": tuple(place.translation), "normal": normal, "friction": load.friction}
            add(world, hold(moment, rod, load, "plane", **held))
