# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains of rods to be hung up and tied."""

import math

import numpy as np

from solver import Rods
from solver.math.rotations import exponential, multiply
from tests.oracles.models import ALONG_X, beam


def arch(n: int, length: float, span: float, **columns: float) -> tuple[Rods, np.ndarray]:
    """A rope of n rods that hangs in a bow from the origin to the point at the span along x."""
    piece = length / n
    low, high = 0.0, 2.0 * math.pi / n
    for _ in range(100):
        bend = 0.5 * (low + high)
        angle = bend * (np.arange(n) - 0.5 * (n - 1))
        low, high = (bend, high) if piece * np.cos(angle).sum() > span else (low, bend)
    ends = np.cumsum(piece * np.stack([np.cos(angle), 0.0 * angle, np.sin(angle)], axis=1), axis=0)
    frames = [multiply(exponential(np.array([0.0, -a, 0.0])), ALONG_X) for a in angle]
    given = {"young": 1e3, "density": 900.0, "radius_base": 0.004, "radius_tip": 0.004} | columns
    rods = Rods(
        parent=np.arange(n) - 1, head=np.concatenate([np.zeros((1, 3)), ends[:-1]]), frame=frames, length=piece, **given
    )
    return rods, ends


def bars(theta: np.ndarray, lengths: np.ndarray) -> tuple[Rods, np.ndarray]:
    """Bars of these lengths (m), one after the other from the origin in the plane of x and z, at angles (rad) from x,
    almost without springs; and where their ends are."""
    ends = np.cumsum(lengths[:, None] * np.stack([np.cos(theta), 0.0 * theta, np.sin(theta)], axis=1), axis=0)
    frames = [multiply(exponential(np.array([0.0, -angle, 0.0])), ALONG_X) for angle in theta]
    return Rods(
        parent=np.arange(len(theta)) - 1, head=np.concatenate([np.zeros((1, 3)), ends[:-1]]), frame=frames,
        length=lengths, radius_base=0.002, radius_tip=0.002, young=1e-3, density=1000.0,
    ), ends  # fmt: skip


#: Angles (rad) and lengths (m) of bars that are a four-bar linkage where the last one's end is held.
FOUR_BARS = np.array([0.9, -0.3, -1.4]), np.array([0.2, 0.3, 0.15])


def two_beams(n: int, length: float, radius: tuple[float, float], apart: np.ndarray, **columns) -> Rods:
    """Two level beams of n rods each, side by side on one base, of these radii (m), so far (3,) m apart."""
    head = np.asarray(beam(n, length, radius=radius[0]).head)
    return Rods(
        parent=np.concatenate([np.arange(n) - 1, np.append(-1, np.arange(n - 1) + n)]),
        head=np.concatenate([head, head + apart]), frame=ALONG_X, length=length / n,
        radius_base=np.repeat(radius, n), radius_tip=np.repeat(radius, n), **columns,
    )  # fmt: skip
