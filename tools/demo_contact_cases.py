# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens to the demo's plants that touch things and break."""

import importlib

import bpy
import numpy as np
from mathutils import Vector

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"
SOIL_RISE = importlib.import_module(f"{ADDON}.studio.studio").SOIL_RISE
ShaderTree = importlib.import_module(f"{ADDON}.grow.looks.shader_nodes").ShaderTree

#: Radius of the soil around a plant without a pot, over the plant's size.
SOIL_RADIUS = 0.13

#: The foot that steps through reeds: length, width and height of the shoe, and of the leg (m).
_SHOE, _LEG = (0.28, 0.10, 0.09), (0.13, 0.85)

#: Where it goes to: the way through the middle of the bed on which most culms stand.
_HEADING = np.radians(-20.0)


def chosen(active: bpy.types.Object, *others: bpy.types.Object) -> None:
    """Select these, with the first one active, in Object Mode."""
    bpy.ops.object.select_all(action="DESELECT")
    for one in (*others, active):
        one.select_set(True)
    bpy.context.view_layer.objects.active = active


def _add_ground(plant: bpy.types.Object, on_soil: bool = False) -> None:
    """A ground that is not seen, as deep as the floor that is."""
    chosen(plant)
    bpy.ops.plant_dynamics.add_ground()
    ground, size = bpy.data.objects["Ground"], max(max(child.dimensions) for child in plant.children)
    ground.location.z -= SOIL_RISE * SOIL_RADIUS * size if on_soil else 0.0
    ground.hide_render = True


def _foot() -> bpy.types.Object:
    """A shoe with a leg in trousers, its sole on z = 0."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, location=(0.04, 0.0, 0.5 * _SHOE[2]))
    shoe = bpy.context.object
    shoe.scale = tuple(0.5 * one for one in _SHOE)
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=32, radius=0.5 * _LEG[0], depth=_LEG[1], location=(-0.05, 0.0, 0.05 + 0.5 * _LEG[1])
    )
    leg = bpy.context.object
    bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)
    paint(shoe, "Leather", (0.10, 0.05, 0.03))
    paint(leg, "Trousers", (0.06, 0.10, 0.20))
    chosen(shoe, leg)
    bpy.ops.object.join()
    shoe.name = "Foot"
    bpy.ops.object.shade_smooth()
    return shoe


def paint(obj: bpy.types.Object, name: str, colour: tuple[float, float, float]) -> None:
    """Give it a material of one colour."""
    material = bpy.data.materials.new(name)
    material.diffuse_color = (*colour, 1.0)
    ShaderTree(material).principled({"Base Color": colour, "Roughness": 0.6})
    obj.data.materials.append(material)


def step_through(plant: bpy.types.Object) -> None:
    """A foot steps into the reeds, stands for a moment and goes on."""
    foot = _foot()
    foot.rotation_euler.z = _HEADING
    _add_ground(plant)
    chosen(plant, foot)
    bpy.ops.plant_dynamics.make_collider()
    for frame, way, z in ((1, -0.75, 0.12), (16, 0.0, 0.0), (26, 0.0, 0.0), (36, 0.3, 0.15), (44, 0.75, 0.12)):
        foot.location = (way * np.cos(_HEADING), way * np.sin(_HEADING), z)
        foot.keyframe_insert("location", frame=frame)


def stand_on_table(plant: bpy.types.Object) -> None:
    """The plant touches its pot, and the table that this stands on."""
    pots = [child for child in plant.children_recursive if child.type == "MESH" and "Pot" in child.name]
    chosen(plant, *pots)
    bpy.ops.plant_dynamics.make_collider()
    _add_ground(plant)


def drop_apple(plant: bpy.types.Object, place: tuple[float, float, float]) -> None:
    """An apple that the plant moves, from this place on."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=0.035, location=place)
    apple = bpy.context.object
    apple.name = "Apple"
    bpy.ops.object.shade_smooth()
    paint(apple, "Apple", (0.55, 0.05, 0.03))
    chosen(plant, apple)
    bpy.ops.plant_dynamics.move_with_plant()
    apple.plant_dynamics.thing.density = 800.0


def wilt_onto_the_table(plant: bpy.types.Object) -> None:
    """All tissue softens until the rose lies on the table."""
    stand_on_table(plant)
    plant.plant_dynamics.joint_damping = 0.004
    plant.plant_dynamics.contact.itself = False
    for frame, factor in ((1, 1.0), (6, 1.0), (20, 0.2), (40, 0.004)):
        plant.plant_dynamics.stiffness_factor = factor
        plant.keyframe_insert("plant_dynamics.stiffness_factor", frame=frame)


def break_a_branch(plant: bpy.types.Object) -> None:
    """A branch is drawn down until it snaps, at frame 19, and falls to the ground."""
    _add_ground(plant, on_soil=True)
    limb = _limb(plant)
    tip = max((bone for bone in limb.children_recursive if bone.plant_dynamics.organ == "stem"),
              key=lambda bone: (bone.tail_local - limb.head_local).length)  # fmt: skip
    name, end = limb.name, tip.name
    bpy.ops.object.mode_set(mode="EDIT")
    plant.data.edit_bones[name].use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in plant.data.bones:  # 0: never
        bone.plant_dynamics.strength = 40.0 if bone.name == name else 0.0
    plant.plant_dynamics.breaks, plant.plant_dynamics.fibres = True, 0.0
    bpy.ops.plant_dynamics.part_skin()
    plant.data.bones.active = plant.data.bones[end]
    bpy.ops.plant_dynamics.add_pull()
    load = plant.plant_dynamics.loads[0]
    begin = load.target.location.copy()
    for frame, way in ((1, 0.0), (30, 1.0)):
        load.target.location = begin + way * Vector((0.25 * begin.z, 0.0, -0.75 * begin.z))
        load.target.keyframe_insert("location", frame=frame)
    for frame, influence in ((1, 1.0), (19, 1.0), (20, 0.0)):
        load.influence = influence
        plant.keyframe_insert("plant_dynamics.loads[0].influence", frame=frame)


def _limb(plant: bpy.types.Object) -> bpy.types.Bone:
    """The first bone of the limb of the lower trunk that reaches farthest along x."""
    stems = [bone for bone in plant.data.bones if bone.plant_dynamics.organ == "stem" and bone.parent]
    height = max(bone.tail_local.z for bone in stems)
    limbs = [
        bone for bone in stems
        if 0.2 * height < bone.head_local.z < 0.7 * height
        and np.hypot(bone.head_local.x, bone.head_local.y) < 0.05 * height
        and (bone.tail_local - bone.head_local).normalized().z < 0.75
    ]  # fmt: skip
    return max(limbs, key=lambda bone: max((one.tail_local.x for one in bone.children_recursive), default=0.0))
