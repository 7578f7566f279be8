# SPDX-License-Identifier: GPL-3.0-or-later
"""From the text of an L-system to a dynamic plant in the scene."""

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import bpy
import numpy as np

from ...lsystem import (
    ArticulatedBodies,
    Derived,
    Grammar,
    Limits,
    LSystemError,
    ModuleString,
    Skeleton,
    articulated_skeleton,
    body_frames,
    derive,
    derive_between,
    interpret,
    interpret_between,
    is_articulated,
    nothing_drawn,
    parse,
    read_articulated,
)
from ..dynamics.meanwhile import meanwhile, result_of
from ..dynamics.quaternions import conjugate, multiply, rotation_vectors
from ..errors import PlantError
from ..user_choices import start_as_chosen
from .growth import remember
from .plant import plant_in_steps

#: To add bones takes Blender a time that grows with the square of their number: 10 000 need some seconds.
MOST_BONES = 10_000
#: A pot is not worth waiting for a larger string, which takes more than about half a second.
_MOST_MODULES_FOR_POT = 200_000


def grow_from_text(context: bpy.types.Context, text: str, source: str, **growth: Any) -> bpy.types.Object:
    """`grown_in_steps`, all at once."""
    return result_of(grown_in_steps(context, text, source, **growth))


def grown_in_steps(
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
) -> Generator[float, None, bpy.types.Object]:
    """Derive the L-system and add the plant, ready to play, yielding progress 0..1; returns its armature object, named
    as the text says.

    Steps may lie between two whole ones: the last is then partly grown. `constants` replaces values of the text's.
    Texts of turtle modules and of articulated bodies (B and J) are both read; what is shorter than prune_below (m) is
    left out. Errors name the source. Raises LSystemError and PlantError; the scene is then as before, as it is when
    this is given up.
    """
    grammar = parse(text, source, constants)
    name = grammar.name or source
    skeleton, bodies = yield from meanwhile(partial(_drawn, grammar, source, steps, seed, prune_below))
    full_grown = None
    if pot:
        full_grown = yield from meanwhile(partial(_full_grown, grammar, steps, seed, prune_below))
    armature = yield from plant_in_steps(
        context, _bounded(skeleton), name, pot=pot, location=location, detail=detail, instanced=instanced,
        full_grown=full_grown,
    )  # fmt: skip
    if bodies is not None:
        _write_bodies(armature, bodies)
    settings = armature.plant_dynamics
    settings.is_dynamic = True
    start_as_chosen(settings)
    settings.bones_have_materials = all(_has_material(bone.plant_dynamics) for bone in armature.data.bones)
    remember(
        armature, text, source, steps=steps, seed=seed, constants=constants, prune_below=prune_below, pot=pot,
        detail=detail, instanced=instanced,
    )  # fmt: skip
    return armature


def _drawn(
    grammar: Grammar, source: str, steps: float | None, seed: int, prune_below: float
) -> tuple[Skeleton, ArticulatedBodies | None]:
    """The skeleton of the text, and the bodies where it is one of those."""
    with _told_of_age(grammar, steps):
        modules, between = _derived(grammar, steps, seed)
    if is_articulated(modules):
        bodies = read_articulated(modules, prune_below_length=prune_below, source=source)
        return _skeleton_of(bodies), bodies
    with _told_of_age(grammar, steps):
        skeleton = (
            interpret(modules, grammar, prune_below)
            if between is None
            else interpret_between(between, grammar, prune_below)
        )
        _some(skeleton, grammar, steps)
    return skeleton, None


def _derived(grammar: Grammar, steps: float | None, seed: int) -> tuple[ModuleString, Derived | None]:
    """The string at the last whole step; at an age between two steps, of a text that does not draw this itself, also
    what that takes."""
    if steps is None or not math.isfinite(steps) or not steps % 1.0 or grammar.draws_its_own_growth:
        return derive(grammar, steps, seed), None
    between = derive_between(grammar, steps, seed)
    return between.before, between


def _skeleton_of(bodies: ArticulatedBodies) -> Skeleton:
    """A bone's frame must be its body's, so that inertia and springs keep their axes."""
    return replace(articulated_skeleton(bodies), frame=body_frames(bodies)[1])


def _full_grown(grammar: Grammar, steps: float | None, seed: int, prune_below: float) -> Skeleton | None:
    """A younger plant as it will be; None of one that is fully grown, or that is not to be had at all."""
    if steps is None or steps >= grammar.steps:
        return None
    try:
        modules = derive(grammar, None, seed, limits=Limits(max_modules=_MOST_MODULES_FOR_POT))
        if is_articulated(modules):
            return articulated_skeleton(read_articulated(modules, prune_below_length=prune_below))
        skeleton = interpret(modules, grammar, prune_below)
    except LSystemError:
        return None
    return skeleton if len(skeleton) else None


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
