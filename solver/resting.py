# SPDX-License-Identifier: GPL-3.0-or-later
"""The plants of a simulation at rest: what each stands in, and where it starts."""

from collections.abc import Sequence

import numpy as np

from .base.arrays import Floats
from .base.errors import SolverError
from .contact.obstacles import Obstacles
from .contact.touch import Touch, Touching, touching_nothing, touching_of
from .forces.air import wind_field_of
from .forces.force_field import force_field_of
from .forces.loads import Loads
from .model.model import Bodies, Model
from .settings import Settings
from .statics.equilibrium import Equilibrium, find_equilibrium
from .statics.held_shape import hold_shape
from .statics.settling import settle_in_fields, together
from .statics.tangent import StillWorld, joint_places
from .world.sample import ForceField, Sample, WindField

#: A plant that no step led anywhere stands rightly where so few iterations find an equilibrium so near, over its size.
_STANDS, _FEW = 1e-3, 200


#: Among colliders so many times as many iterations are taken: a tree that comes down on hundreds of points is caught by
#: one after the other.
_AMONG = 4


class Resting:
    """Plants side by side, one by one."""

    def __init__(self, models: Sequence[Model], settings: Settings):
        self._models, self._settings = models, settings
        self.first_body = np.cumsum([0] + [model.body_count for model in models])
        self._first_panel = np.cumsum([0] + [len(model.panels.rod) for model in models]).tolist()
        self._first_rod = np.cumsum([0] + [model.rod_count for model in models]).tolist()

    def bodies_of(self, plant: int) -> slice:
        """Those of a plant."""
        return slice(int(self.first_body[plant]), int(self.first_body[plant + 1]))

    def world(self, plant: int, loads: Loads, bases: Floats, touching: Touching) -> StillWorld:
        """What a plant stands in; bases (plants, 6, 4)."""
        panels = slice(self._first_panel[plant], self._first_panel[plant + 1])
        own = loads.on(slice(plant, plant + 1), self.bodies_of(plant), panels)
        return StillWorld(own, self._models[plant].panels, bases[plant], touching)

    def start(
        self, modes: Sequence[str], sample: Sample, loads: Loads, bases: Floats, rest: Floats,
        q: Floats, touch: Touch, obstacles: Obstacles,
    ) -> Equilibrium:  # fmt: skip
        """Move q (n, 4), from the springs' rest (n, 4), to equilibrium on obstacles, of which touch has the points
        then, or that rest to keep the shape, as the modes of Simulation.start are for each plant.

        Returns how it went, see Simulation.start, which raises what this raises.
        """
        time = 0.0 if sample.time is None else float(sample.time)
        wind, found = wind_field_of(sample, time), []
        for p, model in enumerate(self._models):
            bodies = self.bodies_of(p)
            touching = touching_of(touch, p, obstacles) if len(obstacles.kind) else touching_nothing()
            own, world = model.bodies._replace(rest=rest[bodies]), self.world(p, loads, bases, touching)
            if modes[p] == "drawn":
                continue
            if modes[p] == "settled":
                force = force_field_of(sample, time, model)
                result = self._settle(own, q[bodies], world, wind, force)
            else:
                soft, result = hold_shape(own, q[bodies], world)
                if soft >= 0:
                    raise SolverError(
                        "it is too soft to hold the drawn shape; make it stiffer or thicker, or start settled",
                        self._first_rod[p] + int(model.body_rod[soft]),
                    )
            if result.rod >= 0:
                result = result._replace(rod=self._first_rod[p] + int(model.body_rod[result.rod]))
            found.append(result)
        return together(found)

    def _settle(
        self, bodies: Bodies, q: Floats, world: StillWorld, wind: WindField | None, force: ForceField | None
    ) -> Equilibrium:
        tolerance, most = self._settings.settle_tolerance, self._settings.settle_iterations
        if len(world.touching.obstacles.kind) > 0:
            most *= _AMONG
        if wind is None and force is None:
            result = find_equilibrium(bodies, q, world, tolerance, most)
        else:
            result = settle_in_fields(bodies, q, world, wind, force, tolerance, most)
        if not np.isfinite(result.residual):
            raise SolverError("no equilibrium was found: the loads are too large for these springs")
        return result

    def stands_rightly(self, bodies: Bodies, q: Floats, world: StillWorld, size: float) -> bool:
        """Whether an equilibrium is so near that nobody sees that the plant, of this size (m), does not go there. A
        thread may turn about itself on the way."""
        here = joint_places(bodies, q, world)
        near = find_equilibrium(bodies, q, world, self._settings.settle_tolerance, _FEW)
        away = float(np.abs(joint_places(bodies, q, world) - here).max())
        return near.balanced and away <= _STANDS * size
