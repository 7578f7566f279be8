# SPDX-License-Identifier: GPL-3.0-or-later
"""What answers in place of VLAB's programs clover and ecosystem, which are never started."""

import struct
from pathlib import Path

import numpy as np
import pytest

from lsystem import LSystemError, derive, open_object, parse
from lsystem.environment.ground_light import GroundLight
from lsystem.environment.rivals import Rivals
from lsystem.language.beside.images import image_text, read_image

HEAD = "Lsystem: 1\nderivation length: 1\n"


def told(environment: GroundLight | Rivals, *asked: tuple[float, ...]) -> list[tuple[float, ...]]:
    """Answers to modules, each of its place x, y, z and its parameters."""
    return environment.answers(np.array([one[:3] for one in asked], dtype=float), [one[3:] for one in asked])


def ground(**options: object) -> GroundLight:
    light = np.full((10, 20), 255, dtype=np.uint8)
    light[4, 6] = 51
    return GroundLight((-1.0, 0.0), (2.0, 1.0), light, np.full_like(light, 64), 0.5, **options).among(None)  # m / 10


def test_the_ground_has_the_light_of_its_map():
    assert told(ground(), (-0.35, 0.45, 9, 1), (0.0, 0.5, 0, 0, 3), (5, 5, 0, 1), (0, 0.5, 0)) == [
        (0.2, 0.5), (1.0, 0.5), (0.0, 0.0), (),
    ]  # fmt: skip


def test_leaves_shade_cells_until_they_are_taken_away():
    environment = ground()
    # 0.24 wide: two cells to each side and the one that it lies in, as it counts them
    leaf = (0.05, 0.55, 1, 1, np.pi * 0.12**2)
    asked = [(x, 0.55, 0, 1) for x in (-0.25, -0.15, -0.05, 0.05, 0.15, 0.25)]
    assert told(environment, leaf, *asked)[0] == ()
    assert [one[0] for one in told(environment, *asked)] == [1.0, 0.5, 0.5, 0.5, 0.5, 1.0]
    assert [one[0] for one in told(environment, leaf, *asked)[1:]] == [1.0, 0.25, 0.25, 0.25, 0.25, 1.0]
    gone = (*leaf[:3], 2, leaf[4])
    assert [one[0] for one in told(environment, gone, gone, gone, *asked)[3:]] == [1.0] * 6
    forgetful = ground(forgets=True)
    told(forgetful, leaf)
    assert told(forgetful, asked[3]) == [(1.0, 0.5)]
    assert told(environment.among(None), asked[3]) == [(1.0, 0.5)], "each derivation begins bare"


def packed_image(width: int, rows: list[bytes]) -> bytes:
    """An SGI image of two channels whose rows are packed already."""
    header = struct.pack(">HBBHHHH", 474, 1, 1, 3, width, len(rows) // 2, 2).ljust(512, b"\0")
    starts, place = [], 512 + 8 * len(rows)
    for row in rows:
        starts.append(place)
        place += len(row)
    return header + struct.pack(f">{2 * len(rows)}I", *starts, *map(len, rows)) + b"".join(rows)


def test_images_are_carried_by_texts():
    rows = [b"\x04\x07\0", b"\x82\x01\x02\x02\x09\0", b"\x04\x64\0", b"\x84\x0a\x0b\x0c\x0d\0"]
    text = image_text(packed_image(4, rows), "a.rgb")
    assert text.startswith("image 4 2\n")
    expected = [[[7, 7, 7, 7], [1, 2, 9, 9]], [[100, 100, 100, 100], [10, 11, 12, 13]]]
    assert read_image(text, "a.rgb").tolist() == expected
    plain = struct.pack(">HBBHHHH", 474, 0, 1, 2, 2, 1, 1).ljust(512, b"\0") + b"\x05\x06"
    assert read_image(image_text(plain, "b.rgb"), "b.rgb").tolist() == [[[5, 6]], [[5, 6]]]
    with pytest.raises(LSystemError, match="this image cannot be read"):
        image_text(b"GIF89a" + bytes(600), "a.rgb")
    for broken in (text[:20], "image 4 2\n!!", "image 99999 9\nab", text.replace("4 2", "40 20"), ""):
        with pytest.raises(LSystemError, match="an image is a line"):
            read_image(broken, "a.rgb")


def test_clovers_light_comes_from_the_objects_folder(tmp_path: Path):
    """The ground lies in cpfg's x and y, which is our x and z."""
    (tmp_path / "plant.l").write_text(HEAD + "consider: ?E\naxiom: @M(-1,1,0)?E(1)@M(1,1,5)?E(1)@M(1,9,0)?E(1)\n")
    (tmp_path / "plant.e").write_text("executable: clover -e plant.e ground.spec\nturtle position:P:%g %g %g\n")
    specification = "grid size: 4x2\ngrid position: -2 0\ngrid range: 4x2\ninput image: light.rgb\ntransmittance: 0.1\n"
    (tmp_path / "ground.spec").write_text(specification)
    rows = [b"\x04\x00\0", b"\x04\x00\0", b"\x82\x33\x66\x02\xff\0", b"\x84\x33\x66\x99\xff\0"]
    (tmp_path / "light.rgb").write_bytes(packed_image(4, rows))
    text = open_object(tmp_path).text
    for file in tmp_path.iterdir():
        file.unlink()
    grammar = parse(text)
    assert "our light on the ground answers as it does" in grammar.notes[0]
    answers = [module.params[0] for module in derive(grammar) if module.symbol == "E"]
    assert answers == pytest.approx([0.4, 1.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("line", ["size: 4x{}", "size: {}x2", "position: {} 0", "range: 4x{}"])
def test_numbers_of_many_digits_are_no_harm(tmp_path: Path, line: str):
    usual = {"size": "size: 4x2", "position": "position: -2 0", "range": "range: 4x2"}
    given = usual | {line.split(":")[0]: line.format("9" * 400)}
    (tmp_path / "plant.l").write_text(HEAD + "consider: ?E\naxiom: ?E(1)\n")
    (tmp_path / "plant.e").write_text("executable: clover -e plant.e ground.spec\nturtle position:P:%g %g %g\n")
    (tmp_path / "ground.spec").write_text("".join(f"grid {one}\n" for one in given.values()))
    (answered,) = (module for module in derive(parse(open_object(tmp_path).text)) if module.symbol == "E")
    assert np.isfinite(answered.params).all()


def test_a_plant_that_overlaps_a_larger_one_gives_way():
    large, small, equal, far = (0, 0, 0, 1.0), (1.2, 0, 0, 0.5), (0, 5, 0, 1.0), (9, 0, 9, 2.0)
    assert told(Rivals(), large, small, far) == [(1.0,), (0.0,), (1.0,)]
    assert told(Rivals(), large, equal, (0, 6.5, 0, 1.0)) == [(1.0,), (0.0,), (0.0,)], "of equals both"
    assert told(Rivals(), (0, 0, 0, 1.0, 1), (1.2, 0, 0, 0.5, 2), (0.5, 0, 0)) == [(1.0,), (1.0,), ()]
    assert told(Rivals((0, 2)), (0, 0, 0, 1.0), (0, 9, 0.5, 0.7)) == [(1.0,), (0.0,)]


def test_rivals_are_found_in_cells_as_among_all():
    source = np.random.default_rng(3)
    places, radius = source.uniform(0, 10, (300, 3)), source.uniform(0.05, 0.6, 300)
    answers = Rivals().answers(places, [(float(one),) for one in radius])
    away = np.linalg.norm(places[:, None, :2] - places[None, :, :2], axis=2)
    loses = (away <= radius[:, None] + radius[None]) & (radius[:, None] <= radius[None]) & ~np.eye(300, dtype=bool)
    assert [one[0] for one in answers] == (~loses.any(axis=1)).astype(float).tolist()


def test_ecosystems_are_answered(tmp_path: Path):
    (tmp_path / "tree.l").write_text(HEAD + "consider: ?E\naxiom: @M(0,3,0)?E(1)@M(0,9,1)?E(0.5)@M(9,0,0)?E(0.2)\n")
    (tmp_path / "tree.e").write_text("executable: ecosystem -e tree.e t.spec\nturtle position:P:%.4f %.4f %.4f\n")
    (tmp_path / "t.spec").write_text("grid size: 9 9 9\n3D case: one\nvigor: off\n")
    grammar = parse(open_object(tmp_path).text)
    assert "our competition of plants answers" in grammar.notes[0]
    assert [module.params for module in derive(grammar) if module.symbol == "E"] == [(1.0,), (0.0,), (1.0,)]
