# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides: points of bones that slide on a curve, or go along it as it is keyed."""

from typing import Any

import bpy
import numpy as np
from bpy.props import BoolProperty, FloatProperty

from .....solver import Curve
from ...rig.plant import Plant
from ...solids.wires import had_no_length, wire_of
from ..influence import Moment
from .bone_choice import nearest_bone
from .guiding import FRICTION, HARDNESS, add, hold
from .load import AddButton, NewLoad
from .targeted import TARGET, Targeted

#: A new wire is so long over the way from the root to the bone's tip, and has so many points.
_LENGTH, _POINTS = 0.5, 5


class Wires(Targeted):
    """A wire: the bone's point stays on a curve."""

    item = ("WIRE", "On Wire", "The bone slides on a curve, to where that ends, or goes along it as it is keyed")
    icon = "CURVE_DATA"
    button = AddButton(
        "On Wire", "Let the active bone's tip (or the nearest tip) slide on the selected curve, or on a new one there"
    )
    properties = TARGET | {
        "holds_parameter": BoolProperty(
            name="Hold Parameter",
            description="Hold the bone where Parameter says along the curve, so that keys of it lead the bone",
        ),
        "parameter": FloatProperty(
            name="Parameter",
            description="Where on the curve, as a share of its length: 0 at its beginning, 1 at its end",
            default=0.0, min=0.0, max=1.0, subtype="FACTOR", precision=4,
        ),
    } | FRICTION | HARDNESS  # fmt: skip
    labels = {"target": "Curve"}

    def bone_of(self, obj: bpy.types.Object, plant: Plant) -> bpy.types.Bone:
        """The one whose tip is nearest to the selected curve, if there is one."""
        chosen = _selected()
        curve = wire_of(chosen.evaluated_get(bpy.context.evaluated_depsgraph_get())) if chosen else None
        return super().bone_of(obj, plant) if curve is None else nearest_bone(obj, plant, curve)

    def begin(self, new: NewLoad) -> None:
        new.load.target = _selected() or _new_wire(new)

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load, target in self.targets(moment):
            curve = moment.once(wire_of, target)
            if curve is None:
                continue
            if load.holds_parameter:
                place = tuple(_point_at(curve, load.parameter))
                add(world, hold(moment, rod, load, "place", position=place))
            else:
                add(world, hold(moment, rod, load, "curve", curve=curve, friction=load.friction))

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        if item.bone and item.target is not None and item.target.type != "CURVE":
            return "The object is not a curve"
        if item.bone and item.target is not None and had_no_length(item.target):
            return "The curve has no length: nothing holds the bone"
        return super().why_idle(item, settings, scene)


def _selected() -> bpy.types.Object | None:
    return next((one for one in bpy.context.selected_objects if one.type == "CURVE"), None)


def _point_at(curve: Curve, share: float) -> np.ndarray:
    """Where on the line through a curve's points a share of its length has gone by."""
    points = np.asarray(curve.points)
    ring = np.concatenate([points, points[:1]]) if curve.closed else points
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(ring, axis=0), axis=1))])
    return np.array([np.interp(share * gone[-1], gone, ring[:, axis]) for axis in range(3)])


def _new_wire(new: NewLoad) -> bpy.types.Object:
    """A straight level curve through the bone's tip, across the way to it from above."""
    data = bpy.data.curves.new(f"{new.bone.name} Wire", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(_POINTS - 1)
    length = _LENGTH * new.plant.reach(new.rod)
    for point, x in zip(spline.bezier_points, np.linspace(-0.5, 0.5, _POINTS) * length, strict=True):
        point.co = (float(x), 0.0, 0.0)
        point.handle_left_type = point.handle_right_type = "AUTO"
    wire = bpy.data.objects.new(data.name, data)
    wire.location = new.shown()
    return wire
