# SPDX-License-Identifier: GPL-3.0-or-later
"""An edit of a keyed value stays until the frame changes, as everywhere in Blender, while the live plant is shown
again."""

from itertools import chain

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import busy_plant, module

FRAME = 12

heard = []


@pytest.fixture(scope="module", autouse=True)
def listener(addon):
    """Hears of every edit that the window's timer would show."""
    module(addon, "changes").listen_to_inputs(lambda: heard.append(True))


@pytest.fixture
def busy(fresh, run_operator):
    """A live plant on which everything acts that can be animated, at a frame in the middle."""
    obj = busy_plant()
    for frame, share in ((1, 1.0), (30, 0.5)):
        obj.plant_dynamics.stiffness_factor = obj.plant_dynamics.gravity_factor = share
        obj.keyframe_insert("plant_dynamics.stiffness_factor", frame=frame)
        obj.keyframe_insert("plant_dynamics.gravity_factor", frame=frame)
    obj["mine"] = 1.0
    obj.keyframe_insert('["mine"]', frame=1)
    run_operator("play")
    plants.show(FRAME)
    return obj


def shown_again(addon):
    """What the window's timer does once the depsgraph has told of an edit; how often it would be done again."""
    live = module(addon, "dynamics.live.live")
    bpy.context.view_layer.update()
    heard.clear()
    live.show_now()
    bpy.context.view_layer.update()
    return len(heard)


def settings(obj):
    pull, twist = obj.plant_dynamics.loads
    return [
        (pull, "influence", 0.25), (twist, "influence", 0.75), (obj.plant_dynamics, "stiffness_factor", 2.0),
        (obj.plant_dynamics, "gravity_factor", 0.125), (bpy.context.scene.plant_dynamics.wind, "speed", 9.0),
        (obj, "location", (1.0, 2.0, 3.0)), (pull.target, "location", (0.5, 0.25, 0.125)),
    ]  # fmt: skip


@pytest.mark.parametrize("which", range(7))
def test_an_edit_that_is_not_keyed_stays_until_the_frame_changes(fresh, busy, which):
    owner, name, value = settings(busy)[which]
    keyed = np.array(getattr(owner, name))
    setattr(owner, name, value)
    for _ in range(3):
        assert shown_again(fresh) == 0, "it goes round and round"
        assert np.array_equal(getattr(owner, name), value)
    plants.show(FRAME)
    assert np.allclose(getattr(owner, name), keyed)


def test_an_edit_elsewhere_stays_when_something_without_keys_is_set(fresh, busy):
    handle = busy.plant_dynamics.loads[0].target
    handle.location, busy["mine"] = (0.5, 0.25, 0.125), 7.0
    bpy.context.view_layer.update()
    busy.plant_dynamics.loads[0].stiffness = 7.0
    shown_again(fresh)
    assert tuple(handle.location) == (0.5, 0.25, 0.125)
    assert busy["mine"] == 7.0


def test_what_is_keyed_then_is_what_was_set(fresh, busy, run_operator):
    load = busy.plant_dynamics.loads[0]
    load.influence = 0.0
    shown_again(fresh)
    load.keyframe_insert("influence", frame=FRAME)
    bpy.context.view_layer.update()
    plants.show(FRAME)
    assert load.influence == 0.0
    moved = plants.played(busy, range(1, 31))
    run_operator("reset")
    run_operator("play")
    assert np.array_equal(plants.played(busy, range(1, 31)), moved)


def test_edits_that_are_not_keyed_are_no_part_of_the_motion(fresh, busy):
    motion = plants.played(busy, range(1, 31))
    plants.show(FRAME)
    busy.plant_dynamics.stiffness_factor = 3.0
    shown_again(fresh)
    assert np.array_equal(plants.played(busy, range(FRAME + 1, 31)), motion[FRAME:])


def test_the_simulated_pose_itself_is_new(fresh, busy):
    before = plants.matrices(busy)
    busy.plant_dynamics.loads[0].stiffness = 5.0
    shown_again(fresh)
    assert np.abs(plants.matrices(busy) - before).max() > 1e-4


NAMES = ["arm.ik", "a[0]", 'q"x', "back\\slash", "]", '["x"]', "x.L", "two\nlines"]


def key(name):
    return f'["{bpy.utils.escape_identifier(name)}"]'


@pytest.mark.parametrize("name", NAMES)
def test_custom_properties_may_have_any_name(fresh, busy, name):
    bone = busy.pose.bones[0]
    bone.name = 'a.["L'
    owners = [busy, busy.data, bone]
    for owner in owners:
        owner[name] = 1.0
        assert owner.keyframe_insert(key(name), frame=1)
    plants.show(FRAME)
    there = [set(owner.keys()) for owner in owners]
    for owner in owners:
        owner[name] = 3.1
    for _ in range(2):
        assert shown_again(fresh) == 0
        assert [owner[name] for owner in owners] == [3.1] * 3
    assert [set(owner.keys()) for owner in owners] == there, "nothing is created"
    plants.show(FRAME)
    assert [owner[name] for owner in owners] == [1.0] * 3


@pytest.mark.parametrize(
    ("before", "edited"), [([1.0, 2.0, 3.0], [4.0, 5.0, 6.5]), ([1, 2], [3, 4]), ([True, False], [False, True]), (1, 2)]
)
def test_custom_properties_keep_their_kind(fresh, busy, before, edited):
    busy["a.L"] = before
    busy.id_properties_ui("a.L").update(description="mine")
    busy.keyframe_insert('["a.L"]', frame=1)
    plants.show(FRAME)
    kind = type(busy["a.L"])
    busy["a.L"] = edited
    shown_again(fresh)
    assert type(busy["a.L"]) is kind
    assert np.array_equal(busy["a.L"], edited)
    assert busy.id_properties_ui("a.L").as_dict()["description"] == "mine"


def test_a_choice_stays_a_number(fresh, busy):
    busy["which"] = 0
    busy.id_properties_ui("which").update(items=[("a", "A", "", 0), ("b", "B", "", 1)])
    busy.keyframe_insert('["which"]', frame=1)
    plants.show(FRAME)
    busy["which"] = 1
    shown_again(fresh)
    assert busy["which"] == 1


def test_paths_lead_through_names_of_any_kind(fresh, busy):
    mesh = bpy.data.objects.new("mesh", bpy.data.meshes.new("mesh"))
    bpy.context.scene.collection.objects.link(mesh)
    mesh.shape_key_add(name="base")
    shape = mesh.shape_key_add(name='s.h["a"]')
    modifier = mesh.modifiers.new("m.[0].x", "WAVE")
    constraint = mesh.constraints.new("COPY_LOCATION")
    constraint.name = "c[1].y"
    constraint.target = busy
    values = [(shape, "value", 0.25), (modifier, "height", 0.75), (constraint, "influence", 0.5)]
    for owner, name, _ in values:
        assert owner.keyframe_insert(name, frame=1)
    plants.show(FRAME)
    for owner, name, value in values:
        setattr(owner, name, value)
    shown_again(fresh)
    assert [getattr(owner, name) for owner, name, _ in values] == [value for *_, value in values]


def test_one_edit_that_cannot_be_put_back_keeps_no_other(fresh, busy):
    """Curves to what is no property, to one number of an array, and to what is gone when the frame is shown."""
    unkeyed, fcurves = module(fresh, "dynamics.live.unkeyed"), module(fresh, "blender.fcurves")
    curve_lists, slot_of = fcurves.curve_lists, fcurves.slot_of
    handle = busy.plant_dynamics.loads[0].target
    odd = ["data", "modifiers", "location[1]", '["arr"][1]', '["gone"]', '["', "nothing", "name", "matrix_world"]
    for owner in (busy, handle):
        owner["gone"], owner["arr"] = 1.0, [1.0, 2.0]
        for number, path in enumerate(odd):
            owner[f"odd {number}"] = 1.0
            assert owner.keyframe_insert(f'["odd {number}"]', frame=1)
            curves = curve_lists(owner.animation_data.action, slot_of(owner.animation_data))
            next(c for c in chain(*curves) if c.data_path == f'["odd {number}"]').data_path = path
    names = set(busy.keys())
    with unkeyed.edits_kept():
        was = tuple(busy.location)
        busy.location[1], busy["mine"], busy["arr"][1] = was[1] + 1.0, 2.0, 9.0
        del busy["gone"]
        handle["gone"] = 5.0
    assert tuple(busy.location) == was
    assert busy["mine"] == 1.0
    assert list(busy["arr"]) == [1.0, 2.0]
    assert set(busy.keys()) == names - {"gone"}, "nothing is created"
    assert handle["gone"] == 1.0


def test_undo_brings_no_edits_but_values_of_another_frame(fresh, busy):
    pull = busy.plant_dynamics.loads[0]
    plants.show(FRAME + 6)
    of_another = pull.influence
    plants.show(FRAME)
    keyed = pull.influence
    assert keyed != of_another
    pull.influence = of_another  # as undo leaves it
    for handler in bpy.app.handlers.undo_post:
        handler(bpy.context.scene)
    shown_again(fresh)
    assert pull.influence == keyed
    pull.influence = of_another  # an edit again
    shown_again(fresh)
    assert pull.influence == of_another
