# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the Grow panel: what they say to grow, and how they come to say it."""

from collections.abc import Mapping

import bpy

from ...lsystem import Constant, LSystemError, Preset, presets
from ..errors import PlantError
from .around import Around
from .labels import with_unit, words_for
from .provenance import recipe_of_plant, seed_of_property
from .recipe import Recipe

#: A constant is as the text has it when it differs by less than this share: properties are single precision.
_SAME = 1e-6
#: As files have the age of what has not taken a step: 0 is there the full one.
NO_STEP = -1.0


def _preset_of(options: bpy.types.PropertyGroup) -> Preset | None:
    """The chosen plant; None for one of a file from another version."""
    return next((preset for preset in presets() if preset.name == options.preset), None)


def text_of(options: bpy.types.PropertyGroup) -> tuple[str, str]:
    """Text of the L-system, and its name. Raises PlantError where none is chosen."""
    if options.source == "TEXT":
        if options.text is None:
            raise PlantError("Choose the plant's text in the Grow panel")
        return options.text.as_string(), options.text.name
    preset = _preset_of(options)
    if preset is None:
        raise PlantError("Choose a plant in the Grow panel: the one of before is no longer there")
    return preset.text, preset.title


def recipe_of(options: bpy.types.PropertyGroup) -> Recipe:
    """What the panel says to grow. Raises PlantError where it does not say it."""
    return Recipe(
        *text_of(options), _age_of(options), options.seed, changed_constants(options), options.prune_below, options.pot,
        options.detail, options.leaf_bones, options.instance_leaves, _around(options),
    )  # fmt: skip


def _around(options: bpy.types.PropertyGroup) -> Around | None:
    """What is chosen to grow around. Raises PlantError where it is to be chosen still."""
    if options.grows_around == "NOTHING":
        return None
    chosen: Around | None = getattr(options, f"around_{options.grows_around.lower()}")
    if chosen is None and options.sees_solids:
        raise PlantError("Choose in the Grow panel what the plant grows around, or Nothing")
    return chosen


def _show_around(options: bpy.types.PropertyGroup, around: Around | None) -> None:
    options.grows_around = "NOTHING"
    if isinstance(around, bpy.types.Object):
        options.around_object, options.grows_around = around, "OBJECT"
    elif around is not None:
        options.around_collection, options.grows_around = around, "COLLECTION"


def _age_of(options: bpy.types.PropertyGroup) -> float | None:
    if options.steps < 0.0:
        return 0
    return int(options.steps) or None if options.steps == int(options.steps) else options.steps


def changed_constants(options: bpy.types.PropertyGroup) -> dict[str, float]:
    """Values by name of the constants that are not as the text has them."""
    return {
        one.name: round(one.value) if one.is_whole else one.value
        for one in options.constants
        if abs(one.value - one.default) > _SAME * max(abs(one.default), 1e-9)
    }


def show_constants(options: bpy.types.PropertyGroup, values: Mapping[str, float] | None = None) -> None:
    """List the text's sliders, and other constants that have values of their own here. A text that cannot be read has
    none: Grow tells why."""
    options.constants.clear()
    options.text_steps = -1
    options.sees_solids = False
    try:
        grammar = Recipe(*text_of(options)).grammar
    except (LSystemError, PlantError):
        return
    options.text_steps = grammar.steps
    options.sees_solids = grammar.sees_solids
    values = {name: value for name, value in (values or {}).items() if name in grammar.constants}
    for slider in grammar.sliders:
        if slider.is_computed:
            continue
        one = options.constants.add()
        one.name, one.default, one.is_whole = slider.name, slider.value, slider.is_whole
        one.label = label_of(slider)
        one.has_range = slider.minimum is not None and slider.maximum is not None
        if one.has_range:
            one.lowest, one.highest = slider.minimum, slider.maximum
        one.value = values.pop(slider.name, slider.value)
    for name, value in values.items():
        one = options.constants.add()
        one.name, one.label, one.default, one.value = name, name, grammar.constants[name], value


def full_age(options: bpy.types.PropertyGroup) -> int | None:
    """The steps that the text itself takes, as it was last read; None for a text that was not, or cannot be."""
    if options.source == "PRESET":
        preset = _preset_of(options)
        return None if preset is None else preset.steps
    return options.text_steps if options.text is not None and options.text_steps >= 0 else None


def label_of(slider: Constant) -> str:
    """What a slider is called, in the text's own words."""
    return with_unit(words_for(slider.name, slider.description), slider.unit)


def show_constants_again(options: bpy.types.PropertyGroup) -> None:
    """The same for a text that may have been edited: what has been changed here stays."""
    show_constants(options, changed_constants(options))


def show_recipe_of(options: bpy.types.PropertyGroup, obj: bpy.types.Object) -> list[str]:
    """Have the Grow panel say how the plant was grown; returns what it cannot say. A text that has been edited since,
    or is gone, is written to a new one. Raises PlantError."""
    preset, recipe = obj.plant_dynamics.growth.preset, recipe_of_plant(obj)
    if preset:
        options.preset, options.source = preset, "PRESET"
    else:
        options.text, options.source = _text_with(recipe.text, recipe.source), "TEXT"
    show_constants(options, recipe.constants)
    steps, seed = recipe.steps, recipe.seed
    options.steps = 0.0 if steps is None else steps or NO_STEP
    options.seed, options.prune_below = seed_of_property(seed), recipe.prune_below
    options.pot, options.detail, options.instance_leaves = recipe.pot, recipe.detail, recipe.instanced
    options.leaf_bones = recipe.leaf_bones
    _show_around(options, recipe.around)
    if options.seed == seed:
        return []
    return [
        f"'{obj.name}' was grown with seed {seed}, which the panel cannot hold: Grow Again would take {options.seed}"
    ]


def _text_with(content: str, name: str) -> bpy.types.Text:
    named = bpy.data.texts.get(name)
    for text in ([named] if named else []) + list(bpy.data.texts):
        if text.as_string() == content:
            return text
    text = bpy.data.texts.new(name)
    text.write(content)
    return text
