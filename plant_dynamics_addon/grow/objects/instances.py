# SPDX-License-Identifier: GPL-3.0-or-later
"""Instanced organs in Blender: points that the bones move, and geometry nodes that put a copy at each.

The points are the vertices of a mesh, three for every organ: its base, its tip, and one to its right. The Armature
modifier moves them as it moves the skin; the nodes after it turn a copy of the organ's mesh to where they are. So the
copies follow playing, baked and rendered motion alike, and know of no frame.
"""

from collections.abc import Sequence

import bpy
import numpy as np

from ..mesh.copies import Copies
from .deform_weights import write_deform_weights
from .skinned_mesh import ATTRIBUTES, SegmentAttributes, build_mesh, point_attribute, skin_to_armature


def add_instances(
    armature: bpy.types.Object,
    names: Sequence[str],
    heads: np.ndarray,
    copies: Sequence[Copies],
    attributes: SegmentAttributes,
    materials: Sequence[bpy.types.Material],
) -> bpy.types.Object:
    """The object whose points carry all copies; `names` and `heads` are those of all segments."""
    templates = [_template(f"{armature.name} {one.name}", one, materials) for one in copies]
    points = _points(f"{armature.name} Organs", heads, copies, attributes)
    carrier = bpy.data.objects.new(points.name, points)
    armature.users_collection[0].objects.link(carrier)
    skin_to_armature(carrier, armature, names)
    modifier = carrier.modifiers.new("Instances", "NODES")
    modifier.node_group = _nodes(points.name, templates)
    return carrier


def _template(name: str, copies: Copies, materials: Sequence[bpy.types.Material]) -> bpy.types.Object:
    """An object of its own that no scene shows."""
    mesh = build_mesh(name, copies.template, None)
    for material in materials:
        mesh.materials.append(material)
    return bpy.data.objects.new(name, mesh)


def _points(name: str, heads: np.ndarray, copies: Sequence[Copies], attributes: SegmentAttributes) -> bpy.types.Mesh:
    segment = np.concatenate([one.segment for one in copies])
    right, along, scale = (np.concatenate([getattr(one, key) for one in copies]) for key in ("right", "along", "scale"))
    head = heads[segment]
    places = np.stack([head, head + scale[:, 1:2] * along, head + 0.5 * scale[:, 1:2] * right], axis=1)
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(3 * len(segment))
    mesh.vertices.foreach_set("co", places.astype(np.float32).ravel())
    of_point = np.repeat(segment, 3)
    write_deform_weights(mesh, of_point[:, None], np.ones((len(of_point), 1)))
    attributes.write(mesh, of_point)
    sizes = np.repeat(scale, 3, axis=0).astype(np.float32)
    mesh.attributes.new("plant_scale", "FLOAT_VECTOR", "POINT").data.foreach_set("vector", sizes.ravel())
    number = np.repeat(np.arange(len(copies)), [3 * len(one.segment) for one in copies])
    is_base = np.arange(len(of_point)) % 3 == 0
    for k in range(len(copies)):
        point_attribute(mesh, f"plant_copy_{k}", "BOOLEAN", is_base & (number == k))
    return mesh


def _nodes(name: str, templates: Sequence[bpy.types.Object]) -> bpy.types.NodeTree:
    """Instance on Points for every template, at new points that are given only what is needed.

    On the mesh's own points every copy would get the weights of all bones as attributes, which takes a time that
    grows with the square of the plant.
    """
    tree = bpy.data.node_groups.new(name, "GeometryNodeTree")
    for side in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=side, socket_type="NodeSocketGeometry")
    link = tree.links.new

    def node(kind: str, inputs: dict[str | int, object] | None = None, **settings) -> bpy.types.Node:
        new = tree.nodes.new(kind)
        for key, value in settings.items():
            setattr(new, key, value)
        for socket, value in (inputs or {}).items():
            if isinstance(value, bpy.types.NodeSocket):
                link(value, new.inputs[socket])
            else:
                new.inputs[socket].default_value = value
        return new

    carrier = node("NodeGroupInput").outputs[0]
    count = node("GeometryNodeAttributeDomainSize", {0: carrier}, component="MESH").outputs["Point Count"]
    organs = node("ShaderNodeMath", {0: count, 1: 1 / 3}, operation="MULTIPLY")
    organs = node("ShaderNodeMath", {0: organs.outputs[0]}, operation="ROUND").outputs[0]
    index = node("GeometryNodeInputIndex").outputs[0]

    def sampled(kind: str, value: bpy.types.NodeSocket, corner: int = 0) -> bpy.types.NodeSocket:
        """The value at one of the three points of the organ with the index of the new point."""
        at = node("ShaderNodeMath", {0: index, 1: 3.0, 2: float(corner)}, operation="MULTIPLY_ADD").outputs[0]
        sample = node("GeometryNodeSampleIndex", data_type=kind, domain="POINT")
        link(carrier, sample.inputs["Geometry"])
        link(value, sample.inputs["Value"])
        link(at, sample.inputs["Index"])
        return sample.outputs[0]

    def attribute(kind: str, called: str) -> bpy.types.NodeSocket:
        found = node("GeometryNodeInputNamedAttribute", {"Name": called}, data_type=kind).outputs["Attribute"]
        return sampled(kind, found)

    place = node("GeometryNodeInputPosition").outputs[0]
    base = sampled("FLOAT_VECTOR", place)
    towards = [
        node("ShaderNodeVectorMath", {0: sampled("FLOAT_VECTOR", place, corner), 1: base}, operation="SUBTRACT")
        for corner in (1, 2)
    ]
    turn = node(
        "FunctionNodeAxesToRotation",
        {"Primary Axis": towards[0].outputs[0], "Secondary Axis": towards[1].outputs[0]},
        primary_axis="Y", secondary_axis="X",
    ).outputs[0]  # fmt: skip
    size = attribute("FLOAT_VECTOR", "plant_scale")
    points = node("GeometryNodePoints", {"Count": organs, "Position": base}).outputs[0]
    for called, kind in ATTRIBUTES.items():
        stored = node("GeometryNodeStoreNamedAttribute", {"Geometry": points, "Name": called},
                      data_type=kind, domain="POINT")  # fmt: skip
        link(attribute(kind, called), stored.inputs["Value"])
        points = stored.outputs[0]
    joined = node("GeometryNodeJoinGeometry")
    link(carrier, joined.inputs[0])  # points do not render; they tell how far the organs reach
    # Object Mode shows the points of a mesh as dots if it has no edge, and edges as lines if they are no face's: a face
    # without any size hides both.
    face = node("GeometryNodeMeshGrid", {"Size X": 0.0, "Size Y": 0.0, "Vertices X": 2, "Vertices Y": 2})
    link(face.outputs[0], joined.inputs[0])
    for k, template in enumerate(templates):
        shown = node("GeometryNodeObjectInfo", {"Object": template}).outputs["Geometry"]
        copies = node("GeometryNodeInstanceOnPoints", {
            "Points": points, "Selection": attribute("BOOLEAN", f"plant_copy_{k}"), "Instance": shown,
            "Rotation": turn, "Scale": size,
        })  # fmt: skip
        link(copies.outputs[0], joined.inputs[0])
    link(joined.outputs[0], node("NodeGroupOutput").inputs[0])
    return tree
