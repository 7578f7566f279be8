# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures with motion blur: of a live plant those of its bake, whatever is animated of the plant besides its bones."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.renders import film

FRAME = 8


def boxes_at(obj: bpy.types.Object, *bones: str) -> None:
    """Small boxes at the object's base and at bones' tips."""
    for bone in ("", *bones):
        bpy.ops.mesh.primitive_cube_add(size=0.12)
        box = bpy.context.object
        box.parent = obj
        if bone:
            box.parent_type, box.parent_bone = "BONE", bone
    bpy.context.view_layer.objects.active = obj


def keyed_base(obj: bpy.types.Object) -> None:
    plants.key_location(obj, {2: (0, 0, 0), 10: (0.9, 0, 0)})


def driven_base(obj: bpy.types.Object) -> None:
    obj.driver_add("location", 0).driver.expression = "frame * 0.1"


def keyed_constraint(obj: bpy.types.Object) -> None:
    there = bpy.data.objects.new("There", None)
    bpy.context.scene.collection.objects.link(there)
    there.location.x = 0.9
    copied = obj.constraints.new("COPY_LOCATION")
    copied.target = there
    for frame, influence in ((2, 0.0), (10, 1.0)):
        copied.influence = influence
        copied.keyframe_insert("influence", frame=frame)


def keyed_bones(obj: bpy.types.Object) -> None:
    """The base, and simulated bones that follow their keys, in quaternions and another mode."""
    keyed_base(obj)
    obj.plant_dynamics.follow_animation = True
    for name, mode in (("Bone.1", "QUATERNION"), ("Bone.2", "XYZ")):
        bone = obj.pose.bones[name]
        bone.rotation_mode = mode
        path = "rotation_quaternion" if mode == "QUATERNION" else "rotation_euler"
        for frame, angle in ((1, 0.0), (10, 0.5)):
            setattr(bone, path, (1, 0, 0, angle) if mode == "QUATERNION" else (0, 0, angle))
            bone.keyframe_insert(path, frame=frame)


def keyed_carrier(obj: bpy.types.Object) -> None:
    """The first bone is not simulated and carries the others."""
    obj.data.bones["Bone.0"].plant_dynamics.use_physics = False
    carrier = obj.pose.bones["Bone.0"]
    for frame, place in ((2, 0.0), (10, 0.9)):
        carrier.location.x = place
        carrier.keyframe_insert("location", frame=frame)


@pytest.fixture
def picture(tmp_path):
    """Renders the frame and gives (48, 48, 4) pixels."""
    scene = film(tmp_path)
    scene.camera.data.type, scene.camera.data.ortho_scale = "ORTHO", 1.6
    scene.camera.location = (0.8, -0.2, 2.0)
    scene.render.film_transparent = True  # the boxes are told by their alpha
    scene.cycles.samples, scene.cycles.use_denoising = 64, False
    scene.render.resolution_x = scene.render.resolution_y = 48
    scene.render.motion_blur_shutter = 1.0
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGBA"

    def render(blur: bool, seed: int = 0) -> np.ndarray:
        scene.render.use_motion_blur, scene.cycles.seed = blur, seed
        scene.render.filepath = str(tmp_path / f"{blur}{seed}.png")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath, check_existing=False)
        pixels = np.array(image.pixels).reshape(48, 48, 4)
        bpy.data.images.remove(image)
        return pixels

    return render


@pytest.mark.parametrize(
    "animate", [keyed_base, driven_base, keyed_constraint, keyed_bones, keyed_carrier], ids=lambda one: one.__name__
)
def test_blur_of_a_live_plant_is_that_of_its_bake(fresh, run_operator, animate, picture):
    scene = bpy.context.scene
    scene.frame_end = 12
    obj = plants.chain(4)
    run_operator("make_dynamic")
    boxes_at(obj, "Bone.1", "Bone.3")
    animate(obj)
    run_operator("play")
    plants.show(FRAME)
    modes = [bone.rotation_mode for bone in obj.pose.bones]
    live, live_sharp = picture(blur=True), picture(blur=False)
    assert [bone.rotation_mode for bone in obj.pose.bones] == modes
    run_operator("bake")
    plants.show(FRAME)
    baked, sharp = picture(blur=True), picture(blur=False)
    noise = np.abs(picture(blur=True, seed=1) - baked).mean()
    assert np.abs(baked - sharp).mean() > 2.0 * noise > 0.0, "the blur is seen in the picture"
    assert np.abs(live - baked).mean() < 0.1 * noise
    assert np.abs(live_sharp - sharp).mean() < 0.1 * noise
