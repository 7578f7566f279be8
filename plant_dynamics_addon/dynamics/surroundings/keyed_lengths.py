# SPDX-License-Identifier: GPL-3.0-or-later
"""What location and scale do to the bones of a plant: how long and thick they are, and where they sit."""

from typing import Any

import numpy as np

from ..rig.keyed.lengths import read_lengths
from .influence import Influence, Moment


class KeyedLengths(Influence):
    """Its keys and drivers are those of the object, which the moving base has asked for."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        plant, settings = moment.plant, moment.settings
        if not settings.follow_animation:
            return
        lengths = read_lengths(moment.obj, plant, moment.evaluated)
        if lengths.are_as_drawn and not plant.scaling.is_animated:
            return
        world["stretch"], world["shift"] = lengths.stretch, lengths.shift
        world["parents_scale"] = lengths.parents_scale
        if settings.lengths == "SCALE":
            world["thickness"] = lengths.thickness
        elif settings.lengths == "SECTION":
            world["thickness"] = np.ones_like(lengths.stretch)
