# SPDX-License-Identifier: GPL-3.0-or-later
"""The segments that the turtle leaves, and the skeleton of them: their materials, and radii of the pipe model."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..base.arrays import Floats, Integers
from ..base.contours import Contour, Moments, areas_of, moments_of
from ..base.organs import BLADE, DEFAULT_MATERIAL, LEAF, ORGANS, SECTIONS, STEM
from ..base.settings import MATERIAL_KEYS
from ..base.skeleton import Polygon, Skeleton
from ..language.grammar import Grammar
from .commands import LARGEST, Actions
from .tube_pieces import Pieces, pieces_of
from .tubes import Span

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
ORGAN, ORDER, AXIS, RADIUS_TIP = map(COLUMNS.index, ("organ", "order", "axis", "radius_tip"))
_KINDS = dict.fromkeys(COLUMNS, np.float64) | dict.fromkeys(("parent", "organ", "order", "axis", "action"), np.int64)
del _KINDS["state"]


_ELLIPTIC = float(SECTIONS.index("elliptic"))


def finished(
    segments: list[Segment], polygons: list[Polygon], spans: Sequence[Span], outlines: Mapping[int, Floats],
    actions: Actions, grammar: Grammar,
) -> Skeleton:  # fmt: skip
    """The skeleton. outlines: of contours, by the numbers that the spans' styles have. Raises `LSystemError` at a
    segment that leads too far away."""
    columns = dict(zip(COLUMNS, zip(*segments, strict=True), strict=False))
    states = list(columns.pop("state", ()))
    arrays: dict[str, Any] = {name: np.array(columns.get(name, ()), dtype=kind) for name, kind in _KINDS.items()}
    arrays |= {name: arrays[name].reshape(-1, size) for name, size in (("head", 3), ("frame", 4))}
    contours: list[Contour] = []
    if spans:
        arrays, source, contours = _in_pieces(arrays, spans, pieces_of(spans, outlines, grammar.unit))
        states = [states[index] for index in source.tolist()]
        first = np.searchsorted(source, np.arange(len(segments)))
        polygons = [replace(one, segment=int(first[one.segment])) for one in polygons]
    parent, organ, action = arrays["parent"], arrays["organ"], arrays.pop("action")
    materials: dict[str, Any] = _materials(grammar, organ, parent, states, [one.segment for one in contours])
    skeleton = Skeleton(
        **arrays,
        pinned=np.array([state.pinned for state in states], dtype=np.bool_),
        colour=np.array([state.colour for state in states], dtype=np.int64),
        # 0 while the step that makes a module goes on
        age=np.maximum(actions.string.time - actions.string.born[actions.module[action]], 0.0),
        divided=np.zeros(len(organ), dtype=np.bool_),
        polygons=tuple(polygons),
        contours=tuple(contours),
        **materials,
    )
    far = np.abs(np.concatenate([skeleton.head, skeleton.tail()], axis=1)).max(axis=1, initial=0.0) > LARGEST
    if far.any():
        message = f"{{module}} leads further than {LARGEST:g} m from the start"
        raise actions.error(message, int(action[np.argmax(far)]))
    skeleton = _with_contours(skeleton)
    return skeleton if grammar.pipe is None else _piped(skeleton, grammar.pipe, actions.grown[action])


def _in_pieces(
    columns: Mapping[str, Any], spans: Sequence[Span], pieces: Pieces
) -> tuple[dict[str, Any], Integers, list[Contour]]:
    """Columns of segments with those that stand for spans cut into these pieces, from which segment each comes, and the
    contours of those that are not round. What stands on a span stands on its last piece."""
    count = len(columns["parent"])
    standing = np.array([span.segment for span in spans])
    times = np.ones(count, dtype=np.int64)
    times[standing] = np.bincount(pieces.span)
    source = np.repeat(np.arange(count), times)
    last = np.append(np.cumsum(times) - 1, -1)  # the end answers for parent -1
    within = np.diff(source, prepend=-1) == 0
    result = {name: values[source] for name, values in columns.items()}
    result["parent"] = np.where(within, np.arange(len(source)) - 1, last[result["parent"]])
    at = np.flatnonzero(np.isin(source, standing))
    result["head"][at], result["frame"][at], result["length"][at] = pieces.place, pieces.frame, pieces.length
    result["radius_base"][at], result["radius_tip"][at] = np.maximum(pieces.radii, THINNEST).T
    result["width"][at] = np.where(result["organ"][at] == LEAF, 2.0 * result["radius_tip"][at], 0.0)
    return result, source, list(map(Contour, at[pieces.contoured].tolist(), pieces.outlines))


def _with_contours(skeleton: Skeleton) -> Skeleton:
    """The skeleton with sections that have the areas of its contours, and about their axes their second moments.

    A rod of the area, as an ellipse whose width over thickness is the root of the moments' quotient, bends in this
    proportion about both axes; Young's modulus makes up for how much more or less the contour has of both, and the
    quotient of bending and twisting for its own. What the text says of sections itself stays.
    """
    names = ("radius_base", "radius_tip", "width", "section", "aspect", "twist", "young")
    columns = {name: getattr(skeleton, name).copy() for name in names}
    known = [one for one in skeleton.contours if np.isnan(skeleton.section[one.segment])]
    if not known:
        return skeleton
    k = np.array([one.segment for one in known])
    ends = np.stack([[one.base for one in known], [one.tip for one in known]])
    middle = 0.5 * ends.sum(axis=0)
    moments = moments_of(middle)
    has_area = moments.about_x > 0.0
    k, middle, ends = k[has_area], middle[has_area], ends[:, has_area]
    moments = Moments(*(one[has_area] for one in moments))
    for name, areas in zip(("radius_base", "radius_tip"), areas_of(ends), strict=True):
        columns[name][k] = np.maximum(np.sqrt(areas / math.pi), _SLENDER * skeleton.length[k])
    columns["width"][k] = np.where(skeleton.width[k] > 0.0, np.ptp(middle[:, :, 0], axis=1), skeleton.width[k])
    aspect = np.sqrt(moments.about_z / moments.about_x)
    ellipse = moments.area**2 / (4.0 * math.pi * aspect)
    poisson = np.where(np.isfinite(skeleton.poisson[k]), skeleton.poisson[k], _POISSON)
    twist = 2.0 * (1.0 + poisson) * moments.about_x / moments.twist
    columns["section"][k], columns["aspect"][k] = _ELLIPTIC, np.clip(aspect, _LEAST_ASPECT, 1.0 / _LEAST_ASPECT)
    columns["twist"][k] = np.clip(twist, _LEAST_TWIST, _MOST_TWIST)
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
