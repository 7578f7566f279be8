# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of materials is plausible, complete in its sources, and can be simulated."""

import re

import numpy as np
import pytest

from solver import Rods, Sample, Simulation, discretize
from solver.model.materials import MATERIALS, materials_table

#: SI: parenchyma to the densest palm (Gibson 2012, J. R. Soc. Interface 9, 2749), cork to water-logged heartwood.
PLAUSIBLE = {
    "young": (0.3e6, 35e9), "poisson": (0.1, 0.5), "density": (100.0, 1300.0), "damping_ratio": (0.0, 0.3),
    "hollow": (0.0, 0.95), "twist_to_bend": (1.0, 60.0), "strength": (0.5e6, 250e6),
}  # fmt: skip
RANGE_OF = {name: "damping_range" if name == "damping_ratio" else f"{name}_range" for name in PLAUSIBLE}


@pytest.mark.parametrize("name", MATERIALS)
def test_values_are_plausible_and_in_their_ranges(name):
    material = MATERIALS[name]
    assert material.label
    known = 0
    for field, (least, largest) in PLAUSIBLE.items():
        value, bounds = getattr(material, field), getattr(material, RANGE_OF[field], None)
        if value is not None:
            known += 1
            assert least <= value <= largest
        if bounds is not None:
            assert least <= bounds[0] <= bounds[1] <= largest
            if value is not None:
                assert bounds[0] <= value <= bounds[1]
    assert known > 0


@pytest.mark.parametrize("name", MATERIALS)
def test_every_material_has_a_source_with_a_year(name):
    assert re.search(r"\b(19|20)\d\d\b", MATERIALS[name].source)
    assert len(MATERIALS[name].source) > 40


@pytest.mark.parametrize("name", MATERIALS)
def test_estimates_say_what_they_are_from(name):
    material = MATERIALS[name]
    assert all(getattr(material, field) is not None for field in material.estimates)
    assert ("estimate" in material.source) == bool(material.estimates)


def test_the_organs_and_woods_people_look_for_are_there():
    assert sum(material.young is not None for material in MATERIALS.values()) >= 16
    for words in ("stem", "petiole", "leaf_lamina", "leaf_vein", "flower_stalk", "reed", "bamboo", "green", "dry"):
        assert any(words in name for name in MATERIALS)
    for wood in ("oak", "pine", "poplar"):
        assert MATERIALS[f"{wood}_dry"].young > MATERIALS[f"{wood}_green"].young
        assert MATERIALS[f"{wood}_dry"].strength > MATERIALS[f"{wood}_green"].strength
        assert MATERIALS[f"{wood}_dry"].density < MATERIALS[f"{wood}_green"].density


#: Wood Handbook, FPL-GTR-282, tables 5-3a and 4-1: specific gravity green and dry, moisture of heartwood and sapwood.
WOODS = {
    "oak": (0.60, 0.68, 0.64, 0.78), "douglas_fir": (0.45, 0.48, 0.37, 1.15), "pine": (0.47, 0.51, 0.33, 1.10),
    "poplar": (0.37, 0.40, 1.206, 1.605),
}  # fmt: skip


@pytest.mark.parametrize("wood", WOODS)
def test_density_of_wood_follows_from_specific_gravity_and_moisture(wood):
    green, dry, heartwood, sapwood = WOODS[wood]
    bounds = (1000.0 * green * (1.0 + heartwood), 1000.0 * green * (1.0 + sapwood))
    assert MATERIALS[f"{wood}_green"].density_range == pytest.approx(bounds, abs=1.0)
    assert MATERIALS[f"{wood}_dry"].density == pytest.approx(1120.0 * dry, abs=1.0)


@pytest.mark.parametrize("name", [name for name, material in MATERIALS.items() if material.young is not None])
def test_a_stalk_of_the_material_can_be_simulated(name):
    material = MATERIALS[name]
    rods = Rods(
        parent=[-1, 0], head=[[0.0, 0.0, 0.0], [0.05, 0.0, 0.0]], frame=(0.5**0.5, 0.0, 0.0, -(0.5**0.5)), length=0.05,
        radius_base=0.004, radius_tip=0.003, young=material.young, density=material.density or 1000.0,
        poisson=material.poisson or 0.3,
    )  # fmt: skip
    plant = Simulation(discretize(rods))
    plant.start(Sample(), "settled")
    assert -0.1 < plant.rod_tails()[-1, 2] < 0.0


def test_the_table_lists_every_material_once_and_every_source():
    lines = materials_table().splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == len(MATERIALS) + 1
    numbers = {int(row.rstrip(" |").rpartition("|")[2]) for row in rows[1:]}
    marked = [material for material in MATERIALS.values() if material.estimates]
    assert sum(row.count("| estimate ") for row in rows) == sum(len(material.estimates) for material in marked) > 0
    sources = [line for line in lines if re.match(r"\d+\. ", line)]
    assert numbers == set(np.arange(len(sources)) + 1)
    assert {line.partition(". ")[2] for line in sources} == {material.source for material in MATERIALS.values()}


@pytest.mark.parametrize("name", [name for name, material in MATERIALS.items() if material.strength is not None])
def test_a_strength_is_a_breaking_strain_that_plants_have(name):
    """Modulus of rupture over Young's modulus: wood and straw give way at 0.3 to 2 % of strain."""
    assert 0.003 < MATERIALS[name].strength / MATERIALS[name].young < 0.02
