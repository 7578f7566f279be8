# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user reads: tooltips of menus, problems in the panel while they are there, and the state of a plant."""

import importlib
from types import SimpleNamespace

import blf
import bpy
import pytest

from tests.blender.scenes import drawn_panels, plants

MENUS = {"set_material": "material", "wind_preset": "preset", "medium_preset": "medium", "pose_at_rest": "method"}


class Layout:
    """Takes down what a panel writes."""

    def __init__(self):
        self.texts, self.icons = [], []

    def label(self, text="", icon="NONE", translate=True):
        self.texts.append(text)
        self.icons.append(icon)

    def column(self, align=False):
        return self


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


def status(addon, obj):
    layout = drawn_panels.Layout()
    module(addon, "panels.status").draw_status(bpy.context, layout, obj)
    return " ".join(filter(None, layout.texts))


@pytest.mark.parametrize(("operator", "name"), MENUS.items())
def test_tooltips_of_all_items_of_the_preset_menus(fresh, operator, name):
    identifier = f"plant_dynamics.{operator}"
    cls = getattr(bpy.types, f"PLANT_DYNAMICS_OT_{operator}")
    properties = bpy.context.window_manager.operator_properties_last(identifier)
    items = getattr(bpy.ops.plant_dynamics, operator).get_rna_type().properties[name].enum_items
    assert len(items) > 1
    for item in items:
        setattr(properties, name, item.identifier)
        text = cls.description(bpy.context, properties)
        assert item.description
        assert text.startswith(item.description.rstrip("."))
        assert text.endswith(cls.__doc__)
        assert ".." not in text


@pytest.fixture
def problem_of(fresh):
    return module(fresh, "dynamics.live.live").problem_of


@pytest.fixture
def broken(fresh, run_operator, problem_of):
    """A plant that stopped being live, for a load of it names a bone that is not there."""
    obj = plants.chain(3)
    run_operator("make_dynamic")
    run_operator("add_force")
    run_operator("play")
    obj.plant_dynamics.loads[0].bone = "Gone"
    plants.show(2)
    assert not obj.plant_dynamics.live
    return obj


def test_a_problem_stays_until_the_plant_changes(broken, problem_of):
    for frame in (3, 4):
        plants.show(frame)
        assert problem_of(broken) == "There is no bone 'Gone' among the simulated ones"
    broken.plant_dynamics.loads[0].bone = "Bone.1"
    assert problem_of(broken) == ""


def test_a_problem_goes_with_the_load_it_names(broken, problem_of, run_operator):
    run_operator("remove_load")
    assert problem_of(broken) == ""


def test_a_problem_goes_when_play_is_pressed(broken, problem_of, run_operator):
    with pytest.raises(RuntimeError, match="no bone 'Gone'"):
        bpy.ops.plant_dynamics.play()
    assert problem_of(broken) == "", "the report says it"


def test_rendered_without_motion_is_no_longer_said_after_play(fresh, run_operator, problem_of):
    live, obj = module(fresh, "dynamics.live.live"), plants.chain(3)
    run_operator("make_dynamic")
    live.go_live(obj)
    module(fresh, "dynamics.live.rendering").show_cached(bpy.context.scene, evaluated=True)
    assert "rendered without motion" in problem_of(obj)
    run_operator("play")
    assert problem_of(obj) == ""


def test_a_plant_that_stopped_in_skipped_frames_has_its_pose_back(fresh, run_operator, problem_of):
    obj, bad = plants.chain(3), plants.chain(3, name="Bad")
    for plant in (obj, bad):
        bpy.context.view_layer.objects.active = plant
        run_operator("make_dynamic")
    run_operator("add_force")
    bpy.context.scene.frame_end = 2
    run_operator("play")
    driver = bad.driver_add("location", 0).driver
    driver.expression = "frame"
    plants.show(1)
    rest = (1.0, 0.0, 0.0, 0.0)
    live = module(fresh, "dynamics.live.live")
    see = module(fresh, "dynamics.motion.sessions").Session.see

    def fails_once(session, seen, scene, depsgraph, frame, *shared):
        if seen == bad and frame == 6:
            raise module(fresh, "errors").PlantError("no")
        see(session, seen, scene, depsgraph, frame, *shared)

    live.Session.see = fails_once
    try:
        plants.show(9)
    finally:
        live.Session.see = see
    assert problem_of(bad) == "no"
    assert not bad.plant_dynamics.live
    assert tuple(bad.pose.bones["Bone.1"].rotation_quaternion) == rest
    assert obj.plant_dynamics.live


def test_what_the_solver_refuses_is_told_in_the_panel(fresh, run_operator, problem_of, monkeypatch):
    showing, obj = module(fresh, "dynamics.live.showing"), plants.chain(3)
    run_operator("make_dynamic")
    run_operator("play")

    def refuse(*_):
        raise importlib.import_module(f"{fresh.__name__}.solver").SolverError("out of range")

    monkeypatch.setattr(showing, "current_session", refuse)
    plants.show(2)
    assert problem_of(obj) == "out of range"


def test_bones_deleted_while_live_do_no_harm(fresh, run_operator):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(3)
    bpy.ops.object.mode_set(mode="EDIT")
    for number in (4, 5):
        obj.data.edit_bones.remove(obj.data.edit_bones[f"Bone.{number}"])
    bpy.context.scene.frame_set(4)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.frame_set(5)
    session = module(fresh, "dynamics.motion.sessions").session_of(obj)
    assert session.end_frame == 5
    assert len(session.plant.names) == 4


def test_after_undo_frames_that_are_remembered_are_told(fresh, run_operator):
    """They are looked at again, not simulated again."""
    bpy.context.scene.frame_end = 12
    obj = plants.chain(3)
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(12)
    cached = status(fresh, obj)
    assert cached.startswith("Cached: frames 1 to 12")
    plants.show(4)
    bpy.ops.ed.undo_push(message="Played")
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.ed.undo_push(message="Selected")
    bpy.ops.ed.undo()
    module(fresh, "dynamics.live.live").show_now()
    obj = bpy.data.objects["Chain"]
    told = status(fresh, obj)
    assert told.startswith("Cached: frames 1 to 12") or "to 12 if nothing has changed" in told
    plants.show(12)
    assert status(fresh, obj) == cached


def test_the_status_of_a_plant(fresh, run_operator, select_only, tmp_path):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    assert status(fresh, obj).startswith("Nothing moves it yet"), "in still air"
    bpy.ops.plant_dynamics.wind_preset(preset="BREEZE")
    assert status(fresh, obj) == "Press Play to see it move"
    bpy.ops.plant_dynamics.wind_preset(preset="STILL")
    run_operator("play")
    assert status(fresh, obj).startswith("Cached: frames 1 to")
    select_only(obj)
    bpy.ops.object.duplicate()
    assert "A copy of a live plant" in status(fresh, bpy.context.object)
    path = str(tmp_path / "live.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert status(fresh, bpy.data.objects["Chain"]) == "Not simulated yet: press Play to see it move"
    run_operator("reset")
    assert status(fresh, bpy.data.objects["Chain"]).startswith("Nothing moves it yet")


@pytest.mark.parametrize(("width", "scale"), [(180, 1.0), (280, 1.0), (280, 2.0), (900, 1.0)])
def test_messages_are_wrapped_to_the_width_of_the_region(fresh, width, scale):
    base, layout = module(fresh, "panels.base"), Layout()
    system = SimpleNamespace(ui_scale=scale)
    context = SimpleNamespace(region=SimpleNamespace(width=width), preferences=SimpleNamespace(system=system))
    text = "'Plant', bone 'Bone.017': its moment of inertia is zero in some direction; check its radius and its length"
    base.message(context, layout, text)
    assert " ".join(layout.texts) == text
    assert layout.icons == ["ERROR"] + ["BLANK1"] * (len(layout.texts) - 1)
    blf.size(0, 11.0)
    assert max(blf.dimensions(0, line)[0] for line in layout.texts) < width / scale - 40.0 or width / scale < 150.0
    assert (len(layout.texts) == 1) == (width == 900), "one line where it fits"


def test_play_is_grey_while_it_waits_for_the_solver(fresh, run_operator, monkeypatch):
    plants.chain(3)
    run_operator("make_dynamic")
    cls = bpy.types.PLANT_DYNAMICS_OT_play
    monkeypatch.setattr(cls, "waiting", True)
    with pytest.raises(RuntimeError, match="Playing begins when the solver is compiled"):
        bpy.ops.plant_dynamics.play()
    assert bpy.ops.plant_dynamics.add_pull.poll(), "all else can be done meanwhile"


@pytest.mark.parametrize("name", [
    "play", "reset", "bake", "clear_bake", "compare", "grow", "regrow", "make_dynamic", "remove_dynamics", "add_pull",
    "measure_stress", "measure_frequencies", "pose_at_rest", "plot_motion", "render_shot", "grab",
])  # fmt: skip
def test_what_waits_for_work_is_grey_and_says_what_for(fresh, name):
    at_work = module(fresh, "dynamics.live.at_work")
    at_work.tell("Baking")
    try:
        with pytest.raises(RuntimeError, match="Baking: wait, or press Esc"):
            getattr(bpy.ops.plant_dynamics, name)()
    finally:
        at_work.end()


def test_the_report_of_a_material_preset(fresh):
    told = module(fresh, "operators.setup.material").PLANT_DYNAMICS_OT_set_material.told
    materials = importlib.import_module(f"{fresh.__name__}.solver").MATERIALS
    damped = next(m for m in materials.values() if m.damping_ratio is not None and m.young is not None)
    text = told(SimpleNamespace(target="PLANT"), damped, 40)
    assert f"damping ratio: {100.0 * damped.damping_ratio:.2g} %" in text
    assert "Undo gives the grown materials back" in text
    assert "Undo" not in told(SimpleNamespace(target="PLANT"), damped, 1)
    assert "Undo" not in told(SimpleNamespace(target="SELECTED"), damped, 40)
