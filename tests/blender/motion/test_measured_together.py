# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured of a plant that goes with others, and with what it moves, is of the motion that is seen."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes.collider_scenes import of_addon, plant, primitive

LAST = 16


@pytest.fixture
def both(fresh, run_operator, select_only):
    """A chain on which a heavy ball falls that another plant moves, which comes first in the simulation."""
    bpy.context.scene.frame_end = LAST
    above = plant(run_operator, count=2, height=2.0)
    above.name, ball = "Above", primitive("uv_sphere", "Ball", radius=0.03, location=(0.35, 0.0, 0.36))
    select_only(above, ball)
    run_operator("move_with_plant")
    obj = plant(run_operator)
    select_only(obj)
    for one in (above, obj):
        settings = one.plant_dynamics
        settings.contact.others, settings.start, settings.stiffness_factor = True, "settled", 1.0
    return obj, above


def as_seen(fresh, obj):
    """(frames, rods) Pa and (frames, 3) m: stresses and the last bone's end, of the very simulation that is shown."""
    solver = importlib.import_module(f"{fresh.__name__}.solver")
    session = of_addon(fresh, "dynamics.motion.sessions").session_of(obj)
    own, k = session.plant, session.course.sessions.index(session)
    before = [one.plant for one in session.course.sessions[:k]]
    bodies = sum(one.model.body_count + len(one.things) for one in before)
    rods = sum(one.model.rod_count + len(one.things) for one in before)
    moduli = np.concatenate([solver.section_moduli(*pair) for pair in zip(own.parts, own.models, strict=True)])
    stresses, tips = [], []
    for index in range(LAST):
        simulation = session.brought_to(index)
        moments = simulation.bending_moments()[bodies : bodies + own.model.body_count]
        stresses.append(solver.rod_stresses(own.model, moments, moduli))
        tips.append(simulation.rod_tails()[rods + own.model.rod_count - 1])
    return np.array(stresses), np.array(tips)


def test_stress_is_that_of_the_motion_that_is_seen(fresh, both):
    """By the ball and at the frames at which it acts, of both plants."""
    obj, above = both
    at_rest = of_addon(fresh, "commands").stress(obj, last_frame=1).largest
    for one in (above, obj):
        found = of_addon(fresh, "commands").stress(one, last_frame=LAST)
        stresses, _ = as_seen(fresh, one)
        assert found.largest == pytest.approx(stresses.max(axis=0), rel=1e-9)
        assert found.frame.tolist() == (1 + stresses.argmax(axis=0)).tolist()
    assert found.largest[0] > 2.0 * at_rest[0]


def test_the_table_of_a_motion_is_of_what_is_seen(fresh, both):
    obj, above = both
    for one, name in ((above, "Bone.1"), (obj, "Bone.3")):
        motion = of_addon(fresh, "commands").simulate(one)
        assert (motion.bone, len(motion.frames)) == (name, LAST)
        assert motion.tip == pytest.approx(as_seen(fresh, one)[1], abs=1e-9)
        session = of_addon(fresh, "dynamics.motion.sessions").session_of(one)
        known = [frame.pushes for frame in session.known.frames]
        assert motion.contact == pytest.approx(np.array(known), rel=1e-9, abs=1e-12)
    assert motion.contact.max() > 0.0
