# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides: points of bones that slide on the surface of a mesh."""

from collections.abc import Iterator
from typing import Any

import bpy

from ....errors import PlantError
from ...rig.plant import Plant
from ...solids.sheets import had_no_area, sheet_of
from ..influence import Moment
from .bone_choice import nearest_bone
from .guiding import FRICTION, HARDNESS, add, hold
from .load import AddButton, NewLoad
from .targeted import TARGET, Targeted, hangs_on

#: A new sheet is so wide over the way from the root to the bone's tip.
_WIDTH = 0.5

#: Types of objects that have surfaces.
_WITH_FACES = {"MESH", "CURVE", "SURFACE", "META", "FONT"}


class Sheets(Targeted):
    """A sheet: the bone's point stays on a surface."""

    item = ("SURFACE", "On Surface", "The bone slides on the surface of a mesh, to its rim")
    icon = "SURFACE_DATA"
    button = AddButton(
        "On Surface",
        "Let the active bone's tip (or the nearest tip) slide on the selected mesh object, or on a new sheet there",
    )
    properties = TARGET | FRICTION | HARDNESS
    labels = {"target": "Surface of"}

    def bone_of(self, obj: bpy.types.Object, plant: Plant) -> bpy.types.Bone:
        """The one whose tip is nearest to the selected object, if there is one."""
        chosen = _selected_beside(obj)
        surface = sheet_of(chosen.evaluated_get(bpy.context.evaluated_depsgraph_get())) if chosen else None
        return super().bone_of(obj, plant) if surface is None else nearest_bone(obj, plant, surface)

    def begin(self, new: NewLoad) -> None:
        new.load.target = _selected_beside(new.obj) or _new_sheet(new)

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load, target in self.targets(moment):
            if _goes_with(load.target, moment.obj):
                raise PlantError(
                    "'{object}': '{target}', on which '{bone}' is held, bends with the plant itself: choose "
                    "another object",
                    object=moment.obj.name, target=target.name, bone=load.bone,
                )
            surface = moment.once(sheet_of, target)
            if surface is not None:
                add(world, hold(moment, rod, load, "surface", surface=surface, friction=load.friction))

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        if item.bone and item.target is not None and item.target.type not in _WITH_FACES:
            return "The object has no surface"
        if item.bone and item.target is not None and had_no_area(item.target):
            return "The object has no faces with an area: nothing holds the bone"
        return super().why_idle(item, settings, scene)


def _selected_beside(plant: bpy.types.Object) -> bpy.types.Object | None:
    """A selected object with a surface that does not move with the plant."""
    chosen = (one for one in bpy.context.selected_objects if one.type in _WITH_FACES)
    return next((one for one in chosen if not _goes_with(one, plant)), None)


def _goes_with(target: bpy.types.Object, plant: bpy.types.Object) -> bool:
    """Whether the object moves with the plant's bones: as its child, by modifiers, or after others that do."""
    found, left = {target}, [target]
    while left:
        one = left.pop()
        if hangs_on(one, plant):
            return True
        others = set(_led_by(one)) - found
        found |= others
        left += others
    return False


def _led_by(target: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """The objects that modifiers of an object name."""
    for modifier in target.modifiers:
        for one in modifier.bl_rna.properties:
            other = getattr(modifier, one.identifier) if one.type == "POINTER" else None
            if isinstance(other, bpy.types.Object):
                yield other


def _new_sheet(new: NewLoad) -> bpy.types.Object:
    """A level square about the bone's tip."""
    half = 0.5 * _WIDTH * new.plant.reach(new.rod)
    data = bpy.data.meshes.new(f"{new.bone.name} Sheet")
    corners = [(-half, -half, 0.0), (half, -half, 0.0), (half, half, 0.0), (-half, half, 0.0)]
    data.from_pydata(corners, [], [(0, 1, 2, 3)])
    sheet = bpy.data.objects.new(data.name, data)
    sheet.location = new.tip()
    return sheet
