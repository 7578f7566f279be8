# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the things stand that a plant moves, as long as they are held, and whether they are."""

from typing import Any

import bpy

from ....solver import rotations
from ...blender.evaluation_cache import EvaluationCache
from ...blender.moving_data import is_animated
from ...errors import PlantError
from ..rig.moved import things_of
from ..rig.thing_channels import at_rest, objects_of
from .influence import Influence, Moment
from .samples import ThingAt


class MovedThings(Influence):
    """Positions and orientations of the bodies' bases: where they are by their own animation or were before Play."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        found = []
        for thing, obj in zip(moment.plant.things, objects_of(moment.obj, moment.plant.things), strict=True):
            if obj is None:
                raise PlantError("'{thing}', which the plant moves, is gone. Press Play again", thing=thing.name)
            evaluated = obj.evaluated_get(moment.depsgraph)
            place, channel = at_rest(obj, evaluated)
            turned = rotations.multiply(channel, rotations.conjugate(thing.to_channel))
            held = bool(evaluated.plant_dynamics.thing.is_held)
            found.append(ThingAt(tuple(place.tolist()), tuple(turned.tolist()), held))
        if found:
            world["things"] = tuple(found)

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return any(is_animated(obj) for obj in things_of(plant))
