# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes to open, to press Play in, and to take apart.

    blender --background --python examples/scenes.py -- FOLDER [NAME ...]

saves them to the folder, all or those of these names. The extension must be enabled.

pushed_pot: a pot is pushed, a handle draws the rose aside and lets go, then it wilts
windy_reeds: reeds, grass and a shrub in gusts that come one after the other
toy_caterpillar: a character whose head is animated by hand; keyed body and free feelers follow through
hung_garland: a garland between two nails in a breeze, one of which gives way at the end
tied_vine: a shoot that is led along a wire around a pole, with a free tip
climbing_shoot: a shoot that grows up its pole along a wire, bone after bone
tong: bars that cross, tied to each other, so that the two keyed bones at their base stretch them out and close the jaws
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


def colour_of(colour: tuple[float, ...]) -> bpy.types.Material:
    """The material of this colour."""
    material = bpy.data.materials.get(str(colour)) or bpy.data.materials.new(str(colour))
    material.diffuse_color = colour
    material.use_nodes = True
    next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED").inputs["Base Color"].default_value = colour
    return material


def ball(name: str, radius: float, place: Vector, armature: bpy.types.Object, bone: str, colour: tuple) -> None:
    """A ball that is carried by a bone."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=24, ring_count=12, radius=radius, location=place)
    obj = bpy.context.object
    obj.name = name
    bpy.ops.object.shade_smooth()
    obj.data.materials.append(colour_of(colour))
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
    wire = wire_around_pole(scene, turns=3.0)
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


def wire_around_pole(scene: bpy.types.Scene, turns: float) -> bpy.types.Object:
    """A pole beside the origin, and a wire that winds up around it from there."""
    bpy.ops.mesh.primitive_cylinder_add(radius=0.02, depth=1.6, location=(0.045, 0.0, 0.8))
    bpy.context.object.name = "Pole"
    bpy.context.object.data.materials.append(colour_of((0.2, 0.13, 0.08, 1.0)))
    height, around = 1.45, 0.045
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
    return wire


#: What has not begun to grow is so large, as a share of its size.
SPROUT = 0.08


def climbing_shoot() -> None:
    scene = begin(168)
    vine = commands.grow(str(HERE / "vine.lsys"), seed=2)
    wire = wire_around_pole(scene, turns=4.0)
    activate(vine)
    wire.select_set(True)
    bpy.ops.plant_dynamics.guide_shoot(arrangement="WIRE", every=2, friction=0.0)
    for _ in range(3):  # the tip is free
        bpy.ops.plant_dynamics.remove_load()
    stem = stem_of(vine)
    begins = {name: 1 + 3 * number for number, name in enumerate(stem)}
    for bone in vine.data.bones:
        bone.inherit_scale = "NONE"
        borne = next(one.name for one in (bone, *bone.parent_recursive) if one.name in begins)
        first = begins[borne]
        key(vine.pose.bones[bone.name], "scale", {first: (SPROUT,) * 3, first + 36: (1.0, 1.0, 1.0)})
    scene.frame_set(1)
    activate(vine)
    dress(scene, (-0.3, -0.3, 0.0), (0.45, 0.3, 1.8))


#: Of the tong: bars that cross, their length (m), and half the height (m) of the base as drawn, open and closed.
STAGES, BAR, DRAWN, OPEN, CLOSED = 6, 0.24, 0.08, 0.1, 0.06


def tong() -> None:
    scene = begin(120)
    armature = bpy.data.armatures.new("Tong")
    obj = bpy.data.objects.new("Tong", armature)
    scene.collection.objects.link(obj)
    obj.location.z = 0.2
    activate(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    step = float(np.sqrt(BAR**2 - 4.0 * DRAWN**2))
    for name, side in (("Low", -1.0), ("High", 1.0)):  # each goes up and down, and crosses the other one
        grip = armature.edit_bones.new(f"{name} Grip")
        grip.head, grip.tail = (0.0, 0.0, side * DRAWN), (0.0, 0.0, side * DRAWN + 0.05)
        parent, at = grip, Vector((0.0, 0.0, side * DRAWN))
        for stage in range(STAGES):
            side = -side
            bone = armature.edit_bones.new(f"{name}.{stage}")
            bone.head, bone.tail = at, (at.x + step, 0.0, side * DRAWN)
            bone.parent, bone.use_connect = parent, stage > 0
            parent, at = bone, bone.tail.copy()
        for number, (x, z) in enumerate(((0.09, 0.035), (0.08, -0.02))):
            jaw = armature.edit_bones.new(f"{name} Jaw.{number}")
            jaw.head, jaw.tail = at, at + Vector((x, 0.0, side * z))
            jaw.parent, jaw.use_connect = parent, True
            parent, at = jaw, jaw.tail.copy()
    for bone in armature.edit_bones:
        bone.head_radius = bone.tail_radius = 0.006
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.plant_dynamics.make_dynamic()
    settings, bones = obj.plant_dynamics, obj.data.bones
    settings.radius_source, settings.young_modulus, settings.damping_time = "ENVELOPE", 200.0, 0.05
    for name in ("Low", "High"):
        bones[f"{name} Grip"].plant_dynamics.use_physics = False
        for number in range(2):
            bones[f"{name} Jaw.{number}"].plant_dynamics.pinned = True
    for stage in range(STAGES):
        load = guide(obj, "tie", f"Low.{stage}")
        load.along = load.other_along = 0.5
        load.other_bone = f"High.{stage}"
    pane = None  # pins are hinges: the bars of one side stay in a plane, and those that are tied to them do too
    for stage in range(STAGES):
        load = guide(obj, "plane", f"High.{stage}")
        if pane is None:
            pane = load.target
            pane.location, pane.rotation_euler.x = obj.location, 0.5 * np.pi
        else:
            bpy.data.objects.remove(load.target)
            load.target = pane
    for name, side in (("Low", -1.0), ("High", 1.0)):
        heights = {1: OPEN, 24: OPEN, 54: CLOSED, 72: CLOSED, 96: OPEN, 120: OPEN}
        grip = obj.pose.bones[f"{name} Grip"]
        key(grip, "location", {frame: (0.0, side * (height - DRAWN), 0.0) for frame, height in heights.items()})
    scene.frame_set(1)
    for bone in bones:
        bar(bone, obj)
    place = Vector((STAGES * float(np.sqrt(BAR**2 - 4.0 * CLOSED**2)) + 0.135, 0.0, obj.location.z))
    held_out(place)
    activate(obj)
    dress(scene, (-0.1, -0.15, 0.0), (1.55, 0.15, 0.4))


def held_out(place: Vector) -> None:
    """A ball on a post that stands behind it."""
    bpy.ops.mesh.primitive_uv_sphere_add(segments=32, ring_count=16, radius=0.04, location=place)
    bpy.ops.object.shade_smooth()
    bpy.context.object.data.materials.append(colour_of((0.05, 0.2, 0.5, 1.0)))
    arm, post = place + Vector((0.0, 0.06, 0.0)), Vector((place.x, 0.12, 0.5 * place.z))
    for middle, depth, turn in ((arm, 0.12, 0.5 * np.pi), (post, place.z, 0.0)):
        bpy.ops.mesh.primitive_cylinder_add(radius=0.01, depth=depth, location=middle, rotation=(turn, 0.0, 0.0))
        bpy.context.object.data.materials.append(colour_of((0.2, 0.2, 0.2, 1.0)))


def bar(bone: bpy.types.Bone, armature: bpy.types.Object) -> None:
    """A round bar that is carried by a bone; those of one side lie before those of the other."""
    wood, red = (0.42, 0.25, 0.12, 1.0), (0.55, 0.06, 0.05, 1.0)
    low = bone.name.startswith("Low")
    data = bpy.data.curves.new(bone.name, "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution, data.use_fill_caps = "3D", 0.009, 4, True
    spline = data.splines.new("POLY")
    spline.points.add(1)
    depth = 0.007 if low else -0.007
    spline.points[1].co = (0.0, bone.length, 0.0, 1.0)
    obj = bpy.data.objects.new(bone.name, data)
    bpy.context.scene.collection.objects.link(obj)
    data.materials.append(colour_of(red if "Jaw" in bone.name or "Grip" in bone.name else wood))
    obj.parent, obj.parent_type, obj.parent_bone = armature, "BONE", bone.name
    obj.location.y = -bone.length  # children begin at the tail
    obj.delta_location = (bone.matrix_local.to_3x3().inverted() @ Vector((0.0, depth, 0.0)))


SCENES = {
    scene.__name__: scene
    for scene in (pushed_pot, windy_reeds, toy_caterpillar, hung_garland, tied_vine, climbing_shoot, tong)
}


def main() -> None:
    folder, *names = sys.argv[sys.argv.index("--") + 1 :]
    for name in names or SCENES:
        SCENES[name]()
        commands.save(Path(folder).resolve() / f"{name}.blend")
        print(f"{name}.blend")


if __name__ == "__main__":
    main()
