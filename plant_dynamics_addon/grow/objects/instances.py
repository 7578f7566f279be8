# SPDX-License-Identifier: GPL-3.0-or-later
"""Instanced organs in Blender: points that the bones move, and geometry nodes that put a copy at each.

The points are the vertices of a mesh, three for every organ: its base, its tip, and one to its right. The Armature
modifier moves them as it moves the skin; the nodes after it turn a copy of the organ's mesh to where they are. So the
copies follow playing, baked and rendered motion alike, and know of no frame.
"""

from collections.abc import Mapping, Sequence

import bpy
import numpy as np

from ...blender.node_trees import NodeBuilder, Socket
from ..mesh.copies import Copies
from .deform_weights import write_deform_weights
from .skinned_mesh import ATTRIBUTES, SegmentAttributes, add_skinned_object, build_mesh, paint, write_attribute


def add_instances(
    armature: bpy.types.Object,
    names: Sequence[str],
    copies: Sequence[Copies],
    attributes: SegmentAttributes,
    materials: Sequence[bpy.types.Material],
    numbered: Mapping[int, bpy.types.Material],
) -> bpy.types.Object:
    """The object whose points carry all copies; `names` are those of all segments. Copies with a number that a material
    is for have that."""
    called = [f"{armature.name} {one.name}" for one in copies]
    meshes = [build_mesh(name, one.template, materials) for name, one in zip(called, copies, strict=True)]
    for one, mesh in zip(copies, meshes, strict=True):
        if one.number is not None and one.number in numbered:
            paint(mesh, np.full(len(mesh.vertices), one.number), {one.number: numbered[one.number]})
    # Objects of their own that no scene shows.
    templates = [bpy.data.objects.new(name, mesh) for name, mesh in zip(called, meshes, strict=True)]
    points = _points(f"{armature.name} Organs", copies, attributes)
    carrier = add_skinned_object(points.name, points, armature, names)
    modifier = carrier.modifiers.new("Instances", "NODES")
    modifier.node_group = _node_group(points.name, templates)
    return carrier


def _points(name: str, copies: Sequence[Copies], attributes: SegmentAttributes) -> bpy.types.Mesh:
    segment, chance, head, right, along, scale = (
        np.concatenate([getattr(one, array) for one in copies])
        for array in ("segment", "chance", "head", "right", "along", "scale")
    )
    places = np.stack([head, head + scale[:, 1:2] * along, head + 0.5 * scale[:, 1:2] * right], axis=1)
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(3 * len(segment))
    mesh.vertices.foreach_set("co", places.astype(np.float32).ravel())
    of_point = np.repeat(segment, 3)
    write_deform_weights(mesh, of_point[:, None], np.ones((len(of_point), 1)))
    attributes.write(mesh, of_point, np.repeat(chance, 3))
    write_attribute(mesh, "plant_scale", "FLOAT_VECTOR", np.repeat(scale, 3, axis=0))
    number = np.repeat(np.arange(len(copies)), [3 * len(one.segment) for one in copies])
    is_base = np.arange(len(of_point)) % 3 == 0
    for k in range(len(copies)):
        write_attribute(mesh, f"plant_copy_{k}", "BOOLEAN", is_base & (number == k))
    return mesh


class _OrganNodes(NodeBuilder):
    """Nodes that know the carrier's organs, three points each."""

    def __init__(self, name: str) -> None:
        super().__init__(bpy.data.node_groups.new(name, "GeometryNodeTree"))
        for side in ("INPUT", "OUTPUT"):
            self.tree.interface.new_socket("Geometry", in_out=side, socket_type="NodeSocketGeometry")
        self.carrier = self.node("NodeGroupInput").outputs[0]
        count = self.node("GeometryNodeAttributeDomainSize", {0: self.carrier}, component="MESH").outputs["Point Count"]
        self.count = self.math("ROUND", self.math("MULTIPLY", count, 1 / 3))
        self.index = self.node("GeometryNodeInputIndex").outputs[0]

    def sampled(self, kind: str, value: Socket, corner: int = 0) -> Socket:
        """The value at one of the three points of the organ with the index of the new point."""
        at = self.math("MULTIPLY_ADD", self.index, 3.0, float(corner))
        inputs = {"Geometry": self.carrier, "Value": value, "Index": at}
        return self.node("GeometryNodeSampleIndex", inputs, data_type=kind, domain="POINT").outputs[0]

    def attribute(self, kind: str, name: str) -> Socket:
        """That of the organ's first point."""
        found = self.node("GeometryNodeInputNamedAttribute", {"Name": name}, data_type=kind)
        return self.sampled(kind, found.outputs["Attribute"])

    def places(self) -> tuple[Socket, Socket]:
        """Where the organs begin, and how they are turned."""
        place = self.node("GeometryNodeInputPosition").outputs[0]
        base = self.sampled("FLOAT_VECTOR", place)
        along, right = (
            self.node("ShaderNodeVectorMath", {0: self.sampled("FLOAT_VECTOR", place, corner), 1: base},
                      operation="SUBTRACT").outputs[0]
            for corner in (1, 2)
        )  # fmt: skip
        axes = {"Primary Axis": along, "Secondary Axis": right}
        turn = self.node("FunctionNodeAxesToRotation", axes, primary_axis="Y", secondary_axis="X")
        return base, turn.outputs[0]

    def points(self, places: Socket) -> Socket:
        """A new point for every organ, with the attributes that materials read."""
        points = self.node("GeometryNodePoints", {"Count": self.count, "Position": places}).outputs[0]
        for name, kind in ATTRIBUTES.items():
            inputs = {"Geometry": points, "Name": name}
            stored = self.node("GeometryNodeStoreNamedAttribute", inputs, data_type=kind, domain="POINT")
            self.feed(stored.inputs["Value"], self.attribute(kind, name))
            points = stored.outputs[0]
        return points


def _node_group(name: str, templates: Sequence[bpy.types.Object]) -> bpy.types.NodeTree:
    """Instance on Points for every template, at new points that are given only what is needed.

    On the mesh's own points every copy would get the weights of all bones as attributes, which takes a time that
    grows with the square of the plant.
    """
    nodes = _OrganNodes(name)
    base, turn = nodes.places()
    size = nodes.attribute("FLOAT_VECTOR", "plant_scale")
    points = nodes.points(base)
    joined = nodes.node("GeometryNodeJoinGeometry")
    nodes.feed(joined.inputs[0], nodes.carrier)  # points do not render; they tell how far the organs reach
    # Object Mode shows the points of a mesh as dots if it has no edge, and edges as lines if they are no face's: a face
    # without any size hides both.
    face = nodes.node("GeometryNodeMeshGrid", {"Size X": 0.0, "Size Y": 0.0, "Vertices X": 2, "Vertices Y": 2})
    nodes.feed(joined.inputs[0], face.outputs[0])
    for k, template in enumerate(templates):
        shown = nodes.node("GeometryNodeObjectInfo", {"Object": template}).outputs["Geometry"]
        copies = nodes.node("GeometryNodeInstanceOnPoints", {
            "Points": points, "Selection": nodes.attribute("BOOLEAN", f"plant_copy_{k}"), "Instance": shown,
            "Rotation": turn, "Scale": size,
        })  # fmt: skip
        nodes.feed(joined.inputs[0], copies.outputs[0])
    nodes.node("NodeGroupOutput", {0: joined.outputs[0]})
    return nodes.tree
