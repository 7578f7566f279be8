# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure Stress of a motion in which bones break or are cut: open joints bear nothing, and what breaks is told."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.breaking.coming_off import key_cut, module

LAST = 24


@pytest.fixture
def chain(fresh, run_operator):
    """Five horizontal bones at rest under their weight, that stay on each other's joints unless something opens one."""
    bpy.context.scene.frame_end = LAST
    obj = plants.chain(5)
    run_operator("make_dynamic")
    run_operator("disconnect_bones")
    obj.plant_dynamics.young_modulus, obj.plant_dynamics.damping_time = 2000.0, 0.02
    return obj


def stresses(fresh, obj, last=LAST):
    return module(fresh, "commands").stress(obj, last_frame=last)


@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("segments", [1, 3])
def test_nothing_bends_an_open_joint(fresh, chain, limited, segments):
    """What is cut off tumbles and falls: no bone is ever bent more than it was by the whole weight."""
    chain.plant_dynamics.use_bend_limit, chain.plant_dynamics.bend_limit = limited, 0.1
    chain.plant_dynamics.segments = segments
    at_rest = stresses(fresh, chain, 1)
    key_cut(chain, "Bone.2", 4)
    plants.key_location(chain, {4: (0, 0, 0), 5: (0, 0, 0.02)})  # it is turned as it comes off
    found = stresses(fresh, chain, LAST)
    assert found.largest[3] < 1.5 * at_rest.largest[3]
    assert found.largest[2] < 1.5 * at_rest.largest[2]
    assert found.would_break() == []


def breaking(obj, fibres):
    """The chain's base jerks upwards, by which its first bone breaks, as nothing but that has a strength."""
    obj.plant_dynamics.breaks, obj.plant_dynamics.fibres = True, fibres
    plants.key_location(obj, {6: (0, 0, 0), 10: (0, 0, 0.15)})


@pytest.mark.parametrize("fibres", [0.0, 0.1])
def test_what_breaks_is_told_with_its_frame(fresh, chain, fibres):
    """Though between two frames, and no more than its strength was ever read at one."""
    at_rest = 1e-6 * stresses(fresh, chain, 1).largest
    chain.data.bones["Bone.1"].plant_dynamics.strength = 1.3 * at_rest[1]
    breaking(chain, fibres)
    found = stresses(fresh, chain)
    session = module(fresh, "dynamics.motion.sessions").session_of(chain)
    (frame, bone, _), = session.breaks()
    assert (bone, 6 < frame < 12) == ("Bone.1", True)
    assert found.would_break() == ["Bone.1"]
    assert found.breaks[1] == frame
    assert found.largest[1] >= 1.3e6 * at_rest[1]
    assert found.told().startswith(f"Bones that would break: 1. First 'Bone.1' at frame {frame}")


def test_a_broken_bone_bears_what_its_fibres_do(fresh, chain):
    """Broken from the first frame on and hanging still: the weight of what hangs, at the angle at which it does."""
    chain.plant_dynamics.breaks, chain.plant_dynamics.fibres = True, 0.1
    whole = stresses(fresh, chain, 1).largest
    chain.data.bones["Bone.1"].plant_dynamics.strength = 0.5e-6 * whole[1]
    found = stresses(fresh, chain, 60)
    assert found.would_break() == ["Bone.1"]
    assert found.largest[1] < 2.0 * whole[1]
    assert np.isfinite(found.largest).all()


def test_a_cut_is_no_break(fresh, chain):
    """Also when its key is off again, for what has come off stays so."""
    chain.plant_dynamics.breaks = True
    chain.data.bones["Bone.2"].plant_dynamics.strength = 1e3
    bone = chain.pose.bones["Bone.2"]
    for frame, cut in ((1, False), (4, True), (8, False)):
        bone.plant_dynamics_cut = cut
        bone.keyframe_insert("plant_dynamics_cut", frame=frame)
    found = stresses(fresh, chain)
    assert module(fresh, "dynamics.motion.sessions").session_of(chain).breaks() == [(4, "Bone.2", 2)]
    assert found.would_break() == []
    assert found.nearest() == "Bone.2"
