# SPDX-License-Identifier: GPL-3.0-or-later
"""A thin layer over node trees, so that they read like their formulas."""

from typing import Any

import bpy

Socket = bpy.types.NodeSocket
Value = Any  # a socket to link from, or what else an input is set to


class NodeBuilder:
    """Adds nodes to a tree."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        self.tree = tree

    def node(self, kind: str, inputs: dict[str | int, Value] | None = None, **settings: Any) -> bpy.types.Node:
        """A node of the type with its settings and inputs."""
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for name, value in (inputs or {}).items():
            self.feed(node.inputs[name], value)
        return node

    def feed(self, socket: Socket, value: Value) -> None:
        """Link the input to a socket, or set it to a value; colours may be without alpha."""
        if isinstance(value, Socket):
            self.tree.links.new(value, socket)
        elif isinstance(value, tuple) and len(value) == 3 and socket.type == "RGBA":
            socket.default_value = (*value, 1.0)
        else:
            socket.default_value = value

    def math(self, operation: str, *operands: Value) -> Socket:
        """The result of a Math node."""
        return self.node("ShaderNodeMath", dict(enumerate(operands)), operation=operation).outputs[0]
