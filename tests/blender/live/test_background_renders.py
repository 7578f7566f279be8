# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders of live plants without a window: simulated first, the same motion whatever part is rendered, or an error."""

import shutil
from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import FRAMES, NAME, busy_plant
from tests.blender.scenes.renders import prepare_render, rendered_elsewhere, rendered_here

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def filmed(addon, tmp_path_factory) -> tuple[Path, dict[int, np.ndarray]]:
    """A live plant in a file without a cache, saved at frame 20, and its pictures here."""
    folder = tmp_path_factory.mktemp("filmed")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    obj = busy_plant()
    prepare_render(obj)
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    plants.show(20)
    blend = folder / "shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    plants.played(obj, FRAMES)
    here = rendered_here(folder / "here")
    assert len({picture.tobytes() for picture in here.values()}) == 5
    assert bpy.ops.plant_dynamics.bake() == {"FINISHED"}
    baked = rendered_here(folder / "baked")
    for frame, picture in here.items():
        moved = np.abs(picture - here[1 if frame > 1 else 33]).mean()
        assert np.abs(picture - baked[frame]).mean() < 0.05 * moved, "they are those of the bake"
    return blend, here


@pytest.fixture
def shot(filmed, tmp_path) -> tuple[Path, dict[int, np.ndarray]]:
    """A copy of the file, and the pictures."""
    blend, here = filmed
    return Path(shutil.copy(blend, tmp_path)), here


def test_the_whole_range(fresh, shot, tmp_path):
    blend, here = shot
    seen, printed = rendered_elsewhere(fresh, blend, tmp_path / "all")
    assert "simulating up to frame 33" in printed
    assert sorted(seen) == sorted(here) == [1, 9, 17, 25, 33]
    for frame, picture in here.items():
        assert np.array_equal(seen[frame], picture), frame


PARTS = {
    "range": "scene.frame_start, scene.frame_end = 17, 25\nbpy.ops.render.render(animation=True)",
    "frame": """
scene.frame_current = 25
scene.render.filepath += "25.png"
bpy.ops.render.render(write_still=True)""",
    "shown before": """
scene.frame_set(3)
scene.frame_start, scene.frame_end = 17, 25
bpy.ops.render.render(animation=True)""",
    "twice": """
scene.frame_start = scene.frame_end = 25
bpy.ops.render.render(animation=True)
scene.frame_start = scene.frame_end = 17
bpy.ops.render.render(animation=True)""",
}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_range_has_the_motion_of_the_whole(fresh, shot, tmp_path, part):
    blend, here = shot
    seen, printed = rendered_elsewhere(fresh, blend, tmp_path / "part", render=PARTS[part])
    assert printed.count("simulating") == (1 if part in ("frame", "twice") else 2)
    assert sorted(seen) == ([25] if part == "frame" else [17, 25])
    assert "without" not in printed
    for frame, picture in seen.items():
        assert np.array_equal(picture, here[frame]), frame


def test_the_scene_stands_as_the_script_left_it(fresh, shot, tmp_path):
    blend, _ = shot
    script = """
scene.frame_start, scene.frame_end = 17, 18
scene.frame_current = 5
scene.render.use_motion_blur = True
bpy.ops.render.render(animation=True)
assert (scene.frame_start, scene.frame_end, scene.frame_current) == (17, 18, 5)
assert bpy.data.objects["Busy"].plant_dynamics.live"""
    seen, printed = rendered_elsewhere(fresh, blend, tmp_path / "part", render=script)
    assert sorted(seen) == [17]
    assert "up to frame 18" in printed


@pytest.mark.parametrize("within", ["SEQUENCER", "COMPOSITOR", "ARGUMENT"])
def test_plants_of_other_scenes(fresh, shot, tmp_path, within):
    """Seen in the active scene's picture, or rendered as another one than the active."""
    blend, here = shot
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    scene, other = bpy.context.scene, bpy.data.scenes.new("Other")
    other.frame_start, other.frame_end, other.frame_step = FRAMES[0], FRAMES[-1], 8
    other.render.engine, other.cycles.samples = "CYCLES", 1
    other.render.resolution_x = other.render.resolution_y = 48
    other.render.image_settings.file_format = "PNG"
    other.view_settings.view_transform = scene.view_settings.view_transform
    other.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    if within == "SEQUENCER":
        editor = other.sequence_editor_create()
        strips = editor.strips if hasattr(editor, "strips") else editor.sequences
        strips.new_scene("Plant", scene, 1, FRAMES[0])
    elif within == "COMPOSITOR":
        compose(other, scene)
    bpy.context.window.scene = other
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    script = f"bpy.ops.render.render(animation=True, scene={scene.name!r})" if within == "ARGUMENT" else None
    how = {"render": script} if script else {}
    seen, printed = rendered_elsewhere(fresh, blend, tmp_path / "other", **how)
    assert "without" not in printed
    assert sorted(seen) == sorted(here)
    for frame, picture in here.items():
        if within == "ARGUMENT":
            assert np.array_equal(seen[frame], picture), frame
        else:  # colours go another way to the file, and rounded in 4.2: where the cube is, alpha tells
            alpha, other_alpha = picture[3::4], here[1 if frame > 1 else 33][3::4]
            assert np.abs(seen[frame][3::4] - alpha).mean() < 0.05 * np.abs(alpha - other_alpha).mean(), frame


def compose(other: bpy.types.Scene, scene: bpy.types.Scene) -> None:
    """Have the other scene's picture be this scene's."""
    if hasattr(other, "compositing_node_group"):
        tree = other.compositing_node_group = bpy.data.node_groups.new("Tree", "CompositorNodeTree")
        tree.interface.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")
        end = tree.nodes.new("NodeGroupOutput")
    else:
        other.use_nodes = True
        tree = other.node_tree
        tree.nodes.clear()
        end = tree.nodes.new("CompositorNodeComposite")
    layers = tree.nodes.new("CompositorNodeRLayers")
    layers.scene = scene
    tree.links.new(layers.outputs["Image"], end.inputs["Image"])


BROKEN = {
    "cannot be read": 'bpy.data.objects["Busy"].scale = (1, 2, 1)',
    "stopped before": 'bpy.data.objects["Busy"].scale = (1, 2, 1)\nscene.frame_set(5)',
    "changed by a script at every frame": """
def change(scene, *_):
    bpy.data.objects["Busy"].plant_dynamics.loads[1].influence = 0.01 * scene.frame_current
bpy.app.handlers.render_pre.append(change)""",
}


@pytest.mark.parametrize("how", BROKEN)
def test_what_cannot_be_simulated_fails(fresh, shot, tmp_path, how):
    blend, _ = shot
    seen, printed = rendered_elsewhere(fresh, blend, tmp_path / "none", BROKEN[how], fails=True)
    assert not seen
    assert f"Plant Dynamics: '{NAME}'" in printed
    assert "Rendering stopped" in printed


SEEN = {
    "as a background set": "other.background_set = scene",
    "as an instanced collection": """
asset, empty = bpy.data.collections.new("Asset"), bpy.data.objects.new("Empty", None)
asset.objects.link(bpy.data.objects["Busy"])
empty.instance_type, empty.instance_collection = "COLLECTION", asset
other.collection.objects.link(empty)""",
}


@pytest.mark.parametrize("how", SEEN)
def test_a_live_plant_of_another_scene_fails(fresh, shot, tmp_path, how):
    blend, _ = shot
    before = f"""
other = bpy.data.scenes.new("Other")
other.camera, other.render.filepath = scene.camera, scene.render.filepath
other.collection.objects.link(scene.camera)
{SEEN[how]}
"""
    render = '\nbpy.ops.render.render(animation=True, scene="Other")\n'
    seen, printed = rendered_elsewhere(fresh, blend, tmp_path / "none", before, render, fails=True)
    assert not seen
    assert f"'{NAME}' is seen in 'Other' through a background set or an instanced collection" in printed
