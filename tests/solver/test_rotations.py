# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations of arrays, from one way of writing them to another and back."""

import numpy as np
import pytest

from solver import rotations
from tests.oracles.models import random_quaternions

HALF_TURNS = np.concatenate([np.eye(4), np.eye(4)[1:] + np.array([1e-9, 0.0, 0.0, 0.0])])


@pytest.mark.parametrize(
    "q", [random_quaternions(np.random.default_rng(5), 500), HALF_TURNS], ids=["any", "half turns"]
)
def test_quaternions_come_back_from_matrices_and_vectors(q):
    back = rotations.from_matrices(rotations.matrices(q))
    np.testing.assert_allclose(np.abs((back * q).sum(axis=1)), 1.0, atol=1e-14)
    again = rotations.exponential(rotations.logarithm(q))
    np.testing.assert_allclose(np.abs((again * q).sum(axis=1)), 1.0, atol=1e-14)
    np.testing.assert_allclose(rotations.matrices(again), rotations.matrices(q), atol=1e-14)
