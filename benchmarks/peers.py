# SPDX-License-Identifier: GPL-3.0-or-later
"""The same plants here and in MuJoCo, DART and Pinocchio, measured in turns in one process on one core.

The peers are installed with the tests' oracles; DART (`dartpy`) exists for Linux only; elsewhere its
columns are empty.
"""

import ctypes
import importlib.util
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks import pinocchio_aba
from benchmarks.machine import markdown
from solver import Model, Sample, Settings, discretize
from tests.oracles.models import beam
from tests.oracles.motions import OurPlant, kick, root_mean_square, standing_tree, straight
from tests.oracles.mujoco_model import MujocoPlant

if importlib.util.find_spec("dartpy"):
    from tests.oracles.dart_model import DartPlant
else:
    DartPlant = None

#: Internodes per branch and branch orders of the standing trees, and Young's modulus (Pa).
TREES = {45: (3, 4, 1e8), 155: (5, 5, 1e8), 504: (8, 6, 5e9), 1524: (12, 7, 5e9)}
DAMPING_TIME = 0.002
STEP = 1.0 / 240.0
#: Time per step here over MuJoCo's, DART's and time per body with drag over Pinocchio's: what is asked for.
MUJOCO_TARGET = {45: 1 / 6, 155: 1 / 15, 504: 1 / 50, 1524: 1 / 150}
DART_TARGET, ABA_TARGET = 1 / 6, 1 / 2
AIR = Sample(wind=(3.0, 0.0, 0.0))
#: rad/s in all joints. With 1 rad/s DART's step is no longer finite for 504 bodies.
GENTLE = 0.1
#: rad/s, of a plant that hardly moves: one solve a step.
STILL = 1e-3
#: rad/s, for the comparison of accuracy.
VIOLENT = 1.0
#: Tip error at which times are compared.
ACCURACY = 0.01


def dart(model: Model, step: float) -> Any:
    """A DART plant. While it grows, its skeleton reallocates dense matrices for every body, which takes glibc minutes
    unless it keeps the memory: M_MMAP_MAX (-4) is 65536 by default, M_TRIM_THRESHOLD is -1."""
    libc = ctypes.CDLL(None)
    libc.mallopt(-4, 0)
    libc.mallopt(-1, 2**31 - 1)
    try:
        return DartPlant(model.bodies, step)
    finally:
        libc.mallopt(-4, 65536)


def tree(bodies: int) -> Model:
    internodes, orders, young = TREES[bodies]
    return standing_tree(internodes, orders, young, DAMPING_TIME)


class Measured(NamedTuple):
    """What is done before each measurement, and what is timed."""

    prepare: Callable[[], None]
    run: Callable[[], None]


def in_turns(runs: dict[str, Measured], rounds: int) -> dict[str, float]:
    """Shortest seconds of each, run one after the other, round by round, so that all see the same machine."""
    best = dict.fromkeys(runs, np.inf)
    for _ in range(rounds + 1):  # the first is for the caches
        for name, measured in runs.items():
            measured.prepare()
            begin = time.perf_counter()
            measured.run()
            best[name] = min(best[name], time.perf_counter() - begin)
    return best


def kicked(plant: Any, model: Model, steps: int, speed: float) -> Measured:
    """A run of so many steps after the same kick."""
    return Measured(lambda: plant.put(straight(model), kick(model, speed)), lambda: plant.run(steps))


def step_table(quick: bool) -> str:
    """Microseconds per step at h = 1/240."""
    rows = []
    for bodies in TREES:
        model = tree(bodies)
        ours, windy = OurPlant(model, STEP), OurPlant(model, STEP, sample=AIR)
        plants = {"ours": ours, "windy": windy, "MuJoCo": MujocoPlant(model.bodies, STEP)}
        if DartPlant and not (quick and bodies > 1000):
            plants["DART"] = dart(model, STEP)
        steps = dict.fromkeys(plants, 240)
        steps["MuJoCo"] = 240 if bodies < 300 else (40 if bodies < 1000 else 5)
        runs = {name: kicked(plant, model, steps[name], GENTLE) for name, plant in plants.items()}
        seconds = in_turns(runs, 3 if quick else 15)
        each = {name: seconds[name] / steps[name] * 1e6 for name in plants}
        rows.append(
            [
                str(bodies), f"{each['ours']:.1f}", f"{ours.report.solves / 240:.2f}", f"{each['windy']:.1f}",
                f"{each['windy'] * 240 / windy.report.solves / bodies * 1e3:.0f}", f"{each['MuJoCo']:.0f}",
                _ratio(each["ours"] / each["MuJoCo"], MUJOCO_TARGET[bodies]),
                *(
                    [f"{each['DART']:.0f}", _ratio(each["ours"] / each["DART"], DART_TARGET)]
                    if "DART" in each
                    else ["not measured", ""]
                ),
            ]
        )  # fmt: skip
    return markdown(
        "Time per step beside MuJoCo and DART",
        [
            "bodies", "here (us)", "solves per step", "here in wind (us)", "ns per body per solve in wind",
            "MuJoCo `discrete` (us)", "here/MuJoCo", "DART (us)", "here/DART",
        ],
        rows,
        f"Standing trees (E I / (W H^2) = 1/4), as drawn and kicked with {GENTLE} rad/s in all joints. Steps of 1/240"
        f" s, all three implicit in joint stiffness and damping (beta = {DAMPING_TIME} s). Shortest of several runs of"
        " a second (MuJoCo's large plants: of fewer steps), measured in turns; contacts and sleeping are switched off"
        " in both peers. In brackets what is asked for.",
    )  # fmt: skip


def _ratio(found: float, target: float) -> str:
    return f"1/{1 / found:.1f} (1/{1 / target:.0f}{'' if found <= target else ', short'})"


def aba_table(quick: bool) -> str:
    """Nanoseconds per body of Pinocchio's forward dynamics alone and of a whole step here with drag."""
    plants = {f"tree, {bodies}": tree(bodies) for bodies in TREES}
    plants["cantilever, 500"] = discretize(beam(500, damping_time=DAMPING_TIME), "double_root")
    built = pinocchio_aba.program()
    rows = []
    for name, model in plants.items():
        n = model.body_count
        steps = max(10, 20000 // n)
        calm, windy = OurPlant(model, STEP), OurPlant(model, STEP, sample=AIR)
        runs = {"calm": kicked(calm, model, steps, STILL), "windy": kicked(windy, model, steps, STILL)}
        here = dict.fromkeys(runs, np.inf)
        aba = np.inf
        for _ in range(3 if quick else 10):
            seconds = in_turns(runs, 2)
            here = {key: min(here[key], seconds[key]) for key in runs}
            if built:
                aba = min(aba, pinocchio_aba.seconds_of_a_call(built, model.bodies, steps, 3))
        each = {key: here[key] / plant.report.solves / n * 1e9 for key, plant in (("calm", calm), ("windy", windy))}
        theirs = aba / n * 1e9
        rows.append(
            [
                name, f"{each['calm']:.0f}", f"{each['windy']:.0f}",
                *([f"{theirs:.0f}", _ratio(each["windy"] / theirs, ABA_TARGET)] if built else ["not built", ""]),
            ]
        )  # fmt: skip
    return markdown(
        "Time per body beside Pinocchio's C++ `aba`",
        ["plant, bodies", "here (ns)", "here in wind (ns)", "Pinocchio `aba` alone (ns)", "here in wind/Pinocchio"],
        rows,
        "Here: per body and solve, everything a step does included. Pinocchio: forward dynamics of the same bodies on"
        " spherical joints, without springs, wind or integration, in a C++ program of its own (g++ -O3; -march=native"
        " is no faster). Shortest of several runs, in turns. In brackets what is asked for.",
    )  # fmt: skip


def accuracy_table(quick: bool) -> str:
    """Seconds of computing until the tip's path over 5 s of a kicked tree is right to a per cent."""
    rows = []
    for bodies in (45,) if quick else (45, 155):
        model = tree(bodies)
        exact, _ = _path(OurPlant(model, 1 / 15360), model)
        travel = root_mean_square(exact - exact.mean(axis=0))
        solvers = {
            "here": lambda h, model=model: OurPlant(model, h),
            "here, backward Euler": lambda h, model=model: OurPlant(model, h, scheme="backward_euler"),
            "MuJoCo `discrete`": lambda h, model=model: MujocoPlant(model.bodies, h),
        }
        if DartPlant:
            solvers["DART"] = lambda h, model=model: dart(model, h)
        needed = {name: _time_to_accuracy(make, model, exact, travel, quick) for name, make in solvers.items()}
        for name, (seconds, step) in needed.items():
            rows.append([str(bodies), name, step, f"{seconds:.3f}", f"{seconds / needed['here'][0]:.1f}"])
        path, seconds = _path(OurPlant(model, STEP, halvings=Settings().halvings), model)
        error = 100 * root_mean_square(path - exact) / travel
        rows.append(
            [str(bodies), "here, default settings", f"1/240 and shorter: {error:.2f} % off", f"{seconds:.3f}",
             f"{seconds / needed['here'][0]:.1f}"]
        )  # fmt: skip
    return markdown(
        "Time to the same accuracy",
        ["bodies", "solver", "step needed (s)", "computing (s)", "times here"],
        rows,
        f"Root mean square error of the tip over 5 s of {100 * ACCURACY:.0f} % of its root mean square distance from"
        " its mean place; the standing trees above, kicked, 24 frames a second. Exact: here with steps of 1/15360 s,"
        " to which MuJoCo's fourth-order integrator and DART extrapolated to h = 0 agree (see the tests). Step and time"
        " are interpolated between steps that halve." + ("" if DartPlant else " DART is not installed."),
    )  # fmt: skip


def _path(plant: Any, model: Model, frames=120) -> tuple[np.ndarray, float]:
    """(frames, 3) of the tip at 24 frames a second, and the seconds it took."""
    plant.put(straight(model), kick(model, VIOLENT))
    per_frame = round(1 / 24 / plant.step)
    path = []
    begin = time.perf_counter()
    for _ in range(frames):
        plant.run(per_frame)
        path.append(plant.tip() if isinstance(plant, OurPlant) else plant.point(int(model.upper[-1]), model.tail[-1]))
    return np.array(path), time.perf_counter() - begin


def _time_to_accuracy(
    make: Callable[[float], Any], model: Model, exact: np.ndarray, travel: float, quick: bool
) -> tuple[float, str]:
    """Seconds and step at which the error passes below ACCURACY, by halving steps; logarithms interpolated."""
    before: tuple[float, float, float] | None = None
    k = 48
    while True:
        seconds, error = np.inf, 0.0
        for _ in range(1 if quick else 3):
            path, took = _path(make(1 / k), model)
            seconds, error = min(seconds, took), root_mean_square(path - exact) / travel
        if error <= ACCURACY or k > 12288 or (quick and seconds > 3.0):
            break
        before = (error, seconds, k)
        k *= 2
    if error > ACCURACY:
        return seconds, f"1/{k}, still {100 * error:.1f} % off"
    if before is None:
        return seconds, f"1/{k} or longer"
    share = np.log(before[0] / ACCURACY) / np.log(before[0] / error)
    return float(before[1] * (seconds / before[1]) ** share), f"1/{before[2] * (k / before[2]) ** share:.0f}"
