# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of L-studio: the L-systems in them, and how far opening one has come."""

import pytest

from lsystem import headings, objects_in, open_object


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
