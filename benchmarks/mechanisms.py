# SPDX-License-Identifier: GPL-3.0-or-later
"""Mechanisms: the figures of Guenter & Lee 2009 at the frame rate, and what both dynamics cost.

    python benchmarks/run.py --only mechanisms
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.machine import markdown
from benchmarks.shown import Shown, percent
from solver.mechanisms import Run
from tests.oracles.jointed import figures
from tests.oracles.jointed.costs import FORWARD, INVERSE, MASS_AND_BIAS, MATRIX, operations, revolute_arm, ring_chain

FRAME = 1.0 / 30.0

#: Additions and multiplications that the paper prints for six revolute joints (table 1).
THEIRS = {
    "inverse dynamics": {"theirs, best": (328, 365), "theirs, worst": (509, 971), "Balafoutis & Patel": (386, 450)},
    "forward dynamics": {"theirs, best": (818, 943), "theirs, worst": (1875, 2389), "Balafoutis & Patel": (790, 956)},
}  # fmt: skip


def off_wire(system, q) -> float:
    """m from the bead to the nearest point of the wire, found anew."""
    curve, place, s = figures.roller_coaster(), system.placed(q)[0, :3, 3], float(q[0])
    for _ in range(5):
        f = curve.derivatives(curve.within(s)[0])
        s -= (f[0] - place) @ f[1] / (f[1] @ f[1] + (f[0] - place) @ f[2])
    return float(np.linalg.norm(curve.derivatives(curve.within(s)[0])[0] - place))


def off_tubes(system, q) -> float:
    """m between the points at which neighbours touch, each on its own ring in the world."""
    W = system.placed(q)
    W[0, :3, 3] -= W[0, :3, 1] * figures.RING
    gaps = []
    for i in range(1, len(W)):
        u1, v1, v2, u2 = q[4 * i - 2 : 4 * i + 2]
        ends = [A @ [*_on_ring(u, v), 1.0] for A, u, v in ((W[i - 1], u1, v1), (W[i], u2, v2))]
        gaps.append(np.linalg.norm(ends[0] - ends[1]))
    return float(max(gaps))


def _on_ring(u: float, v: float) -> tuple[float, float, float]:
    out = figures.RING + figures.TUBE * np.cos(v)
    return out * np.cos(u), out * np.sin(u), figures.TUBE * np.sin(v)


def off_crossings(system, q) -> float:
    """m between the middles of bars that cross."""
    W, middle = system.placed(q), np.array([0.0, 0.0, -figures.HALF, 1.0])
    left, right = W[1 : figures.CROSSES], W[figures.CROSSES + 2 :]
    return float(np.linalg.norm((left - right) @ middle, axis=1).max())


def off_bowl(system, q) -> float:
    """m between the touching points of bowl and ball in the world."""
    bowl, ball = figures.bowl_and_ball()
    below = figures.BOWL @ [*bowl.partials(*q[:2])[0, 0], 1.0]
    above = system.system.placed(q)[0] @ [*ball.partials(*q[3:])[0, 0], 1.0]
    return float(np.linalg.norm(below - above))


def off_cup(system, q) -> float:
    """m from the wheels' centres to where their rims touch cup and wheel."""
    W = system.placed(q)[:, :3, 3]
    first = abs(np.linalg.norm(W[0]) - (figures.CUP - figures.WHEEL))
    return float(max(first, abs(np.linalg.norm(W[1] - W[0]) - (figures.WHEEL - figures.SMALL))))


GUIDES = (off_wire, off_tubes, off_crossings, off_bowl, off_cup)
OFF: dict[str, Callable] = dict(zip(figures.FIGURES, GUIDES, strict=True))


class Ran(NamedTuple):
    """What a figure did: m off its guide, slip (m/s), share of the largest kinetic energy gained or lost, steps, and s
    of the processor."""

    off: float
    slip: float
    energy: float
    steps: int
    seconds: float


def ran(name: str, seconds: float) -> Ran:
    system, q, u = figures.FIGURES[name]()
    run = Run(system, q, u)
    begin, frames = system.energy(run.q, run.u).total, round(seconds / FRAME)
    off = slip = energy = kinetic = spent = 0.0
    for _ in range(frames):
        clock = time.process_time()
        run.advance(FRAME)
        spent += time.process_time() - clock
        now = system.energy(run.q, run.u)
        energy, kinetic = max(energy, abs(now.total - begin)), max(kinetic, now.kinetic)
        off = max(off, OFF[name](system, run.q))
        if hasattr(system, "violation"):
            slip = max(slip, float(np.abs(system.violation(run.q, run.u)).max()))
    return Ran(off, slip, energy / kinetic, run.steps, spent)


def figures_table(quick: bool) -> str:
    seconds = 2.0 if quick else 30.0
    frames = round(seconds / FRAME)
    shown = Shown(
        "Mechanisms at the frame rate",
        f"The figures of Guenter & Lee 2009 for {seconds:.0f} s in frames of 1/30 s. Off: from its wire, between"
        " touching points of neighbours, between the middles of bars that cross, from the rims that are rolled on."
        " Energy: gained or lost at any frame, of the largest kinetic energy. Coordinates: 2, 14, 3, 5 less 2 that"
        " rolling takes, 2. Milliseconds are the processor's.",
    )
    for name in figures.FIGURES:
        one = ran(name, seconds)
        slip = f", slip {one.slip:.1g} m/s" if one.slip else ""
        cost = f"{one.steps} steps, {1e3 * one.seconds / frames:.0f} ms a frame"
        shown.add(
            name, "off < 1e-6 m, energy < 1 %", f"{one.off:.1g} m{slip}, {percent(one.energy)}; {cost}",
            one.off < 1e-6 and one.slip < 1e-6 and one.energy < 0.01,
        )  # fmt: skip
    return shown.markdown()


def counts_table(quick: bool) -> str:
    rows = []
    for name, chain, numbers in (("revolute joints", revolute_arm, (6, 12, 24)), ("tori", ring_chain, (3, 6, 12))):
        for n in numbers[:2] if quick else numbers:
            system = chain(n)
            costs = [operations(system, what).arithmetic for what in (INVERSE, FORWARD, MASS_AND_BIAS, MATRIX)]
            rows.append([f"{n} {name}", f"{system.rates}", *(f"{cost}" for cost in costs)])
    return markdown(
        "Operations of both dynamics of mechanisms",
        ["chain", "coordinates", "inverse", "forward, articulated bodies", "M and c", "forward by M and c, solved"],
        rows,
        "Additions and multiplications, counted as the recursions run on numbers that count; products with 0 and 1 and"
        " sums with 0 are left out, sines and roots apart. From the fourth body on both recursions are exactly linear"
        " in the number of bodies, M and c exactly quadratic, with the solution exactly cubic (tests say so). A torus"
        " has four coordinates.",
    )


def six_joints_table(quick: bool) -> str:
    arm = revolute_arm(6)
    rows = []
    ours = {
        "inverse dynamics": {"here": INVERSE},
        "forward dynamics": {"here, articulated bodies": FORWARD, "here, by M and c": MATRIX},
    }
    for title, kinds in ours.items():
        counted = {name: operations(arm, what)[:2] for name, what in kinds.items()}
        rows += [[title, name, f"{add}", f"{times}"] for name, (add, times) in (counted | THEIRS[title]).items()]
    return markdown(
        "Operations for six revolute joints", ["what", "by", "±", "×"], rows,
        "Beside table 1 of Guenter & Lee 2009, which does not say how its arm is built. Ours is the general recursion"
        " for any joint, run as it is; the arm's joints are at right angles.",
    )
