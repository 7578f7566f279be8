# SPDX-License-Identifier: GPL-3.0-or-later
"""3x3 matrices as tuples of 9 scalars, row by row, for use inside kernels."""

from ..machine.jit import inlined


@inlined
def hat(a):
    """The matrix of v -> a x v."""
    return (0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0)


@inlined
def hat_hat(a, b):
    """The matrix of v -> a x (b x v) = b (a v) - (a b) v."""
    d = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return (
        b[0] * a[0] - d, b[0] * a[1], b[0] * a[2],
        b[1] * a[0], b[1] * a[1] - d, b[1] * a[2],
        b[2] * a[0], b[2] * a[1], b[2] * a[2] - d,
    )  # fmt: skip


@inlined
def outer(a, b):
    """The matrix of v -> a (b v)."""
    return (
        a[0] * b[0], a[0] * b[1], a[0] * b[2],
        a[1] * b[0], a[1] * b[1], a[1] * b[2],
        a[2] * b[0], a[2] * b[1], a[2] * b[2],
    )  # fmt: skip


@inlined
def mat_add(a, b):
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2],
        a[3] + b[3], a[4] + b[4], a[5] + b[5],
        a[6] + b[6], a[7] + b[7], a[8] + b[8],
    )  # fmt: skip


@inlined
def mat_sub(a, b):
    return (
        a[0] - b[0], a[1] - b[1], a[2] - b[2],
        a[3] - b[3], a[4] - b[4], a[5] - b[5],
        a[6] - b[6], a[7] - b[7], a[8] - b[8],
    )  # fmt: skip


@inlined
def mat_scale(s, a):
    return (s * a[0], s * a[1], s * a[2], s * a[3], s * a[4], s * a[5], s * a[6], s * a[7], s * a[8])


@inlined
def mat_transpose(a):
    return (a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8])


@inlined
def mat_symmetric(a):
    """Half of the matrix and its transpose."""
    xy, xz, yz = 0.5 * (a[1] + a[3]), 0.5 * (a[2] + a[6]), 0.5 * (a[5] + a[7])
    return (a[0], xy, xz, xy, a[4], yz, xz, yz, a[8])


@inlined
def mat_of_sym(s):
    """The nine numbers of a symmetric matrix given by six."""
    return (s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5])


@inlined
def mat_inverse(a):
    """Inverse by cofactors; not finite where there is none."""
    c0 = a[4] * a[8] - a[5] * a[7]
    c1 = a[5] * a[6] - a[3] * a[8]
    c2 = a[3] * a[7] - a[4] * a[6]
    d = 1.0 / (a[0] * c0 + a[1] * c1 + a[2] * c2)
    return (
        d * c0, d * (a[2] * a[7] - a[1] * a[8]), d * (a[1] * a[5] - a[2] * a[4]),
        d * c1, d * (a[0] * a[8] - a[2] * a[6]), d * (a[2] * a[3] - a[0] * a[5]),
        d * c2, d * (a[1] * a[6] - a[0] * a[7]), d * (a[0] * a[4] - a[1] * a[3]),
    )  # fmt: skip


@inlined
def not_positive(a):
    """How many eigenvalues of the symmetric part are not positive: as often as the leading minors change their sign
    (Jacobi)."""
    s = mat_symmetric(a)
    two = s[0] * s[4] - s[1] * s[1]
    three = s[0] * (s[4] * s[8] - s[5] * s[5]) - s[1] * (s[1] * s[8] - s[5] * s[2]) + s[2] * (s[1] * s[5] - s[4] * s[2])
    first, second, third = s[0] > 0.0, two > 0.0, three > 0.0
    return (0 if first else 1) + (1 if first != second else 0) + (1 if second != third else 0)


@inlined
def mat_vec(m, a):
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )


@inlined
def mat_t_vec(m, a):
    """Transpose of m times a."""
    return (
        m[0] * a[0] + m[3] * a[1] + m[6] * a[2],
        m[1] * a[0] + m[4] * a[1] + m[7] * a[2],
        m[2] * a[0] + m[5] * a[1] + m[8] * a[2],
    )


@inlined
def mat_mul(a, b):
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )
