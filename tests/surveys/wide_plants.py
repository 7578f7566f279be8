# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants over eighteen orders of stiffness, settled and played for a second, as they are and disturbed by rounding.

    python -m tests.surveys.wide_plants 10000                      this many, each also disturbed by 1e-15
    python -m tests.surveys.wide_plants 10000 --write v3.json      and keep what became of each,
    python -m tests.surveys.wide_plants --compare v2.json v3.json  to compare compilations bit by bit
    python -m tests.surveys.wide_plants 10000 --reordered          and with the rods numbered in another order, too
    python -m tests.surveys.wide_plants --only 1234                one again

PLANT_DYNAMICS_KERNELS chooses the compilation. Every case is made from its number alone. A plant that settles must do
so whatever the last digit is and in whatever order children are summed up, with a residual below 1e-8 or an equilibrium
that says that it is none; what is settled must stay where it is while nothing changes, which the moving form of the
laws says independently of the still one, or say that it was slowed down or stopped (but for flutter in wind, which
settling does not look for); and what is stopped must be stopped either way.
"""

import argparse
import hashlib
import json
import time
from collections import Counter
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np

from solver import LIMITED, STOPPED, Rods, Sample, Simulation, SolverError, discretize
from solver.math.rotations import exponential, multiply, rotate
from tests.oracles.models import ALONG_Z

SEED = 20261122
DISTURBANCE = 1e-15
FRAMES = 24
#: A start below this residual is settled.
SETTLED = 1e-8
#: Of its size in a frame: what moves farther is not rigid.
MOVES = 1e-6
#: Frames in which nothing changes, and what a settled plant may go in them, of its size.
STILL_FRAMES, STILL = 4, 1e-6


@dataclass(frozen=True)
class Outcome:
    """What became of a plant. refused: the error's words, or empty; residual, stable, fell, balanced: of the start;
    strayed: farthest way of a tip from the start while nothing changes, without wind, and troubled: whether it was
    slowed down or stopped then; stopped: frames that were while something did, and moved: farthest way in one of them,
    ways over the plant's size; bits: a hash of all poses."""

    refused: str = ""
    residual: float = 0.0
    stable: bool = True
    fell: bool = False
    balanced: bool = True
    stopped: int = 0
    strayed: float = 0.0
    troubled: bool = False
    moved: float = 0.0
    bits: str = ""


def another_order(case: int, parent: np.ndarray) -> np.ndarray:
    """The rods in an order of chance, parents before children."""
    rng, order, ready = np.random.default_rng([SEED, case, 5]), [], [0]
    while ready:
        order.append(ready.pop(int(rng.integers(len(ready)))))
        ready += [int(child) for child in np.flatnonzero(parent == order[-1])]
    return np.array(order)


def reordered(rods: Rods, order: np.ndarray) -> Rods:
    """The same plant, its rods numbered in this order."""
    place = np.argsort(order)
    columns = {field.name: rods.array(field.name)[order] for field in fields(rods) if field.init}
    columns["parent"] = np.where(columns["parent"] < 0, -1, place[columns["parent"].astype(np.int64)])
    return Rods(**columns)


def wide_rods(case: int, disturbance: float = 0.0) -> Rods:
    """A chain, bush or tree of 1 to 40 rods with EI/L from 1e-9 to 1e9 N m, rods from a millimetre to a kilometre,
    slender or stout, in every fourth case over twelve orders of length and radius, whichever they are; all its numbers
    changed by a random share up to the disturbance."""
    rng, noise = np.random.default_rng([SEED, case]), np.random.default_rng([SEED, case, 1])

    def touched(values):
        return values * (1.0 + disturbance * noise.uniform(-1.0, 1.0, np.shape(values)))

    n = int(rng.integers(1, 41))
    reach = int(rng.choice([1, 2, 5, 40]))
    parent = np.array([-1, *(int(rng.integers(max(0, i - reach), i)) for i in range(1, n))])
    size = 10.0 ** rng.uniform(-3.0, 3.0)
    length = touched(size * rng.uniform(0.3, 1.0, n))
    slenderness = 10.0 ** rng.uniform(-4.0, 0.0)
    radius = np.maximum(slenderness * length * rng.uniform(0.5, 1.0, n), 1e-6)
    if case % 4 == 0:
        wide = np.random.default_rng([SEED, case, 4])
        length *= 10.0 ** wide.uniform(-6.0, 6.0) / size
        radius = 10.0 ** wide.uniform(-6.0, 6.0) * wide.uniform(0.5, 1.0, n)
    radius = touched(radius)
    bending = 10.0 ** rng.uniform(-9.0, 9.0) * 10.0 ** rng.uniform(-0.5, 0.5, n)
    young = touched(bending * length / (0.25 * np.pi * radius**4))
    spread = rng.choice([0.0, 0.1, 0.6])
    head, frame = np.zeros((n, 3)), np.zeros((n, 4))
    for i in range(n):
        turn = exponential(spread * rng.normal(size=3))
        k = parent[i]
        frame[i] = multiply(frame[k] if k >= 0 else ALONG_Z, turn)
        if k >= 0:
            head[i] = head[k] + rotate(frame[k], np.array([0.0, length[k], 0.0]))
    return Rods(
        parent=parent, head=touched(head), frame=frame, length=length, radius_base=radius,
        radius_tip=touched(radius * rng.uniform(0.4, 1.0, n)), young=young, poisson=float(rng.uniform(0.0, 0.5)),
        density=touched(10.0 ** rng.uniform(1.5, 3.5) * np.ones(n)), damping_time=float(rng.choice([0.0, 1e-3, 0.05])),
        bend_limit=0.3 if rng.random() < 0.15 else np.inf,
    )  # fmt: skip


def world(case: int, rods: Rods, frame: int, disturbance: float) -> Sample:
    """What stands at a frame: weight, at times wind, a handle, or a base that moves."""
    rng, noise = np.random.default_rng([SEED, case, 2]), np.random.default_rng([SEED, case, 3 + frame])
    touch = 1.0 + disturbance * noise.uniform(-1.0, 1.0)
    size = float(rods.array("length").sum())
    gravity = np.array([0.0, 0.0, -9.81]) if rng.random() < 0.9 else np.zeros(3)
    wind = rng.choice([0.0, 1.0, 10.0]) * rng.normal(size=3) if rng.random() < 0.4 else None
    travel = rng.choice([0.0, 0.01, 0.1]) * min(size, 10.0)
    given = {"gravity": gravity * touch, "base_position": (travel * touch * np.sin(2.0 * frame / FRAMES), 0.0, 0.0)}
    if wind is not None:
        given["wind"] = wind * touch
    if rng.random() < 0.2:  # a handle that is soft or far stiffer than anything
        rod = int(rng.integers(len(rods)))
        stiffness = 10.0 ** rng.uniform(-2.0, 12.0)
        target = rods.array("head")[rod] + 0.1 * rods.array("length")[rod] * rng.normal(size=3)
        given |= {"pull_rod": [rod], "pull_along": [0.0], "pull_target": [target * touch]}
        given |= {"pull_stiffness": [stiffness], "pull_damping": [0.0]}
    return Sample(**given)


def run(case: int, disturbance: float = 0.0, *, in_another_order: bool = False) -> Outcome:
    """Settle a plant and play a second of it."""
    bits = hashlib.sha256()
    try:
        rods = wide_rods(case, disturbance)
        order = another_order(case, rods.parent_index) if in_another_order else np.arange(len(rods))
        place = np.argsort(order)
        plant = Simulation(discretize(reordered(rods, order)))

        def at(frame: int) -> Sample:
            given = world(case, rods, frame, disturbance)
            return replace(given, pull_rod=place[np.asarray(given.pull_rod, dtype=np.int64)])

        found = plant.start(at(0), "settled")
        assert found is not None
    except SolverError as error:
        return Outcome(refused=error.message)
    stopped, strayed, troubled, moved = 0, 0.0, False, 0.0
    size = float(np.ptp(np.vstack([plant.rod_heads(), plant.rod_tails()]), axis=0).max())
    start = plant.rod_tails()[place]
    for _ in range(STILL_FRAMES):
        troubled |= plant.advance(at(0), 1.0 / 24.0).status >= LIMITED
        if at(0).wind is None:
            strayed = max(strayed, float(np.abs(plant.rod_tails()[place] - start).max()))
    tails = plant.rod_tails()[place]
    bits.update(tails.tobytes())
    for frame in range(1, FRAMES + 1):
        stopped += plant.advance(at(frame), 1.0 / 24.0).status == STOPPED
        now = plant.rod_tails()[place]
        moved = max(moved, float(np.abs(now - tails).max()))
        tails = now
        bits.update(tails.tobytes())
    if not np.isfinite(tails).all():
        raise AssertionError(f"case {case}: a pose is not finite")
    return Outcome(
        "", found.residual, found.stable, found.fell, found.balanced, stopped, strayed / size, troubled,
        moved / size, bits.hexdigest()[:16],
    )  # fmt: skip


def problem_of(case: int, one: Outcome, other: Outcome) -> str:
    """What is wrong with a case and its disturbed twin, or nothing."""
    for found in (one, other):
        if not found.refused and found.balanced and not found.residual < SETTLED:
            return f"balanced with a residual of {found.residual:.1e}"
        if found.stable and found.strayed > STILL and not found.troubled:
            return f"settled, but strays by {found.strayed:.1e} of its size"
    if bool(one.refused) != bool(other.refused):
        return f"refused once only: {one.refused or other.refused}"
    if one.balanced != other.balanced:
        return f"settles once only: residuals {one.residual:.1e} and {other.residual:.1e}"
    if (one.stopped > 0) != (other.stopped > 0):
        return f"stopped once only: {one.stopped} and {other.stopped} frames"
    less, more = sorted((one.moved, other.moved))
    if less < MOVES and more > 10.0 * MOVES:
        return f"moves once only: {one.moved:.1e} and {other.moved:.1e}"
    return ""


def compare(first: Path, second: Path) -> list[str]:
    """Cases of two files that do not have equal bits."""
    one, other = (json.loads(file.read_text(encoding="utf-8")) for file in (first, second))
    return sorted((case for case in one.keys() | other.keys() if one.get(case) != other.get(case)), key=int)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many plants")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--only", type=int, help="number of the only one")
    parser.add_argument("--write", type=Path, help="a file for what became of each")
    parser.add_argument("--plain", action="store_true", help="without the disturbed twins")
    parser.add_argument("--reordered", action="store_true", help="also with the rods in another order")
    parser.add_argument("--compare", type=Path, nargs=2, metavar="FILE", help="two such files, instead of running")
    arguments = parser.parse_args()
    if arguments.compare:
        different = compare(*arguments.compare)
        print(f"{len(different)} cases differ {different[:20]}")
        raise SystemExit(1 if different else 0)
    first, count = (arguments.first, arguments.count) if arguments.only is None else (arguments.only, 1)
    outcomes, problems, totals, begin = {}, 0, Counter(), time.perf_counter()
    slowest = (0.0, -1)
    for case in range(first, first + count):
        started = time.perf_counter()
        outcome = outcomes[case] = run(case)
        totals["refused" if outcome.refused else "settled" if outcome.balanced else "said not to be settled"] += 1
        totals["stopped"] += outcome.stopped > 0
        totals["fell"] += outcome.fell
        totals["not stable"] += not outcome.stable
        totals["moves"] += outcome.moved > MOVES
        if arguments.only is not None:
            print(outcome)
        if not arguments.plain:
            twin = run(case, DISTURBANCE)
            if arguments.only is not None:
                print(twin)
            if problem := problem_of(case, outcome, twin):
                problems += 1
                print(f"case {case}: {problem}", flush=True)
        if arguments.reordered and (problem := problem_of(case, outcome, run(case, in_another_order=True))):
            problems += 1
            print(f"case {case}, in another order: {problem}", flush=True)
        slowest = max(slowest, (time.perf_counter() - started, case))
    if arguments.write:
        text = json.dumps({str(case): asdict(outcome) for case, outcome in outcomes.items()})
        arguments.write.write_text(text, encoding="utf-8")
    print(f"{count} plants in {time.perf_counter() - begin:.0f} s, slowest {slowest[0]:.1f} s (case {slowest[1]})")
    print(", ".join(f"{number} {what}" for what, number in totals.items()))
    compared = ["disturbed twins"] * (not arguments.plain) + ["rods in another order"] * arguments.reordered
    print(f"{problems} problems, compared with {' and '.join(compared) or 'nothing'}")
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
