# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's plants and what happens to them: the cases of Garcia 2023, chapter 9, three of contact, a figure that acts
and a garland."""

from collections.abc import Callable
from dataclasses import dataclass

import bpy
from demo_contact_cases import break_a_branch, step_through, wilt_onto_the_table
from demo_led_cases import hang_in_the_wind, hit_by_a_ball, make_figure, make_garland
from mathutils import Vector


@dataclass(frozen=True)
class Case:
    """A plant from a preset, or what makes it, and how it is set in motion. Frames are numbered from 1."""

    name: str
    title: str
    preset: str | Callable[[], bpy.types.Object]
    act: Callable[[bpy.types.Object], None]  # gets the armature object
    stills: tuple[int, ...]
    pot: bool = False
    soil: bool = True  # a heap of it around a plant without a pot
    last_frame: int = 72
    seed: int = 0
    azimuth: float = 18.0
    elevation: float = 9.0


def sag(plant: bpy.types.Object) -> None:
    """The drawn plant knows no weight; at the first frame it is let go, with soft young tissue."""
    plant.plant_dynamics.stiffness_factor = 0.35
    plant.plant_dynamics.start = "drawn"


def push_pot(plant: bpy.types.Object) -> None:
    """The pot slides 0.4 m in half a second and stops dead."""
    plant.plant_dynamics.stiffness_factor = 0.4
    start = plant.location.copy()
    for frame, shift in ((1, -0.2), (8, -0.2), (20, 0.2)):
        plant.location = start + Vector((shift, 0.0, 0.0))
        plant.keyframe_insert("location", frame=frame)


def pull_tip_and_release(plant: bpy.types.Object) -> None:
    """A hand draws the tip aside and down, then opens."""
    plant.plant_dynamics.stiffness_factor = 1.15  # its leaves just do not touch the ground
    stems = [bone for bone in plant.data.bones if bone.plant_dynamics.organ == "stem"]
    tip = max(stems, key=lambda bone: bone.tail_local.z)
    plant.data.bones.active = tip
    bpy.ops.plant_dynamics.add_pull()
    load = plant.plant_dynamics.loads[0]
    handle, height = load.target, tip.tail_local.z
    begin = handle.location.copy()
    for frame, shift in ((1, (0.0, 0.0, 0.0)), (24, (0.43, 0.0, -0.06)), (30, (0.43, 0.0, -0.06))):
        handle.location = begin + height * Vector(shift)
        handle.keyframe_insert("location", frame=frame)
    for frame, influence in ((30, 1.0), (31, 0.0)):
        load.influence = influence
        plant.keyframe_insert("plant_dynamics.loads[0].influence", frame=frame)


def wilt(plant: bpy.types.Object) -> None:
    """All tissue softens until the stem no longer carries the flower; limp tissue does not swing for long."""
    plant.plant_dynamics.joint_damping = 0.03
    for frame, factor in ((1, 1.0), (6, 1.0), (20, 0.3), (40, 0.12)):
        plant.plant_dynamics.stiffness_factor = factor
        plant.keyframe_insert("plant_dynamics.stiffness_factor", frame=frame)


def twist_and_release(plant: bpy.types.Object) -> None:
    """The stem is wrung about its own axis and let go."""
    stems = [bone for bone in plant.data.bones if bone.name.startswith("Stem") and abs(bone.tail_local.x) < 1e-3]
    plant.data.bones.active = max(stems, key=lambda bone: bone.tail_local.z)
    bpy.ops.plant_dynamics.add_twist()
    load = plant.plant_dynamics.loads[0]
    load.torque *= 1.6
    for frame, influence in ((1, 0.0), (26, 1.0), (32, 1.0), (33, 0.0)):
        load.influence = influence
        plant.keyframe_insert("plant_dynamics.loads[0].influence", frame=frame)


def shake_pot(plant: bpy.types.Object) -> None:
    """The pot is tilted and set back with a knock."""
    start = plant.location.copy()
    for frame, shift, angle in ((1, 0.0, 0.0), (12, 0.0, 0.0), (18, -0.08, -0.16), (24, 0.07, 0.12), (29, 0.0, 0.0)):
        plant.location = start + Vector((shift, 0.0, 0.0))
        plant.rotation_euler = (0.0, angle, 0.0)
        plant.keyframe_insert("location", frame=frame)
        plant.keyframe_insert("rotation_euler", frame=frame)


CASES = (
    Case("1_gravity", "Let go under gravity", "broad_leaf", sag, (1, 5, 10, 72)),
    Case("2_pushed_pot", "Pot pushed and stopped", "potted_plant", push_pot, (8, 14, 23, 72), pot=True, azimuth=5.0),
    Case("3_pulled", "Pulled at its tip, released", "tropical", pull_tip_and_release, (1, 30, 33, 72)),
    Case("4_wilting_rose", "Young's modulus falls", "rose", wilt, (1, 38, 44, 84), pot=True, last_frame=84),
    Case(
        "5_twisted", "Twisted and released", "twist_inflorescence", twist_and_release, (1, 20, 32, 38), elevation=22.0
    ),
    Case("6_orchid", "Orchid of 150 bodies, shaken", "orchid", shake_pot, (12, 20, 26, 72), pot=True),
    Case(
        "7_foot_in_reeds", "A foot through reeds", "reed_bed", step_through, (1, 12, 20, 36), soil=False, azimuth=40.0,
    ),
    Case(
        "8_rose_on_table", "Collapsed onto the table", "rose", wilt_onto_the_table, (1, 30, 44, 84), pot=True,
        last_frame=84,
    ),
    Case("9_broken_branch", "A branch snaps and falls", "young_oak", break_a_branch, (1, 18, 24, 60)),
    Case(
        "10_hit_by_a_ball", "Hit by a ball, waves on", make_figure, hit_by_a_ball, (15, 19, 23, 60), soil=False,
        azimuth=0.0,
    ),
    Case(
        "11_garland", "A garland in gusts", make_garland, hang_in_the_wind, (1, 30, 42, 60), soil=False, azimuth=25.0,
    ),
)
