# SPDX-License-Identifier: GPL-3.0-or-later
"""Ties between plants made, undone and lost while these are live: what is shown is what is baked then."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon
from tests.blender.scenes.guides.tied_plants import FRAMES, gap, gaps, go_live, key_base


def shown(objects):
    plants.show(1)  # what has changed is read at the first frame
    return [plants.played(obj, FRAMES) for obj in objects]


@pytest.fixture
def bakes_as_shown(select_only, run_operator):
    def check(objects):
        before = shown(objects)
        select_only(*objects)
        run_operator("bake", plants="SELECTED")
        for obj, poses in zip(objects, before, strict=True):
            assert np.abs(plants.played(obj, FRAMES) - poses).max() < 1e-5

    return check


def test_a_tie_that_is_made_holds_at_once(both, select_only, run_operator, bakes_as_shown):
    key_base(both[1])
    go_live()
    shown(both)
    select_only(*both)
    both[0].data.bones.active = both[0].data.bones["Bone.4"]
    run_operator("add_tie")
    load = both[0].plant_dynamics.loads[0]
    load.other_bone, load.other_along = "Bone.3", 1.0
    assert gaps(*both) < 1e-5
    bakes_as_shown(both)


def test_a_tie_that_is_removed_leaves_both_as_alone(tied, select_only, run_operator, bakes_as_shown):
    key_base(tied[1])
    go_live()
    shown(tied)
    select_only(tied[0])
    run_operator("remove_load")
    plants.show(1)
    assert gap(*tied) > 0.05
    bakes_as_shown(tied)


def test_the_plant_with_the_tie_is_deleted(tied, bakes_as_shown):
    key_base(tied[1])
    go_live()
    shown(tied)
    bpy.data.objects.remove(tied[0])
    plants.show(1)
    bakes_as_shown(tied[1:])


def test_the_other_is_no_plant_any_more_and_is_one_again(tied, select_only, run_operator, bakes_as_shown):
    go_live()
    shown(tied)
    select_only(tied[1])
    run_operator("remove_dynamics")
    stood = plants.matrices(tied[1])
    assert gaps(*tied) < 1e-5
    assert (plants.matrices(tied[1]) == stood).all()
    run_operator("make_dynamic")
    tied[1].plant_dynamics.stiffness_factor = tied[0].plant_dynamics.stiffness_factor
    go_live()
    assert gaps(*tied) < 1e-5
    bakes_as_shown(tied)


def test_undo_of_a_deletion_ties_again(tied):
    bpy.ops.ed.undo_push(message="Tied")
    go_live()
    before = shown(tied)
    bpy.ops.ed.undo_push(message="Played")
    bpy.data.objects.remove(tied[1])
    bpy.ops.ed.undo_push(message="Deleted")
    plants.show(5)
    bpy.ops.ed.undo()
    again = [bpy.data.objects[name] for name in ("Vine", "Stake")]
    assert all((now == poses).all() for now, poses in zip(shown(again), before, strict=True))


def test_the_mouse_on_one_draws_the_other(fresh, tied):
    go_live()
    before = shown(tied)
    pull = of_addon(fresh, "dynamics.surroundings.samples").Pull(3, 1.0, (0.2, 0.3, 0.0), 50.0)
    of_addon(fresh, "dynamics.motion.sessions").session_of(tied[1]).hold(pull, 3)
    after = shown(tied)
    assert all(np.abs(now - poses)[3:].max() > 1e-3 for now, poses in zip(after, before, strict=True))
    assert gaps(*tied) < 1e-5


def test_a_copy_of_both_is_tied_to_its_copy(tied, select_only):
    select_only(*tied)
    bpy.ops.object.duplicate()
    copies = [bpy.data.objects[f"{obj.name}.001"] for obj in tied]
    assert copies[0].plant_dynamics.loads[0].other_object == copies[1]


def test_it_is_tied_to_itself_and_to_another(tied):
    load = tied[0].plant_dynamics.loads.add()
    load.kind, load.bone, load.other_bone = "TIE", "Bone.1", "Bone.3"
    go_live()
    assert gaps(*tied) < 1e-5
    assert gap(tied[0], tied[0], "Bone.1", "Bone.3") < 1e-5


def test_a_posed_armature_that_hangs_on_the_plant_is_refused(tied):
    hand = plants.chain(1, name="Hand")
    constraint = hand.pose.bones["Bone.0"].constraints.new("COPY_LOCATION")
    constraint.target, constraint.subtarget = tied[0], "Bone.2"
    load = tied[0].plant_dynamics.loads[0]
    load.other_object, load.other_bone = hand, "Bone.0"
    with pytest.raises(RuntimeError, match="'Hand', which it is tied to, follows bone 'Bone"):
        go_live()
