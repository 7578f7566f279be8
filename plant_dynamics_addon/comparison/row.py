# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare: the plant repeated in a row, each with its own value, baked under the same loads, in a scene of its own.

Every variant is simulated where the plant stands, in the user's scene, by the function that Bake uses: the wind at its
place, force fields, a moving base, colliders and handles act on it to the last bit as they act on the plant. What the
plant moves, and the plants that it touches or is tied to, are repeated and simulated with each. Then all are moved to
their place in the row. The user's scene is afterwards as it was.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

import bpy
from bpy.app.translations import pgettext_rpt as rpt_
from mathutils import Matrix

from ...solver import Collider
from ..baking.bake import BakeOptions, bake
from ..blender.meanwhile import part
from ..changes import scene_inputs_changed
from ..dynamics.motion.sessions import session_of
from ..dynamics.motion.ties import going_with, in_order
from ..dynamics.surroundings.colliders import simulated_anew
from ..dynamics.surroundings.inputs import own_targets
from ..dynamics.surroundings.instances import told
from ..errors import PlantError
from ..relations import group_of
from ..rigging.warnings import named
from .animation import moves_by_itself, places
from .around import bends_with_others, colliders_of, copies_of, copy_collider, instances_of
from .plots import MeasuredMotion, measured_in_steps
from .quantities import QUANTITIES, Quantity, Variant, set_variant
from .scene import Around, Shot, Shown, set_up
from .values import Value
from .variants import (
    air_kept,
    carried,
    check_recipe,
    copy_plant,
    everything_of,
    moved_by,
    regrow,
    remove,
    repeat_handles,
    tie_copies,
)


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
    """One plant of the row, the plants that go with it, the Empty that carries all of them, the text below it, and what
    stands around for them to touch."""

    variant: Variant
    text: str
    carrier: bpy.types.Object
    beside: list[Variant] = field(default_factory=list)
    around: list[bpy.types.Object] = field(default_factory=list)
    motion: MeasuredMotion | None = None

    def plants(self) -> list[Variant]:
        """Those that are simulated together, first the one that is compared."""
        return [self.variant, *self.beside]

    def shown(self) -> Shown:
        """What the new scene gets."""
        plant, *beside = [[*everything_of(one), *one.handles, *one.fitted] for one in self.plants()]
        things = [thing for one in self.plants() for thing in one.things]
        return Shown(self.carrier, plant, [one for objects in beside for one in objects], things)

    def objects(self) -> list[bpy.types.Object]:
        """All of them."""
        return [*self.shown().objects(), self.carrier, *self.around]


@dataclass
class Comparison:
    """The scene with the row, and the plants in it from left to right; the names of what each moves, of the plants that
    go with it, and of colliders that are not seen in the row."""

    scene: bpy.types.Scene
    places: list[Place]
    things: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def told(self) -> str:
        """What was made, and what was taken along."""
        text = rpt_("{count} plants in the scene '{scene}'").format(count=len(self.places), scene=self.scene.name)
        if self.things:
            text += rpt_("; each moves its own {names}").format(names=named(self.things))
        if self.beside:
            text += rpt_("; each goes with its own {names}").format(names=named(self.beside))
        if self.left_out:
            text += rpt_("; touched but not shown: {names}").format(names=named(self.left_out))
        return text


def compare(
    context: bpy.types.Context, obj: bpy.types.Object, options: CompareOptions
) -> Generator[float, None, Comparison]:
    """Compare values of a quantity, yielding progress 0..1.

    Given up at a yield, or after an error, it leaves nothing behind.
    """
    scene, quantity = context.scene, QUANTITIES[options.quantity]
    company = [obj, *going_with(obj, scene)]
    things = [thing for one in company for thing in moved_by(one, scene)]
    if any(one.mode == "EDIT" for one in (*company, *things)):
        raise PlantError("Leave Edit Mode first")
    values = quantity.read(options.values, obj, scene)
    if quantity.grown:
        for _ in check_recipe(context, obj):
            yield 0.0
    frames = range(options.first_frame, options.last_frame + 1)
    row: list[Place] = []
    copies: dict[str, bpy.types.Object] = {}
    materials = {one.session_uid for one in bpy.data.materials}
    try:
        with air_kept(scene), simulated_anew(company):
            touched = colliders_of(company, scene)
            moved = yield from _moved_by_others(context, [*company, *touched], frames)
            # What acts on the whole scene is simulated value by value, all else in one walk through its frames.
            groups = [[value] for value in values] if quantity.of_scene else [values]
            for number, group in enumerate(groups):
                with air_kept(scene):
                    for value in group:  # one by one: where a later one fails, the others are known
                        steps = _place(context, company, quantity, value, options)
                        row.append((yield from part(steps, *[0.95 * number / len(groups)] * 2)))
                    for share in _simulate(context, row[-len(group) :], options):
                        yield 0.95 * (number + share) / len(groups)
            instanced = yield from part(instances_of(context, company, _touched_by(row), frames), 0.95, 0.95)
        copies |= copies_of(instanced, frames)
        for place in row:
            for variant in place.plants():
                carried(variant, place.carrier, moved, frames)
            yield 0.95
        copies |= {one.name_full: copy_collider(one, moved, frames) for one in touched if not bends_with_others(one)}
        title = f"{options.constant if quantity.name == 'CONSTANT' else quantity.label} of {obj.name}"
        texts, shown = [place.text for place in row], [place.shown() for place in row]
        around = Around(copies, _colliders_at_start(row[0]))
        made = yield from part(set_up(scene, title, texts, shown, around, frames, options.shot), 0.95, 1.0 - 1e-6)
    except BaseException:  # given up, too
        remove([*copies.values(), *(one for place in row for one in place.objects())])
        bpy.data.batch_remove([one for one in bpy.data.materials if not (one.users or one.session_uid in materials)])
        raise
    finally:
        if quantity.of_scene:
            scene_inputs_changed(scene)
    made.scene.plant_dynamics_compare.holds_comparison = True
    for place, beside in zip(row, made.around, strict=True):
        place.around = beside
    remove([one for one in copies.values() if not one.users_collection])
    seen = {told(name) for name in copies if name not in made.left_out}
    not_copied = [name for name in (*(one.name_full for one in touched), *instanced) if name not in copies]
    missing = dict.fromkeys(told(name) for name in (*made.left_out, *not_copied))
    left_out = [name for name in missing if name not in seen]
    return Comparison(made.scene, row, [one.name for one in things], [one.name for one in company[1:]], left_out)


def _place(
    context: bpy.types.Context, company: list[bpy.types.Object], quantity: Quantity, value: Value | str,
    options: CompareOptions,
) -> Generator[float, None, Place]:  # fmt: skip
    """The first plant of the company with that value, and the others beside it."""
    (obj, *others), scene, text = company, context.scene, quantity.text_of(value)
    if quantity.grown:
        assert isinstance(value, Value)
        variant = yield from regrow(context, obj, quantity, options.constant, value)
    else:
        variant = copy_plant(obj, scene, company)
    carrier = bpy.data.objects.new(f"Place {text}", None)
    carrier.empty_display_size = 0.01
    place = Place(variant, text, carrier)
    try:
        for other in others:
            place.beside.append(copy_plant(other, scene, company))
        _keep_together(place)
        tie_copies(place.plants())
        if not quantity.grown:
            set_variant(quantity, variant, value)
        for one in place.beside:
            if group_of(one.obj) != group_of(variant.obj):  # else the two would not touch any more
                set_variant(quantity, one, value)
        for one in place.plants():
            repeat_handles(one)
    except BaseException:
        remove(place.objects())
        raise
    return place


def _keep_together(place: Place) -> None:
    """The plants of the place touch each other and no others, in the order of those that they repeat."""
    by_original = {one.original: one.obj.plant_dynamics.contact for one in place.plants()}
    company = 1 + max(one.plant_dynamics.contact.company for one in bpy.data.objects)
    for rank, original in enumerate(in_order(list(by_original))):
        by_original[original].company, by_original[original].rank = company, rank


def _simulate(context: bpy.types.Context, row: list[Place], options: CompareOptions) -> Iterator[float]:
    """Bake the plants where the originals stand, linked to the user's scene for as long as that takes."""
    collection = context.scene.collection
    variants = [one for place in row for one in place.plants()]
    there = [one for plant in variants for one in (plant.obj, *plant.handles, *plant.fitted, *plant.things)]
    for one in there:
        collection.objects.link(one)
    try:
        with simulated_anew([one.obj for one in variants]):  # when they are baked they do not act on the user's plants
            yield from _bake(context, row, [one.obj for one in variants], options)
    finally:
        for one in there:
            collection.objects.unlink(one)


def _bake(
    context: bpy.types.Context, row: list[Place], plants: list[bpy.types.Object], options: CompareOptions
) -> Iterator[float]:
    """Bake all of them, and measure the first of each place where that is wanted."""
    share = 0.5 if options.measured else 1.0
    baked = BakeOptions(options.first_frame, options.last_frame, allow_stopped=options.allow_stopped)
    for progress in bake(context, plants, baked):
        yield share * progress
    if options.measured:
        for number, place in enumerate(row):
            steps = measured_in_steps(context, place.variant.obj, options.last_frame, options.allow_stopped)
            first, last = 1.0 + number / len(row), 1.0 + (number + 1) / len(row)
            place.motion = yield from part(steps, share * first, share * last)


def _moved_by_others(
    context: bpy.types.Context, objects: list[bpy.types.Object], frames: range
) -> Generator[float, None, dict[bpy.types.Object, list[Matrix]]]:
    """World matrices, frame by frame, of those objects, and plants' handles, that parents or constraints move, in
    steps."""
    handles = [load.target for obj in objects if obj.type == "ARMATURE" for load in own_targets(obj)]
    moved = [one for one in dict.fromkeys([*objects, *handles]) if not moves_by_itself(one)]
    return (yield from places(context, moved, frames))


def _touched_by(row: list[Place]) -> set[str]:
    """The names of all colliders that the solver has been told of for the plants of the row."""
    sessions = [session_of(one.obj) for place in row for one in place.plants()]
    worlds = [world for session in sessions if session is not None for world in session.recording.worlds]
    return {one.name for world in worlds for one in world.colliders}


def _colliders_at_start(place: Place) -> tuple[Collider, ...]:
    """What the solver has been told of what the place's plant touches at the first frame."""
    session = session_of(place.variant.obj)
    return () if session is None else tuple(session.recording.worlds[0].colliders)
