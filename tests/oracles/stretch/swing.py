# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains of changing length that are let go and swing in a plane, beside their equations of motion."""

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from solver import Rods, Sample, Settings, Simulation, discretize
from solver.math.rotations import logarithm
from tests.oracles.stretch.chain import PlanarChain

RADIUS, DENSITY, YOUNG = 0.01, 900.0, 2e6


class Swing(NamedTuple):
    """Tips of the last rod (frames, 2) m as the solver and as the equations have them, at every frame."""

    found: np.ndarray
    exact: np.ndarray

    @property
    def error(self) -> float:
        """Largest distance over the length of the way."""
        travel = np.linalg.norm(np.diff(self.exact, axis=0), axis=1).sum()
        return float(np.linalg.norm(self.found - self.exact, axis=1).max() / travel)


def keys(rods: int, longer=0.3, shifted=0.0, hertz=0.7):
    """Lengths and shifts at a time (s): every rod's swell by a share, at its own time, and bases move by m."""
    phase = np.arange(rods) * 1.3

    def at(t: float) -> tuple[np.ndarray, np.ndarray]:
        w = 2.0 * np.pi * hertz
        swell = 1.0 + longer * np.sin(w * t + phase)
        moved = shifted * (np.sin(w * t + 2.0 * phase) + 0.5j * np.cos(w * t - phase))
        return swell, moved

    return at


def from_rest(keyed, still=1 / 12, eases=0.5):
    """The same lengths and shifts as they come about from where nothing moves: as drawn for a while (s), and eased in
    as keys of a horizontal handle do."""

    def at(t: float) -> tuple[np.ndarray, np.ndarray]:
        way = min(max((t - still) / eases, 0.0), 1.0)
        share = way * way * (3.0 - 2.0 * way)
        longer, shift = keyed(t)
        return 1.0 + share * (longer - 1.0), share * shift

    return at


def hanging(rods: int, bend=0.0, length=0.25, **columns) -> Rods:
    """Rods one below the other in the plane x = 0, each turned by bend (rad) against the one above."""
    angle = -0.5 * np.pi + bend * np.arange(rods)
    head = np.zeros((rods, 3))
    head[1:, 1] = np.cumsum(length * np.cos(angle))[:-1]
    head[1:, 2] = np.cumsum(length * np.sin(angle))[:-1]
    frame = np.stack([np.cos(0.5 * angle), np.sin(0.5 * angle), 0.0 * angle, 0.0 * angle], axis=1)
    given = {"young": YOUNG, "density": DENSITY, "radius_base": RADIUS, "radius_tip": RADIUS} | columns
    return Rods(parent=np.arange(rods) - 1, head=head, frame=frame, length=length, **given)


def springs(layout: str, young: float):
    """(m, k) N m/rad of joints of uniform rods, of their lengths and radii (m,) m: Garcia's averages, half rods in
    series, or two joints that share a rod's bending."""

    def of(length: np.ndarray, radius: np.ndarray) -> np.ndarray:
        bends = young * np.pi * radius**4 / 4.0
        below = np.maximum(np.arange(len(length)) - 1, 0)
        if layout == "base":
            return ((bends + bends[below]) / (length + length[below]))[:, None]
        if layout == "double_root":
            half = 0.5 * length / bends
            return (1.0 / (half + np.where(np.arange(len(length)) > 0, half[below], 0.0)))[:, None]
        return np.repeat((2.0 * bends / length)[:, None], 2, axis=1)

    return lambda length, radius: of(length, radius) if young > 0.0 else np.zeros((len(length), 1))


def equations(rods: Rods, layout: str, keyed, same_section: bool, bend: float) -> PlanarChain:
    m, is_free = len(rods), bool((rods.array("stiffness") == 0.0).all())
    bends = np.full(m, bend)
    bends[0] = -0.5 * np.pi
    at = (0.5 - 12**-0.5, 0.5 + 12**-0.5) if layout == "gauss2" else (0.0,)
    return PlanarChain(
        rods.array("length"), rods.array("radius_base"), bends, at,
        springs(layout, 0.0 if is_free else YOUNG), DENSITY, keyed, same_section,
    )  # fmt: skip


def world(keyed, t: float, same_section=False, **more) -> Sample:
    longer, shift = keyed(t)
    moved = np.stack([0.0 * shift.real, shift.real, shift.imag], axis=1)
    return Sample(stretch=longer, thickness=np.ones(len(longer)) if same_section else None, shift=moved, **more)


def swing(
    rods: Rods, layout: str, keyed, seconds=2.0, fps=480.0, step=1 / 960, bend=0.0, same_section=False, pulled=0.8
) -> Swing:  # fmt: skip
    """Let go with the first joint turned by pulled (rad), and the rest as drawn."""
    model = discretize(rods, layout, segments=1)
    plant = Simulation(model, Settings(max_step=step))
    turns = np.zeros((model.body_count, 3))
    turns[0, 0] = pulled
    plant.start(world(keyed, 0.0, same_section), initial=turns)
    chain = equations(rods, layout, keyed, same_section, bend)
    times = np.arange(1, round(seconds * fps) + 1) / fps
    found = []
    for t in times:
        plant.advance(world(keyed, t, same_section), 1.0 / fps)
        found.append(plant.rod_tails()[-1, 1:])
    exact = chain.swing(turns[:, 0], times)
    tips = [chain.tip(t, q) for t, q in zip(times, exact, strict=True)]
    assert np.abs(logarithm(plant.state.q)[:, 1:]).max() < 1e-9
    return Swing(np.array(found), np.stack([np.real(tips), np.imag(tips)], axis=1))


def kinetic_energies(rods: Rods, layout: str, keyed, bend: float, same_section: bool) -> tuple[float, float]:
    """J after a second: as the solver tells it, and of the same joints by the points of their material."""
    plant, fps = Simulation(discretize(rods, layout, segments=1)), 240
    plant.start(world(keyed, 0.0, same_section))
    for frame in range(1, fps + 1):
        plant.advance(world(keyed, frame / fps, same_section), 1.0 / fps)
    state, chain = plant.state, equations(rods, layout, keyed, same_section, bend)
    turn, rate = logarithm(state.q)[:, 0], np.ascontiguousarray(state.u[:, 0])
    return plant.energy().kinetic, chain.kinetic_energy(1.0, turn, rate)


def point_swing(rods: Rods, keyed, seconds=2.0, fps=480.0, pulled=0.8) -> float:
    """The largest distance, over the length of the way, of a heavy point on a rod of keyed length (stretch alone) from
    d/dt (m l^2 theta') + i theta'' = -m g l sin theta, i the little inertia about its middle."""
    plant = Simulation(discretize(rods, "base", segments=1), Settings(max_step=1 / 960))
    plant.start(world(keyed, 0.0), initial=[[pulled, 0.0, 0.0]])
    times, found = np.arange(1, round(seconds * fps) + 1) / fps, []
    for t in times:
        plant.advance(world(keyed, t), 1.0 / fps)
        found.append(logarithm(plant.state.q)[0, 0])
    mass, at = rods.array("mass")[0], rods.array("com")[0, 1]
    across, along = rods.array("inertia")[0, 1] / 2.0, rods.array("inertia")[0, 0] - mass * at**2
    along -= across  # second moments about the middle, across the rod and along it

    def inertia(t: float) -> float:
        longer = keyed(t)[0][0]
        return float((mass * at**2 + along) * longer**2 + across / longer)

    def slope(t, y):
        change = (inertia(t + 1e-5) - inertia(t - 1e-5)) / 2e-5
        weight = mass * 9.81 * at * keyed(t)[0][0] * np.sin(y[0])
        return [y[1], -(weight + change * y[1]) / inertia(t)]

    exact = solve_ivp(slope, (0.0, times[-1]), [pulled, 0.0], "DOP853", times, rtol=1e-10, atol=1e-12).y[0]
    length = at * np.array([keyed(t)[0][0] for t in times])
    travel = (length * np.abs(np.gradient(exact))).sum()
    return float((length * np.abs(found - exact)).max() / travel)
