# SPDX-License-Identifier: GPL-3.0-or-later
"""A thin layer over shader node trees, so that a material reads like its formula."""

from typing import Any

import bpy

Socket = bpy.types.NodeSocket
Value = Any  # a socket to link from, or a number or colour to set


class ShaderTree:
    """Adds nodes to a material's emptied node tree; every method returns the socket of its result."""

    def __init__(self, material: bpy.types.Material) -> None:
        if material.node_tree is None:  # from 5.0 on every material has one
            material.use_nodes = True
        self.tree = material.node_tree
        self.tree.nodes.clear()

    def node(self, kind: str, inputs: dict[str | int, Value] | None = None, **settings: Any) -> bpy.types.Node:
        """A node of the type `ShaderNode<kind>` with its settings and inputs."""
        node = self.tree.nodes.new("ShaderNode" + kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for name, value in (inputs or {}).items():
            self._feed(node.inputs[name], value)
        return node

    def math(self, operation: str, *operands: Value) -> Socket:
        """A Math node."""
        return self.node("Math", dict(enumerate(operands)), operation=operation).outputs[0]

    def smooth_step(self, value: Value, start: float, end: float) -> Socket:
        """0 at `start`, 1 at `end` (which may be the smaller), smooth between."""
        lower, upper = min(start, end), max(start, end)
        inputs = {"Value": value, "From Min": lower, "From Max": upper}
        step = self.node("MapRange", inputs, interpolation_type="SMOOTHSTEP")
        return step.outputs[0] if start < end else self.math("SUBTRACT", 1.0, step.outputs[0])

    def blend(self, factor: Value, a: Value, b: Value, mode: str = "MIX") -> Socket:
        """Colour a at factor 0, b at factor 1."""
        mix = self.node("Mix", data_type="RGBA", blend_type=mode)
        for index, value in ((0, factor), (6, a), (7, b)):  # the sockets of the colour kind have no names of their own
            self._feed(mix.inputs[index], value)
        return mix.outputs[2]

    def attribute(self, name: str) -> Socket:
        """A float attribute of the mesh."""
        return self.node("Attribute", attribute_name=name).outputs["Fac"]

    def organ_attribute(self, name: str) -> Socket:
        """A float attribute of the mesh, or of the instance where the mesh has none: the other one is 0."""
        of_instance = self.node("Attribute", attribute_name=name, attribute_type="INSTANCER").outputs["Fac"]
        return self.math("ADD", self.attribute(name), of_instance)

    def uv(self) -> tuple[Socket, Socket]:
        """The two UV coordinates."""
        separate = self.node("SeparateXYZ", {0: self.node("TexCoord").outputs["UV"]})
        return separate.outputs[0], separate.outputs[1]

    def noise(self, scale: float, detail: float = 3.0, vector: Value | None = None) -> Socket:
        """Noise in 0..1, by default in the object's space, so that it keeps to the surface."""
        coordinates = self.node("TexCoord").outputs["Object"] if vector is None else vector
        return self.node("TexNoise", {"Vector": coordinates, "Scale": scale, "Detail": detail}).outputs[0]

    def bump(self, height: Value, strength: float, distance: float) -> Socket:
        """A normal from a height; distance in metres."""
        return self.node("Bump", {"Height": height, "Strength": strength, "Distance": distance}).outputs[0]

    def principled(self, inputs: dict[str | int, Value]) -> None:
        """Make a Principled BSDF with these inputs the material's surface."""
        self.surface(self.node("BsdfPrincipled", inputs).outputs[0])

    def surface(self, shader: Socket) -> None:
        """Make this shader the material's surface."""
        self._feed(self.node("OutputMaterial").inputs["Surface"], shader)

    def _feed(self, socket: Socket, value: Value) -> None:
        if isinstance(value, Socket):
            self.tree.links.new(value, socket)
        elif isinstance(value, tuple) and len(value) == 3 and socket.type == "RGBA":
            socket.default_value = (*value, 1.0)
        else:
            socket.default_value = value
