# SPDX-License-Identifier: GPL-3.0-or-later
"""Stills and Movie in a scene of the user's: its motion is rendered, and all of its settings stay."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import FRAMES, busy_plant, module
from tests.blender.scenes.renders import channels, film, set_format, watched

_FORMATS = ("OPEN_EXR", "JPEG", "FFMPEG")


def settings(scene: bpy.types.Scene) -> dict[str, object]:
    """All that can be set of a scene's render, its range and its place in time."""
    render, found = scene.render, {}
    for owner in (render, render.image_settings, render.ffmpeg):
        for one in owner.bl_rna.properties:
            if not one.is_readonly and one.type not in ("POINTER", "COLLECTION"):
                value = getattr(owner, one.identifier)
                several = getattr(one, "is_array", False)
                found[owner.bl_rna.identifier, one.identifier] = tuple(value) if several else value
    found["time"] = scene.frame_start, scene.frame_end, scene.frame_current, scene.frame_subframe
    return found


def own_settings(scene: bpy.types.Scene, file_format: str) -> dict[str, object]:
    """Settings that nobody else would choose."""
    render = scene.render
    set_format(scene, file_format)
    render.filepath, render.use_file_extension, render.use_overwrite = "//renders/shot_", False, False
    render.use_placeholder, render.resolution_x, render.resolution_y = True, 70, 64
    render.resolution_percentage = 50
    if file_format == "OPEN_EXR":
        render.image_settings.color_depth, render.image_settings.exr_codec = "32", "PIZ"
    if file_format == "FFMPEG":
        render.ffmpeg.format, render.ffmpeg.codec, render.ffmpeg.gopsize = "QUICKTIME", "MPEG4", 7
    scene.frame_set(2, subframe=0.25)
    return settings(scene)


@pytest.fixture
def shot(fresh, tmp_path):
    """A filmed plant, and the folder for pictures."""
    obj = busy_plant(3)
    scene = film(tmp_path)
    folder = tmp_path / "pictures"
    scene.plant_dynamics_compare.folder = str(folder)
    return obj, scene, folder


def test_stills_of_a_live_plant_show_its_motion(fresh, shot, run_operator):
    obj, scene, folder = shot
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    poses = {}
    for frame in (30, 12, 24):
        plants.show(frame)
        poses[float(frame)] = channels(obj)
    session = module(fresh, "dynamics.motion.sessions").session_of(obj)
    scene.plant_dynamics_compare.stills = "30, 12, 24"
    with watched(obj) as seen:
        run_operator("render_shot", kind="STILLS")
    assert list(seen) == [30.0, 12.0, 24.0]
    for frame, pose in seen.items():
        assert np.array_equal(pose, poses[frame]), frame
    assert len(list(folder.glob("*.png"))) == 4
    assert module(fresh, "dynamics.motion.sessions").session_of(obj) is session
    assert np.array_equal(plants.played(obj, FRAMES), straight)


@pytest.mark.parametrize("kind", ["STILLS", "MOVIE"])
def test_frames_that_were_not_played_are_rendered_with_motion(fresh, shot, run_operator, capsys, kind):
    obj, scene, _ = shot
    run_operator("play")
    expected = plants.played(obj, FRAMES)
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    plants.show(3)
    scene.frame_end, scene.plant_dynamics_compare.stills = 8, "8"
    scene.render.use_motion_blur, scene.render.resolution_x, scene.render.resolution_y = True, 32, 32
    with watched(obj) as seen:
        run_operator("render_shot", kind=kind)
    assert "without" not in capsys.readouterr().out
    plants.show(8)
    assert np.array_equal(seen[8.0], channels(obj))
    assert np.array_equal(plants.matrices(obj), expected[7])
    assert np.abs(seen[8.25] - seen[8.0]).max() > 1e-5


@pytest.mark.parametrize("file_format", _FORMATS)
@pytest.mark.parametrize("kind", ["STILLS", "MOVIE"])
def test_the_scenes_settings_stay(shot, run_operator, kind, file_format):
    _, scene, folder = shot
    scene.frame_end = 3
    before = own_settings(scene, file_format)
    run_operator("render_shot", kind=kind)
    assert settings(scene) == before
    written = sorted(path.suffix for path in folder.iterdir())
    assert set(written) == ({".png"} if kind == "STILLS" else {".mp4"})


def test_the_settings_of_the_scene_beside_footage_stay(fresh, shot, run_operator, tmp_path):
    _, scene, folder = shot
    (tmp_path / "plate").mkdir()
    pictures = module(fresh, "studio.pictures")
    for number in range(1, 4):
        pictures.save_pixels(np.ones((8, 8, 4), dtype=np.float32), tmp_path / "plate" / f"p_{number:03d}.png")
    run_operator("bake")
    before = own_settings(scene, "OPEN_EXR")
    run_operator("beside_footage", filepath=str(tmp_path / "plate" / "p_001.png"))
    new = next(one for one in bpy.data.scenes if one != scene)
    new.plant_dynamics_compare.stills = "1, 3"
    own = settings(new)
    with bpy.context.temp_override(scene=new):
        run_operator("render_shot", kind="STILLS")
    assert len(list(folder.glob("*.png"))) == 3
    assert settings(scene) == before
    assert settings(new) == own


def test_a_movie_that_cannot_be_written_is_one_error(shot, run_operator):
    obj, scene, folder = shot
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    (folder / "Scene.mp4").mkdir(parents=True)
    before = own_settings(scene, "OPEN_EXR")
    with pytest.raises(RuntimeError, match=r"'Scene' was not rendered to '.*Scene\.mp4': ") as caught:
        bpy.ops.plant_dynamics.render_shot(kind="MOVIE")
    assert "Traceback" not in str(caught.value)
    assert len(str(caught.value).strip().splitlines()) == 1
    assert settings(scene) == before
    obj.plant_dynamics.gravity_factor = 2.0
    bpy.context.view_layer.update()
    assert np.abs(plants.played(obj, FRAMES) - straight).max() > 1e-3, "it goes on playing"


def test_a_rendering_that_is_stopped_puts_all_back(fresh, shot):
    """In a window Blender renders each still while the work waits; Esc closes it between two of them."""
    _, scene, folder = shot
    before = own_settings(scene, "OPEN_EXR")
    work = module(fresh, "comparison.output").shot(scene, folder, [1, 2, 3])
    first = next(work)
    assert (first.scene, first.written.name) == (scene, "Scene_0001.png")
    assert (scene.frame_start, scene.frame_end) == (1, 1)
    work.close()
    assert settings(scene) == before


def test_a_render_of_which_no_file_comes_is_an_error(fresh, shot):
    _, scene, folder = shot
    before = own_settings(scene, "OPEN_EXR")
    work = module(fresh, "comparison.output").shot(scene, folder, [1, 2])
    next(work)
    with pytest.raises(module(fresh, "errors").PlantError, match=r"was not rendered to .*no file came"):
        next(work)
    assert settings(scene) == before
