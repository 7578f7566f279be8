# SPDX-License-Identifier: GPL-3.0-or-later
"""Flowers that are no star of petals: a tulip's cup, a daffodil's trumpet, a bindweed's funnel, a filled rose, a grain
of an ear with its awn, and branches of panicles of reeds and of other grasses."""

from dataclasses import replace

import numpy as np

from ..surface import Shape, join
from .templates import petal, revolved, turned

#: Of a tulip's petals, outer and inner: how far out they bulge, how far in their tips lean, how high these are, and
#: their half widths.
_TULIP_PETALS = (1.04, 0.66, 1.04, 1.0), (0.90, 0.44, 1.02, 0.9)


def tulip_flower(finesse: float = 1.0) -> Shape:
    """Three outer petals around three inner ones, which close to an egg with a wavy rim."""
    pieces = [revolved(np.array([0.0, 0.16, 0.24, 0.0]), np.array([0.0, 0.0, 0.08, 0.12]), 10, "sepal", finesse)]
    for whorl, (belly, top, height, half_width) in enumerate(_TULIP_PETALS):
        midline = np.array([[0.12 - 0.04 * whorl, 0.04], [belly, 0.02], [1.12 * belly, 0.62], [top, height]])
        blade = petal(midline, half_width, 0.5, -0.07, 0.0, "petal", finesse, 18, 13, ruffle=0.03)
        pieces += [turned(_wrapped(blade), 2 * np.pi * (k + 0.5 * whorl + 0.3) / 3) for k in range(3)]
    pieces.append(revolved(np.array([0.0, 0.07, 0.08, 0.13, 0.0]), np.array([0.1, 0.1, 0.4, 0.5, 0.56]), 8,
                           "flower_centre", finesse))  # fmt: skip
    return join(pieces)


def _wrapped(blade: Shape) -> Shape:
    """The petal bent round the flower's axis: what lay beside its midline by a flower radius is turned by a radian."""
    x, y, z = blade.vertices.T
    return replace(blade, vertices=np.stack([x * np.cos(z), y, x * np.sin(z)], axis=1))


def daffodil_flower(finesse: float = 1.0) -> Shape:
    """Six tepals in a star behind a trumpet with a frilled rim."""
    pieces = [revolved(np.array([0.0, 0.08, 0.12, 0.10, 0.0]), np.array([0.0, 0.0, 0.14, 0.34, 0.36]), 10, "sepal",
                       finesse)]  # fmt: skip
    for whorl in range(2):
        midline = np.array([[0.08, 0.30], [0.36, 0.30], [0.70, 0.42 - 0.05 * whorl], [1.0, 0.30 + 0.06 * whorl]])
        tepal = petal(midline, 0.34, 0.42, 0.12, np.radians(7.0), "petal", finesse, 9, 7)
        pieces += [turned(tepal, 2 * np.pi * (k + 0.5 * whorl) / 3) for k in range(3)]
    # Outside up to the rim, and down again inside.
    radius = np.array([0.0, 0.20, 0.24, 0.28, 0.38, 0.46, 0.44, 0.35, 0.24, 0.20, 0.0])
    height = np.array([0.32, 0.32, 0.50, 0.72, 0.92, 1.0, 1.0, 0.92, 0.72, 0.50, 0.42])
    pieces.append(revolved(radius, height, 36, "flower_centre", finesse, ribs=12, rib_depth=0.06))
    return join(pieces)


def funnel_flower(finesse: float = 1.0) -> Shape:
    """Five petals grown together to a funnel with a wide rim of five blunt corners, in a calyx of five sepals."""
    pieces = [revolved(np.array([0.0, 0.07, 0.12, 0.0]), np.array([0.0, 0.0, 0.1, 0.14]), 10, "sepal", finesse)]
    curve = np.array([[0.08, 0.04], [0.19, 0.06], [0.19, 0.26], [0.22, 0.44]])
    sepal = petal(curve, 0.12, 0.8, 0.3, 0.0, "sepal", finesse, 6, 3)
    pieces += [turned(sepal, 2 * np.pi * (k + 0.5) / 5) for k in range(5)]
    # Outside up to the rim, which bends back, and down again inside; the colours of both sides go from base to rim.
    radius = np.array([0.0, 0.09, 0.12, 0.15, 0.20, 0.28, 0.42, 0.62, 0.84, 0.98, 1.04])
    height = np.array([0.06, 0.06, 0.22, 0.36, 0.50, 0.64, 0.78, 0.89, 0.955, 0.96, 0.93])
    inner_radius, inner_height = np.append(radius[9:1:-1] - 0.015, 0.0), np.append(height[9:1:-1] + 0.03, 0.24)
    corolla = revolved(np.append(radius, inner_radius), np.append(height, inner_height), 40, "petal", finesse, 5, 0.04)
    from_base = {
        name: np.stack([uv[..., 0], 1.0 - np.abs(2.0 * uv[..., 1] - 1.0)], axis=-1)
        for name, uv in (("quad_uv", corolla.quad_uv), ("triangle_uv", corolla.triangle_uv))
    }
    pieces.append(replace(corolla, **from_base))
    pieces.append(revolved(np.array([0.0, 0.035, 0.035, 0.06, 0.0]), np.array([0.3, 0.3, 0.66, 0.74, 0.8]), 8,
                           "flower_centre", finesse))  # fmt: skip
    return join(pieces)


def awned_grain(finesse: float = 1.0) -> Shape:
    """A plump grain between two husks, the outer of which ends in a long bristle."""
    s = np.linspace(0.0, 1.0, 7)
    pieces = [revolved(0.72 * np.sin(np.pi * s**0.8) ** 0.8, 0.92 * s, 8, "petal", finesse)]
    husk = np.array([[0.2, 0.02], [1.15, 0.2], [1.0, 0.7], [0.25, 1.0]])
    blade = petal(husk, 0.62, 0.7, 0.3, 0.0, "petal", finesse, 6, 5)
    pieces += [turned(blade, angle) for angle in (0.0, np.pi)]
    awn = revolved(np.array([0.0, 0.085, 0.05, 0.025, 0.0]), np.array([0.9, 0.9, 2.2, 3.84, 3.9]), 6, "petal", finesse)
    return join([*pieces, awn])


#: Spikelets of a plume's branch, and how high such a branch arches, in its radii.
_SPIKELETS, _ARCH = 34, 0.35


def plume(finesse: float = 1.0) -> Shape:
    """A thin axis with many slender spikelets, which leave it all around and lie along it, shorter towards its tip; at
    less finesse fewer and broader ones."""
    axis = revolved(*_THIN_AXIS, 6, "petal", finesse)
    pieces, chance = [axis], np.random.default_rng(6)
    count, wide = round(_SPIKELETS * finesse), 0.12 / np.sqrt(finesse)
    for k in range(count):
        out, long = k / (count - 1), 1.0 + 0.2 * chance.uniform(-1.0, 1.0)
        low, reach = 0.02 + 0.8 * out, (0.95 - 0.62 * out) * long
        rise = (0.26 - 0.1 * out) * long
        curve = np.array([[0.03, low], [0.3 * reach, low + 0.3 * rise], [0.75 * reach, low + 0.6 * rise],
                          [reach, low + rise]])  # fmt: skip
        scale = petal(curve, wide, 1.0, 0.4, 0.0, "petal", finesse, 4, 3)
        pieces.append(turned(scale, np.radians(137.5 * k)))
    return _arched(join(pieces))


def _arched(branch: Shape) -> Shape:
    """The branch with its middle raised and its tip bent down."""
    x, y, z = branch.vertices.T
    return replace(branch, vertices=np.stack([x, y, z + _ARCH * 4.0 * y * (1.0 - y)], axis=1))


#: Radii and heights of a branch's axis.
_THIN_AXIS = np.array([0.0, 0.05, 0.03, 0.0]), np.array([0.0, 0.01, 0.9, 0.95])
#: Spikelets of a loose panicle's branch; over its length its radius, and how long with its stalk and how wide from its
#: middle one of them is.
_STALKED, _SLENDER, _LONG, _HALF_WIDE = 9, 0.158, 0.33, 0.06


def panicle_branch(finesse: float = 1.0) -> Shape:
    """The end of a loose panicle's branch: spikelets on thin stalks all around its axis and one at its tip."""
    one, count = _spikelet(finesse), max(3, round(_STALKED * finesse))
    x, y, z = one.vertices.T
    pieces = [revolved(*_THIN_AXIS, 6, "petal", finesse)]
    for k in range(count):
        out = k / (count - 1)
        c, s = np.cos(angle := np.radians(24.0 * (1.0 - out))), np.sin(angle)
        along, aside = _LONG * (1.0 - 0.2 * out) * y, _HALF_WIDE * x
        leaning = [(s * along + c * aside) / _SLENDER, 0.76 * out + c * along - s * aside, _HALF_WIDE * z / _SLENDER]
        pieces.append(turned(replace(one, vertices=np.stack(leaning, axis=1)), np.radians(137.5 * k)))
    return _arched(join(pieces))


def _spikelet(finesse: float) -> Shape:
    """A slim ear of overlapping scales in two rows, on a stalk."""
    radius, height = np.array([0.0, 0.12, 0.12, 0.42, 0.38, 0.0]), np.array([0.0, 0.0, 0.26, 0.42, 0.68, 0.98])
    pieces = [revolved(radius, height, 6, "petal", finesse)]
    count = round(6 * finesse)
    for k in range(count):
        low, reach = 0.26 + 0.46 * k / count, 0.95 - 0.35 * k / count
        curve = np.array([[0.1, low], [0.7 * reach, low + 0.04], [0.95 * reach, low + 0.14], [0.6 * reach, low + 0.28]])
        scale = petal(curve, 0.5, 0.9, 0.5, 0.0, "petal", finesse, 4, 3)
        pieces.append(turned(scale, np.pi * k + 0.3))
    return join(pieces)


#: Petals of a filled rose, the innermost of which are rolled into its bud.
_ROSE_PETALS = 34


def rose_flower(finesse: float = 1.0) -> Shape:
    """Petals in a spiral of 137.5 degrees: rolled and upright in the middle, then cupped, the outermost bent back."""
    radius, height = np.array([0.0, 0.09, 0.16, 0.22, 0.18, 0.0]), np.array([0.0, 0.0, 0.08, 0.2, 0.28, 0.3])
    pieces = [revolved(radius, height, 12, "sepal", finesse)]
    reflexed = np.array([[0.16, 0.18], [0.42, 0.10], [0.60, -0.02], [0.74, -0.22]])
    sepal = petal(reflexed, 0.13, 0.9, 0.3, 0.0, "sepal", finesse, 7, 3)
    pieces += [turned(sepal, 2 * np.pi * (k + 0.5) / 5) for k in range(5)]
    chance = np.random.default_rng(4)
    for k in range(_ROSE_PETALS):
        out = k / (_ROSE_PETALS - 1)
        long, wide, turn = chance.uniform(-1.0, 1.0, 3)
        open_one = max(0.0, (out - 0.45) / 0.55) ** 1.5
        far = 0.07 + 0.56 * out**0.8
        midline = np.array([
            [0.06 + 0.05 * out, 0.14],
            [0.5 * far + 0.32 * out, 0.10 + 0.02 * long],
            [far + 0.22 * out, 0.86 - 0.16 * out],
            [far - 0.05 + 0.38 * open_one, 0.98 - 0.10 * out - 0.22 * open_one + 0.03 * long],
        ])  # fmt: skip
        half, cup = (0.20 + 0.42 * out) * (1.0 + 0.08 * wide), 1.0 - 0.72 * out
        blade = petal(midline, half, 0.20 + 0.25 * out, cup, np.radians(10.0), "petal", finesse, 10, 9, 0.06,
                      0.05 + 0.05 * out)  # fmt: skip
        pieces.append(turned(blade, np.radians(137.508) * k + 0.1 * turn))
    return join(pieces)
