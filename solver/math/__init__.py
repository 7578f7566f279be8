# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors, matrices, rotations and angles, in kernels and for arrays.

vectors.py, matrices.py and angles.py are for kernels: of one body, in registers, and rounded alike on all processors.
rotations.py has the rotations that set-up and reading out take of whole arrays, by NumPy.
"""
