# SPDX-License-Identifier: GPL-3.0-or-later
"""The short form of `tests.surveys.opened.opened_objects`: objects of each kind go from their files to keyframes."""

import pytest

from tests.blender.scenes.grown.opened_objects import STEPS, SURFACE, take

CONTOUR = "cver 1 3\nname: c\npoints: 5 9\ntype: or\nsamples: 8\n-12 -1 0 3\n-6 1 0 1\n0 -1 0 1\n6 1 0 1\n12 -1 0 3\n"
RANDOM = """Lsystem: 1
Start: { srand(SEED); }
derivation length: 5
Axiom: #(0.5)A(6)
A(n) : n > 0 --> F(3)[+(nran(45,9))~l(ran(2)+1)]/(nran(137.5,5))[-(nran(45,9))F(2)@O(0.6)]A(n-1)
endlsystem
"""
TUBES = """Lsystem: 1
derivation length: 1
Axiom: #(0.4)F(8)[B][/(180)B]F(4)~s(2)
B --> +(40)!(0.05)@#(1)@Gs f(4)!(0.2)@Gc(4)+(30)f(5)!(0.2)@Gc(4)+(30)f(4)!(0)@Ge(4)
endlsystem
"""
GROUND = """Lsystem: 1
Axiom: ;(3)[f(-6)-(90)f(6)+(90){.f(12)+(90)f(12)+(90)f(12).}]A
derivation length: 4
A --> F(4)[&(30)F(2){.f(1)+(60)f(1)+(60)f(1).}][^(30)F(2)]A
endlsystem
"""
VIEW = "angle increment: 30\ninitial line width: 0.4\nline style: cylinder\ncontour: 1 c.con\nsurface: s one.s 1\n"


@pytest.mark.parametrize(
    "text", [RANDOM.replace("SEED", "3"), RANDOM.replace("SEED", "8"), TUBES, GROUND], ids=["3", "8", "tubes", "ground"]
)
def test_objects_go_from_files_to_keyframes(tmp_path, fresh, text):
    for name, content in (("plant.l", text), ("plant.v", VIEW), ("c.con", CONTOUR), ("one.s", SURFACE)):
        (tmp_path / name).write_text(content)
    taken = take(tmp_path / "plant.l", "object", frames=8)
    assert not taken.problems
    assert tuple(taken.seconds) == STEPS
    assert min(taken.bones, taken.vertices) > 8


def test_what_goes_wrong_is_told(tmp_path, fresh):
    (tmp_path / "plant.l").write_text("Lsystem: 1\nAxiom: F(1\nendlsystem\n")
    taken = take(tmp_path / "plant.l", "object")
    assert len(taken.problems) == 1
    assert "plant.l, line 2" in taken.problems[0]
    assert not taken.bones
