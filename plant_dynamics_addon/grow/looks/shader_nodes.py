# SPDX-License-Identifier: GPL-3.0-or-later
"""Shader node trees that read like the formulas of their materials."""

import bpy

from ...blender.node_trees import NodeBuilder, Socket, Value


class ShaderTree(NodeBuilder):
    """Adds nodes to a material's emptied node tree; all but `node` return the socket of the result."""

    def __init__(self, material: bpy.types.Material) -> None:
        if material.node_tree is None:  # from 5.0 on every material has one
            material.use_nodes = True
        super().__init__(material.node_tree)
        self.tree.nodes.clear()

    def smooth_step(self, value: Value, start: float, end: float) -> Socket:
        """0 at `start`, 1 at `end` (which may be the smaller), smooth between."""
        lower, upper = min(start, end), max(start, end)
        inputs = {"Value": value, "From Min": lower, "From Max": upper}
        step = self.node("ShaderNodeMapRange", inputs, interpolation_type="SMOOTHSTEP")
        return step.outputs[0] if start < end else self.math("SUBTRACT", 1.0, step.outputs[0])

    def blend(self, factor: Value, a: Value, b: Value) -> Socket:
        """Colour a at factor 0, b at factor 1."""
        # The sockets of the colour kind have no names of their own.
        return self.node("ShaderNodeMix", {0: factor, 6: a, 7: b}, data_type="RGBA").outputs[2]

    def attribute(self, name: str) -> Socket:
        """A float attribute of the mesh."""
        return self.node("ShaderNodeAttribute", attribute_name=name).outputs["Fac"]

    def organ_attribute(self, name: str) -> Socket:
        """A float attribute of the mesh, or of the instance where the mesh has none: the other one is 0."""
        of_instance = self.node("ShaderNodeAttribute", attribute_name=name, attribute_type="INSTANCER").outputs["Fac"]
        return self.math("ADD", self.attribute(name), of_instance)

    def uv(self) -> tuple[Socket, Socket]:
        """The two UV coordinates."""
        separate = self.node("ShaderNodeSeparateXYZ", {0: self.node("ShaderNodeTexCoord").outputs["UV"]})
        return separate.outputs[0], separate.outputs[1]

    def place(self, x: Value, y: Value, z: Value) -> Socket:
        """A vector."""
        return self.node("ShaderNodeCombineXYZ", {0: x, 1: y, 2: z}).outputs[0]

    def noise(self, scale: float, detail: float = 3.0, vector: Value | None = None) -> Socket:
        """Noise in 0..1, by default in the object's space, so that it keeps to the surface."""
        coordinates = self.node("ShaderNodeTexCoord").outputs["Object"] if vector is None else vector
        return self.node("ShaderNodeTexNoise", {"Vector": coordinates, "Scale": scale, "Detail": detail}).outputs[0]

    def bump(self, height: Value, strength: float, distance: float) -> Socket:
        """A normal from a height; distance in metres."""
        return self.node("ShaderNodeBump", {"Height": height, "Strength": strength, "Distance": distance}).outputs[0]

    def principled(self, inputs: dict[str | int, Value]) -> None:
        """Make a Principled BSDF with these inputs the material's surface."""
        self.surface(self.node("ShaderNodeBsdfPrincipled", inputs).outputs[0])

    def surface(self, shader: Socket) -> None:
        """Make this shader the material's surface."""
        self.node("ShaderNodeOutputMaterial", {"Surface": shader})

    def thin_surface_for_eevee(self, shader: Socket) -> None:
        """Make this shader EEVEE's surface, of one side of a thin sheet: what nothing is linked to is there as thick as
        the whole object, and lets hardly any light through."""
        none = self.node("ShaderNodeValue").outputs[0]
        none.default_value = 0.0
        self.node("ShaderNodeOutputMaterial", {"Surface": shader, "Thickness": none}, target="EEVEE")
