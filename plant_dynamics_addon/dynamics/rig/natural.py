# SPDX-License-Identifier: GPL-3.0-or-later
"""A thickness and a stiffness with which an armature moves as a plant of its size does, where nobody has said any."""

from collections import defaultdict
from collections.abc import Collection

import bpy
import numpy as np

from ....solver import EARTH_GRAVITY, Model
from ...material_columns import COLUMNS
from .armature_reader import bones_by_carrier

_GRAVITY = -EARTH_GRAVITY[2]  # m/s2

#: Drawn level, the longest way from a root sags by this share of itself; one that would sag by more than the second is
#: too soft.
_SAG, _TOO_SOFT = 0.12, 0.5

#: A radius that is chosen is at most this share of the longest way from a root; stems are stiffer instead.
_THICKEST = 0.02

#: Young's moduli of green wood end here, and those of soft stems; MPa.
STIFFEST_WOOD, STIFFEST_STEM = 12000.0, 1000.0

#: Radii that Blender gives to the envelopes of new bones, at the head and at the tail; an extruded one begins with the
#: radius where it was extruded and ends with this share of its length.
_GIVEN_BY_BLENDER, _OF_LENGTH = (0.1, 0.05), 0.1


def says_nothing(obj: bpy.types.Object) -> bool:
    """Whether all simulated bones have the envelopes that Blender gives to new bones, and no radius of their own."""
    bones = [bone for bone in obj.data.bones if bone.plant_dynamics.use_physics]
    own = any(bone.plant_dynamics.radius_base or bone.plant_dynamics.radius_tip for bone in bones)
    return bool(bones) and not own and all(_is_given(bone) for bone in bones)


def _is_given(bone: bpy.types.Bone) -> bool:
    parents = (bone.parent,) if bone.parent else ()
    given = (*_GIVEN_BY_BLENDER, *(_OF_LENGTH * one.length for one in (bone, *parents)))
    return all(np.isclose(radius, given, rtol=1e-4).any() for radius in (bone.head_radius, bone.tail_radius))


def natural_radius(obj: bpy.types.Object, scale: float) -> float:
    """One radius, in the armature's units, of solid stems of the panel's material that sag as plants do."""
    return _radius(obj, _longest_ways(obj, scale)[1], obj.plant_dynamics.young_modulus) / scale


def natural_size(obj: bpy.types.Object, scale: float) -> tuple[float, float]:
    """The same with a Young's modulus (MPa): the panel's, or a stiffer one where stems would be too thick for their
    length, as wood has."""
    young = obj.plant_dynamics.young_modulus
    longest, load = _longest_ways(obj, scale)
    too_thick = _radius(obj, load, young) / (_THICKEST * longest)
    young = max(young, min(young * too_thick**2, STIFFEST_WOOD))
    return _radius(obj, load, young) / scale, young


def _radius(obj: bpy.types.Object, load: float, young: float) -> float:
    """m. A cantilever of length L sags by rho g L^4 / (2 E r^2); more bones on the way weigh as much as a longer one.

    load: L^3 (m3)
    """
    modulus = COLUMNS["young_modulus"].unit * young
    return float(np.sqrt(obj.plant_dynamics.density * _GRAVITY * load / (2.0 * _SAG * modulus)))


def _longest_ways(obj: bpy.types.Object, scale: float) -> tuple[float, float]:
    """The longest way from a root (m), and the largest product of such a way's square and the length of all bones on
    its root (m3)."""
    largest = farthest = 0.0
    for bones in bones_by_carrier(obj.data.bones).values():
        root: dict[str, str] = {}
        reach: dict[str, float] = {}
        longest: defaultdict[str, float] = defaultdict(float)  # of the ways from each root
        weight: defaultdict[str, float] = defaultdict(float)  # length of all bones on it
        for bone in bones:  # parents first
            above = bone.parent.name if bone.parent and bone.parent.name in root else None
            foot = root[bone.name] = root[above] if above else bone.name
            reach[bone.name] = bone.length * scale + (reach[above] if above else 0.0)
            longest[foot] = max(longest[foot], reach[bone.name])
            weight[foot] += bone.length * scale
        largest = max(largest, *(longest[foot] ** 2 * weight[foot] for foot in weight))
        farthest = max(farthest, *longest.values())
    return farthest, largest


def level_sag(model: Model, rods: Collection[int] | None = None) -> float:
    """By which share of its length the longest way from a root would sag under the plant's weight, were all drawn out
    level: small turns of all joints on the way, each by the weight beyond it at full lever. rods: only these bend, so
    that ways begin where they sit on others."""
    bodies = model.bodies
    parent, mass = bodies.parent.tolist(), bodies.mass.tolist()
    step, centre = np.linalg.norm(bodies.offset, axis=1).tolist(), np.linalg.norm(bodies.com, axis=1).tolist()
    soft = np.maximum(np.minimum(bodies.stiffness[:, 0], bodies.stiffness[:, 2]), 1e-300).tolist()
    weight = [_GRAVITY * m for m in mass]
    moment = [w * c for w, c in zip(weight, centre, strict=True)]
    reach = [2.0 * c for c in centre]  # from the joint to the farthest tip beyond it
    sag = [0.0] * len(parent)  # of that tip
    bends = np.ones(len(parent), dtype=bool) if rods is None else np.isin(model.body_rod, list(rods))
    below = (model.stub * model.length)[model.body_rod].tolist()  # what of a root's rod is rigid
    worst = 0.0
    for i in range(len(parent) - 1, -1, -1):
        sag[i] += moment[i] / soft[i] * reach[i] if bends[i] else 0.0
        above = parent[i]
        if bends[i] and (above < 0 or not bends[above]):
            worst = max(worst, sag[i] / (reach[i] + below[i]))
        if above < 0:
            continue
        weight[above] += weight[i]
        moment[above] += moment[i] + step[i] * weight[i]
        if step[i] + reach[i] > reach[above]:
            reach[above], sag[above] = step[i] + reach[i], sag[i]
    return worst


def natural_young(model: Model, young: float) -> float:
    """Young's modulus (MPa) that keeps the plant up, no stiffer than the stiffest wood; the same where it does already.

    young: that of the model (MPa).
    """
    sag = level_sag(model)
    return young if sag <= _TOO_SOFT else max(young, min(young * sag / _SAG, STIFFEST_WOOD))


def carries_itself(model: Model) -> bool:
    """Whether the plant, were it drawn out level, would be held up more or less."""
    return level_sag(model) <= _TOO_SOFT
