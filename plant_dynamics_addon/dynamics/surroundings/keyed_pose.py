# SPDX-License-Identifier: GPL-3.0-or-later
"""What keys do to the joints of a plant: the pose in which their springs are relaxed, how stiff they are, how
they follow it, which ones are cut, and how long and thick bones are and where they sit."""

from typing import Any

import bpy
import numpy as np

from ....solver import rotations
from ...blender.evaluation_cache import EvaluationCache
from ...blender.in_bulk import values_of
from ..rig.bone_animation import animated_rotations
from ..rig.coming_off import is_fastened, refuse_fastened
from ..rig.keyed.constraints import is_led
from ..rig.keyed.leaf_curl import curled
from ..rig.keyed.lengths import lengths_as_drawn, read_lengths
from ..rig.keyed.reference import led_pose
from ..rig.rotation_channels import powers
from .influence import Influence, Moment
from .moving_base import is_carried

#: What pose bones have of their own in how they follow, after "plant_dynamics_".
OWN_FOLLOWING = ("follow", "recovery", "damping_ratio", "largest_moment")


class KeyedPose(Influence):
    """Its keys and drivers are those of the object, which the moving base has asked for."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        plant = moment.plant
        world["stiffness_scale"] = moment.settings.stiffness_factor
        led = None
        if plant.is_led or len(plant.scaling.led.rods):
            led = led_pose(moment.obj, plant, moment.depsgraph)
            moment.look_up()
            if len(plant.scaling.led.rods):
                world["led_places"] = led.places
        settings = moment.evaluated.plant_dynamics
        if len(plant.animated):
            influence = settings.animation_influence
            pose = np.tile([1.0, 0.0, 0.0, 0.0], (plant.model.rod_count, 1))
            if plant.is_led:
                assert led is not None
                pose[plant.animated] = led.turns if influence == 1.0 else powers(led.turns, influence)
            else:
                how = plant.animated_index, plant.animated_modes, plant.animated_sources, influence
                pose[plant.animated] = animated_rotations(moment.obj, moment.evaluated, *how)
            world["pose"] = pose
        if plant.curl_share.any():
            turn = curled(plant.curl_share, settings.leaf_curl)
            world["pose"] = rotations.multiply(world["pose"], turn) if len(plant.animated) else turn
        world.update(_following(moment))
        cut = _cut_rods(moment)
        if cut.any():
            world["cut"] = cut

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        """Constraints lead bones to what may move."""
        return is_led(plant)


def _following(moment: Moment) -> dict[str, np.ndarray]:
    """How the plant's joints follow their pose, by a Sample's names; nothing where none does."""
    plant, whole = moment.plant, moment.settings.following
    if whole.share == 0.0:
        return {}
    rods, bones = plant.model.rod_count, moment.settings.id_data.pose.bones
    own = [values_of(bones, f"plant_dynamics_{name}")[plant.pose_index, 0].astype(np.float64) for name in OWN_FOLLOWING]
    share, recovery, ratio, most = np.zeros(rods), np.full(rods, whole.recovery), np.ones(rods), np.full(rods, np.inf)
    share[plant.moving] = whole.share * own[0]
    recovery[plant.moving] = np.where(own[1] > 0.0, own[1], whole.recovery)
    ratio[plant.moving] = np.where(own[2] > 0.0, own[2], whole.damping_ratio)
    most[plant.moving] = largest_moments(own[3], whole)
    return {"follow": share, "recovery": recovery, "recovery_damping": ratio, "largest_moment": most}


def largest_moments(own: np.ndarray, whole: Any) -> np.ndarray:
    """(k,) N m that joints give at most to follow, where bones have these of their own; whole: the plant's settings of
    following."""
    most = np.where(own > 0.0, own, whole.largest_moment)
    return np.where(most > 0.0, most, np.inf)


def _cut_rods(moment: Moment) -> np.ndarray:
    """(m,) 1 for the rods that are cut, else 0."""
    plant, settings = moment.plant, moment.settings
    cut, bones = np.zeros(plant.model.rod_count), settings.id_data.pose.bones
    for rod, index in zip(plant.cuttable.tolist(), plant.cuttable_index.tolist(), strict=True):
        cut[rod] = bones[index].plant_dynamics_cut
    if settings.let_go:
        standing = [moment.obj.data.bones[plant.bones[rod]] for rod in plant.standing.tolist()]
        refuse_fastened(moment.obj, [bone.name for bone in standing if is_fastened(bone)])
        cut[plant.standing] = 1.0
    return cut


class KeyedLengths(Influence):
    """Its keys and drivers are those of the object, which the moving base has asked for. Behind KeyedPose, which knows
    where constraints lead bones."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        plant, settings = moment.plant, moment.settings
        if not settings.follow_animation:
            return
        lengths = read_lengths(moment.obj, plant, moment.evaluated, world.get("led_places"))
        if lengths is None:
            if not plant.scaling.is_animated:
                return
            lengths = lengths_as_drawn(plant.model.rod_count)
        world["stretch"], world["shift"] = lengths.stretch, lengths.shift
        world["parents_scale"] = lengths.parents_scale
        if settings.lengths == "SCALE":
            world["thickness"] = lengths.thickness
        elif settings.lengths == "SECTION":
            world["thickness"] = np.ones_like(lengths.stretch)

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        """Also where what carries the plant may scale it."""
        return is_led(plant) or is_carried(plant)
