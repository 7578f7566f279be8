# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene of a comparison: the plants in their places, labels, ground, light and a camera that sees all of it."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...solver import Collider
from ..studio import studio
from ..studio.framing import view_axes
from .animation import animated_paths
from .around import ground_under, is_near

_LABEL_HEIGHT = 0.11  # of the plants' size

#: So many sizes of the plants away, what they move is not looked at any more.
_FARTHEST = 4.0

Array = np.ndarray


class Shown(NamedTuple):
    """A place of the row: what carries it, the objects of its plant, those of the plants beside it, and what they
    move."""

    carrier: bpy.types.Object
    plant: list[bpy.types.Object]
    beside: list[bpy.types.Object]
    things: list[bpy.types.Object]

    def objects(self) -> list[bpy.types.Object]:
        """All but what carries them."""
        return [*self.plant, *self.beside, *self.things]


class Around(NamedTuple):
    """What the plants touch: copies that stand for the original place, by the originals' names, and the solver's
    colliders at the first frame."""

    copies: Mapping[str, bpy.types.Object]
    colliders: Sequence[Collider]


class Arranged(NamedTuple):
    """The scene; of each place what stands around it; the names of what does not, for it is far or wide, and has not
    become the ground either."""

    scene: bpy.types.Scene
    around: list[list[bpy.types.Object]]
    left_out: list[str]


class _Cloud(NamedTuple):
    """Points (n, 3) m that a place's plant takes over its motion, and all plants and things there; size (m) of all
    plants."""

    plant: Array
    everything: Array
    size: float


@dataclass(frozen=True)
class Shot:
    """The picture: width and height (pixels; a height of 0 fits the row), Cycles samples, the direction of view
    (degrees); spacing of the plants, 1 for just not touching."""

    width: int = 1280
    height: int = 0
    samples: int = 24
    azimuth: float = 0.0
    elevation: float = 8.0
    spacing: float = 1.0


def set_up(
    scene: bpy.types.Scene, title: str, texts: Sequence[str], row: Sequence[Shown], around: Around, frames: range,
    shot: Shot,
) -> Generator[float, None, Arranged]:  # fmt: skip
    """A new scene with the plants beside each other, yielding progress 0..1; given up, it is none. They come linked to
    no scene and all at one place."""
    new = _new_scene(scene, title, frames)
    found, touched = yield from _looked_at(new, texts, row, around, frames)
    near = _near(found, touched)
    for one in around.copies.values():
        new.collection.objects.unlink(one)
    beside = _repeated(row, [around.copies[name] for name in near])
    clouds = [np.concatenate([cloud.everything, *near.values()]) for cloud in found]
    shifts = _shifts(clouds, shot.spacing)
    for place, shift in zip(row, shifts, strict=True):
        place.carrier.location.x = shift
    points = np.concatenate([cloud + np.array([shift, 0.0, 0.0]) for cloud, shift in zip(clouds, shifts, strict=True)])
    size = max(float(np.ptp(cloud, axis=0).max()) for cloud in clouds)
    wide = max(size, 0.45 * float(np.ptp(points[:, 0])))
    armatures = [place.plant[0] for place in row]
    feet = [_foot(new, armature) for armature in armatures]
    own = max(float(np.ptp(cloud.plant, axis=0).max()) for cloud in found)
    not_near = [one for one in around.colliders if one.name not in near]
    ground = ground_under(not_near, np.array(feet[0] - row[0].carrier.location), float(points[:, 2].min()), own)
    if ground is not None:
        floor, patches = ground[0], np.zeros((0, 3))
    else:
        floor, patches = _ground(new, row, feet, points, own)
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    backdrop = studio.add_backdrop(new, wide, floor)
    backdrop.location.x, backdrop.location.y = centre[0], centre[1] + 0.5 * size
    studio.light_softly(new, centre, wide)
    labels, corners = _labels(new, texts, feet, _front(clouds, size, shot), floor, size)
    everything = np.concatenate([points, patches, corners])
    height = shot.height or _fitting_height(everything, shot)
    studio.use_cycles(new, studio.RenderQuality(shot.width, height, shot.samples))
    camera = studio.add_camera(new, everything, shot.azimuth, shot.elevation, margin=0.07)
    for label, foot in zip(labels, feet, strict=True):
        _below(label, foot, camera)
    studio.add_label(new, title, width=0.6, corner=(0.025, height / shot.width - 0.055))
    _choose(new.view_layers[0], armatures[0])
    new.frame_set(frames[0])
    left_out = [name for name in around.copies if name not in near and (ground is None or name != ground[1])]
    return Arranged(new, beside, left_out)


def _near(found: Sequence[_Cloud], touched: Mapping[str, Array]) -> dict[str, Array]:
    """Of what the plants touch that which fits into the picture, with its points."""
    shown, size = np.concatenate([cloud.everything for cloud in found]), max(cloud.size for cloud in found)
    return {name: points for name, points in touched.items() if is_near(points, shown, size)}


def _repeated(row: Sequence[Shown], near: Sequence[bpy.types.Object]) -> list[list[bpy.types.Object]]:
    """The same around every place, carried with it."""
    beside = []
    for number, place in enumerate(row):
        own = [one.copy() if number else one for one in near]
        for one in own:
            one.parent = place.carrier
            place.plant[0].users_collection[0].objects.link(one)
        beside.append(own)
    return beside


def _choose(layer: bpy.types.ViewLayer, active: bpy.types.Object) -> None:
    """Have an object active, and none selected."""
    for one in layer.objects:
        one.select_set(False, view_layer=layer)
    layer.objects.active = active


def _fitting_height(points: Array, shot: Shot) -> int:
    """Height (pixels, even) at which the picture is filled, with room for the title."""
    across, up = (points @ view_axes(np.radians(shot.azimuth), np.radians(shot.elevation)))[:, :2].T
    aspect = float(np.ptp(up) / max(np.ptp(across), 1e-9)) + 0.12
    return 2 * round(shot.width * min(max(aspect, 0.35), 1.0) / 2)


def _new_scene(scene: bpy.types.Scene, title: str, frames: range) -> bpy.types.Scene:
    new = bpy.data.scenes.new(title)
    new.frame_start, new.frame_end = frames[0], frames[-1]
    new.frame_step, new.use_gravity = scene.frame_step, scene.use_gravity
    new.gravity = scene.gravity
    new.render.fps, new.render.fps_base = scene.render.fps, scene.render.fps_base
    for name in ("system", "scale_length", "length_unit"):
        setattr(new.unit_settings, name, getattr(scene.unit_settings, name))
    air, own = scene.plant_dynamics.wind, new.plant_dynamics.wind
    for item in air.bl_rna.properties:
        if not item.is_readonly and item.identifier != "rna_type":
            setattr(own, item.identifier, getattr(air, item.identifier))
    return new


def _looked_at(
    new: bpy.types.Scene, texts: Sequence[str], row: Sequence[Shown], around: Around, frames: range
) -> Generator[float, None, tuple[list[_Cloud], dict[str, Array]]]:
    """Link the plants to the scene, each in a collection of its own; gives the points of their motions and of what they
    touch, by names. Given up, the scene is gone."""
    collections = [bpy.data.collections.new(text) for text in texts]
    try:
        for collection, place in zip(collections, row, strict=True):
            new.collection.children.link(collection)
            for one in (*place.objects(), place.carrier):
                collection.objects.link(one)
        for one in around.copies.values():
            new.collection.objects.link(one)
        groups = [objects for place in row for objects in (place.plant, place.beside, place.things)]
        groups += [[one] for one in around.copies.values()]
        points = yield from _motions(new, groups, frames)
        clouds = [_cloud(*points[3 * k : 3 * k + 3]) for k in range(len(row))]
        return clouds, dict(zip(around.copies, points[3 * len(row) :], strict=True))
    except BaseException:
        bpy.data.scenes.remove(new)
        bpy.data.batch_remove(collections)
        raise


def _cloud(plant: Array, beside: Array, things: Array) -> _Cloud:
    """What is moved is left where it has fallen or rolled too far away from the plants."""
    plants = np.concatenate([plant, beside])
    low, high = plants.min(axis=0), plants.max(axis=0)
    size = float((high - low).max())
    followed = ((things >= low - _FARTHEST * size) & (things <= high + _FARTHEST * size)).all(axis=1)
    return _Cloud(plant, np.concatenate([plants, things[followed]]), size)


def _motions(
    new: bpy.types.Scene, groups: Sequence[Sequence[bpy.types.Object]], frames: range
) -> Generator[float, None, list[Array]]:
    """Of each group of objects world points (n, 3) of all that is seen of it over its whole motion."""
    clouds: list[list[Array]] = [[] for _ in groups]
    looked_at = np.unique(np.linspace(frames[0], frames[-1], min(len(frames), 25)).astype(int))
    for number, frame in enumerate(looked_at):
        yield number / len(looked_at)
        new.frame_set(int(frame))
        depsgraph = new.view_layers[0].depsgraph
        for cloud, objects in zip(clouds, groups, strict=True):
            cloud.append(studio.world_points(objects, every=7, depsgraph=depsgraph))
    return [np.concatenate(cloud) for cloud in clouds]


def _shifts(clouds: Sequence[Array], spacing: float) -> Array:
    """Even distances along x at which plants never touch their neighbours, the middle of the row in the middle."""
    gap = 0.08 * max(float(np.ptp(cloud, axis=0).max()) for cloud in clouds)
    reach = [float(a[:, 0].max() - b[:, 0].min()) for a, b in pairwise(clouds)]
    distance = spacing * (max([*reach, 0.0]) + gap)
    return distance * (np.arange(len(clouds)) - (len(clouds) - 1) / 2)


def _ground(
    new: bpy.types.Scene, row: Sequence[Shown], feet: Sequence[Vector], points: Array, size: float
) -> tuple[float, Array]:
    """Height of the floor, and points of the heaps of soil under plants of this size that stand without a pot."""
    lowest = float(points[:, 2].min())
    if lowest < min(foot.z for foot in feet) - 0.02 * size or not all(_stands(new, place.plant[0]) for place in row):
        return lowest - 0.01 * size, np.zeros((0, 3))
    radius, patches = 0.13 * size, []
    for place, foot in zip(row, feet, strict=True):
        others = [one for one in place.beside if one.type == "ARMATURE" and _stands(new, one)]
        level = [at for at in (_foot(new, one) for one in others) if abs(at.z - foot.z) < 0.02 * size]
        for at in (foot, *level):
            patch = studio.add_soil_patch(new, radius, tuple(at - place.carrier.location))
            new.collection.objects.unlink(patch)
            place.plant[0].users_collection[0].objects.link(patch)
            patch.parent = place.carrier
            beside = ((-radius, 0.0), (radius, 0.0), (0.0, -radius))
            patches += [(at.x + dx, at.y + dy, at.z) for dx, dy in beside]
    return min(foot.z for foot in feet) - studio.SOIL_RISE * radius, np.array(patches)


def _stands(new: bpy.types.Scene, armature: bpy.types.Object) -> bool:
    """Whether it grows upwards out of ground that stays where it is, and brings no pot."""
    upwards = (_world(new, armature).to_3x3() @ armature.data.bones[0].vector).normalized().z > 0.7
    return upwards and len([one for one in armature.children if one.type == "MESH"]) <= 1 and not _is_moved(armature)


def _is_moved(armature: bpy.types.Object) -> bool:
    return bool({"location", "rotation_euler", "rotation_quaternion"} & animated_paths(armature))


def _front(clouds: Sequence[Array], size: float, shot: Shot) -> float:
    """Where labels stand along y: so far in front of all plants that they are seen below them."""
    slope = np.tan(np.radians(max(shot.elevation, 4.0)))
    return min(float(cloud[:, 1].min()) for cloud in clouds) - 0.85 * _LABEL_HEIGHT * size / float(slope)


def _foot(new: bpy.types.Scene, armature: bpy.types.Object) -> Vector:
    """Where the plant grows out of the ground, in the middle of its way."""
    found = Vector()
    for frame in (new.frame_start, new.frame_end):
        new.frame_set(frame)
        found += _world(new, armature) @ armature.data.bones[0].head_local / 2
    return found


def _world(new: bpy.types.Scene, obj: bpy.types.Object) -> Matrix:
    """World matrix as the new scene evaluates it; only of the window's scene is it to be read from the object."""
    return obj.evaluated_get(new.view_layers[0].depsgraph).matrix_world


def _below(label: bpy.types.Object, foot: Vector, camera: bpy.types.Object) -> None:
    """Move the label along the row to where the camera sees it below the plant, and turn it to the camera."""
    right, _, backward = (Vector(column) for column in camera.matrix_world.to_3x3().col)
    from_camera = foot - camera.location
    slope = from_camera.dot(right) / -from_camera.dot(backward)
    away = label.location - camera.location
    label.location.x += (-slope * away.dot(backward) - away.dot(right)) / (right.x + slope * backward.x)
    label.constraints.new("COPY_ROTATION").target = camera


def _labels(
    new: bpy.types.Scene, texts: Sequence[str], feet: Sequence[Vector], front: float, floor: float, size: float
) -> tuple[list[bpy.types.Object], Array]:
    """A text in front of each plant, and points (k, 3) of where the texts are."""
    height, material = _LABEL_HEIGHT * size, studio.ink()
    room = 0.8 * (feet[1] - feet[0]).length if len(feet) > 1 else size
    labels, corners = [], []
    for text, foot in zip(texts, feet, strict=True):
        curve = bpy.data.curves.new(f"Label {text}", "FONT")
        curve.body, curve.size, curve.align_x = text, height, "CENTER"
        curve.materials.append(material)
        label = bpy.data.objects.new(curve.name, curve)
        label.visible_shadow = False
        new.collection.objects.link(label)
        label.location = foot.x, front, floor
        labels.append(label)
    new.view_layers[0].update()
    shrink = min(1.0, room / max(max(label.dimensions.x for label in labels), 1e-9))
    for label in labels:
        label.data.size *= shrink
        half = 0.5 * shrink * label.dimensions.x
        at = label.location
        corners += [(at.x + dx, at.y, at.z + dz) for dx in (-half, half) for dz in (-0.25 * height, height)]
    return labels, np.array(corners)
