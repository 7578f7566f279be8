# SPDX-License-Identifier: GPL-3.0-or-later
"""How densely a grown plant bears its leaves, and figures that were measured on plants."""

from typing import Any

import numpy as np

#: One side of all leaves over the ground that they stand over. Oaks: mean of 1215 that grow in the open, of 12 species,
#: their leaf area over the disc as wide as their crown (McPherson, van Doorn and Peper 2016, *Urban tree database*,
#: USDA Forest Service, RDS-2016-0005, table TS3). Willow: the least of sprouts of 1 to 3 years, which have 4.9 to 6.4
#: (*10-year biomass production and stand structure of Salix 'Aquatica'*, 1995, Biomass and Bioenergy 8). Shrubs: mean
#: of shrublands (Asner, Scurlock and Hicke 2003).
LEAF_AREA = {"old_oak": 3.09, "young_oak": 3.09, "willow": 4.9, "shrub": 2.1, "lilac": 2.1}

#: m from leaf to leaf, means of shoots of willows in the R package shipunov of A. Shipunov and others (`salix_plants`):
#: of 28 of Salix amygdaloides, trees of 2 to 6 m; of 328 of three that are shrubs, S. phylicifolia, S. myrsinifolia and
#: S. starkeana, whose leaves are 4.0 cm long and 1.6 wide as those of the preset are 4.7 and 2.6.
_INTERNODE = {"willow": 0.0115, "shrub": 0.0077}


def leaves_of_a_shoot(name: str, length: float) -> float:
    """How many leaves a twig has that is so many metres long. What is no willow and has no small leaves: as the R
    package aRchi of B. Lecigne has it of shoots of one year (`add_leaves`), with broad leaves of 50 to 100 cm2."""
    if name in _INTERNODE:
        return length / _INTERNODE[name]
    return 2.563 * (100.0 * length) ** 0.4402


def leaf_area_index(plant: Any) -> float:
    """Area of one side of all leaves as they are drawn, over that of the convex hull of their points on the ground."""
    import bpy

    area, places = 0.0, np.zeros((0, 2))
    bpy.context.view_layer.update()
    for part in plant.children_recursive:
        leaf = [material is not None and material.name.startswith("Plant Leaf") for material in
                (part.data.materials if part.type == "MESH" else ())]  # fmt: skip
        if not any(leaf):
            continue
        mesh = part.data
        material, size = np.empty(len(mesh.polygons), dtype=int), np.empty(len(mesh.polygons))
        corners, loops = np.empty(3 * len(mesh.vertices)), np.empty(len(mesh.loops), dtype=int)
        mesh.polygons.foreach_get("material_index", material)
        mesh.polygons.foreach_get("area", size)
        mesh.vertices.foreach_get("co", corners)
        mesh.loops.foreach_get("vertex_index", loops)
        sides = np.empty(len(mesh.polygons), dtype=int)
        mesh.polygons.foreach_get("loop_total", sides)
        of_leaves = np.array(leaf)[material]
        area += 0.5 * float(size[of_leaves].sum())  # both sides are drawn
        used = np.unique(loops[np.repeat(of_leaves, sides)])
        places = np.concatenate([places, corners.reshape(-1, 3)[used, :2]])
    if not len(places):
        return 0.0
    # The farthest in so many directions: 0.02 % of a disc lies beyond their hull.
    ways = np.exp(1j * np.linspace(0.0, 2.0 * np.pi, 180, endpoint=False))
    x, y = places[[int((places @ (way.real, way.imag)).argmax()) for way in ways]].T
    return area / (0.5 * abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))))


def leafy_twigs(plant: Any, leaves_on_a_twig: int) -> tuple[float, float]:
    """Leaves that a twig bears and metres that it is long: of the means over leaves of the text that are drawn as
    twigs, or, if they are not, the leaves of the woody stem and its length up to the last of them."""
    bones = plant.data.bones
    leaf = {bone.name for bone in bones if bone.plant_dynamics.organ == "leaf"}
    first = [bones[name] for name in leaf if not (bones[name].parent and bones[name].parent.name in leaf)]
    if leaves_on_a_twig > 1:
        return leaves_on_a_twig, sum(bones[name].length for name in leaf) / max(len(first), 1)
    reached = []
    for bone in first:
        stem = [one for one in bone.parent_recursive if one.plant_dynamics.organ == "stem"]
        reached.append(sum(one.length for one in stem))
    return len(first), max(reached, default=0.0)
