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
from ..math.matrices import mat_t_vec
from ..math.memory import keep3, load3, store3, take3
from ..math.symmetric import sym_vec
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .articulated_body import yields_of

_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

#: Of what forces of ties do to each other, 1/g is at least this share, so that those that want what cannot be give way;
#: so many times more where that does not do.
_LEAST_GIVEN, _MORE = 1e-12, 1e3

#: Columns of a way's rows: tie, joint, row before; moments, and turns by them.
_TIE, _JOINT, _BEFORE = 0, 1, 2
_TURNS = 9


@subroutine
def know_ways(data, parent, loose, ties):
    """Find out what the forces of ties do along the tree, of which the factors are known."""
    ties.used[0] = 0
    ties.factored[0] = -1.0
    for i in range(len(ties.last)):
        ties.last[i] = -1
    m = 3 * len(ties.body)
    for i in range(m):
        for j in range(m):
            ties.whole[i, j] = 0.0
    for j in range(len(ties.body)):
        if ties.resists[j] > 0.0:
            _know_ways_of(data, parent, loose, ties, j)


@inlined
def _know_ways_of(data, parent, loose, ties, j):
    """Bear forces along the three axes on the first body of tie j, and against them on the other, to the base."""
    borne = ties.borne
    for end in range(2):
        for c in range(3):
            force = scale(1.0 if end == 0 else -1.0, _AXES[c])
            keep3(borne, 3 * end + c, 0, cross(take3(ties.arms, j, 3 * end), force))
            keep3(borne, 3 * end + c, 3, force)
    one, other = ties.body[j, 0], ties.body[j, 1]
    while one >= 0 or other >= 0:
        if one == other:
            for c in range(3):
                for d in range(6):
                    borne[c, d] += borne[3 + c, d]
            other = -1
        elif one > other:
            one = _bear(data, parent, loose, ties, j, one, 0)
        else:
            other = _bear(data, parent, loose, ties, j, other, 3)


@inlined
def _bear(data, parent, loose, ties, j, i, first):
    """Bear the three forces of an end of tie j over the joint of body i; returns the body where they are then."""
    b, lane = i >> 3, i & 7
    D_inverse = get6(data, b, col.D_INVERSE + lane)
    gives_r, gives_t = get9(data, b, col.GIVES_R + lane), get9(data, b, col.GIVES_T + lane)
    r, k, borne = get3(data, b, col.ARM + lane), parent[i], ties.borne
    moments = take3(borne, first, 0), take3(borne, first + 1, 0), take3(borne, first + 2, 0)
    _add_row(ties, j, i, i, moments, D_inverse)
    for c in range(first, first + 3):
        moment, force = take3(borne, c, 0), take3(borne, c, 3)
        carried = add(moment, cross(r, force))
        keep3(borne, c, 0, sub(carried, mat_t_vec(gives_r, moment)))
        keep3(borne, c, 3, sub(force, mat_t_vec(gives_t, moment)))
    if k < -1:
        forces = take3(borne, first, 3), take3(borne, first + 1, 3), take3(borne, first + 2, 3)
        f = -2 - k
        _add_row(ties, j, -1 - f, len(parent) + f, forces, yields_of(loose, f))
    return k if k >= 0 else -1


@inlined
def _add_row(ties, j, joint, place, moments, D_inverse):
    """Add what the forces of tie j do at a joint, and add that to what they do to all ties that it is on the way of."""
    w, whole, bears = ties.used[0], ties.whole, ties.bears
    ties.rows[w, _TIE], ties.rows[w, _JOINT], ties.rows[w, _BEFORE] = j, joint, ties.last[place]
    for c in range(3):
        keep3(bears, w, 3 * c, moments[c])
        keep3(bears, w, _TURNS + 3 * c, sym_vec(D_inverse, moments[c]))
    ties.last[place] = w
    ties.used[0] = w + 1
    other = w
    while other >= 0:
        i = ties.rows[other, _TIE]
        for c in range(3):
            for d in range(3):
                whole[3 * i + c, 3 * j + d] += dot(take3(bears, other, 3 * c), take3(bears, w, _TURNS + 3 * d))
        other = ties.rows[other, _BEFORE]


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
            for j in range(i, m):
                ties.factor[i, j] = ties.whole[i, j]
            resists = ties.resists[i // 3]
            ties.factor[i, i] += max(1.0 / resists if resists > 0.0 else 1.0, least * ties.whole[i, i])
        known = factorise_upper(ties.factor, m)
        least *= _MORE


@subroutine
def close_loops(data, loose, ties, share):
    """Add to the joints' torques, after the bias pass, what ties give besides what they held with. share: of what they
    want, 1 or, where only what resists is asked for, 0."""
    y = ties.other
    for j in range(len(ties.body)):
        keep3(y, 0, 3 * j, scale(share, load3(ties.wants, j)) if ties.resists[j] > 0.0 else ZERO)
    for w in range(ties.used[0]):
        j, u = ties.rows[w, _TIE], _torque_at(data, loose, ties.rows[w, _JOINT])
        for c in range(3):
            y[0, 3 * j + c] -= dot(take3(ties.bears, w, (_TURNS if ties.rows[w, _JOINT] >= 0 else 0) + 3 * c), u)
    substitute(ties.factor, y, 0, 3 * len(ties.body))
    for w in range(ties.used[0]):
        f, i = take3(y, 0, 3 * ties.rows[w, _TIE]), ties.rows[w, _JOINT]
        first = 0 if i >= 0 else _TURNS
        done = scale(f[0], take3(ties.bears, w, first))
        done = add(done, scale(f[1], take3(ties.bears, w, first + 3)))
        done = add(done, scale(f[2], take3(ties.bears, w, first + 6)))
        if i >= 0:
            add3(data, i >> 3, col.SPRING + (i & 7), done)
        else:
            keep3(loose.trial, -1 - i, CORRECTION, add(take3(loose.trial, -1 - i, CORRECTION), done))


@inlined
def keep_gains(ties, share):
    """Keep what ties give, and with it this share of what they were to give already."""
    for j in range(len(ties.body)):
        store3(ties.gains, j, add(scale(share, load3(ties.gains, j)), take3(ties.other, 0, 3 * j)))


@inlined
def _torque_at(data, loose, joint):
    """What turns a joint (N m) after the bias pass; of a loose frame the acceleration (m/s2) that it makes."""
    if joint >= 0:
        return get3(data, joint >> 3, col.SPRING + (joint & 7))
    return take3(loose.trial, -1 - joint, CORRECTION)
