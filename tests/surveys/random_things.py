# SPDX-License-Identifier: GPL-3.0-or-later
"""Random colliders of all kinds that move, turn, grow and deform, and bodies that nothing holds."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from solver import Collider, Model, rotations, solid
from tests.oracles.models import random_quaternions
from tests.oracles.touching.triangles import rim_of

#: What is turned about z to make a mesh: (r, z) of its corners, and how many sides it has. Closed ones from below.
PROFILES: dict[str, tuple[list[tuple[float, float]], int]] = {
    "block": ([(0, -1), (1, -1), (1, 1), (0, 1)], 4),
    "round": ([(0, -1), (0.7, -0.7), (1, 0), (0.7, 0.7), (0, 1)], 8),
    "bowl": ([(0, -1), (1, -0.2), (1, 1), (0.7, 1), (0.7, 0), (0, -0.5)], 8),
    "ring": ([(0.5, 0), (0.75, -0.5), (1, 0), (0.75, 0.5), (0.5, 0)], 10),
    "sheet": ([(0, 0), (0.5, 0), (1, 0)], 4),
    "cup": ([(0, -1), (0.7, -0.7), (1, 0), (1, 0.5)], 8),
    "tube": ([(1, -1), (1, 1)], 8),
}

#: How far (m) from the base a thing keeps at least at both ends of its way.
FAR = 0.05


def turned(profile: list[tuple[float, float]], sides: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a profile turned about z; where it comes back to its first corner it is a ring."""
    is_ring = profile[0] == profile[-1]
    vertices, rings = [], []
    for r, z in profile[:-1] if is_ring else profile:
        angles = 2.0 * np.pi * np.arange(sides if r > 0 else 1) / sides
        rings.append(len(vertices) + np.arange(sides) % len(angles))
        vertices.extend(np.stack([r * np.cos(angles), r * np.sin(angles), np.full(len(angles), z)], axis=1))
    if is_ring:
        rings.append(rings[0])
    triangles = []
    for a, d in pairwise(rings):
        b, c = np.roll(a, -1), np.roll(d, -1)
        triangles += [np.stack([a, b, c], axis=1)] * int(b[0] != a[0])
        triangles += [np.stack([a, c, d], axis=1)] * int(c[0] != d[0])
    return np.array(vertices), np.concatenate(triangles)


@dataclass(frozen=True)
class Thing:
    """A collider that goes evenly from its first state to its last."""

    first: Collider
    last: Collider
    turn: np.ndarray

    @property
    def reach(self) -> float:
        """How far (m) it goes from its position at most."""
        return np.inf if self.first.kind == "plane" else max(_reach(self.first), _reach(self.last))

    def at(self, s: float) -> Collider:
        """At a share of its way."""

        def mixed(name: str) -> np.ndarray:
            first = np.asarray(getattr(self.first, name))
            return first + s * (np.asarray(getattr(self.last, name)) - first)  # stands still but for no rounding

        turn = rotations.multiply(np.asarray(self.first.orientation), rotations.exponential(s * self.turn))
        return replace(
            self.first, position=mixed("position"), size=mixed("size"), vertices=mixed("vertices"), orientation=turn
        )

    def __str__(self) -> str:
        one = self.first
        words = [one.kind]
        if one.kind == "mesh":
            words = ["open" if len(rim_of(np.asarray(one.triangles))) else "closed", "mesh", one.name.split()[1]]
            words.append("one-sided" if one.one_sided else "two-sided")
        words += ["turning"] * bool(self.turn.any()) + ["sticky"] * (one.stickiness > 0.0)
        for name, word in (("size", "growing"), ("vertices", "deforming"), ("position", "moving")):
            words += [word] * bool((np.asarray(getattr(one, name)) != np.asarray(getattr(self.last, name))).any())
        return " ".join(words)


def random_thing(rng: np.random.Generator, name: str, still: bool, aim: np.ndarray) -> Thing:
    """One that ends about where a point (3,) m is, or before that where it would come too near to the base."""
    kind = str(rng.choice(["ball", "box", "capsule", "plane", *PROFILES]))
    half = rng.uniform(0.02, 0.3, 3) * np.array([1.0, 1.0, rng.choice([1.0, 1.0, 0.1])])
    law = {
        "friction": rng.uniform(0.0, 1.0), "bounce": rng.choice([0.0, 0.5]),
        "stickiness": 10.0 ** rng.uniform(-3.0, 0.0) if rng.random() < 0.2 else 0.0,
    }  # fmt: skip
    grown = rng.uniform(0.3, 1.5, 3) if rng.random() < 0.4 and not still else np.ones(3)
    bend = rng.uniform(-1.0, 1.0) if rng.random() < 0.3 and not still else 0.0
    if kind in PROFILES:
        vertices, triangles = turned(*PROFILES[kind])
        one_sided = bool(rng.random() < 0.5)
        one = Collider(
            "mesh", (), f"{name} {kind}", vertices=half * vertices, triangles=triangles, one_sided=one_sided, **law
        )
        after = grown * half * vertices
        after[:, 2] += bend * after[:, 0] ** 2 / half[0]
        last = replace(one, vertices=after)
    else:
        size = {"ball": half[:1], "box": half, "capsule": half[:2], "plane": half[:0]}[kind]
        one = Collider(kind, size, name, **law)
        last = replace(one, size=size * grown[: len(size)])
    turn = rng.normal(size=3)
    turn *= rng.uniform(0.0, 6.0) / np.linalg.norm(turn) * float(rng.random() < 0.5 and not still)
    if kind == "plane":
        tilt = rotations.exponential(rng.uniform(-0.3, 0.3, 3) * (1.0, 1.0, 0.0))
        return Thing(*(replace(x, position=(0.0, 0.0, -FAR), orientation=tilt) for x in (one, last)), 0.05 * turn)
    reach = max(map(_reach, (one, last))) + FAR
    orientation = random_quaternions(rng, 1)[0]
    end = aim / max(float(np.linalg.norm(aim)), 1e-3) + rng.uniform(0.0, 0.8) * rng.normal(size=3)
    begin = end + rng.normal(size=3)
    begin *= rng.uniform(reach, reach + 0.5) / np.linalg.norm(begin)
    end *= rng.uniform(reach, max(reach, float(np.linalg.norm(aim)) + 0.5 * reach)) / np.linalg.norm(end)
    return Thing(
        replace(one, position=begin, orientation=orientation),
        replace(last, position=begin if still else end, orientation=orientation), turn,
    )  # fmt: skip


def _reach(one: Collider) -> float:
    if one.kind == "mesh":
        return float(np.linalg.norm(np.asarray(one.vertices), axis=1).max())
    return float(np.sum(one.size))


@dataclass(frozen=True)
class Body:
    """A body that nothing holds from a frame on, and the collider it would be in its own axes."""

    model: Model
    shape: Collider
    place: np.ndarray
    released: int


def random_body(rng: np.random.Generator) -> Body:
    kind = str(rng.choice(["ball", "box", "capsule", "hull"]))
    half = rng.uniform(0.01, 0.06, 3)
    law = {"density": 10.0 ** rng.uniform(2.0, 3.5), "friction": rng.uniform(0.0, 1.0)}
    if kind == "hull":
        vertices, triangles = turned(*PROFILES[str(rng.choice(["block", "round"]))])
        model = solid("hull", vertices=half * vertices, triangles=triangles, **law)
        shape = Collider("mesh", (), "body", vertices=half * vertices, triangles=triangles)
    else:
        size = {"ball": half[:1], "box": half, "capsule": half[:2]}[kind]
        model, shape = solid(kind, size, **law), Collider(kind, size, "body")
    way = rng.normal(size=3)
    way[2] = abs(way[2])
    place = way * rng.uniform(_reach(shape) + FAR, 0.5) / np.linalg.norm(way)
    return Body(model, shape, place, int(rng.integers(0, 6)))
