# SPDX-License-Identifier: GPL-3.0-or-later
"""Flowers, buds and fruits as templates: +Y is where a flower faces, +Z its upper side."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Array
from ..surface import Shape, join
from .bulbs_and_ears import (
    awned_grain,
    daffodil_flower,
    funnel_flower,
    panicle_branch,
    plume,
    rose_flower,
    tulip_flower,
)
from .templates import petal, revolved, turned


@dataclass(frozen=True)
class FlowerShape:
    """What a flower is made of."""

    kind: str = "radial"  # or "head" of many florets, which the rest is about too, or another of `flower`
    petals: int = 5  # in each whorl
    whorls: int = 1  # more than one makes a filled flower, as a rose
    petal_width: float = 0.44  # half width in flower radii
    pointed: float = 0.35  # exponent of the petal's tip: small is round, 1 is pointed
    cup: float = 0.28  # how far the petal's margins rise, in its half widths
    centre: float = 0.20  # radius of the disc in the middle, in flower radii
    sepals: int = 5
    fruit_is_ball: bool = False  # without dimples and calyx, the same at both ends
    notch: float = 0.0  # of petals at their tips, as a share of their length

    @property
    def has_upper_side(self) -> bool:
        """All others look the same from all around."""
        return self.kind in ("orchid", "panicle branch", "plume")


#: Florets of a head at the highest level of detail; how far out on its disc, by the root of the area within, they are
#: buds and from where on open; from which finesse on these have lobes.
_FLORETS, _BUDS, _OPEN, _LOBED = 420, 0.56, 0.78, 0.8
#: Height of a head's template over its radius in what is drawn, so that florets on its steep rim are upright there.
_FLAT = 0.32


def flower(shape: FlowerShape, finesse: float = 1.0) -> Shape:
    """The flower of the shape's kind. `finesse` is a factor of its rows and columns."""
    if shape.kind == "radial":
        return radial_flower(shape, finesse)
    if shape.kind == "head":
        return flower_head(shape, finesse)
    kinds = {
        "orchid": orchid_flower, "panicle branch": panicle_branch, "tulip": tulip_flower,
        "daffodil": daffodil_flower, "grain": awned_grain, "rose": rose_flower, "plume": plume, "funnel": funnel_flower,
    }  # fmt: skip
    return kinds[shape.kind](finesse)


def radial_flower(shape: FlowerShape, finesse: float) -> Shape:
    """Receptacle, sepals, whorls of petals and the disc in the middle."""
    cup_radius, cup_height = np.array([0.0, 0.07, 0.11, 0.17, 0.16, 0.0]), np.array([0.0, 0.0, 0.10, 0.22, 0.32, 0.36])
    pieces = [revolved(cup_radius, cup_height, 10, "sepal", finesse)]
    reflexed = np.array([[0.12, 0.20], [0.30, 0.10], [0.42, 0.20], [0.58, 0.12]])
    sepal = petal(reflexed, 0.13, 0.8, 0.3, 0.0, "sepal", finesse, 6, 3)
    pieces += [turned(sepal, 2 * np.pi * (k + 0.5) / shape.sepals) for k in range(shape.sepals)]
    for whorl in range(shape.whorls):
        inner = whorl / shape.whorls  # 0 at the outermost whorl
        pieces += _whorl(shape, inner, turn=1.25 * whorl, finesse=finesse)
    if shape.centre > 0.0:
        angles = np.linspace(0.0, np.pi / 2, 6)
        radius = np.concatenate([[0.0], shape.centre * np.cos(angles)])
        height = 0.33 + 0.22 * np.concatenate([[0.0], np.sin(angles)])
        pieces.append(revolved(radius, height, 12, "flower_centre", finesse))
    return join(pieces)


def _whorl(shape: FlowerShape, inner: float, turn: float, finesse: float) -> list[Shape]:
    """Petals all around; the further inside (0 to 1), the smaller, steeper and more closed."""
    outer = 1.0 - inner
    if shape.whorls == 1:
        midline = np.array([[0.10, 0.30], [0.50, 0.30], [0.80, 0.80], [1.00, 0.86]])
    else:
        midline = np.array(
            [
                [0.10, 0.12],
                [0.20 + 0.55 * outer, 0.10 + 0.10 * inner],
                [0.15 + 0.60 * outer, 0.72 + 0.20 * inner],
                [0.08 + 0.92 * outer**1.1, 0.66 + 0.34 * inner**0.6],
            ]
        )
    half_width = shape.petal_width * (1.0 - 0.62 * inner)
    tilt = np.radians(9.0 + 12.0 * inner)
    cup = shape.cup + 0.40 * inner
    blade = petal(midline, half_width, shape.pointed, cup, tilt, "petal", finesse, 11, 9, shape.notch)
    return [turned(blade, 2 * np.pi * k / shape.petals + turn) for k in range(shape.petals)]


def flower_head(shape: FlowerShape, finesse: float) -> Shape:
    """A head as the sunflower's: whorls of rays that differ a little, a thick domed disc, green bracts behind."""
    disc = shape.centre
    bowl = np.array([0.0, 0.09, 0.13, 0.62 * disc, 0.98 * disc, disc, 0.0])
    pieces = [revolved(bowl, np.array([0.0, 0.0, 0.14, 0.24, 0.46, 0.62, 0.63]), 20, "sepal", finesse)]
    # The disc bulges over its rim and is a little hollow in the middle.
    swell = np.array([0.0, 0.90, 1.00, 0.98, 0.86, 0.66, 0.42, 0.20, 0.0])
    rise = np.array([0.45, 0.46, 0.62, 0.80, 1.00, 1.10, 1.10, 1.05, 1.03])
    pieces.append(revolved(disc * swell, rise, 28, "flower_centre", finesse))
    pieces += _florets(disc, swell[2:], rise[2:], finesse)
    chance = np.random.default_rng(shape.petals)
    for whorl in range(2):
        reach = disc * (1.55 - 0.25 * whorl)
        curve = np.array([[0.55 * disc, 0.22], [1.05 * disc, 0.16], [reach, 0.40], [1.04 * reach, 0.10 + 0.35 * whorl]])
        bract = petal(curve, 0.095, 1.2, 0.3, 0.0, "sepal", finesse, 6, 3)
        pieces += [turned(bract, 2 * np.pi * (k + 0.5 * whorl) / 14) for k in range(14)]
    for whorl in range(shape.whorls):
        inner = whorl / shape.whorls
        for k in range(shape.petals):
            long, high, droop, turn = chance.uniform(-1.0, 1.0, 4)
            reach = (1.0 - 0.07 * whorl) * (0.94 + 0.06 * long)
            up = 0.55 + 0.35 * inner + 0.10 * high
            curve = np.array([[0.85 * disc, 0.50], [0.65, up], [0.85 * reach, up + 0.35], [reach, up + 0.3 * droop]])
            width = shape.petal_width * (1.0 + 0.15 * high)
            ray = petal(curve, width, shape.pointed, shape.cup, 0.35 * turn, "petal", finesse, 8, 5)
            pieces.append(turned(ray, 2 * np.pi * (k + whorl / shape.whorls + 0.14 * turn) / shape.petals))
    return join(pieces)


def _florets(disc: float, swell: Array, rise: Array, finesse: float) -> list[Shape]:
    """The florets of a head in their spirals (Vogel 1979: each turned by 137.5 degrees, all of the same area), upright
    on the dome that bears them, of which `swell` (in radii of the disc) and `rise` are the outline from the rim
    inwards: buds in the middle, then some that show ever more of their yellow tips, open ones from there down to the
    rays."""
    count = round(_FLORETS * finesse)
    # The outline finely, its heights in flower radii, and the share of the dome's area within each of its points.
    fine = np.linspace(0.0, len(swell) - 1.0, 200)
    out, up = (np.interp(fine, np.arange(len(swell)), line[::-1]) for line in (disc * swell, _FLAT * rise))
    inner = np.cumsum(0.5 * (out[1:] + out[:-1]) * np.hypot(np.diff(out), np.diff(up)))
    share, place = (np.arange(count) + 0.5) / count, np.append(0.0, inner / inner[-1])
    distance, height = (np.interp(share, place, line) for line in (out, up))
    steep = np.interp(share, place, np.unwrap(np.arctan2(-np.gradient(up), np.gradient(out))))
    angle = np.radians(137.508) * np.arange(count)
    wide = np.sqrt(2.0 * inner[-1] / count)  # half the side of a square of a floret's area is 0.89 of it
    pieces = []
    for number in range(count):
        opened = (np.sqrt(share[number]) - _BUDS) / (_OPEN - _BUDS)
        for radius, along, sides, lobed, part in _floret(float(opened), finesse):
            piece = revolved(wide * radius, wide * along, sides, part, 1.0, ribs=5, rib_depth=lobed)
            x, y, z = piece.vertices.T
            c, s = np.cos(steep[number]), np.sin(steep[number])
            far, high = distance[number] + c * z + s * y, (height[number] + c * y - s * z) / _FLAT
            upright = np.stack([x, high, far], axis=1)
            pieces.append(turned(replace(piece, vertices=upright), angle[number]))
    return pieces


def _floret(opened: float, finesse: float) -> Iterator[tuple[Array, Array, int, float, str]]:
    """Outlines (distances from its axis, heights) of a floret's parts over its half width, corners, depth of lobes, and
    what they are: of a bud (0 or less), half open or open (1 or more)."""
    if opened < 1.0:
        low = 1.2 + 0.3 * max(opened, 0.0)
        yield (np.array([0.0, 0.86, 0.9, 0.35, 0.0]), np.array([-0.4, -0.3, 0.45, 1.0, 0.9]) * low, 6, 0.0,
               "flower_centre")  # fmt: skip
        if opened > 0.0:
            tip = 0.3 + 0.45 * opened
            yield np.array([0.0, tip, tip, 0.0]), np.array([0.5, 0.7, 1.12, 1.2]) * low, 6, 0.0, "petal"
    else:
        sides, lobes = (10, 0.22) if finesse > _LOBED else (6, 0.0)
        yield (np.array([0.0, 0.6, 0.62, 1.05, 0.75, 0.0]), np.array([-0.4, -0.3, 1.2, 2.1, 2.15, 1.5]), sides, lobes,
               "petal")  # fmt: skip


def orchid_flower(finesse: float = 1.0) -> Shape:
    """Three sepals, two broad petals, a lip and the column, as a moth orchid has them."""
    flat = np.array([[0.04, 0.30], [0.35, 0.30], [0.70, 0.50], [1.00, 0.35]])
    sepal = petal(flat * (0.94, 0.8), 0.27, 0.45, 0.10, 0.0, "petal", finesse, 10, 7)
    broad = petal(flat + np.array([0.0, 0.12]), 0.46, 0.30, 0.10, 0.0, "petal", finesse, 11, 9)
    # `turned` by a negative angle raises +X towards +Z.
    pieces = [turned(sepal, np.radians(angle)) for angle in (-90.0, 52.0, 128.0)]
    pieces += [turned(broad, np.radians(angle)) for angle in (-12.0, 192.0)]
    middle = np.array([[0.02, 0.40], [0.10, 0.95], [0.28, 1.25], [0.46, 0.95]])
    lip = petal(middle, 0.16, 0.6, -0.7, 0.0, "flower_centre", finesse)
    side = np.array([[0.05, 0.40], [0.16, 0.85], [0.20, 1.15], [0.14, 1.40]])
    lobe = petal(side, 0.11, 0.3, 0.5, 0.0, "flower_centre", finesse)
    pieces += [turned(lip, np.radians(90.0)), turned(lobe, np.radians(15.0)), turned(lobe, np.radians(165.0))]
    column = np.array([[0.0, 0.06, 0.055, 0.075, 0.05, 0.0], [0.0, 0.0, 0.5, 0.85, 1.05, 1.1]])
    pieces.append(revolved(column[0], column[1], 8, "petal", finesse))
    return join(pieces)


def bud(finesse: float = 1.0) -> Shape:
    """A pointed bud: closed petals that show above a calyx of five sepals."""
    s = np.linspace(0.0, 1.0, 11)
    closed = 0.92 * np.sin(np.pi * s**0.85) ** 0.75 * (1 - 0.25 * s)
    pieces = [revolved(closed, s, 15, "petal", finesse, ribs=5, rib_depth=0.07, swirl=1.5)]
    calyx = np.array([[0.0, 0.35, 0.80, 0.99, 0.0], [-0.02, -0.02, 0.10, 0.30, 0.31]])
    pieces.append(revolved(calyx[0], calyx[1], 15, "sepal", finesse))
    curve = np.array([[0.80, 0.12], [1.12, 0.30], [1.02, 0.58], [0.60, 0.84]])
    sepal = petal(curve, 0.52, 0.8, 0.28, 0.0, "sepal", finesse, 7, 5)
    pieces += [turned(sepal, 2 * np.pi * k / 5) for k in range(5)]
    return join(pieces)


def ball(finesse: float = 1.0) -> Shape:
    """A ball, or an ellipsoid where the organ is not as long as wide."""
    angles = np.linspace(0.0, np.pi, max(5, 1 + round(12 * finesse)))
    radius = np.sin(angles)
    radius[[0, -1]] = 0.0
    return revolved(radius, 0.5 - 0.5 * np.cos(angles), 20, "fruit", finesse)


def fruit(shape: FlowerShape, finesse: float = 1.0) -> Shape:
    """The fruit of the shape's kind."""
    return ball(finesse) if shape.fruit_is_ball else berry(finesse)


def berry(finesse: float = 1.0) -> Shape:
    """A round fruit with a dimple at both ends; the calyx lies about the lower, where the stalk enters."""
    angles = np.linspace(0.0, np.pi, 12)
    radius = np.sin(angles) * (1.0 + 0.10 * np.cos(angles))
    radius[[0, -1]] = 0.0
    height = 0.5 - 0.5 * np.cos(angles) + 0.08 * np.exp(-((radius / 0.35) ** 2)) * np.sign(np.cos(angles))
    pieces = [revolved(radius, height, 20, "fruit", finesse)]
    # Out over the shoulder, then bent back from it.
    curve = np.array([[0.02, 0.05], [0.30, -0.01], [0.50, 0.06], [0.80, -0.10]])
    sepal = petal(curve, 0.13, 0.9, 0.2, 0.0, "sepal", finesse, 7, 3)
    pieces += [turned(sepal, 2 * np.pi * k / 5) for k in range(5)]
    knob = np.array([[0.0, 0.09, 0.11, 0.0], [-0.03, -0.02, 0.06, 0.09]])
    pieces.append(revolved(knob[0], knob[1], 8, "sepal", finesse))
    return join(pieces)
