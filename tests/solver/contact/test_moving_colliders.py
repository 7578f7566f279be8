# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that are thin and fast, that grow, and whose meshes become others on the way."""

from dataclasses import replace

import numpy as np
import pytest

from solver import Collider, Rods, Sample, Settings, Simulation, discretize, solid
from solver.contact.obstacles import colliders_of, obstacles_between
from solver.math.rotations import exponential, rotate
from solver.snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from tests.oracles.models import ALONG_X, beam
from tests.oracles.touching.depth import inside

FRAME = 1.0 / 24.0


def rod(radius=0.003, length=1.0) -> Rods:
    """Level, on a hinge."""
    return Rods(
        parent=[-1], head=[(0.0, 0.0, 0.0)], frame=ALONG_X, length=length, radius_base=radius, radius_tip=radius,
        young=1e9, density=500.0, stiffness=[[0.0] * 3], joint_damping=1e-4, friction=0.3,
    )  # fmt: skip


def board(half: tuple[float, float, float], subdivided: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a box, whose upper side has so many squares along x."""
    x = np.linspace(-half[0], half[0], subdivided + 1)
    vertices = [(a, b, c) for c in (-half[2], half[2]) for b in (-half[1], half[1]) for a in x]
    n, faces = subdivided + 1, []
    for k in range(subdivided):
        faces += [(k, n + k, n + k + 1), (k, n + k + 1, k + 1)]  # below
        faces += [(2 * n + k, 2 * n + k + 1, 3 * n + k + 1), (2 * n + k, 3 * n + k + 1, 3 * n + k)]  # above
        faces += [(k, k + 1, 2 * n + k + 1), (k, 2 * n + k + 1, 2 * n + k)]  # in front
        faces += [(n + k, 3 * n + k, 3 * n + k + 1), (n + k, 3 * n + k + 1, n + k + 1)]  # behind
    for k in (0, n - 1):
        quad = (k, 2 * n + k, 3 * n + k, n + k)
        quad = quad if k == 0 else quad[::-1]
        faces += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
    return np.array(vertices), np.array(faces)


def advanced(plant: Simulation, colliders) -> None:
    plant.advance(Sample(colliders=colliders, gravity=(0.0, 0.0, 0.0)), FRAME)


@pytest.mark.parametrize("kind", ["box", "capsule", "ball"])
@pytest.mark.parametrize(("half", "speed"), [(0.002, 5.0), (0.002, 20.0), (0.01, 10.0)])
def test_what_is_thin_and_fast_takes_a_rod_along(kind, half, speed):
    plant = Simulation(discretize(rod(), "base", segments=1))
    size = {"box": (0.1, 0.1, half), "capsule": (half, 0.1), "ball": (half,)}[kind]
    for phase in (0.0, 0.3, 0.6, 0.9):
        heights = -0.3 - phase * speed * FRAME + speed * FRAME * np.arange(1 + int(np.ceil(0.7 / speed / FRAME + 2)))
        for frame, z in enumerate(heights):
            collider = Collider(kind, size, position=(0.6, 0.0, z))
            sample = Sample(colliders=[collider], gravity=(0.0, 0.0, 0.0))
            if frame == 0:
                plant.start(sample)
            else:
                plant.advance(sample, FRAME)
        assert np.abs(plant.rod_tails()[0, 2]) > 0.01 or np.abs(plant.placed().omega[0]).max() > 0.5


@pytest.mark.parametrize("one_sided", [True, False])
@pytest.mark.parametrize(("radius", "frames"), [(0.003, 3), (0.003, 6), (0.003, 10), (0.01, 6)])
def test_a_sheet_presses_a_twig_below_it_however_deep_it_has_come_in(one_sided, radius, frames):
    """Against a ground that leaves less room than it is thick: its middle line is behind the sheet for a while."""
    corners = [(0.2, -2.0, 0.0), (2.0, -2.0, 0.0), (2.0, 2.0, 0.0), (0.2, 2.0, 0.0)]
    faces, top, fall = [(0, 2, 1), (0, 3, 2)], 0.1, 0.3
    ground = Collider("plane", position=(0.0, 0.0, top - fall - 1.6 * radius))
    plant = Simulation(
        discretize(beam(6, 0.6, radius, frame=ALONG_X, young=1e9, damping_time=0.01)), Settings(max_step=1.0 / 120.0)
    )
    for frame in range(20):
        z = top - fall * min(1.0, frame / frames)
        sheet = Collider("mesh", vertices=corners, triangles=faces, one_sided=one_sided, position=(0.0, 0.0, z))
        if frame == 0:
            plant.start(Sample(colliders=[sheet, ground]))
        else:
            plant.advance(Sample(colliders=[sheet, ground]), FRAME)
    assert (plant.rod_tails()[2:, 2] < top - fall).all()


@pytest.mark.parametrize("one_sided", [True, False])
@pytest.mark.parametrize("half", [0.0005, 0.001, 0.003])
@pytest.mark.parametrize(("radius", "frames"), [(0.003, 6), (0.003, 10), (0.01, 6)])
def test_a_thin_closed_board_presses_a_twig_to_its_own_side_only(one_sided, half, radius, frames):
    """Deeper in than the board is thick it would else be behind its other side too, and be held inside by it."""
    vertices, faces = board((1.0, 1.0, half), 2)
    top, fall = 0.1, 0.3
    ground = Collider("plane", position=(0.0, 0.0, top - fall - 1.6 * radius))
    plant = Simulation(
        discretize(beam(6, 0.6, radius, frame=ALONG_X, young=1e9, damping_time=0.01)), Settings(max_step=1.0 / 120.0)
    )
    for frame in range(32):
        below = top - fall * min(1.0, frame / frames) + 0.05 * max(0.0, frame - 20) / 12.0
        one = Collider(
            "mesh", vertices=vertices, triangles=faces, one_sided=one_sided, position=(1.2, 0.0, below + half)
        )
        if frame == 0:
            plant.start(Sample(colliders=[one, ground]))
        else:
            plant.advance(Sample(colliders=[one, ground]), FRAME)
        if frame == 19:
            assert (plant.rod_tails()[2:, 2] < below).all()
    assert (plant.rod_tails()[2:, 2] < below).all()
    assert inside(plant, [one]).max() < 0.25


def wedge(half_angle: float, kind: str) -> Collider:
    """One of 0.1 m, with its edge along y and upwards."""
    x, y, z = 0.1 * np.tan(half_angle), 0.1, -0.1
    corners = np.array([(0, -y, 0), (0, y, 0), (-x, -y, z), (x, -y, z), (-x, y, z), (x, y, z)], dtype=float)
    faces = [(0, 2, 3), (1, 5, 4), (0, 1, 4), (0, 4, 2), (0, 3, 5), (0, 5, 1), (2, 4, 5), (2, 5, 3)]
    faces = [face[::-1] for face in faces] if kind == "inside out" else faces
    return Collider("mesh", vertices=corners, triangles=faces, one_sided=kind == "one-sided", friction=0.4)


@pytest.mark.parametrize("kind", ["one-sided", "two-sided", "inside out"])
@pytest.mark.parametrize(
    ("degrees", "speed", "at", "turn"),
    [
        (7.0, 20.0, 0.2, 0.0), (7.0, 20.0, 0.45, 0.0),
        (20.0, 5.0, 0.2, 0.0), (20.0, 5.0, 0.2, 0.7), (20.0, 20.0, 0.45, 0.0),
    ],
)  # fmt: skip
def test_a_fast_edge_does_not_come_into_a_thin_stem(kind, degrees, speed, at, turn):
    """It bends it out of its way; in the end it stands 0.35 m higher than before."""
    plant = Simulation(discretize(beam(4, 0.6, 0.002, young=1e8, damping_time=0.005)), Settings(max_step=1 / 120))
    edge = replace(wedge(np.radians(degrees), kind), orientation=exponential(np.array([0.0, 0.0, turn])))
    heights = np.minimum(-0.05 + speed * FRAME * np.arange(30), 0.3).tolist()
    edges = [replace(edge, position=(at, 0.0, height)) for height in heights]
    plant.start(Sample(colliders=edges[:1], gravity=(0.0, 0.0, 0.0)))
    for now in edges[1:]:
        advanced(plant, [now])
    assert inside(plant, edges[-1:]).max() < 0.1


@pytest.mark.parametrize("kind", ["ball", "box"])
@pytest.mark.parametrize(("rods", "radius"), [(3, 0.008), (3, 0.015), (6, 0.008)])
def test_what_bends_a_stem_of_wood_far_is_hardly_inside(kind, rods, radius):
    """The stem's weight tells nothing of how hard that presses."""
    plant = Simulation(discretize(beam(rods, 0.4, radius, frame=ALONG_X, young=1e10, damping_time=0.01)))
    size = {"ball": (0.05,), "box": (0.05, 0.05, 0.05)}[kind]
    for frame in range(24):
        z = -0.07 + 0.075 * min(1.0, frame / 10.0)
        sample = Sample(colliders=[Collider(kind, size, position=(0.15, 0.0, z), friction=0.2)])
        if frame == 0:
            plant.start(sample)
        else:
            plant.advance(sample, FRAME)
    assert plant.rod_tails()[-1, 2] > 0.15
    assert inside(plant, sample.colliders).max() < 0.25


@pytest.mark.parametrize("kind", ["box", "ball", "capsule"])
def test_what_grows_lifts_as_what_rises_does(kind):
    ends = []
    for grows in (False, True):
        plant = Simulation(discretize(rod(0.01), "base", segments=1))
        for frame in range(13):
            top = 0.01 * frame
            half, z = (0.1 + top, -0.11) if grows else (0.1, -0.11 + top)
            size = {"box": (0.1, 0.1, half), "capsule": (half, 0.1), "ball": (half,)}[kind]
            collider = Collider(kind, size, position=(0.6, 0.0, z), friction=0.0)
            sample = Sample(colliders=[collider])
            if frame == 0:
                plant.start(sample)
            else:
                plant.advance(sample, FRAME)
        ends.append(plant.rod_tails()[0, 2])
    assert ends[0] > 0.1
    assert ends[1] == pytest.approx(ends[0], abs=0.02)


def lifted(colliders) -> float:
    """Height of the end of a rod that lies on something at 24 frames."""
    plant = Simulation(discretize(rod(0.01), "base", segments=1))
    for frame in range(24):
        sample = Sample(colliders=[colliders(frame)])
        if frame == 0:
            plant.start(sample)
        else:
            plant.advance(sample, FRAME)
    return float(plant.rod_tails()[0, 2])


def test_a_mesh_that_changes_its_vertices_or_its_kind_goes_on_lifting():
    half = (0.2, 0.2, 0.05)

    def mesh(frame: int, subdivided: int) -> Collider:
        vertices, triangles = board(half, subdivided)
        return Collider("mesh", name="lift", vertices=vertices, triangles=triangles, position=place(frame))

    def place(frame: int) -> tuple[float, float, float]:
        return 0.6, 0.0, -0.061 + 0.005 * frame

    expected = lifted(lambda frame: mesh(frame, 1))
    assert expected > 0.15
    assert lifted(lambda frame: mesh(frame, 1 + frame % 2)) == pytest.approx(expected, abs=0.01)
    box = [lambda frame: Collider("box", half, "lift", place(frame)), lambda frame: mesh(frame, 1)]
    assert lifted(lambda frame: box[frame > 10](frame)) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("anchored", [True, False])
def test_what_becomes_another_kind_goes_as_its_anchor_does(anchored):
    """A table's origin is below its middle: as a mesh it stands there, as a box in the middle. What lies on it is not
    thrown, and is carried along."""
    half, (vertices, triangles) = (0.5, 0.5, 0.05), board((0.5, 0.5, 0.05), 1)
    low = np.array((0.0, 0.0, -2.0))

    def table(frame: int) -> Collider:
        origin = np.add(low, (0.01 * max(0, frame - 20), 0.0, 0.0))
        if frame == 24:
            return Collider("mesh", (), "table", origin, vertices=vertices - low, triangles=triangles)
        given = {"anchor": origin} if anchored else {}
        return Collider("box", half, "table", origin - low, **given)

    plant = Simulation(solid("ball", [0.05], friction=1.0))
    sample = Sample((0.0, 0.0, 0.1), cut=[1.0], colliders=[table(0)])
    plant.start(sample)
    highest = 0.0
    for frame in range(1, 30):
        plant.advance(replace(sample, colliders=[table(frame)]), FRAME)
        highest = max(highest, float(np.abs(plant.placed().velocity).max()))
    assert (highest < 0.3) == anchored
    assert not anchored or plant.rod_heads()[0, 2] == pytest.approx(0.1, abs=1e-4)


def test_a_deforming_mesh_goes_on_alike_where_it_is_restored_first():
    x, y = np.meshgrid(np.linspace(-0.5, 1.5, 24), np.linspace(-0.5, 0.5, 12), indexing="ij")
    corner = np.arange(24 * 12).reshape(24, 12)
    quads = [corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]]
    triangles = np.concatenate([np.stack([quads[a] for a in three], -1).reshape(-1, 3) for three in
                                ((0, 1, 2), (0, 2, 3))])  # fmt: skip

    def sample(frame: int) -> Sample:
        z = -0.02 + 0.05 * np.sin(4.0 * x + 0.3 * frame) * np.cos(3.0 * y + 0.2 * frame) + 0.002 * frame
        vertices = np.stack([x + 0.02 * np.sin(0.1 * frame + y), y, z], -1).reshape(-1, 3)
        return Sample(colliders=[Collider("mesh", name="sea", vertices=vertices, triangles=triangles)], cut=[1.0])

    model = discretize(rod(0.01), "base", segments=1)
    first = Simulation(model)
    first.start(Sample(cut=[1.0]))
    kept = {}
    for frame in range(1, 30):
        first.advance(sample(frame), FRAME)
        kept[frame] = snapshot_arrays(first.snapshot()), first.rod_tails()
    other = Simulation(model)
    other.start(sample(20))
    for begin in (20, 6, 13):
        other.restore(snapshot_from_arrays(other, kept[begin][0]))
        for frame in range(begin + 1, begin + 6):
            other.advance(sample(frame), FRAME)
            assert np.array_equal(other.rod_tails(), kept[frame][1])


def test_what_is_turned_and_stands_still_does_not_move():
    """Its turn in a frame is one by rounding; with it energy would be thought to come from outside."""
    ball = Collider("ball", (0.1,), position=(0.0, 0.0, 50.0), orientation=(0.7, 0.1, 0.5, 0.5))
    first = colliders_of([ball])
    assert not obstacles_between(first, colliders_of([ball], first), FRAME, 1).move()
    turned = replace(ball, orientation=(0.7, 0.1, 0.5, 0.5001))
    assert obstacles_between(first, colliders_of([turned], first), FRAME, 1).move()


@pytest.mark.parametrize("kind", [tuple, list, np.array])
def test_what_stands_is_the_same_whether_it_is_told_by_one_object_or_by_new_ones(kind):
    floor = Collider("box", (0.5, 0.5, 0.1), position=(0.3, 0.0, -0.15))
    states = []
    for new in (False, True):
        plant = Simulation(discretize(rod(), "base", segments=1))
        plant.start(Sample(colliders=[floor]))
        for frame in range(12):
            told = replace(floor, position=kind(floor.position)) if new else floor
            plant.advance(Sample(colliders=[told]), FRAME if frame < 6 else 0.5 * FRAME)
        states.append(plant.state.q)
    assert len(plant.contacts().rod)
    assert np.array_equal(*states)


def test_a_collider_whose_array_is_changed_in_place_has_moved():
    place, plant = np.array((0.6, 0.0, -0.3)), Simulation(discretize(rod(), "base", segments=1))
    colliders = [Collider("box", (0.1, 0.1, 0.05), position=place)]
    plant.start(Sample(colliders=colliders, gravity=(0.0, 0.0, 0.0)))
    for _ in range(3):
        advanced(plant, colliders)
    assert not len(plant.contacts().rod)
    for z in np.linspace(-0.3, 0.0, 24):
        place[2] = z
        advanced(plant, colliders)
    assert plant.rod_tails()[0, 2] > 0.05


def swung_through(by_vertices: bool, one_sided: bool, off: float) -> int:
    """A door of two triangles, one of them with its first corner at the hinge, swings at 12 rad/s through six free
    things, moved by so little (m): how many of them are behind it while they are within its rim."""
    rng, speed = np.random.default_rng(3), 12.0
    corners = np.array([(0.0, 0.0, -1.0), (1.0, 0.0, -1.0), (1.0, 0.0, 1.0), (0.0, 0.0, 1.0)])
    triangles = [(0, 2, 1), (3, 2, 0)]
    kinds = [("ball", [0.01]), ("capsule", [0.003, 0.08]), ("box", (0.06, 0.05, 0.003))]
    models = [solid(*kind, friction=0.3) for kind in kinds * 2]
    angle, far = rng.uniform(0.5, 1.5, size=6), rng.uniform(0.2, 0.7, size=6)
    places = np.stack([far * np.cos(angle), far * np.sin(angle), rng.uniform(-0.6, 0.6, size=6)], axis=1) + off
    turned = rng.normal(size=(6, 4))
    turned /= np.linalg.norm(turned, axis=1)[:, None]

    def world(frame: int) -> tuple[Sample, float]:
        at = -0.4 + speed * FRAME * max(0, frame - 2)
        turn = exponential(np.array([0.0, 0.0, at]))
        still = {"vertices": rotate(turn, corners)} if by_vertices else {"vertices": corners, "orientation": turn}
        door = Collider("mesh", (), "door", triangles=triangles, one_sided=one_sided, friction=0.3, **still)
        return Sample(places, turned, gravity=(0, 0, 0), colliders=[door], cut=np.ones(6)), at

    plants, gone, behind = Simulation(models), np.zeros(6, dtype=bool), 0
    plants.start(world(0)[0])
    for frame in range(1, 8):
        sample, at = world(frame)
        plants.advance(sample, FRAME)
        x = plants.placed().position
        gone |= (np.hypot(x[:, 0], x[:, 1]) > 0.85) | (np.abs(x[:, 2]) > 0.9)
        through = (x @ (-np.sin(at), np.cos(at), 0.0) < -1e-6) & (x @ (np.cos(at), np.sin(at), 0.0) > 0.0) & ~gone
        behind, gone = behind + int(through.sum()), gone | through
    assert gone.any()  # it has come past them
    return behind


@pytest.mark.parametrize("off", [0.0, 1e-15])
@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("by_vertices", [False, True])
def test_a_door_that_turns_takes_along_what_it_meets(by_vertices, one_sided, off):
    """From which side something came was told by a corner of the triangle, which had hardly moved at the hinge."""
    assert swung_through(by_vertices, one_sided, off) == 0
