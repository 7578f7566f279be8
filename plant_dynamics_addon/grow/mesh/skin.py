# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole skin of a skeleton: tubes, blades, flowers, buds and fruits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .arrays import Array
from .axes import BLADE, TUBE, find_axes
from .copies import Copies, leaf_copies, organ_copies, single_leaves
from .detail import HIGH, Detail
from .flowers.kinds import FlowerShape
from .geometry import Geometry
from .leaves.blades import BladeShape, blade_areas, bow_of, build_blades
from .leaves.companions import with_companions
from .leaves.midribs import Places, along_midribs, bases_and_pieces
from .leaves.own_outlines import Outline, build_outlines
from .leaves.own_sheets import build_sheets, own_areas
from .leaves.sprays import differing, with_sprays
from .progress import stage
from .skeleton import Skeleton
from .stems.outgrowths import build_outgrowths
from .stems.profiles import Profile, build_profiles, profile_areas
from .stems.shape import StemShape
from .stems.tubes import build_tubes
from .surface import Surface, empty_surface, join

#: Shares of the time of large trees after which tubes and blades are drawn, and areas are known.
_TUBES, _BLADES, _AREAS = 0.6, 0.75, 0.95


@dataclass(frozen=True)
class Skin:
    """Surface of a skeleton of n segments, and what else the shapes of its organs say."""

    surface: Surface
    variation: Array  # (n) 0..1, by which materials tell organs of one kind apart
    blade_area: Array  # (n) m2 of leaf blade, one side; the same at every level of detail
    copies: tuple[Copies, ...]  # organs that are instances, which the surface leaves out
    chance: Array  # (v) of the surface's points: the variation of what is drawn, leaf by leaf of a spray


def variation_of(skeleton: Skeleton) -> Array:
    """(n, 4) random numbers by which organs of one kind differ."""
    return np.random.default_rng(0).random((len(skeleton.parent), 4))


def bones_in_blades(skeleton: Skeleton, blade: BladeShape | None, outlined: Sequence[int] = ()) -> Places | None:
    """Places of the segments with which leaves of several bones have these in their blades; None where there are no
    such leaves, and of sprays, whose twigs are straight. outlined: first segments of leaves with surfaces of their own,
    which stay as they are."""
    blade, (bases, pieces) = blade or BladeShape(), bases_and_pieces(skeleton)
    bases = np.setdiff1d(bases, np.array(outlined, dtype=np.int64))
    if not len(bases) or blade.spray:
        return None
    return along_midribs(skeleton, bases, pieces, bow_of(blade, variation_of(skeleton)[bases]))


def segments_drawn(skeleton: Skeleton, organs: tuple[str, ...], blade: BladeShape) -> int:
    """How many segments there are with companions of leaves and leaves of sprays."""
    accompanied = with_companions(skeleton, organs, blade.companions).skeleton
    return len(with_sprays(accompanied, organs, blade.spray)[1])


def build_skin(
    skeleton: Skeleton,
    organs: tuple[str, ...],
    geometry: Geometry,
    blade: BladeShape | None = None,
    flower: FlowerShape | None = None,
    detail: Detail = HIGH,
    instanced: bool = False,
    stem: StemShape | None = None,
    outlines: Sequence[Outline] = (),
    profiles: Sequence[Profile] = (),
) -> Skin:
    """The skin in one piece; `instanced` leaves out what can be copies of templates. `organs` are the names of what the
    skeleton's segments can be. Leaves with outlines of their own are cut so, but for those that are sprays; tubes with
    profiles have these."""
    blade, flower, stem = blade or BladeShape(), flower or FlowerShape(), stem or StemShape()
    outlines = () if blade.spray else outlines
    variation, n = variation_of(skeleton), len(skeleton.parent)
    accompanied = with_companions(skeleton, organs, None if len(outlines) else blade.companions)
    skeleton, sprayed = with_sprays(accompanied.skeleton, organs, blade.spray)
    carrier = accompanied.carrier[sprayed]
    others = np.random.default_rng(4).random((len(accompanied.carrier) - n, variation.shape[1]))
    leaves = differing(blade.spray, len(carrier) - len(accompanied.carrier))
    variation = np.concatenate([variation, others, leaves])
    axes = find_axes(skeleton, organs, [one.segment for one in profiles])
    surfaces, copies = [], organ_copies(skeleton, axes, flower, detail, variation)
    if len(axes.runs_of(TUBE)):
        with stage(0.0, _TUBES):
            surfaces.append(build_tubes(skeleton, axes, detail, geometry, stem.flare, stem.splinters))
        surfaces += build_outgrowths(skeleton, axes, stem, detail, variation[:, 0])
    outlined = np.array([one.segment for one in outlines], dtype=np.int64)
    blades = np.setdiff1d(axes.runs_of(BLADE), axes.run[outlined])
    plates, sheets = ([one for one in outlines if one.is_plate == is_plate] for is_plate in (True, False))
    if plates:
        surfaces.append(build_outlines(skeleton, axes, plates))
    if sheets:
        surfaces.append(build_sheets(axes, sheets, detail))
    if profiles:
        surfaces.append(build_profiles(skeleton, axes, profiles, detail))
    if instanced:
        single = np.setdiff1d(single_leaves(axes), outlined)
        copies = leaf_copies(skeleton, axes, blade, detail, variation, single) + copies
        blades = np.setdiff1d(blades, axes.run[single])
    else:
        surfaces += [one.joined() for one in copies]
        copies = []
    if len(blades):
        with stage(_TUBES, _BLADES):
            surfaces.append(build_blades(skeleton, axes, blade, detail, variation, blades))
    # A run is one organ to the eye, so all its segments have the number of its first.
    of_run = variation[axes.bases(axes.run), 0]
    with stage(_BLADES, _AREAS):
        areas = blade_areas(skeleton, axes, blade, variation)
        own = np.isin(axes.run, axes.run[outlined])
        areas = np.where(own, own_areas(axes, outlines), areas) + profile_areas(skeleton, axes)
        area = np.bincount(carrier, np.where(sprayed < n, areas, 0.0), n)
    drawn = join([*surfaces, empty_surface()])
    bones, weights = accompanied.bones_and_weights(
        sprayed[drawn.segment], drawn.vertices, carrier[drawn.bones], drawn.weights
    )
    surface = replace(drawn, bones=bones, weights=weights, segment=carrier[drawn.segment])
    carried = tuple(replace(one, segment=carrier[one.segment], chance=of_run[one.segment]) for one in copies)
    return Skin(surface, of_run[:n], area, carried, of_run[drawn.segment])
