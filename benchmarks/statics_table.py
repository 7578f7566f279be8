# SPDX-License-Identifier: GPL-3.0-or-later
"""The frame before the first frame: residuals, and how far plants move afterwards."""

import time

import numpy as np

from benchmarks.shown import Shown
from solver import Sample, Simulation, discretize
from tests.oracles.models import binary_tree
from tests.oracles.runs.fixed_steps import TREES, standing

FRAMES = 100


def table(quick: bool) -> str:
    shown = Shown(
        "Settling and keeping the drawn shape",
        f"Default layout, two bodies a rod. Residual: largest unbalanced joint moment over the loads' largest. Moved:"
        f" farthest node in {FRAMES} frames at 24 a second with constant loads. Collapsing: 4 mm, 100 MPa.",
    )
    sizes = (45, 155) if quick else tuple(TREES)
    for mode in ("settled", "keep_shape"):  # compiles
        Simulation(discretize(binary_tree(2, 2, radius=0.01))).start(Sample(), mode)
    for kind in ("standing", "collapsing"):
        of = f"{kind} trees of {', '.join(map(str, sizes))} rods"
        for damping_time in (0.0, 0.02):
            residuals, moved, seconds = [], [], []
            for rods in sizes:
                plant = Simulation(discretize(tree(kind, rods, damping_time)))
                height = height_of(plant)
                begin = time.perf_counter()
                residuals.append(plant.start(Sample(), "settled").residual)
                seconds.append(time.perf_counter() - begin)
                moved.append(moves(plant) / height)
            if damping_time == 0.0:  # the equilibrium does not depend on it
                shown.add(f"settle, residual, {of}", "< 1e-8", _list(residuals), max(residuals) < 1e-8)
            damped = f"beta = {damping_time:g}, {of}"
            shown.add(f"moved afterwards over the height, {damped}", "< 1e-6", _list(moved), max(moved) < 1e-6)
        shown.add(f"time to settle, {of}", "", ", ".join(f"{t:.2f} s" for t in seconds))
    held = []
    for rods in sizes:
        plant = Simulation(discretize(tree("standing", rods, 0.0)))
        plant.start(Sample())
        drawn = plant.rod_tails()
        plant.start(Sample(), "keep_shape")
        held.append(max(float(np.abs(plant.rod_tails() - drawn).max()), moves(plant)))
    shown.add(
        f"keep drawn shape, farthest node in {FRAMES} frames (m), beta = 0, standing trees of"
        f" {', '.join(map(str, sizes))} rods",
        "< 1e-8", _list(held), max(held) < 1e-8,
    )  # fmt: skip
    return shown.markdown()


def tree(kind: str, rods: int, damping_time: float):
    if kind == "standing":
        return standing(rods, damping_time)
    internodes, orders, _ = TREES[rods]
    return binary_tree(internodes, orders, damping_time=damping_time)


def height_of(plant: Simulation) -> float:
    plant.start(Sample())
    return float(plant.rod_tails()[:, 2].max())


def moves(plant: Simulation) -> float:
    """Farthest that a rod's tip is from where it was, at any of the frames (m)."""
    before, farthest = plant.rod_tails(), 0.0
    for _ in range(FRAMES):
        plant.advance(Sample(), 1 / 24)
        farthest = max(farthest, float(np.linalg.norm(plant.rod_tails() - before, axis=1).max()))
    return farthest


def _list(values: list[float]) -> str:
    return ", ".join(f"{value:.1e}" for value in values)
