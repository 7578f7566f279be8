# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of comparisons: what the camera sees, plots and tables, and a plant beside footage."""

import csv
from itertools import pairwise

import bpy
import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from tests.blender.scenes import plants
from tests.blender.scenes.comparisons import LAST, compared, module


def points_of(place):
    """World points of a plant of the row, as it is shown."""
    studio = module("studio.studio")
    return studio.world_points([one for one in place.objects() if one.type == "MESH"], every=5)


@pytest.mark.parametrize("source", ["chain", "potted"])
def test_the_camera_sees_all_of_the_motion(pulled, source):
    obj = pulled
    if source == "potted":
        obj = plants.grow("broad_leaf", pot=True)
        plants.key_location(obj, {1: tuple(obj.location), 6: (0.3, 0, obj.location.z)})
    comparison = compared(obj, "YOUNG", "0.2x, 1x, 2x")
    scene = comparison.scene
    bpy.context.window.scene = scene
    labels = [one for one in scene.objects if one.type == "FONT" and one.parent is None]
    assert [label.data.body for label in labels] == [place.text for place in comparison.places]
    for frame in range(1, LAST + 1):
        plants.show(frame)
        clouds = [points_of(place) for place in comparison.places]
        corners = [label.matrix_world @ Vector(corner) for label in labels for corner in label.bound_box]
        for point in [*np.concatenate(clouds), *corners]:
            x, y, depth = world_to_camera_view(scene, scene.camera, Vector(point))
            assert 0.0 < x < 1.0
            assert 0.0 < y < 1.0
            assert depth > 0.0
        for left, right in pairwise(clouds):
            assert left[:, 0].max() < right[:, 0].min(), "neighbours touch"
    for label, place in zip(labels, comparison.places, strict=True):
        facing = label.matrix_world.to_3x3() @ Vector((0, 0, 1))
        assert facing.dot(scene.camera.matrix_world.to_3x3() @ Vector((0, 0, 1))) > 0.999
        at = world_to_camera_view(scene, scene.camera, label.matrix_world.translation).x
        across = [world_to_camera_view(scene, scene.camera, Vector(point)).x for point in points_of(place)]
        assert min(across) - 0.02 < at < max(across) + 0.02, "it is not below its plant"


def test_a_bare_armature_gets_a_mesh_of_its_radii(pulled):
    place = compared(pulled, "RADIUS", "1, 2").places[1]
    (mesh,) = place.variant.meshes
    away = [np.hypot(vertex.co.y, vertex.co.z) for vertex in mesh.data.vertices]
    assert np.allclose(away, 2 * 0.004, rtol=1e-5)
    assert len(mesh.vertex_groups) == len(pulled.data.bones)


def test_stills_and_movie(pulled, tmp_path):
    scene = compared(pulled, "YOUNG", "1x, 2x", shot=module("comparison.scene").Shot(width=96, samples=1)).scene
    output, pictures = module("comparison.output"), module("studio.pictures")
    scene.frame_end = 3
    first, second, sheet = output.render_shot(scene, tmp_path, [1, 8])
    one, other = pictures.read_pixels(first), pictures.read_pixels(second)
    assert one.shape == (scene.render.resolution_y, 96, 4)
    assert not np.allclose(one, other, atol=0.02)
    assert pictures.read_pixels(sheet).shape == (2 * scene.render.resolution_y, 96, 4)
    assert (scene.frame_start, scene.frame_end) == (1, 3)
    (movie,) = output.render_shot(scene, tmp_path, None)
    assert movie.stat().st_size > 500


def test_measured_motion_is_that_of_the_bones(pulled, run_operator, tmp_path):
    pulled.plant_dynamics.layout = "double_root"  # other joints bend bones that the armature shows straight
    run_operator("play")
    plots = module("comparison.plots")
    motion = plots.measure(bpy.context, pulled, LAST)
    assert motion.bone == "Bone.5"
    for k, frame in enumerate(motion.frames.tolist()):
        plants.show(frame)
        assert np.allclose(motion.tip[k], plants.tip(pulled, "Bone.5"), atol=1e-5)
        assert np.allclose(motion.base[k], plants.matrices(pulled)[0, :3, 3], atol=1e-5)
    plots.write_csv(motion, tmp_path / "motion.csv")
    with open(tmp_path / "motion.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["frame"]) for row in rows] == list(range(1, LAST + 1))
    assert float(rows[-1]["time_s"]) == pytest.approx((LAST - 1) / 24)
    for row in rows:
        parts = [float(row[f"{kind}_J"]) for kind in ("kinetic", "elastic", "gravitational")]
        assert float(row["total_J"]) == pytest.approx(sum(parts), rel=1e-7)  # nine digits are written
    assert float(rows[0]["kinetic_J"]) == 0.0
    assert max(float(row["kinetic_J"]) for row in rows) > 0.0


def test_the_energy_of_a_free_fall_goes_from_one_column_to_the_other(fresh, run_operator):
    """Let go without damping and air, what weight and springs lose is the motion's."""
    bpy.context.scene.frame_end = LAST
    bpy.context.scene.plant_dynamics.wind.use_air = False
    obj = plants.chain()
    run_operator("make_dynamic")
    obj.plant_dynamics.damping_time, obj.plant_dynamics.start = 0.0, "drawn"
    run_operator("play")
    motion = module("comparison.plots").measure(bpy.context, obj, LAST)
    total, kinetic = motion.energies.sum(axis=1), motion.energies[:, 0]
    assert kinetic.max() > 1e-4
    assert np.abs(total - total[0]).max() < 0.02 * kinetic.max()


def test_angle_is_signed_and_against_the_vertical(addon):
    plots = module("comparison.plots")
    angle = np.radians([0.0, 10.0, -20.0, 5.0])
    way = np.stack([np.sin(angle) * 0.6, np.sin(angle) * 0.8, np.cos(angle)], axis=1)
    still = np.zeros((4, 3))
    motion = plots.MeasuredMotion("", "", np.arange(4), np.arange(4) / 24, way, still, still, (), np.zeros((4, 0)))
    assert np.allclose(motion.angles(), np.degrees(angle), atol=1e-6)


def test_plot_of_the_active_plant(pulled, run_operator, tmp_path):
    bpy.context.scene.plant_dynamics_compare.folder = str(tmp_path)
    run_operator("plot_motion")
    pixels = module("studio.pictures").read_pixels(tmp_path / "Chain.png")
    charts = module("studio.charts")
    assert pixels.shape == (charts.HEIGHT, charts.WIDTH, 4)
    blue = np.array(charts.COLOURS[0])
    near = np.abs(pixels[..., :3] - blue).max(axis=2) < 0.02
    for area in (near[90:680, 90:530], near[445:680, 680:1360], near[90:325, 680:1360]):
        assert area.sum() > 300, "a chart has no line"
    assert (tmp_path / "Chain.csv").read_text(encoding="utf-8").count("\n") == LAST + 1


def test_contact_forces_have_a_chart_of_their_own_where_anything_is_touched(addon, monkeypatch, tmp_path):
    plots, drawn = module("comparison.plots"), []
    draw_page = plots.draw_page
    monkeypatch.setattr(plots, "draw_page", lambda title, charts: drawn.append(charts) or draw_page(title, charts))
    way, still = np.random.default_rng(1).normal(size=(4, 3)), np.zeros((4, 3))

    def motion(force):
        contact = np.array([[0.0, 0.0], [1.0, 2.0], [0.5, 0.0], [0.0, 0.0]]) * force
        return plots.MeasuredMotion("", "", np.arange(4), np.arange(4) / 24, way, still, way, ("A", "B"), contact)

    free, touching = motion(0.0), motion(2.0)
    plots.plot_one(free, tmp_path / "free.png")
    plots.plot_one(touching, tmp_path / "touching.png")
    plots.plot_together("", [free, free], ["a", "b"], tmp_path / "free.png")
    plots.plot_together("", [free, touching], ["a", "b"], tmp_path / "touching.png")
    assert [len(charts) for charts in drawn] == [3, 4, 3, 4]
    one, together = drawn[1][3], drawn[3][3]
    assert (one.title, one.y_unit) == ("Contact force", "N")
    assert [(line.name, *line.y) for line in one.series] == [
        ("all bones", 0.0, 6.0, 1.0, 0.0), ("hardest pushed", 0.0, 4.0, 1.0, 0.0)
    ]  # fmt: skip
    assert [tuple(line.y) for line in together.series] == [(0.0,) * 4, (0.0, 6.0, 1.0, 0.0)]
    pixels = module("studio.pictures").read_pixels(tmp_path / "touching.png")
    near = np.abs(pixels[..., :3] - np.array(module("studio.charts").COLOURS[1])).max(axis=2) < 0.02
    assert near[90:220, 680:1360].sum() > 100, "the lowest chart has its line"


def test_plots_of_a_comparison(pulled, run_operator, tmp_path):
    settings = bpy.context.scene.plant_dynamics_compare
    settings.folder, settings.plots, settings.values = str(tmp_path), True, "0.5x, 1x"
    run_operator("compare")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len([name for name in names if name.endswith(".csv")]) == 2
    assert len([name for name in names if name.endswith(".png")]) == 1


def test_lines_and_letters_cover_what_they_should(addon):
    canvas = module("studio.canvas").Canvas(200, 100)
    canvas.line(np.array([[20.0, 30.0], [120.0, 80.0]]), (0.0, 0.0, 0.0), 3.0)
    covered = (1.0 - canvas.pixels[..., 0]).sum()
    assert covered == pytest.approx(3.0 * np.hypot(100, 50) + np.pi * 1.5**2, rel=0.03)
    other = module("studio.canvas").Canvas(200, 100)
    other.text((100, 40), "H", 40.0, (0.0, 0.0, 0.0), align=0.5)
    rows, columns = np.nonzero(other.pixels[..., 0] < 0.5)
    assert rows.min() in range(39, 42)
    assert rows.max() - rows.min() in range(22, 36)
    assert (columns.min() + columns.max()) / 2 == pytest.approx(100, abs=2.5)


def test_ticks_are_round_numbers(addon):
    ticks = module("studio.charts").ticks
    assert ticks(0.0, 1.0, 5) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert ticks(-37.0, 41.0, 4) == pytest.approx([-20, 0, 20, 40])
    assert ticks(0.00012, 0.00048, 4) == pytest.approx([0.0002, 0.0003, 0.0004])


@pytest.fixture
def plate(tmp_path):
    """Twelve numbered pictures 160 x 90, redder from one to the next, with a green corner at the lower left."""
    pictures = module("studio.pictures")
    for frame in range(12):
        pixels = np.zeros((90, 160, 4), dtype=np.float32)
        pixels[..., 3], pixels[..., 0] = 1.0, (frame + 1) / 12
        pixels[:10, :40, 1] = 1.0
        pictures.save_pixels(pixels, tmp_path / f"take_{frame + 8:03d}.png")
    return tmp_path


def filmed(obj):
    """A camera and light for the plant's scene."""
    studio, scene = module("studio.studio"), bpy.context.scene
    studio.use_cycles(scene, studio.RenderQuality(120, 120, 1))
    scene.world = bpy.data.worlds.new("White")
    if scene.world.node_tree is None:
        scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.0, 0.0, 1.0, 1.0)
    studio.add_camera(scene, np.array([[0.0, 0, 0], [0.6, 0, 0.3]]))
    return scene


def test_beside_footage(pulled, plate, run_operator):
    run_operator("bake")
    scene = filmed(pulled)
    run_operator("beside_footage", filepath=str(plate / "take_008.png"), start_frame=2, skip=3, height=60)
    new = bpy.context.scene
    assert new != scene
    assert (new.render.resolution_x, new.render.resolution_y) == (round(160 * 60 / 90 / 2) * 2 + 60, 60)
    output, pictures = module("comparison.output"), module("studio.pictures")
    new.frame_end = 6
    for path, red in zip(output.render_shot(new, plate / "out", [2, 6]), (4 / 12, 8 / 12), strict=False):
        pixels = pictures.read_pixels(path)
        left, right = pixels[:, :104], pixels[:, 112:]
        assert np.allclose(left[30:, :, 0], red, atol=0.02)
        assert left[2, 10, 1] > 0.9
        assert np.median(right[..., 2]) > 0.8, "the scene's blue world"
    behind = scene.camera.data.background_images[0]
    assert behind.image_user.frame_start == 2
    assert (plate / "out").is_dir()


def test_a_movie_as_footage(pulled, plate, run_operator):
    scene = filmed(pulled)
    run_operator("beside_footage", filepath=str(plate / "take_008.png"))
    new = bpy.context.scene
    new.frame_end = 8
    (movie,) = module("comparison.output").render_shot(new, plate / "out", None)
    bpy.context.window.scene = scene
    run_operator("beside_footage", filepath=str(movie))
    again = bpy.context.scene
    assert again.render.resolution_y == 90
    assert module("comparison.footage").footage_rate(again) == pytest.approx(24.0)


@pytest.mark.parametrize("missing", ["nothing.mp4", "notes.txt"])
def test_footage_that_cannot_be_read(pulled, tmp_path, missing):
    (tmp_path / "notes.txt").write_text("not a picture", encoding="utf-8")
    scene, scenes = filmed(pulled), len(bpy.data.scenes)
    with pytest.raises(RuntimeError, match=missing.split(".")[0]):
        bpy.ops.plant_dynamics.beside_footage(filepath=str(tmp_path / missing))
    assert len(bpy.data.scenes) == scenes
    assert bpy.context.scene == scene
