# SPDX-License-Identifier: GPL-3.0-or-later
"""A stick of balsa, free or on a hinge, in air and wind, beside closed forms."""

import numpy as np
from scipy.integrate import solve_ivp

from solver import Rods, Sample, Settings, Simulation, discretize
from solver.math.rotations import exponential, multiply, unrotate
from tests.oracles.models import ALONG_X, ALONG_Z, beam

GRAVITY = 9.81
AIR = 1.225
#: A stick of balsa: length and radius in m, density in kg/m3, drag coefficients across and along it.
LENGTH, RADIUS, DENSITY, ACROSS, ALONG = 0.4, 0.004, 150.0, 1.2, 0.02
MASS = DENSITY * np.pi * RADIUS**2 * LENGTH
#: N s2/m2: drag over the square of the speed, across and along.
DRAG = 0.5 * AIR * ACROSS * 2 * RADIUS * LENGTH
DRAG_ALONG = 0.5 * AIR * ALONG * 2 * np.pi * RADIUS * LENGTH
#: m and kg of each of the two arms that carry a free body.
ARM, ARM_MASS = 20.0, 1e-9
NO_GRAVITY = (0.0, 0.0, 0.0)
#: The steps' errors count as shares of the plant's size, which the arms make large.
EXACT = Settings(max_step=1 / 480, tolerance=np.inf, newton_tolerance=1e-10)


def free_body(frame) -> Simulation:
    """A stick with its centre at (ARM, 0, ARM), along the frame's y axis, free to move.

    It hangs on two long arms of no weight and no drag, on hinges without springs: such a pair can carry no force, so
    that near its place nothing but gravity and air acts on the stick. Its halves are welded to each other, and their
    hinge is in the middle. Rods: the arms, the halves.
    """
    halfway = multiply(frame, exponential(np.array([np.pi, 0.0, 0.0])))
    centre = (ARM, 0.0, ARM)
    arm = [ARM_MASS * ARM**2 / 3, ARM_MASS * RADIUS**2, ARM_MASS * ARM**2 / 3]
    free, given = [0.0, 0.0, 0.0], [np.nan] * 3
    return Simulation(discretize(
        Rods(
            parent=[-1, 0, 1, 2], head=[(0.0, 0.0, 0.0), (ARM, 0.0, 0.0), centre, centre],
            frame=[ALONG_X, ALONG_Z, frame, halfway], length=[ARM, ARM, LENGTH / 2, LENGTH / 2],
            radius_base=RADIUS, radius_tip=RADIUS, young=1e9, density=DENSITY, pinned=[0, 0, 0, 1],
            drag_across=[0.0, 0.0, ACROSS, ACROSS], drag_along=[0.0, 0.0, ALONG, ALONG],
            mass=[ARM_MASS, ARM_MASS, np.nan, np.nan], com=[(0.0, ARM / 2, 0.0)] * 2 + [given] * 2,
            inertia=[arm, arm, given, given], stiffness=[free, free, free, given],
        ), "base",
    ), EXACT)  # fmt: skip


def along(velocity: float, frame, plant: Simulation) -> None:
    """Let the stick fly with this velocity (m/s) along world x, not turning: the upper arm turns, the stick back."""
    snapshot = plant.snapshot()
    rate = velocity / ARM  # about world y
    snapshot.state.u[1] = (0.0, 0.0, -rate)  # the arm's frame has world y as its -z axis
    snapshot.state.u[2] = -unrotate(frame, np.array([0.0, rate, 0.0]))
    plant.restore(snapshot)


def fly(plant: Simulation, sample: Sample, seconds: float, fps=24):
    """(t,), (t, 3): times and places of the stick's centre."""
    times, places = [0.0], [plant.rod_heads()[2]]
    for k in range(round(seconds * fps)):
        plant.advance(sample, 1 / fps)
        times.append((k + 1) / fps)
        places.append(plant.rod_heads()[2])
    return np.array(times), np.array(places)


ACROSS_FLOW = exponential(np.zeros(3))  # level, along y
FLOWS = {"across": (ACROSS_FLOW, DRAG), "along": (ALONG_Z, DRAG_ALONG)}
STILL = Sample(wind=NO_GRAVITY)


def off_fall(flow: str) -> tuple[float, float]:
    """Of a stick that falls for 2 s: speed over that in closed form, minus one, and greatest distance (m) from it."""
    frame, drag = FLOWS[flow]
    plant = free_body(frame)
    plant.start(STILL)
    t, places = fly(plant, STILL, 2.0)
    terminal = np.sqrt(MASS * GRAVITY / drag)
    exact = np.stack([0 * t, 0 * t, -(terminal**2) / GRAVITY * np.log(np.cosh(GRAVITY * t / terminal))], axis=1)
    found = places - places[0]
    speed = (found[-2, 2] - found[-1, 2]) / (exact[-2, 2] - exact[-1, 2])
    return float(speed - 1.0), float(np.linalg.norm(found - exact, axis=1).max())


def off_terminal_velocity() -> float:
    """Speed of a stick that has fallen level for 2 s over sqrt(m g / drag), minus one; tanh is 1 to 3e-5 there."""
    plant = free_body(ACROSS_FLOW)
    plant.start(STILL)
    _, places = fly(plant, STILL, 2.0)
    return float((places[-2, 2] - places[-1, 2]) * 24 / np.sqrt(MASS * GRAVITY / DRAG) - 1.0)


def off_drift(wind: float, speed: float) -> float:
    """Greatest distance (m) from the closed form in 2 s of a weightless stick that starts at a speed in wind (m/s)."""
    sample = Sample(wind=(wind, 0.0, 0.0), gravity=NO_GRAVITY)
    plant = free_body(ACROSS_FLOW)
    plant.start(sample)
    along(speed, ACROSS_FLOW, plant)
    t, places = fly(plant, sample, 2.0)
    relative, way = speed - wind, MASS / DRAG
    exact = wind * t + np.sign(relative) * way * np.log1p(abs(relative) * t / way)
    found = places - places[0]
    return float(np.hypot(np.linalg.norm(found[:, 1:], axis=1), found[:, 0] - exact).max())


def hinged_rod(frame=ALONG_X, **columns) -> Simulation:
    """A rod on a hinge without a spring."""
    rods = beam(1, LENGTH, RADIUS, density=DENSITY, frame=frame, stiffness=[[0.0, 0.0, 0.0]], **columns)
    return Simulation(discretize(rods, "base"))


INERTIA = MASS * (LENGTH**2 / 3 + RADIUS**2 / 4)
#: N m s2: moment of the drag of a rod that turns about its end over the square of its rate.
TURN_DRAG = 0.5 * AIR * ACROSS * 2 * RADIUS * LENGTH**4 / 4


def off_pendulum(seconds=5.0) -> float:
    """rad: greatest difference from theta'' = -(m g l / 2 sin theta + c theta' |theta'|) / I, from the horizontal."""
    plant = hinged_rod()
    plant.start(STILL)

    def slope(_, y):
        return [y[1], -(MASS * GRAVITY * 0.5 * LENGTH * np.sin(y[0]) + TURN_DRAG * y[1] * abs(y[1])) / INERTIA]

    times = np.arange(1, round(seconds * 24) + 1) / 24
    exact = solve_ivp(slope, (0, seconds), [0.5 * np.pi, 0.0], "DOP853", times, rtol=1e-11, atol=1e-12).y[0]
    found = []
    for _ in times:
        plant.advance(STILL, 1 / 24)
        tip = plant.rod_tails()[0]
        found.append(np.arctan2(tip[0], -tip[2]))
    return float(np.abs(np.array(found) - exact).max())
