# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions whose calls of kernels tools/prove_kernels.py records: all kernels, all kinds of plants and worlds."""

from collections.abc import Callable

import numpy as np

from lsystem import grow, presets
from solver import (
    LAYOUTS,
    Collider,
    GustyWind,
    Rods,
    Sample,
    Settings,
    Simulation,
    discretize,
    hall_chain,
    natural_modes,
    turns_from_rest,
)
from tests.oracles.models import ALONG_Z, beam, binary_tree, random_rods
from tests.surveys.random_plants import run_case
from tests.surveys.settled_presets import rods_of

FRAME = 1.0 / 24.0
ONE_THREAD = Settings(threads=1)  # calls are recorded one after the other
GUSTS = GustyWind((6.0, 2.0, 0.0), 0.3, 0.5, seed=4, height_exponent=0.3, reference_height=0.3)

#: Presets that are played too, not only settled: the rest have many bodies and do nothing that these do not.
PLAYED = ("potted_plant", "rose")


def advance(plant: Simulation, frames: int, sample: Callable[[int], Sample]) -> None:
    for frame in range(frames):
        plant.advance(sample(frame), FRAME)
    plant.energy()
    plant.rod_tails()
    rest = np.tile([1.0, 0.0, 0.0, 0.0], (plant.model.rod_count, 1))
    turns_from_rest(np.arange(plant.model.rod_count) - 1, rest, plant.rod_orientations())


def storm(frame: int) -> Sample:
    """Gusts on a base that is shaken, read at the simulation's own time."""
    return Sample(wind=GUSTS, base_position=(0.02 * np.sin(2.0 * frame), 0.0, 0.0))


def settled_presets() -> None:
    for preset in presets():
        plant = Simulation(discretize(rods_of(grow(preset.text))), ONE_THREAD)
        plant.start(Sample(), "settled")
        if preset.name in PLAYED:
            advance(plant, 6, storm)


def random_plants() -> None:
    """All that can be typed into the panels: limits, loads, handles, poses, fields, water; some collapse or stop."""
    for case in range(40):
        run_case(case)


def stiff_rods() -> None:
    """Rods of 5 m from grass to concrete, let go and pushed."""
    for radius in (1e-3, 0.01, 0.1, 0.17, 0.2, 0.5):
        for layout in LAYOUTS:
            plant = Simulation(discretize(beam(4, 5.0, radius, 8e9, frame=ALONG_Z), layout), ONE_THREAD)
            plant.start(Sample(wind=(5.0, 0.0, 0.0)), "settled")
            advance(plant, 3, lambda frame: Sample(wind=(0.0, 5.0, 0.0)))


def limits_in_motion() -> None:
    rods = binary_tree(3, 3, young=3e6, bend_limit=0.1, twist_limit=0.05, damping_time=0.01)
    plant = Simulation(discretize(rods), ONE_THREAD)
    plant.start(Sample())
    advance(plant, 24, lambda frame: Sample(torque=np.tile([0.0, 0.0, 0.01 * np.sin(frame)], (len(rods), 1))))


def collapse() -> None:
    """A stem that cannot carry itself, held upright, then falling; and a world that no steps can follow."""
    plant = Simulation(discretize(beam(12, 2.0, 0.004, 2e8, frame=ALONG_Z)), ONE_THREAD)
    plant.start(Sample(), "settled")
    plant.start(Sample(), "keep_shape")
    advance(plant, 24, lambda frame: Sample(base_position=(1e-3 * frame, 0.0, 0.0)))
    absurd = Simulation(discretize(binary_tree(2, 2)), Settings(max_step=0.1, halvings=1, threads=1))
    absurd.start(Sample())
    absurd.advance(Sample(gravity=(1e40, 0.0, 0.0)), 0.1)


def fields() -> None:
    """Settled and moving in a field of forces and in gusts, with a handle, and with an animated pose."""
    rods = binary_tree(3, 3, young=4e7, damping_time=0.02)

    def whirl(points: np.ndarray, velocities: np.ndarray, time: float) -> np.ndarray:
        return 4.0 * np.stack([-points[:, 1], points[:, 0] + 0.3, np.sin(3.0 * time) + 0.0 * points[:, 0]], axis=1)

    def sample(frame: int) -> Sample:
        half = 0.02 * np.sin(frame)
        pose = np.tile([np.cos(half), np.sin(half), 0.0, 0.0], (len(rods), 1))
        return Sample(
            force_field=whirl, wind=GUSTS, time=frame * FRAME, pose=pose, pull_rod=[5], pull_along=[0.5],
            pull_target=[(0.1, 0.0, 0.2)], pull_stiffness=[0.5], pull_damping=[0.01],
        )  # fmt: skip

    for mode in ("settled", "keep_shape"):
        plant = Simulation(discretize(rods, "double_root"), ONE_THREAD)
        plant.start(sample(0), mode)
        advance(plant, 12, sample)


def many_plants() -> None:
    """Of different sizes and layouts, side by side in a storm."""
    rng = np.random.default_rng(5)
    models = [
        discretize(beam(1, 0.3, 0.003, 1e8, frame=ALONG_Z)),
        discretize(binary_tree(3, 4, damping_time=0.002), "double_root"),
        discretize(random_rods(rng, 17, blade_area=2e-3, young=3e8), "mid"),
        discretize(beam(9, radius=0.004, young=1e8, frame=ALONG_Z, bend_limit=0.1)),
        discretize(random_rods(rng, 60, damping_time=0.01), "prbm3r"),
    ]
    plants = Simulation(models, ONE_THREAD)
    plants.start(Sample(wind=GUSTS), "settled")
    advance(plants, 12, storm)


def modes() -> None:
    for rods in (beam(8), binary_tree(3, 3)):
        natural_modes(discretize(rods), count=6)


def halls_chain() -> None:
    rods: tuple[Rods, ...] = (beam(6, young=1e8), binary_tree(2, 3, young=3e7))
    for one in rods:
        for element in ("1R", "3R", "3R corrected"):
            for form in ("direct", "fast"):
                hall_chain(one, element=element, form=form)


def touching() -> None:
    """Soft trees that fall among all kinds of colliders and onto themselves, and break; one is cut off."""
    rods = binary_tree(3, 3, young=2e5, damping_time=0.02, strength=2e4, fibres=0.1)
    cloth = {
        "vertices": [(-1.0, -1.0, -0.2), (1.0, -1.0, -0.2), (0.0, 1.5, -0.25)], "triangles": [(0, 1, 2)],
    }  # fmt: skip

    def sample(frame: int) -> Sample:
        ball = (0.3 - 0.02 * frame, 0.0, 0.2)
        colliders = [
            Collider("plane", position=(0.0, 0.0, -0.3)), Collider("ball", [0.1], position=ball, name="ball"),
            Collider("box", [0.1, 0.1, 0.1], position=(0.2, 0.2, 0.0), name="box"),
            Collider("capsule", [0.05, 0.3], position=ball, name="bar"), Collider("mesh", **cloth),
        ]  # fmt: skip
        cut = 1.0 * (np.arange(len(rods)) == (0 if frame > 8 else -1))
        return Sample(colliders=colliders, touches_itself=True, cut=cut)

    plant = Simulation(discretize(rods), ONE_THREAD)
    plant.start(sample(0))
    advance(plant, 16, sample)
    plant.restore(plant.snapshot())
    advance(plant, 2, sample)


def getting_longer() -> None:
    """A tree whose rods get longer and are shifted while it stands on the ground, and of which a branch is cut off."""
    rods = binary_tree(3, 3, damping_time=0.02, strength=1e6)
    m = len(rods)
    cut = np.zeros(m)
    cut[5] = 1.0

    def sample(frame: int) -> Sample:
        swell = np.sin(0.4 * frame + np.arange(m))
        return Sample(
            stretch=1.0 + 0.2 * swell, shift=0.01 * swell[:, None] * (1.0, 0.0, 1.0), colliders=[Collider("plane")],
            cut=cut if frame > 6 else None, follow=np.full(m, 0.2),
        )  # fmt: skip

    for layout in ("double_root", "gauss2"):
        plant = Simulation(discretize(rods, layout), ONE_THREAD)
        plant.start(sample(0), "settled")
        advance(plant, 10, sample)


def leaning() -> None:
    """Beams that come to rest on each other."""
    models = [discretize(beam(6, young=young)) for young in (1e9, 3e7)]
    crossed = (np.cos(0.4), 0.0, 0.0, np.sin(0.4))
    bases = {"base_position": [(0.0, 0.0, 0.0), (0.5, -0.4, 0.03)], "base_orientation": [(1.0, 0.0, 0.0, 0.0), crossed]}
    sample = Sample(touches_itself=True, touches_others=True, **bases)
    for mode in ("settled", "keep_shape"):
        plants = Simulation(models, ONE_THREAD, together=True)
        plants.start(sample, mode)
        advance(plants, 2, lambda _: sample)


SCENES = (
    random_plants, stiff_rods, limits_in_motion, collapse, fields, many_plants, modes, halls_chain, settled_presets,
    touching, leaning, getting_longer,
)  # fmt: skip
