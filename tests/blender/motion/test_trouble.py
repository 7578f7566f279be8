# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant that did not settle or was stopped: said above all panels, and no bake, measurement, comparison or render."""

import importlib
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module
from tests.blender.scenes.drawn_panels import Layout
from tests.blender.scenes.renders import film

LAST, FRAME, ROD = 12, 7, 2


@pytest.fixture
def chain(fresh, run_operator):
    bpy.context.scene.frame_end = LAST
    obj = plants.chain(4)
    run_operator("make_dynamic")
    plants.key_location(obj, {1: (0, 0, 0), 6: (0.1, 0, 0)})
    plants.show(1)
    return obj


@pytest.fixture
def simulation(fresh):
    return importlib.import_module(f"{fresh.__name__}.solver").Simulation


@pytest.fixture
def stopped(fresh, chain, simulation, monkeypatch):
    """The solver says of one frame that it was stopped."""
    status = importlib.import_module(f"{fresh.__name__}.solver").STOPPED
    return _reporting(simulation, monkeypatch, status)


def _reporting(simulation, monkeypatch, status):
    advance = simulation.advance

    def advanced(self, sample, duration):
        report = advance(self, sample, duration)
        at = round(self.time / duration) + 1
        return report._replace(status=status, rod=ROD) if at == FRAME else report

    monkeypatch.setattr(simulation, "advance", advanced)


@pytest.fixture
def unsettled(chain, simulation, monkeypatch):
    """The solver says that the start is not balanced."""
    start = simulation.start

    def started(self, *arguments):
        found = start(self, *arguments)
        return found and found._replace(residual=0.03, rod=ROD)

    monkeypatch.setattr(simulation, "start", started)


@pytest.fixture
def slowed(fresh, chain, simulation, monkeypatch):
    _reporting(simulation, monkeypatch, importlib.import_module(f"{fresh.__name__}.solver").LIMITED)


@pytest.fixture(params=["stopped", "unsettled"])
def trouble(request):
    request.getfixturevalue(request.param)
    what = {"stopped": f"stopped at frame {FRAME}", "unsettled": "it did not settle"}[request.param]
    return f"bone 'Bone.{ROD}': {what}"


def below_play(fresh):
    """What stands below the buttons of Play of what has failed, and its buttons; nothing if all is well."""
    layout = Layout()
    module(fresh, "panels.fixes").draw_trouble(bpy.context, layout, bpy.context.object)
    return " ".join(layout.texts), [name for name, _ in layout.operators]


def nothing_baked(obj):
    return not obj.plant_dynamics.is_baked and [one.name for one in bpy.data.actions] == ["ChainAction"]


def test_it_is_said_below_play(fresh, chain, trouble, run_operator):
    assert below_play(fresh) == ("", [])
    run_operator("play")
    plants.played(chain, range(1, LAST + 1))
    text, buttons = below_play(fresh)
    assert trouble in text
    assert "plant_dynamics.select_troubled" in buttons
    layout = Layout()
    module(fresh, "panels.plant").PLANT_DYNAMICS_PT_plant.draw(SimpleNamespace(layout=layout), bpy.context)
    tab = [name.removeprefix("plant_dynamics.") for name, _ in layout.operators]
    assert tab.index("play") < tab.index("reset") < tab.index("select_troubled")


def test_where_a_plant_has_not_settled_playing_waits_to_be_asked_for_again(fresh, chain, unsettled, run_operator):
    are_unsettled = module(fresh, "dynamics.live.live").are_unsettled
    assert not are_unsettled([chain])
    run_operator("play")
    assert are_unsettled([chain])
    chain.plant_dynamics.young_modulus = 3000.0
    assert not are_unsettled([chain])


def test_a_plant_that_was_stopped_has_settled(fresh, chain, stopped, run_operator):
    run_operator("play")
    plants.played(chain, range(1, LAST + 1))
    assert not module(fresh, "dynamics.live.live").are_unsettled([chain])


def test_it_is_said_no_more_when_something_was_changed(fresh, chain, trouble, run_operator):
    run_operator("play")
    plants.played(chain, range(1, LAST + 1))
    chain.plant_dynamics.young_modulus = 3000.0
    assert below_play(fresh) == ("", [])


def test_the_button_selects_the_bone(chain, trouble, run_operator):
    run_operator("play")
    plants.played(chain, range(1, LAST + 1))
    run_operator("select_troubled")
    assert chain.mode == "POSE"
    assert bpy.context.active_bone.name == f"Bone.{ROD}"
    assert [bone.name for bone in bpy.context.selected_pose_bones] == [f"Bone.{ROD}"]


def test_a_plant_that_did_not_settle_can_start_as_drawn(fresh, chain, unsettled, run_operator):
    run_operator("play")
    assert "plant_dynamics.choose_start" in below_play(fresh)[1]
    run_operator("choose_start", start="drawn")
    plants.show(2)
    assert below_play(fresh) == ("", [])
    run_operator("bake")
    assert chain.plant_dynamics.is_baked


def test_bake_refuses_it_unless_told_otherwise(chain, trouble, run_operator):
    plants.show(3)
    with pytest.raises(RuntimeError, match=trouble):
        run_operator("bake")
    assert nothing_baked(chain)
    assert bpy.context.scene.frame_current == 3
    run_operator("bake", allow_stopped=True)
    assert chain.plant_dynamics.is_baked


def test_bake_refuses_what_play_has_cached(chain, trouble, run_operator):
    run_operator("play")
    plants.played(chain, range(1, LAST + 1))
    with pytest.raises(RuntimeError, match=trouble):
        run_operator("bake")
    assert nothing_baked(chain)


def test_a_bake_that_ends_before_it_is_fine(chain, stopped, run_operator):
    run_operator("bake", use_scene_range=False, frame_start=1, frame_end=FRAME - 1)
    assert chain.plant_dynamics.is_baked


def test_frames_that_were_slowed_down_are_a_warning(fresh, chain, slowed, run_operator):
    run_operator("play")
    plants.played(chain, range(1, LAST + 1))
    assert below_play(fresh) == ("", [])
    session = module(fresh, "dynamics.motion.sessions").session_of(chain)
    notes = module(fresh, "panels.status").notes(session)
    assert (f"Frame {FRAME}, bone 'Bone.{ROD}': too fast or too crowded, slowed down", "ERROR") in notes
    run_operator("bake")


@pytest.mark.parametrize("name", ["measure_stress", "compare", "plot_motion"])
def test_what_is_made_of_the_motion_refuses_it_unless_told_otherwise(chain, trouble, run_operator, name, tmp_path):
    bpy.context.scene.plant_dynamics_compare.folder = str(tmp_path)
    bpy.context.scene.plant_dynamics_compare.plots = True
    scenes, objects = len(bpy.data.scenes), len(bpy.data.objects)
    with pytest.raises(RuntimeError, match=trouble):
        run_operator(name)
    assert (len(bpy.data.scenes), len(bpy.data.objects)) == (scenes, objects)
    assert not list(tmp_path.iterdir())
    bpy.context.scene.plant_dynamics_bake.allow_stopped = True
    run_operator(name)


def test_stills_refuse_it_unless_told_otherwise(chain, trouble, run_operator, tmp_path):
    scene = film(tmp_path)
    scene.frame_end = LAST
    scene.plant_dynamics_compare.folder, scene.plant_dynamics_compare.stills = str(tmp_path / "stills"), str(LAST)
    run_operator("play")
    with pytest.raises(RuntimeError, match=trouble):
        run_operator("render_shot")
    assert not list((tmp_path / "stills").iterdir())
    scene.plant_dynamics_bake.allow_stopped = True
    run_operator("render_shot")
    assert list((tmp_path / "stills").iterdir())


@pytest.mark.parametrize("command", [["bake"], ["simulate"], ["simulate", "--stress"], ["compare", "young", "1x, 2x"]])
def test_the_command_line_ends_with_an_error(fresh, chain, trouble, tmp_path, capfd, command):
    path, out = str(tmp_path / "chain.blend"), str(tmp_path / "out.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    run = module(fresh, "command_line").run
    arguments = [command[0], path, *command[1:], *(["-o", out] if command[0] != "simulate" else [])]
    assert run(arguments) == 1
    assert trouble in capfd.readouterr().err
    assert not (tmp_path / "out.blend").exists()
    assert run([*arguments, "--allow-stopped"]) == 0


def test_trouble_outlives_saving_with_the_cache(fresh, chain, trouble, run_operator, tmp_path):
    chain.plant_dynamics.use_disk_cache = True
    run_operator("play")
    plants.played(chain, range(1, LAST + 1))
    session = module(fresh, "dynamics.motion.sessions")
    before = session.session_of(chain).trouble()
    assert before.bone == f"Bone.{ROD}"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "chain.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "chain.blend"))
    obj, scene = bpy.data.objects["Chain"], bpy.context.scene
    live, rendering = module(fresh, "dynamics.live.live"), module(fresh, "dynamics.live.rendering")
    assert session.session_of(obj) is None
    assert live.trouble_of(obj) == before
    with pytest.raises(module(fresh, "errors").PlantError, match=trouble):
        rendering.look_ahead(scene, LAST)
    plants.played(obj, range(1, LAST + 1))
    assert session.session_of(obj).trouble() == before


def test_the_worst_of_a_run_up_tells_its_rod(fresh):
    solver = importlib.import_module(f"{fresh.__name__}.solver")
    reports = [solver.Report(0, 1, 0, 2), solver.Report(solver.STOPPED, 3, 1, 4, 5), solver.Report(1, 1, 0, 2)]

    class Simulation:
        time = 0.0
        advance = staticmethod(lambda sample, duration: reports.pop(0))

    found = module(fresh, "dynamics.motion.run_up").run_up(Simulation, solver.Sample(), 3, 0.1)
    assert found == solver.Report(solver.STOPPED, 5, 1, 8, 5)


def test_a_render_does_not_begin(fresh, chain, trouble, run_operator):
    """Nor any other on the main thread, as those of the command line."""
    run_operator("play")
    rendering, problem = module(fresh, "dynamics.live.rendering"), module(fresh, "errors").PlantError
    with pytest.raises(problem, match=trouble):
        rendering.look_ahead(bpy.context.scene, LAST)
    bpy.context.scene.plant_dynamics_bake.allow_stopped = True
    rendering.look_ahead(bpy.context.scene, LAST)


def test_a_render_of_what_comes_before_does(fresh, stopped, run_operator):
    run_operator("play")
    module(fresh, "dynamics.live.rendering").look_ahead(bpy.context.scene, FRAME - 2)
