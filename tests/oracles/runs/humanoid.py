# SPDX-License-Identifier: GPL-3.0-or-later
"""A figure of 16 ball-jointed bodies as Kavafoglu (2018) has one, 52 kg and 1.6 m, his cylinders, motions of trees.

The pelvis hangs on the base by a joint of its own.
"""

import numpy as np

from solver import Rods
from solver.math.rotations import exponential, from_matrices

from ..models import ALONG_Z, beam

MASS, HEIGHT = 52.0, 1.6

#: Name, parent's name, where it begins (m; x to the left, y to the front, z up from the hips) and ends, radius (m).
_LIMBS = (
    ("pelvis", "", (0.0, 0.0, 0.0), (0.0, 0.0, 0.14), 0.11),
    ("waist", "pelvis", (0.0, 0.0, 0.14), (0.0, 0.0, 0.28), 0.11),
    ("chest", "waist", (0.0, 0.0, 0.28), (0.0, 0.0, 0.50), 0.12),
    ("head", "chest", (0.0, 0.0, 0.50), (0.0, 0.0, 0.80), 0.07),
    *(
        (side + name, side + parent if parent[0] == "_" else parent, (x * w, 0.0, z), (x * w2, 0.0, z2), radius)
        for side, x in (("left", 1.0), ("right", -1.0))
        for name, parent, w, z, w2, z2, radius in (
            ("_arm", "chest", 0.17, 0.47, 0.42, 0.47, 0.045),
            ("_forearm", "_arm", 0.42, 0.47, 0.65, 0.47, 0.037),
            ("_hand", "_forearm", 0.65, 0.47, 0.80, 0.47, 0.03),
            ("_thigh", "pelvis", 0.10, 0.0, 0.10, -0.38, 0.075),
            ("_shin", "_thigh", 0.10, -0.38, 0.10, -0.74, 0.05),
            ("_foot", "_shin", 0.10, -0.74, 0.10, -0.80, 0.04),
        )
    ),
)
NAMES = tuple(limb[0] for limb in _LIMBS)


def humanoid(**columns) -> Rods:
    """Its rods in NAMES' order, on a base at the hips."""
    parent = [NAMES.index(limb[1]) if limb[1] else -1 for limb in _LIMBS]
    head, tail = (np.array([limb[k] for limb in _LIMBS]) for k in (2, 3))
    radius, length = np.array([limb[4] for limb in _LIMBS]), np.linalg.norm(tail - head, axis=1)
    along = (tail - head) / length[:, None]
    side = np.where(np.abs(along[:, :1]) > 0.9, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    frame = from_matrices(np.stack([np.cross(along, side), along, side], axis=-1))
    given = {"young": 1e6, "density": MASS / float(np.pi * radius**2 @ length), "damping_time": 0.05} | columns
    return Rods(
        parent=parent, head=head, frame=frame, length=length, radius_base=radius, radius_tip=radius, **given
    )  # fmt: skip


def two_cylinders() -> Rods:
    """His two of 30 cm, 7 cm wide and 1.54 kg, one on the other."""
    radius, length = 0.035, 0.3
    return beam(2, 2.0 * length, radius, 1e6, 1.54 / (np.pi * radius**2 * length), frame=ALONG_Z)


class Swinging:
    """Every joint swings about an axis of its own, by up to an angle (rad), at most so often in a second, from rest."""

    def __init__(self, rods: int, angle: float, frequency: float, seed: int = 1):
        rng = np.random.default_rng(seed)
        axis = rng.normal(size=(rods, 3))
        self._swing = angle * axis / np.linalg.norm(axis, axis=1)[:, None]
        self._frequency, self._phase = frequency * rng.uniform(0.5, 1.0, rods), rng.uniform(0.0, 2.0 * np.pi, rods)

    def vectors(self, time: float) -> np.ndarray:
        """(m, 3) rotation vectors at a time (s)."""
        begins = 1.0 - np.exp(-((3.0 * time) ** 3))
        return self._swing * (begins * np.sin(2.0 * np.pi * self._frequency * time + self._phase))[:, None]

    def pose(self, time: float) -> np.ndarray:
        """(m, 4) quaternions of rods at a time (s)."""
        return exponential(self.vectors(time))
