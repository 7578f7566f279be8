# SPDX-License-Identifier: GPL-3.0-or-later
"""Every preset grows to a plant of the right size that can stand under its own weight."""

import math

import numpy as np
import pytest

from lsystem import ORGANS, Preset, Skeleton, grow, parse, presets

SEGMENTS = {
    "broad_leaf": 45,
    "potted_plant": 51,
    "rose": 63,
    "inflorescence": 99,
    "orchid": 150,
    "shrub": 155,
}
"""Body counts of Garcia's table 9.18, and of the 155-body tree of the benchmarks."""

GRAVITY = 9.81


@pytest.fixture(params=presets(), ids=lambda preset: preset.name)
def preset(request: pytest.FixtureRequest) -> Preset:
    return request.param


def standing(skeleton: Skeleton) -> float:
    """Least EI / (W H^2) of the roots: E and radius of the root, weight and height of all that stands on it."""
    mass = skeleton.density * math.pi * skeleton.length * skeleton.radius_base * skeleton.radius_tip
    top = skeleton.tail()[:, 2].copy()
    for index in range(len(skeleton) - 1, -1, -1):
        parent = skeleton.parent[index]
        if parent >= 0:
            mass[parent] += mass[index]
            top[parent] = max(top[parent], top[index])
    roots = (skeleton.parent < 0) & (skeleton.organ == ORGANS.index("stem"))
    if not roots.any():
        roots = skeleton.parent < 0
    second_moment = math.pi / 4 * skeleton.radius_base[roots] ** 4
    height = np.maximum(top[roots] - skeleton.head[roots, 2], 0.01)
    return float(np.min(skeleton.young[roots] * second_moment / (mass[roots] * GRAVITY * height**2)))


def test_grows_to_a_plant(preset: Preset):
    skeleton = grow(preset.text, source=preset.path.name)
    assert preset.title
    assert preset.description
    assert not preset.description.endswith(".")
    if preset.name in SEGMENTS:
        assert len(skeleton) == SEGMENTS[preset.name]
    assert 20 < len(skeleton) < 200
    assert 0.15 < skeleton.tail()[:, 2].max() < 2.0
    assert skeleton.tail()[:, 2].min() > -0.05
    assert (skeleton.length >= 0.005).all()
    assert (skeleton.radius_tip >= 0.0004).all()


def test_has_all_materials(preset: Preset):
    skeleton = grow(preset.text)
    for array in (skeleton.young, skeleton.poisson, skeleton.density, skeleton.damping):
        assert np.isfinite(array).all()


def test_stands_under_its_own_weight(preset: Preset):
    assert 0.3 < standing(grow(preset.text)) < 4.0


def test_declared_steps_complete_the_plant(preset: Preset):
    steps = parse(preset.text).steps
    assert len(grow(preset.text)) == len(grow(preset.text, steps=steps + 5))


def test_seeds_vary_plants_but_not_their_count(preset: Preset):
    first, second = grow(preset.text, seed=0), grow(preset.text, seed=1)
    np.testing.assert_array_equal(first.head, grow(preset.text, seed=0).head)
    np.testing.assert_array_equal(first.parent, second.parent)


def test_every_constant_can_be_moved_a_little(preset: Preset):
    constants = parse(preset.text).constants
    assert constants
    assert [slider.name for slider in preset.sliders] == list(constants)
    for name, value in constants.items():
        step = 1 if value == int(value) and value < 50 else 0.1 * value
        for changed in (value - step, value + step):
            grow(preset.text, constants={name: changed})


def test_all_of_garcias_plants_are_there():
    names = {preset.name for preset in presets()}
    assert names >= {*SEGMENTS, "twist_inflorescence", "tropical", "reed", "grass"}


def test_tropical_plant_has_eight_stem_segments():
    (text,) = (preset.text for preset in presets() if preset.name == "tropical")
    assert (grow(text).organ == ORGANS.index("stem")).sum() == 8
