# SPDX-License-Identifier: GPL-3.0-or-later
"""Balls, boxes, capsules and hulls that nothing holds: their masses, and how they fall, roll, slide and lie."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from solver import Collider, Rods, Sample, Settings, Simulation, SolverError, discretize, solid
from solver.dynamics.integrate import advance_plants
from solver.math.rotations import rotate, unrotate
from tests.oracles.touching.lying import leaf

G, FRAME = 9.81, 1.0 / 24.0
GROUND = Collider("plane", friction=0.5)
LOOSE = Sample(cut=[1.0], colliders=[GROUND])


def cube(half, at=(0.0, 0.0, 0.0)) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a box about a place."""
    corners = np.array(list(product((-1.0, 1.0), repeat=3))) * half + at
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))])


def measured(inside, half, centre=(0.0, 0.0, 0.0)) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume, centre and inertia about the origin, by counting places of a fine grid."""
    axes = [np.linspace(-h, h, 81)[:-1] + h / 80 for h in half]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    points = points[inside(points)] + centre
    cell = np.prod([2.0 * h / 80 for h in half])
    squares = (points**2).sum(axis=1)
    inertia = cell * (squares.sum() * np.eye(3) - points.T @ points)
    return cell * len(points), points.mean(axis=0), inertia


def matrix(six) -> np.ndarray:
    return np.array(six)[[0, 1, 2, 1, 3, 4, 2, 4, 5]].reshape(3, 3)


AT = (0.02, -0.01, 0.03)
KINDS = {
    "ball": (solid("ball", [0.05], centre=AT), lambda p: (p**2).sum(axis=1) < 0.05**2, (0.05,) * 3),
    "box": (solid("box", [0.03, 0.05, 0.04], centre=AT), lambda p: np.full(len(p), True), (0.03, 0.05, 0.04)),
    "capsule": (
        solid("capsule", [0.03, 0.04], centre=AT),
        lambda p: (np.delete(p, 1, 1) ** 2).sum(1) + np.maximum(abs(p[:, 1]) - 0.04, 0.0) ** 2 < 0.03**2,
        (0.03, 0.07, 0.03),
    ),
    "hull": (
        solid("hull", vertices=cube((0.03, 0.05, 0.04), AT)[0], triangles=cube((0.03, 0.05, 0.04))[1]),
        lambda p: np.full(len(p), True), (0.03, 0.05, 0.04),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_masses_are_those_of_the_shapes(kind):
    model, inside, half = KINDS[kind]
    volume, centre, inertia = measured(inside, half, AT)
    bodies = model.bodies
    assert bodies.mass[0] == pytest.approx(500.0 * volume, rel=0.01)
    assert bodies.com[0] == pytest.approx(centre, abs=1e-4)
    assert matrix(bodies.inertia[0]) == pytest.approx(500.0 * inertia, abs=0.02 * 500.0 * np.abs(inertia).max())


@pytest.mark.parametrize("angle", [5.0, 20.0])
def test_a_ball_rolls_down_with_five_sevenths(angle):
    slope = np.radians(angle)
    gravity = (G * np.sin(slope), 0.0, -G * np.cos(slope))
    sample = Sample((0.0, 0.0, 0.05), gravity=gravity, cut=[1.0], colliders=[replace(GROUND, friction=0.9)])
    plant = Simulation(solid("ball", [0.05], friction=0.9))
    plant.start(sample)
    speeds = []
    for _ in range(24):
        plant.advance(sample, FRAME)
        speeds.append(plant.placed().velocity[0, 0])
    assert (speeds[-1] - speeds[5]) / (18 * FRAME) == pytest.approx(5 / 7 * G * np.sin(slope), rel=0.005)


@pytest.mark.parametrize("kind", ["box", "hull"])
def test_a_block_slips_beyond_its_angle_of_friction_only(kind):
    half = (0.05, 0.04, 0.03)
    vertices, triangles = cube(half)
    body = solid("box", half) if kind == "box" else solid("hull", vertices=vertices, triangles=triangles)
    for angle, slips in ((-0.5, False), (0.5, True)):
        slope = np.arctan(0.5) + np.radians(angle)
        gravity = (G * np.sin(slope), 0.0, -G * np.cos(slope))
        sample = replace(LOOSE, gravity=gravity, base_position=(0.0, 0.0, half[2]))
        plant = Simulation(body)
        plant.start(sample)
        for _ in range(48):
            plant.advance(sample, FRAME)
        begun = plant.rod_heads()[0, 0]
        for _ in range(48):
            plant.advance(sample, FRAME)
        assert (plant.rod_heads()[0, 0] - begun > 1e-3) == slips
        if not slips:
            assert abs(plant.rod_heads()[0, 0] - begun) < 1e-5
            assert plant.rod_heads()[0, 2] == pytest.approx(half[2], abs=0.02 * half[2])


def test_a_stone_lies_on_a_face_in_the_end():
    """A tetrahedron that is dropped on a corner."""
    vertices = 0.05 * np.array([(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)])
    triangles = np.array([(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)])
    plant = Simulation(solid("hull", vertices=vertices, triangles=triangles, density=2500.0))
    sample = replace(LOOSE, base_position=(0.0, 0.0, 0.12), base_orientation=(0.9, 0.3, 0.2, np.sqrt(0.06)))
    plant.start(sample)
    for _ in range(24 * 6):
        plant.advance(sample, FRAME)
    inner = 0.05 / np.sqrt(3.0)  # from the middle to the faces
    assert plant.rod_heads()[0, 2] == pytest.approx(inner, abs=0.1 * inner)
    assert plant.energy().kinetic < 1e-9
    normal = (plant.contacts().force * plant.contacts().normal).sum()
    assert normal == pytest.approx(plant.model.bodies.mass[0] * G, rel=1e-4)


def test_a_ball_on_a_twig_bends_it_and_weighs_on_it():
    twig = discretize(Rods(
        parent=[-1, 0, 1], head=[(0.0, 0.1 * k, 0.0) for k in range(3)], frame=(1.0, 0.0, 0.0, 0.0), length=0.1,
        radius_base=0.003, radius_tip=0.003, young=5e9, density=600.0, damping_time=0.05, friction=1.0,
    ))  # fmt: skip
    apple = solid("ball", [0.03], density=800.0, friction=1.0)
    plant = Simulation([twig, apple], Settings(max_step=1 / 240), together=True)
    sample = Sample(base_position=[(0.0, 0.0, 0.0), (0.0, 0.12, 0.05)], touches_others=True, cut=[0.0, 0.0, 0.0, 1.0])
    plant.start(sample)
    heights = []
    for _ in range(24):
        plant.advance(sample, FRAME)
        heights.append(plant.rod_heads()[3, 2])
    assert min(plant.rod_tails()[:3, 2]) < -1e-3, "it is bent"
    t = np.linspace(0.0, 1.0, 500)[:, None]
    along = np.concatenate([h + t * (e - h) for h, e in zip(plant.rod_heads()[:3], plant.rod_tails()[:3], strict=True)])
    gap = np.linalg.norm(along - plant.rod_heads()[3], axis=1).min() - 0.033
    assert gap > -0.02 * 0.003, "nothing goes through"
    assert heights[-1] > 0.0, "it lies there"


def test_what_is_held_follows_its_base_and_flies_on_when_it_is_let_go():
    plant = Simulation(solid("ball", [0.05]))
    held = Sample(gravity=(0.0, 0.0, 0.0), cut=[0.0])
    plant.start(held)
    for frame in range(1, 7):
        plant.advance(replace(held, base_position=(0.1 * frame, 0.0, 0.0)), FRAME)
    assert plant.rod_heads()[0] == pytest.approx((0.6, 0.0, 0.0), abs=1e-6)
    free = replace(held, base_position=(0.7, 0.0, 0.0), cut=[1.0])
    plant.advance(free, FRAME)
    for _ in range(5):
        plant.advance(free, FRAME)
    assert plant.rod_heads()[0] == pytest.approx((1.2, 0.0, 0.0), rel=0.02)


REFUSED = {
    "another kind": (("cone", [1.0]), {}, "unknown solid"),
    "too few sizes": (("box", [1.0]), {}, "size has shape"),
    "no size": (("ball", [0.0]), {}, "size"),
    "without mass": (("ball", [1.0]), {"density": 0.0}, "density"),
    "inside out": (("hull",), {"vertices": cube((1, 1, 1))[0], "triangles": cube((1, 1, 1))[1][:, ::-1]}, "inwards"),
    "flat": (("hull",), {"vertices": cube((1, 1, 0))[0], "triangles": cube((1, 1, 0))[1]}, "encloses nothing"),
    "not numbers": (("hull",), {"vertices": [[np.nan] * 3] * 4, "triangles": [[0, 1, 2]] * 4}, "vertices"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_solid_is_refused(name):
    given, keywords, said = REFUSED[name]
    with pytest.raises(SolverError, match=said):
        solid(*given, **keywords)


def test_a_ball_in_the_edge_of_a_cube_goes_alike_where_kernels_are_python(monkeypatch):
    corners, faces = cube((0.1, 0.1, 0.1))
    sample = Sample((0.09, 0.0, 0.09), cut=[1.0], colliders=[Collider("mesh", vertices=corners, triangles=faces)])
    places = []
    for is_python in (False, True):
        plant = Simulation(solid("ball", [0.03]))
        plant.start(sample)
        if is_python:
            monkeypatch.setattr(advance_plants, "compiled", advance_plants.python)
        plant.advance(sample, FRAME)
        places.append(plant.placed().position)
    assert np.array_equal(*places)


def around(points) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices, triangles and planes (t, 4), n x + d <= 0 within, of the hull of points."""
    points = np.asarray(points)
    points = points[ConvexHull(points).vertices]
    found = ConvexHull(points)
    a = points[found.simplices]
    turned = np.einsum("ij,ij->i", np.cross(a[:, 1] - a[:, 0], a[:, 2] - a[:, 0]), found.equations[:, :3]) < 0.0
    return points, np.where(turned[:, None], found.simplices[:, ::-1], found.simplices), found.equations


def stones() -> dict[str, np.ndarray]:
    """Points of things flat and long, pointed and round."""
    turn = np.arange(12) / 6.0 * np.pi
    ring = np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)
    height = 1.0 - (2.0 * np.arange(20) + 1.0) / 20.0
    spiral = np.pi * (1.0 + 5.0**0.5) * np.arange(20)
    wide = np.sqrt(1.0 - height**2)
    ball = np.stack([wide * np.cos(spiral), wide * np.sin(spiral), height], axis=1)
    corners, up = np.array(list(product((-1.0, 1.0), repeat=3))), np.array((0.0, 0.0, 1.0))
    return {
        "brick": corners * (0.1, 0.05, 0.03), "plank": corners * (0.3, 0.05, 0.01),
        "coin": np.concatenate([ring - up, ring + up]) * (0.1, 0.1, 0.01), "cone": np.vstack([ring - up, up]) * 0.1,
        "log": np.concatenate([ring - up, ring + up]) * (0.05, 0.05, 0.2), "flat stone": ball * (0.1, 0.07, 0.025),
        "wedge": corners[[0, 1, 2, 3, 4, 6]] * (0.1, 0.1, 0.05),
    }  # fmt: skip


@pytest.mark.parametrize("name", stones())
def test_a_hulls_shapes_are_within_it_and_it_lies_on_the_ground(name):
    """Drawn a little above it: what stuck out would begin in the ground and be left alone there."""
    vertices, triangles, planes = around(stones()[name])
    model = solid("hull", vertices=vertices, triangles=triangles)
    shapes = model.shapes
    for end, across in product((shapes.start, shapes.end), (-1.0, 0.0, 1.0)):
        out = (end + across * shapes.side) @ planes[:, :3].T + planes[:, 3] + shapes.radius[:, :1]
        assert out.max() < 1e-12
    begun = 1e-3 - vertices[:, 2].min()
    sample = replace(LOOSE, base_position=(0.0, 0.0, begun))
    plant = Simulation(model)
    plant.start(sample)
    for _ in range(48):
        plant.advance(sample, FRAME)
    at = plant.rod_heads()[0] + rotate(plant.placed().orientation[:1], vertices)
    assert at[:, 2].min() > -0.01 * np.ptp(vertices, axis=0).min()
    assert at[:, 2].min() < 1e-3
    assert plant.energy().kinetic < 1e-3 * plant.model.bodies.mass[0]


@pytest.mark.parametrize("place", [(0.0, 0.0), (0.15, 0.1), (0.3, 0.05)])
def test_the_faces_of_a_large_hull_hold_a_small_ball(place):
    vertices, triangles = cube((0.5, 0.5, 0.5))
    plant = Simulation([solid("hull", vertices=vertices, triangles=triangles), solid("ball", [0.02])], together=True)
    sample = Sample([(0.0, 0.0, 0.0), (*place, 0.57)], touches_others=True, cut=[0.0, 1.0])
    plant.start(sample)
    for _ in range(18):
        plant.advance(sample, FRAME)
    assert plant.rod_heads()[1, 2] == pytest.approx(0.52, abs=0.01)


def test_a_leaf_lies_still_on_a_large_crate():
    """On four points, though all of it is in one place of the crate."""
    plant = Simulation([solid("box", (0.5, 0.3, 0.1)), leaf()], together=True)
    turned = [(1.0, 0.0, 0.0, 0.0), (0.8, 0.0, 0.0, 0.6)]
    sample = Sample(
        [(0.0, 0.0, 0.1001), (0.11, -0.07, 0.22)], base_orientation=turned, colliders=[GROUND], touches_others=True,
        cut=[1.0, 1.0],
    )  # fmt: skip
    plant.start(sample)
    for _ in range(36):
        plant.advance(sample, FRAME)
    lies = plant.rod_heads()[1]
    for _ in range(48):
        plant.advance(sample, FRAME)
    assert np.abs(plant.rod_heads()[1] - lies).max() < 1e-5
    touched = plant.contacts()
    assert ((touched.collider < 0) & (touched.rod == 1)).sum() == 4


@pytest.mark.parametrize("half", [(0.05, 0.05, 0.05), (0.5, 0.4, 0.3)])
def test_a_box_stands_on_posts_under_the_middle_of_its_faces(half):
    """It is no thinner there than at its corners."""
    for turn, height in (((1.0, 0.0, 0.0, 0.0), half[2]), ((0.5**0.5, 0.5**0.5, 0.0, 0.0), half[1])):
        wide = min(half[0], half[1] + half[2] - height)
        posts = [
            Collider("capsule", (0.005, 0.1), position=(x * wide, y * wide, -0.1),
                     orientation=(0.5**0.5, 0.5**0.5, 0.0, 0.0), name=f"post {x}")
            for x, y in ((0.5, 0.2), (-0.4, 0.5), (-0.2, -0.6))
        ]  # fmt: skip
        sample = Sample((0.0, 0.0, height + 0.006), base_orientation=turn, colliders=posts, cut=[1.0])
        plant = Simulation(solid("box", half))
        plant.start(sample)
        for _ in range(48):
            plant.advance(sample, FRAME)
        assert plant.rod_heads()[0, 2] == pytest.approx(height + 0.005, abs=2e-4 * min(half))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_light_comes_to_rest_on_what_is_heavy(seed):
    """Chains of twigs or blades fall onto a stone of up to a ton and from it to the ground: all steps can be found, and
    they give no energy."""
    rng = np.random.default_rng(seed)
    half, n, wide = rng.uniform(0.05, 0.5, 3), int(rng.integers(1, 6)), 0.003 * int(rng.integers(2))
    rods = Rods(
        parent=np.arange(n) - 1, head=np.arange(n)[:, None] * np.array((0.0, 0.06, 0.0)),
        frame=[(1.0, 0.0, 0.0, 0.0)] * n, length=0.06, radius_base=1e-3, radius_tip=1e-3, young=1e8, density=500.0,
        blade_area=wide, friction=0.5, damping_time=0.02,
    )  # fmt: skip
    turn = rng.normal(size=4)
    plant = Simulation([solid("box", half, density=2500.0), discretize(rods)], together=True)
    sample = Sample(
        [(0.0, 0.0, half[2] + 1e-4), (*(rng.uniform(-0.4, 0.4, 2) * half[:2]), 2.0 * half[2] + 0.3)],
        base_orientation=[(1.0, 0.0, 0.0, 0.0), turn / np.linalg.norm(turn)], colliders=[GROUND], touches_others=True,
        cut=[1.0, 1.0] + [0.0] * (n - 1),
    )  # fmt: skip
    plant.start(sample)
    begun = sum(plant.energy())
    light = plant.model.bodies.mass[1:].sum()
    for _ in range(48):
        assert plant.advance(sample, FRAME).status < 2
        assert sum(plant.energy()) - begun < 0.01 * light * G
    assert np.abs(plant.placed().velocity).max() < 0.1


@pytest.mark.parametrize("drop", [0.0, 0.1])
@pytest.mark.parametrize("segments", [1, 4])
@pytest.mark.parametrize("mass", [1.0, 10.0])
def test_what_is_heavy_presses_thin_twigs_into_nothing(mass, segments, drop):
    """Two twigs of 3 mm bear a cube of up to 2300 times their mass a hundredth of their radius above the ground."""
    radius = 0.003
    rods = Rods(
        parent=[-1], head=[(0.0, 0.0, 0.0)], frame=[(1.0, 0.0, 0.0, 0.0)], length=0.3, radius_base=radius,
        radius_tip=radius, young=1e8, density=500.0, damping_time=0.02,
    )  # fmt: skip
    twig = discretize(rods, "base", segments=segments)
    plant = Simulation([twig, twig, solid("box", (0.05, 0.05, 0.05), density=1e3 * mass)], together=True)
    sample = Sample(
        [(-0.03, -0.15, radius), (0.03, -0.15, radius), (0.0, 0.0, 2.0 * radius + 0.05 + drop)], colliders=[GROUND],
        touches_others=True, cut=[1.0, 1.0, 1.0],
    )  # fmt: skip
    plant.start(sample)
    before = sum(plant.energy())
    for _ in range(36):
        assert plant.advance(sample, FRAME).status < 2
        assert sum(plant.energy()) - before < 1e-3 * mass * G * drop + 1e-6
    touched = plant.contacts()
    assert (touched.gap > -0.01 * radius).all()
    pushed = touched.force[touched.collider >= 0, 2].sum()
    assert pushed == pytest.approx(G * plant.model.bodies.mass.sum(), rel=1e-3)


@pytest.mark.parametrize("size", [0.05, 0.3])
@pytest.mark.parametrize("name", ["wedge", "cone", "ball"])
def test_a_hull_holds_what_is_small_wherever_it_falls(name, size):
    """No face has a hole: a berry is pressed against random places of a held stone."""
    rng = np.random.default_rng(5)
    points = stones()[name] / 0.1 if name != "ball" else rng.normal(size=(12, 3))
    if name == "ball":
        points /= np.linalg.norm(points, axis=1, keepdims=True)
    vertices, triangles, planes = around(size * points)
    model, radius = solid("hull", vertices=vertices, triangles=triangles), 0.02 * size
    for _ in range(12):
        face = int(rng.integers(len(triangles)))
        at = rng.dirichlet((1.0, 1.0, 1.0)) @ vertices[triangles[face]]
        normal = planes[np.argmin(np.abs(planes[:, :3] @ at + planes[:, 3])), :3]
        plant = Simulation([model, solid("ball", [radius], friction=1.0)], together=True)
        sample = Sample(
            [(0.0, 0.0, 0.0), at + 2.0 * radius * normal], touches_others=True, cut=[0.0, 1.0], gravity=-G * normal
        )
        plant.start(sample)
        for _ in range(12):
            plant.advance(sample, FRAME)
            high = (planes[:, :3] @ plant.rod_heads()[1] + planes[:, 3]).max()
            assert high > radius - model.shapes.radius[0, 0]  # by which edges are rounded


@pytest.mark.parametrize("seed", [549, 633, 969, *range(1, 41, 4)])
def test_a_thrown_box_does_not_go_through_a_thin_stem(seed):
    """Not beside the middle of a face, where it was behind others, nor where it passes a corner."""
    rng = np.random.default_rng([seed, 9])
    radius, n = float(rng.choice([0.001, 0.002])), int(rng.integers(1, 6))
    rods = Rods(
        parent=np.arange(n) - 1, head=np.arange(n)[:, None] * np.array((0.0, 0.0, 0.4 / n)),
        frame=[(0.5**0.5, 0.5**0.5, 0.0, 0.0)] * n, length=0.4 / n, radius_base=radius, radius_tip=radius,
        young=10.0 ** rng.uniform(8.0, 10.0), density=600.0, damping_time=0.01,
    )  # fmt: skip
    half, turn = rng.uniform(0.03, 0.07, 3), rng.normal(size=4)
    velocity = 10.0 * np.array((1.0, *rng.uniform(-0.2, 0.2, 2)))
    aim = np.array((0.0, rng.uniform(-0.04, 0.04), rng.uniform(0.1, 0.38)))
    box = solid("box", half, density=1.0 / (8.0 * half.prod()))
    plant = Simulation([discretize(rods, "base", segments=1), box], together=True)

    def sample(step: int) -> Sample:
        at, straight = aim - 0.08 * velocity + velocity * min(step, 3) / 240.0, (1.0, 0.0, 0.0, 0.0)
        return Sample(
            [(0.0, 0.0, 0.0), at], base_orientation=[straight, turn / np.linalg.norm(turn)], touches_others=True,
            cut=[0.0] * n + [float(step >= 3)], gravity=(0.0, 0.0, 0.0),
        )  # fmt: skip

    plant.start(sample(0))
    share, placed = np.linspace(0.0, 1.0, 41)[:, None, None], plant.placed
    for step in range(1, 40):
        plant.advance(sample(step), 1.0 / 240.0)
        heads, tails = plant.rod_heads()[:n], plant.rod_tails()[:n]
        line = (heads + share * (tails - heads)).reshape(-1, 3) - placed().position[-1]
        inside = (half - np.abs(unrotate(placed().orientation[-1:], line))).min(axis=1)
        assert inside.max() < 0.06 * half.min()  # edges are rounded by a tenth
