# SPDX-License-Identifier: GPL-3.0-or-later
"""The cache on disk: shows its frames without simulating, goes on exactly, is dropped when it does not fit."""

import zipfile
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import FRAMES, NAME, Counter, busy_plant, cache_files, module, played_anew
from tests.blender.scenes.renders import prepare_render, rendered_elsewhere, rendered_here
from tests.blender.scenes.touching import busy_contact as touched
from tests.forms import IS_FULL

PLAYED = range(1, 31)  # cached on disk; the frames behind are simulated on


@pytest.fixture
def blend(tmp_path) -> Path:
    return tmp_path / "shot.blend"


@pytest.fixture
def saved(fresh, run_operator, blend):
    """A played plant saved with its cache; its poses in all frames."""
    obj = busy_plant()
    obj.plant_dynamics.use_disk_cache = True
    bpy.context.scene.frame_end = PLAYED[-1]
    run_operator("play")
    plants.played(obj, PLAYED)
    bpy.context.scene.frame_end = FRAMES[-1]
    save(blend)
    straight = played_anew(fresh, obj, FRAMES)
    assert len(cache_files(blend)) == 1
    return straight


def save(path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(path))


def load(path: Path) -> bpy.types.Object:
    bpy.ops.wm.open_mainfile(filepath=str(path))
    return bpy.data.objects[NAME]


def test_without_the_switch_nothing_is_written(fresh, run_operator, blend):
    obj = busy_plant()
    run_operator("play")
    save(blend)
    assert not obj.plant_dynamics.use_disk_cache
    assert sorted(path.name for path in blend.parent.iterdir()) == [blend.name]


def test_a_loaded_file_scrubs_without_simulating(fresh, saved, blend, monkeypatch):
    obj = load(blend)
    counter = Counter(fresh, monkeypatch)
    for frame in (17, 5, PLAYED[-1], 1, 24):
        plants.show(frame)
        assert np.array_equal(plants.matrices(obj), saved[frame - 1]), frame
    assert counter.take() == (0, 0)


def test_beyond_its_end_it_goes_on_as_if_played_straight(fresh, saved, blend, monkeypatch):
    obj = load(blend)
    counter = Counter(fresh, monkeypatch)
    plants.show(FRAMES[-1])
    assert np.array_equal(plants.matrices(obj), saved[-1])
    since_kept = (len(PLAYED) - 1) % module(fresh, "dynamics.motion.known_frames").KEPT_EVERY
    assert counter.take() == (1, FRAMES[-1] - PLAYED[-1] + since_kept)


def test_from_a_frame_whose_state_was_not_kept_it_goes_on_the_same(fresh, saved, blend, monkeypatch):
    load(blend)
    files = module(fresh, "dynamics.cache.cache_file")
    path = cache_files(blend)[0]
    whole = files.read(path)
    last = len(PLAYED) - 1
    assert sorted(whole.states) == [0, last - last % module(fresh, "dynamics.motion.known_frames").KEPT_EVERY]
    for kept in ([0], []):
        del [whole.states[index] for index in set(whole.states) - set(kept)][:]
        for index in set(whole.states) - set(kept):
            whole.states.pop(index)
        files.write(path, whole)
        obj = load(blend)
        plants.show(FRAMES[-1])
        assert np.array_equal(plants.matrices(obj), saved[-1])


@pytest.mark.parametrize("start", ["settled", "keep_shape", "drawn"])
def test_every_start_goes_on_the_same(fresh, run_operator, blend, start):
    obj = busy_plant(3)
    settings = obj.plant_dynamics
    settings.start, settings.run_up, settings.damping_mode, settings.use_disk_cache = start, 3, "RATIO", True
    settings.young_modulus = 5000.0
    bpy.context.scene.frame_end = 10
    run_operator("play")
    save(blend)
    straight = played_anew(fresh, obj, range(1, 21))
    obj = load(blend)
    assert np.array_equal(plants.played(obj, range(1, 21)), straight)


def change_key(obj):
    obj.plant_dynamics.loads[1].influence = 0.7
    obj.plant_dynamics.loads[1].keyframe_insert("influence", frame=5)


CHANGES = {
    "a material": lambda obj: setattr(obj.plant_dynamics, "young_modulus", 250.0),
    "a bone": lambda obj: setattr(obj.data.bones[1].plant_dynamics, "use_physics", False),
    "a key of a load": change_key,
    "the wind": lambda obj: setattr(bpy.context.scene.plant_dynamics.wind, "turbulence_intensity", 0.9),
    "the frame rate": lambda obj: setattr(bpy.context.scene.render, "fps", 30),
    "the run-up": lambda obj: setattr(obj.plant_dynamics, "run_up", 5),
}


@pytest.mark.parametrize("change", CHANGES)
def test_frames_of_other_inputs_are_not_used(fresh, saved, blend, change):
    """The file is changed behind the cache's back: saved again with the former cache put back beside it."""
    cache = cache_files(blend)[0]
    former = cache.read_bytes()
    obj = load(blend)
    obj.plant_dynamics.use_disk_cache = False
    CHANGES[change](obj)
    bpy.context.view_layer.update()
    save(blend)
    assert cache.read_bytes() == former
    obj = load(blend)
    poses = plants.played(obj, FRAMES)
    assert np.abs(poses - saved).max() > 1e-6
    assert np.array_equal(poses, played_anew(fresh, obj, FRAMES))


def damaged(path: Path, how: str) -> None:
    content = path.read_bytes()
    if how == "cut off":
        path.write_bytes(content[: len(content) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "flipped":
        with zipfile.ZipFile(path) as archive:
            at = archive.getinfo("channels.npy").header_offset + 300  # within its numbers
        path.write_bytes(content[:at] + bytes([content[at] ^ 255]) + content[at + 1 :])
    elif how == "foreign":
        np.savez(path, channels=np.zeros((3, 4, 4)))
    elif how == "text":
        path.write_text("Not a cache")
    elif how == "objects":
        np.savez(path, format=np.array([{"a": 1}], dtype=object))
    elif how == "packed":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("channels.npy", bytes(10_000_000))


HOW = ["cut off", "empty", "flipped", "foreign", "text", "objects", "packed"]


@pytest.mark.parametrize("how", HOW)
def test_a_damaged_cache_is_told_and_left_out(fresh, saved, blend, how, capfd):
    path = cache_files(blend)[0]
    damaged(path, how)
    capfd.readouterr()
    obj = load(blend)
    note = module(fresh, "dynamics.cache.disk_cache").note_of(obj)
    assert note.startswith(f"The cache '{path.name}' cannot be read")
    assert capfd.readouterr().out.count(note) == 1
    assert np.array_equal(plants.played(obj, FRAMES), saved)


def test_states_that_do_not_fit_the_plant_are_refused(fresh, saved, blend):
    """A made-up file with the right key must not reach the solver's kernels."""
    load(blend)
    files, path = module(fresh, "dynamics.cache.cache_file"), cache_files(blend)[0]
    whole = files.read(path)
    for name, wrong in (
        ("state.q", np.zeros((2, 4))),
        ("pulls.body", np.array([10**6])),
        ("bases.now", np.full((1, 6, 4), np.nan)),
    ):
        assert whole.states[0][name].dtype == wrong.dtype
        files.write(path, files.CacheFile(**vars(whole) | {"states": {0: whole.states[0] | {name: wrong}}}))
        obj = load(blend)
        assert np.array_equal(plants.played(obj, FRAMES), saved)
        assert module(fresh, "dynamics.cache.disk_cache").note_of(obj).startswith(f"Cache of '{NAME}': the snapshot")


def test_contacts_that_do_not_fit_are_refused(fresh, saved, blend):
    """Of rods that the plant does not have, and fewer than the frames are said to have."""
    load(blend)
    files, path = module(fresh, "dynamics.cache.cache_file"), cache_files(blend)[0]
    whole = files.read(path)
    counts = np.zeros_like(whole.contact_counts)
    counts[3] = 1
    of_another = {"contact_which": np.array([[10**6, 0]]), "contact_numbers": np.zeros((1, 10))}
    for wrong, told in (
        ({"contact_counts": counts} | of_another, f"Cache of '{NAME}': its contacts are of another plant"),
        ({"contact_counts": counts}, f"The cache '{path.name}' cannot be read (contacts that do not add up)"),
        ({"contact_counts": counts - 2}, f"The cache '{path.name}' cannot be read (contacts that do not add up)"),
    ):
        files.write(path, files.CacheFile(**vars(whole) | wrong))
        obj = load(blend)
        assert np.array_equal(plants.played(obj, FRAMES), saved)
        assert module(fresh, "dynamics.cache.disk_cache").note_of(obj).startswith(told)


def test_a_scripts_wind_is_not_written(fresh, run_operator, blend):
    winds = module(fresh, "dynamics.surroundings.winds")
    winds.register_wind("Side", lambda points, time: np.full(points.shape, 1.0))
    try:
        obj = plants.chain(3, name=NAME)
        run_operator("make_dynamic")
        wind = bpy.context.scene.plant_dynamics.wind
        wind.use_air, wind.source, wind.custom = True, "CUSTOM", "Side"
        bpy.context.scene.frame_end = 5
        obj.plant_dynamics.use_disk_cache = True
        run_operator("play")
        save(blend)
        assert not cache_files(blend)
        assert "script's wind" in module(fresh, "dynamics.cache.disk_cache").note_of(obj)
    finally:
        winds.unregister_wind("Side")


@pytest.mark.slow
def test_another_blender_renders_the_motion(fresh, saved, blend, tmp_path):
    obj = load(blend)
    prepare_render(obj)
    save(blend)  # nothing has been shown since loading: the cache goes with the file as it is
    seen, printed = rendered_elsewhere(fresh, blend, tmp_path / "all")
    assert sorted(seen) == [1, 9, 17, 25, 33]
    assert "simulating up to frame 33" in printed
    assert "frame 25" not in printed, "it is in the cache"
    part = {}
    if IS_FULL:  # a renderer that is given a part of the range does not begin the motion there
        begins = "scene.frame_start, scene.frame_end = 17, 25"
        part, printed = rendered_elsewhere(fresh, blend, tmp_path / "part", begins)
        assert "simulating" not in printed
    # What may have changed is simulated.
    change = f"""
load = bpy.data.objects["{NAME}"].plant_dynamics.loads[1]
load.influence = 0.7
load.keyframe_insert("influence", frame=5)
scene.frame_start = scene.frame_end = 9"""
    changed, printed = rendered_elsewhere(fresh, blend, tmp_path / "changed", change)
    assert "simulating up to frame 9" in printed
    obj = load(blend)
    module(fresh, "dynamics.cache.disk_cache").forget_files()
    plants.played(obj, FRAMES)
    own = rendered_here(tmp_path / "own")
    for frame in (1, 9, 17, 25, 33):
        assert np.array_equal(seen[frame], own[frame]), frame
        assert np.array_equal(part.get(frame, own[frame]), own[frame]), frame
    assert len({picture.tobytes() for picture in own.values()}) == 5
    assert not np.array_equal(changed[9], own[9])
    # A cache beside a file that was changed without it.
    with open(blend, "ab") as file:
        file.write(bytes(16))
    only_9 = "scene.frame_start = scene.frame_end = 9"
    foreign, printed = rendered_elsewhere(fresh, blend, tmp_path / "foreign", only_9)
    assert "simulating up to frame 9" in printed
    assert np.array_equal(foreign[9], own[9])


def test_saving_after_a_look_at_some_frames_keeps_the_others(fresh, saved, blend):
    obj = load(blend)
    plants.show(5)
    save(blend)
    file = module(fresh, "dynamics.cache.cache_file").read(cache_files(blend)[0])
    assert (file.first_frame, file.last_frame, file.sure) == (1, PLAYED[-1], len(PLAYED))
    twist = obj.plant_dynamics.loads[1]
    twist.influence = 0.9
    twist.keyframe_insert("influence", frame=28)
    bpy.context.view_layer.update()
    plants.show(3)
    save(blend)
    file = module(fresh, "dynamics.cache.cache_file").read(cache_files(blend)[0])
    assert (file.last_frame, file.sure) == (PLAYED[-1], 3)
    note_of = module(fresh, "dynamics.cache.disk_cache").note_of
    assert "since a change only frames up to 3 were shown" in note_of(obj)
    plants.show(PLAYED[-1])
    save(blend)
    assert note_of(obj) == ""


def test_buttons_write_and_delete(fresh, run_operator, blend, select_only):
    obj = busy_plant()
    assert not bpy.ops.plant_dynamics.save_cache.poll()
    save(blend)
    assert not bpy.ops.plant_dynamics.save_cache.poll(), "nothing is cached"
    run_operator("play")
    select_only(obj)
    run_operator("save_cache")
    file = module(fresh, "dynamics.cache.cache_file").read(cache_files(blend)[0])
    assert (file.first_frame, file.last_frame) == (FRAMES[0], FRAMES[-1])
    assert file.blend == "", "the file on disk is not what is in memory"
    run_operator("delete_cache")
    assert not cache_files(blend)
    assert not bpy.ops.plant_dynamics.delete_cache.poll()


def test_a_folder_that_cannot_be_written_is_told(fresh, run_operator, blend):
    obj = busy_plant()
    obj.plant_dynamics.use_disk_cache = True
    run_operator("play")
    blend.with_name("shot_plant_cache").write_text("in the way")
    save(blend)
    assert "cannot be written" in module(fresh, "dynamics.cache.disk_cache").note_of(obj)


def test_the_panel_tells_what_is_cached(fresh, saved, blend):
    lines = module(fresh, "panels.results.cache").cached_frames
    obj = load(blend)
    assert [text for text, _ in lines(obj)] == ["In memory: none", "On disk: frames 1 to 30"]
    plants.show(4)
    assert [text for text, _ in lines(obj)] == [
        "In memory: frames 1 to 4", "To frame 30 where nothing has changed", "On disk: frames 1 to 30",
    ]  # fmt: skip


def test_what_touches_itself_and_moves_things_is_known_again_and_goes_on(fresh, run_operator, blend):
    """Of a contact with another bone there is no collider."""
    obj = touched.busy_contact()
    obj.plant_dynamics.use_disk_cache = True
    run_operator("play")
    straight = [plants.show(frame) or touched.shown(obj) for frame in FRAMES]
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    plants.played(obj, PLAYED)
    save(blend)
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    obj = bpy.data.objects[touched.NAME]
    for frame in PLAYED:
        plants.show(frame)
        assert np.array_equal(touched.shown(obj), straight[frame - 1])
    session = module(fresh, "dynamics.motion.sessions").session_of(obj)
    assert (session.known.frames[19].contacts.collider < 0).any()
    assert not session.motion.has_begun, "nothing was simulated"
    for frame in FRAMES:
        plants.show(frame)
        assert np.array_equal(touched.shown(obj), straight[frame - 1]), frame
