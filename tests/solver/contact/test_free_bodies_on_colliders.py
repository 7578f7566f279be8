# SPDX-License-Identifier: GPL-3.0-or-later
"""What nothing holds, on slopes and on legs, against closed forms."""

import numpy as np
import pytest

from solver import Collider, Rods, Sample, Settings, Simulation, discretize, solid
from solver.math.rotations import from_matrices
from tests.forms import IS_FULL
from tests.oracles.models import binary_tree
from tests.oracles.touching.ground import flat_mesh
from tests.oracles.touching.lying import leaf

G, FRAME, STRAIGHT = 9.81, 1.0 / 24.0, (1.0, 0.0, 0.0, 0.0)


def ball(radius=0.05, mass=0.4, friction=0.9) -> Rods:
    """One that rests on the origin, as a rod without length and with a ball's inertia."""
    inertia = 0.4 * mass * radius**2
    return Rods(
        parent=[-1], head=[(0.0, 0.0, radius)], frame=[(1.0, 0.0, 0.0, 0.0)], length=1e-6, radius_base=radius,
        radius_tip=radius, young=1e9, density=500.0, mass=mass, com=[(0.0, 0.0, 0.0)], inertia=[(inertia,) * 3],
        friction=friction,
    )  # fmt: skip


@pytest.mark.parametrize("degrees", [5.0, 15.0, 25.0])
def test_a_ball_rolls_down_with_five_sevenths(degrees):
    angle = np.radians(degrees)
    gravity = (G * np.sin(angle), 0.0, -G * np.cos(angle))
    sample = Sample(gravity=gravity, colliders=[Collider("plane", friction=0.9)], cut=[1.0])
    plant = Simulation(discretize(ball(), "base", segments=1))
    plant.start(sample)
    speeds = []
    for _ in range(24):
        plant.advance(sample, FRAME)
        speeds.append(plant.placed().velocity[0, 0])
    gained = (speeds[-1] - speeds[5]) / (18 * FRAME)
    assert gained == pytest.approx(5 / 7 * G * np.sin(angle), rel=0.005)
    turning = plant.placed().omega[0, 1] * 0.05
    assert turning == pytest.approx(speeds[-1], rel=0.005)


def tilts(kind: str, size: float, length: float, tilt: float, seconds: float) -> np.ndarray:
    """How a loose twig that lies across the top of something round tilts (rad), frame by frame, from so much."""
    radius = 0.002
    up, along = np.array((np.sin(tilt), 0.0, np.cos(tilt))), np.array((np.cos(tilt), 0.0, -np.sin(tilt)))
    frame = from_matrices(np.column_stack([np.cross(along, up), along, up])[None])
    twig = Rods(
        parent=[-1], head=[(size + radius) * up - (size * tilt + 0.5 * length) * along], frame=frame, length=length,
        radius_base=radius, radius_tip=radius, young=1e9, density=500.0, friction=4.0,
    )  # fmt: skip
    thing = Collider(kind, size=size if kind == "ball" else (size, 1.0), friction=4.0)
    sample = Sample(gravity=(0.0, 0.0, -G), colliders=[thing], cut=[1.0])
    plant = Simulation(discretize(twig, "base", segments=1))
    plant.start(sample)
    found = []
    for _ in range(round(seconds / FRAME)):
        plant.advance(sample, FRAME)
        found.append((plant.rod_heads()[0] - plant.rod_tails()[0])[2] / length)
    return np.arcsin(found)


def test_a_twig_rocks_on_something_round_in_its_time():
    """Rolling without slip: (I + m a^2) tilt'' = -m g (R - a) tilt, of a twig of radius a on one of radius R."""
    size, length, radius = 0.05, 0.4, 0.002
    inertia = (length**2 + 3.0 * radius**2) / 12.0 + radius**2
    period = 2.0 * np.pi * np.sqrt(inertia / (G * (size - radius)))
    found = tilts("capsule", size, length, 0.02, 4.0 * period)
    crossed = np.flatnonzero(found[1:] * found[:-1] < 0.0)
    times = crossed + 1.0 + found[crossed] / (found[crossed] - found[crossed + 1])
    assert len(times) >= 7
    assert 2.0 * FRAME * np.diff(times).mean() == pytest.approx(period, rel=0.01)
    assert np.abs(found).max() < 0.0205


@pytest.mark.parametrize("kind", ["ball", "capsule"])
def test_a_twig_on_something_large_comes_to_rest(kind):
    """Where it touches slides by 3 mm for each mrad that it tilts, which a solve must know or it rocks for good."""
    assert np.abs(tilts(kind, 3.0, 0.03, 0.001, 2.0)[-12:]).max() < 1e-5


@pytest.mark.parametrize("legs", [4, 6])
def test_what_stands_on_its_legs_is_carried_by_them(legs):
    """A trunk on stiff legs, dropped by a hair: their normal forces add up to its weight, and friction is within its
    cones."""
    angles = 2.0 * np.pi * np.arange(legs) / legs
    down = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)
    feet = 0.15 * np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    heads = [(0.0, 0.0, 0.3105), *np.add(feet, (0.0, 0.0, 0.3105))]
    rods = Rods(
        parent=[-1, *[0] * legs], head=heads, frame=[(np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0), *[down] * legs],
        length=[0.2, *[0.3] * legs], radius_base=0.01, radius_tip=0.01, young=1e8, density=700.0, damping_time=0.02,
        friction=0.6,
    )  # fmt: skip
    plant = Simulation(discretize(rods, "base", segments=1))
    sample = Sample(colliders=[Collider("plane", friction=0.6)], cut=[1.0, *[0.0] * legs])
    plant.start(sample)
    for _ in range(24 * 8):
        plant.advance(sample, FRAME)
    touched, weight = plant.contacts(), plant.model.bodies.mass.sum() * G
    assert set(touched.rod.tolist()) == set(range(1, legs + 1))
    normal = (touched.force * touched.normal).sum(axis=1)
    across = np.linalg.norm(touched.force - normal[:, None] * touched.normal, axis=1)
    assert normal.sum() == pytest.approx(weight, rel=1e-6)
    assert (across <= 0.6 * normal * (1.0 + 1e-9)).all()
    sunk = 0.01 - plant.rod_tails()[1:, 2]
    assert (sunk > 0.0).all()
    assert sunk.max() < 0.01 * 0.01
    assert plant.energy().kinetic < 1e-12


def test_what_has_a_margin_stays_so_far_away():
    rods = ball()
    rods.margin[:] = 0.02
    plant = Simulation(discretize(rods, "base", segments=1))
    sample = Sample(colliders=[Collider("plane")], cut=[1.0], base_position=(0.0, 0.0, 0.03))
    plant.start(sample)
    for _ in range(48):
        plant.advance(sample, FRAME)
    assert plant.rod_heads()[0, 2] == pytest.approx(0.07, abs=0.01 * 0.07)


LYING = (0.5**0.5, 0.0, 0.5**0.5, 0.0)


def lying(kind: str):
    """Something that nothing holds, and where it is let go above level ground."""
    if kind == "block":
        return solid("box", (0.05, 0.04, 0.03), friction=0.5), (0.013, 0.017, 0.03), (1.0, 0.0, 0.0, 0.0)
    if kind == "tree":
        return discretize(binary_tree(2, 4, 0.003, 1e9, damping_time=0.02, friction=0.5)), (0.013, 0.017, 0.05), LYING
    return leaf(), (0.013, 0.017, 1e-3), (0.5**0.5, 0.0, 0.0, -(0.5**0.5))


def on_ground(kind: str, ground, gravity, frames: int, belt: float = 0.0, settled: int = 48):
    """Let it come to rest, and then go on; the ground moves along x by so much (m) a frame from then on. Gives the mean
    velocity (m/s) along x, and how far (m) heads have come since."""
    model, place, orientation = lying(kind)
    plant, cut = Simulation(model), [1.0] + [0.0] * (model.rod_count - 1)
    mass, begun = model.bodies.mass, None
    for frame in range(settled + frames + 1):
        way = belt * max(0, frame - settled)
        stands = {"base_position": place, "base_orientation": orientation}
        sample = Sample(**stands, gravity=gravity, cut=cut, colliders=[ground((way, 0.0, 0.0))])
        if frame == 0:
            plant.start(sample)
        else:
            plant.advance(sample, FRAME)
        if frame == settled:
            begun = plant.rod_heads()
    speed = float((plant.placed().velocity[:, 0] * mass).sum() / mass.sum())
    return speed, float(np.abs(plant.rod_heads() - begun).max())


def grounds(pitch: float, off: float = 0.0):
    """A flat mesh of that pitch, all of whose vertices are off by so much (m); or a plane, of no pitch."""
    if pitch == 0.0:
        return lambda place: Collider("plane", name="ground", friction=0.5, position=place)
    given = flat_mesh(2.0, pitch)
    given["vertices"] = given["vertices"] + off
    return lambda place: Collider("mesh", name="ground", friction=0.5, position=place, **given)


@pytest.mark.parametrize("off", [0.0, 1e-15] if IS_FULL else [1e-15])
@pytest.mark.parametrize("pitch", [4.0, 0.2, 0.05])
@pytest.mark.parametrize("kind", ["block", "leaf", "tree"])
def test_what_lies_on_a_flat_mesh_below_coulombs_angle_stays(kind, pitch, off):
    """Wherever its points are over edges inside the ground."""
    angle = np.arctan(0.5) - np.radians(0.5)
    gravity = (G * np.sin(angle), 0.0, -G * np.cos(angle))
    _, way = on_ground(kind, grounds(pitch, off), gravity, 240)
    assert way < 1e-5


@pytest.mark.parametrize("pitch", [0.0, 4.0, 0.2, 0.05])
@pytest.mark.parametrize("kind", ["block", "leaf", "tree"])
def test_a_belt_carries_as_friction_does(kind, pitch):
    """It goes at 4 m/s, and what lies on it is accelerated by mu g: edges that are crossed give nothing else."""
    speed, _ = on_ground(kind, grounds(pitch), (0.0, 0.0, -G), 8, 4.0 * FRAME)
    assert speed == pytest.approx(0.5 * G * 8 * FRAME, rel=0.01)


def sloped(degrees: float) -> tuple[float, float, float]:
    """Gravity on a slope so much steeper than what friction of 0.5 holds."""
    slope = np.arctan(0.5) + np.radians(degrees)
    return G * np.sin(slope), 0.0, -G * np.cos(slope)


@pytest.mark.parametrize("half", [(0.5, 0.3, 0.1), (3.0, 1.0, 0.2)])
@pytest.mark.parametrize("kind", ["block", "leaf"])
def test_what_lies_on_a_held_crate_slips_beyond_coulombs_angle_only(kind, half):
    """However much lighter it is. Half a degree below it stays; the crate is tilted until it is half a degree above,
    and 5: it slips with g (sin - mu cos)."""
    body, (x, y, up), turn = lying(kind)
    plant = Simulation([solid("box", half), body], together=True)
    lies = {"base_position": [(0.0, 0.0, 0.0), (x, y, half[2] + up)], "base_orientation": [(1.0, 0.0, 0.0, 0.0), turn]}
    below = Sample(**lies, gravity=sloped(-0.5), touches_others=True, cut=[0.0, 1.0])
    plant.start(below)
    for frame in range(168):
        plant.advance(below, FRAME)
        if frame == 48:
            stays = plant.rod_heads()[1]
    assert np.abs(plant.rod_heads()[1] - stays).max() < 1e-5
    for degrees in (0.5, 5.0):
        above = Sample(**lies, gravity=sloped(degrees), touches_others=True, cut=[0.0, 1.0])
        for frame in range(12):
            plant.advance(above, FRAME)
            if frame == 3:
                begun = plant.placed().velocity[1, 0]
        slides = above.gravity[0] + 0.5 * above.gravity[2]
        assert plant.placed().velocity[1, 0] - begun == pytest.approx(slides * 8 * FRAME, rel=1e-3)


@pytest.mark.parametrize("degrees", [-0.5, 3.0])
@pytest.mark.parametrize("kind", ["block", "leaf"])
def test_what_lies_across_two_rails_slips_along_them_beyond_coulombs_angle_only(kind, degrees):
    """Of a leaf two edges cross each of them, wherever they are."""
    body, (x, _, up), turn = lying(kind)
    rail, along = solid("capsule", (0.02, 3.0)), (0.5**0.5, 0.0, 0.0, -(0.5**0.5))
    turn, aside = (STRAIGHT, -0.04) if kind == "leaf" else (turn, 0.003)
    plant = Simulation([rail, rail, body], together=True)
    sample = Sample(
        [(0.0, -0.025, 0.0), (0.0, 0.025, 0.0), (x, aside, 0.02 + up)], base_orientation=[along, along, turn],
        gravity=sloped(degrees), touches_others=True, cut=[0.0, 0.0, 1.0],
    )  # fmt: skip
    plant.start(sample)
    speeds = []
    for _ in range(24):
        plant.advance(sample, FRAME)
        speeds.append(plant.placed().velocity[2, 0])
    slides = max(0.0, sample.gravity[0] + 0.5 * sample.gravity[2])
    assert speeds[23] - speeds[7] == pytest.approx(slides * 16 * FRAME, rel=1e-3, abs=1e-6)


@pytest.mark.parametrize("degrees", [3.0, 10.0] if IS_FULL else [3.0])
@pytest.mark.parametrize("yaw", [0.1, 0.4, 0.8])
@pytest.mark.parametrize(("radius", "aside"), [(0.005, 0.013), (0.005, 0.017), (0.02, 0.017), (0.02, 0.025)])
def test_a_leaf_slides_along_rails_however_it_is_turned(radius, aside, yaw, degrees):
    """Corners that it has beside them, and edges that do not cross them where they are nearest, are no points of it."""
    rail, along = solid("capsule", (radius, 3.0)), (0.5**0.5, 0.0, 0.0, -(0.5**0.5))
    turn = (np.cos(0.5 * yaw), 0.0, 0.0, np.sin(0.5 * yaw))
    plant = Simulation([rail, rail, leaf()], together=True)
    sample = Sample(
        [(0.0, -aside, 0.0), (0.0, aside, 0.0), (0.04 * np.sin(yaw), -0.04 * np.cos(yaw), radius + 0.001)],
        base_orientation=[along, along, turn], gravity=sloped(degrees), touches_others=True, cut=[0.0, 0.0, 1.0],
    )  # fmt: skip
    plant.start(sample)
    speeds = []
    for _ in range(36):
        plant.advance(sample, FRAME)
        speeds.append(plant.placed().velocity[2, 0])
    slides = sample.gravity[0] + 0.5 * sample.gravity[2]
    assert speeds[35] - speeds[11] == pytest.approx(slides * 24 * FRAME, rel=1e-3)


def test_sliding_over_the_faces_of_a_mesh_is_of_second_order():
    """A clamped chain that friction with a flat mesh brakes as it swings."""
    sample = Sample(gravity=(1.0, -G * 0.3, -G * 0.9), colliders=[grounds(0.05)((0.0, 0.0, 0.0))])
    rods = Rods(
        parent=[-1, 0, 1], head=np.arange(3)[:, None] * np.array((0.1, 0.0, 0.0)) + (0.013, 0.017, 0.0051),
        frame=[(0.5**0.5, 0.0, 0.0, -(0.5**0.5))] * 3, length=0.1, radius_base=0.005, radius_tip=0.005, young=1e7,
        density=500.0, friction=0.1, damping_time=0.01,
    )  # fmt: skip
    model, ends = discretize(rods, "base", segments=1), []
    first = Simulation(model, Settings(max_step=1 / 7680))
    first.start(sample)
    for _ in range(2):
        first.advance(sample, FRAME)
    for step in (1 / 480, 1 / 960, 1 / 1920, 1 / 3840):
        plant = Simulation(model, Settings(max_step=step, tolerance=1.0, newton_tolerance=1e-9))
        plant.restore(first.snapshot())
        for _ in range(2):
            plant.advance(sample, FRAME)
        assert len(plant.contacts().rod) > 0
        ends.append(plant.rod_tails()[-1])
    away = np.linalg.norm(np.diff(ends, axis=0), axis=1)
    assert (np.log2(away[:-1] / away[1:]) > 1.9).all()


def test_what_lies_along_an_edge_is_borne_at_its_ends_whatever_the_last_digit():
    """The point in between, where two edges run side by side, would come and go by how little they sink in. Where it
    begins it is not quite known whether it sticks at first."""
    rail, along = solid("capsule", (0.02, 3.0)), (0.5**0.5, 0.0, 0.0, -(0.5**0.5))
    gained = []
    for off in (0.0, 1e-15, -1e-15):
        plant = Simulation([rail, rail, leaf()], together=True)
        sample = Sample(
            [(0.0, -0.025, 0.0), (0.0, 0.025, 0.0), (off, -0.04, 0.021 + off)],
            base_orientation=[along, along, STRAIGHT], gravity=sloped(3.0), touches_others=True, cut=[0.0, 0.0, 1.0],
        )  # fmt: skip
        plant.start(sample)
        speeds = []
        for _ in range(24):
            plant.advance(sample, FRAME)
            assert len(plant.contacts().rod) == 8  # of both edges with both rails, told by either body
            speeds.append(plant.placed().velocity[2])
        gained.append(speeds[23] - speeds[3])
    assert np.abs(np.subtract(gained, gained[0])).max() < 1e-4 * gained[0][0]
