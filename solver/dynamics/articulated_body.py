# SPDX-License-Identifier: GPL-3.0-or-later
"""The passes along the tree of the articulated-body algorithm.

Featherstone, Rigid Body Dynamics Algorithms, 2008, table 7.1 and eq. 7.37 to 7.47, in world axes about each body's
inboard joint, so that spatial transforms are pure shifts. The inertias' pass is apart from that of the forces, because
inertias change slowly enough to serve for several solves.
"""

from ..data import columns as col
from ..data.implicit import stretched
from ..data.lanes import LANES, add3, add6, add9, get3, get6, get9, put3, put6, put9
from ..joints.loose import CORRECTION, YIELDS
from ..machine.jit import inlined
from ..math.matrices import mat_of_sym, mat_t_vec, mat_vec
from ..math.memory import keep3, take3
from ..math.symmetric import sym_add, sym_inverse, sym_mat, sym_vec
from ..math.vectors import ZERO, add, cross, scale, sub


@inlined
def begin_sums(data):
    """Let X_T have minus the forces on the bodies, for factorise."""
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, col.X_T + lane, get3(data, b, col.PA_T + lane))


@inlined
def factorise(data, parent, loose, c2):
    """Articulated inertias, tips to base (Featherstone eq. 7.37 to 7.44 without the bias), and D^-1 of every joint.

    D = IA_rr + E, E = c1 B + c2 K, and U = [IA_rr; IA_rt^T]; what the parent feels is Ia = IA - U D^-1 U^T, of which
    IA_rr - IA_rr D^-1 IA_rr = E D^-1 IA_rr, and IA_rt alike: as differences they lose digits where a joint gives way,
    as many as inertias differ about its axes; as products where it holds much more about one axis than another. Both
    passes must take the same, or forces do not balance. Ia is shifted to the parent's joint: I -> X^T I X with
    x_t = xp_t + xp_r x r. What stretches the arm between the two adds its geometric stiffness, c2 times, to the
    parent's inertia: c2 is what a turn gains from an acceleration. X_T has the forces, see begin_sums, and becomes
    their sums.
    The frame of a loose body has no mass, so that of the body's Ia is left what it sets against a shift.
    """
    for i in range(len(parent) - 1, -1, -1):
        b, lane = i >> 3, i & 7
        IA_rr = get6(data, b, col.IA_RR + lane)
        E = get6(data, b, col.IMPLICIT + lane)
        Dinv = sym_inverse(sym_add(IA_rr, E))
        put6(data, b, col.D_INVERSE + lane, Dinv)
        k = parent[i]
        if k == -1:
            continue
        IA_rt, IA_tt = get9(data, b, col.IA_RT + lane), get6(data, b, col.IA_TT + lane)
        if k < 0:
            yields = sym_inverse(reduced_tt(IA_tt, IA_rt, sym_mat(Dinv, IA_rt)))
            for c in range(6):
                loose.trial[-2 - k, YIELDS + c] = yields[c]
            continue
        whole_rr, DU_t = mat_of_sym(IA_rr), sym_mat(Dinv, IA_rt)
        if _gives_way(E, IA_rr):
            Ia_rr, Ia_rt = _upper(sym_mat(E, sym_mat(Dinv, whole_rr))), sym_mat(E, DU_t)
        else:
            Ia_rr, Ia_rt = _upper(_reduced(IA_rr, whole_rr, sym_mat(Dinv, whole_rr))), _reduced(IA_rr, IA_rt, DU_t)
        Ia_tt = reduced_tt(IA_tt, IA_rt, DU_t)
        r = get3(data, b, col.ARM + lane)
        shifted_rt = _shift_rt(Ia_rt, Ia_tt, r)
        bp, lp = k >> 3, k & 7
        carried = get3(data, b, col.X_T + lane)
        add3(data, bp, col.X_T + lp, carried)
        add6(data, bp, col.IA_RR + lp, stretched(r, scale(-c2, carried)))
        add6(data, bp, col.IA_RR + lp, _shift_rr(Ia_rr, Ia_rt, shifted_rt, r))
        add9(data, bp, col.IA_RT + lp, shifted_rt)
        add6(data, bp, col.IA_TT + lp, Ia_tt)
    _what_joints_give(data)


@inlined
def _what_joints_give(data):
    """Fill GIVES_R and GIVES_T: D^-1 U^T, what a parent's acceleration takes from the joint's, about its own joint."""
    for b in range(len(data)):
        for lane in range(LANES):
            IA_rr, E = get6(data, b, col.IA_RR + lane), get6(data, b, col.IMPLICIT + lane)
            Dinv = get6(data, b, col.D_INVERSE + lane)
            m = sym_mat(Dinv, get9(data, b, col.IA_RT + lane))
            t = _identity_less(sym_mat(Dinv, mat_of_sym(E)))
            if not _gives_way(E, IA_rr):
                t = sym_mat(Dinv, mat_of_sym(IA_rr))
            x, y, z = get3(data, b, col.ARM + lane)
            put9(data, b, col.GIVES_T + lane, m)
            put9(
                data, b, col.GIVES_R + lane,
                (
                    t[0] - m[1] * z + m[2] * y, t[1] + m[0] * z - m[2] * x, t[2] - m[0] * y + m[1] * x,
                    t[3] - m[4] * z + m[5] * y, t[4] + m[3] * z - m[5] * x, t[5] - m[3] * y + m[4] * x,
                    t[6] - m[7] * z + m[8] * y, t[7] + m[6] * z - m[8] * x, t[8] - m[6] * y + m[7] * x,
                ),
            )  # fmt: skip


@inlined
def bias_pass(data, parent, loose):
    """Bias forces, tips to base; leaves the joints' applied minus bias moment in SPRING.

    The parent feels pa = pA + U D^-1 torque, shifted to its joint.
    """
    for i in range(len(parent) - 1, -1, -1):
        bias_over(data, parent, loose, i)


@inlined
def bias_over(data, parent, loose, i):
    """What the parent of body i feels."""
    b, lane, k = i >> 3, i & 7, parent[i]
    pA_r, pA_t = get3(data, b, col.PA_R + lane), get3(data, b, col.PA_T + lane)
    torque = sub(get3(data, b, col.SPRING + lane), pA_r)
    put3(data, b, col.SPRING + lane, torque)
    if k >= 0:
        bp, lp = k >> 3, k & 7
        shifted = add(pA_r, cross(get3(data, b, col.ARM + lane), pA_t))
        add3(data, bp, col.PA_R + lp, add(shifted, mat_t_vec(get9(data, b, col.GIVES_R + lane), torque)))
        add3(data, bp, col.PA_T + lp, add(pA_t, mat_t_vec(get9(data, b, col.GIVES_T + lane), torque)))
    elif k < -1:
        pa_t = add(pA_t, mat_t_vec(get9(data, b, col.GIVES_T + lane), torque))
        keep3(loose.trial, -2 - k, CORRECTION, sym_vec(yields_of(loose, -2 - k), scale(-1.0, pa_t)))


@inlined
def yields_of(loose, f):
    """What the body on frame f gives way by, per force."""
    t = loose.trial
    return (t[f, YIELDS], t[f, YIELDS + 1], t[f, YIELDS + 2], t[f, YIELDS + 3], t[f, YIELDS + 4], t[f, YIELDS + 5])


@inlined
def _upper(m):
    """The six numbers of a matrix that is symmetric."""
    return (m[0], m[1], m[2], m[4], m[5], m[8])


@inlined
def _gives_way(E, IA_rr):
    """Whether a joint holds less against turning than the inertia of what it carries does."""
    return E[0] + E[3] + E[5] < IA_rr[0] + IA_rr[3] + IA_rr[5]


@inlined
def _identity_less(m):
    return (1.0 - m[0], -m[1], -m[2], -m[3], 1.0 - m[4], -m[5], -m[6], -m[7], 1.0 - m[8])


@inlined
def _reduced(IA_rr, t, m):
    """t - IA_rr m: the block t of the inertia less IA_rr D^-1 t, with m = D^-1 t."""
    a, b, c, d, e, f = IA_rr
    return (
        t[0] - a * m[0] - b * m[3] - c * m[6],
        t[1] - a * m[1] - b * m[4] - c * m[7],
        t[2] - a * m[2] - b * m[5] - c * m[8],
        t[3] - b * m[0] - d * m[3] - e * m[6],
        t[4] - b * m[1] - d * m[4] - e * m[7],
        t[5] - b * m[2] - d * m[5] - e * m[8],
        t[6] - c * m[0] - e * m[3] - f * m[6],
        t[7] - c * m[1] - e * m[4] - f * m[7],
        t[8] - c * m[2] - e * m[5] - f * m[8],
    )


@inlined
def reduced_tt(IA_tt, IA_rt, DU_t):
    """IA_tt - IA_rt^T D^-1 IA_rt."""
    m = IA_rt
    return (
        IA_tt[0] - m[0] * DU_t[0] - m[3] * DU_t[3] - m[6] * DU_t[6],
        IA_tt[1] - m[0] * DU_t[1] - m[3] * DU_t[4] - m[6] * DU_t[7],
        IA_tt[2] - m[0] * DU_t[2] - m[3] * DU_t[5] - m[6] * DU_t[8],
        IA_tt[3] - m[1] * DU_t[1] - m[4] * DU_t[4] - m[7] * DU_t[7],
        IA_tt[4] - m[1] * DU_t[2] - m[4] * DU_t[5] - m[7] * DU_t[8],
        IA_tt[5] - m[2] * DU_t[2] - m[5] * DU_t[5] - m[8] * DU_t[8],
    )


@inlined
def _shift_rt(rt, tt, r):
    """rt + [r] tt: moment about the parent's joint per translation."""
    x, y, z = r
    return (
        rt[0] - z * tt[1] + y * tt[2], rt[1] - z * tt[3] + y * tt[4], rt[2] - z * tt[4] + y * tt[5],
        rt[3] + z * tt[0] - x * tt[2], rt[4] + z * tt[1] - x * tt[4], rt[5] + z * tt[2] - x * tt[5],
        rt[6] - y * tt[0] + x * tt[1], rt[7] - y * tt[1] + x * tt[3], rt[8] - y * tt[2] + x * tt[4],
    )  # fmt: skip


@inlined
def _shift_rr(rr, rt, shifted_rt, r):
    """rr + [r] rt^T - shifted_rt [r], symmetric."""
    x, y, z = r
    s = shifted_rt
    return (
        rr[0] - z * rt[1] + y * rt[2] - s[1] * z + s[2] * y,
        rr[1] - z * rt[4] + y * rt[5] - s[2] * x + s[0] * z,
        rr[2] - z * rt[7] + y * rt[8] - s[0] * y + s[1] * x,
        rr[3] + z * rt[3] - x * rt[5] - s[5] * x + s[3] * z,
        rr[4] + z * rt[6] - x * rt[8] - s[3] * y + s[4] * x,
        rr[5] - y * rt[6] + x * rt[7] - s[6] * y + s[7] * x,
    )


@inlined
def acceleration_pass(data, parent, loose):
    """Corrections of the joint accelerations in world axes, base to tips (Featherstone eq. 7.45 to 7.47)."""
    for i in range(len(parent)):
        accelerate(data, parent, loose, i)


@inlined
def accelerate(data, parent, loose, i):
    """Corrections of body i, whose parent has its own."""
    b, lane, k = i >> 3, i & 7, parent[i]
    A = sym_vec(get6(data, b, col.D_INVERSE + lane), get3(data, b, col.SPRING + lane))
    x_r, x_t = A, ZERO
    if k >= 0:
        bp, lp = k >> 3, k & 7
        xp_r, xp_t = get3(data, bp, col.X_R + lp), get3(data, bp, col.X_T + lp)
        A = sub(
            sub(A, mat_vec(get9(data, b, col.GIVES_T + lane), xp_t)), mat_vec(get9(data, b, col.GIVES_R + lane), xp_r)
        )
        x_r = add(xp_r, A)
        x_t = add(xp_t, cross(xp_r, get3(data, b, col.ARM + lane)))
    elif k < -1:
        x_t = take3(loose.trial, -2 - k, CORRECTION)
        A = sub(A, mat_vec(get9(data, b, col.GIVES_T + lane), x_t))
        x_r = A
    put3(data, b, col.X_R + lane, x_r)
    put3(data, b, col.X_T + lane, x_t)
    put3(data, b, col.CORRECTION + lane, A)
