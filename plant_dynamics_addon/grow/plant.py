# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant in the scene from a skeleton."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import bpy
import numpy as np
from mathutils import Vector

from ...lsystem import ORGANS, NumberedColour, Skeleton
from ..blender.meanwhile import meanwhile, part
from ..giving_up import done_so_far
from .looks.catalogue import PlantLook, look_named
from .looks.materials import plant_materials
from .looks.numbered import numbered_materials, wrapped
from .mesh.detail import detail_of
from .mesh.leaves.own_outlines import Outline
from .mesh.progress import told_to
from .mesh.skeleton import bare
from .mesh.skin import Skin, bones_in_blades, build_skin, segments_drawn
from .mesh.stems.bark import barked, with_bark, woodiness
from .mesh.stems.profiles import Profile
from .mesh.stems.shape import NO_FLARE
from .objects.armature import armature_in_steps, bone_names, check
from .objects.bone_data import bone_data_in_steps, write_air_data
from .objects.instances import add_instances
from .objects.pot import add_pot, fitting_pot
from .objects.rollback import taken_away_unless_finished
from .objects.skinned_mesh import SegmentAttributes, add_skinned_object, mesh_in_steps, paint
from .objects.triangulation import BLENDER_GEOMETRY
from .recipe import Recipe

#: Shares of the work after which the skeleton is there, the skin's shape is found, its mesh and the bones are made.
_DERIVED, _SHAPED, _MESHED, _BONED = 0.05, 0.7, 0.83, 0.97


def plant_in_steps(
    context: bpy.types.Context,
    skeleton: Skeleton,
    name: str,
    recipe: Recipe,
    location: Sequence[float] | None = None,
    full_grown: Skeleton | None = None,
    colours: Mapping[int, NumberedColour] | None = None,
    as_drawn: bool = False,
) -> Generator[float, None, bpy.types.Object]:
    """Add the plant to the scene, yielding progress 0..1, and return its armature object, selected (with its pot) and
    active, in Object Mode. Given up, it leaves nothing behind.

    The skinned mesh is a child of the armature object, and so are pot and soil, which thus move with the plant's base.
    The plant (or its pot) stands at `location`, by default at the 3D cursor. It looks like the plant that its name
    speaks of (see `looks.catalogue`). Detail and instances change no motion. The pot fits the plant as it is
    `full_grown`, by default as it is now. Where the text has `colours` by number, these are its materials; as_drawn:
    its fruits are balls, and its stems begin where it says. Raises PlantError.
    """
    look = look_named(name)
    if as_drawn:
        # which has as many leaves as it says, and no twigs in their places
        look = replace(look, blade=replace(look.blade, spray=None, companions=None))
        stem = look.stem if recipe.pot else replace(look.stem, flare=NO_FLARE)
        look = replace(look, flower=replace(look.flower, fruit_is_ball=True), stem=stem)
    detail = detail_of(recipe.detail, segments_drawn(bare(skeleton), ORGANS, look.blade))
    places = bones_in_blades(bare(skeleton), look.blade, [polygon.segment for polygon in skeleton.polygons])
    if places is not None:
        skeleton = replace(skeleton, **places._asdict())
    names = bone_names(skeleton.organ.tolist(), ORGANS)
    check(skeleton, names)
    outlines = [Outline(one.segment, one.vertices, one.patches, one.triangles, one.uv) for one in skeleton.polygons]
    profiles = [Profile(one.segment, one.points, one.places) for one in skeleton.contours]
    build = partial(
        build_skin, bare(skeleton), ORGANS, BLENDER_GEOMETRY, look.blade, look.flower, detail, recipe.instanced,
        look.stem, outlines, profiles,
    )  # fmt: skip
    skin = yield from part(meanwhile(partial(_telling, build)), _DERIVED, _SHAPED)
    wood = woodiness(bare(skeleton), ORGANS, look.has_bark)
    attributes = SegmentAttributes(skeleton, skin.variation, wood)
    with taken_away_unless_finished(context):
        # From then on that something is in the scene, views are drawn after every slice of the work, which takes
        # seconds in slow windows: so that comes last.
        mesh = yield from part(_skin_mesh(skeleton, look, skin, attributes, colours or {}), _SHAPED, _MESHED)
        armature = yield from part(armature_in_steps(context, name, skeleton, names), _MESHED, _BONED)
        yield from part(bone_data_in_steps(armature, skeleton, names), _BONED, 1.0)
        write_air_data(armature, skeleton, names, skin.blade_area)
        _add_skin(armature, mesh, skeleton, names, skin, attributes, plant_materials(look.colours), colours or {})
        place = Vector(context.scene.cursor.location if location is None else location)
        growth = armature.plant_dynamics.growth
        growth.colours = look.colours.name
        if recipe.pot:
            size = fitting_pot(full_grown or skeleton)
            clay, soil = add_pot(armature, size)
            clay.plant_dynamics.grown_part, soil.plant_dynamics.grown_part = "POT", "SOIL"
            clay.select_set(True)  # so that Frame Selected shows all of it
            place.z += size.depth
            growth.pot_depth = size.depth
        armature.location = place
    return armature


def _telling(build: Callable[[], Skin]) -> Skin:
    """On the thread that builds it: how far it has come, and an end where it is given up."""
    with told_to(done_so_far):
        return build()


def _skin_mesh(
    skeleton: Skeleton, look: PlantLook, skin: Skin, attributes: SegmentAttributes,
    colours: Mapping[int, NumberedColour],
) -> Generator[float, None, bpy.types.Mesh]:  # fmt: skip
    """The mesh that is to follow the bones, yielding progress 0..1."""
    surface = with_bark(skin.surface, barked(bare(skeleton), attributes.wood, look.colours.bark_radii))
    surface = wrapped(surface, skeleton, colours)
    yield 0.05
    steps = mesh_in_steps("Skin", surface, plant_materials(look.colours), attributes, skin.chance)
    return (yield from part(steps, 0.05, 1.0))


def _add_skin(
    armature: bpy.types.Object, mesh: bpy.types.Mesh, skeleton: Skeleton, names: Sequence[str], skin: Skin,
    attributes: SegmentAttributes, made_of: Sequence[bpy.types.Material], colours: Mapping[int, NumberedColour],
) -> None:  # fmt: skip
    """The objects of the mesh and of the instances of organs, below the armature's."""
    name = mesh.name = f"{armature.name} Mesh"
    used = np.unique(skeleton.colour).tolist() if colours else []
    numbered = numbered_materials(armature.name, colours, used)
    colour = skeleton.colour[skin.surface.segment]
    paint(mesh, colour, {one: numbered[one] for one in np.unique(colour).tolist() if one in numbered})
    add_skinned_object(name, mesh, armature, names).plant_dynamics.grown_part = "SKIN"
    if skin.copies:
        copies = list(skin.copies)
        if numbered:
            copies = [part for one in copies for part in one.by_number(skeleton.colour)]
        carrier = add_instances(armature, names, copies, attributes, made_of, numbered)
        carrier.plant_dynamics.grown_part = "ORGANS"
