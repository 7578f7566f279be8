# SPDX-License-Identifier: GPL-3.0-or-later
"""In which of a scene's view layers plants are looked at. They may differ in collections, so in force fields."""

import bpy

from .evaluation_cache import EvaluationCache


def layer_of(obj: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache | None = None) -> bpy.types.ViewLayer:
    """The first view layer of the scene that has the plant: what acts on it there acts on it in all of them."""
    layers = scene.view_layers
    if len(layers) == 1:
        return layers[0]
    once = once or EvaluationCache()
    return next((layer for layer in layers if obj.session_uid in once(_objects_in, layer)), layers[0])


def is_in(obj: bpy.types.Object, layer: bpy.types.ViewLayer, once: EvaluationCache) -> bool:
    """Whether the view layer has the plant, or none has it."""
    scene = layer.id_data
    if len(scene.view_layers) == 1 or obj.session_uid in once(_objects_in, layer):
        return True
    return obj.session_uid not in once(_objects_in, layer_of(obj, scene, once))


def depsgraph_of(
    obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, once: EvaluationCache
) -> bpy.types.Depsgraph:
    """The plant's own layer as it has been evaluated at the scene's frame, beside a depsgraph of any of its layers."""
    layer = layer_of(obj, scene, once)
    own = None if depsgraph.view_layer == layer else layer.depsgraph
    return depsgraph if own is None else own


def is_written_back(scene: bpy.types.Scene) -> bool:
    """Whether Blender writes animated settings back to the items of the scene themselves.

    Of several view layers it does from one only, sooner or later, and of a scene that no window shows from none.
    """
    windows = bpy.context.window_manager.windows
    return len(scene.view_layers) == 1 and any(window.scene == scene for window in windows)


def _objects_in(layer: bpy.types.ViewLayer) -> frozenset[int]:
    return frozenset(obj.session_uid for obj in layer.objects)
