# SPDX-License-Identifier: GPL-3.0-or-later
"""Open L-studio Object: a file of cpfg with what lies beside it becomes a text that grows anywhere."""

import importlib
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes.drawn_panels import Layout
from tests.blender.scenes.grown.opened_objects import SURFACE
from tests.blender.scenes.plants import ADDON

PLANT = """#define N 3 /* [1..9] nodes */
Lsystem: 1
derivation length: N
Axiom: A
A --> F(func(1, 0.5))[+@L("leaf")~l(2)]A
endlsystem
"""
LINE = "range: 0 1\npoints: 4\n0 0\n0.333 2\n0.667 4\n1 6\n"


@pytest.fixture
def folder(tmp_path, fresh):
    there = tmp_path / "07-herb"
    there.mkdir()
    (there / "plant.l").write_text(PLANT)
    (there / "plant.v").write_text("initial line width: 0.3\nangle increment: 60\nfunction: line.func\n")
    (there / "line.func").write_text(LINE)
    return there


def heights() -> list[float]:
    """Ends of the stem's bones in z."""
    return sorted(bone.tail_local.z for bone in bpy.context.object.data.bones)


def test_an_object_is_opened_and_grown_without_its_files(folder):
    bpy.context.scene.plant_dynamics.pot = True  # of the plant before
    assert bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l")) == {"FINISHED"}
    options = bpy.context.scene.plant_dynamics
    assert (options.source, options.text.name, options.constants["N"].value) == ("TEXT", "herb", 3.0)
    assert not options.pot
    for file in folder.iterdir():
        file.unlink()
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    assert heights()[-1] == pytest.approx(0.5, abs=0.01)


def test_the_unit_is_asked_for(folder):
    bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l"), unit=0.1)
    assert "unit: 0.1" in bpy.context.scene.plant_dynamics.text.as_string()
    bpy.ops.plant_dynamics.grow()
    assert heights()[-1] == pytest.approx(3 * 0.3, abs=0.15)


def test_what_cannot_be_opened_is_told(folder):
    (folder / "line.func").unlink()
    with pytest.raises(RuntimeError, match=r"line\.func: the view file names this file, but it is not there"):
        bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l"))
    assert not bpy.data.texts


def test_one_of_several_is_chosen(folder):
    (folder / "tall.l").write_text(PLANT.replace("#define N 3", "#define N 5"))
    with pytest.raises(RuntimeError, match=r"several L-systems; open one of plant\.l, tall\.l"):
        bpy.ops.plant_dynamics.open_object(filepath=str(folder))
    choosing = importlib.import_module(f"{ADDON}.operators.growing.choose_object")
    drawn = Layout()
    size = {"unit": 0.1, "thicken": True}
    choosing.draw_choices(drawn, folder, [folder / "plant.l", folder / "tall.l"], size)
    assert drawn.shown == ["herb  (plant.l)", "tall  (tall.l)"]
    names, buttons = zip(*drawn.operators, strict=True)
    assert set(names) == {"plant_dynamics.open_object"}
    assert bpy.ops.plant_dynamics.open_object("INVOKE_DEFAULT", **vars(buttons[1])) == {"FINISHED"}
    options = bpy.context.scene.plant_dynamics
    assert (options.text.name, options.constants["N"].value) == ("tall", 5.0)
    assert "unit: 0.1" in options.text.as_string()
    many = Layout()
    choosing.draw_choices(many, folder, [folder / "plant.l"] * 43, size)
    assert (len(many.operators), many.texts) == (40, ["3 others: choose a folder that is nearer to them"])
    (folder / "specifications").write_text("tall one:\n\tgo:\n\t\tcpfg tall.l\nsmall one:\n\tgo:\n\t\tcpfg plant.l\n")
    named = Layout()
    choosing.draw_choices(named, folder, [folder / "tall.l", folder / "plant.l"], size)
    assert named.shown == ["tall one  (tall.l)", "small one  (plant.l)"]
    opening = bpy.types.PLANT_DYNAMICS_OT_open_object
    tips = [opening.description(bpy.context, button).splitlines()[0] for _, button in named.operators]
    assert tips == [str(folder / "tall.l"), str(folder / "plant.l")]


def test_what_is_chosen_in_the_file_browser_is_opened(folder):
    """As the file browser executes it, which is no step to be undone: opening is."""
    assert bpy.ops.plant_dynamics.choose_object(filepath=str(folder), unit=0.1) == {"FINISHED"}
    assert "unit: 0.1" in bpy.context.scene.plant_dynamics.text.as_string()
    undone = {
        name: "UNDO" in getattr(bpy.types, f"PLANT_DYNAMICS_OT_{name}").bl_options
        for name in ("choose_object", "open_object")
    }
    assert undone == {"choose_object": False, "open_object": True}


def test_the_automatic_unit_is_told_in_words(folder):
    opening = bpy.types.PLANT_DYNAMICS_OT_open_object
    asked = SimpleNamespace(unit=0.0, is_half_metre=True, used="0.2 m", layout=Layout())
    opening.draw(asked, bpy.context)
    assert asked.layout.properties == ["is_half_metre", "thicken"]
    assert asked.layout.texts == ["A length of 1 is 0.2 m"]


def test_the_command_takes_a_folder(folder, fresh):
    importlib.import_module(f"{ADDON}.commands").grow(str(folder))
    assert heights()[-1] == pytest.approx(0.5, abs=0.01)


def colours_of(obj) -> dict[str, set[int]]:
    """Names of the materials that the skin's faces have, with the bones' numbers of these faces."""
    mesh = next(child for child in obj.children if child.type == "MESH").data
    segments = [group.groups[0].group for group in mesh.vertices]
    found: dict[str, set[int]] = {}
    for face in mesh.polygons:
        found.setdefault(mesh.materials[face.material_index].name, set()).add(segments[face.vertices[0]])
    return found


def test_colours_of_the_folder_are_materials(folder):
    text = "Lsystem: 1\nAxiom: ;(3)F(5)[+;(4)F(5)][-;(9)F(5)]\nendlsystem\n"
    (folder / "plant.l").write_text(text)
    red = [3, 0, *(9, 0, 0), *(255, 0, 0), *(0, 0, 0), *(0, 0, 0), 0]
    glass = [4, 51, *(0, 0, 0), *(0, 0, 255), *(0, 51, 0), *(255, 255, 255), 128]
    (folder / "plant.mat").write_bytes(bytes([*red, *glass]))
    bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l"))
    bpy.context.scene.plant_dynamics.instance_leaves = True
    bpy.ops.plant_dynamics.grow()
    obj = bpy.context.object
    found = colours_of(obj)
    # the ninth has no material in the file
    assert set(found) - {"herb Colour 3", "herb Colour 4"} <= {"Plant Stem", "Plant Bark"}
    assert found["herb Colour 3"] == {0}
    red, glass = (bpy.data.materials[f"herb Colour {number}"] for number in (3, 4))
    assert tuple(red.diffuse_color) == pytest.approx((1, 0, 0, 1))
    node = next(one for one in glass.node_tree.nodes if one.bl_idname == "ShaderNodeBsdfPrincipled")
    assert node.inputs["Alpha"].default_value == pytest.approx(0.8)
    assert tuple(node.inputs["Emission Color"].default_value)[:3] == pytest.approx((0, 0.0331, 0), abs=1e-4)
    assert node.inputs["Specular IOR Level"].default_value == pytest.approx(0.5)
    # a material that somebody else has put there stays
    mesh = next(child for child in obj.children if child.type == "MESH").data
    own = bpy.data.materials.new("Own")
    mesh.materials[list(mesh.materials).index(red)] = own
    bpy.ops.plant_dynamics.regrow()
    assert colours_of(bpy.context.object)["Own"] == {0}
    assert len([one for one in bpy.data.materials if one.name.startswith("herb Colour")]) == 2


def test_instances_have_the_colours_of_the_folder(folder):
    string = ";(3)F(5)[+;(4)~l(5)][-;(4)~l(4)][+(90);(3)~l(3)][{.f(2)+f(2).}]F(5)[+;(4)@O(2)]"
    (folder / "plant.l").write_text(f"Lsystem: 1\nAxiom: {string}\nendlsystem\n")
    red, blue = ([number, 0, 0, 0, 0, *colour, *[0] * 7] for number, colour in ((3, (255, 0, 0)), (4, (0, 0, 255))))
    (folder / "plant.mat").write_bytes(bytes([*red, *blue]))
    bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l"))
    bpy.context.scene.plant_dynamics.instance_leaves = True
    bpy.ops.plant_dynamics.grow()
    found: dict[str, set[str]] = {}
    for mesh in bpy.data.meshes:
        shown = {mesh.materials[face.material_index].name for face in mesh.polygons}
        kind = mesh.name.removeprefix("herb ").split()
        found.setdefault(kind[0], set()).update(f"{kind[-1]}: {name}" for name in shown)
    assert found["Leaf"] == {"3: herb Colour 3", "4: herb Colour 4"}
    assert found["Fruit"] == {"4: herb Colour 4"}
    assert found["Mesh"] == {"Mesh: herb Colour 3"}, "the stem, and the polygon, which has its own outline"
    obj = bpy.context.object
    evaluated = bpy.context.evaluated_depsgraph_get()
    copies = [one for one in evaluated.object_instances if one.is_instance and one.parent.original.parent == obj]
    assert len(copies) == 4


def test_lines_that_are_too_thin_are_told(folder, capfd):
    (folder / "plant.l").write_text("Lsystem: 1\nAxiom: !(0.3)" + "F(10)" * 20 + "@L(1)\nendlsystem\n")
    (folder / "plant.v").write_text("initial line width: 0.5 units\n")
    told: dict[bool, str] = {}
    for thicken in (False, True):
        bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l"), thicken=thicken)
        told[thicken] = capfd.readouterr().out
    assert "the stiffest green wood has 19. To have wood, open it with Thicken Lines: they become 1." in told[False]
    assert told[False].rindex("Left out: labels") < told[False].rindex("Its lines are thin")
    assert "thin" not in told[True]
    assert "widths: 1." in bpy.context.scene.plant_dynamics.text.as_string()


def test_surfaces_are_their_patches_with_their_textures(folder, capfd):
    (folder / "plant.l").write_text("Lsystem: 1\nAxiom: F(10)[@Tx(1);(3)~s(4)][@Tx(2);(3)+(90)~s(4)]\nendlsystem\n")
    (folder / "plant.v").write_text("surface: s one.s 1\ntexture: F: spots.png H:n S:\ntexture: none.png\n")
    (folder / "one.s").write_text(SURFACE)
    (folder / "plant.map").write_bytes(bytes(range(256)) * 3)
    image = bpy.data.images.new("made", 4, 4, alpha=True)
    # green where it covers, sRGB; what is clear there counts for nothing
    image.pixels.foreach_set([0.2, 0.6, 0.1, 1.0] * 8 + [1.0, 0.0, 1.0, 0.0] * 8)
    image.filepath_raw, image.file_format = str(folder / "spots.png"), "PNG"
    image.save()
    bpy.data.images.remove(image)
    bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l"), unit=0.01)
    assert "these images, which are not beside the file: none.png" in capfd.readouterr().out
    assert bpy.data.images["spots.png"].packed_file is not None
    (folder / "spots.png").unlink()
    bpy.ops.plant_dynamics.grow()
    mesh = next(child for child in bpy.context.object.children if child.type == "MESH").data
    spotted, plain = (bpy.data.materials[name] for name in ("herb Colour 3 spots.png", "herb Colour 515"))
    nodes = [
        [node for node in one.node_tree.nodes if node.bl_idname == "ShaderNodeTexImage"] for one in (spotted, plain)
    ]
    assert [len(found) for found in nodes] == [1, 0]
    assert nodes[0][0].image == bpy.data.images["spots.png"]
    of_image = ((np.array([0.2, 0.6, 0.1]) + 0.055) / 1.055) ** 2.4  # linear
    assert spotted.diffuse_color[:3] == pytest.approx(of_image * plain.diffuse_color[:3], rel=0.05)
    faces = [face for face in mesh.polygons if mesh.materials[face.material_index] == spotted]
    corners = np.array([mesh.vertices[index].co for face in faces for index in face.vertices])
    # Bernstein's weights of the inner points in the middle are 3/4 both ways; U of cpfg looks into the picture
    assert corners[:, 1].max() == pytest.approx(2 * 0.75**2 * 0.04, abs=1e-6)
    uv = np.array([mesh.uv_layers[0].uv[index].vector for face in faces for index in face.loop_indices])
    assert (uv.min(), uv.max()) == pytest.approx((0.0, 1.0), abs=1e-6)
    assert len({group.group for face in faces for index in face.vertices for group in mesh.vertices[index].groups}) > 2


def test_textures_go_around_stems_in_their_proportions(folder):
    """Once around; along as often as the way is longer than that, by the image's proportions, as cpfg's `t` counts."""
    (folder / "plant.l").write_text("Lsystem: 1\nAxiom: #(1)@Tx(1);(3)F(12)\nendlsystem\n")
    (folder / "plant.v").write_text("line style: cylinder\ninitial line width: 0\ntexture: F: bark.png H:n S:\n")
    (folder / "plant.map").write_bytes(bytes(range(256)) * 3)
    image = bpy.data.images.new("made", 8, 4)
    image.filepath_raw, image.file_format = str(folder / "bark.png"), "PNG"
    image.save()
    bpy.data.images.remove(image)
    bpy.ops.plant_dynamics.open_object(filepath=str(folder / "plant.l"), unit=0.01)
    bpy.ops.plant_dynamics.grow()
    mesh = next(child for child in bpy.context.object.children if child.type == "MESH").data
    barked = next(k for k, one in enumerate(mesh.materials) if one.name == "herb Colour 3 bark.png")
    corners = [index for face in mesh.polygons if face.material_index == barked for index in face.loop_indices]
    uv = np.array([mesh.uv_layers[0].uv[index].vector for index in corners])
    height = np.array([mesh.vertices[mesh.loops[index].vertex_index].co.z for index in corners])
    assert (uv[:, 0].min(), uv[:, 0].max()) == pytest.approx((0.0, 1.0), abs=1e-6)
    body = (height > 0.01) & (height < 0.11)
    assert uv[body, 1] == pytest.approx(height[body] / (np.pi * 0.01) * 8 / 4, rel=1e-3)
