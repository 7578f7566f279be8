# SPDX-License-Identifier: GPL-3.0-or-later
"""From the text of an L-system to a dynamic plant in the scene."""

import math
from collections.abc import Generator, Sequence
from functools import partial

import bpy
import numpy as np

from ...lsystem import ArticulatedBodies, body_frames
from ...solver import rotations
from ..blender.meanwhile import meanwhile, result_of
from ..errors import PlantError
from ..material_columns import columns_of
from ..user_choices import start_as_chosen
from .around import foot_at, foot_of, solids_for
from .objects.pot import fitting_pot
from .plant import plant_in_steps
from .provenance import remember
from .recipe import Recipe
from .skeletons import drawn, full_grown

#: To add bones takes Blender a time that grows with the square of their number: 10 000 need some seconds.
MOST_BONES = 10_000


def grow_from_text(
    context: bpy.types.Context, recipe: Recipe, location: Sequence[float] | None = None
) -> bpy.types.Object:
    """`grown_in_steps`, all at once."""
    return result_of(grown_in_steps(context, recipe, location))


def grown_in_steps(
    context: bpy.types.Context, recipe: Recipe, location: Sequence[float] | None = None,
    instead_of: bpy.types.Object | None = None,
) -> Generator[float, None, bpy.types.Object]:  # fmt: skip
    """Derive the L-system and add the plant, ready to play, yielding progress 0..1; returns its armature object, named
    as the text says.

    instead_of: a plant in whose place it grows among the solids around it, wherever it stands afterwards.
    Texts of turtle modules and of articulated bodies (B and J) are both read. Errors name the source. Raises
    LSystemError and PlantError; the scene is then as before, as it is when this is given up.
    """
    name = recipe.title
    foot = foot_at(context.scene.cursor.location if location is None else location)
    solids = solids_for(
        context, recipe.grammar, recipe.around, foot if instead_of is None else foot_of(instead_of), instead_of
    )
    skeleton, bodies = yield from meanwhile(partial(drawn, recipe, solids=solids))
    later = (yield from meanwhile(partial(full_grown, recipe, solids))) if recipe.pot else None
    if recipe.pot and solids is not None:
        # it stands as much higher as its pot is deep, which is that of the plant as it would be without
        later = later or skeleton
        higher = solids.moved((0.0, 0.0, -fitting_pot(later).depth))
        skeleton, bodies = yield from meanwhile(partial(drawn, recipe, solids=higher))
    if len(skeleton) > MOST_BONES:
        raise PlantError(
            "This would grow {count} bones, more than {most}. Take a smaller Age, or Prune Below {length} in Options",
            count=len(skeleton), most=MOST_BONES, length=f"{_length_of_most(skeleton.length):.3g} m",
        )
    grammar = recipe.grammar
    is_of_cpfg = grammar.program is not None  # whose files say all of their shapes
    armature = yield from plant_in_steps(
        context, skeleton, name, recipe, location, later, grammar.colours, is_of_cpfg
    )
    if bodies is not None:
        _write_bodies(armature, bodies)
    settings = armature.plant_dynamics
    settings.is_dynamic = True
    settings.flutter = 1.0
    start_as_chosen(settings)
    settings.bones_have_materials = all(_has_material(bone.plant_dynamics) for bone in armature.data.bones)
    remember(armature, recipe)
    return armature


def _length_of_most(length: np.ndarray) -> float:
    """The least length (m) of two digits that no more segments have than may become bones."""
    next_one = float(np.sort(length)[-MOST_BONES - 1])
    digit = 10.0 ** (math.floor(math.log10(next_one)) - 1)
    return (math.floor(next_one / digit) + 1) * digit


def _write_bodies(armature: bpy.types.Object, bodies: ArticulatedBodies) -> None:
    """Give the bones exactly the masses, inertias and springs of the string; the root body is fixed to the ground."""
    rest, begun = body_frames(bodies)[1], body_frames(bodies, initial=True)[1]
    of_parent = [max(0, int(k)) for k in bodies.parent]
    relaxed, turned = (rotations.multiply(rotations.conjugate(frame[of_parent]), frame) for frame in (rest, begun))
    initial = rotations.logarithm(rotations.multiply(rotations.conjugate(relaxed), turned))
    for i, bone in enumerate(armature.data.bones):
        physics = bone.plant_dynamics
        physics.pinned = i == 0
        if physics.pinned:
            continue  # the root never moves, and may have no mass
        physics.use_body = True
        physics.mass = bodies.mass[i]
        physics.center_of_mass = bodies.com[i]
        physics.inertia = bodies.inertia[i]
        physics.stiffness = bodies.stiffness[i]
        physics.initial_rotation = initial[i]
    armature.plant_dynamics.layout = "base"
    if np.any(initial):
        armature.plant_dynamics.start = "drawn"  # settling would undo the initial angles


def _has_material(physics: bpy.types.PropertyGroup) -> bool:
    """Whether nothing is left for the armature's material to say."""
    inherited = (column.inherits(getattr(physics, column.name)) for column in columns_of("MATERIAL") if column.grown)
    return physics.use_body or physics.pinned or not any(inherited)
