# SPDX-License-Identifier: GPL-3.0-or-later
"""Skins that part where bones come off: nothing between is stretched, and nothing is open."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.breaking.coming_off import LAST, key_cut, key_let_go
from tests.blender.scenes.collider_scenes import mesh_object, of_addon
from tests.blender.scenes.drawn_panels import Layout
from tests.forms import IS_FULL


@pytest.fixture
def grown(fresh, run_operator):
    """A grown plant with the skin of a branch that is cut at frame 5."""
    bpy.context.scene.frame_end = 12
    obj = plants.grow("broad_leaf")
    run_operator("disconnect_bones")
    bone = max((one for one in obj.data.bones if one.plant_dynamics.organ == "stem" and one.parent),
               key=lambda one: (one.parent.parent is not None) * len(one.children_recursive))  # fmt: skip
    for frame, cut in ((1, False), (5, True)):
        obj.pose.bones[bone.name].plant_dynamics_cut = cut
        obj.pose.bones[bone.name].keyframe_insert("plant_dynamics_cut", frame=frame)
    return obj


def read(items, name, shape=(-1,), kind=np.int32):
    """A property of all items of Blender's, of this many numbers each."""
    values = np.empty(len(items) * abs(int(np.prod(shape))), dtype=kind)
    items.foreach_get(name, values)
    return values.reshape(shape)


def edges_of(skin):
    """(e, 2) vertices, and (e,) lengths as the skin is shown."""
    shown = skin.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    points, edges = read(shown.vertices, "co", (-1, 3), np.float32), read(shown.edges, "vertices", (-1, 2))
    return edges, np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1)


def faces_of_edges(skin):
    """(e,) how many faces each edge has."""
    corners = read(skin.data.attributes[".corner_edge"].data, "value")  # a hundred times as fast as by loops
    return np.bincount(corners, minlength=len(skin.data.edges))


def open_edges(skin):
    """How many edges have one face only."""
    return int((faces_of_edges(skin) == 1).sum())


def longest(grown, skin):
    grown.plant_dynamics.start = "drawn"
    bpy.ops.plant_dynamics.play()
    plants.show(1)
    at_first = edges_of(skin)[1]
    plants.show(12)
    return (edges_of(skin)[1] - at_first).max()


def test_nothing_is_stretched_between_the_parts(grown, run_operator):
    skin = plants.mesh_of(grown)
    before, open_before = len(skin.data.vertices), open_edges(skin)
    run_operator("part_skin")
    assert len(skin.data.vertices) > before
    assert open_edges(skin) <= open_before
    assert longest(grown, skin) < 1e-3


def test_without_it_the_skin_is_stretched(grown):
    assert longest(grown, plants.mesh_of(grown)) > 0.05


def test_once_is_enough(grown, run_operator):
    skin = plants.mesh_of(grown)
    run_operator("part_skin")
    count = len(skin.data.vertices)
    run_operator("part_skin")
    assert len(skin.data.vertices) == count


def test_what_does_not_come_off_is_not_parted(fresh, run_operator):
    obj = plants.grow("broad_leaf")
    key_let_go(obj, 5)
    with pytest.raises(RuntimeError, match="no bone that may come off"):
        run_operator("part_skin")


def uses(skin):
    """Of each number of faces how many edges have so many."""
    return np.bincount(faces_of_edges(skin), minlength=3).tolist()


def normals_of(skin):
    """(c, 3) as corners are shaded."""
    return read(skin.data.corner_normals, "vector", (-1, 3), np.float32)


def joined_bones(obj):
    return [bone.name for bone in obj.data.bones if bone.parent and not bone.plant_dynamics.pinned]


PRESETS = ["broad_leaf", "climbing_shoot", "daffodil", "meadow_grass", "reed", "rose", "shrub", "tomato"]
if IS_FULL:
    PRESETS = sorted(path.stem for path in (Path(__file__).parents[3] / "lsystem" / "presets").glob("*.lsys"))


def test_leaves_that_are_cut_in_themselves_are_closed(fresh, run_operator):
    obj = plants.grow("broad_leaf")
    skin = plants.mesh_of(obj)
    cut = [name for name in joined_bones(obj) if name.startswith("Leaf")][2::7]
    assert any(obj.data.bones[name].parent.name.startswith("Leaf") for name in cut)
    for name in cut:
        obj.pose.bones[name].plant_dynamics_cut = True
    before = uses(skin)
    run_operator("part_skin")
    after = uses(skin)
    assert after[:2] + after[3:] == before[:2] + before[3:]
    assert after[2] > before[2]


@pytest.mark.parametrize("preset", PRESETS)
def test_grown_skins_are_closed_and_look_the_same(fresh, presets, run_operator, preset):
    """With a few bones that come off, also of stems: the skin is closed before and after; shading differs by what
    Blender keeps of it, 16 bits; cut ends are shaded flat."""
    obj, rng = presets.grow(preset), np.random.default_rng(0)
    skin, names = plants.mesh_of(obj), joined_bones(obj)
    stems = [name for name in names if obj.data.bones[name].plant_dynamics.organ != "leaf"]
    for some in (names, stems):  # leaves may be surfaces of their own, of which nothing is parted
        for name in rng.choice(some, min(3, len(some)), replace=False).tolist():
            obj.pose.bones[name].plant_dynamics_cut = True
    before, normals, faces = uses(skin), normals_of(skin), len(skin.data.polygons)
    run_operator("part_skin")
    after = uses(skin)
    assert after[3:] == before[3:] == []
    assert after[1] == before[1] == 0, "nothing is open"
    assert after[0] == before[0]
    assert after[2] > before[2]
    assert np.abs(normals_of(skin)[: len(normals)] - normals).max() < 5e-3
    assert not read(skin.data.polygons, "use_smooth", kind=bool)[faces:].any()
    assert not skin.data.validate()


def test_bones_that_all_come_off_at_forks_have_a_cap_each(fresh, run_operator):
    """Where several parts meet on one ring, each edge still has two faces."""
    obj = plants.grow("broad_leaf")
    skin = plants.mesh_of(obj)
    for name in joined_bones(obj):
        obj.pose.bones[name].plant_dynamics_cut = True
    run_operator("part_skin")
    assert uses(skin)[1:2] + uses(skin)[3:] == [0]


def test_cut_ends_are_flat(grown, run_operator):
    skin = plants.mesh_of(grown)
    faces, cut = len(skin.data.polygons), next(one.name for one in grown.pose.bones if one.plant_dynamics_cut)
    run_operator("part_skin")
    radius = grown.data.bones[cut].head_radius
    points = np.array([point.co for point in skin.data.vertices])
    for cap in np.split(np.array([face.vertices[:] for face in skin.data.polygons[faces:]]), 2):
        rim = points[np.unique(cap)]
        heights = (rim - rim.mean(axis=0)) @ np.linalg.svd(rim - rim.mean(axis=0))[2][2]
        assert np.abs(heights).max() < 0.5 * radius


def test_only_what_comes_off_is_parted_once_it_is_known(fresh, run_operator):
    """All bones might snap: before a frame is known the skin is parted at all of them, then only where one has."""
    obj = plants.grow("broad_leaf")
    run_operator("break_as", wood="DRY")
    skin, names = plants.mesh_of(obj), joined_bones(obj)
    bpy.ops.ed.undo_push(message="Dry Wood")
    before = len(skin.data.vertices)
    run_operator("part_skin")
    everywhere = len(skin.data.vertices) - before
    bpy.ops.ed.undo_push(message="Part Skin")
    name = obj.name
    bpy.ops.ed.undo()
    obj = bpy.data.objects[name]
    skin = plants.mesh_of(obj)
    assert len(skin.data.vertices) == before
    bone = next(one for one in names if obj.data.bones[one].plant_dynamics.organ == "stem"
                and obj.data.bones[one].parent.parent)  # fmt: skip
    for one in obj.data.bones:
        if one.plant_dynamics.organ == "stem":
            one.plant_dynamics.strength = 1e-6 if one.name == bone else 1e9
    play_all(obj)
    run_operator("part_skin")
    assert 0 < len(skin.data.vertices) - before < everywhere / 3
    assert cautions(obj) == ""


def test_shape_keys_get_the_new_points(grown, run_operator):
    skin = plants.mesh_of(grown)
    skin.shape_key_add(name="Basis")
    key = skin.shape_key_add(name="Up")
    for point in key.data:
        point.co.z += 0.1
    run_operator("part_skin")
    lifted = np.array([point.co for point in key.data])
    assert len(lifted) == len(skin.data.vertices)
    rest = np.array([point.co for point in skin.data.shape_keys.key_blocks[0].data])
    assert np.abs(lifted - rest - [0.0, 0.0, 0.1]).max() < 1e-5
    assert uses(skin)[1:2] + uses(skin)[3:] == [0]


def band(obj, name, *spans):
    """Quads along the chain's bones from the first to before the last of each span, in one piece each, every corner
    weighted to the bones on both of its sides."""
    vertices, faces, groups = [], [], []
    for first, last in spans:
        start = len(vertices)
        for x in range(first, last + 1):
            vertices += [(0.1 * x, 0.0, 0.0), (0.1 * x, 0.01, 0.0)]
            groups += 2 * [{max(first, x - 1), min(last - 1, x)}]
        faces += [(k, k + 1, k + 3, k + 2) for k in range(start, len(vertices) - 2, 2)]
    skin = mesh_object(name, vertices, faces)
    for bone in obj.data.bones:
        skin.vertex_groups.new(name=bone.name)
    for vertex, bones in enumerate(groups):
        for bone in bones:
            skin.vertex_groups[f"Bone.{bone}"].add([vertex], 1.0 / len(bones), "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    return skin


def cautions(obj):
    """What the panel says of skins, as one text."""
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_breaking.draw_plant(None, layout, obj, obj.plant_dynamics)
    texts = " ".join(layout.texts)
    return texts[texts.index("Stretched") :] if "Stretched" in texts else ""


def play_all(obj):
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    for frame in range(1, LAST + 1):
        plants.show(frame)


def test_a_skin_that_cannot_part_is_told_until_it_is_parted(fresh, cut, run_operator):
    band(cut, "Whole", (0, 5))
    band(cut, "In Two", (0, 2), (2, 5))
    band(cut, "Beside", (3, 5))
    play_all(cut)
    assert "one piece where bones come off: 'Whole'" in cautions(cut)
    layout = Layout()
    of_addon(fresh, "panels.status").draw_status(bpy.context, layout, cut)
    assert "The skin is stretched where bones have come off" in " ".join(layout.texts)
    assert "In Two" not in cautions(cut)
    assert "Beside" not in cautions(cut)
    name = cut.name
    bpy.ops.ed.undo_push(message="Played")
    run_operator("part_skin")
    bpy.ops.ed.undo_push(message="Part Skin")
    assert cautions(cut) == ""
    bpy.ops.ed.undo()
    assert "'Whole'" in cautions(bpy.data.objects[name])


def test_nothing_is_told_of_skins_before_a_bone_has_come_off(cut, run_operator):
    """Of a bone that cracks neither, nor of the whole plant that falls."""
    band(cut, "Whole", (0, 5))
    assert cautions(cut) == ""
    cut.animation_data_clear()
    cut.pose.bones["Bone.2"].plant_dynamics_cut = False
    key_let_go(cut, 5)
    play_all(cut)
    assert cautions(cut) == ""
    key_cut(cut, "Bone.3", 5)
    bpy.ops.object.mode_set(mode="POSE")
    plants.select(cut, "Bone.3")
    plants.show(7)
    run_operator("cut_here")
    bpy.ops.object.mode_set(mode="OBJECT")
    play_all(cut)
    assert "'Whole'" in cautions(cut)


def test_grown_skins_are_told_too(grown, run_operator):
    play_all(grown)
    assert f"'{plants.mesh_of(grown).name}'" in cautions(grown)
    run_operator("part_skin")
    assert cautions(grown) == ""


@pytest.fixture
def live(cut):
    """The chain, live and whole, as its panel has seen it."""
    band(cut, "Whole", (0, 5))
    cut.animation_data_clear()
    cut.pose.bones["Bone.2"].plant_dynamics_cut = False
    play_all(cut)
    assert cautions(cut) == ""
    return cut


def cautions_when_idle(fresh, obj):
    """What the panel says when it has been drawn, and again when what it asked for has been done."""
    whole_skins = of_addon(fresh, "rigging.skin.whole_skins")
    first, asked = cautions(obj), bpy.app.timers.is_registered(whole_skins.look_now)
    if asked:
        bpy.app.timers.unregister(whole_skins.look_now)
        whole_skins.look_now()
    return first, asked, cautions(obj), bpy.app.timers.is_registered(whole_skins.look_now)


def by_key(obj):
    key_cut(obj, "Bone.3", 5)


def by_strength(obj):
    obj.plant_dynamics.breaks = True
    obj.data.bones["Bone.3"].plant_dynamics.strength = 1e-6


@pytest.mark.parametrize("comes_off", [by_key, by_strength])
def test_what_comes_off_by_hand_while_it_plays_is_told_too(fresh, live, comes_off):
    """Without another press of Play; the skin is not looked at while the panel is drawn, and once only."""
    comes_off(live)
    for frame in range(1, LAST + 1):
        plants.show(frame)
    first, asked, then, asked_again = cautions_when_idle(fresh, live)
    assert (first, asked, asked_again) == ("", True, False)
    assert "'Whole'" in then


def test_a_whole_plant_that_falls_is_asked_about_once(fresh, live):
    key_let_go(live, 5)
    for frame in range(1, LAST + 1):
        plants.show(frame)
    assert cautions_when_idle(fresh, live) == ("", True, "", False)


def test_it_is_told_of_a_file_that_opens_with_its_motion(fresh, cut, tmp_path):
    """Nothing has looked at its skins then."""
    band(cut, "Whole", (0, 5))
    cut.plant_dynamics.use_disk_cache, name, path = True, cut.name, str(tmp_path / "cut.blend")
    play_all(cut)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.data.objects[name]
    plants.show(3)
    plants.show(LAST)
    first, asked, then, _ = cautions_when_idle(fresh, obj)
    assert (first, asked) == ("", True)
    assert "'Whole'" in then
