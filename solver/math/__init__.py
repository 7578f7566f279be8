# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors, matrices, rotations and angles, in kernels and for arrays.

Most is for kernels: of one body, in registers, and rounded alike on all processors; memory.py reads and writes it.
rotations.py has the rotations that set-up and reading out take of whole arrays, by NumPy.
"""
