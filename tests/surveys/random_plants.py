# SPDX-License-Identifier: GPL-3.0-or-later
"""Random plants in random worlds with random settings, over all a user can type into the panels.

    python -m tests.surveys.random_plants 10000        this many, from the first
    python -m tests.surveys.random_plants --only 1234  one again

Every case is made from its number alone, so that a failure is found again.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from solver import (
    COARSE,
    LAYOUTS,
    LIMITED,
    OK,
    SCHEMES,
    STOPPED,
    Rods,
    Sample,
    Settings,
    Simulation,
    SolverError,
    discretize,
)  # fmt: skip
from solver.math.rotations import exponential, multiply, rotate
from tests.oracles.models import ALONG_Z, random_quaternions

SEED = 20240611
FRAMES = 12
MODES = ("settled", "keep_shape", "drawn")
STATUSES = {OK: "ok", COARSE: "coarse", LIMITED: "limited", STOPPED: "stopped"}
#: Steps of a whole case are kept below this by choosing its longest step, so that 10 000 cases take minutes.
MOST_STEPS = 100


class Dice:
    """A generator of numbers that are usual but for a share of them, which is another one for every case."""

    def __init__(self, case: int):
        self.rng = np.random.default_rng([SEED, case])
        self.wild = self.pick([0.0, 0.05, 0.15, 0.5])

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def pick(self, options):
        return options[int(self.rng.integers(len(options)))]

    def decades(self, low: float, high: float, size=None):
        """Evenly distributed logarithm."""
        return 10.0 ** self.rng.uniform(np.log10(low), np.log10(high), size)

    def value(self, usual: tuple[float, float], whole: tuple[float, float], size=None):
        """Usual and alike, or anywhere in the whole range, now and then exactly at one of its ends."""
        if not self.chance(self.wild):
            return self.decades(*usual) * (1.0 if size is None else self.decades(0.8, 1.25, size))
        if self.chance(0.8):
            return self.decades(*whole, size)
        return self.pick(whole) * (1.0 if size is None else np.ones(size))

    def or_zero(self, share: float, value):
        return np.zeros_like(value) if self.chance(share) else value

    def direction(self) -> np.ndarray:
        v = self.rng.normal(size=3)
        return v / np.linalg.norm(v)


@dataclass
class Outcome:
    """What became of a case: refusals and statuses by their words; problem: what must not be, or empty."""

    notes: list[str]
    problem: str = ""


def random_plant(dice: Dice) -> Rods:
    """1 to 60 rods; chains, bushes and forests, in parts pinned, with bodies of their own or blades."""
    rng, n = dice.rng, int(dice.rng.integers(1, 61))
    reach = dice.pick([1, 2, 5, 60])
    parent = np.array([-1] + [int(rng.integers(max(0, i - reach), i)) for i in range(1, n)])
    parent[rng.random(n) < dice.pick([0.0, 0.0, 0.1])] = -1
    size = dice.value((0.1, 10.0), (1e-3, 1e3))
    length = size * dice.value((0.02, 0.1), (0.001, 0.2), n)
    depth = np.zeros(n)
    frame, head = np.zeros((n, 4)), np.zeros((n, 3))
    spread = dice.pick([0.0, 0.1, 0.6, 3.0])
    for i in range(n):
        turn = exponential(spread * rng.normal(size=3))
        if parent[i] < 0:
            frame[i] = multiply(random_quaternions(rng, 1)[0] if dice.chance(0.3) else ALONG_Z, turn)
        else:
            k = parent[i]
            depth[i] = depth[k] + 1
            frame[i] = multiply(frame[k], turn)
            head[i] = head[k] + rotate(frame[k], np.array([0.0, length[k], 0.0]))
            if dice.chance(0.05):  # a bone that is not connected
                head[i] += 0.1 * size * rng.normal(size=3)
    taper = np.maximum(dice.pick([0.9, 0.97, 1.0]) ** depth, 0.05)
    radius = np.maximum(length.max() * taper * dice.value((0.03, 0.3), (1e-3, 1.0), n), 1e-5)
    columns = _materials(dice, n) | _air_and_limits(dice, length)
    if dice.chance(0.15):
        columns |= _explicit_bodies(dice, n, length)
    return Rods(
        parent=parent, head=head, frame=frame, length=length, radius_base=radius,
        radius_tip=np.maximum(radius * rng.uniform(0.3, 1.0, n), 1e-5), **columns,
    )  # fmt: skip


def _materials(dice: Dice, n: int) -> dict[str, np.ndarray]:
    damping_factor = dice.or_zero(0.1, dice.value((0.1, 10.0), (1e-4, 1e4)))
    return {
        "young": 1e6 * dice.value((1.0, 15000.0), (1e-4, 1e6), n),
        "poisson": dice.rng.uniform(-0.9, 0.5, n),
        "density": dice.value((100.0, 1500.0), (1.0, 20000.0), n),
        "damping_time": damping_factor * dice.or_zero(0.2, dice.value((1e-3, 1.0), (1e-6, 100.0), n)),
        "joint_damping": damping_factor * dice.or_zero(0.5, dice.value((1e-6, 0.1), (1e-12, 1e6), n)),
        "stiffness_factor": dice.value((0.1, 10.0), (1e-4, 1e4), n),
        "pinned": dice.rng.random(n) < dice.pick([0.0, 0.0, 0.1, 0.5]),
    }


def _air_and_limits(dice: Dice, length: np.ndarray) -> dict[str, np.ndarray]:
    n = len(length)
    limit = np.full(n, np.inf)
    return {
        "hollow": dice.or_zero(0.5, dice.rng.uniform(0.0, 0.99, n)),
        "drag_across": dice.or_zero(0.1, dice.value((0.1, 3.0), (1e-3, 1e3), n)),
        "drag_along": dice.or_zero(0.1, dice.value((0.01, 0.1), (1e-4, 1e2), n)),
        "blade_area": dice.or_zero(0.5, length**2 * dice.value((0.1, 1.0), (1e-3, 1e2), n)),
        "bend_limit": dice.or_zero(0.1, dice.decades(1e-3, 3.0, n)) if dice.chance(0.3) else limit,
        "twist_limit": dice.or_zero(0.1, dice.decades(1e-3, 3.0, n)) if dice.chance(0.3) else limit,
    }


def _explicit_bodies(dice: Dice, n: int, length: np.ndarray) -> dict[str, np.ndarray]:
    """Bodies as typed by hand, of which some are impossible and must be refused."""
    own = dice.rng.random(n) < 0.5
    mass = np.where(own, dice.value((1e-3, 1.0), (1e-12, 1e3), n), np.nan)
    com = np.where(own[:, None], length[:, None] * dice.rng.normal(size=(n, 3)) * 0.3, np.nan)
    slack = 1.0 + dice.decades(1e-3, 10.0, (n, 3)) if dice.chance(0.8) else dice.decades(1e-9, 1.0, (n, 3))
    inertia = mass[:, None] * ((com**2).sum(axis=1)[:, None] + length[:, None] ** 2 / 12.0) * slack
    stiffness = np.where(own[:, None], dice.or_zero(0.1, dice.value((0.01, 10.0), (1e-6, 1e6), (n, 3))), np.nan)
    return {"mass": mass, "com": com, "inertia": inertia, "stiffness": stiffness}


def random_settings(dice: Dice, duration: float) -> Settings:
    step = float(dice.value((1.0 / 480.0, 1.0 / 24.0), (1e-5, 0.1)))
    return Settings(
        max_step=max(step, FRAMES * duration / MOST_STEPS), scheme=dice.pick(SCHEMES), halvings=dice.pick([2, 8, 8]),
        tolerance=float(dice.value((1e-5, 1e-3), (1e-9, 1.0))), settle_iterations=300, threads=1,
    )  # fmt: skip


def random_worlds(dice: Dice, rods: Rods, duration: float) -> Iterator[Sample]:
    """The world at the start and after each frame: base motion, keyed values, loads that come and go."""
    rng, n = dice.rng, len(rods)
    size, span = float(rods.array("length").max()), float(np.abs(rods.array("head")).max() + rods.array("length").max())
    volume = np.pi * rods.array("radius_base") ** 2 * rods.array("length")
    weights = 9.81 * rods.array("density") * volume
    weight = float(weights.mean())
    wild = dice.chance(dice.wild)
    gravity = 9.81 * (float(rng.uniform(-100.0, 100.0)) if wild else dice.pick([0.0, 1.0, 1.0, -1.0]))
    tilt = dice.direction() if dice.chance(0.2) else np.array([0.0, 0.0, -1.0])
    travel = dice.or_zero(0.3, dice.value((1e-3 * span, 0.3 * span), (1e-6, 1e4)))
    speed = dice.pick([0.0, 0.01, 0.1]) if not dice.chance(dice.wild) else dice.pick([1.0, 3.0])
    axis, along = dice.direction(), dice.direction()
    shake = dice.chance(0.5 * dice.wild)  # from place to place at random, frame by frame
    scale = dice.or_zero(0.3 * dice.wild, dice.value((0.5, 2.0), (1e-4, 1e4)))
    keyed = dice.chance(0.3)
    # Usual forces and torques are shares of the rod's own weight, others alike for all rods.
    spread = weights if not dice.chance(dice.wild) else dice.decades(1e-9, 1e9)
    push, turning = (dice.or_zero(0.5, spread * dice.decades(1e-2, 1.0)) * np.ones(n) for _ in range(2))
    twist = dice.or_zero(0.7, spread * size * dice.decades(1e-2, 1.0)) * np.ones(n)
    pulls = int(dice.pick([0, 0, 1, 3]))
    grip = dice.value((weight / span, 100.0 * weight / span), (1e-3, 1e12), pulls)
    far = span * dice.value((0.1, 1.0), (1e-3, 100.0))
    pulled, at = rng.integers(0, n, pulls), rng.random(pulls)
    air = _random_air(dice, n)
    place, turn = np.zeros(3), 0.0
    for frame in range(FRAMES + 1):
        wave = np.sin(0.8 * frame)
        place = travel * rng.normal(size=3) if shake else travel * wave * along
        turn += speed
        gone = dice.chance(0.1)  # a load's influence is keyed to nothing, a handle is removed
        held = slice(0, 0) if gone else slice(0, pulls)
        yield Sample(
            base_position=place, base_orientation=exponential(turn * axis), gravity=gravity * tilt,
            stiffness_scale=scale * (abs(wave) if keyed else 1.0),
            force=None if gone else push[:, None] * rng.normal(size=(n, 3)),
            torque=turning[:, None] * size * rng.normal(size=(n, 3)),
            twist=twist * rng.normal(size=n), pull_rod=pulled[held], pull_along=at[held],
            pull_target=place + rods.array("head")[pulled[held]] + far * rng.normal(size=(pulls, 3))[held],
            pull_stiffness=grip[held], pull_damping=0.1 * grip[held],
            **air(),
        )  # fmt: skip


def _random_air(dice: Dice, n: int) -> Callable[[], dict]:
    """No air, still air, wind everywhere, at every rod or as a field, in air or in water; gusts from frame to frame."""
    kind = dice.pick(["none", "still", "uniform", "rods", "field"])
    wind = dice.value((0.1, 30.0), (1e-3, 60.0)) * dice.direction()
    medium = {"air_density": dice.pick([1.2, 1.2, 0.0, 1000.0]), "buoyancy": dice.chance(0.2)}
    wave = dice.decades(0.1, 10.0)

    def air() -> dict:
        gust = wind * (1.0 + 0.5 * dice.rng.normal())
        fields = {
            "none": None, "still": np.zeros(3), "uniform": gust,
            "rods": gust + 0.3 * np.linalg.norm(wind) * dice.rng.normal(size=(n, 3)),
            "field": lambda points, seconds: gust * np.sin(wave * points[:, :1] + seconds),
        }  # fmt: skip
        return {"wind": fields[kind]} | medium

    return air


def run_case(case: int) -> Outcome:
    """Grow, start and advance one plant."""
    dice = Dice(case)
    outcome = Outcome([])
    duration = float(dice.pick([1.0 / 24.0, 1.0 / 24.0, 1.0 / 25.0, 1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0, 1.0]))
    mode, layout = dice.pick(MODES), dice.pick(LAYOUTS)
    try:
        rods = random_plant(dice)
        segments = int(dice.pick([1, 1, 2, 4])) if len(rods) <= 15 else 1
        plant = Simulation(discretize(rods, layout, segments), random_settings(dice, duration))
        worlds = random_worlds(dice, rods, duration)
        first = next(worlds)
        initial = dice.rng.normal(size=(plant.model.body_count, 3)) if dice.chance(0.1) else None
        _start(plant, first, mode, initial, outcome)
        for frame, world in enumerate(worlds):
            status = plant.advance(world, duration).status
            if status not in STATUSES:
                outcome.problem = f"frame {frame} has the status {status}"
                return outcome
            outcome.notes.append(STATUSES[status])
            outcome.problem = improper(plant, f"frame {frame}, {outcome.notes[-1]}")
            if outcome.problem:
                return outcome
    except SolverError as error:
        outcome.notes.append(f"refused: {error.message}")
    return outcome


def _start(plant: Simulation, world: Sample, mode: str, initial, outcome: Outcome) -> None:
    try:
        plant.start(world, mode, initial)
    except SolverError as error:
        outcome.notes.append(f"{mode} start refused: {error.message}")
        plant.start(world, "drawn", initial)
    outcome.problem = improper(plant, f"{mode} start")


def improper(plant: Simulation, where: str) -> str:
    """What is wrong with the present pose, in words, or nothing."""
    state = plant.state
    for name, array in (
        *state._asdict().items(), ("heads", plant.rod_heads()), ("tails", plant.rod_tails()),
        ("orientations", plant.rod_orientations()),
    ):  # fmt: skip
        if not np.isfinite(array).all():
            return f"{where}: {name} are not finite"
    if np.abs(np.linalg.norm(plant.rod_orientations(), axis=1) - 1.0).max() > 1e-9:
        return f"{where}: an orientation is not a unit quaternion"
    return ""


def survey(run: Callable[[int], Outcome], told: str) -> None:
    """Run the cases that the command line asks for, and print what became of them and every problem."""
    parser = argparse.ArgumentParser(description=told.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many plants")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--only", type=int, help="number of the only one")
    arguments = parser.parse_args()
    cases = (
        [arguments.only] if arguments.only is not None else range(arguments.first, arguments.first + arguments.count)
    )
    totals: Counter[str] = Counter()
    problems, slowest = [], (0.0, -1)
    begin = time.perf_counter()
    for case in cases:
        started = time.perf_counter()
        try:
            outcome = run(case)
        except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as error:  # a finding; the rest runs
            outcome = Outcome([], f"{type(error).__name__}: {error}")
        totals.update(outcome.notes)
        slowest = max(slowest, (time.perf_counter() - started, case))
        if outcome.problem:
            problems.append((case, outcome.problem))
            print(f"case {case}: {outcome.problem}", flush=True)
    print(f"{len(cases)} plants in {time.perf_counter() - begin:.0f} s, slowest {slowest[0]:.1f} s (case {slowest[1]})")
    for note, count in totals.most_common():
        print(f"{count:8d}  {note}")
    print(f"{len(problems)} problems")
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    survey(run_case, __doc__)
