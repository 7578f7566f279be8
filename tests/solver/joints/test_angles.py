# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels' own trigonometry against the C library's and, in more digits, against SymPy's."""

import math

import numpy as np
import pytest
from sympy import N, cos, sin

from solver.machine.jit import kernel
from solver.math.angles import FARTHEST, sin_cos, turn_per_sine
from solver.math.memory import load4, store3, store4
from solver.math.quaternions import quat_exp, quat_log


@kernel
def _sin_cos(angles, result):
    for i in range(len(angles)):
        result[i, 0], result[i, 1] = sin_cos(angles[i])


@kernel
def _there_and_back(turns, result):
    for i in range(len(turns)):
        q = quat_exp((turns[i, 0], turns[i, 1], turns[i, 2]))
        store4(result, i, (q[0], q[1], q[2], q[3]))
        store3(turns, i, quat_log(load4(result, i)))


@kernel
def _turn_per_sine(w, s2, result):
    for i in range(len(w)):
        result[i] = turn_per_sine(w[i], s2[i])


def sines(angles):
    result = np.empty((len(angles), 2))
    _sin_cos(angles, result)
    return result


def test_sine_and_cosine_are_exact_to_rounding():
    rng = np.random.default_rng(1)
    angles = np.concatenate([rng.uniform(-8.0, 8.0, 4000), 10.0 ** rng.uniform(-18, 8, 4000), [0.0, -0.0]])
    found = sines(angles)
    assert np.abs(found[:, 0] - [math.sin(a) for a in angles]).max() < 2.3e-16
    assert np.abs(found[:, 1] - [math.cos(a) for a in angles]).max() < 2.3e-16


@pytest.mark.parametrize("quarters", [1, 2, 3, 355, 11_000, 636_619, 63_661_977])
def test_near_multiples_of_a_quarter_turn_the_small_one_keeps_its_digits(quarters):
    angle = quarters * math.pi / 2.0
    found = sines(np.array([angle]))[0]
    exact = float(N(sin(angle), 30)), float(N(cos(angle), 30))
    small = quarters % 2
    assert found[small] == pytest.approx(exact[small], rel=1e-9, abs=1e-20)
    assert found[1 - small] == exact[1 - small]


def test_angles_that_mean_nothing_give_no_number():
    assert np.isnan(sines(np.array([2.0 * FARTHEST, math.inf, -math.inf, math.nan]))).all()


def test_turns_of_quaternions_come_back():
    rng = np.random.default_rng(2)
    axis = rng.normal(size=(3000, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    angle = np.concatenate([rng.uniform(0.0, math.pi - 1e-9, 1500), 10.0 ** rng.uniform(-12, 0.4, 1500)])
    turns = axis * angle[:, None]
    back, q = turns.copy(), np.empty((3000, 4))
    _there_and_back(back, q)
    assert np.abs(np.linalg.norm(q, axis=1) - 1.0).max() < 1e-15
    # near half a turn the scalar part has lost the digits that tell how near
    assert (np.abs(back - turns).max(axis=1) / angle).max() < 2e-15


def test_turn_per_sine_is_that_of_the_arc_tangent():
    half = np.linspace(0.0, 0.5 * math.pi, 2001)[1:]
    result = np.empty(len(half))
    _turn_per_sine(np.cos(half), np.sin(half) ** 2, result)
    assert np.abs(result * np.sin(half) - 2.0 * half).max() < 1.5e-15
