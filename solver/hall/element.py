# SPDX-License-Identifier: GPL-3.0-or-later
"""A pseudo-rigid-body element of Hall's chain: rigid links, spherical joints with springs, and how a load bends them.

His axes x (along the rod), y, z are the axes y, z, x of a rod's frame here. Points and frames are in the base's axes.
"""

import math
from typing import NamedTuple

from ..base.arrays import Floats1, Floats2, Ints1
from ..machine.jit import inlined
from ..math.angles import sin_cos
from ..math.matrices import mat_add, mat_mul, mat_t_vec, mat_transpose, mat_vec, outer
from ..math.memory import load3, load4, store3, store4
from ..math.quaternions import quat_conj, quat_exp, quat_mat, quat_mul, quat_unit
from ..math.vectors import ZERO, add, cross, dot, scale, sub, times


class Chain(NamedTuple):
    """Constant arrays of n elements with J spherical joints each.

    parent, last   (n,) parent element (-1: the base); one past the last element of the subtree
    links          (n, J + 1) m: lengths of the rigid links
    compliance     (n J, 3) rad/(N m) about the axes x, y, z of the link beyond the joint; 0: rigid
    tip_turn       (1, 3) turn of the elastic tip over the turn of the last link, about x, y, z
    loaded_at_tip  a joint takes the moment about the element's tip, not about itself (his 1R element)
    whole_turns    a joint's angles are one rotation vector, not turns about x, y and z one after the other
    force, torque  (n, 3) N and N m at the element's tip
    gravity        (1, 3) m/s2
    mass, center   (n (J + 1),) kg and (n (J + 1), 3) m: of the links, in the links' frames; weight (n, 3) N: of all
    """

    parent: Ints1
    last: Ints1
    links: Floats2
    compliance: Floats2
    tip_turn: Floats2
    loaded_at_tip: bool
    whole_turns: bool
    force: Floats2
    torque: Floats2
    gravity: Floats2
    mass: Floats1
    center: Floats2
    weight: Floats2


class Pose(NamedTuple):
    """What a sweep changes.

    head, tail  (n, 3) m: ends of the elements; center (n, 3) m: their centres of mass
    link        (n (J + 1), 4) quaternions of the links; the first is clamped to the parent's tip
    tip         (n, 4) quaternions of the elastic tips
    angles      (n J, 3) rad: turns of the joints' springs
    moment      (n, 3) N m: what the springs of an element's first joint hold
    """

    head: Floats2
    tail: Floats2
    center: Floats2
    link: Floats2
    tip: Floats2
    angles: Floats2
    moment: Floats2


@inlined
def moment_of(m):
    """Sum of r x F from the sum of r F^T (eq. A.4)."""
    return (m[5] - m[7], m[6] - m[2], m[1] - m[3])


@inlined
def column(r, u):
    """Axis u of a frame."""
    return (r[u], r[3 + u], r[6 + u])


@inlined
def turned(q, p):
    """Vector p turned by the quaternion q."""
    return mat_vec(quat_mat(q), p)


@inlined
def walk(chain, pose, i, first, start):
    """Over element i's links from link `first`, whose base is start: tail, mass, and sum of mass times place."""
    links = chain.links.shape[1]
    p, mass, first_moment = start, 0.0, ZERO
    for m in range(first, links):
        row = i * links + m
        r = quat_mat(load4(pose.link, row))
        mass += chain.mass[row]
        first_moment = add(first_moment, scale(chain.mass[row], add(p, mat_vec(r, load3(chain.center, row)))))
        p = add(p, scale(chain.links[i, m], column(r, 1)))
    return p, mass, first_moment


@inlined
def update_ends(chain, pose, i):
    """Bring an element's tail and centre of mass up to its head and links."""
    tail, mass, first_moment = walk(chain, pose, i, 0, load3(pose.head, i))
    store3(pose.tail, i, tail)
    store3(pose.center, i, scale(1.0 / mass, first_moment) if mass > 0.0 else tail)


@inlined
def spring_share(phi, a):
    """J_r(phi)^T a: what the spring moment is for the body-frame moment a at the rotation vector phi."""
    t2 = dot(phi, phi)
    if t2 < 1e-4:
        b = 0.5 - t2 * (1 / 24 - t2 / 720)
        c = 1 / 6 - t2 * (1 / 120 - t2 / 5040)
    else:
        t = math.sqrt(t2)
        sine, cosine = sin_cos(t)
        b = (1.0 - cosine) / t2
        c = (t - sine) / (t2 * t)
    once = cross(phi, a)
    return add(a, add(scale(b, once), scale(c, cross(phi, once))))


@inlined
def _own_stiffness(r, lever):
    """How fast the load moment falls when the joint turns: bound of the joint's own geometric stiffness, per axis.

    lever: sum of r F^T about the joint; a turn d changes the moment by (lever - trace(lever)) d. Rows of the symmetric
    part in the axes r, summed by magnitude so that a turn about one axis is also safe for the two others.
    """
    m = mat_mul(mat_transpose(r), mat_mul(lever, r))
    xy, xz, yz = 0.5 * abs(m[1] + m[3]), 0.5 * abs(m[2] + m[6]), 0.5 * abs(m[5] + m[7])
    return (
        max(0.0, m[4] + m[8] + xy + xz),
        max(0.0, m[0] + m[8] + xy + yz),
        max(0.0, m[0] + m[4] + xz + yz),
    )


@inlined
def _load_at_joint(chain, pose, i, m, at, force, lever, gravity):
    """Sum of r F^T about joint m (at) of what is beyond it, or about the element's tip for joints loaded there."""
    if chain.loaded_at_tip:
        return lever
    tail, mass, first_moment = walk(chain, pose, i, m, at)
    own = mat_add(outer(sub(tail, at), force), outer(sub(first_moment, scale(mass, at)), gravity))
    return mat_add(lever, own)


@inlined
def _turn_outboard(chain, pose, i, m, turn, tip_turn):
    """Turn the links from m on, and the elastic tip."""
    links = chain.links.shape[1]
    for s in range(i * links + m, (i + 1) * links):
        store4(pose.link, s, quat_unit(quat_mul(turn, load4(pose.link, s))))
    store4(pose.tip, i, quat_unit(quat_mul(tip_turn, load4(pose.tip, i))))


@inlined
def _turn_about_axis(chain, pose, i, m, u, moment, divisor):
    """One axis of a joint (algorithm 3.2). Returns the turn asked for, rad, and the quaternion the tip turned by."""
    links = chain.links.shape[1]
    row = i * (links - 1) + m - 1
    axis = column(quat_mat(load4(pose.link, i * links + m)), u)
    asked = chain.compliance[row, u] * dot(moment, axis) - pose.angles[row, u]
    angle = asked / divisor[u]
    pose.angles[row, u] += angle
    tip_turn = quat_exp(scale(chain.tip_turn[0, u] * angle, axis))
    _turn_outboard(chain, pose, i, m, quat_exp(scale(angle, axis)), tip_turn)
    return abs(asked), tip_turn


@inlined
def _turn_as_whole(chain, pose, i, m, moment, divisor):
    """All axes of a joint, as one rotation vector phi with K phi = J_r^T times the moment in the link's frame."""
    links = chain.links.shape[1]
    row = i * (links - 1) + m - 1
    before = load4(pose.link, i * links + m)
    old, c = load3(pose.angles, row), load3(chain.compliance, row)
    asked = sub(times(c, spring_share(old, mat_t_vec(quat_mat(before), moment))), old)
    new = (old[0] + asked[0] / divisor[0], old[1] + asked[1] / divisor[1], old[2] + asked[2] / divisor[2])
    store3(pose.angles, row, new)
    after = quat_mul(load4(pose.link, i * links + m - 1), quat_exp(new))
    turn = quat_unit(quat_mul(after, quat_conj(before)))
    _turn_outboard(chain, pose, i, m, turn, turn)
    return math.sqrt(dot(asked, asked)), turn


@inlined
def update_element(chain, pose, i, force, torque, lever, gravity, cautious):
    """Bend element i under the load at its tip (algorithms 3.2 and 4.2); returns the largest turn asked for, rad.

    lever: sum of (P - tail) F^T over what is beyond the tip; the weight of the element's own links is added here.
    Hall keeps the moment at the tip while the element's joints turn, and makes every turn in full. With `cautious` the
    subtree follows each joint at once, and the turn is divided by 1 + geometric over spring stiffness of that joint.
    """
    links = chain.links.shape[1]
    most = 0.0
    at = load3(pose.head, i)
    for m in range(1, links):
        c = load3(chain.compliance, i * (links - 1) + m - 1)
        at = add(at, scale(chain.links[i, m - 1], column(quat_mat(load4(pose.link, i * links + m - 1)), 1)))
        for k in range(1 if chain.whole_turns else 3):
            about = _load_at_joint(chain, pose, i, m, at, force, lever, gravity)
            moment = add(torque, moment_of(about))
            divisor = (1.0, 1.0, 1.0)
            if cautious:
                g = _own_stiffness(quat_mat(load4(pose.link, i * links + m)), about)
                divisor = add(divisor, times(times(c, g), load3(chain.tip_turn, 0)))
            if chain.whole_turns:
                asked, turn = _turn_as_whole(chain, pose, i, m, moment, divisor)
            else:  # twist first, as he does: his x, y, z are y, z, x here
                asked, turn = _turn_about_axis(chain, pose, i, m, (k + 1) % 3, moment, divisor)
            most = max(most, asked)
            if cautious:
                lever = mat_mul(quat_mat(turn), lever)
    update_ends(chain, pose, i)
    return most


@inlined
def transform_element(chain, pose, j, turn, shift):
    """Carry element j along rigidly (algorithms 3.3 and 4.3)."""
    links = chain.links.shape[1]
    r = quat_mat(turn)
    store3(pose.head, j, add(mat_vec(r, load3(pose.head, j)), shift))
    store3(pose.tail, j, add(mat_vec(r, load3(pose.tail, j)), shift))
    store3(pose.center, j, add(mat_vec(r, load3(pose.center, j)), shift))
    for s in range(j * links, (j + 1) * links):
        store4(pose.link, s, quat_unit(quat_mul(turn, load4(pose.link, s))))
    store4(pose.tip, j, quat_unit(quat_mul(turn, load4(pose.tip, j))))
