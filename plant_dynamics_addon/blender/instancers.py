# SPDX-License-Identifier: GPL-3.0-or-later
"""What objects show instances, and of what: of collections, on vertices and faces, on points by geometry nodes, as
particles."""

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import bpy

from ..memory import Memory
from .plain_values import plain_values
from .versions import node_inputs

_ON_MESHES = ("VERTS", "FACES")

#: Nodes that make instances of what has no object.
_MAKING = {"GeometryNodeInstanceOnPoints", "GeometryNodeGeometryToInstance", "GeometryNodeStringToCurves"}


class Shown(NamedTuple):
    """What an object may show instances of; shaping: by what these may be placed, beside the object itself."""

    instanced: frozenset[bpy.types.Object]
    shaping: frozenset[bpy.types.Object]


class _Holders(NamedTuple):
    """Where a node tree has objects and collections, as (node, input), as long as its nodes have these names and it has
    so many links; input -1: a property of the node.

    groups: nodes that have a tree; makes: whether it makes instances of geometry
    """

    names: tuple[str, ...]
    links: int
    places: tuple[tuple[int, int], ...]
    groups: tuple[int, ...]
    makes: bool


_holders: Memory[_Holders] = Memory()


def may_instance(obj: bpy.types.Object) -> bool:
    """Whether the object shows instances of anything, or may. At next to no cost."""
    return obj.instance_type != "NONE" or any(
        one.type in ("NODES", "PARTICLE_SYSTEM") and one.show_viewport for one in obj.modifiers
    )


def shown_by(obj: bpy.types.Object) -> Shown:
    """What the object may show, also by what it shows instances of."""
    instanced: set[bpy.types.Object] = set()
    shaping: set[bpy.types.Object] = set()
    waiting = [obj]
    while waiting:
        one = waiting.pop()
        shown, placed_by = _directly(one)
        shaping |= placed_by
        new = shown - instanced - {obj}
        instanced |= shown
        deeper = [each for each in new if may_instance(each)]
        shaping.update(deeper)
        waiting += deeper
    return Shown(frozenset(instanced), frozenset(shaping))


def _directly(obj: bpy.types.Object) -> tuple[set[bpy.types.Object], set[bpy.types.Object]]:
    """The same of the object alone."""
    shown: set[bpy.types.Object] = set()
    shaping: set[bpy.types.Object] = set()
    kind = obj.instance_type
    if kind == "COLLECTION" and obj.instance_collection is not None:
        shown.update(obj.instance_collection.all_objects)
    elif kind in _ON_MESHES:
        shown.update(obj.children)
    for modifier in obj.modifiers:
        if modifier.type == "PARTICLE_SYSTEM":
            shown.update(_of_particles(modifier.particle_system.settings))
        elif modifier.type == "NODES" and modifier.show_viewport and modifier.node_group is not None:
            held, makes = _held_by_nodes(modifier)
            objects = [one for one in held if isinstance(one, bpy.types.Object)]
            shown.update(objects)
            shaping.update(objects)
            shown.update(*(one.all_objects for one in held if isinstance(one, bpy.types.Collection)))
            if makes:
                shown.add(obj)  # what its nodes make has its settings
    return shown, shaping


def _of_particles(settings: bpy.types.ParticleSettings) -> Iterator[bpy.types.Object]:
    if settings.render_type == "OBJECT" and settings.instance_object is not None:
        yield settings.instance_object
    elif settings.render_type == "COLLECTION" and settings.instance_collection is not None:
        yield from settings.instance_collection.all_objects


def _held_by_nodes(modifier: bpy.types.Modifier) -> tuple[list[bpy.types.ID], bool]:
    """Objects and collections that geometry nodes know, and whether they make instances of what has no object."""
    held = [value for _, value in node_inputs(modifier) if isinstance(value, bpy.types.ID)]
    makes = False
    for tree, known in _trees(modifier.node_group):
        makes = makes or known.makes
        held += (one for one in _held_by(tree, known) if one is not None)
    return held, makes


def _trees(tree: bpy.types.NodeTree) -> list[tuple[bpy.types.NodeTree, _Holders]]:
    """The tree and all groups in it, each once, with what is known of it."""
    found, waiting = {}, [tree]
    while waiting:
        one = waiting.pop()
        if one.session_uid not in found:
            known = _places(one)
            found[one.session_uid] = one, known
            waiting += [inner for i in known.groups if (inner := _inner(one.nodes[i])) is not None]
    return list(found.values())


def _inner(node: bpy.types.Node) -> bpy.types.NodeTree | None:
    return getattr(node, "node_tree", None)


def _held_by(tree: bpy.types.NodeTree, known: _Holders) -> Iterator[Any]:
    nodes = tree.nodes
    for node, place in known.places:
        inputs = nodes[node].inputs
        if place < 0:
            yield from _properties(nodes[node])
        elif place < len(inputs):
            yield getattr(inputs[place], "default_value", None)


def _properties(node: bpy.types.Node) -> tuple[Any, Any]:
    return getattr(node, "object", None), getattr(node, "collection", None)


def _places(tree: bpy.types.NodeTree) -> _Holders:
    """Found once, for trees are large and all that is shown depends on few of their inputs."""
    known, names = _holders.of(tree), tuple(tree.nodes.keys())
    if known is not None and (known.names, known.links) == (names, len(tree.links)):
        return known
    places, groups = [], []
    for i, node in enumerate(tree.nodes):
        places += [(i, k) for k, one in enumerate(node.inputs) if one.type in ("OBJECT", "COLLECTION")]
        if hasattr(node, "object") or hasattr(node, "collection"):
            places.append((i, -1))
        if hasattr(node, "node_tree"):
            groups.append(i)
    makes = any(node.bl_idname in _MAKING for node in tree.nodes)
    return _holders.keep(tree, _Holders(names, len(tree.links), tuple(places), tuple(groups), makes))


def forget_nodes(tree: bpy.types.NodeTree) -> None:
    """The tree has been edited."""
    _holders.forget(tree)


def instancing_of(obj: bpy.types.Object) -> Hashable:
    """What is set of the instances that the object shows: equal as long as that is."""
    if not may_instance(obj):
        return ()
    faces = obj.use_instance_vertices_rotation, obj.use_instance_faces_scale, obj.instance_faces_scale
    modifiers = tuple((plain_values(one), _set_for(one)) for one in obj.modifiers)
    return obj.instance_type, faces, _members(obj.instance_collection), modifiers


def _set_for(modifier: bpy.types.Modifier) -> Hashable:
    """What is set of instances elsewhere than in the modifier's own properties."""
    if modifier.type == "PARTICLE_SYSTEM":
        system = modifier.particle_system
        return plain_values(system), plain_values(system.settings), _members(system.settings.instance_collection)
    if modifier.type != "NODES" or modifier.node_group is None:
        return ()
    held, _ = _held_by_nodes(modifier)
    collections = tuple(_members(one) for one in held if isinstance(one, bpy.types.Collection))
    inputs = tuple((name, str(value)) for name, value in node_inputs(modifier))
    return inputs, tuple(_set_of(tree) for tree, _ in _trees(modifier.node_group)), collections


def _members(collection: bpy.types.Collection | None) -> Hashable:
    if collection is None:
        return None
    within = [collection, *collection.children_recursive]
    collections: Hashable = tuple((one.session_uid, one.hide_viewport, tuple(one.instance_offset)) for one in within)
    return collections, tuple((one.session_uid, one.hide_viewport) for one in collection.all_objects)


def _set_of(tree: bpy.types.NodeTree) -> Hashable:
    """Nodes with their values, and links."""
    nodes = tuple((node.name, node.mute, _settings(node), tuple(map(_value, node.inputs))) for node in tree.nodes)
    links = tuple(
        (one.from_node.name, one.from_socket.identifier, one.to_node.name, one.to_socket.identifier, one.is_muted)
        for one in tree.links
    )
    return nodes, links


def _settings(node: bpy.types.Node) -> Hashable:
    """What the kind of node has beside what all nodes have."""
    common = bpy.types.Node.bl_rna.properties
    own = (prop for prop in node.bl_rna.properties if prop.identifier not in common)
    return tuple(str(getattr(node, prop.identifier)) for prop in own if prop.type in ("ENUM", "BOOLEAN"))


def _value(socket: bpy.types.NodeSocket) -> Hashable:
    value = getattr(socket, "default_value", None)
    if isinstance(value, bpy.types.ID):
        return value.session_uid
    return tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
