# SPDX-License-Identifier: GPL-3.0-or-later
"""Five scenes to open, to press Play in, and to take apart.

    blender --background --python examples/scenes.py -- FOLDER [NAME ...]

saves them to the folder, all or those of these names. The extension must be enabled.

pushed_pot: a pot is pushed, a handle draws the rose aside and lets go, then it wilts
windy_reeds: reeds, grass and a shrub in gusts that come one after the other
toy_caterpillar: a character whose head is animated by hand; keyed body and free feelers follow through
hung_garland: a garland between two nails in a breeze, one of which gives way at the end
tied_vine: a shoot that is led along a wire around a pole, with a free tip
"""

import importlib
import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Euler, Vector

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"
commands = importlib.import_module(f"{ADDON}.commands")
presets = importlib.import_module(f"{ADDON}.presets.apply")
studio = importlib.import_module(f"{ADDON}.studio.studio")

#: Where the L-systems of scenes are.
HERE = Path(__file__).resolve().parent


def begin(last_frame: int) -> bpy.types.Scene:
    """An empty scene of so many frames."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, last_frame
    scene.render.resolution_x, scene.render.resolution_y = 1280, 720
    return scene


def dress(scene: bpy.types.Scene, low: tuple[float, ...], high: tuple[float, ...]) -> None:
    """Backdrop, lights and a camera for what moves between two corners (m)."""
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    size = float(np.ptp(corners, axis=0).max())
    studio.add_backdrop(scene, size, floor=low[2])
    studio.light_softly(scene, corners.mean(axis=0), size)
    studio.add_camera(scene, corners)


def key(owner: bpy.types.bpy_struct, name: str, values: dict[int, object]) -> None:
    """Key a property of something."""
    for frame, value in values.items():
        setattr(owner, name, value)
        owner.keyframe_insert(name, frame=frame)


def activate(obj: bpy.types.Object) -> None:
    """Select the object alone and make it active."""
    for other in bpy.context.view_layer.objects:
        other.select_set(other == obj)
    bpy.context.view_layer.objects.active = obj


def pushed_pot() -> None:
    scene = begin(192)
    rose = commands.grow("rose", pot=True)
    foot = rose.location.copy()
    key(rose, "location", {1: foot, 8: foot, 18: foot + Vector((0.12, 0.0, 0.0))})
    activate(rose)
    bpy.ops.plant_dynamics.add_pull()
    pull = rose.plant_dynamics.loads[0]
    place = pull.target.location.copy()
    key(pull.target, "location", {60: place + Vector((0.12, 0, 0)), 84: place + Vector((0.3, -0.05, -0.08))})
    key(pull, "influence", {59: 0.0, 66: 1.0, 96: 1.0, 97: 0.0})
    key(rose.plant_dynamics, "stiffness_factor", {140: 1.0, 180: 0.15})
    dress(scene, (-0.25, -0.2, 0.0), (0.5, 0.2, 0.6))


def windy_reeds() -> None:
    scene = begin(240)
    rng = np.random.default_rng(7)
    for number, name in enumerate(["reed"] * 5 + ["grass"] * 2 + ["shrub"]):
        x, y = 0.22 * number - 0.9, rng.uniform(-0.3, 0.3)
        plant = commands.grow(name, seed=number, location=(x, y, 0.0))
        plant.rotation_euler.z = rng.uniform(0.0, 6.28)
    presets.apply_preset(bpy.context, "wind", "Wind")
    wind = scene.plant_dynamics.wind
    wind.source, wind.show_in_viewport = "GUSTS", True
    key(wind, "speed", {1: 3.0, 60: 12.0, 160: 16.0, 240: 3.0})
    dress(scene, (-1.2, -0.5, 0.0), (1.6, 0.5, 1.75))


def ball(name: str, radius: float, place: Vector, armature: bpy.types.Object, bone: str, colour: tuple) -> None:
    """A ball that is carried by a bone."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=12, radius=radius, location=place)
    obj = bpy.context.object
    obj.name = name
    bpy.ops.object.shade_smooth()
    material = bpy.data.materials.get(str(colour)) or bpy.data.materials.new(str(colour))
    material.diffuse_color = colour
    material.use_nodes = True
    next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED").inputs["Base Color"].default_value = colour
    obj.data.materials.append(material)
    world = obj.matrix_world.copy()
    obj.parent, obj.parent_type, obj.parent_bone = armature, "BONE", bone
    bpy.context.view_layer.update()
    obj.matrix_world = world


def toy_caterpillar() -> None:
    scene = begin(120)
    armature = bpy.data.armatures.new("Caterpillar")
    obj = bpy.data.objects.new("Caterpillar", armature)
    scene.collection.objects.link(obj)
    activate(obj)
    bpy.ops.object.mode_set(mode="EDIT")

    def chain(name: str, start: Vector, step: Vector, count: int, parent: bpy.types.EditBone | None, radius: float):
        for number in range(count):
            bone = armature.edit_bones.new(f"{name}.{number}")
            bone.head, bone.tail = start + number * step, start + (number + 1) * step
            bone.head_radius = bone.tail_radius = radius
            bone.parent, bone.use_connect = parent, number > 0
            parent = bone
        return parent

    hip = chain("Hip", Vector((0.0, 0.0, 0.015)), Vector((0.0, 0.0, 0.12)), 1, None, 0.03)
    body = chain("Body", Vector((0.0, 0.0, 0.135)), Vector((0.0, 0.0, 0.1)), 5, hip, 0.012)
    for side, x in (("L", 0.06), ("R", -0.06)):
        chain(f"Feeler.{side}", Vector((x, 0.0, 0.655)), Vector((x, 0.0, 0.08)), 5, body, 0.003)
    bpy.ops.object.mode_set(mode="OBJECT")
    bones = obj.data.bones
    bones["Hip.0"].plant_dynamics.use_physics = False  # it is animated and carries all others
    hip_pose = obj.pose.bones["Hip.0"]
    hip_pose.rotation_mode = "XYZ"
    key(hip_pose, "location", {1: (0, 0, 0), 24: (0, 0, 0), 36: (0.25, 0, 0), 60: (0.25, 0, 0), 72: (0, 0, 0)})
    key(hip_pose, "rotation_euler", {1: (0, 0, 0), 24: (0, 0, 0), 36: (0, 0, -0.3), 48: (0, 0, 0)})
    for number in (2, 3, 4):  # it bows, and physics adds the follow-through
        pose = obj.pose.bones[f"Body.{number}"]
        pose.rotation_mode = "XYZ"
        turns = {1: 0.0, 84: 0.0, 92: 0.45, 104: 0.45, 112: 0.0}
        key(pose, "rotation_euler", {frame: Euler((angle, 0.0, 0.0)) for frame, angle in turns.items()})
    scene.frame_set(1)
    green, dark = (0.18, 0.45, 0.10, 1.0), (0.05, 0.12, 0.03, 1.0)
    for bone in bones:
        middle = obj.matrix_world @ (0.5 * (bone.head_local + bone.tail_local))
        feeler = bone.name.startswith("Feeler")
        radius = 0.02 if feeler else 0.075 if bone.name != "Body.4" else 0.1
        ball(f"Ball {bone.name}", radius, middle, obj, bone.name, dark if feeler else green)
    activate(obj)
    bpy.ops.plant_dynamics.make_dynamic()
    settings = obj.plant_dynamics
    settings.radius_source, settings.young_modulus, settings.density = "ENVELOPE", 60.0, 500.0
    settings.start = "keep_shape"
    settings.damping_time = 0.03
    dress(scene, (-0.5, -0.35, 0.0), (0.75, 0.35, 1.05))


def guide(plant: bpy.types.Object, kind: str, bone: str) -> bpy.types.PropertyGroup:
    """Add a guide to a bone of a plant, as its button does."""
    activate(plant)
    plant.data.bones.active = plant.data.bones[bone]
    getattr(bpy.ops.plant_dynamics, f"add_{kind}")()
    return plant.plant_dynamics.loads[plant.plant_dynamics.active_load]


def stem_of(plant: bpy.types.Object) -> list[str]:
    """The bones of the main stem from its foot to its tip."""
    bone, names = next(one for one in plant.data.bones if one.parent is None), []
    while bone is not None:
        names.append(bone.name)
        stems = [one for one in bone.children if one.plant_dynamics.organ in ("stem", "bud")]
        bone = max(stems, key=lambda one: len(one.children_recursive), default=None)
    return names


def hung_garland() -> None:
    scene = begin(168)
    garland = commands.grow(str(HERE / "garland.lsys"), location=(-0.5, 0.0, 1.2))
    garland.rotation_euler.z = -0.5 * np.pi  # it grows along Y
    bpy.context.view_layer.update()
    nail = guide(garland, "hold", stem_of(garland)[-1])
    key(nail.target, "location", {1: (0.5, 0.0, 1.2), 96: (0.5, 0.0, 1.2), 108: (0.62, 0.0, 1.05)})
    key(nail, "influence", {139: 1.0, 140: 0.0})
    wind = scene.plant_dynamics.wind
    wind.source = "GUSTS"
    key(wind, "speed", {1: 1.0, 48: 3.5, 96: 2.0})
    activate(garland)
    dress(scene, (-0.6, -0.3, 0.3), (0.7, 0.3, 1.3))


def tied_vine() -> None:
    scene = begin(144)
    vine = commands.grow(str(HERE / "vine.lsys"))
    bpy.ops.mesh.primitive_cylinder_add(radius=0.02, depth=1.6, location=(0.045, 0.0, 0.8))
    bpy.context.object.name = "Pole"
    turns, height, around = 3.0, 1.45, 0.045
    data = bpy.data.curves.new("Wire", "CURVE")
    data.dimensions = "3D"
    spline, angle = data.splines.new("NURBS"), np.linspace(0.0, 2.0 * np.pi * turns, 49)
    spline.points.add(len(angle) - 1)
    spline.use_endpoint_u, spline.order_u = True, 4
    for point, turn in zip(spline.points, angle, strict=True):
        place = (around * (1.0 - np.cos(turn)), -around * np.sin(turn), height * turn / angle[-1] + 0.01)
        point.co = (*place, 1.0)
    wire = bpy.data.objects.new("Wire", data)
    scene.collection.objects.link(wire)
    stem = stem_of(vine)
    for number, name in enumerate(stem[1:33:2]):
        activate(vine)
        wire.select_set(True)
        vine.data.bones.active = vine.data.bones[name]
        bpy.ops.plant_dynamics.add_wire()
        load = vine.plant_dynamics.loads[number]
        load.friction = 0.3
    wind = scene.plant_dynamics.wind
    wind.source = "GUSTS"
    key(wind, "speed", {1: 0.5, 48: 5.0, 120: 2.0})
    activate(vine)
    dress(scene, (-0.3, -0.3, 0.0), (0.45, 0.3, 1.8))


SCENES = {scene.__name__: scene for scene in (pushed_pot, windy_reeds, toy_caterpillar, hung_garland, tied_vine)}


def main() -> None:
    folder, *names = sys.argv[sys.argv.index("--") + 1 :]
    for name in names or SCENES:
        SCENES[name]()
        commands.save(Path(folder).resolve() / f"{name}.blend")
        print(f"{name}.blend")


if __name__ == "__main__":
    main()
