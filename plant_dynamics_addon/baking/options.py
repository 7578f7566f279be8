# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be chosen for a bake, and what is refused."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ..blender.fcurves import slot_of
from ..blender.versions import has_slots
from ..errors import PlantError

TARGETS = ("NEW", "SLOT", "OVERWRITE", "NLA")


@dataclass(frozen=True)
class BakeOptions:
    """How to bake.

    first_frame, last_frame: the range, both ends included; the simulation always begins at the scene's first frame.
    target: "NEW" action, own "SLOT" of the present action (Blender 4.4+), "OVERWRITE" the present action's rotation
    keys in the range, or an "NLA" strip on a track of its own.
    step: a key on every n-th frame, and on the last.
    max_error (rad): keys are left out where each bone's own rotation stays this near to that with all keys, between
    frames too; 0 leaves none out.
    loop_frames: over so many frames at the end the motion goes over into the one before first_frame; 0: no loop.
    part_only: baking again leaves the former bake's keys outside the range.
    edited: where the baked keys have been edited since, "REFUSE" raises PlantError, "REPLACE" overwrites them, and
    "KEEP" keeps a copy of the edited action in the file before it does.
    allow_stopped: bake a plant too that did not settle or was stopped, whose motion is wrong.
    """

    first_frame: int
    last_frame: int
    target: str = "NEW"
    step: int = 1
    max_error: float = 0.0
    loop_frames: int = 0
    part_only: bool = False
    edited: str = "REFUSE"
    allow_stopped: bool = False

    def frames(self) -> np.ndarray:
        """Frames that get keys where none are left out."""
        grid = np.arange(self.first_frame, self.last_frame + 1, self.step)
        return grid if grid[-1] == self.last_frame else np.append(grid, self.last_frame)

    def check(self, scene: bpy.types.Scene) -> None:
        """Raise PlantError for what makes no sense."""
        if self.first_frame < scene.frame_start:
            raise PlantError(
                "The bake begins at frame {first}, before the scene's first frame",
                first=self.first_frame,
            )
        old, new = scene.render.frame_map_old, scene.render.frame_map_new
        if old != new:  # what the plant was simulated from is stretched already
            raise PlantError(
                "The scene's Time Stretching ({old} to {new}, Output properties) would stretch baked keys once "
                "more. Set both numbers to the same, or render the live plant",
                old=old, new=new,
            )
        if self.last_frame <= self.first_frame:
            raise PlantError("The bake's last frame must come after its first")
        if self.step < 1:
            raise PlantError("The bake's step must be one frame or more")
        if not 0.0 <= self.max_error < np.pi:
            raise PlantError("The bake's largest error must be an angle from 0 to below 180°")
        if self.loop_frames < 0 or self.loop_frames >= self.last_frame - self.first_frame:
            raise PlantError("A loop is blended over fewer frames than the bake has: fewer Blend Frames or a longer "
                             "range")  # fmt: skip
        if self.target not in TARGETS:
            raise PlantError(
                "There is no way to bake to '{target}', only to {names}",
                target=self.target, names=", ".join(TARGETS),
            )
        if self.target == "SLOT" and not has_slots():
            raise PlantError("Actions have slots from Blender 4.4 on: choose another target for the bake")


def check_objects(objects: Sequence[bpy.types.Object], target: str) -> None:
    """Raise PlantError with the name of an object that cannot be baked to the target."""
    if not objects:
        raise PlantError("There is no plant to bake")
    owners: dict[object, str] = {}
    written: dict[tuple[bpy.types.Action, str], str] = {}
    for obj in objects:
        if obj.type != "ARMATURE" or not obj.plant_dynamics.is_dynamic:
            raise PlantError("'{object}' is no plant: make it dynamic first", object=obj.name)
        if not obj.is_editable:
            raise PlantError("'{object}' is linked: make it local or a library override", object=obj.name)
        if obj.mode == "EDIT":
            raise PlantError("'{object}' is in Edit Mode. Leave it (Tab) and bake again", object=obj.name)
        data = obj.animation_data
        if data is None:
            continue
        if data.use_tweak_mode:
            raise PlantError(
                "'{object}' is in the tweak mode of the NLA editor. Leave it (Tab) and bake again",
                object=obj.name,
            )
        _check_nla(obj, data, target)
        if data.action is None or target not in ("SLOT", "OVERWRITE"):
            continue
        if not data.action.is_editable:
            raise PlantError(
                "The action '{action}' is linked. Bake to a new action or an NLA strip",
                action=data.action.name,
            )
        if target == "OVERWRITE":
            owner = data.action, slot_of(data) or (obj.name if has_slots() else "")
            if owner in owners:
                raise PlantError(
                    "'{owner}' and '{object}' share the action '{action}'. Bake to new actions",
                    owner=owners[owner], object=obj.name, action=data.action.name,
                )
            owners[owner] = obj.name
            written.update(dict.fromkeys(_written(obj), obj.name))
    if written:
        _check_shared(written, objects)


def _written(obj: bpy.types.Object) -> Iterator[tuple[bpy.types.Action, str]]:
    """Actions and slots that change when the object is baked to its present action."""
    data, settings = obj.animation_data, obj.plant_dynamics
    yield data.action, slot_of(data)
    if settings.is_baked and settings.baked_to == "OVERWRITE" and settings.baked_action is not None:
        yield settings.baked_action, settings.baked_slot  # the former one stands in for it while this is asked


def _check_shared(written: dict[tuple[bpy.types.Action, str], str], baked: Sequence[bpy.types.Object]) -> None:
    """Refuse to write into an action by which something else moves, now or when its bake is cleared."""
    for other in bpy.data.objects:
        found = next((one for one in _used_by(other) if one in written), None)
        if found is not None and other not in baked:
            raise PlantError(
                "The action '{action}' of '{plant}' also animates '{other}', which would change. Bake to another "
                "target",
                action=found[0].name, plant=written[found], other=other.name,
            )


def _used_by(obj: bpy.types.Object) -> Iterator[tuple[bpy.types.Action, str]]:
    """Actions and slots that animate the object, or will when its bake is cleared."""
    data, settings = obj.animation_data, obj.plant_dynamics
    if data is not None:
        users = [data, *(strip for track in data.nla_tracks for strip in _all_strips(track.strips))]
        yield from ((user.action, slot_of(user)) for user in users if user.action is not None)
    if settings.is_baked and settings.action_before is not None:
        yield settings.action_before, settings.slot_before


def _all_strips(strips: Iterable[bpy.types.NlaStrip]) -> Iterator[bpy.types.NlaStrip]:
    for strip in strips:
        yield strip
        yield from _all_strips(strip.strips)


def _check_nla(obj: bpy.types.Object, data: bpy.types.AnimData, target: str) -> None:
    """Refuse settings of the NLA editor under which the bake would not show."""
    if target == "NLA":
        if not data.use_nla:
            raise PlantError(
                "The NLA of '{object}' is turned off, so a strip would not show. Turn it on",
                object=obj.name,
            )
        if any(track.is_solo for track in data.nla_tracks):
            raise PlantError(
                "A track of '{object}' is solo in the NLA editor, so a strip on another would not show. Turn solo "
                "off",
                object=obj.name,
            )
    elif data.use_nla and any(not track.mute for track in data.nla_tracks):
        if any(track.is_solo for track in data.nla_tracks):
            raise PlantError(
                "A track of '{object}' is solo in the NLA editor, so an action would not show. Turn solo off, or "
                "bake to an NLA strip",
                object=obj.name,
            )
        if data.action_blend_type != "REPLACE" or data.action_influence < 1.0:
            raise PlantError(
                "The action of '{object}' is blended with its NLA tracks, which would change the bake. Set it to "
                "Replace with influence 1, or bake to an NLA strip",
                object=obj.name,
            )
