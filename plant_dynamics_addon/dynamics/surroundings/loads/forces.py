# SPDX-License-Identifier: GPL-3.0-or-later
"""Constant forces, in world directions, on the middle of bones."""

from typing import Any

import numpy as np
from bpy.props import FloatVectorProperty

from ..influence import Moment
from .load import AddButton, Load, NewLoad

#: A new force would bend the way from the base to the bone's tip by this share of its length, were it straight.
_SEEN = 0.2


class ConstantForces(Load):
    """Added up where several act on a bone."""

    item = ("FORCE", "Force", "A constant force, in world directions, on the middle of the bone")
    icon = "FORCE_FORCE"
    button = AddButton(
        "Force", "Add a force on the active bone (or on the one at the plant's farthest tip), strong enough to be seen"
    )
    properties = {
        "force": FloatVectorProperty(
            name="Force (N)",
            description="Force on the bone along the world's axes",
            size=3, default=(0.1, 0.0, 0.0), min=-1e9, max=1e9, subtype="XYZ", precision=3,
        ),
    }  # fmt: skip

    def begin(self, new: NewLoad) -> None:
        compliance = new.plant.compliance_at(new.rod)
        if compliance > 0.0:
            new.load.force = (_SEEN * new.plant.reach(new.rod) / compliance, 0.0, 0.0)

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load in self.acting(moment):
            if load.influence:
                force = world.setdefault("force", np.zeros((moment.plant.model.rod_count, 3)))
                force[rod] += np.array(load.force) * load.influence
