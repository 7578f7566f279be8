# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender calls otherwise, or has not, in some of its versions and builds."""

from functools import cache
from typing import Any

import bpy

#: The options of a path property that // may begin, which it has to say from 4.5 on.
RELATIVE_PATH = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5, 0) else set()

#: Whether normals of a mesh's own are an attribute, as from 4.5 on.
HAS_NORMAL_ATTRIBUTE = bpy.app.version >= (4, 5, 0)


@cache
def has_slots() -> bool:
    """Whether this Blender's actions have slots and channelbags, as from 4.4 on."""
    return "slots" in bpy.types.Action.bl_rna.properties


def can_copy(slot: Any) -> bool:
    """Whether this Blender can copy a slot of an action."""
    return hasattr(slot, "duplicate")


def strips_of(scene: bpy.types.Scene) -> Any:
    """The strips in the scene's sequence editor, not those within others; sequences before 4.4."""
    editor = scene.sequence_editor
    if editor is None:
        return ()
    return editor.strips if hasattr(editor, "strips") else editor.sequences


def all_strips_of(scene: bpy.types.Scene) -> Any:
    """The strips in the scene's sequence editor and those within others; sequences before 4.4."""
    editor = scene.sequence_editor
    if editor is None:
        return ()
    return editor.strips_all if hasattr(editor, "strips_all") else editor.sequences_all


def compositing_tree(scene: bpy.types.Scene) -> bpy.types.NodeTree | None:
    """The scene's compositing nodes; from 5.0 on a node group."""
    return scene.compositing_node_group if hasattr(scene, "compositing_node_group") else scene.node_tree


def choose_media(settings: bpy.types.ImageFormatSettings, media: str) -> None:
    """Have the file formats to choose from be those of "IMAGE" or "VIDEO"; before 5.0 all can be chosen."""
    if hasattr(settings, "media_type"):
        settings.media_type = media


def movie_settings(render: bpy.types.RenderSettings) -> Any:
    """How movies are encoded, or None where Blender was built without them."""
    return getattr(render, "ffmpeg", None)


def node_inputs(modifier: bpy.types.Modifier) -> list[tuple[str, Any]]:
    """What a modifier gives its geometry nodes, by the names of the inputs; before 5.2 as custom properties. Lists are
    tuples."""
    if not hasattr(modifier, "properties"):
        found = list(modifier.items())
    elif modifier.node_group is None:
        found = []
    else:
        inputs = modifier.properties.inputs
        names = [one.identifier for one in inputs.bl_rna.properties if one.type == "POINTER"]
        found = [(name, getattr(getattr(inputs, name), "value", None)) for name in names if name != "rna_type"]
    return [(name, tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value)
            for name, value in found]  # fmt: skip
