# SPDX-License-Identifier: GPL-3.0-or-later
"""Lift: a bone and all that it bears are carried by a share of their weight, as water plants full of gas are."""

from typing import Any

import numpy as np
from bpy.props import FloatProperty

from ..influence import Moment
from .load import AddButton, Load


class Lifts(Load):
    """Added up where several act on a bone."""

    item = ("LIFT", "Lift", "Carries the bone, and all that grows from it, by a share of their weight")
    icon = "SORT_DESC"
    button = AddButton(
        "Lift", "Carry the active bone (or the one at the plant's farthest tip), and all that grows from it, by their "
        "weight"
    )  # fmt: skip
    properties = {
        "lift": FloatProperty(
            name="Lift",
            description="Share of the weight that is carried: 1 lets it float, 2 draws it up as strongly as its weight "
            "draws it down",
            default=1.0, soft_min=0.0, soft_max=2.0, min=-1e3, max=1e3, precision=3,
        ),
    }  # fmt: skip

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load in self.acting(moment):
            if load.influence:
                lift = world.setdefault("lift", np.zeros(moment.plant.model.rod_count))
                lift[moment.plant.beyond(rod)] += load.lift * load.influence
