# SPDX-License-Identifier: GPL-3.0-or-later
"""What animators do to files and data in the middle of it: nothing sticks, nothing is lost, nothing crashes."""

import gc
import weakref
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import FRAMES, NAME, busy_plant, module, played_anew
from tests.blender.scenes.renders import film, set_format, watched


@pytest.fixture
def live(fresh, run_operator):
    """A live plant at frame 10, and its poses of straight play."""
    obj = busy_plant()
    run_operator("play")
    poses = plants.played(obj, FRAMES)
    plants.show(10)
    return obj, poses


def plant() -> bpy.types.Object:
    return bpy.data.objects[NAME]


def test_undo_and_redo_while_playing(fresh, live):
    obj, poses = live
    bpy.ops.ed.undo_push(message="Before")
    obj.plant_dynamics.loads[1].torque = 0.7
    plants.show(20)
    changed = plants.matrices(obj)
    assert np.abs(changed - poses[19]).max() > 1e-4
    bpy.ops.ed.undo_push(message="After")
    for _ in range(3):
        bpy.ops.ed.undo()
        assert np.array_equal(plants.played(plant(), FRAMES), poses)
        bpy.ops.ed.redo()
        plants.show(20)
        assert np.array_equal(plants.matrices(plant()), changed)
    assert np.array_equal(plants.played(plant(), FRAMES), played_anew(fresh, plant(), FRAMES))


def test_undo_of_growing_while_playing(fresh, run_operator):
    bpy.ops.ed.undo_push(message="Empty")
    obj = plants.grow("broad_leaf")
    bpy.ops.ed.undo_push(message="Grown")
    run_operator("play")
    plants.show(5)
    name = obj.name
    bpy.ops.ed.undo()  # of Play
    bpy.ops.ed.undo()
    plants.show(6)
    assert name not in bpy.data.objects
    assert not bpy.ops.plant_dynamics.play.poll()
    bpy.ops.ed.redo()
    run_operator("play")
    plants.show(7)
    assert bpy.data.objects[name].plant_dynamics.live


def test_save_and_reload_while_playing(fresh, live, tmp_path):
    _, poses = live
    path = str(tmp_path / "live.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    plants.show(12)
    for _ in range(2):
        bpy.ops.wm.open_mainfile(filepath=path)
        assert plant().plant_dynamics.live
        assert np.array_equal(plants.played(plant(), FRAMES), poses)
    bpy.ops.plant_dynamics.reset()
    assert not any(bone.plant_dynamics.is_kept for bone in plant().pose.bones)


def test_another_file_has_nothing_of_the_former(fresh, live, run_operator):
    session = weakref.ref(module(fresh, "dynamics.motion.sessions").session_of(live[0]))
    of_the_same_number = SimpleNamespace(session_uid=live[0].session_uid, plant_dynamics=SimpleNamespace(live=True))
    is_live = module(fresh, "dynamics.live.live").is_live
    assert is_live(of_the_same_number)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    gc.collect()
    assert session() is None
    assert not is_live(of_the_same_number)
    obj = plants.chain(3)
    plants.show(5)
    assert np.abs(plants.matrices(obj)[:, 2, 3]).max() < 1e-6


@pytest.mark.parametrize("linked", [False, True], ids=["own data", "linked data"])
def test_duplicates(fresh, live, run_operator, select_only, linked):
    obj, poses = live
    select_only(obj)
    bpy.ops.object.duplicate(linked=linked)
    copy = bpy.context.object
    assert (copy.data == obj.data) == linked
    still = np.array([bone.rotation_quaternion for bone in copy.pose.bones])
    plants.show(20)
    assert np.array_equal([bone.rotation_quaternion for bone in copy.pose.bones], still), "it waits for Play"
    assert np.array_equal(plants.matrices(obj), poses[19])
    run_operator("play")
    for one in (obj, copy):
        assert np.array_equal(plants.played(one, FRAMES), poses)
    obj.plant_dynamics.young_modulus = 100.0  # of the object
    plants.show(30)
    assert np.array_equal(plants.matrices(copy), poses[29])
    assert not np.array_equal(plants.matrices(obj), poses[29])
    copy.data.bones[0].plant_dynamics.density = 5000.0  # of the armature
    plants.show(30)
    assert not np.array_equal(plants.matrices(copy), poses[29])
    for one in (obj, copy):
        assert np.array_equal(plants.played(one, FRAMES), played_anew(fresh, one, FRAMES))
    run_operator("reset")
    for one in (obj, copy):
        assert not one.plant_dynamics.live
        assert not any(bone.plant_dynamics.is_kept for bone in one.pose.bones)
    bpy.data.objects.remove(copy)
    run_operator("play")
    plants.show(3)


@pytest.fixture
def library(live, tmp_path) -> str:
    """A file with a live plant, after which an empty one is open."""
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_end = FRAMES[-1]
    return path


def brought(path: str, link: bool) -> bpy.types.Object:
    with bpy.data.libraries.load(path, link=link) as (_, wanted):
        wanted.objects = [NAME]
    obj = wanted.objects[0]
    bpy.context.scene.collection.objects.link(obj)
    for load in obj.plant_dynamics.loads:
        if load.target:
            bpy.context.scene.collection.objects.link(load.target)
    bpy.context.view_layer.objects.active = obj
    return obj


def moves(obj: bpy.types.Object) -> np.ndarray:
    poses = plants.played(obj, FRAMES)
    bend = np.linalg.inv(poses[:, 0]) @ poses[:, -1]
    assert np.abs(bend - bend[0]).max() > 0.01, "not only with its base"
    return poses


@pytest.mark.parametrize("link", [False, True], ids=["append", "link"])
def test_append_and_link(fresh, library, run_operator, link, tmp_path):
    obj = brought(library, link)
    plants.show(5)  # it was saved while live, which is no reason to move here
    assert not module(fresh, "dynamics.live.live").is_live(obj)
    run_operator("play")
    poses = moves(obj)
    assert np.array_equal(poses, played_anew(fresh, obj, FRAMES))
    run_operator("reset")
    assert not any(bone.plant_dynamics.is_kept for bone in obj.pose.bones)
    run_operator("play")
    if link:
        with pytest.raises(RuntimeError, match="is linked: make it local or a library override"):
            bpy.ops.plant_dynamics.bake()
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = plant()
    run_operator("play")
    assert np.array_equal(moves(obj), poses)


def test_library_override(fresh, library, run_operator, tmp_path):
    linked = brought(library, link=True)
    obj = linked.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    bpy.context.view_layer.objects.active = obj
    obj.plant_dynamics.gravity_factor = 0.5
    obj.plant_dynamics.loads[1].torque = 0.2
    run_operator("play")
    poses = moves(obj)
    path = str(tmp_path / "shot.blend")

    def again() -> bpy.types.Object:
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        found = next(one for one in bpy.data.objects if one.override_library and one.type == "ARMATURE")
        bpy.context.view_layer.objects.active = found
        return found

    obj = again()
    assert obj.plant_dynamics.live
    assert obj.plant_dynamics.gravity_factor == 0.5
    assert obj.plant_dynamics.loads[1].torque == pytest.approx(0.2)
    assert np.array_equal(plants.played(obj, FRAMES), poses)
    run_operator("bake")
    baked = plants.played(obj, FRAMES)
    assert np.abs(baked - poses).max() < 1e-5
    obj = again()
    assert obj.plant_dynamics.is_baked
    assert np.array_equal(plants.played(obj, FRAMES), baked)
    run_operator("clear_bake")
    assert not obj.plant_dynamics.is_baked
    obj = again()
    assert not obj.plant_dynamics.is_baked
    assert not any(bone.plant_dynamics.is_kept for bone in obj.pose.bones)
    run_operator("play")
    assert np.array_equal(plants.played(obj, FRAMES), poses)
    run_operator("reset")
    run_operator("add_force")
    assert len(again().plant_dynamics.loads) == 3
    run_operator("remove_load")  # the row of this file
    for _ in range(2):
        with pytest.raises(RuntimeError, match="comes from the library: set its Influence to 0"):
            bpy.ops.plant_dynamics.remove_load()


@pytest.mark.parametrize("what", ["object", "armature"])
def test_deleting_the_plant_while_playing(fresh, live, what):
    obj, _ = live
    if what == "object":
        bpy.data.objects.remove(obj)
    else:
        bpy.data.armatures.remove(obj.data)
    for frame in (11, 3):
        plants.show(frame)
    assert not bpy.ops.plant_dynamics.play.poll()
    assert not bpy.ops.plant_dynamics.reset.poll()


def test_deleting_a_handle_while_playing(fresh, live):
    obj, _ = live
    bpy.data.objects.remove(obj.plant_dynamics.loads[0].target)
    assert np.array_equal(plants.played(obj, FRAMES), played_anew(fresh, obj, FRAMES))
    assert obj.plant_dynamics.live


def edit_bones(obj: bpy.types.Object, change) -> None:
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    change(obj.data.edit_bones)
    plants.show(15)  # frames go by in Edit Mode too
    bpy.ops.object.mode_set(mode="OBJECT")


def test_renaming_a_bone_while_playing(fresh, live):
    obj, poses = live
    obj.data.bones["Bone.1"].name = "Renamed"
    assert np.array_equal(plants.played(obj, FRAMES), poses)
    assert obj.plant_dynamics.live


def test_deleting_bones_while_playing(fresh, live, run_operator):
    obj, poses = live
    problem_of = module(fresh, "dynamics.live.live").problem_of
    edit_bones(obj, lambda bones: bones.remove(bones["Bone.1"]))
    shown = plants.played(obj, FRAMES)
    assert obj.plant_dynamics.live
    assert shown.shape[1] == poses.shape[1] - 1
    assert np.array_equal(shown, played_anew(fresh, obj, FRAMES))
    loaded = obj.plant_dynamics.loads[1].bone
    edit_bones(obj, lambda bones: bones.remove(bones[loaded]))
    plants.show(16)
    assert not obj.plant_dynamics.live
    assert problem_of(obj) == f"There is no bone '{loaded}' among the simulated ones"
    with pytest.raises(RuntimeError, match=f"There is no bone '{loaded}'"):
        bpy.ops.plant_dynamics.play()
    for load in obj.plant_dynamics.loads:
        load.bone = obj.data.bones[-1].name
    run_operator("play")
    plants.show(17)
    edit_bones(obj, lambda bones: [bones.remove(bone) for bone in list(bones)])
    plants.show(18)
    assert not obj.plant_dynamics.live
    assert problem_of(obj) == f"'{NAME}' has no bones"
    run_operator("remove_dynamics")


def test_another_armature_while_playing(fresh, live, capfd):
    """One without bones stops the plant, with the reason in the panel; a copy of its own goes on."""
    obj, _ = live
    other = bpy.data.armatures.new("Other")
    capfd.readouterr()
    bones = obj.data
    obj.data = other
    for frame in (12, 3, 30):
        plants.show(frame)
    assert "Traceback" not in capfd.readouterr().err
    assert not obj.plant_dynamics.live
    assert module(fresh, "dynamics.live.live").problem_of(obj) == f"'{NAME}' has no bones"
    obj.data = bones
    bpy.ops.plant_dynamics.play()
    straight = plants.played(obj, FRAMES)
    obj.data = bones.copy()
    assert np.array_equal(plants.played(obj, FRAMES), straight)
    assert "Traceback" not in capfd.readouterr().err
    assert obj.plant_dynamics.live


def test_adding_a_bone_while_playing(fresh, live):
    obj, poses = live

    def add(bones):
        bone = bones.new("Added")
        bone.head, bone.tail = bones["Bone.3"].tail, bones["Bone.3"].tail + bones["Bone.3"].vector
        bone.head_radius = bone.tail_radius = 0.004
        bone.parent, bone.use_connect = bones["Bone.3"], True

    edit_bones(obj, add)
    shown = plants.played(obj, FRAMES)
    assert shown.shape[1] == poses.shape[1] + 1
    assert np.array_equal(shown, played_anew(fresh, obj, FRAMES))


def test_removing_the_scene_while_playing(fresh, live, run_operator):
    obj, _ = live
    scene, other = bpy.context.scene, bpy.data.scenes.new("Other")
    bpy.context.window.scene = other
    bpy.data.scenes.remove(scene)
    plants.show(11)
    assert not bpy.ops.plant_dynamics.play.poll()
    other.collection.objects.link(obj)
    other.frame_end = FRAMES[-1]
    run_operator("play")
    assert np.array_equal(plants.played(obj, FRAMES), played_anew(fresh, obj, FRAMES))


def test_disabling_the_extension_while_playing(fresh, live):
    import addon_utils

    obj, poses = live
    addon_utils.disable(fresh.__name__)
    plants.show(12)
    assert not hasattr(obj, "plant_dynamics")
    addon_utils.enable(fresh.__name__, default_set=True)
    plants.show(13)
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    assert np.array_equal(plants.played(plant(), FRAMES), poses)


def test_enabling_the_extension_finds_live_plants_again(fresh, live):
    import addon_utils

    _, poses = live
    addon_utils.disable(fresh.__name__)
    plants.show(12)
    addon_utils.enable(fresh.__name__, default_set=True)
    assert module(fresh, "dynamics.live.live").is_live(plant())
    assert np.array_equal(plants.played(plant(), FRAMES), poses)
    bpy.context.scene.gravity = (1.0, 0.0, -4.0)
    bpy.context.view_layer.update()
    assert np.abs(plants.played(plant(), FRAMES) - poses).max() > 1e-3


def prepare_render(folder: Path) -> bpy.types.Scene:
    scene = film(folder)
    scene.frame_start, scene.frame_end, scene.frame_step = 1, 21, 10
    return scene


def test_a_render_started_while_playing(fresh, live, tmp_path):
    obj, poses = live
    scene = prepare_render(tmp_path)
    plants.show(14)
    bpy.ops.render.render(animation=True)
    assert len(list(tmp_path.glob("frame_*"))) == 3
    scene.frame_step, scene.frame_end = 1, FRAMES[-1]
    assert obj.plant_dynamics.live
    assert np.array_equal(plants.played(obj, FRAMES), poses)


def test_a_render_that_cannot_begin_does_not_stick(fresh, live, tmp_path):
    """A movie that cannot be written tells nobody that its render has ended."""
    obj, poses = live
    scene = film(tmp_path)
    set_format(scene, "FFMPEG")
    scene.render.resolution_x = scene.render.resolution_y = 32
    (tmp_path / "movie.mp4").mkdir()
    scene.render.filepath, scene.render.use_file_extension = str(tmp_path / "movie.mp4"), False
    with pytest.raises(RuntimeError):
        bpy.ops.render.render(animation=True)
    assert np.array_equal(plants.played(obj, FRAMES), poses)
    obj.plant_dynamics.stiffness_factor = 0.3
    bpy.context.view_layer.update()
    changed = plants.played(obj, FRAMES)
    assert np.abs(changed - poses).max() > 1e-3
    obj.plant_dynamics.stiffness_factor = 1.0
    obj.plant_dynamics.loads[0].target.animation_data_clear()
    bpy.context.view_layer.update()
    assert np.abs(plants.played(obj, FRAMES) - poses).max() > 1e-3
    set_format(scene, "PNG")  # and another render works
    scene.render.filepath = str(tmp_path / "frame_")
    shown = plants.played(obj, range(5, 6))
    with watched(obj) as seen:
        bpy.ops.render.render()
    assert np.array_equal(plants.matrices(obj), shown[0])
    assert 5.0 in seen
