# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of L-studio: the L-systems in them, and how far opening one has come."""

import pytest

from lsystem import headings, objects_in, open_object, parse


@pytest.mark.parametrize("thicken", [False, True])
def test_how_much_of_an_object_is_opened_is_told(tmp_path, thicken):
    (tmp_path / "plant.l").write_text(
        "Lsystem: 1\nderivation length: 8\nAxiom: !(0.001)A\nA --> F(9)[+A]\nendlsystem\n"
    )
    told: list[float] = []
    open_object(tmp_path, 0.0, thicken, told.append)
    assert told == sorted(told)
    assert len(set(told)) > 8
    assert 0.0 == told[0] < told[-1] <= 1.0

    def enough(share: float) -> None:
        if share > 0.2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        open_object(tmp_path, 0.0, thicken, enough)


def test_the_list_of_commands_names_and_orders_the_l_systems_of_a_folder(tmp_path):
    for name in ("a", "b", "c", "d"):
        (tmp_path / f"{name}.l").write_text("Lsystem: 1\nAxiom: F\n")
    (tmp_path / "specifications").write_text(
        "d.l\nc.l\nignore:\n*\nmodel:\n\told:\n\t\tgenerate:\n\t\t\tcpfg -m c.map d.l d.v\n\tyoung:\n"
        "\t\tgenerate:\n\t\t\tcpfg -m c.map b.l\n\n\t\tedit:\n\t\t\tEDIT b.l\nL-system:\n\tEDIT c.l\n"
    )
    assert headings(tmp_path) == {"d.l": "old", "b.l": "young"}
    assert [file.stem for file in objects_in(tmp_path)] == ["d", "b", "a", "c"]
    assert headings(tmp_path / "none") == {}


def test_files_with_a_byte_order_mark_are_read(tmp_path):
    (tmp_path / "plant.l").write_text("Lsystem: 1\nAxiom: F(4)+F(3)\nendlsystem\n", encoding="utf-8-sig")
    (tmp_path / "plant.v").write_text("angle increment: 30\n", encoding="utf-8-sig")
    assert [file.name for file in objects_in(tmp_path)] == ["plant.l"]
    view = parse(open_object(tmp_path).text).program.beside.view
    assert view.angle == 30.0


PANEL = """target: Lsystem
panel name: Model
type: SLIDER
name: View angle
min/max: -180 180
message: d VANG %d 1
type: SLIDER
name: Segment length
min/max: 50 150
value: 100
message: d S0 %d 100
type: SLIDER
name: broken
min/max: 1
message: d BROKEN %d 1
type: SLIDER
name: nowhere
min/max: 0 1
message: d BROKEN %d 0
type: SLIDER
name: What it says
min/max: 0 10
message: d SAID %d 1
type: BUTTON
name: Draw
message: d BROKEN 1
"""


def test_constants_have_the_names_and_ranges_of_their_panel(tmp_path):
    defined = "#define VANG 45\n#define S0 2\n#define BROKEN 1\n#define SAID 3 /* [1..5] its own */\n"
    (tmp_path / "plant.l").write_text(f"{defined}Lsystem: 1\nAxiom: F(S0)+(VANG)F(BROKEN)F(SAID)\nendlsystem\n")
    (tmp_path / "panel.l").write_text(PANEL)
    (tmp_path / "other.l").write_text(PANEL.replace("View angle", "Another angle"))

    def read() -> dict[str, tuple[str, float | None, float | None]]:
        opened = open_object(tmp_path)
        return {one.name: (one.description, one.minimum, one.maximum) for one in parse(opened.text).sliders}

    assert read() == {
        "VANG": ("View angle", -180.0, 180.0),
        "S0": ("Segment length", 0.5, 2.0),  # it is beyond the panel's range
        "BROKEN": ("", None, None),
        "SAID": ("What it says", 1.0, 5.0),
    }
    (tmp_path / "panel.l").write_text("")
    assert read()["SAID"] == ("SAID: its own", 1.0, 5.0), "comments say what values mean, not what has them"
    (tmp_path / "panel.l").write_text(PANEL)
    (tmp_path / "specifications").write_text("L-system:\n\tpanel:\n\t\tpanel other.l | awkped plant.l\n")
    assert read()["VANG"][0] == "Another angle"
