# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants with rods of other lengths are those that are drawn so, and say so everywhere."""

import numpy as np
import pytest

from solver import OK, Collider, Rods, Sample, Settings, SideBySide, Simulation, SolverError, discretize, solid
from solver.math.rotations import exponential, logarithm, rotate
from solver.snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from tests.oracles.models import ALONG_Z, beam, random_rods

FRAME = 1 / 24
LAYOUTS = ("base", "double_root", "mid", "gauss2", "prbm3r")


def tree(rods=12, seed=1, **columns) -> Rods:
    return random_rods(np.random.default_rng(seed), rods, damping_time=0.01, **columns)


def lengths(m: int, seed=2) -> dict:
    rng = np.random.default_rng(seed)
    return {"stretch": rng.uniform(0.7, 1.5, m), "shift": rng.normal(size=(m, 3)) * 0.02}


def swelling(m: int, frame: int, **more) -> Sample:
    """Lengths and shifts of all rods that change smoothly with the frame."""
    phase = np.arange(m) + 0.3 * frame
    shift = 0.01 * np.stack([np.sin(phase), np.cos(phase), np.sin(2.0 * phase)], axis=1)
    return Sample(stretch=1.0 + 0.2 * np.sin(phase), shift=shift, **more)


def redrawn(rods: Rods, stretch: np.ndarray, shift: np.ndarray) -> Rods:
    """The same material in rods that are drawn so, by hand."""
    length, thin = rods.array("length") * stretch, stretch**-0.5
    head, frame = np.zeros((len(rods), 3)), rods.array("frame")
    for i, k in enumerate(rods.parent_index.tolist()):
        head[i] = shift[i] if k < 0 else head[k] + rotate(frame[k], np.array([0.0, length[k], 0.0]) + shift[i])
    names = ("young", "density", "poisson", "damping_time")
    return Rods(
        parent=rods.parent_index, head=head, frame=frame, length=length,
        radius_base=rods.array("radius_base") * thin, radius_tip=rods.array("radius_tip") * thin,
        **{name: rods.array(name) for name in names},
    )  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_as_drawn_is_the_same_bits(layout):
    plain, told = Simulation(discretize(tree(), layout)), Simulation(discretize(tree(), layout))
    ones = Sample(stretch=np.ones(12), shift=np.zeros((12, 3)))
    plain.start(Sample(), "settled")
    told.start(ones, "settled")
    for k in range(8):
        plain.advance(Sample(base_position=(0.01 * k, 0.0, 0.0)), FRAME)
        told.advance(Sample(base_position=(0.01 * k, 0.0, 0.0), stretch=ones.stretch), FRAME)
        assert plain.rod_tails().tobytes() == told.rod_tails().tobytes()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("start", ["settled", "keep_shape", "drawn"])
def test_a_plant_of_other_lengths_is_the_one_drawn_so(layout, start):
    rods, how = tree(), lengths(12)
    exact = Settings(tolerance=np.inf, newton_tolerance=1e-10)
    models = discretize(rods, layout), discretize(redrawn(rods, **how), layout)
    found, other = (Simulation(model, exact) for model in models)
    pull = {"pull_rod": [11], "pull_along": [0.7], "pull_target": [(0.2, 0.1, 0.3)], "pull_stiffness": [5.0],
            "pull_damping": [0.1]}  # fmt: skip
    air = {"wind": (2.0, 1.0, 0.0), "buoyancy": True, "lift": np.full(12, 0.2)}
    found.start(Sample(**how, **pull, **air), start)
    other.start(Sample(**pull, **air), start)
    assert found.rod_tails() == pytest.approx(other.rod_tails(), abs=1e-7)
    for k in range(12):
        push = {"base_position": (0.02 * np.sin(k), 0.0, 0.0)}
        found.advance(Sample(**how, **pull, **air, **push), FRAME)
        other.advance(Sample(**pull, **air, **push), FRAME)
    assert found.rod_tails() == pytest.approx(other.rod_tails(), abs=1e-6)
    assert found.rod_heads() == pytest.approx(other.rod_heads(), abs=1e-6)
    assert found.energy() == pytest.approx(other.energy(), rel=1e-4)
    assert found.bending_moments() == pytest.approx(other.bending_moments(), rel=1e-3, abs=1e-6)


def test_thickness_is_that_of_the_same_material():
    rods, thick = tree(), np.linspace(0.5, 2.0, 12)
    columns = {name: rods.array(name) * thick for name in ("radius_base", "radius_tip")}
    names = ("head", "frame", "length", "young", "density", "damping_time")
    thicker = Rods(parent=rods.parent_index, **columns, **{name: rods.array(name) for name in names})
    found, other = Simulation(discretize(rods)), Simulation(discretize(thicker))
    found.start(Sample(thickness=thick), "settled")
    other.start(Sample(), "settled")
    assert found.rod_tails() == pytest.approx(other.rod_tails(), abs=1e-7)
    assert found.energy() == pytest.approx(other.energy(), rel=1e-6)


@pytest.mark.parametrize("touching", [{}, {"touches_itself": True, "colliders": [Collider("plane")]}])
@pytest.mark.parametrize("layout", ["double_root", "gauss2"])
def test_snapshots_go_on_with_the_same_bits(layout, touching):
    plant = Simulation(discretize(tree(strength=3e5), layout))
    plant.start(swelling(12, 0, **touching), "settled")
    cut = np.zeros(12)
    for frame in range(1, 10):
        if frame == 4:
            cut[5] = 1.0
        plant.advance(swelling(12, frame, cut=cut, **touching), FRAME)
        if frame == 6:
            kept = snapshot_arrays(plant.snapshot())
            here = plant.rod_tails()
    there = plant.rod_tails()
    plant.restore(snapshot_from_arrays(plant, kept))
    assert plant.rod_tails().tobytes() == here.tobytes()
    for frame in range(7, 10):
        plant.advance(swelling(12, frame, cut=cut, **touching), FRAME)
    assert plant.rod_tails().tobytes() == there.tobytes()


def test_together_as_alone():
    models = [discretize(tree(9, 3)), discretize(tree(14, 4)), discretize(beam(4, 0.5, 0.004, 1e8))]
    counts = [model.rod_count for model in models]

    def worlds(frame: int) -> list[Sample]:
        thick = swelling(counts[1], frame, thickness=np.full(counts[1], 0.9))
        return [swelling(counts[0], frame), thick, Sample(base_position=(0.01 * frame, 0.0, 0.0))]

    alone, others = [Simulation(model) for model in models], [Simulation(model) for model in models]
    for plant in (*alone, *others):
        plant.start(worlds(0)[(alone + others).index(plant) % 3], "settled")
    side = SideBySide(others)
    for frame in range(1, 6):
        side.advance(worlds(frame), FRAME)
        for plant, world in zip(alone, worlds(frame), strict=True):
            plant.advance(world, FRAME)
        for plant, heads in zip(alone, side.rod_heads(), strict=True):
            assert plant.rod_heads().tobytes() == heads.tobytes()
    for plant, snapshot in zip(others, side.snapshots(), strict=True):
        plant.restore(snapshot)
    for plant, other, world in zip(alone, others, worlds(6), strict=True):
        plant.advance(world, FRAME)
        other.advance(world, FRAME)
        assert plant.rod_tails().tobytes() == other.rod_tails().tobytes()


def test_in_the_same_steps_as_alone():
    """Plants that go together, of which one gets longer, beside a thing that does not."""
    models = [discretize(tree(9, 3)), discretize(tree(14, 4)), solid("ball", [0.05], centre=(0.0, 0.0, 3.0))]
    exact = Settings(tolerance=np.inf, newton_tolerance=1e-10)
    all_of = Simulation(models, exact, together=True)
    alone = [Simulation(model, exact) for model in models[:2]]
    for frame in range(10):
        first, other = swelling(9, frame), Sample(stretch=np.ones(14), shift=np.zeros((14, 3)))
        whole = Sample(
            stretch=np.concatenate([first.stretch, np.ones(15)]),
            shift=np.concatenate([first.shift, np.zeros((15, 3))]),
        )  # fmt: skip
        for plant, world in ((all_of, whole), (alone[0], first), (alone[1], other)):
            if frame == 0:
                plant.start(world, "settled")
            else:
                plant.advance(world, FRAME)
    tails = np.concatenate([plant.rod_tails() for plant in alone])
    assert all_of.rod_tails()[:23] == pytest.approx(tails, abs=1e-7)


def test_a_keyed_pose_is_followed_wholly_all_the_same():
    """No lag, with lengths that change: what moving arms and masses ask of joints is given."""
    m = 8
    plant = Simulation(discretize(beam(m, 1.0, 0.02, 1e6), "base"))

    def world(frame: float) -> Sample:
        t = frame * FRAME
        turns = 0.3 * np.sin(2.0 * np.pi * t + np.arange(m))[:, None] * (1.0, 0.3, 0.5)
        shift = 0.02 * np.sin(5.0 * t + np.arange(m))[:, None] * (1.0, 0.5, -0.5)
        return Sample(pose=exponential(turns), follow=np.ones(m), shift=shift,
                      stretch=1.0 + 0.3 * np.sin(4.0 * t + np.arange(m)))  # fmt: skip

    plant.start(world(0))
    errors = []
    for frame in range(1, 73):
        plant.advance(world(frame), FRAME)
        errors.append(logarithm(plant.state.q) - logarithm(np.asarray(world(frame).pose)))
    off = np.degrees(np.linalg.norm(errors, axis=2))
    print("following, off by (degrees)", off.mean(), off.max())
    assert off.mean() < 0.1


def test_what_comes_off_falls_on_from_where_it_is():
    plant = Simulation(discretize(beam(4, 0.8, 0.01, 1e8, frame=ALONG_Z)))
    plant.start(swelling(4, 0))
    cut, tails = np.array([0.0, 0.0, 1.0, 0.0]), []
    for frame in range(1, 13):
        plant.advance(swelling(4, frame, cut=cut if frame > 4 else None), FRAME)
        tails.append(plant.rod_tails())
    steps = np.linalg.norm(np.diff(tails, axis=0), axis=2)
    assert plant.broken().tolist() == [0, 0, 2, 0]
    assert steps.max() < 0.25  # m a frame: nothing jumps


def test_a_plant_that_grows_against_a_ceiling_pushes_it_and_bends():
    plant = Simulation(discretize(beam(3, 0.6, 0.02, 1e7, frame=ALONG_Z, damping_time=0.02, stiffness=np.full(3, 2.0))))
    ceiling = [Collider("plane", position=(0.0, 0.0, 0.7), orientation=(0.0, 1.0, 0.0, 0.0))]
    plant.start(Sample(colliders=ceiling))
    for frame in range(1, 49):
        longer = 1.0 + 0.3 * min(frame / 36, 1.0)
        plant.advance(Sample(colliders=ceiling, stretch=np.full(3, longer)), FRAME)
    assert plant.rod_tails()[:, 2].max() < 0.7 - 0.019 / np.sqrt(1.3)
    assert plant.pushes().max() > 0.0


def test_what_no_rod_can_be_is_refused():
    plant = Simulation(discretize(tree()))
    plant.start(Sample())
    bad = np.ones(12)
    bad[7] = 0.0
    for sample in (Sample(stretch=bad), Sample(thickness=-bad), Sample(stretch=1e-200 * (bad + 1.0))):
        with pytest.raises(SolverError):
            plant.advance(sample, FRAME)
    with pytest.raises(SolverError) as told:
        plant.advance(Sample(stretch=bad), FRAME)
    assert told.value.rod == 7
    for sample in (Sample(stretch=np.ones(3)), Sample(shift=np.zeros(3)), Sample(shift=np.full((12, 3), np.nan))):
        with pytest.raises(SolverError):
            plant.advance(sample, FRAME)
    with pytest.raises(SolverError):
        Simulation(solid("ball", [0.1])).start(Sample(stretch=[2.0]))


@pytest.mark.parametrize("thickness", [None, 0.1])
def test_what_is_a_twentieth_as_long_from_one_frame_to_the_next_keeps_some_length_in_between(thickness):
    """Else it would have a negative mass there, or an end on the wrong side."""
    plant = Simulation(discretize(beam(3, 0.75, 0.01, 2e6, density=900.0)))
    plant.start(Sample(), "settled")
    for frame in range(1, 25):
        small = frame in range(6, 15)
        stretch, thick = np.ones(3), np.ones(3)
        if small:
            stretch[2], thick[2] = 0.05, 0.05**-0.5 if thickness is None else thickness
        report = plant.advance(Sample(stretch=stretch, thickness=thick), FRAME)
        assert report.status == OK, frame
        assert plant.energy().kinetic >= 0.0
        assert np.abs(plant.state.u).max() < 300.0
