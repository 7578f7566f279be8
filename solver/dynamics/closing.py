# SPDX-License-Identifier: GPL-3.0-or-later
"""Closing loops of ties in the passes of the articulated-body algorithm, exactly and without other passes.

With J the accelerations between tied points by those of the joints, the tree's part H has the factors
H^-1 = F^T D^-1 F of the passes: a force that is borne from joint to joint towards the base turns each of them with a
torque, less what the joints before have given way to (Arnold 1996, 2.4.2). So F J^T, the torques of unit forces, are
found along the ways from tied bodies to the base alone. With them W = J H^-1 J^T is the sum over joints of
torque . D^-1 torque, the accelerations between points without ties that of torque . D^-1 u, with u the joints' torques
after the bias pass, and the forces f of ties add torque f to u, before the pass of the accelerations. What they are:

    (W + 1/g) f = wants - J H^-1 r,

where g is what ties resist by, and wants what the force that they held with lacks, over g. What is tied hard has no 1/g
to speak of; where ties want what cannot be, W has no inverse, and 1/g lets them give way.
"""

from ..data import columns as col
from ..data.lanes import add3, get3, get6, get9
from ..joints.loose import CORRECTION
from ..machine.jit import inlined, subroutine
from ..math.cholesky import factorise_upper, substitute
from ..math.fours import across4, less4, sum4, weigh4
from ..math.memory import keep3, keep4, load3, store3, take3, take4
from ..math.vectors import ZERO, add, dot, scale
from .articulated_body import yields_of

#: Of what forces of ties do to each other, 1/g is at least this share, so that those that want what cannot be give way;
#: so many times more where that does not do.
_LEAST_GIVEN, _MORE = 1e-12, 1e3

#: Columns of a way's joints: what comes first on all ways that have it, and which it is. Of a way's numbers: moments by
#: forces along x, y and z and a fourth of nothing, x of all and then y and z, and turns by them.
_ORDER, _JOINT = 0, 1
_MOMENTS, _TURNS = 0, 12


@subroutine
def know_ways(data, parent, loose, ties):
    """Find out what the forces of ties do along the tree, of which the factors are known."""
    w = 0
    for j in range(len(ties.body)):
        ties.factored[j] = -1.0
        ties.ends[j, 0] = w
        if ties.resists[j] > 0.0:
            w = _bear_to_base(data, parent, loose, ties, j, w)
        ties.ends[j, 1] = w
        for i in range(j + 1):
            _meet(ties, i, j)


@inlined
def _bear_to_base(data, parent, loose, ties, j, w):
    """Bear forces along the three axes on the first body of tie j, and against them on the other, to the base, and keep
    what they do from row w on; returns the row behind."""
    borne = ties.borne
    for end in range(2):
        x, y, z = take3(ties.arms, j, 3 * end)
        s = 1.0 if end == 0 else -1.0
        keep4(borne, 6 * end, 0, (0.0, -s * z, s * y, 0.0))
        keep4(borne, 6 * end + 1, 0, (s * z, 0.0, -s * x, 0.0))
        keep4(borne, 6 * end + 2, 0, (-s * y, s * x, 0.0, 0.0))
        keep4(borne, 6 * end + 3, 0, (s, 0.0, 0.0, 0.0))
        keep4(borne, 6 * end + 4, 0, (0.0, s, 0.0, 0.0))
        keep4(borne, 6 * end + 5, 0, (0.0, 0.0, s, 0.0))
    one, other = ties.body[j, 0], ties.body[j, 1]
    while one >= 0 or other >= 0:
        if one == other:
            for d in range(6):
                keep4(borne, d, 0, sum4(take4(borne, d, 0), take4(borne, 6 + d, 0)))
            other = -1
        elif one > other:
            w = _bear(data, parent, loose, ties, w, one, 0)
            one = max(parent[one], -1)
        else:
            w = _bear(data, parent, loose, ties, w, other, 6)
            other = max(parent[other], -1)
    return w


@inlined
def _bear(data, parent, loose, ties, w, i, first):
    """Bear the three forces of an end of a tie over the joint of body i, and keep what they do there in row w; returns
    the row behind."""
    b, lane, k, borne = i >> 3, i & 7, parent[i], ties.borne
    mx, my, mz = take4(borne, first, 0), take4(borne, first + 1, 0), take4(borne, first + 2, 0)
    fx, fy, fz = take4(borne, first + 3, 0), take4(borne, first + 4, 0), take4(borne, first + 5, 0)
    _keep_way(ties, w, 2 * i + 1, i, mx, my, mz, get6(data, b, col.D_INVERSE + lane))
    x, y, z = get3(data, b, col.ARM + lane)
    R, T = get9(data, b, col.GIVES_R + lane), get9(data, b, col.GIVES_T + lane)
    keep4(borne, first, 0, sum4(less4(mx, weigh4(R[0], mx, R[3], my, R[6], mz)), across4(y, fz, z, fy)))
    keep4(borne, first + 1, 0, sum4(less4(my, weigh4(R[1], mx, R[4], my, R[7], mz)), across4(z, fx, x, fz)))
    keep4(borne, first + 2, 0, sum4(less4(mz, weigh4(R[2], mx, R[5], my, R[8], mz)), across4(x, fy, y, fx)))
    fx = less4(fx, weigh4(T[0], mx, T[3], my, T[6], mz))
    fy = less4(fy, weigh4(T[1], mx, T[4], my, T[7], mz))
    fz = less4(fz, weigh4(T[2], mx, T[5], my, T[8], mz))
    keep4(borne, first + 3, 0, fx)
    keep4(borne, first + 4, 0, fy)
    keep4(borne, first + 5, 0, fz)
    if k >= -1:
        return w + 1
    _keep_way(ties, w + 1, 2 * i, k + 1, fx, fy, fz, yields_of(loose, -2 - k))
    return w + 2


@inlined
def _keep_way(ties, w, order, joint, x, y, z, D_inverse):
    """Keep in row w what forces do at a joint, by their moments there."""
    s, bears = D_inverse, ties.bears
    ties.rows[w, _ORDER], ties.rows[w, _JOINT] = order, joint
    keep4(bears, w, _MOMENTS, x)
    keep4(bears, w, _MOMENTS + 4, y)
    keep4(bears, w, _MOMENTS + 8, z)
    keep4(bears, w, _TURNS, weigh4(s[0], x, s[1], y, s[2], z))
    keep4(bears, w, _TURNS + 4, weigh4(s[1], x, s[3], y, s[4], z))
    keep4(bears, w, _TURNS + 8, weigh4(s[2], x, s[4], y, s[5], z))


@inlined
def _meet(ties, i, j):
    """Sum up what forces of ties i and j do to each other, over the joints that are on the ways of both."""
    bears, whole = ties.bears, ties.whole
    v, w, end, last = ties.ends[i, 0], ties.ends[j, 0], ties.ends[i, 1], ties.ends[j, 1]
    one, two, three = (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
    while v < end and w < last:
        if ties.rows[v, _ORDER] == ties.rows[w, _ORDER]:
            x, y, z = take4(bears, w, _TURNS), take4(bears, w, _TURNS + 4), take4(bears, w, _TURNS + 8)
            one = sum4(one, weigh4(bears[v, 0], x, bears[v, 4], y, bears[v, 8], z))
            two = sum4(two, weigh4(bears[v, 1], x, bears[v, 5], y, bears[v, 9], z))
            three = sum4(three, weigh4(bears[v, 2], x, bears[v, 6], y, bears[v, 10], z))
            v += 1
            w += 1
        elif ties.rows[v, _ORDER] > ties.rows[w, _ORDER]:
            v += 1
        else:
            w += 1
    keep3(whole, 3 * i, 3 * j, one)
    keep3(whole, 3 * i + 1, 3 * j, two)
    keep3(whole, 3 * i + 2, 3 * j, three)


@subroutine
def factorise_ties(ties):
    """Find Cholesky's factor of what forces of ties do to each other and of what resists, unless it is known."""
    known = True
    for j in range(len(ties.body)):
        known = known and ties.factored[j] == ties.resists[j]
        ties.factored[j] = ties.resists[j]
    least, m = _LEAST_GIVEN, 3 * len(ties.body)
    while not known and least < 1.0:
        for i in range(m):
            for j in range(m):  # what is below the diagonal too, for it is copied faster so
                ties.factor[i, j] = ties.whole[i, j]
            resists = ties.resists[i // 3]
            ties.factor[i, i] += max(1.0 / resists if resists > 0.0 else 1.0, least * ties.whole[i, i])
        known = factorise_upper(ties.factor, m)
        least *= _MORE


@subroutine
def close_loops(data, loose, ties, share):
    """Add to the joints' torques, after the bias pass, what ties give besides what they held with. share: of what they
    want, 1 or, where only what resists is asked for, 0."""
    y, bears = ties.other, ties.bears
    for j in range(len(ties.body)):
        wants = scale(share, load3(ties.wants, j)) if ties.resists[j] > 0.0 else ZERO
        lacks = (wants[0], wants[1], wants[2], 0.0)
        for w in range(ties.ends[j, 0], ties.ends[j, 1]):
            joint = ties.rows[w, _JOINT]
            first, u = _TURNS if joint >= 0 else _MOMENTS, _torque_at(data, loose, joint)
            x, v, z = take4(bears, w, first), take4(bears, w, first + 4), take4(bears, w, first + 8)
            lacks = less4(lacks, weigh4(u[0], x, u[1], v, u[2], z))
        keep3(y, 0, 3 * j, lacks)
    substitute(ties.factor, y, 0, 3 * len(ties.body))
    for j in range(len(ties.body)):
        f = take3(y, 0, 3 * j)
        for w in range(ties.ends[j, 0], ties.ends[j, 1]):
            i = ties.rows[w, _JOINT]
            first = _MOMENTS if i >= 0 else _TURNS
            x, v, z = take3(bears, w, first), take3(bears, w, first + 4), take3(bears, w, first + 8)
            done = (dot(x, f), dot(v, f), dot(z, f))
            if i >= 0:
                add3(data, i >> 3, col.SPRING + (i & 7), done)
            else:
                keep3(loose.trial, -1 - i, CORRECTION, add(take3(loose.trial, -1 - i, CORRECTION), done))


@inlined
def keep_gains(ties, share, more):
    """Keep this share of what ties were to give already, and one of what they give now."""
    for j in range(len(ties.body)):
        store3(ties.gains, j, add(scale(share, load3(ties.gains, j)), scale(more, take3(ties.other, 0, 3 * j))))


@inlined
def _torque_at(data, loose, joint):
    """What turns a joint (N m) after the bias pass; of a loose frame the acceleration (m/s2) that it makes."""
    if joint >= 0:
        return get3(data, joint >> 3, col.SPRING + (joint & 7))
    return take3(loose.trial, -1 - joint, CORRECTION)
