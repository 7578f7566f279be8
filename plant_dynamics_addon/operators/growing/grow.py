# SPDX-License-Identifier: GPL-3.0-or-later
"""Grow a plant from an L-system."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import BoolProperty
from bpy.types import Context, Event, Operator, PropertyGroup
from mathutils import Vector

from ....lsystem import LSystemError
from ...blender.in_bulk import values_of
from ...dynamics.kernels.warm_up import compile_ahead
from ...dynamics.live.at_work import poll_idle
from ...dynamics.surroundings.winds import give_wind, is_wind_chosen, is_windy
from ...errors import PlantError
from ...grow.around import foot_of
from ...grow.from_text import grown_in_steps
from ...grow.objects.in_pot import pots_of, touch_pot
from ...grow.objects.parts import is_part_of
from ...grow.options import changed_constants, recipe_of, show_constants, show_constants_again, show_recipe_of, text_of
from ...grow.recipe import Recipe
from ...grow.regrow import check_regrowable, regrown_in_steps
from ...plants import dynamic_objects
from ...viewport.hidden import hiding
from ...viewport.in_view import frame
from ..common import AtOnce, needs
from ..slow_work import SlowWork
from .text_editors import show_place, show_text

#: Plants whose feet are no farther apart (m) stand in each other.
_SAME_PLACE = 1e-3


class PLANT_DYNAMICS_OT_grow(SlowWork, Operator):
    """Grow the plant at the 3D cursor: an armature that is ready to move, with a skin"""

    bl_idname = "plant_dynamics.grow"
    bl_label = "Grow"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        options = context.scene.plant_dynamics
        has_source = options.source != "TEXT" or options.text is not None
        return poll_idle(cls) and needs(cls, has_source, "Choose a text with an L-system")

    breeze: BoolProperty(
        name="Breeze",
        description="Let a breeze that suits the plant blow through the scene, so that Play shows it in motion. Not "
        "where a wind has been chosen, or where other plants stand still",
        options={"SKIP_SAVE"},
    )  # fmt: skip

    touch_pot: BoolProperty(
        name="Touch Pot",
        description="Have the plant touch the pot that it is grown with, so that no leaf goes through it",
        options={"SKIP_SAVE"},
    )

    into_view: BoolProperty(
        name="Into View",
        description="Frame the plant in the 3D view if nothing of it is seen there, or if it is the only one and a "
        "part is not seen or it is small. Not what a camera sees",
        options={"SKIP_SAVE"},
    )

    doing, given_up = "Growing", "Grow cancelled, nothing was changed"
    uses_solver = False

    result: bpy.types.Object
    _place: Vector
    _suiting: float | None  # wind, m/s

    def invoke(self, context: Context, event: Event) -> set[str]:
        self.breeze = self.touch_pot = self.into_view = True  # scripts say so themselves
        return super().invoke(context, event)

    def work(self, context: Context) -> Generator[float, None, bpy.types.Object]:
        options = context.scene.plant_dynamics
        with _shown_in_text(context, options):
            recipe, self._place = _read_again(options), context.scene.cursor.location.copy()
            self._suiting = recipe.grammar.breeze
            return (yield from grown_in_steps(context, recipe, self._place))

    def _is_place_of(self, plant: bpy.types.Object) -> bool:
        """Whether another plant stands where this one grows, with or without a pot."""
        return bool((foot_of(plant).translation - self._place).length < _SAME_PLACE)

    def finished(self, context: Context) -> set[str]:
        obj = self.result
        compile_ahead()
        if self.breeze and dynamic_objects(context.scene) == [obj] and not is_wind_chosen(context.scene):
            give_wind(context, self._suiting)
        if self.touch_pot and pots_of(obj):
            touch_pot(obj)
        told = rpt_("{plant}: {count} bones").format(plant=obj.name, count=len(obj.data.bones))
        if self.into_view:
            box = _box(obj, self._place)
            frame(context, *box, is_only=dynamic_objects(context.scene) == [obj])
            if (around := hiding(context, *box)) is not None:
                text = rpt_("It is hidden inside '{object}': move it (G), or hide or delete '{object}'")
                told = f"{told}. {text.format(object=around.name)}"
        if is_wind_chosen(context.scene) and is_windy(context.scene):
            told = f"{told}. {rpt_('The wind that was chosen for this scene blows')}"
        within = next((one for one in dynamic_objects(context.scene) if one != obj and self._is_place_of(one)), None)
        if within is not None:
            text = rpt_("It stands within '{plant}': move it (G), or set the 3D cursor before you grow the next")
            told = f"{told}. {text.format(plant=within.name)}"
        self.report({"INFO"}, told)
        return {"FINISHED"}


def _box(plant: bpy.types.Object, foot: Vector) -> tuple[list[float], list[float]]:
    """The lowest and the highest place of a plant that has just been grown, m, world axes."""
    ends = np.concatenate([values_of(plant.data.bones, name, 3) for name in ("head_local", "tail_local")])
    places = np.concatenate([ends + np.array(plant.location), np.array([foot])])
    return places.min(axis=0).tolist(), places.max(axis=0).tolist()


def _read_again(options: PropertyGroup) -> Recipe:
    """What the panel says. A text may have been edited, so its constants are listed anew; those of the plant that a new
    file begins with are for the first time."""
    if options.source == "TEXT" or not options.constants:
        show_constants_again(options)
    return recipe_of(options)


@contextmanager
def _shown_in_text(context: Context, options: PropertyGroup) -> Iterator[None]:
    """An error that knows its place in the text is shown there."""
    try:
        yield
    except LSystemError as error:
        if options.source == "TEXT" and error.line:
            show_place(context, options.text, error.line, error.column)
        raise


def grown_plant(context: Context) -> bpy.types.Object | None:
    """The plant that was grown here and is active, or that the active object belongs to, as mesh, pot or handle do."""
    return _plant_of(context.object, context.scene)


def _plant_of(active: bpy.types.Object | None, scene: bpy.types.Scene) -> bpy.types.Object | None:
    obj = active
    while obj is not None and obj.type != "ARMATURE":
        obj = obj.parent
    if obj is None and active is not None:
        obj = next((one for one in dynamic_objects(scene) if _belongs_to(active, one)), None)
    return obj if obj is not None and obj.plant_dynamics.growth.is_known else None


def grown_plants(context: Context) -> list[bpy.types.Object]:
    """The same of the active and all selected objects, each plant once."""
    found = [_plant_of(one, context.scene) for one in (context.object, *context.selected_objects)]
    return [one for one in dict.fromkeys(found) if one is not None]


def _belongs_to(active: bpy.types.Object, plant: bpy.types.Object) -> bool:
    """As the handle of a load, or as a part that is no child of the plant any more."""
    return any(load.target == active for load in plant.plant_dynamics.loads) or is_part_of(active, plant)


def _poll_grown(cls: type[Operator], context: Context) -> bool:
    return needs(cls, grown_plant(context), "Select a plant that was grown here")


class PLANT_DYNAMICS_OT_regrow(SlowWork, Operator):
    """Replace the active plant by one with these settings. Place, dynamics, loads and materials stay; what was set on \
single bones is lost where the bones differ"""

    bl_idname = "plant_dynamics.regrow"
    bl_label = "Grow Again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        if not (PLANT_DYNAMICS_OT_grow.poll(context) and _poll_grown(cls, context)):
            return False
        try:
            check_regrowable(grown_plant(context))
        except PlantError as error:
            return needs(cls, False, str(error))
        return True

    doing, given_up = "Growing", "Grow Again cancelled, nothing was changed"
    uses_solver, plays_on = False, True

    _plant: bpy.types.Object
    _had_pot = False
    result: list[str]

    touch_pot: BoolProperty(
        name="Touch Pot", description="Have the plant touch a pot that it has not had before", options={"SKIP_SAVE"}
    )

    def invoke(self, context: Context, event: Event) -> set[str]:
        self.touch_pot = True  # scripts say so themselves
        return super().invoke(context, event)

    def work(self, context: Context) -> Generator[float, None, list[str]]:
        options, self._plant = context.scene.plant_dynamics, grown_plant(context)
        self._had_pot = bool(pots_of(self._plant))
        with _shown_in_text(context, options):
            return (yield from regrown_in_steps(context, self._plant, _read_again(options)))

    def finished(self, context: Context) -> set[str]:
        obj, told = self._plant, self.result
        compile_ahead()
        if self.touch_pot and not self._had_pot and pots_of(obj):
            touch_pot(obj)
        if told:
            self.report({"WARNING"}, f"{obj.name}: {'. '.join(told)}")
        else:
            self.report({"INFO"}, rpt_("{plant}: {count} bones").format(plant=obj.name, count=len(obj.data.bones)))
        return {"FINISHED"}


class PLANT_DYNAMICS_OT_growth_to_panel(AtOnce):
    """Have this panel say how the active plant was grown"""

    bl_idname = "plant_dynamics.growth_to_panel"
    bl_label = "Settings of the Plant"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return _poll_grown(cls, context)

    def act(self, context: Context) -> None:
        for told in show_recipe_of(context.scene.plant_dynamics, grown_plant(context)):
            self.report({"WARNING"}, told)


class PLANT_DYNAMICS_OT_preset_to_text(AtOnce):
    """Copy the preset's L-system to a text, to be changed"""

    bl_idname = "plant_dynamics.preset_to_text"
    bl_label = "Edit as Text"

    def act(self, context: Context) -> None:
        options = context.scene.plant_dynamics
        content, title = text_of(options)
        text = bpy.data.texts.new(f"{title}.lsys")
        text.write(content)
        text.cursor_set(0)
        age, constants = options.steps, changed_constants(options)
        options.text = text
        options.source = "TEXT"
        show_constants(options, constants)
        options.steps = age  # it is the same plant still
        show_text(context, text)
        self.report({"INFO"}, rpt_("'{text}' can be edited in the Text Editor").format(text=text.name))


class PLANT_DYNAMICS_OT_reset_constants(AtOnce):
    """Give all constants the values that the plant's text has for them"""

    bl_idname = "plant_dynamics.reset_constants"
    bl_label = "Values of the Text"

    def act(self, context: Context) -> None:
        show_constants(context.scene.plant_dynamics)


class PLANT_DYNAMICS_OT_show_constants(AtOnce):
    """List the constants of the L-system that can be changed here, as its text has them now"""

    bl_idname = "plant_dynamics.show_constants"
    bl_label = "Show Constants"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return PLANT_DYNAMICS_OT_grow.poll(context)

    def act(self, context: Context) -> None:
        options = context.scene.plant_dynamics
        show_constants_again(options)
        if not options.constants:
            self.report({"INFO"}, "This text has no 'let' lines")
