# SPDX-License-Identifier: GPL-3.0-or-later
"""From the text of an L-system to a dynamic plant in the scene."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import bpy
import numpy as np

from ...lsystem import (
    ArticulatedBodies,
    Grammar,
    LSystemError,
    Skeleton,
    articulated_skeleton,
    body_frames,
    derive,
    draw,
    interpret,
    is_articulated,
    nothing_drawn,
    parse,
    read_articulated,
)
from ..dynamics.quaternions import conjugate, multiply, rotation_vectors
from ..errors import PlantError
from ..user_choices import start_as_chosen
from .plant import grow_plant

#: To add bones takes Blender a time that grows with the square of their number: 10 000 need some seconds.
MOST_BONES = 10_000


def grow_from_text(
    context: bpy.types.Context,
    text: str,
    source: str,
    *,
    steps: float | None = None,
    seed: int = 0,
    constants: Mapping[str, float] | None = None,
    prune_below: float = 1e-4,
    pot: bool = False,
    location: Sequence[float] | None = None,
    detail: str = "AUTO",
    instanced: bool = False,
) -> bpy.types.Object:
    """Derive the L-system and add the plant, ready to play; returns its armature object, named as the text says.

    Steps may lie between two whole ones: the last is then partly grown. `constants` replaces values of the text's.
    Texts of turtle modules and of articulated bodies (B and J) are both read; what is shorter than prune_below (m) is
    left out. Errors name the source. Raises LSystemError and PlantError; the scene
    is then as before.
    """
    grammar = parse(text, source, constants)
    name = grammar.name or source
    with _told_of_age(grammar, steps):
        modules = derive(grammar, steps, seed)
    options = {"pot": pot, "location": location, "detail": detail, "instanced": instanced}
    if is_articulated(modules):
        bodies = read_articulated(modules, prune_below_length=prune_below, source=source)
        # A bone's frame must be its body's, so that inertia and springs keep their axes.
        skeleton = _bounded(replace(articulated_skeleton(bodies), frame=body_frames(bodies)[1]))
        armature = grow_plant(context, skeleton, name, **options)
        _write_bodies(armature, bodies)
    else:
        between = steps is not None and steps != int(steps)
        with _told_of_age(grammar, steps):
            skeleton = (
                draw(grammar, steps, seed, prune_below=prune_below)
                if between
                else interpret(modules, grammar, prune_below=prune_below)
            )
            _some(skeleton, grammar, steps)
        armature = grow_plant(context, _bounded(skeleton), name, **options)
    settings = armature.plant_dynamics
    settings.is_dynamic = True
    start_as_chosen(settings)
    settings.bones_have_materials = all(_has_material(bone.plant_dynamics) for bone in armature.data.bones)
    return armature


@contextmanager
def _told_of_age(grammar: Grammar, steps: float | None) -> Iterator[None]:
    """What fails beyond the age that the text has of itself may fail for that: the error says so."""
    try:
        yield
    except LSystemError as error:
        if steps is not None and steps > grammar.steps:
            raise error.during(f"Age asks for {steps:g} steps, the text for {grammar.steps}") from error
        raise


def _some(skeleton: Skeleton, grammar: Grammar, steps: float | None) -> None:
    if len(skeleton):
        return
    nothing = nothing_drawn(grammar, steps)
    if steps is not None and steps < grammar.steps:
        young = f"the plant is too young: nothing is drawn yet at Age {steps:g}, the text asks for {grammar.steps}"
        raise LSystemError(f"{young} ({nothing.message})", source=grammar.source)
    raise nothing


def _bounded(skeleton: Skeleton) -> Skeleton:
    if len(skeleton) > MOST_BONES:
        raise PlantError(
            f"This would grow {len(skeleton)} bones, more than {MOST_BONES}. "
            "Take a smaller Age, or a larger Prune Below"
        )
    return skeleton


def _write_bodies(armature: bpy.types.Object, bodies: ArticulatedBodies) -> None:
    """Give the bones exactly the masses, inertias and springs of the string; the root body is fixed to the ground."""
    rest, begun = body_frames(bodies)[1], body_frames(bodies, initial=True)[1]
    of_parent = [max(0, int(k)) for k in bodies.parent]
    relaxed, turned = (multiply(conjugate(frame[of_parent]), frame) for frame in (rest, begun))
    initial = rotation_vectors(multiply(conjugate(relaxed), turned))
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
    own = physics.young_modulus > 0.0 and physics.density > 0.0 and physics.poisson > -1.0
    return physics.use_body or physics.pinned or own
