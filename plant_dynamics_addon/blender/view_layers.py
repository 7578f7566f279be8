# SPDX-License-Identifier: GPL-3.0-or-later
"""In which of a scene's view layers plants are looked at. They may differ in collections, so in force fields."""

from collections.abc import Iterator

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


def enabled_objects(layer: bpy.types.ViewLayer, asked: bpy.types.Collection | None) -> list[bpy.types.Object]:
    """Those of the view layer, or of the collection that is asked for, that are neither disabled in viewports nor
    excluded; what only the eye hides is one of them."""
    collections = _enabled(layer.layer_collection) if asked is None else _shown(asked)
    objects = (obj for collection in collections for obj in collection.objects)
    return list({obj.name_full: obj for obj in objects if not obj.hide_viewport}.values())


def _enabled(layer: bpy.types.LayerCollection) -> Iterator[bpy.types.Collection]:
    if not layer.collection.hide_viewport:
        if not layer.exclude:
            yield layer.collection
        for child in layer.children:
            yield from _enabled(child)


def _shown(collection: bpy.types.Collection) -> Iterator[bpy.types.Collection]:
    if not collection.hide_viewport:
        yield collection
        for child in collection.children:
            yield from _shown(child)


def is_shown(obj: bpy.types.Object, layer: bpy.types.ViewLayer) -> bool:
    """Whether the eyes are open of the object and of one of its collections, and of those that hold that, in the view
    layer. What a local view shows makes no difference."""
    held_by = set(obj.users_collection)
    shown = any(one.collection in held_by for one in _visible(layer.layer_collection))
    return shown and not obj.hide_get(view_layer=layer)


def _visible(layer: bpy.types.LayerCollection) -> Iterator[bpy.types.LayerCollection]:
    if layer.is_visible:
        yield layer
    for child in layer.children:
        yield from _visible(child)


def _objects_in(layer: bpy.types.ViewLayer) -> frozenset[int]:
    return frozenset(obj.session_uid for obj in layer.objects)
