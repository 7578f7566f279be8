# SPDX-License-Identifier: GPL-3.0-or-later
"""From a recipe to the skeleton that is grown, without Blender's data."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from ...lsystem import (
    ArticulatedBodies,
    Derived,
    Limits,
    LSystemError,
    ModuleString,
    Skeleton,
    Solids,
    articulated_skeleton,
    blades_in_few_rods,
    blades_of_tubes,
    body_frames,
    derive,
    derive_between,
    divided_leaves,
    interpret,
    interpret_between,
    is_articulated,
    nothing_drawn,
    read_articulated,
    undivided_leaves,
)
from .recipe import Recipe

#: A pot is not worth waiting for a larger string, which takes more than about half a second.
_MOST_MODULES_FOR_POT = 200_000
#: Up to so many leaves get so many bones each.
_NEAR = ((24, 5), (150, 3))


def drawn(
    recipe: Recipe, limits: Limits | None = None, solids: Solids | None = None
) -> tuple[Skeleton, ArticulatedBodies | None]:
    """The skeleton of the text among solids, and the bodies where it is one of those. Raises LSystemError."""
    grammar, prune_below = recipe.grammar, recipe.prune_below
    with _told_of_age(recipe):
        modules, between = _derived(recipe, limits, solids)
    if is_articulated(modules):
        bodies = read_articulated(modules, prune_below_length=prune_below, source=recipe.source)
        # A bone's frame must be its body's, so that inertia and springs keep their axes.
        return replace(articulated_skeleton(bodies), frame=body_frames(bodies)[1]), bodies
    with _told_of_age(recipe):
        if between is None:
            skeleton = interpret(modules, grammar, prune_below)
        else:
            skeleton = interpret_between(between, grammar, prune_below)
        if not len(skeleton):
            raise _nothing(recipe)
    bones = _leaf_bones(recipe, skeleton)
    return divided_leaves(blades_in_few_rods(skeleton, bones), bones), None


def _leaf_bones(recipe: Recipe, skeleton: Skeleton) -> int:
    """How many bones a leaf of one segment, or that is a tube, gets."""
    if recipe.leaves_bend_as:
        return recipe.leaves_bend_as
    leaves = np.count_nonzero(undivided_leaves(skeleton)) + len(blades_of_tubes(skeleton))
    return next((bones for most, bones in _NEAR if leaves <= most), 1)


def full_grown(recipe: Recipe, solids: Solids | None = None) -> Skeleton | None:
    """A younger plant as it will be; None of one that is fully grown, or that is not to be had at all."""
    if recipe.steps is None or recipe.steps >= recipe.grammar.steps:
        return None
    try:
        return drawn(replace(recipe, steps=None), Limits(max_modules=_MOST_MODULES_FOR_POT), solids)[0]
    except LSystemError:
        return None


def _derived(
    recipe: Recipe, limits: Limits | None, solids: Solids | None
) -> tuple[ModuleString, Derived | None]:
    """The string at the last whole step; at an age between two steps, of a text that does not draw this itself, also
    what that takes."""
    grammar, steps = recipe.grammar, recipe.steps
    if steps is None or not math.isfinite(steps) or not steps % 1.0 or not grammar.grows_between_steps:
        return derive(grammar, steps, recipe.seed, limits=limits, solids=solids), None
    between = derive_between(grammar, steps, recipe.seed, limits, solids)
    return between.before, between


@contextmanager
def _told_of_age(recipe: Recipe) -> Iterator[None]:
    """What fails beyond the age that the text has of itself may fail for that: the error says so."""
    try:
        yield
    except LSystemError as error:
        asked, own = recipe.steps, recipe.grammar.steps
        if asked is not None and asked > own:
            raise error.during(f"Age asks for {asked:g} steps, the text for {own}") from error
        raise


def _nothing(recipe: Recipe) -> LSystemError:
    grammar, steps = recipe.grammar, recipe.steps
    nothing = nothing_drawn(grammar, steps)
    if steps is None or steps >= grammar.steps:
        return nothing
    young = f"the plant is too young: nothing is drawn yet at Age {steps:g}, the text asks for {grammar.steps}"
    return LSystemError(f"{young} ({nothing.message})", source=grammar.source)
