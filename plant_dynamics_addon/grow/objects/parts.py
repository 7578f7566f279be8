# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that a grown plant consists of beside its armature, and their exchange for those of another one."""

from collections.abc import Collection, Iterable, Iterator, Sequence

import bpy

from ..looks.materials import material_name
from ..looks.numbered import MADE_FROM
from ..mesh.surface import PARTS

#: What growing makes, by `plant_dynamics.grown_part` of the object.
_ROLES = ("SKIN", "ORGANS", "POT", "SOIL")
_OF_PLANT = ("SKIN", "ORGANS")

Materials = dict[int, bpy.types.Material]


def parts_of(obj: bpy.types.Object, role: str) -> list[bpy.types.Object]:
    """The objects of the plant that are this part of it; more than one where the user has copied it."""
    return [part for part in all_parts(obj) if part.plant_dynamics.grown_part == role]


def all_parts(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """All objects of the plant that growing has made."""
    return [other for other in bpy.data.objects if is_part_of(other, obj)]


def is_part_of(other: bpy.types.Object, obj: bpy.types.Object) -> bool:
    """Whether growing has made the other object as a part of the plant: one below it, or that the user has taken away
    from there while the plant goes on moving it."""
    if not other.plant_dynamics.grown_part:
        return False
    if other.parent == obj:
        return True
    if other.parent is not None and other.parent.plant_dynamics.growth.is_known:
        return False
    return any(modifier.type == "ARMATURE" and modifier.object == obj for modifier in other.modifiers)


def exchange_parts(obj: bpy.types.Object, new: bpy.types.Object) -> float:
    """Give the plant the meshes of the new one, whose objects are gone then. Returns how much deeper (m) the pot is."""
    settings = obj.plant_dynamics.growth
    depth = new.plant_dynamics.growth.pot_depth - (settings.pot_depth if parts_of(obj, "POT") else 0.0)
    chosen, called = _chosen_materials(obj), new.name
    for role in _ROLES:
        before, grown = parts_of(obj, role), parts_of(new, role)
        kept = chosen if role in _OF_PLANT else _present_materials(before)
        for mesh in _meshes(grown):
            for index, material in kept.items():
                if index < len(mesh.materials):
                    mesh.materials[index] = material
        if before and grown:
            _exchange(before, grown[0], obj.name, called)
        elif grown:
            _adopt(obj, grown[0], called)
        for one in [] if grown else before:
            _delete(obj, one)
    return depth


def _chosen_materials(obj: bpy.types.Object) -> Materials:
    """Those of the plant's slots that are not the ones it was grown with, of the skin before those of the copies."""
    colours = obj.plant_dynamics.growth.colours
    found: Materials = {}
    for role in reversed(_OF_PLANT):
        for mesh in _meshes(parts_of(obj, role)):
            for index, (part, material) in enumerate(zip(PARTS, mesh.materials, strict=False)):
                if material is not None and material.name != material_name(part, colours):
                    found[index] = material
            # behind these are the numbered colours of texts
            for index, material in enumerate(mesh.materials[len(PARTS) :], len(PARTS)):
                if material is not None and material.get(MADE_FROM) is None:
                    found[index] = material
    return found


def _present_materials(parts: Sequence[bpy.types.Object]) -> Materials:
    return {k: material for part in parts for k, material in enumerate(part.data.materials) if material is not None}


def _meshes(parts: Sequence[bpy.types.Object]) -> Iterator[bpy.types.Mesh]:
    """Their meshes, and those of the copies that they carry."""
    for part in parts:
        yield part.data
        yield from (template.data for template in _templates(_nodes(part)))


def _instancer(part: bpy.types.Object) -> bpy.types.Modifier | None:
    modifier = part.modifiers.get("Instances")
    return modifier if modifier is not None and modifier.type == "NODES" else None


def _nodes(part: bpy.types.Object) -> bpy.types.NodeTree | None:
    modifier = _instancer(part)
    return modifier.node_group if modifier is not None else None


def _templates(nodes: bpy.types.NodeTree | None) -> list[bpy.types.Object]:
    if nodes is None:
        return []
    shown = (node.inputs["Object"].default_value for node in nodes.nodes if node.bl_idname == "GeometryNodeObjectInfo")
    return [obj for obj in shown if obj is not None]


def _exchange(before: Sequence[bpy.types.Object], part: bpy.types.Object, name: str, called: str) -> None:
    """Have the objects show what the new part shows, which then is no object of its own any more."""
    mesh, nodes = part.data, _nodes(part)
    mesh_name = before[0].data.name
    old = [(one.data, _nodes(one)) for one in before]
    for one in before:
        one.data = mesh
        instancer = _instancer(one)
        if instancer is not None:
            instancer.node_group = nodes
    bpy.data.objects.remove(part)
    for old_mesh, old_nodes in old:
        _remove_unused(old_mesh, old_nodes)
    _rename(mesh, nodes, name, called)
    if mesh_name not in bpy.data.meshes:
        mesh.name = mesh_name


def _adopt(obj: bpy.types.Object, part: bpy.types.Object, called: str) -> None:
    part.parent = obj
    for modifier in part.modifiers:
        if modifier.type == "ARMATURE":
            modifier.object = obj
    for collection in list(part.users_collection):
        collection.objects.unlink(part)
    for collection in obj.users_collection[:1]:
        collection.objects.link(part)
    part.name = obj.name + part.name.removeprefix(called)
    _rename(part.data, _nodes(part), obj.name, called)


def rename_parts(obj: bpy.types.Object, called: str) -> None:
    """Name the plant's parts and its armature after it, where they were after what it was `called`."""
    for one in (obj.data, *all_parts(obj)):
        if one.name.startswith(called):
            one.name = obj.name + one.name.removeprefix(called)
    for part in all_parts(obj):
        _rename(part.data, _nodes(part), obj.name, called)


def _delete(obj: bpy.types.Object, part: bpy.types.Object) -> None:
    _let_stand(part.children, obj)
    remove_parts([part])


def let_stand(going: Collection[bpy.types.Object]) -> None:
    """Before objects are removed: what hangs on them, and stays, goes on standing where it is."""
    for obj in going:
        _let_stand([child for child in obj.children if child not in going], None)


def _let_stand(objects: Iterable[bpy.types.Object], parent: bpy.types.Object | None) -> None:
    for one in objects:
        place = one.matrix_world.copy()
        one.parent = parent
        one.matrix_world = place


def remove_parts(parts: Collection[bpy.types.Object]) -> None:
    """Remove them, with their meshes and the nodes and templates of copies where nothing else uses these."""
    made_of = [(part.data, _nodes(part)) for part in parts]
    bpy.data.batch_remove(parts)
    for mesh, nodes in dict.fromkeys(made_of):
        _remove_unused(mesh, nodes)


def left_over(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Meshes in the scene that were parts of plants whose armatures are gone, with pots and soil of theirs, which are
    known by their names."""
    free = [obj for obj in scene.objects if obj.plant_dynamics.grown_part and obj.parent is None]
    skins = [obj for obj in free if obj.plant_dynamics.grown_part in _OF_PLANT and _has_lost_its_plant(obj, scene)]
    names = {_plants_name(skin) for skin in skins}
    rest = [obj for obj in free if obj.plant_dynamics.grown_part not in _OF_PLANT and _plants_name(obj) in names]
    return [obj for obj in skins + rest if obj.is_editable]


def _has_lost_its_plant(skin: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether it was deformed by an armature that is gone; one whose modifier was applied is the user's own."""
    leaders = [modifier.object for modifier in skin.modifiers if modifier.type == "ARMATURE"]
    return bool(leaders) and not any(one is not None and one.name in scene.objects for one in leaders)


def _plants_name(part: bpy.types.Object) -> str:
    """What the plant was called when the part was made."""
    return part.name.rpartition(" ")[0]


def keep_as_own(objects: Iterable[bpy.types.Object]) -> None:
    """They are parts of no plant any more, but the user's own."""
    for obj in objects:
        obj.plant_dynamics.property_unset("grown_part")


def _rename(mesh: bpy.types.Mesh, nodes: bpy.types.NodeTree | None, name: str, called: str) -> None:
    templates = _templates(nodes)
    for one in (mesh, nodes, *templates, *(template.data for template in templates)):
        if one is not None and one.name.startswith(called):
            one.name = name + one.name.removeprefix(called)


def _remove_unused(mesh: bpy.types.Mesh, nodes: bpy.types.NodeTree | None) -> None:
    templates = _templates(nodes)
    unused: list[bpy.types.ID] = [one for one in (mesh, nodes) if one is not None and one.users == 0]
    bpy.data.batch_remove(unused)
    alone = [one for one in templates if one.users == 0]
    meshes = [one.data for one in alone]
    bpy.data.batch_remove(alone)
    bpy.data.batch_remove([one for one in meshes if one.users == 0])
