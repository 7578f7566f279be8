# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors, matrices, rotations and angles, in kernels and for arrays."""
