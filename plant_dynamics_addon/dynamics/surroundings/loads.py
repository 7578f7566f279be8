# SPDX-License-Identifier: GPL-3.0-or-later
"""The plant's list of loads, of which each kind is an influence: forces on bones and twists."""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np

from ...errors import Fix, PlantError
from .influence import Influence, Moment


class Load(Influence):
    """The loads of one kind. icon and values (properties) are what the panel shows of them."""

    kind: str
    icon: str
    values: tuple[str, ...]

    def acting(self, moment: Moment) -> Iterator[tuple[int, bpy.types.PropertyGroup]]:
        """The loads of this kind with their rods. Raises PlantError for a bone that is not there."""
        for load in moment.settings.loads:
            if load.kind == self.kind and load.bone:
                try:
                    rod = moment.plant.rod_of(load.bone)
                except PlantError as error:
                    raise PlantError(str(error), Fix("LOST_LOAD", moment.obj.session_uid)) from None
                yield rod, load

    def why_idle(self, load: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        """Why the load has no effect, or an empty string."""
        return "" if load.bone else "No bone is chosen to act on"


class Forces(Load):
    """Constant forces, in world directions, on the middle of bones."""

    kind, icon, values = "FORCE", "FORCE_FORCE", ("force",)

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load in self.acting(moment):
            if load.influence:
                force = world.setdefault("force", np.zeros((moment.plant.model.rod_count, 3)))
                force[rod] += np.array(load.force) * load.influence


class Twists(Load):
    """Torques about their own axis on every bone from the root to the one that is named."""

    kind, icon, values = "TWIST", "FORCE_VORTEX", ("torque",)

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load in self.acting(moment):
            if load.influence:
                twist = world.setdefault("twist", np.zeros(moment.plant.model.rod_count))
                twist[moment.plant.chain(rod)] += load.torque * load.influence
