# SPDX-License-Identifier: GPL-3.0-or-later
"""Time per body and step, and how much faster than real time whole plants run."""

import time

import numpy as np

from benchmarks.machine import markdown
from solver import Rods, Sample, Simulation, discretize
from tests.solver.models import beam, binary_tree, random_rods

#: Bodies and real-time factor (physics only) of the plants in Garcia's figure 9.18.
GARCIA = {45: 6.48, 51: 5.06, 63: 3.15, 99: 1.03, 150: 0.69}


def per_body_table(quick: bool) -> str:
    plants = {
        "tree, 45": binary_tree(3, 4), "cantilever, 100": beam(100), "tree, 155": binary_tree(5, 5),
        "cantilever, 500": beam(500), "tree, 504": binary_tree(8, 6), "tree, 1524": binary_tree(12, 7),
    }  # fmt: skip
    if not quick:
        plants |= {"tree, 5110": binary_tree(10, 9), "tree, 10230": binary_tree(10, 10)}
    rows = []
    for name, rods in plants.items():
        seconds, steps, solves = sway(rods, 3 if quick else 10)
        nanoseconds = seconds / len(rods) * 1e9
        rows.append([name, f"{nanoseconds / steps:.0f}", f"{nanoseconds / solves:.0f}", f"{solves / steps:.2f}"])
    return markdown(
        "Time per body",
        ["plant, bodies", "ns per body per step", "ns per body per solve", "solves per step"],
        rows,
        "A plant swaying gently on a moving base, steps of 1/240 s, all that `Simulation.advance` does included.",
    )


def sway(rods: Rods, repetitions: int) -> tuple[float, int, int]:
    """Best seconds, steps and solves of a second of gentle motion."""
    plant = Simulation(discretize(rods))
    best = np.inf
    for _ in range(repetitions + 1):  # the first is for the caches
        plant.start(still(0))
        begin, steps, solves = time.perf_counter(), 0, 0
        for frame in range(1, 25):
            report = plant.advance(still(frame), 1 / 24)
            steps, solves = steps + report.steps, solves + report.solves
        best = min(best, time.perf_counter() - begin)
    return best, steps, solves


def still(frame: int) -> Sample:
    """A weightless world whose base moves by a millimetre."""
    return Sample(base_position=(1e-3 * np.sin(0.2 * frame), 0.0, 0.0), gravity=(0.0, 0.0, 0.0))


def real_time_table(quick: bool) -> str:
    rows = []
    for n, garcia in GARCIA.items():
        factor, solves = real_time_factor(n, 2.0 if quick else 10.0)
        rows.append([str(n), f"{garcia:.2f}", f"{factor:.0f}", f"{factor / garcia:.0f}", f"{solves:.2f}"])
    return markdown(
        "Real-time factor",
        ["bodies", "Garcia 2023", "here", "times faster", "solves per step"],
        rows,
        "Seconds of motion per second of computing: random trees pushed 20 cm and stopped, 24 frames a second, steps of"
        " 1/240 s. Garcia's plants and machine are not available; his figures are those he printed (fig. 9.18).",
    )


def real_time_factor(n: int, seconds: float) -> tuple[float, float]:
    rods = random_rods(np.random.default_rng(n), n, young=5e9, damping_time=0.01)
    plant = Simulation(discretize(rods))
    best, steps, solves = np.inf, 0, 0
    for _ in range(4):
        plant.start(Sample(), "settled")
        begin, steps, solves = time.perf_counter(), 0, 0
        for frame in range(1, round(seconds * 24) + 1):
            push = 0.2 * np.sin(0.5 * np.pi * min(frame / 12, 1.0)) ** 2
            report = plant.advance(Sample(base_position=(push, 0.0, 0.0)), 1 / 24)
            steps, solves = steps + report.steps, solves + report.solves
        best = min(best, time.perf_counter() - begin)
    return seconds / best, solves / steps
