# SPDX-License-Identifier: GPL-3.0-or-later
"""Things that are in a scene as instances only: of collections, on points, vertices and particles."""

import bpy

from tests.blender.scenes.collider_scenes import collide, mesh_object, primitive


def stored(*objects: bpy.types.Object, name: str = "Store") -> bpy.types.Collection:
    """A collection of these objects that no scene shows."""
    collection = bpy.data.collections.new(name)
    for obj in objects:
        for one in list(obj.users_collection):
            one.objects.unlink(obj)
        collection.objects.link(obj)
    return collection


def stored_ball(name: str = "Stone", radius: float = 0.1, **settings) -> bpy.types.Object:
    """A ball with Collision physics that no scene shows; one for each name."""
    if name in bpy.data.objects:
        return bpy.data.objects[name]
    ball = collide(primitive("uv_sphere", name, radius=radius), **settings)
    stored(ball, name=f"{name} Store")
    return ball


def empty(name: str, collection: bpy.types.Collection, location=(0.0, 0.0, 0.0)) -> bpy.types.Object:
    """An Empty that instances a collection."""
    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    obj.instance_type, obj.instance_collection, obj.location = "COLLECTION", collection, location
    return obj


def points(name: str, *places) -> bpy.types.Object:
    """A mesh of vertices only."""
    return mesh_object(name, places, [])


def scattered(obj: bpy.types.Object, shown: bpy.types.Object | bpy.types.Collection | None) -> bpy.types.NodeTree:
    """Have geometry nodes put an instance at each of the object's points; None: a ball that the nodes make."""
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    for side in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=side, socket_type="NodeSocketGeometry")
    nodes = tree.nodes
    given, result = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    copies = nodes.new("GeometryNodeInstanceOnPoints")
    if shown is None:
        source = nodes.new("GeometryNodeMeshUVSphere")
        source.inputs["Radius"].default_value = 0.1
    elif isinstance(shown, bpy.types.Collection):
        source = nodes.new("GeometryNodeCollectionInfo")
        source.inputs["Collection"].default_value = shown
    else:
        source = nodes.new("GeometryNodeObjectInfo")
        source.inputs["Object"].default_value, source.inputs["As Instance"].default_value = shown, True
    made = next(one for one in source.outputs if one.type == "GEOMETRY")
    tree.links.new(given.outputs[0], copies.inputs["Points"])
    tree.links.new(made, copies.inputs["Instance"])
    tree.links.new(copies.outputs[0], result.inputs[0])
    obj.modifiers.new("Scatter", "NODES").node_group = tree
    return tree


def on_vertices(obj: bpy.types.Object, child: bpy.types.Object) -> None:
    """Have the object's vertices show its child."""
    obj.instance_type, child.parent = "VERTS", obj


def as_particles(obj: bpy.types.Object, shown: bpy.types.Object, count: int) -> bpy.types.ParticleSettings:
    """Have hairs of a mesh show an object."""
    obj.modifiers.new("Hair", "PARTICLE_SYSTEM")
    settings = obj.particle_systems[0].settings
    settings.type, settings.render_type, settings.instance_object = "HAIR", "OBJECT", shown
    settings.count, settings.particle_size, settings.hair_length = count, 1.0, 1.0
    return settings
