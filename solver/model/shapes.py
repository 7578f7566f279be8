# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes by which bodies touch: tapered capsules of rods, and plates of blades."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats1, Floats2, Ints, Ints1
from ..math.rotations import rotate, unrotate
from .mass_properties import Slices
from .rods import Rods

if TYPE_CHECKING:
    from .model import Bodies

#: What stands on one contact alone sinks in by this share of its radius, and what is pressed so hard that its joint
#: bends by 1 rad by this one; a body alone is braked this many times as fast; and so many bodies like it may lie on it.
SINKS, BENT_SINKS, BRAKED, OTHERS, WEIGHT = 0.01, 0.5, 50.0, 10.0, 9.81

#: On something heavier a shape is at most so many times as stiff as it is by itself, or it would be thrown.
UNLIKE = 200.0

#: What is heavier meets the second spring from this share of the radius on, which is at most so many times as stiff.
GIVES, FIRMER = 0.004, 2000.0


class Shapes(NamedTuple):
    """k shapes: all points within a radius of a segment or, of blades, of a plane strip along it.

    body (k,) that carries it; rod (k,) it is of; start, end (k, 3) m, side (k, 3) m half the strip's width at the
    middle, in the body's frame; radius (k, 2) m at both ends; friction (k,) Coulomb's coefficient; bounce (k,)
    restitution; stiffness (k,) N/m of a contact; landing (k,) s: what approaches is braked as if it were where it will
    be so much later; stickiness (k,) N by which each of its points holds what it touches; inside (k, 3) m: from the
    strip that is a face of something solid to the middle of that, else zero; firm (k,) N/m: of the second spring on
    obstacles behind the first (see contact/law.py), which something heavier makes it need, else zero
    """

    body: Ints1
    rod: Ints1
    start: Floats2
    end: Floats2
    side: Floats2
    radius: Floats2
    friction: Floats1
    bounce: Floats1
    stiffness: Floats1
    landing: Floats1
    stickiness: Floats1
    inside: Floats2
    firm: Floats1


def firmness(shapes: Shapes, mass: Floats, parent: Ints, first_body: Ints) -> Floats1:
    """(k,) N/m that shapes need to bear everything else which plants, whose bodies are from first_body (p + 1,), may
    lay on them. mass (n,) kg and parent (n,): the bodies'."""
    plant = np.repeat(np.arange(len(first_body) - 1), np.diff(first_body))
    tree = np.arange(len(parent))
    for i, k in enumerate(parent.tolist()):
        tree[i] = tree[k] if k >= 0 else i
    of_plant, of_tree = np.bincount(plant, mass, len(first_body)), np.bincount(tree, mass, len(parent))
    others = WEIGHT * (of_plant[plant] - of_tree[tree])[shapes.body]
    give = GIVES * shapes.radius.min(axis=1, initial=np.inf)
    firm = np.minimum(others / give, FIRMER * shapes.stiffness)
    return np.where(shapes.stiffness * give < others, firm, 0.0)


def shapes_of(
    rods: Rods, frame: Floats, slices: Slices, bodies: "Bodies", position: Floats, orientation: Floats
) -> Shapes:
    """Shapes of all slices of rods that touch; of a rod's slices on one body as one.

    frame (m, 4): the rods'; position (n, 3) m and orientation (n, 4): the bodies', in the base's frame
    """
    body, rod, y0, y1 = _merged(rods, slices)
    length = rods.array("length")[rod]
    ends, half = [], np.zeros((len(rod), 3))
    for y in (y0, y1):
        along = np.zeros((len(rod), 3))
        along[:, 1] = y
        there = rods.array("head")[rod] + rotate(frame[rod], along) - position[body]
        ends.append(np.ascontiguousarray(unrotate(orientation[body], there)))
    half[:, 0] = 0.5 * rods.array("blade_area")[rod] / length
    side = unrotate(orientation[body], rotate(frame[rod], half))
    r0, r1 = rods.array("radius_base")[rod], rods.array("radius_tip")[rod]
    radius = np.stack([r0 + (r1 - r0) * y0 / length, r0 + (r1 - r0) * y1 / length], axis=1)
    radius += rods.array("margin")[rod, None]
    thin = radius.min(axis=1)
    reach = np.sqrt(np.maximum((ends[0] ** 2).sum(axis=1), (ends[1] ** 2).sum(axis=1))) + thin
    bends = bodies.stiffness[body][:, [0, 2]].max(axis=1) / reach
    resting = np.maximum(_carried(bodies, body, bends) / SINKS, bends / BENT_SINKS) / thin
    landing = rods.array("landing_time")[rod]
    stiffness = np.maximum(resting, BRAKED * bodies.mass[body] / landing**2)
    return Shapes(
        body, rod, ends[0], ends[1], np.ascontiguousarray(side), np.ascontiguousarray(radius),
        rods.array("friction")[rod], rods.array("bounce")[rod], stiffness, landing, rods.array("stickiness")[rod],
        np.zeros((len(rod), 3)), np.zeros(len(rod)),
    )  # fmt: skip


def _carried(bodies: "Bodies", body: Ints, bends: Floats) -> Floats:
    """(k,) N: what shapes of bodies, whose joints such a force (k,) N bends, may have to carry: no more than the plant,
    nor than so many times what hangs on the body and what bends its joint. Twigs of which each is as hard as if the
    whole plant lay on it would only chatter."""
    outboard = bodies.mass.copy()
    for i, k in reversed(list(enumerate(bodies.parent.tolist()))):
        if k >= 0:
            outboard[k] += outboard[i]
    return np.minimum(WEIGHT * bodies.mass.sum(), OTHERS * WEIGHT * outboard[body] + bends)


def _merged(rods: Rods, slices: Slices) -> tuple[Ints1, Ints1, Floats1, Floats1]:
    """Body, rod, and from where to where (m) on the rod, of the slices of rods that touch."""
    touching = rods.array("collides")[slices.rod] != 0.0
    order = np.lexsort((slices.y0[touching], slices.rod[touching], slices.body[touching]))
    body, rod, y0, y1 = (column[touching][order] for column in slices)
    goes_on = np.append(False, (body[1:] == body[:-1]) & (rod[1:] == rod[:-1]))
    first = np.flatnonzero(~goes_on)
    last = np.append(first[1:], len(body)) - 1 if len(first) else first
    return body[first], rod[first], y0[first], y1[last]
