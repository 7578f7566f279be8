# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that are simulated before the first one, for who wants a plant that has already been moving."""

from dataclasses import replace

from ....solver import Report, Sample, Simulation
from ...giving_up import unless_given_up


def run_up(simulation: Simulation, sample: Sample, frames: int, duration: float) -> Report:
    """Let so many frames of so many seconds go by in the first frame's world, which is held.

    The time is then as before, that of the first frame. Returns the worst status, with its rod, the sums of all
    counts, and whether any frame was crowded.
    """
    held = replace(sample, time=simulation.time if sample.time is None else sample.time)
    begun = simulation.time
    reports = []
    for _ in range(frames):
        unless_given_up()
        reports.append(simulation.advance(held, duration))
    simulation.time = begun
    worst = max(reports, key=lambda one: one.status)
    sums = {name: sum(getattr(one, name) for one in reports) for name in ("steps", "rejected", "solves")}
    return worst._replace(**sums, crowded=any(one.crowded for one in reports))
