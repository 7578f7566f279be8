# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare: the plant repeated in a row, each with its own value, baked under the same loads, in a scene of its own.

Every variant is simulated where the plant stands, in the user's scene, by the function that Bake uses: the wind at its
place, force fields, a moving base and handles act on it to the last bit as they act on the plant. Then it is moved to
its place in the row. The user's scene is afterwards as it was.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

import bpy
from mathutils import Matrix

from ..baking.bake import BakeOptions, bake
from ..blender.meanwhile import part
from ..changes import scene_inputs_changed
from ..dynamics.surroundings.inputs import own_targets
from ..errors import PlantError
from .animation import moves_by_itself, places, write_places
from .plots import MeasuredMotion, measured_in_steps
from .quantities import QUANTITIES, Quantity, Variant, set_variant
from .scene import Shot, set_up
from .sticks import add_sticks
from .values import Value
from .variants import air_kept, check_recipe, copy_plant, everything_of, regrow, remove, tail_of


@dataclass(frozen=True)
class CompareOptions:
    """What to compare. `values` is a typed list (see `read_values`), `constant` the L-system's, of that quantity.

    first_frame, last_frame: the bake's range; shot: the picture; measured: whether to keep every plant's motion for
    plots; allow_stopped: show plants too that did not settle or were stopped.
    """

    quantity: str
    values: str
    first_frame: int
    last_frame: int
    constant: str = ""
    shot: Shot = field(default_factory=Shot)
    measured: bool = False
    allow_stopped: bool = False


@dataclass
class Place:
    """One plant of the row: its objects, the Empty that carries it, its handles, the Empties by which these were moved
    to fit its size, and the text below it."""

    variant: Variant
    text: str
    carrier: bpy.types.Object
    handles: list[bpy.types.Object] = field(default_factory=list)
    fitted: list[bpy.types.Object] = field(default_factory=list)
    motion: MeasuredMotion | None = None

    def objects(self) -> list[bpy.types.Object]:
        """All of them."""
        return [*everything_of(self.variant), self.carrier, *self.handles, *self.fitted]


@dataclass
class Comparison:
    """The scene with the row, and the plants in it from left to right."""

    scene: bpy.types.Scene
    places: list[Place]


def compare(
    context: bpy.types.Context, obj: bpy.types.Object, options: CompareOptions
) -> Generator[float, None, Comparison]:
    """Compare values of a quantity, yielding progress 0..1.

    Given up at a yield, or after an error, it leaves nothing behind.
    """
    scene, quantity = context.scene, QUANTITIES[options.quantity]
    if obj.mode == "EDIT":
        raise PlantError("Leave Edit Mode first")
    values = quantity.read(options.values, obj, scene)
    if quantity.grown:
        for _ in check_recipe(context, obj):
            yield 0.0
    frames = range(options.first_frame, options.last_frame + 1)
    moved = yield from _moved_by_others(context, obj, frames)
    row: list[Place] = []
    try:
        with air_kept(scene):
            # What acts on the whole scene is simulated value by value, all else in one walk through its frames.
            groups = [[value] for value in values] if quantity.of_scene else [values]
            for number, group in enumerate(groups):
                with air_kept(scene):
                    for value in group:  # one by one: where a later one fails, the others are known
                        steps = _place(context, obj, quantity, value, options)
                        row.append((yield from part(steps, *[0.95 * number / len(groups)] * 2)))
                    for share in _simulate(context, row[-len(group) :], options):
                        yield 0.95 * (number + share) / len(groups)
        for place in row:
            _settle_down(obj, place, moved, frames)
            yield 0.95
        title = f"{options.constant if quantity.name == 'CONSTANT' else quantity.label} of {obj.name}"
        texts, shown = [place.text for place in row], [(place.carrier, place.objects()) for place in row]
        new = yield from part(set_up(scene, title, texts, shown, frames, options.shot), 0.95, 1.0 - 1e-6)
        return Comparison(new, row)
    except BaseException:  # given up, too
        remove([one for place in row for one in place.objects()])
        raise
    finally:
        if quantity.of_scene:
            scene_inputs_changed(scene)


def _place(
    context: bpy.types.Context, obj: bpy.types.Object, quantity: Quantity, value: Value | str, options: CompareOptions
) -> Generator[float, None, Place]:
    scene, text = context.scene, quantity.text_of(value)
    if quantity.grown:
        assert isinstance(value, Value)
        variant = yield from regrow(context, obj, quantity, options.constant, value)
    else:
        variant = copy_plant(obj, scene)
    carrier = bpy.data.objects.new(f"Place {text}", None)
    carrier.empty_display_size = 0.01
    place = Place(variant, text, carrier)
    try:
        if not quantity.grown:
            set_variant(quantity, variant, value)
        _repeat_handles(obj, place)
    except BaseException:
        remove(place.objects())
        raise
    return place


def _repeat_handles(obj: bpy.types.Object, place: Place) -> None:
    """A handle of its own for every load that has one, moved by as much as its tip has moved by growing longer."""
    for before, load in zip(own_targets(obj), own_targets(place.variant.obj), strict=True):
        shift = obj.matrix_world.to_3x3() @ (tail_of(place.variant.obj, load.bone) - tail_of(obj, before.bone))
        handle = load.target.copy()
        place.handles.append(handle)
        if moves_by_itself(load.target):
            empty = bpy.data.objects.new(f"Shift {handle.name}", None)
            empty.empty_display_size = 0.01
            empty.location = shift
            handle.parent = empty
            place.fitted.append(empty)
        load.target = handle


def _simulate(context: bpy.types.Context, row: list[Place], options: CompareOptions) -> Iterator[float]:
    """Bake the plants where the original stands, linked to the user's scene for as long as that takes."""
    collection = context.scene.collection
    there = [one for place in row for one in (place.variant.obj, *place.handles, *place.fitted)]
    for one in there:
        collection.objects.link(one)
    try:
        plants = [place.variant.obj for place in row]
        baked = BakeOptions(options.first_frame, options.last_frame, allow_stopped=options.allow_stopped)
        if not options.measured:
            yield from bake(context, plants, baked)
            return
        for share in bake(context, plants, baked):
            yield 0.5 * share
        for number, place in enumerate(row):
            steps = measured_in_steps(context, place.variant.obj, options.last_frame, options.allow_stopped)
            place.motion = yield from part(steps, 0.5 + 0.5 * number / len(row), 0.5 + 0.5 * (number + 1) / len(row))
    finally:
        for one in there:
            collection.objects.unlink(one)


def _moved_by_others(
    context: bpy.types.Context, obj: bpy.types.Object, frames: range
) -> Generator[float, None, dict[bpy.types.Object, list[Matrix]]]:
    """World matrices, frame by frame, of plant and handles that parents or constraints move, in steps."""
    handles = [load.target for load in own_targets(obj)]
    moved = [one for one in dict.fromkeys([obj, *handles]) if not moves_by_itself(one)]
    return (yield from places(context, moved, frames))


def _settle_down(
    obj: bpy.types.Object, place: Place, moved: dict[bpy.types.Object, list[Matrix]], frames: range
) -> None:
    """Have the carrier move plant and handles, which keep their motion."""
    top = place.variant.obj
    if obj in moved:
        write_places(top, moved[obj], frames)
    top.parent, top.matrix_parent_inverse = place.carrier, Matrix()
    for load, handle in zip(own_targets(obj), place.handles, strict=True):
        if load.target in moved:
            write_places(handle, moved[load.target], frames)
            handle.parent, handle.matrix_parent_inverse = place.carrier, Matrix()
    for empty in place.fitted:
        empty.parent = place.carrier
    if not place.variant.meshes:
        place.variant.meshes.append(add_sticks(top))
