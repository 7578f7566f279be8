# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants of their own that go together and touch each other."""

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest

from solver import (
    LIMITED,
    Collider,
    Counts,
    GustyWind,
    Rods,
    Sample,
    Settings,
    SideBySide,
    Simulation,
    SolverError,
    discretize,
    joined_samples,
)
from solver.math.rotations import from_matrices
from solver.snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from tests.oracles.models import binary_tree, random_rods
from tests.oracles.touching.momenta import momenta

FRAME = 1.0 / 24.0
ITSELF = Sample(touches_itself=True, touches_others=True)


def stick(head, way, **given):
    """A straight stiff rod on a hinge, level."""
    y = np.asarray(way) / np.linalg.norm(way)
    frame = from_matrices(np.column_stack([np.cross(y, (0.0, 0.0, 1.0)), y, (0.0, 0.0, 1.0)])[None])
    values = {
        "parent": [-1], "head": [head], "frame": frame, "length": float(np.linalg.norm(way)), "radius_base": 0.01,
        "radius_tip": 0.01, "young": 1e9, "density": 600.0, "stiffness": np.zeros((1, 3)), "friction": 0.4,
    }  # fmt: skip
    return Rods(**values | given)


def limp_chain(links: int, head, way) -> Rods:
    """Sticks of 0.1 m one behind the other, level."""
    one = stick(head, 0.1 * np.asarray(way))
    heads = np.asarray(head) + 0.1 * np.arange(links)[:, None] * way
    return replace(
        one, parent=np.arange(links) - 1, head=heads, frame=np.repeat(one.frame, links, axis=0),
        stiffness=np.full((links, 3), 0.01), joint_damping=0.002,
    )  # fmt: skip


def both(one: Rods, other: Rods) -> Rods:
    """Rods of two plants as those of one."""
    columns = {
        column.name: np.concatenate([np.atleast_1d(getattr(rods, column.name)) for rods in (one, other)])
        for column in fields(Rods)
        if column.init and getattr(one, column.name) is not None
    }
    return Rods(**columns)


ONE, OTHER = (0.0, 0.0, 0.0), (0.3, -0.4, 0.06)
HELD, FALLING = stick(ONE, (0.5, 0.0, 0.0), stiffness=[[20.0] * 3]), stick(OTHER, (0.0, 0.8, 0.0))


def models(*rods):
    return [discretize(one, "base", segments=1) for one in rods]


def run(plant: Simulation, sample: Sample, frames: int) -> list[np.ndarray]:
    found = []
    for _ in range(frames):
        plant.advance(sample, FRAME)
        found.append(plant.rod_tails())
    return found


def test_two_plants_move_as_two_branches_of_one():
    exact = Settings(max_step=1 / 960, halvings=0, newton_tolerance=1e-9)  # the same steps for both
    apart = Simulation(models(HELD, FALLING), exact, together=True)
    whole = Simulation(models(both(HELD, FALLING))[0], exact)
    for plant in (apart, whole):
        plant.start(ITSELF)
    found, expected = run(apart, ITSELF, 24), run(whole, ITSELF, 24)
    assert np.abs(np.array(found) - np.array(expected)).max() < 1e-5  # sizes, of which tolerances are shares, differ
    hit = np.abs(expected[-1] - run_alone(HELD)).max()
    assert hit > 1e-3


def run_alone(rods: Rods) -> np.ndarray:
    plant = Simulation(models(rods)[0])
    plant.start(Sample())
    return run(plant, Sample(), 24)[-1]


def fluttering(flutter: tuple[float, float], eddies: tuple[float, float], together: bool) -> list[np.ndarray]:
    """Where joints of two plants with blades are after half a second in gusts, far from each other."""
    blade = {"blade_area": 0.004, "blade_lift": 3.0, "blade_air_mass": 0.6, "blade_lift_along": 1.0, "blade_shift": 1.0}
    plants = [random_rods(np.random.default_rng(seed), 6, young=3e7, **blade) for seed in (3, 4)]
    exact = Settings(max_step=1 / 960, halvings=0, newton_tolerance=1e-9)
    found = models(*plants)

    def worlds(frame: int) -> list[Sample]:
        return [
            Sample(
                base_position=(9.0 * k, 0.0, 0.0), wind=GustyWind((4.0, 1.0, 0.0), seed=2, eddies=strong),
                flutter=much, time=frame * FRAME, touches_itself=together, touches_others=together,
            ) for k, (much, strong) in enumerate(zip(flutter, eddies, strict=True))
        ]  # fmt: skip

    def end(run: Simulation, world) -> np.ndarray:
        run.start(world(0), "settled")
        for frame in range(1, 13):
            run.advance(world(frame), FRAME)
        return run.state.q

    if not together:
        return [end(Simulation(one, exact), lambda frame, k=k: worlds(frame)[k]) for k, one in enumerate(found)]
    counts = [Counts.of(1, one) for one in found]
    whole = end(Simulation(found, exact, together=True), lambda frame: joined_samples(worlds(frame), counts))
    return np.split(whole, [found[0].body_count])


def test_each_plant_flutters_as_much_as_it_does_alone_and_in_its_own_eddies():
    alone = fluttering((1.0, 0.0), (0.3, 0.0), together=False)
    for one, other in zip(alone, fluttering((1.0, 0.0), (0.3, 0.0), together=True), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)  # sizes, of which tolerances are shares, differ
    as_the_first = fluttering((1.0, 1.0), (0.3, 0.3), together=True)
    np.testing.assert_allclose(alone[0], as_the_first[0], atol=1e-5)
    assert np.abs(alone[1] - as_the_first[1]).max() > 1e-2
    in_its_eddies = fluttering((1.0, 0.0), (0.3, 0.3), together=True)
    assert np.abs(alone[1] - in_its_eddies[1]).max() > 1e-3


@pytest.mark.parametrize("modes", [["drawn", "settled"], ["keep_shape", "settled"], ["settled", "settled"]])
@pytest.mark.parametrize("touches", [True, False])
def test_each_starts_in_its_own_wind_and_field(modes, touches):
    """Also where starts are found plant by plant."""
    blade = {"blade_area": 0.003, "blade_lift": 3.0}
    found = models(*(random_rods(np.random.default_rng(seed), 5, young=3e7, **blade) for seed in (1, 2)))
    worlds = [
        Sample(
            base_position=(4.0 * k, 0.0, 0.0), wind=GustyWind((3.0 - 2.0 * k, 0.0, 0.0), eddies=0.3 - 0.2 * k),
            force_field=lambda points, velocities, time, k=k: np.full(points.shape, 0.5 * k),
            touches_itself=touches, touches_others=touches,
        ) for k in (0, 1)
    ]  # fmt: skip
    alone = []
    for one, world, mode in zip(found, worlds, modes, strict=True):
        plant = Simulation(one)
        plant.start(replace(world, touches_itself=False, touches_others=False), mode)
        alone.append(plant.state.q)
    whole = Simulation(found, together=True)
    whole.start(joined_samples(worlds, [Counts.of(1, one) for one in found]), modes)
    np.testing.assert_allclose(whole.state.q, np.concatenate(alone), atol=1e-7)


def test_winds_are_joined_as_what_they_are():
    counts = [Counts.of(1, one) for one in models(HELD, FALLING)]
    per_rod, gusts = np.array([[1.0, 2.0, 3.0]]), GustyWind((3.0, 0.0, 0.0))
    assert joined_samples([Sample(wind=per_rod), Sample(wind=per_rod)], counts).wind.shape == (2, 3)
    assert joined_samples([Sample(wind=gusts), Sample(wind=GustyWind((3.0, 0.0, 0.0)))], counts).wind is gusts
    assert joined_samples([Sample(), Sample()], counts).wind is None
    with pytest.raises(SolverError, match="all stand in air or none does"):
        joined_samples([Sample(), Sample(wind=(0.0, 0.0, 0.0))], counts)


def test_plants_that_do_not_touch_move_as_alone():
    trees = [binary_tree(3, 2, damping_time=0.02), binary_tree(2, 3, young=5e7, damping_time=0.02)]
    settings = Settings(tolerance=1.0)  # the same steps for all
    sample = Sample(base_position=[(0.0, 0.0, 0.0), (9.0, 0.0, 0.0)], touches_itself=True, touches_others=True)
    together = Simulation([discretize(one) for one in trees], settings, together=True)
    apart = Simulation([discretize(one) for one in trees], settings)
    ends = []
    for plant in (together, apart):
        plant.start(sample)
        for frame in range(24):
            moved = np.array([(0.02 * np.sin(frame), 0.0, 0.0), (9.0, 0.01 * frame, 0.0)])
            turned = [(1.0, 0.0, 0.0, 0.0), (np.cos(0.01 * frame), 0.0, np.sin(0.01 * frame), 0.0)]
            plant.advance(replace(sample, base_position=moved, base_orientation=turned), FRAME)
        ends.append(plant.rod_tails())
    assert np.abs(ends[1] - ends[0]).max() < 1e-6 * np.abs(ends[0] - (4.5, 0.0, 0.0)).max()


def test_a_base_that_moves_carries_a_stick_against_another():
    """A stick on a moving base sweeps one that hangs on another base, and pushes it along."""
    plant = Simulation(models(stick(ONE, (0.5, 0.0, 0.0), stiffness=[[500.0] * 3]), FALLING), together=True)
    still = Sample(gravity=(0.0, 0.0, 0.0), touches_itself=True, touches_others=True)
    plant.start(still)
    for frame in range(1, 25):
        lifted = [(0.0, 0.0, 0.01 * frame), (0.0, 0.0, 0.0)]
        plant.advance(replace(still, base_position=lifted), FRAME)
    heads, tails = plant.rod_heads(), plant.rod_tails()
    assert tails[1, 2] > tails[0, 2] + 0.01
    assert heads[1] == pytest.approx(OTHER)


def test_cut_plants_of_two_bases_keep_their_momentum():
    plant = Simulation(models(HELD, FALLING), Settings(max_step=1 / 960), together=True)
    floating = Sample(gravity=(0.0, 0.0, 0.0), touches_itself=True, touches_others=True, cut=(1.0, 1.0))
    plant.start(floating)
    push = np.array([[0.0, 0.0, 0.0], [0.0, 0.1, -1.0]])
    for force in (push, push, None, None):
        plant.advance(replace(floating, force=force), FRAME)
    before, _, _ = momenta(plant)
    run(plant, floating, 12)
    after, _, _ = momenta(plant)
    assert np.abs(plant.placed().omega[0]).max() > 0.1
    assert after == pytest.approx(before, abs=1e-3 * np.abs(before).max())


def test_snapshots_of_plants_together_repeat_to_the_bit(tmp_path):
    bases = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)]
    sample = Sample(touches_itself=True, touches_others=True, base_position=bases, cut=(0.0, 1.0))
    plant = Simulation(models(HELD, FALLING), together=True)
    plant.start(sample)
    run(plant, sample, 8)
    taken = plant.snapshot()
    np.savez(tmp_path / "snapshot.npz", **snapshot_arrays(taken))
    expected = run(plant, sample, 6)[-1]
    plant.restore(taken)
    assert (run(plant, sample, 6)[-1] == expected).all()
    other = Simulation(models(HELD, FALLING), together=True)
    other.start(sample)
    with np.load(tmp_path / "snapshot.npz", allow_pickle=False) as archive:
        other.restore(snapshot_from_arrays(other, archive))
    assert (run(other, sample, 6)[-1] == expected).all()


def test_heaps_that_couple_strongly_are_known_to_for_some_frames(tmp_path):
    """Then it is tried without again. A snapshot knows for how long, so that motions from it repeat to the bit."""
    ways = [np.array((np.cos(2.4 * k), np.sin(2.4 * k), 0.0)) for k in range(6)]
    rods = [limp_chain(12, (0.0, 0.0, 0.03 * (k + 1)) - 0.6 * way, way) for k, way in enumerate(ways)]
    plant = Simulation(models(*rods), together=True)
    cut = np.tile(np.append(1.0, np.zeros(11)), 6)
    sample = Sample(colliders=[Collider("plane")], touches_itself=True, touches_others=True, cut=cut)
    plant.start(sample)
    run(plant, sample, 24)
    dense = []
    for _ in range(20):
        dense.append(int(plant.snapshot().paired.dense[0]))
        run(plant, sample, 1)
    most = max(dense)
    assert most > 1
    assert min(dense) < most
    assert all(after in (most, max(before - 1, 0)) for before, after in pairwise(dense))
    while plant.snapshot().paired.dense[0] in (0, 1, most):
        run(plant, sample, 1)
    np.savez(tmp_path / "snapshot.npz", **snapshot_arrays(plant.snapshot()))
    expected = run(plant, sample, 6)[-1]
    with np.load(tmp_path / "snapshot.npz", allow_pickle=False) as archive:
        plant.restore(snapshot_from_arrays(plant, archive))
    assert (run(plant, sample, 6)[-1] == expected).all()


def test_what_goes_together_has_one_gravity_and_goes_with_no_others():
    plant = Simulation(models(HELD, FALLING), together=True)
    with pytest.raises(SolverError, match="same gravity"):
        plant.start(Sample(gravity=[(0.0, 0.0, -9.8), (0.0, 0.0, -1.0)]))
    plant.start(Sample())
    with pytest.raises(SolverError, match="touch each other"):
        SideBySide([plant])


@pytest.mark.parametrize("groups", [True, [0, 0], [0, 1]])
@pytest.mark.parametrize("itself", [True, False])
@pytest.mark.parametrize("others", [True, False])
def test_who_touches_whom(groups, itself, others):
    """Plants of one group touch as parts of one plant do, those of different ones where others are touched."""
    plant = Simulation(models(HELD, FALLING), together=groups)
    sample = Sample(touches_itself=[itself, itself], touches_others=others)
    plant.start(sample)
    run(plant, sample, 12)
    wanted = itself if groups == [0, 0] else others
    assert (len(plant.contacts().rod) > 0) == wanted


@pytest.mark.parametrize(("company", "touch"), [([0, 0], True), ([1, 1], True), ([0, 1], False), ([0, -1], False),
                                                ([-1, -1], False)])  # fmt: skip
def test_plants_of_one_number_touch_each_other(company, touch):
    plant = Simulation(models(HELD, FALLING), together=True)
    sample = Sample(touches_others=company)
    plant.start(sample)
    run(plant, sample, 12)
    assert (len(plant.contacts().rod) > 0) == touch


def test_groups_that_do_not_fit_are_refused():
    with pytest.raises(SolverError, match="expected one for each of 2"):
        Simulation(models(HELD, FALLING), together=[0])


@pytest.mark.parametrize(
    ("given", "said"),
    [({"touches_itself": [1.0]}, "touches_itself has shape"), ({"touches_others": 0}, "touches_others is 0, expected"),
     ({"touches_others": [0, 0]}, "touches_others has 2 numbers"), ({"touches_others": [5]}, "touches_others")],
)
def test_what_is_neither_true_nor_false_is_refused(given, said):
    with pytest.raises(SolverError, match=said):
        Simulation(models(HELD)).start(Sample(**given))


def pile_of_chains(settings: Settings | None = None) -> tuple[Simulation, Sample]:
    """10 chains of 20 links that are let fall onto each other."""
    angles = 2.4 * np.arange(10)
    ways = np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    pile = models(*(limp_chain(20, (0.0, 0.0, 0.03 * (k + 1)) - way, way) for k, way in enumerate(ways)))
    cut = np.tile(np.arange(20) == 0, 10).astype(float)
    plant = Simulation(pile, settings, together=True)
    sample = Sample(np.zeros((10, 3)), colliders=[Collider("plane", friction=0.5)], touches_others=True, cut=cut)
    plant.start(sample)
    return plant, sample


def test_a_pile_of_chains_is_found_out_within_what_a_frame_may_take():
    """The passes that this takes are far below where frames are cut off."""
    plant, sample = pile_of_chains()
    assert max(plant.advance(sample, FRAME).status for _ in range(24)) < LIMITED
    assert np.abs(plant.placed().velocity).max() < 0.05


@pytest.mark.parametrize("halvings", [6, 7])
def test_what_takes_too_long_goes_on_in_slow_motion(halvings):
    """The pile where a frame, with as many of the shortest steps as these are, may take few passes: frames end early,
    but none where it began, nothing gains energy, and then the pile stands as it does else (later it topples)."""
    usual, sample = pile_of_chains()
    slow, _ = pile_of_chains(Settings(max_step=FRAME, halvings=halvings))
    energy, high, lags, status = np.inf, np.inf, 0, []
    for _ in range(20):
        usual.advance(sample, FRAME)
        status.append(slow.advance(sample, FRAME).status)
        before, energy = energy, sum(slow.energy())
        assert energy <= before + 1e-4
        above, high = high, slow.rod_heads()[:, 2].mean()
        assert high < above or status[-1] < LIMITED
        lags += high > 1.2 * usual.rod_heads()[:, 2].mean()
    assert max(status) == LIMITED
    assert lags > 2
    assert high == pytest.approx(usual.rod_heads()[:, 2].mean(), rel=0.01)
