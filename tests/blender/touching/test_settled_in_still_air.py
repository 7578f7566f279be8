# SPDX-License-Identifier: GPL-3.0-or-later
"""Wilted plants with blades lie on the ground in the first frame, where nothing blows."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, of_addon, primitive

LAST = 6


@pytest.mark.parametrize(("preset", "stiffness"), [("rose", 0.05), ("broad_leaf", 0.02)])
def test_what_has_collapsed_lies_still(fresh, run_operator, preset, stiffness):
    """Blades rise in wind only: still air leaves it all the patience there is to find where it lies."""
    bpy.context.scene.frame_end = LAST
    obj = plants.grow(preset)
    obj.plant_dynamics.stiffness_factor, obj.plant_dynamics.start = stiffness, "settled"
    bpy.context.scene.plant_dynamics.wind.source = "STILL"
    run_operator("add_ground")
    run_operator("play")
    places = plants.played(obj, range(1, LAST + 1))[..., :3, 3]
    start = of_addon(fresh, "dynamics.motion.sessions").session_of(obj).known.equilibrium
    assert start.residual < 1e-8
    assert not start.sways
    assert np.abs(places - places[0]).max() < 1e-4


@pytest.mark.full
@pytest.mark.slow
def test_what_hangs_over_a_rim_onto_a_box_lies_still(fresh, run_operator):
    """In the full form, for it takes a minute; the low roses below show the same.

    Leaves that friction holds in many places are left where they are, not thrown by what solves leave."""
    bpy.context.scene.frame_end = LAST
    obj = plants.grow("rose", pot=True)
    obj.plant_dynamics.stiffness_factor, obj.plant_dynamics.start = 0.02, "settled"
    bpy.context.scene.plant_dynamics.wind.source = "STILL"
    run_operator("add_ground")
    assert moves_over_box(fresh, run_operator, obj, (0.32, 0.2, 0.05), (0.16, 0.24, 0.024)) < 1e-3


def moves_over_box(fresh, run_operator, obj, place, size) -> float:
    """How far (m) a plant's bones go that has settled with a box of this size (m) in its way."""
    table = primitive("cube", "Table", size=1.0, location=place)
    table.scale = size
    collide(table)
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    places = plants.played(obj, range(1, LAST + 1))[..., :3, 3]
    assert of_addon(fresh, "dynamics.motion.sessions").session_of(obj).known.equilibrium.residual < 1e-8
    return float(np.abs(places - places[0]).max())


#: A rose with two leaves on a short stem, as the preset is built.
LOW_ROSE = """
let pieces = 6
let piece = 0.018
let r0 = 0.0030
material stem    young=8e8 poisson=0.3 density=950 damping=0.012
material petiole young=6e8 poisson=0.3 density=950 damping=0.02 twist=4.3
material leaf    young=8e7 poisson=0.3 density=800 damping=0.03 section=flat aspect=12 joint=0.6
material flower  young=2e8 poisson=0.3 density=700 damping=0.02

axiom: S(0)
S(n) : n < pieces && n % 3 == 2 -> P(n) [ &(52 - n) L(1.3 - 0.025*n) ] /(137.5) S(n+1)
S(n) : n < pieces -> P(n) S(n+1)
S(n) : n >= pieces -> F(piece, 0.0022) &(3) F(piece, 0.0021) &(4) F(piece, 0.0021) &(6) F(piece, 0.0022) &(6)
    ~Flower(0.040, 0.072, 0.003)
P(n) -> +(random(-2, 2)) &(random(-1.5, 1.5)) F(piece, r0 - 0.00003*n)
L(s) -> ~Petiole(0.035*s, 0.0010) &(8) O(s, 0.85) ~Petiole(0.026*s, 0.0008) &(10) O(s, 1)
    ~Petiole(0.018*s, 0.0006) &(12) ~Leaf(0.058*s, 0.038*s)
O(s, k) -> [ +(62) &(8) ~Leaf(0.046*s*k, 0.030*s*k) ] [ -(62) &(8) ~Leaf(0.046*s*k, 0.030*s*k) ]
"""


@pytest.mark.parametrize(
    ("stiffness", "place", "seed", "away"),
    [
        (0.02, (0.08, 0.0, 0.02), 2, 1e-4), (0.005, (0.1, 0.05, 0.03), 1, 5e-3),
        pytest.param(0.01, (0.05, 0.05, 0.04), 2, 5e-3, marks=pytest.mark.full),
    ],
)
def test_what_hangs_over_a_box_lies_still(fresh, run_operator, stiffness, place, seed, away):
    """Leaves that friction holds in many places are left where they are, not thrown by what solves leave: the limpest
    creep at most, which were 7 cm away."""
    bpy.context.scene.frame_end = LAST
    options = bpy.context.scene.plant_dynamics
    options.source, options.text, options.seed = "TEXT", bpy.data.texts.new("Rose"), seed
    options.text.from_string(LOW_ROSE)
    options.steps = 36
    run_operator("grow")
    obj = bpy.context.object
    obj.plant_dynamics.stiffness_factor, obj.plant_dynamics.start = stiffness, "settled"
    options.wind.source = "STILL"
    run_operator("add_ground")
    assert moves_over_box(fresh, run_operator, obj, place, (0.06, 0.08, 0.02)) < away
