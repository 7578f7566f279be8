# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact forces as keyed properties of bones and plant, for drivers and materials: written, taken back, told."""


import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, of_addon, plant, primitive
from tests.blender.scenes.drawn_panels import Layout
from tests.blender.scenes.slow_work import Pressed

LAST = 12
PROPERTY = "contact_force"


@pytest.fixture
def obj(fresh, run_operator, select_only):
    """A limp chain that falls onto a ball."""
    bpy.context.scene.frame_end = LAST
    obj = plant(run_operator)
    obj.plant_dynamics.contact.collide_with = "SCENE"
    collide(primitive("uv_sphere", "Ball", radius=0.1, location=(0.3, 0.0, 0.17)))
    select_only(obj)
    return obj


def session_of(fresh, obj):
    return of_addon(fresh, "dynamics.motion.sessions").session_of(obj)


def forces(fresh, obj):
    """By bones' names their forces (frames,) N as the frames hold them."""
    session = session_of(fresh, obj)
    rows = np.array([frame.pushes for frame in session.known.frames[:LAST]])
    return dict(zip(session.plant.bones, rows.T, strict=True))


def shown(obj):
    """The same as evaluated frame by frame, of bones that have the property, and of the plant by an empty name."""
    found = {name: [] for name in ("", *(bone.name for bone in obj.pose.bones if PROPERTY in bone))}
    for frame in range(1, LAST + 1):
        plants.show(frame)
        now = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for name, values in found.items():
            values.append((now.pose.bones[name] if name else now)[PROPERTY])
    return found


def same(found, wanted):
    assert set(found) == {"", *wanted}
    for name, values in found.items():
        assert values == pytest.approx(wanted[name] if name else sum(wanted.values()), rel=1e-6), name


def test_bones_and_plant_have_their_forces_at_every_frame(fresh, obj, run_operator):
    plants.show(7)
    run_operator("key_contact_forces")
    assert bpy.context.scene.frame_current == 7
    wanted = forces(fresh, obj)
    assert sum(values.any() for values in wanted.values()) > 1
    same(shown(obj), wanted)
    keyed = {path for path, _ in plants.curves(obj.animation_data.action)}
    touching = {f'pose.bones["{name}"]["{PROPERTY}"]' for name, values in wanted.items() if values.any()}
    assert keyed == {f'["{PROPERTY}"]', *touching}
    assert len(touching) < len(wanted), "nothing is keyed of what touches nothing"


def test_the_motion_is_not_simulated_anew_and_stays_the_same(fresh, obj, run_operator):
    run_operator("play")
    before = plants.played(obj, range(1, LAST + 1))
    session, known = session_of(fresh, obj), session_of(fresh, obj).known.frames[LAST - 1]
    run_operator("key_contact_forces")
    assert session_of(fresh, obj) is session
    assert np.array_equal(plants.played(obj, range(1, LAST + 1)), before)
    assert session.known.frames[LAST - 1].channels is known.channels


def test_keys_of_the_users_own_stay_and_written_ones_are_replaced(fresh, obj, run_operator):
    plants.key_location(obj, {1: (0.0, 0.0, 0.3), LAST: (0.0, 0.0, 0.3)})
    action = obj.animation_data.action
    run_operator("key_contact_forces")
    assert obj.animation_data.action == action
    bpy.data.objects["Ball"].location.x = 0.2
    bpy.context.view_layer.update()
    run_operator("key_contact_forces")
    same(shown(obj), forces(fresh, obj))
    paths = [path for path, _ in plants.curves(action)]
    assert len(paths) == len(set(paths)) + 2  # location has three channels
    run_operator("clear_contact_forces")
    assert {path for path, _ in plants.curves(action)} == {"location"}
    assert not any(PROPERTY in one for one in (obj, *obj.pose.bones))


def test_a_driver_goes_on_when_its_bone_is_not_touched_any_more(fresh, obj, run_operator):
    run_operator("key_contact_forces")
    touched = max(forces(fresh, obj).items(), key=lambda one: one[1].max())[0]
    screen = primitive("plane", "Screen")
    driver = screen.driver_add("location", 2).driver
    driver.type, variable = "SUM", driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = obj, f'pose.bones["{touched}"]["{PROPERTY}"]'

    def driven():
        """At the frame at which the bone is pushed hardest."""
        plants.show(1 + int(wanted.argmax()))
        return screen.evaluated_get(bpy.context.evaluated_depsgraph_get()).location.z

    wanted = forces(fresh, obj)[touched]
    assert driven() == pytest.approx(wanted.max(), rel=1e-6)
    bpy.data.objects["Ball"].location.x = 5.0
    bpy.context.view_layer.update()
    bpy.context.view_layer.objects.active = obj
    run_operator("key_contact_forces")
    assert driven() == 0.0
    assert driver.is_valid
    assert all(target.is_fallback_used is False for target in variable.targets)


def test_what_was_made_for_it_goes_again(fresh, obj, run_operator):
    run_operator("key_contact_forces")
    run_operator("clear_contact_forces")
    assert obj.animation_data.action is None
    assert not bpy.data.actions


@pytest.mark.parametrize("target", ["NEW", "OVERWRITE", "NLA"])
def test_a_baked_plant_has_them_too_until_its_bake_is_cleared_and_after(fresh, obj, run_operator, target):
    if target == "OVERWRITE":
        plants.key_location(obj, {1: (0.0, 0.0, 0.3), LAST: (0.0, 0.0, 0.3)})
    run_operator("bake", target=target)
    wanted = forces(fresh, obj)
    run_operator("key_contact_forces")
    same(shown(obj), wanted)
    poses = plants.played(obj, range(1, LAST + 1))
    run_operator("clear_bake")
    same(shown(obj), wanted)
    run_operator("bake", target=target)
    same(shown(obj), wanted)
    assert np.abs(plants.played(obj, range(1, LAST + 1)) - poses).max() < 1e-6


def test_a_baked_plant_needs_its_cache(fresh, obj, run_operator):
    run_operator("bake")
    of_addon(fresh, "dynamics.motion.sessions").close_session(obj)
    with pytest.raises(RuntimeError, match="'Chain' is not in the cache up to frame 12"):
        bpy.ops.plant_dynamics.key_contact_forces()


def test_what_touches_nothing_is_told(fresh, obj, run_operator):
    bpy.data.objects.remove(bpy.data.objects["Ball"])
    run_operator("key_contact_forces")
    assert obj.animation_data is None
    assert [bone[PROPERTY] for bone in obj.pose.bones] == len(obj.pose.bones) * [0.0]
    found = of_addon(fresh, "comparison.contact_forces").measured(obj)
    assert found.told() == "No bone touches anything in the frames 1 to 12"
    obj.plant_dynamics.contact.collide_with = "NOTHING"
    with pytest.raises(RuntimeError, match="'Chain' touches nothing: choose in Collide With"):
        bpy.ops.plant_dynamics.key_contact_forces()


def test_two_plants_that_touch_each_other_push_as_hard(fresh, obj, run_operator, select_only):
    """What rests on another is borne by that one: at every frame both have the same force."""
    bpy.data.objects.remove(bpy.data.objects["Ball"])
    other = plants.chain(4, name="Other")
    other.location, other.rotation_euler.z = (0.25, -0.15, 0.27), 0.5 * np.pi
    run_operator("make_dynamic")
    other.plant_dynamics.start, other.plant_dynamics.stiffness_factor = "drawn", 0.01
    for one in (obj, other):
        one.plant_dynamics.contact.collide_with, one.plant_dynamics.contact.others = "NOTHING", True
    for bone in other.data.bones:
        bone.plant_dynamics.stiffness_factor = 1e4
    for one in (obj, other):
        select_only(one)
        run_operator("key_contact_forces")
    one, theirs = (shown(each)[""] for each in (obj, other))
    assert max(one) > 0.0
    assert one == pytest.approx(theirs, rel=1e-6)


def test_a_linked_action_is_refused(fresh, obj, run_operator, tmp_path):
    action = bpy.data.actions.new("Elsewhere")
    bpy.data.libraries.write(str(tmp_path / "actions.blend"), {action})
    bpy.data.actions.remove(action)
    with bpy.data.libraries.load(str(tmp_path / "actions.blend"), link=True) as (_, wanted):
        wanted.actions = ["Elsewhere"]
    obj.animation_data_create().action = bpy.data.actions["Elsewhere"]
    with pytest.raises(RuntimeError, match="'Elsewhere' is linked: make it local"):
        bpy.ops.plant_dynamics.key_contact_forces()


@pytest.mark.parametrize("value", [2.5, "mine", {"a": 1}])
def test_a_property_of_the_users_own_stays(fresh, obj, run_operator, value):
    """It is named when forces are keyed, and Clear leaves it and its keys alone."""
    bone = obj.pose.bones[-1]
    bone[PROPERTY] = value
    with pytest.raises(RuntimeError, match=f"'Chain: {bone.name}' has a custom property '{PROPERTY}' of its own"):
        bpy.ops.plant_dynamics.key_contact_forces()
    del bone[PROPERTY]
    run_operator("key_contact_forces")
    del bone[PROPERTY]
    bone[PROPERTY] = value
    if isinstance(value, float):
        bone.keyframe_insert(f'["{PROPERTY}"]', frame=3)
    run_operator("clear_contact_forces")
    assert [one.name for one in (obj, *obj.pose.bones) if PROPERTY in one] == [bone.name]
    action = obj.animation_data.action
    kept = {path for path, _ in plants.curves(action)} if action else set()
    if isinstance(value, float):
        assert kept == {f'pose.bones["{bone.name}"]["{PROPERTY}"]'}


def test_undo_takes_them_away(fresh, obj, run_operator):
    bpy.ops.ed.undo_push(message="Before")
    run_operator("key_contact_forces")
    bpy.ops.ed.undo_push(message="Keyed")
    bpy.ops.ed.undo()
    obj = bpy.data.objects["Chain"]
    assert PROPERTY not in obj
    assert obj.animation_data is None or obj.animation_data.action is None


def test_esc_leaves_everything_as_it_was(fresh, obj, monkeypatch):
    of_addon(fresh, "dynamics.kernels.warm_up").warm_up()
    operator = of_addon(fresh, "operators.results.contact_forces").PLANT_DYNAMICS_OT_key_contact_forces
    work = of_addon(fresh, "comparison.contact_forces").measure(bpy.context, obj, LAST)
    pressed = Pressed(operator, work, monkeypatch)
    for _ in range(LAST // 2):
        assert pressed.gets("TIMER") == {"RUNNING_MODAL"}
    assert pressed.gets("ESC") == {"CANCELLED"}
    assert obj.animation_data is None
    assert PROPERTY not in obj


def drawn(obj):
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_contact.draw_plant(None, layout, obj, obj.plant_dynamics)
    return " ".join(layout.texts), [name.partition(".")[2] for name, _ in layout.operators]


def test_the_panel_tells_who_is_pushed_hardest(fresh, obj, run_operator):
    assert "clear_contact_forces" not in drawn(obj)[1]
    run_operator("key_contact_forces")
    texts, operators = drawn(obj)
    wanted = forces(fresh, obj)
    bone = max(wanted, key=lambda name: wanted[name].max())
    touched = sum(values.any() for values in wanted.values())
    frame, most = 1 + int(wanted[bone].argmax()), float(f"{wanted[bone].max():.3g}")
    assert f"{touched} bones touch something, '{bone}' is pushed hardest: {most:g} N at frame {frame}" in texts
    assert "clear_contact_forces" in operators
    run_operator("clear_contact_forces")
    assert "clear_contact_forces" not in drawn(obj)[1]


def test_a_material_reads_it(fresh, obj, run_operator, tmp_path):
    """By an Attribute node of what is rendered, which hangs on the plant."""
    run_operator("key_contact_forces")
    bpy.ops.mesh.primitive_plane_add(size=50.0, location=(0.0, 0.0, -3.0))
    screen = bpy.context.object
    screen.parent = obj
    material = bpy.data.materials.new("Contact")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    names = ("Attribute", "Emission", "OutputMaterial")
    attribute, shine, output = (tree.nodes.new(f"ShaderNode{name}") for name in names)
    attribute.attribute_type, attribute.attribute_name = "OBJECT", f'parent["{PROPERTY}"]'
    tree.links.new(attribute.outputs["Fac"], shine.inputs["Color"])
    tree.links.new(shine.outputs[0], output.inputs[0])
    screen.data.materials.append(material)
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.camera.location = (0.0, 0.0, -1.0)
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 1, False
    scene.render.resolution_x = scene.render.resolution_y = 4
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    wanted = sum(forces(fresh, obj).values())
    for frame in (1, 1 + int(wanted.argmax())):
        scene.frame_set(frame)
        scene.render.filepath = str(tmp_path / f"{frame}.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        assert image.pixels[0] == pytest.approx(wanted[frame - 1], rel=1e-4, abs=1e-9)


def test_keys_whose_property_was_deleted_by_hand_are_replaced_and_cleared(fresh, obj, run_operator):
    """Blender leaves F-curves of a custom property that is removed."""
    run_operator("key_contact_forces")
    wanted = forces(fresh, obj)
    touched = max(wanted, key=lambda name: wanted[name].max())
    for one in (obj, obj.pose.bones[touched]):
        del one[PROPERTY]
    assert "clear_contact_forces" in drawn(obj)[1], "of other bones they are there"
    run_operator("key_contact_forces")
    same(shown(obj), wanted)
    paths = [path for path, _ in plants.curves(obj.animation_data.action)]
    assert len(paths) == len(set(paths))
    run_operator("clear_contact_forces")
    assert not bpy.data.actions


@pytest.mark.parametrize("is_own", [False, True])
def test_an_action_of_the_users_own_stays_though_it_is_empty(fresh, obj, run_operator, is_own):
    if is_own:
        obj.animation_data_create().action = bpy.data.actions.new("Mine")
    run_operator("key_contact_forces")
    run_operator("clear_contact_forces")
    assert [action.name for action in bpy.data.actions] == (["Mine"] if is_own else [])
