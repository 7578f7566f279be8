# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies: how deep it sinks in, whether it stays on slopes, what carries it."""

import numpy as np
import pytest

from solver import Collider, Rods, Sample, Simulation, discretize, solid
from solver.math.rotations import rotate
from tests.oracles.models import beam
from tests.oracles.touching.lying import leaf
from tests.oracles.touching.resting import at_rest

G, FRAME = 9.81, 1.0 / 24.0


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        ("plane", 0), ("ball", 0), ("capsule", 0), ("one-sided mesh", 0), ("box", 0), ("mesh", 0),
        ("one-sided mesh", 10),
    ],
)  # fmt: skip
def test_what_rests_is_inside_by_a_hundredth_of_its_radius(kind, first):
    """Chains that fell across whatever there is, at any of their points."""
    assert max(at_rest(kind, seed) for seed in range(first, first + 10)) < 0.01


def deepest_of_strip(plant: Simulation, one: Collider) -> float:
    """How deep (of its radius) the only rod is in a solid, from many points of its middle surface."""
    shapes, placed = plant.model.shapes, plant.placed()
    t, s = (values.ravel()[:, None] for values in np.meshgrid(np.linspace(0.0, 1.0, 301), np.linspace(-1.0, 1.0, 41)))
    own = shapes.start[0] + t * (shapes.end[0] - shapes.start[0]) + s * shapes.side[0]
    points = placed.position[0] + rotate(placed.orientation[0], own)
    local = rotate(np.array(one.orientation) * (1.0, -1.0, -1.0, -1.0), points - one.position)
    size = np.array(one.size)
    if one.kind == "box":
        out = np.abs(local) - size
        distance = np.linalg.norm(np.maximum(out, 0.0), axis=1) + np.minimum(out.max(axis=1), 0.0)
    else:
        along = np.clip(local[:, 1], -size[1], size[1])
        distance = np.linalg.norm(local - along[:, None] * (0.0, 1.0, 0.0), axis=1) - size[0]
    return 1.0 - float(distance.min()) / float(shapes.radius[0, 0])


@pytest.mark.parametrize("blade_area", [0.0, 0.048])
@pytest.mark.parametrize(("degrees", "off"), [(90, 0.1), (60, 0.0), (60, 0.2), (45, 0.1), (30, 0.2)])
@pytest.mark.parametrize("kind", ["capsule", "box"])
def test_what_lies_askew_touches_where_it_does(kind, degrees, off, blade_area):
    """A rod and a blade on a hinge, over a level capsule or box that crosses below them at an angle and off its middle;
    the box's edges are what carries."""
    angle, radius = np.radians(degrees), 0.004
    along, turn = np.array((np.cos(angle), np.sin(angle), 0.0)), 0.5 * (angle - np.pi / 2.0)
    size = (0.05, 0.4) if kind == "capsule" else (0.05, 0.4, 0.05)
    one = Collider(
        kind, size, position=np.array((0.3, 0.0, -0.074 + 0.01)) + off * along,
        orientation=(np.cos(turn), 0.0, 0.0, np.sin(turn)), friction=0.5,
    )  # fmt: skip
    model = discretize(
        beam(1, 0.6, radius, density=600.0, stiffness=[[0.0, 1.0, 0.0]], joint_damping=0.02, friction=0.5,
             blade_area=blade_area),
        "base", segments=1,
    )  # fmt: skip
    plant = Simulation(model)
    plant.start(Sample(colliders=[one]))
    for _ in range(96):
        plant.advance(Sample(colliders=[one]), FRAME)
    assert len(plant.contacts().rod)
    assert abs(deepest_of_strip(plant, one)) < 0.02


@pytest.mark.parametrize("blade_area", [0.0, 0.048])
@pytest.mark.parametrize("degrees", [90, 60, 45])
def test_what_lies_askew_on_a_body_touches_where_it_does(degrees, blade_area):
    """The same on a capsule that is a body of its own, held in place."""
    angle, radius = np.radians(degrees), 0.004
    turn = 0.5 * (angle - np.pi / 2.0)
    place = np.array((0.3, 0.0, -0.084)) + 0.1 * np.array((np.cos(angle), np.sin(angle), 0.0))
    turned = (np.cos(turn), 0.0, 0.0, np.sin(turn))
    rod = beam(
        1, 0.6, radius, density=600.0, stiffness=[[0.0, 1.0, 0.0]], joint_damping=0.02, friction=0.5,
        blade_area=blade_area,
    )  # fmt: skip
    rod = discretize(rod, "base", segments=1)
    plant = Simulation([rod, solid("capsule", [0.05, 0.3], friction=0.5)], together=True)
    sample = Sample(
        base_position=[(0.0, 0.0, 0.0), place], base_orientation=[(1.0, 0.0, 0.0, 0.0), turned], touches_others=True,
        cut=[0.0, 0.0],
    )  # fmt: skip
    plant.start(sample)
    for _ in range(96):
        plant.advance(sample, FRAME)
    assert len(plant.contacts().rod)
    capsule = Collider("capsule", (0.05, 0.3), position=place, orientation=turned)
    assert abs(deepest_of_strip(plant, capsule)) < 0.02


@pytest.mark.parametrize(
    ("kind", "friction", "half"),
    [
        ("box", 0.5, (0.05, 0.04, 0.03)), ("box", 0.1, (0.5, 0.4, 0.1)), ("box", 0.3, (1.0, 0.8, 0.2)),
        ("blade", 0.5, ()),
    ],
)  # fmt: skip
def test_what_lies_on_a_slope_does_not_creep(kind, friction, half):
    """Half a degree below the angle at which it slips, for 10 s."""
    slope = np.arctan(friction) - np.radians(0.5)
    gravity = (G * np.sin(slope), 0.0, -G * np.cos(slope))
    model, height = leaf(friction), 1e-3
    if kind == "box":
        model, height = solid("box", half, friction=friction), half[2]
    sample = Sample((0.0, 0.0, height), gravity=gravity, cut=[1.0], colliders=[Collider("plane", friction=friction)])
    plant = Simulation(model)
    plant.start(sample)
    for _ in range(48):
        plant.advance(sample, FRAME)
    begun = plant.rod_heads()[0]
    for _ in range(240):
        plant.advance(sample, FRAME)
    assert np.abs(plant.rod_heads()[0] - begun).max() < 1e-5
    assert len(plant.contacts().rod) > 2


@pytest.mark.parametrize(("legs", "slope"), [(4, 0.0), (5, 0.0), (4, 0.2), (7, 0.2)])
def test_legs_that_carry_unequally_carry_all_of_the_weight(legs, slope):
    """A trunk on legs on whose one side more lies, on level ground or on a slope."""
    angles = 2.0 * np.pi * (np.arange(legs) + 0.2) / legs
    feet = 0.15 * np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    high = np.array((0.0, 0.0, 0.3105))
    down, level = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0), (np.sqrt(0.5), 0.0, 0.0, -np.sqrt(0.5))
    wide = [*[0.01] * (legs + 1), 0.02]
    rods = Rods(
        parent=[-1, *[0] * legs, 0], head=[high, *(feet + high), high], frame=[down, *[down] * legs, level],
        length=[0.1, *[0.3] * legs, 0.14], radius_base=wide, radius_tip=wide, young=1e8, density=700.0,
        damping_time=0.02, friction=0.6,
    )  # fmt: skip
    plant = Simulation(discretize(rods, "base", segments=1))
    gravity = (G * np.sin(slope), 0.0, -G * np.cos(slope))
    off = [1.0, *[0.0] * (legs + 1)]
    sample = Sample(colliders=[Collider("plane", friction=0.6)], gravity=gravity, cut=off)
    plant.start(sample)
    for _ in range(24 * 10):
        plant.advance(sample, FRAME)
    touched, weight = plant.contacts(), plant.model.bodies.mass.sum() * G
    normal = (touched.force * touched.normal).sum(axis=1)
    across = np.linalg.norm(touched.force - normal[:, None] * touched.normal, axis=1)
    assert normal.sum() == pytest.approx(weight * np.cos(slope), rel=1e-6)
    assert touched.force.sum(axis=0)[0] == pytest.approx(-weight * np.sin(slope), abs=1e-6 * weight)
    assert (across <= 0.6 * normal * (1.0 + 1e-9)).all()
    assert np.ptp(normal) > 0.05 * weight, "unequally"
    assert rotate(plant.rod_orientations()[0], np.array([0.0, 1.0, 0.0]))[2] < -0.9, "it stands"
