# SPDX-License-Identifier: GPL-3.0-or-later
"""The plants of a simulation at rest: what each stands in, and where it starts."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .base.arrays import Floats
from .base.errors import SolverError, TooSoftError
from .contact.obstacles import Obstacles
from .contact.touch import Touch, Touching, touching_nothing, touching_of
from .forces.air_reader import wind_field_of
from .forces.force_field import force_field_of
from .forces.leaning import LEANS_ON_NOTHING, Leaning, leaning_on_nothing, leans, rest_on_pairs
from .forces.loads import STIFFNESS_SCALE, Loads
from .joints.reference import WEIGHED, held_stiffness
from .model.model import Bodies, Model
from .present import Present
from .settings import Settings
from .statics.equilibrium import Equilibrium, find_equilibrium
from .statics.held_shape import hold_shape
from .statics.nearing import is_alone
from .statics.settling import settle_in_fields, together
from .statics.tangent import StillWorld, joint_places
from .world.sample import ForceField, Sample, WindField

#: A plant that no step led anywhere stands rightly where so few iterations find an equilibrium so near, over its size.
_STANDS, _FEW = 1e-3, 200


#: Among colliders so many times as many iterations are taken: a tree that comes down on hundreds of points is caught by
#: one after the other. So where bodies are tied: a loop that hangs turns about itself, and next to nothing resists.
_AMONG = 4

#: Where blades rise in wind, so many iterations look for where they would be if they only dragged, and so many from
#: there for where they are. Leaves that flutter are nowhere at rest: they begin where they were dragged to.
_TO_DRAG, _TO_RISE = 800, 200


class Resting:
    """Plants side by side, one by one; those that go together and may touch each other as one."""

    def __init__(self, plants: Present, settings: Settings):
        self._plants, self._settings, models = plants, settings, plants.models
        plant = np.repeat(np.arange(len(models)), [model.body_count for model in models])
        parent = plants.model.bodies.parent
        self._parent = np.where(parent >= 0, parent, -1 - plant)
        self.first_body = np.cumsum([0] + [model.body_count for model in models])
        self._first_panel = np.cumsum([0] + [len(model.panels.rod) for model in models]).tolist()
        self._first_rod = np.cumsum([0] + [model.rod_count for model in models]).tolist()

    def bodies_of(self, plant: int) -> slice:
        """Those of a plant."""
        return slice(int(self.first_body[plant]), int(self.first_body[plant + 1]))

    def world(self, plant: int, loads: Loads, bases: Floats, touching: Touching) -> StillWorld:
        """What a plant stands in; bases (plants, 6, 4)."""
        panels = slice(self._first_panel[plant], self._first_panel[plant + 1])
        rods = slice(self._first_rod[plant], self._first_rod[plant + 1])
        own = loads.on(slice(plant, plant + 1), self.bodies_of(plant), panels, rods)
        leaning = _leaning_of_ties(own, self._plants.models[plant].body_count)
        return StillWorld(own, self._plants.models[plant].panels, bases[plant], touching, leaning)

    def start(
        self, modes: Sequence[str], sample: Sample, loads: Loads, bases: Floats, rest: Floats,
        q: Floats, touch: Touch, obstacles: Obstacles, leaning: Sequence[Leaning],
    ) -> Equilibrium:  # fmt: skip
        """Move q (n, 4), from the springs' rest (n, 4), to equilibrium on obstacles, of which touch has the points
        then, or that rest to keep the shape, as the modes of Simulation.start are for each plant.

        leaning: the pairs of each plant; where there is one of several plants, they go together and have one mode.
        Returns how it went, see Simulation.start, which raises what this raises.
        """
        found, models, joined = [], self._plants.models, self._plants.model
        for p, model in enumerate(models if len(leaning) == len(models) else [joined]):
            if modes[p] != "drawn":
                leans_on = leaning[p]
                is_alone = len(obstacles.kind) == 0 and not leans(leans_on)
                touching = touching_nothing() if is_alone else touching_of(touch, p, obstacles)
                if model is joined and len(models) > 1:
                    bodies, world = slice(0, len(q)), self._world_of_all(loads, bases, touching)
                    own = model.bodies._replace(rest=rest, parent=self._parent)
                else:
                    bodies, world = self.bodies_of(p), self.world(p, loads, bases, touching)
                    own = model.bodies._replace(rest=rest[bodies])
                if modes[p] == "settled" and len(world.loads.follow):
                    weighed, scale = world.loads.path[:, WEIGHED:], float(world.loads.shared[0, STIFFNESS_SCALE])
                    own = own._replace(stiffness=held_stiffness(own, world.loads.follow, weighed, scale))
                if leans(leans_on):
                    world = world._replace(leaning=leans_on)
                stands_in = sample if model is joined and len(models) > 1 else _of_plant(sample, p)
                found.append(self._start_one(modes[p], stands_in, model, self._first_rod[p], own, q[bodies], world))
                rest_on_pairs(world.leaning.pairs, world.touching.shapes.landing)
                loads.hold_as(world.loads, bodies)
        return together(found)

    def _world_of_all(self, loads: Loads, bases: Floats, touching: Touching) -> StillWorld:
        """What plants that go together stand in."""
        joined = self._plants.model
        ends = joined.body_count, len(joined.panels.rod), joined.rod_count
        own = loads.on(slice(0, 1), *(slice(0, end) for end in ends))
        leaning = _leaning_of_ties(own, joined.body_count)
        return StillWorld(own, joined.panels, np.ascontiguousarray(bases).reshape(-1, 4), touching, leaning)

    def _start_one(
        self, mode: str, sample: Sample, model: Model, first_rod: int, own: Bodies, q: Floats, world: StillWorld
    ) -> Equilibrium:
        time = 0.0 if sample.time is None else float(sample.time)
        if mode == "settled":
            result = self._settle(own, q, world, wind_field_of(sample, time), force_field_of(sample, time, model))
        else:
            soft, result = hold_shape(own, q, world)
            if soft >= 0:
                raise TooSoftError(first_rod + int(model.body_rod[soft]))
        return result if result.rod < 0 else result._replace(rod=first_rod + int(model.body_rod[result.rod]))

    def _settle(
        self, bodies: Bodies, q: Floats, world: StillWorld, wind: WindField | None, force: ForceField | None
    ) -> Equilibrium:
        tolerance, most = self._settings.settle_tolerance, self._settings.settle_iterations
        if not is_alone(world) or len(world.loads.ties.body):
            most *= _AMONG

        def settle(world: StillWorld, most: int) -> Equilibrium:
            if wind is None and force is None:
                return find_equilibrium(bodies, q, world, tolerance, most)
            return settle_in_fields(bodies, q, world, wind, force, tolerance, most)

        drawn = q.copy()
        blows = wind is not None or bool(world.loads.air.any())
        rises = blows and bool(world.panels.plate.any())
        result = settle(_only_dragged(world), min(most, _TO_DRAG)) if rises else settle(world, most)
        if rises and np.isfinite(result.residual):
            dragged = q.copy()
            risen = settle(world, _TO_RISE)
            if not (risen.balanced or result.balanced or is_alone(world)):  # it is still coming down on what it touches
                q[:] = dragged
                result = settle(_only_dragged(world), most)
                dragged, risen = q.copy(), settle(world, _TO_RISE)
            if risen.balanced:
                result = risen._replace(iterations=result.iterations + risen.iterations)
            else:
                q[:], result = dragged, result._replace(stable=False, sways=True)
        if not result.balanced and world.loads.air.any():  # it sways, from where it would hang in still air
            blown, q[:] = q.copy(), drawn
            calm = find_equilibrium(bodies, q, _in_still_air(world), tolerance, most)
            if calm.balanced:
                result = calm._replace(iterations=result.iterations + calm.iterations, stable=False, sways=True)
            else:
                q[:] = blown
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


def _of_plant(sample: Sample, p: int) -> Sample:
    """The sample with the fields of plant p, where plants have their own."""
    own = {name: getattr(sample, name) for name in ("wind", "force_field")}
    return replace(sample, **{name: getattr(one, "of_plant", lambda _, one=one: one)(p) for name, one in own.items()})


def _in_still_air(world: StillWorld) -> StillWorld:
    """The same without wind."""
    return world._replace(loads=world.loads._replace(air=np.zeros_like(world.loads.air)))


def _only_dragged(world: StillWorld) -> StillWorld:
    """The same with blades that only drag."""
    none = np.zeros_like(world.panels.plate)
    return world._replace(panels=world.panels._replace(plate=none, shift=none))


def _leaning_of_ties(loads: Loads, bodies: int) -> Leaning:
    """Room for what ties of so many bodies do to each other; none where nothing is tied."""
    return leaning_on_nothing(bodies) if len(loads.ties.body) else LEANS_ON_NOTHING
