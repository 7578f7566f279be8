# SPDX-License-Identifier: GPL-3.0-or-later
"""Random plants among random things of all kinds: meshes, what turns, grows, deforms and sticks, other plants, bodies.

    python -m tests.surveys.touching_things 10000        this many, from the first
    python -m tests.surveys.touching_things --only 1234  one again

Every case is made from its number alone. What touching_plants.py asks for is asked for here, and: no point of a rod has
gone through a collider (see passing.py), and in the end nothing is inside another plant or a free body by more than
half a radius that had not begun so. Nothing is asked of a collider that overlapped the plant when it came, that has
gone over a base or a joint on it, which cannot give way, that draws away from its base what is stretched to its whole
length, which cannot either, or of which one-sided faces were met from behind: they push that out in front; nor of a rod
that two colliders together left less room than it is thick; and where that left so little that its middle line is
inside one of them, or through, it is held there as at a second base: nothing is asked of this collider, nor how deep
the rest of its plant, which it draws along, is in others. Of a collider that comes over a body that is still held
nothing is asked for the body, nor of one that the foot of a rod is in as it comes off.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver import STOPPED, Collider, Model, Rods, Sample, Settings, Simulation, discretize, rotations
from tests.oracles.touching.depth import distance_from, held, inside, segments
from tests.oracles.touching.passing import Passing, own_axes
from tests.oracles.touching.triangles import from_segments
from tests.surveys.random_things import Body, Thing, random_body, random_thing
from tests.surveys.touching_plants import BURIED, CALM, FRAME, MOVING, ROUNDING, SQUEEZED, main, plant_of

SEED = 20261125

#: What is pushed so much away from its base, as cosine, can only give way by what it lacks of its whole length.
OUTWARDS = 0.9

#: So many points of a shape are followed.
ALONG = 6

#: A frame's steps; they are frames of their own where ways are followed step by step.
STEPS = 5


@dataclass(frozen=True)
class Scene:
    plants: list[Rods]
    bases: np.ndarray
    things: list[Thing]
    body: Body | None
    still: bool
    appears: int
    vanishes: int
    itself: bool
    parting_speed: float
    steps_seen: bool

    def __str__(self) -> str:
        words = ["still"] * self.still + ["itself"] * self.itself + ["two plants"] * (len(self.plants) > 1)
        words += [f"free {self.body.shape.kind}"] if self.body is not None else []
        words += ["step by step"] * self.steps_seen + ["parting"] * (self.parting_speed > 0.0)
        for name, is_so in (("sticky", self.of("stickiness") > 0.0), ("breaking", self.of("strength") < np.inf)):
            words += [name] * bool(is_so.any())
        return "; ".join([" ".join(words), *map(str, self.things)])

    def of(self, name: str) -> np.ndarray:
        return np.concatenate([rods.array(name) for rods in self.plants])

    def colliders(self, frame: float) -> list[Collider]:
        here = self.still or self.appears <= frame <= self.vanishes
        return [one.at(min(1.0, frame / MOVING)) for one in (self.things if here else self.things[1:])]

    def sample(self, frame: float) -> Sample:
        cut = None
        if self.body is not None:
            cut = np.append(np.zeros(len(self.of("length"))), float(frame >= self.body.released))
        return Sample(
            self.bases[0] if len(self.bases) == 1 else self.bases, colliders=self.colliders(frame), cut=cut,
            touches_itself=self.itself, touches_others=len(self.bases) > 1, parting_speed=self.parting_speed,
        )  # fmt: skip

    def models(self) -> list[Model]:
        return [discretize(rods) for rods in self.plants] + ([self.body.model] if self.body else [])


def random_scene(case: int) -> Scene:
    rng = np.random.default_rng([SEED, case])
    still, company = bool(rng.random() < 0.3), int(rng.integers(4))
    plants, bases = [_random_plant(rng)], [np.zeros(3)]
    if company == 1:
        plants.append(_random_plant(rng))
        bases.append(rng.uniform(-0.3, 0.3, 3))
    body = random_body(rng) if company == 2 else None
    if body is not None:
        bases.append(body.place)
    ends = plants[0].array("head") + rotations.rotate(
        plants[0].array("frame"), plants[0].array("length")[:, None] * np.array([[0.0, 1.0, 0.0]])
    )
    aims = ends[rng.integers(len(ends), size=int(rng.integers(1, 4)))]
    return Scene(
        plants, np.array(bases), [random_thing(rng, str(k), still, aim) for k, aim in enumerate(aims)], body,
        still, int(rng.integers(0, 4)), int(rng.integers(3, 60)), bool(rng.random() < 0.3),
        float(rng.choice([0.0, 0.0, 0.5])) * (not still), bool(rng.random() < 0.5),
    )  # fmt: skip


def _random_plant(rng: np.random.Generator) -> Rods:
    rods = plant_of(rng)
    more = {}
    if rng.random() < 0.2:
        more["stickiness"] = np.full(len(rods), 10.0 ** rng.uniform(-3.0, 0.0))
    if rng.random() < 0.2:
        more |= {"strength": np.full(len(rods), 10.0 ** rng.uniform(4.5, 7.5)), "fibres": rng.choice([0.0, 0.1])}
    return replace(rods, **more)


class Followed:
    """A scene in motion, and what can be asked of it so far."""

    def __init__(self, scene: Scene):
        self.scene = scene
        self.plant = Simulation(scene.models(), Settings(max_step=FRAME / STEPS, threads=1), together=True)
        if len(scene.bases) == 1:
            self.plant = Simulation(scene.models(), Settings(max_step=FRAME / STEPS, threads=1))
        self.plant.start(scene.sample(0.0))
        self.rods = len(scene.of("length"))
        self.own = self.plant.model.shapes.rod < self.rods
        self._rod_of_points = np.tile(self.plant.model.shapes.rod[self.own], ALONG)
        self.plant_of_rod = np.repeat(np.arange(len(scene.plants)), [len(rods) for rods in scene.plants])
        self.held = np.concatenate([scene.bases[: len(scene.plants)], held(self.plant, self.rods)])
        self.thick = float(scene.of("radius_base").max())
        self.excused, self.over_body, self.passing = set[str](), set[str](), dict[str, Passing]()
        self.covered = self.thrown = False
        self.off = np.zeros(self.rods, dtype=bool)
        self.squeezed, self.drawn = np.zeros(self.rods, dtype=bool), np.zeros(self.rods, dtype=bool)
        self._thin = np.minimum(scene.of("radius_base"), scene.of("radius_tip"))
        self._way_to, self._first_of_plant = _ways(scene.plants)
        self._meet(scene.colliders(0.0), 0.0)
        self.began_inside = self._overlaps(0.0)
        self.energy = sum(self.plant.energy())

    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the middle lines of plants' shapes, with their radii."""
        (start, end), radius = segments(self.plant), self.plant.model.shapes.radius[self.own]
        t = np.linspace(0.0, 1.0, ALONG)[:, None, None]
        points = (1.0 - t) * start[self.own] + t * end[self.own]
        return points.reshape(-1, 3), ((1.0 - t[:, 0]) * radius[:, 0] + t[:, 0] * radius[:, 1]).ravel()

    def _meet(self, now: Sequence[Collider], frame: float) -> None:
        for one in now:
            if one.name not in self.passing:
                deep = inside(self.plant, [one])
                if deep[: self.rods].max() > 0.0:
                    self.excused.add(one.name)
                if deep[self.rods :].max(initial=0.0) > 0.0:
                    self.over_body.add(one.name)
                self._cover(one.name, frame, 0.0)
                self.passing[one.name] = Passing(*self.points(), one)

    def _come_off(self, now: Sequence[Collider]) -> None:
        """Ask nothing of colliders in which the feet of rods are that have just come off: what these hung on bore them.
        """
        off = self.plant.broken()[: self.rods] > 0
        new, self.off = off & ~self.off, off
        if new.any():
            heads, tails = (ends()[: self.rods][new] for ends in (self.plant.rod_heads, self.plant.rod_tails))
            places = (heads + np.linspace(0.0, 0.5, 101)[:, None, None] * (tails - heads)).reshape(-1, 3)
            thin = np.tile(self._thin[new], 101)
            self.excused.update(one.name for one in now if (distance_from(places, one) < thin).any())

    def go_on(self, frame: float, frames: float) -> int:
        """Move on by so many frames, to a frame; returns the status."""
        now = self.scene.colliders(frame)
        self._meet(now, frame)
        for one in now:
            if frame - frames < MOVING:
                self._cover(one.name, frame - frames, frames)
        status = self.plant.advance(self.scene.sample(frame), frames * FRAME).status
        for one in now:
            self.passing[one.name].go_on(self.points()[0], one)
            if self.passing[one.name].from_behind:
                self.excused.add(one.name)
                self.thrown = True
        self._come_off(now)
        self._squeeze([one.name for one in now])
        self._stretch([one.name for one in now])
        if self.scene.body is not None and frame <= self.scene.body.released:
            self.over_body.update(one.name for one in now if inside(self.plant, [one])[self.rods :].max() > 0.0)
        return status

    def _squeeze(self, names: Sequence[str]) -> None:
        """Ask nothing of rods that have no room between colliders, nor of a collider into which they are pressed so,
        nor of how deep what these draw along is in others."""
        deep, wedged = np.full((len(names), self.rods), -np.inf), np.zeros((len(names), self.rods), dtype=bool)
        for one, is_in, name in zip(deep, wedged, names, strict=True):
            np.maximum.at(one, self._rod_of_points, self.passing[name].depth)
            is_in[:] = one > 1.0
            is_in[self._rod_of_points[self.passing[name].through != 0]] = True
        squeezed = (deep > SQUEEZED).sum(axis=0) > 1
        self.squeezed |= squeezed
        wedged &= self.squeezed & (deep > SQUEEZED)
        self.excused.update(name for is_in, name in zip(wedged, names, strict=True) if is_in.any())
        self.drawn |= np.isin(self.plant_of_rod, self.plant_of_rod[wedged.any(axis=0)])

    def _stretch(self, names: Sequence[str]) -> None:
        """Ask nothing of a collider that presses outwards what would still be inside, were it stretched wholly."""
        if self.plant.broken()[: self.rods].any():
            return
        touched, heads = self.plant.contacts(), self.plant.rod_heads()
        for rod, collider, point, normal, gap in zip(
            touched.rod, touched.collider, touched.point, touched.normal, touched.gap, strict=True
        ):
            if rod >= self.rods:
                continue
            out = point - heads[self._first_of_plant[rod]]
            far = float(np.linalg.norm(out))
            longest = self._way_to[rod] + float(np.linalg.norm(point - heads[rod]))
            if normal @ out > OUTWARDS * far and -gap > longest - far + SQUEEZED * self._thin[rod]:
                self.excused.add(names[collider])

    def _cover(self, name: str, before: float, frames: float) -> None:
        """Ask nothing of a collider that comes over what is held on its way from one frame on."""
        thing = next(one for one in self.scene.things if one.first.name == name)
        ways = [thing.at(min(1.0, (before + frames * s) / MOVING)) for s in np.linspace(0.0, 1.0, 9)]
        centre = np.array([one.position for one in ways])[:, None]
        if np.linalg.norm(centre - self.held, axis=2).min() > 2.0 * thing.reach:
            return
        at = np.array([own_axes(self.held, one) for one in ways])
        step = np.linalg.norm(np.diff(at, axis=0), axis=2).max()
        away = min(float(distance_from(self.held, one).min()) for one in ways)
        if away < self.thick + step:
            self.excused.add(name)
            self.covered = True

    def body_now(self) -> Collider | None:
        if self.scene.body is None:
            return None
        placed = self.plant.placed()
        return replace(self.scene.body.shape, position=placed.position[-1], orientation=placed.orientation[-1])

    def _overlaps(self, by: float) -> set[tuple[int, int]]:
        """Pairs of plants, or one and itself, of which rods are inside each other by more than so many radii."""
        start, end = (ends[self.own] for ends in segments(self.plant))
        shapes = self.plant.model.shapes
        rod, radius = shapes.rod[self.own], shapes.radius[self.own]
        kin = _kinship(self.scene.plants)
        pairs = set()
        for t in np.linspace(0.0, 1.0, 9):
            apart = from_segments((1.0 - t) * start + t * end, start, end)
            thin = (1.0 - t) * radius[:, 0] + t * radius[:, 1]
            reach = thin[:, None] + radius.min(axis=1)  # no more than where it is
            deep = (reach - apart) / np.minimum(thin[:, None], radius.min(axis=1)) > by
            deep &= ~kin[rod[:, None], rod]
            a, b = np.nonzero(deep)
            pairs |= {(int(i), int(j)) for i, j in np.sort(self.plant_of_rod[rod[np.stack([a, b], axis=1)]], axis=1)}
        body = self.body_now()
        if body is not None:
            rods = np.flatnonzero(inside(self.plant, [body])[: self.rods] > by)
            pairs |= {(int(i), len(self.scene.plants)) for i in self.plant_of_rod[rods]}
        return pairs

    def problem_at(self, frame: float) -> str:
        """What is wrong with where it has come to, at the last frame."""
        for one in self.scene.colliders(frame):
            deep = inside(self.plant, [one])
            if deep[self.rods :].max(initial=0.0) > BURIED and one.name not in self.over_body:
                return f"the body is inside {one.name} by {deep[-1]:.2g} radii"
            if one.name in self.excused:
                continue
            deep = np.where(self.squeezed | self.drawn, -np.inf, deep[: self.rods])
            if deep.max() > BURIED:
                return f"rod {int(deep.argmax())} is inside {one.name} by {deep.max():.2g} radii"
            through = self._rod_of_points[self.passing[one.name].worst()]
            rods = np.setdiff1d(through, np.flatnonzero(self.squeezed))
            if len(rods):
                return f"rods {rods.tolist()} went through {one.name}"
        pairs = self._overlaps(BURIED) - self.began_inside
        if not self.scene.itself:
            pairs = {(a, b) for a, b in pairs if a != b}
        return f"plants are inside each other: {sorted(pairs)}" if pairs else ""


def _kinship(plants: Sequence[Rods]) -> np.ndarray:
    """(m, m) whether rods are next to each other, or both next to a third one."""
    parents = np.concatenate([np.where(r.parent_index < 0, -1, r.parent_index + k) for r, k in _with_first(plants)])
    near = np.eye(len(parents), dtype=bool)
    child = np.flatnonzero(parents >= 0)
    near[child, parents[child]] = near[parents[child], child] = True
    near |= (parents[:, None] == parents) & (parents >= 0)
    return (near.astype(int) @ near) > 0


def _with_first(plants: Sequence[Rods]) -> list[tuple[Rods, int]]:
    first = np.cumsum([0] + [len(rods) for rods in plants])
    return list(zip(plants, first.tolist(), strict=False))


def _ways(plants: Sequence[Rods]) -> tuple[np.ndarray, np.ndarray]:
    """(m,) how far (m) rods' heads are from the first one's along their plants, and which is the first."""
    ways, firsts = [], []
    for rods, first in _with_first(plants):
        heads, way = rods.array("head"), np.zeros(len(rods))
        for k, parent in enumerate(rods.parent_index.tolist()):  # parents come first
            if parent >= 0:
                way[k] = way[parent] + np.linalg.norm(heads[k] - heads[parent])
        ways.append(way)
        firsts.append(np.full(len(rods), first))
    return np.concatenate(ways), np.concatenate(firsts)


def run_scene(scene: Scene, seen: Callable[[Followed, float], None] = lambda followed, frame: None) -> str:
    """What is wrong with it, or an empty string."""
    followed = Followed(scene)
    model = followed.plant.model
    scale = float(model.bodies.mass.sum()) * 9.81 * 0.3
    allowed = ROUNDING * scale + _held_by_sticking(scene, model)
    parts = STEPS if scene.steps_seen else 1
    for part in range(1, (MOVING + CALM) * parts):
        frame = part / parts
        status = followed.go_on(frame, 1.0 / parts)
        seen(followed, frame)
        if not np.isfinite(followed.plant.rod_tails()).all():
            return f"frame {frame:g}: not finite"
        if status == STOPPED and not followed.covered:
            return f"frame {frame:g}: stopped"
        if scene.still and not followed.thrown and sum(followed.plant.energy()) > followed.energy + allowed:
            grown = (sum(followed.plant.energy()) - followed.energy) / scale
            return f"frame {frame:g}: energy has grown by {grown:.2g} of its scale"
    return followed.problem_at(frame)


def _held_by_sticking(scene: Scene, model: Model) -> float:
    """Energy (J) that points give as they come to stick, six on each shape."""
    most = max(float(model.shapes.stickiness.max()), *(one.first.stickiness for one in scene.things))
    return float((6.0 * most**2 / (2.0 * model.shapes.stiffness)).sum())


def run_case(case: int) -> str:
    return run_scene(random_scene(case))


if __name__ == "__main__":
    main(__doc__.splitlines()[0], run_case, lambda case: f" ({random_scene(case)})")
