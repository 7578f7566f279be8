# SPDX-License-Identifier: GPL-3.0-or-later
"""The segments that the turtle leaves, and the skeleton of them: their materials, and radii of the pipe model."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..base.arrays import Floats, Integers
from ..base.contours import Contour, area_of, moments_of
from ..base.organs import BLADE, DEFAULT_MATERIAL, LEAF, ORGANS, SECTIONS, STEM
from ..base.settings import MATERIAL_KEYS
from ..base.skeleton import Polygon, Skeleton
from ..language.grammar import Grammar
from .commands import LARGEST, Actions

THINNEST = 1e-9
"""Metres; the least radius of a segment, of those too that taper or grow from nothing."""


_SLENDER = 0.01
"""Radii of rods with contours by their lengths, at least: they would bend without end at points."""
_POISSON = 0.3
"""Where the text says nothing."""
_LEAST_ASPECT, _LEAST_TWIST, _MOST_TWIST = 0.01, 0.1, 1000.0
"""What sections can be."""


@dataclass(frozen=True)
class State:
    """What the text has set for the following segments."""

    tropism: tuple[float, float, float, float]
    """Direction and elasticity."""
    organ: int = STEM
    """What `F` draws."""
    pinned: bool = False
    colour: int = 0
    material: Mapping[str, float] = field(default_factory=dict)


# a tuple and no class, since the turtle makes many
Segment = tuple
COLUMNS = ("parent", "organ", "order", "axis", "radius_tip", "radius_base", "length", "width", "head", "frame", "state",
           "action")  # fmt: skip
"""What a segment holds; the last is the number of the action that draws it."""
ORGAN, ORDER, AXIS, RADIUS_TIP, ACTION = map(COLUMNS.index, ("organ", "order", "axis", "radius_tip", "action"))


_ELLIPTIC = float(SECTIONS.index("elliptic"))


def finished(
    segments: list[Segment], polygons: list[Polygon], contours: list[Contour], actions: Actions, grammar: Grammar
) -> Skeleton:
    """The skeleton. Raises `LSystemError` at a segment that leads too far away."""
    columns = dict(zip(COLUMNS, zip(*segments, strict=True), strict=False))

    def column(name: str, kind: type = np.float64) -> np.ndarray:
        return np.array(columns.get(name, ()), dtype=kind)

    parent, organ, action = (column(name, np.int64) for name in ("parent", "organ", "action"))
    states = columns.get("state", ())
    skeleton = Skeleton(
        parent=parent,
        head=column("head").reshape(-1, 3),
        frame=column("frame").reshape(-1, 4),
        length=column("length"),
        radius_base=column("radius_base"),
        radius_tip=column("radius_tip"),
        width=column("width"),
        organ=organ,
        order=column("order", np.int64),
        axis=column("axis", np.int64),
        pinned=np.array([state.pinned for state in states], dtype=np.bool_),
        colour=np.array([state.colour for state in states], dtype=np.int64),
        # 0 while the step that makes a module goes on
        age=np.maximum(actions.string.time - actions.string.born[actions.module[action]], 0.0),
        divided=np.zeros(len(organ), dtype=np.bool_),
        polygons=tuple(polygons),
        contours=tuple(contours),
        **_materials(grammar, organ, parent, states, [one.segment for one in contours]),
    )
    far = np.abs(np.concatenate([skeleton.head, skeleton.tail()], axis=1)).max(axis=1, initial=0.0) > LARGEST
    if far.any():
        message = f"{{module}} leads further than {LARGEST:g} m from the start"
        raise actions.error(message, segments[int(np.argmax(far))][ACTION])
    skeleton = _with_contours(skeleton)
    return skeleton if grammar.pipe is None else _piped(skeleton, grammar.pipe, actions.grown[action])


def _with_contours(skeleton: Skeleton) -> Skeleton:
    """The skeleton with sections that have the areas of its contours, and about their axes their second moments.

    A rod of the area, as an ellipse whose width over thickness is the root of the moments' quotient, bends in this
    proportion about both axes; Young's modulus makes up for how much more or less the contour has of both, and the
    quotient of bending and twisting for its own. What the text says of sections itself stays.
    """
    names = ("radius_base", "radius_tip", "width", "section", "aspect", "twist", "young")
    columns = {name: getattr(skeleton, name).copy() for name in names}
    for one in skeleton.contours:
        k, moments = one.segment, moments_of(one.middle)
        if moments.about_x <= 0.0 or not np.isnan(skeleton.section[k]):
            continue
        areas = area_of(one.base), area_of(one.tip)
        for name, area in zip(("radius_base", "radius_tip"), areas, strict=True):
            columns[name][k] = max(math.sqrt(area / math.pi), _SLENDER * skeleton.length[k])
        if skeleton.width[k] > 0.0:
            columns["width"][k] = float(np.ptp(one.middle[:, 0]))
        aspect = math.sqrt(moments.about_z / moments.about_x)
        ellipse = moments.area**2 / (4.0 * math.pi * aspect)
        poisson = skeleton.poisson[k] if np.isfinite(skeleton.poisson[k]) else _POISSON
        twist = 2.0 * (1.0 + poisson) * moments.about_x / moments.twist
        columns["section"][k], columns["aspect"][k] = _ELLIPTIC, min(max(aspect, _LEAST_ASPECT), 1.0 / _LEAST_ASPECT)
        columns["twist"][k] = min(max(twist, _LEAST_TWIST), _MOST_TWIST)
        columns["young"][k] *= moments.about_x / ellipse
    return replace(skeleton, **columns)


def with_scenery(skeleton: Skeleton) -> Skeleton:
    """The skeleton with what hangs on nothing pinned, where it is a polygon beside stems: a ground or a wall, as
    L-systems for pictures draw them."""
    roots = [polygon.segment for polygon in skeleton.polygons if skeleton.parent[polygon.segment] < 0]
    if not roots or not (skeleton.organ == STEM).any():
        return skeleton
    pinned = skeleton.pinned.copy()
    pinned[roots] = True
    return replace(skeleton, pinned=pinned)


def _materials(
    grammar: Grammar, organ: Integers, parent: Integers, states: Sequence[State], tubes: Sequence[int]
) -> dict[str, Floats]:
    """Every material column: what a module set, else the material line, else what the organ is made of by default.
    tubes: segments with contours; leaves among these have a line of their own."""
    columns = {}
    blades = np.intersect1d(np.array(tubes, dtype=np.int64), np.flatnonzero(organ == LEAF))
    of_blades = grammar.materials.get(BLADE, {})
    attached = np.where(parent >= 0, organ[parent], -1) != organ
    different = [index for index, state in enumerate(states) if state.material]
    for key in MATERIAL_KEYS:
        by_organ = np.full(len(ORGANS), np.nan)
        for index, name in enumerate(ORGANS):
            default = DEFAULT_MATERIAL.get(index, {}).get(key, np.nan)
            if key == "joint" and name in grammar.materials:
                default = 1.0  # who gives a material has it as it is
            by_organ[index] = grammar.materials.get(name, {}).get(key, default)
        column = by_organ[organ]
        column[blades] = of_blades.get(key, 1.0 if key == "joint" and of_blades else by_organ[LEAF])
        if key == "joint":
            column = np.where(attached & np.isfinite(column), column, 1.0)
        for index in different:
            column[index] = states[index].material.get(key, column[index])
        columns[key] = column
    return columns


def _piped(skeleton: Skeleton, exponent: float, grown: Floats) -> Skeleton:
    """Stems as thick as all that they carry (Shinozaki's pipe model): r^e is the sum of r^e over the stems on it.

    A stem that carries no stem has the radius that the text gives it. Stems that are still growing are carried by as
    much as there is of them, and the stem that carries only such keeps the rest of its own radius.
    """
    stem = (skeleton.organ == STEM).tolist()
    own = skeleton.radius_tip.tolist()
    parent, share = skeleton.parent.tolist(), grown.tolist()
    carried = [0.0] * len(own)
    covered = [0.0] * len(own)  # how much there is of the most grown stem that it carries
    radius = list(own)
    # in proportion to the thickest, so that no power overflows
    largest = max(own, default=1.0)
    for index in range(len(own) - 1, -1, -1):
        if not stem[index]:
            continue
        power = carried[index] + (1.0 - covered[index]) * (own[index] / largest) ** exponent
        radius[index] = max(largest * power ** (1.0 / exponent), THINNEST)
        above = parent[index]
        if above >= 0:
            # the own part of a growing tip is not there yet; what it carries counts itself
            carried[above] += carried[index] + (power - carried[index]) * share[index]
            covered[above] = max(covered[above], covered[index], share[index])
    tip = np.array(radius)
    continues = (skeleton.parent >= 0) & (skeleton.axis == skeleton.axis[skeleton.parent])
    base = np.where(continues, tip[skeleton.parent], tip)
    is_stem = skeleton.organ == STEM
    return replace(
        skeleton,
        radius_tip=np.where(is_stem, tip, skeleton.radius_tip),
        radius_base=np.where(is_stem, base, skeleton.radius_base),
    )
