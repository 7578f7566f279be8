# SPDX-License-Identifier: GPL-3.0-or-later
"""Files beside a file of cpfg: found, read, and none from elsewhere."""

from pathlib import Path

import numpy as np
import pytest

from lsystem import (
    Grammar,
    LSystemError,
    beside,
    derive,
    grow,
    interpret,
    object_name,
    objects_in,
    open_object,
    parse,
)
from lsystem.base.organs import LEAF
from lsystem.language.beside.functions import read_function, read_function_set
from lsystem.language.beside.view_file import read_view
from lsystem.standing import young_that_sags

LINE = "fver 1 1\nname: line\nsamples: {samples}\nflip: off\npoints: 4\n0 0\n0.333333 1\n0.666667 2\n1 3\n"
PLANT = "Lsystem: 1\nAxiom: F(func(line, 0.5))\n"


def opened(path: Path) -> Grammar:
    """The L-system of an object, read from its text alone."""
    found = open_object(path)
    return parse(found.text, found.path.name)


def test_a_function_that_is_a_line():
    for samples in (2, 50):
        function = read_function(LINE.format(samples=samples), "line.func", -1)
        assert [function(x) for x in (0.25, 0.5, 0.75)] == pytest.approx([0.75, 1.5, 2.25], abs=0.005)
    assert function(-1.0) == function(0.0)
    assert function(2.0) == function(1.0)


def test_functions_of_a_set_have_names(tmp_path):
    (tmp_path / "plant.l").write_text(PLANT)
    (tmp_path / "panel.l").write_text("panel name: sliders\n")
    (tmp_path / "other.v").write_text("function set: all.fset\nangle factor: 8\n")
    (tmp_path / "all.fset").write_text("funcgalleryver 1 1\nitems: 1\n" + LINE.format(samples=10))
    grammar = opened(tmp_path)
    assert grammar.angle == 45.0
    assert derive(grammar)[0].params == pytest.approx((1.5,), abs=0.005)


def test_the_view_of_several_is_that_of_the_same_command(tmp_path):
    (tmp_path / "plant.l").write_text("Lsystem: 1\nAxiom: F\n")
    (tmp_path / "one.v").write_text("angle increment: 10\n")
    (tmp_path / "two.v").write_text("angle increment: 20\n")
    assert opened(tmp_path).angle == 22.5
    (tmp_path / "specifications").write_text("model:\n\tcpfg -m x.map plant.l two.v\n")
    assert opened(tmp_path).angle == 20.0
    (tmp_path / "plant.v").write_text("angle increment: 30\n")
    assert opened(tmp_path).angle == 30.0


def test_a_view_is_preprocessed_and_what_lights_is_left_out():
    text = (
        "#define ANGLE 12\nangle increment: ANGLE /* so many */\nlight: V: 1,2,3\ntwist: 5\n"
        "tropism: T: 0,2,0 E: 0.5 A: 60\ntorque: T: 1,0,0 E: 3\n"
    )
    view = read_view(text, "a.v", lambda name: None).view
    assert view.angle == 12.0
    assert [tropism.elasticity for tropism in view.tropisms] == [0.5, 3.0]
    assert [(tropism.angle, tropism.twists) for tropism in view.tropisms] == [(60.0, False), (0.0, True)]
    assert [tropism.direction for tropism in view.tropisms] == [(0, 1, 0), (1, 0, 0)]


def test_a_view_that_cannot_be_read_is_named():
    with pytest.raises(LSystemError, match="a number beyond") as caught:
        read_view("angle increment: 30\ninitial color: 1e300\n", "a.v", lambda name: None)
    assert (caught.value.source, caught.value.line) == ("a.v", 2)
    assert read_view("surface: l leaf.s x\n", "a.v", lambda name: None).surfaces == {"l": ("leaf.s", 1.0)}


def test_lines_that_are_too_thin_for_wood_can_be_thickened(tmp_path):
    """Twice as wide the weight is four times as large, and what bends sixteen times as stiff."""
    (tmp_path / "plant.l").write_text("Lsystem: 1\naxiom: !(0.5)" + "F(10)" * 20 + "\nendlsystem\n")
    thin = open_object(tmp_path, 0.02)
    wider = thin.thickening()
    assert wider == pytest.approx((thin.young / 1.9e10) ** 0.5)
    assert wider > 1.5
    thick = open_object(tmp_path, 0.02, thicken=True)
    assert thick.young == pytest.approx(1.9e10, rel=0.05)
    radii = [grow(one.text).radius_tip[0] for one in (thin, thick)]
    assert radii[1] / radii[0] == pytest.approx(wider, rel=0.01)
    assert open_object(tmp_path, 0.001, thicken=True).thickening() == 1.0, "a small one stands"
    with pytest.raises(LSystemError, match="'widths' is for files of cpfg"):
        parse("widths: 2\naxiom: F")
    with pytest.raises(LSystemError, match="expected an organ after 'material': stem, petiole, leaf, flower"):
        parse("material blade young=1e8\naxiom: F")


def test_grounds_beside_a_plant_are_scenery(tmp_path):
    """They stand still, and the plant is as large as without."""
    ground = "[,(6)f(-50){f(900)+(90)f(900)+(90)f(900)}]"
    for name, text in (("bare", ""), ("ground", ground)):
        (tmp_path / f"{name}.l").write_text(f"Lsystem: 1\naxiom: {text}F(100)[+F(50){{f(5)+f(5)+f(5)}}]\nendlsystem\n")
    bare, grounded = (open_object(tmp_path / f"{name}.l", 0.0) for name in ("bare", "ground"))
    assert (grounded.unit, grounded.young) == (bare.unit, bare.young)
    assert grow(grounded.text).pinned.tolist() == [True, False, False, False]
    alone = grow(f"Lsystem: 1\naxiom: {ground}\nendlsystem\n")
    assert not alone.pinned.any(), "where there is nothing else it is the plant"


def test_a_folder_tells_what_it_holds(tmp_path):
    """Its own L-systems, not panels; one without any those of its folders, by names that say more than `plant`."""
    for name in ("01-herb/plant.l", "02-tree/old.l", "02-tree/young.l", "02-tree/panel.l", "02-tree/deep/leaf.l"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("slider: a\n" if file.stem == "panel" else PLANT)
    for name in ("01-herb/any.v", "02-tree/old.v", "02-tree/young.mat", "02-tree/old.a"):
        (tmp_path / name).write_text("")
    found = objects_in(tmp_path)
    names = ["herb", "deep", "old", "young"]
    assert [object_name(file) for file in found] == names
    assert [sorted(beside(file)) for file in found] == [
        ["view"], [], ["animation", "colours", "panel", "view"], ["animation", "colours", "panel", "view"]
    ]  # fmt: skip
    assert objects_in(tmp_path / "02-tree") == found[2:]
    with pytest.raises(LSystemError, match=r"open one of 01-herb/plant\.l, 02-tree/deep/leaf\.l, 02-tree/old\.l"):
        open_object(tmp_path)
    (tmp_path / "01-herb" / "Herb.l").write_text(PLANT)
    assert [object_name(tmp_path / "01-herb" / name) for name in ("Herb.l", "plant.l")] == ["Herb", "plant"]


@pytest.mark.parametrize("name", ["../secret.h", "/etc/passwd", "link.h", "missing.h"])
def test_nothing_is_included_from_elsewhere(tmp_path, name):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.h").write_text("#define SECRET 1\n")
    (inside / "link.h").symlink_to(tmp_path / "secret.h")
    (inside / "plant.l").write_text(f'#include "{name}"\n{PLANT}')
    with pytest.raises(LSystemError, match="is not there beside this one"):
        opened(inside)


def test_what_lies_below_is_included(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "a.h").write_text("#define LONG 3\n")
    (tmp_path / "plant.l").write_text('#include "below/a.h"\nLsystem: 1\nAxiom: F(LONG)\n')
    assert opened(tmp_path).axiom.successor[0].parameters[0].value == 3.0


def test_an_error_within_an_included_file_says_so(tmp_path):
    (tmp_path / "a.h").write_text("#define OK 1\n#if\n#endif\n")
    (tmp_path / "plant.l").write_text('\n#include "a.h"\nLsystem: 1\nAxiom: F\n')
    with pytest.raises(LSystemError) as caught:
        opened(tmp_path)
    assert caught.value.line == 2
    assert "(in a.h, line 2)" in caught.value.message


@pytest.mark.parametrize("name", ["x" * 5000, "folder", "plant.l/x", "."])
def test_names_that_no_file_has_are_missing_files(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "plant.l").write_text(PLANT)
    (tmp_path / "plant.v").write_text(f"function: {name}\n")
    with pytest.raises(LSystemError, match="the view file names this file, but it is not there"):
        opened(tmp_path)
    (tmp_path / "plant.l").write_text(f'#include "{name}"\n{PLANT}')
    with pytest.raises(LSystemError, match="is not there beside this one"):
        opened(tmp_path)


def test_folders_are_not_taken_for_files(tmp_path):
    for name in ("a.l", "a.v", "a.mat", "a.map", "a.e", "a.a", "specifications"):
        (tmp_path / name).mkdir()
    (tmp_path / "plant.l").write_text("Lsystem: 1\nAxiom: F\n")
    assert opened(tmp_path).angle == 22.5


def test_an_empty_file_is_refused_at_its_beginning(tmp_path):
    (tmp_path / "plant.l").write_text(PLANT)
    (tmp_path / "plant.v").write_text("function: line.func\n")
    (tmp_path / "line.func").write_text("")
    with pytest.raises(LSystemError) as caught:
        opened(tmp_path)
    assert (caught.value.line, caught.value.column) == (1, 1)


def test_files_that_include_each_other_end(tmp_path):
    (tmp_path / "a.h").write_text('#include "a.h"\n')
    (tmp_path / "plant.l").write_text(f'#include "a.h"\n{PLANT}')
    with pytest.raises(LSystemError, match="include each other more than"):
        opened(tmp_path)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "there is no .l file here"),
        ({"a.lpy": "Axiom: A\n"}, "no .l file here. It is a file of L-Py, whose rules are"),
        ({"a.l": PLANT, "b.l": PLANT}, "several L-systems; open one of a.l, b.l"),
        ({f"{n:02}.l": PLANT for n in range(20)}, "08.l, 09.l, 10.l, 11.l and 8 others"),
        ({"a.l": "from openalea import lpy\nAxiom: A\n"}, "whose rules are a program in Python, and nothing"),
        ({"a.l": "#include <lpfgall.h>\nmodule A(int);\naxiom: A(1);\n"}, "It is a file of lpfg, whose rules are"),
        ({"a.l": PLANT, "a.v": "function: line.func\n"}, "the view file names this file"),
        ({"a.l": PLANT, "a.v": "function: line.func\n", "line.func": "fver 1 1\nname: a\n"}, "the file ends"),
        ({"a.l": PLANT, "a.v": "function: f.func\n", "f.func": "range: 0 1\npoints: 1\n0 0\n"}, "4 to 1000 points"),
        ({"a.l": PLANT, "a.v": "curve: a.con\n", "a.con": "type: or\n"}, "a curve of the type 'or' cannot be read"),
        ({"a.l": PLANT, "a.v": "curve: a.con\n", "a.con": "type: bspline-phantom\n0 0 0\n"}, "at least 4 points"),
        ({"a.l": PLANT, "a.v": "contour: 1 a.con\n", "a.con": "name: a\n"}, "a contour has at least 3 points"),
        ({"a.l": PLANT, "a.v": "surface: l a.s 1\n", "a.s": "SIZE: 1\n"}, "a surface has its contact point"),
    ],
)
def test_what_cannot_be_opened_is_named(tmp_path, files, message):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(LSystemError) as caught:
        opened(tmp_path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "from openalea.plantgl.all import *\nAxiom: A\n",
        "import math\nmodule A\nAxiom: A(1)\nproduction:\nA(x) :\n  produce A(x+1)\n",
        "Axiom: A\nderivation length: 3\nproduction:\nA:\n  nproduce F\n  produce A\nendlsystem\n",
        "class Leaf:\n  pass\nAxiom: A\n",
        "def StartEach():\n  global n\nmodule A(age)\nAxiom: A(0)\n",
    ],
)
def test_pasted_programs_are_told_why_they_are_not_read(text: str):
    with pytest.raises(LSystemError, match=r"line \d+.*It is a file of L-Py, whose rules are a program in Python"):
        parse(text)


def test_mistakes_in_texts_of_our_own_are_not_taken_for_programs():
    with pytest.raises(LSystemError) as caught:
        parse("axiom: A\nproductions:\nA -> B(\n")
    assert "Files of" not in caught.value.message


def test_missing_surfaces_are_told(tmp_path):
    (tmp_path / "plant.l").write_text("Lsystem: 1\naxiom: F~l(2)~m\nendlsystem\n")
    (tmp_path / "plant.v").write_text("surface: l gone.s 1\nsurface: k unused.s 1\n")
    assert parse(open_object(tmp_path).text).notes == (
        "Drawn as organs, since the files of their surfaces, which the view names, are missing: gone.s (~l)",
    )


def test_surfaces_have_the_textures_that_their_lines_say():
    lines = "surface: a a.s 1 3", "surface: b b.s 1 8 8 2", "surface: c c.s 1 8 8", "tsurface: d d.s 1 4"
    view = read_view("\n".join(lines), "plant.v", {}.get).view
    assert view.surface_textures == {"a": 3, "b": 2}


def test_a_set_ends_where_its_file_ends():
    with pytest.raises(LSystemError, match=r"a\.fset, line 2.*the file ends"):
        read_function_set("funcgalleryver 1 1\nitems: 3\n", "a.fset")


def test_a_text_carries_the_files_beside_it(tmp_path):
    (tmp_path / "plant.l").write_text(PLANT.replace("line", "1") + "endlsystem\n")
    (tmp_path / "plant.v").write_text("#include \"sizes.h\"\nfunction: line.func\ninitial line width: WIDE\n")
    (tmp_path / "sizes.h").write_text("#define WIDE 4\n")
    (tmp_path / "line.func").write_text(LINE.format(samples=10))
    (tmp_path / "other.h").write_text("not needed")
    text = open_object(tmp_path).text
    assert [line for line in text.splitlines() if line.startswith("====")] == [
        "==== view plant.v ====", "==== file sizes.h ====", "==== file line.func ====",
    ]  # fmt: skip
    grammar = parse(text)
    assert grammar.text == text
    assert grammar.radius == 2.0
    with pytest.raises(LSystemError, match=r"two views are given: plant\.v and b\.v"):
        parse(text + "==== view b.v ====\n")


def test_what_a_file_cannot_say_is_added_to_its_text(tmp_path):
    (tmp_path / "plant.l").write_text("#define E 2\nLsystem: 1\nAxiom: F(3)~l(1)\nendlsystem\n")
    text = open_object(tmp_path, unit=0.5).text
    assert "steps" not in text
    (tmp_path / "plant.a").write_text("first frame: 3\nlast frame: 12\n")
    assert parse(open_object(tmp_path, unit=0.5).text).steps == 12
    assert parse(open_object(tmp_path).text).steps == 0
    text, wood = text[: text.index("material")], text[text.index("material") :]
    assert text.endswith("endlsystem\n==== plant ====\nunit: 0.5\n")
    assert parse(text + wood).materials["stem"]["young"] == open_object(tmp_path, unit=0.5).young < 1e9
    grammar = parse(text + "name: My plant\nmaterial stem young=E*1e8 density=700\npipe: 2.5\n")
    assert (grammar.unit, grammar.name, grammar.pipe, grammar.steps) == (0.5, "My plant", 2.5, 0)
    assert grammar.materials == {"stem": {"young": 2e8, "density": 700.0}}
    assert interpret(derive(grammar), grammar).length.tolist() == pytest.approx([1.5, 0.5])
    with pytest.raises(LSystemError, match=r"line 7, column 1: only name, .* can be added"):
        parse(text + "axiom: F\n")
    with pytest.raises(LSystemError, match=r"line 7, column 15: expected one of young"):
        parse(text + "material stem soft=1\n")


def test_a_text_that_was_opened_before_stays_as_it_is(tmp_path):
    (tmp_path / "plant.l").write_text("Lsystem: 1\nAxiom: F(3)~l(1)\nendlsystem\n")
    saved = tmp_path / "saved" / "mine.l"
    saved.parent.mkdir()
    saved.write_text(open_object(tmp_path / "plant.l", unit=0.25).text)
    for unit in (None, 0.0, 0.5):
        again = open_object(saved, unit=unit, thicken=True)
        assert (again.text, again.unit) == (saved.read_text(), 0.25)


def test_colours_of_a_map_and_of_materials(tmp_path):
    (tmp_path / "plant.l").write_text("Lsystem: 1\nAxiom: ;(3)F;F\n")
    (tmp_path / "plant.map").write_bytes(bytes(range(256)) * 3)
    grammar = opened(tmp_path)
    assert len(grammar.colours) == 256
    assert grammar.colours[3].diffuse == pytest.approx((9 / 255, 10 / 255, 11 / 255))
    assert interpret(derive(grammar), grammar).colour.tolist() == [3, 4]
    shiny = bytes([4, 51, *(9, 51, 0), *(255, 0, 102), *(0, 0, 5), *(51, 51, 255), 40])
    (tmp_path / "plant.mat").write_bytes(bytes([3, *[0] * 4, 255, *[0] * 9]) + shiny)
    grammar = opened(tmp_path)
    assert sorted(grammar.colours) == [3, 4]
    one = grammar.colours[4]
    assert (one.diffuse, one.transparency, one.exponent) == (pytest.approx((1, 0.2, 0.4)), pytest.approx(0.2), 40)
    assert (one.emitted, one.specular) == (pytest.approx((0, 0, 5 / 255)), pytest.approx((0.2, 0.2, 1)))
    # the command of the folder says which, if they are called otherwise
    (tmp_path / "plant.map").rename(tmp_path / "a.map")
    (tmp_path / "plant.mat").rename(tmp_path / "b.mat")
    (tmp_path / "specifications").write_text("model:\n\tcpfg -m a.map plant.l plant.v\n")
    assert len(opened(tmp_path).colours) == 256


def test_a_colour_that_is_none_is_told():
    text = "Lsystem: 1\nAxiom: F\nendlsystem\n==== colours a.map ====\n1 00ff00\n300 ff0000\n"
    with pytest.raises(LSystemError, match=r"a\.map, line 2, column 1: a colour is a line such as '3 68ad0c'"):
        parse(text)
    assert not parse("axiom: F\n").colours


def test_a_plant_is_half_a_metre_large_and_carries_itself(tmp_path):
    (tmp_path / "plant.l").write_text("Lsystem: 1\nAxiom: #(3)F(40)[+F(30)][-F(30)]F(50)\n")
    found = open_object(tmp_path, 0.0)
    assert found.unit == pytest.approx(0.5 / 90, rel=0.02)
    skeleton = interpret(derive(grammar := parse(found.text)), grammar)
    assert skeleton.tail()[:, 2].max() == pytest.approx(0.5, rel=0.02)
    assert skeleton.young[0] == pytest.approx(found.young, rel=0.01)
    # twice as large with the same unit: weight, lever and length are twice or more, and the stems stay as thin
    (tmp_path / "plant.l").write_text("Lsystem: 1\nAxiom: #(3)F(80)[+F(60)][-F(60)]F(100)\n")
    assert open_object(tmp_path, found.unit).young == pytest.approx(8 * found.young, rel=0.04)


def test_the_way_to_sag_is_that_of_a_cantilever():
    skeleton = interpret(derive(grammar := parse("radius: 0.01\naxiom: " + "F(0.05)" * 40)), grammar)
    # a rod of 2 m that sags by rho g L^4 / (2 E r^2), Young's by its end
    young = young_that_sags(skeleton, 0.1)
    assert 800 * 9.81 * 2.0**4 / (2 * young * 0.01**2) == pytest.approx(0.1 * 2.0, rel=0.08)


def test_animations_that_grow_too_large_are_opened_younger(tmp_path):
    """2^n modules in the n-th frame, of which 2^30 are too many."""
    (tmp_path / "plant.l").write_text("Lsystem: 1\nderivation length: 0\nAxiom: F\nF --> FF\n")
    (tmp_path / "plant.a").write_text("first frame: 0\nlast frame: 30\n")
    found = open_object(tmp_path, 0.0)
    assert parse(found.text).steps == 15
    assert len(derive(parse(found.text))) == 2**15
    assert found.unit == pytest.approx(0.5 / 2**15, rel=0.05)


def test_what_cannot_be_grown_is_opened_all_the_same(tmp_path):
    (tmp_path / "plant.l").write_text("Lsystem: 1\nderivation length: 40\nAxiom: F\nF --> FF\n")
    assert open_object(tmp_path, 0.0).unit == 0.01


def test_leaves_that_are_tubes_stay_out(tmp_path):
    """Half a metre of a leaf is as stiff as it takes to sag by 12 % of its length, which its weight and lever tell."""
    points = "-10 0 0 3\n-5 -1 0 1\n5 -1 0 1\n10 0 0 3\n"
    (tmp_path / "c.con").write_text(f"cver 1 3\nname: c\npoints: 4 8\ntype: or\nsamples: 8\n{points}")
    (tmp_path / "plant.v").write_text("contour: 1 c.con\ninitial line width: 0.1 units\n")
    tube = "@#(1)@Gs " + "f(1)@Gc(1)" * 9 + "f(1)@Ge(1)"
    (tmp_path / "plant.l").write_text(f"Lsystem: 1\naxiom: [{tube}]F(1)~l(2)\nendlsystem\n")
    text = open_object(tmp_path, 0.05).text
    line = next(line for line in text.splitlines() if line.startswith("material blade"))
    young = float(line.split("young=")[1].split()[0])
    skeleton = grow(text)
    flat = np.setdiff1d(np.flatnonzero(skeleton.organ == LEAF), [one.segment for one in skeleton.contours])
    assert skeleton.young[flat].tolist() == [6e7], "flat leaves stay as they are"
    contour = skeleton.contours[0].base
    x, z = contour.T
    u, v = np.roll(contour, -1, axis=0).T
    area = 0.5 * (x * v - u * z).sum()
    middle = ((z + v) * (x * v - u * z)).sum() / (6 * area)
    inertia = ((z * z + z * v + v * v) * (x * v - u * z)).sum() / 12 - area * middle**2
    # turns at the heads of ten pieces, where q L^4 / 8 E I is that of a beam without pieces
    turns = sum(0.5 * k**3 for k in range(1, 11)) / 10**4
    sag = turns * 9.81 * 800 * area * 0.5**4 / (young * inertia)
    assert sag / 0.5 == pytest.approx(0.12, rel=0.05)
