# SPDX-License-Identifier: GPL-3.0-or-later
"""All that Blender lets read of a file."""

import bpy

#: What is not the file's: addresses and counters of this run, and what Blender computes for drawing.
_SKIPPED = {
    "rna_type", "session_uid", "original", "is_evaluated", "tag", "is_updated", "preview", "bl_rna", "is_runtime_data",
    "library_weak_reference", "active_section", "id_root", "strip_time", "users_id", "view_layer", "eevee", "cycles",
    "display", "tool_settings", "sequence_editor", "keying_sets_all", "fcurves_legacy", "bound_box",
    "render", "channels", "depsgraph", "use_nodes",
}  # fmt: skip
#: Kinds of data that are read; the others hold nothing that a bake could reach.
_KINDS = ("actions", "objects", "armatures", "scenes", "collections", "meshes", "materials", "cameras")
#: What has been read, so that structures that refer to one another are read once.
_seen = set()


def everything():
    """All properties of all data blocks, by their path; references to other data blocks by name."""
    found = {}
    _seen.clear()
    for kind in _KINDS:
        for block in getattr(bpy.data, kind):
            _read(block, f"{kind}[{block.name!r}]", found, depth=0)
    context = bpy.context
    found["mode"] = context.mode
    found["active"] = context.view_layer.objects.active and context.view_layer.objects.active.name
    found["selected"] = sorted(obj.name for obj in context.selected_objects)
    return found


def _read(data, path, found, depth):
    known = data.as_pointer(), type(data)
    if known in _seen:
        found[path] = "read elsewhere"
        return
    _seen.add(known)
    for prop in data.bl_rna.properties:
        name = prop.identifier
        if name in _SKIPPED or depth > 8 or name.startswith("is_library"):
            continue
        try:
            value = getattr(data, name)
        except (AttributeError, TypeError, RuntimeError):
            continue
        here = f"{path}.{name}"
        if prop.type == "POINTER":
            _read_pointer(value, here, found, depth)
        elif prop.type == "COLLECTION":
            if isinstance(data, bpy.types.Mesh):
                found[here] = len(value)
                continue
            for number, item in enumerate(value):
                label = f"{here}[{number}:{getattr(item, 'name', '')!r}]"
                if name == "bones" and isinstance(item, bpy.types.bpy_struct):
                    _read(item, label, found, depth + 1)
                else:
                    _read_pointer(item, label, found, depth)
            found[f"{here}.length"] = len(value)
        elif getattr(prop, "is_array", False):
            found[here] = tuple(tuple(row) if hasattr(row, "__len__") else row for row in value)
        elif prop.type == "ENUM" and prop.is_enum_flag:
            found[here] = sorted(value)
        else:
            found[here] = value


def _read_pointer(value, path, found, depth):
    if isinstance(value, bpy.types.ColorManagedInputColorspaceSettings):
        return
    if depth > 0 and isinstance(value, bpy.types.PoseBone | bpy.types.Bone):
        found[path] = value.name
    elif value is None or isinstance(value, bpy.types.ID):
        found[path] = value and f"{type(value).__name__} {value.name}"
    elif isinstance(value, bpy.types.bpy_struct):
        _read(value, path, found, depth + 1)


def differences(before, after):
    keys = sorted(before.keys() | after.keys())
    return [(key, before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)]
