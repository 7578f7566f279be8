# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command line does, to be called from Python. In a script for `blender --background --python`:

    from bl_ext.user_default.plant_dynamics.plant_dynamics_addon import commands

    plant = commands.grow("broad_leaf", pot=True)
    commands.bake([plant], last_frame=96)
    commands.save("plant.blend")

All functions work on the open file, use what Play and Bake use, and so give the same motion to the last bit. They raise
PlantError or LSystemError, whose text says what to do. `progress` is told the share (0 to 1) that is done. A plant that
did not settle or was stopped is an error, unless `allow_stopped` takes its motion as it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy

from ..lsystem import beside, object_name, objects_in, open_object, parse, presets
from .baking.bake import BakeOptions, simulate_range
from .baking.bake import bake as bake_steps
from .blender.meanwhile import result_of
from .comparison.plots import MeasuredMotion, measure
from .comparison.row import CompareOptions, Comparison
from .comparison.row import compare as compare_steps
from .comparison.scene import Shot
from .comparison.stresses import Stresses
from .comparison.stresses import measure as stress_steps
from .deletion import delete_plant
from .dynamics.kernels.warm_up import kernels, warm_up
from .effort.efforts import Efforts
from .effort.efforts import measure as effort_steps
from .errors import PlantError
from .grow.from_text import grow_from_text
from .grow.opened_images import text_with_images, without_images
from .grow.options import show_recipe_of
from .grow.provenance import recipe_of_plant
from .grow.recipe import Recipe
from .grow.regrow import regrow as regrow_plant
from .plants import dynamic_objects

Progress = Callable[[float], None]


def _silent(_: object) -> None:
    pass


def open_file(path: str | Path) -> None:
    """Open a .blend, in which no script is run. With its windows, which are saved with it again."""
    if not Path(path).is_file():
        raise PlantError("There is no file '{path}'", path=path)
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=True, use_scripts=False)
    except RuntimeError:
        raise PlantError("'{path}' is no file that this Blender can open", path=path) from None


def save(path: str | Path) -> None:
    """Save the open file as a .blend."""
    path = Path(path).absolute()
    if not path.parent.is_dir():
        raise PlantError("There is no folder '{folder}'", folder=path.parent)
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
    except RuntimeError as error:
        raise PlantError(str(error).strip().removeprefix("Error: ")) from None


def plants(names: Sequence[str] = ()) -> list[bpy.types.Object]:
    """The scene's plants of these names; without names all of them. Raises PlantError if there is none."""
    found = dynamic_objects(bpy.context.scene)
    there = ", ".join(f"'{obj.name}'" for obj in found) or "none"
    for name in names:
        if name not in {obj.name for obj in found}:
            raise PlantError("There is no plant '{name}' in the scene; there is {there}", name=name, there=there)
    if not found:
        raise PlantError("There is no plant in the scene: grow one or make an armature dynamic")
    return [obj for obj in found if obj.name in names] if names else found


def grow(
    source: str,
    *,
    steps: float | None = None,
    seed: int = 0,
    constants: Mapping[str, float] | None = None,
    prune_below: float = 1e-4,
    pot: bool = False,
    location: Sequence[float] = (0.0, 0.0, 0.0),
    detail: str = "AUTO",
    leaf_bones: int = 0,
    instanced: bool = False,
    around: str | None = None,
    unit: float = 0.0,
    thicken: bool = False,
    told: Callable[[str], object] = _silent,
) -> bpy.types.Object:
    """A plant from a preset's name or a file with an L-system; its armature object, ready to play. around: the name of
    the object or the collection that it grows around, if its text asks for solids or light. unit: metres that a length
    of 1 in an object of L-studio is, 0 such that the plant is half a metre large; thicken: its lines become wide enough
    for wood; see `lsystem.open_object`. told: called with what is to be said of such an object."""
    recipe = Recipe(
        *_text_of(source, unit, thicken, told), steps, seed, constants or {}, prune_below, pot, detail, leaf_bones,
        instanced, _around(around),
    )  # fmt: skip
    obj = grow_from_text(bpy.context, recipe, location)
    show_recipe_of(bpy.context.scene.plant_dynamics, obj)  # so that Compare can grow it again
    return obj


def regrow(obj: bpy.types.Object, source: str | None = None, **changes: Any) -> list[str]:
    """Replace a plant by one that is grown from what it was grown from but for the changes, which are arguments of
    `grow`; constants that are not named stay. Or from another source, at its own age and with its own constants. Gives
    what is to be said of what could not stay as it was."""
    recipe = recipe_of_plant(obj)
    if "around" in changes:
        changes["around"] = _around(changes["around"])
    if source is not None:
        text, name = _text_of(source)
        recipe = replace(recipe, text=text, source=name, steps=None, constants={})
    constants = {**recipe.constants, **(changes.pop("constants", None) or {})}
    told = regrow_plant(bpy.context, obj, replace(recipe, **changes, constants=constants))
    show_recipe_of(bpy.context.scene.plant_dynamics, obj)
    return told


def delete(obj: bpy.types.Object) -> None:
    """Delete a plant that was grown here, with all that was made for it: mesh, pot, soil, baked keys and handles."""
    if obj.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    delete_plant(obj)


def _around(name: str | None) -> bpy.types.Object | bpy.types.Collection | None:
    if not name:
        return None
    found = bpy.data.objects.get(name) or bpy.data.collections.get(name)
    if found is None:
        raise PlantError("There is no object and no collection '{name}'", name=name)
    return found


def _text_of(
    source: str, unit: float = 0.0, thicken: bool = False, told: Callable[[str], object] = _silent
) -> tuple[str, str]:
    """Text and name of a preset, a file, or an object of L-studio: its `.l` file or its folder."""
    preset = next((one for one in presets() if one.name == source), None)
    is_object = preset is None and (Path(source).suffix == ".l" or Path(source).is_dir())
    if (unit or thicken) and not is_object:
        raise PlantError("A unit and thicker lines are for objects of L-studio, and '{source}' is none", source=source)
    if preset is not None:
        return preset.text, preset.title
    if is_object:
        opened = open_object(Path(source), unit, thicken)
        told(f"A length of 1 in {opened.path.name} is {opened.unit:.3g} m")
        for note in (*parse(opened.text, opened.path.name).notes, *without_images(opened)):
            told(note)
        return text_with_images(opened), opened.name
    if Path(source).is_file():
        return _read_text(Path(source)), Path(source).stem
    raise PlantError(
        "'{source}' is no preset and no file; presets: {names}",
        source=source, names=", ".join(one.name for one in presets()),
    )


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise PlantError("'{path}' is no text in UTF-8", path=path) from None


def _frames(first: int | None, last: int | None) -> tuple[int, int]:
    """The scene's first and last frame, where no others are given."""
    scene = bpy.context.scene
    return scene.frame_start if first is None else first, scene.frame_end if last is None else last


def simulate(
    obj: bpy.types.Object, *, last_frame: int | None = None, allow_stopped: bool = False, progress: Progress = _silent
) -> MeasuredMotion:
    """The motion from the scene's first frame on, of a plant that is not baked: places of its tip, angle, energies."""
    first, last = _frames(None, last_frame)
    if obj.plant_dynamics.is_baked:
        raise PlantError("'{object}' is baked: clear the bake first", object=obj.name)
    if last < first:
        raise PlantError("Frame {last} comes before the scene's first, {first}", last=last, first=first)
    warm_up()
    for share, _ in simulate_range(bpy.context, [obj], last, allow_stopped=allow_stopped):
        progress(share)
    return measure(bpy.context, obj, last, allow_stopped)


def stress(
    obj: bpy.types.Object, *, last_frame: int | None = None, allow_stopped: bool = False, progress: Progress = _silent
) -> Stresses:
    """Bending stress of the bones from the scene's first frame on: the largest, and which would break, or do, and when.

    Measuring breaks nothing. Bones have a strength from the L-system's text or in `bone.plant_dynamics.strength` (MPa).
    """
    _, last = _frames(None, last_frame)
    warm_up()
    return result_of(stress_steps(bpy.context, obj, last, allow_stopped), progress)


def effort(obj: bpy.types.Object, *, last_frame: int | None = None, progress: Progress = _silent) -> Efforts:
    """What the joints of an armature have to give for its animation, as Blender evaluates it from the scene's first
    frame on."""
    _, last = _frames(None, last_frame)
    warm_up()
    return result_of(effort_steps(bpy.context, obj, last), progress)


def bake(
    objects: Sequence[bpy.types.Object],
    *,
    first_frame: int | None = None,
    last_frame: int | None = None,
    progress: Progress = _silent,
    **options: Any,
) -> None:
    """Write the plants' motion to keyframes. Frames are the scene's unless given; other options are BakeOptions'."""
    first, last = _frames(first_frame, last_frame)
    warm_up()
    result_of(bake_steps(bpy.context, list(objects), replace(BakeOptions(first, last), **options)), progress)
    progress(1.0)


def compare(
    obj: bpy.types.Object,
    quantity: str,
    values: str,
    *,
    constant: str = "",
    first_frame: int | None = None,
    last_frame: int | None = None,
    shot: Shot | None = None,
    measured: bool = False,
    allow_stopped: bool = False,
    progress: Progress = _silent,
) -> Comparison:
    """The plant in a row with other values of a quantity, baked, in a scene of its own; the present scene stays.

    quantity: a name in `comparison.quantities.QUANTITIES`, in any case; values: as typed into the panel.
    """
    first, last = _frames(first_frame, last_frame)
    options = CompareOptions(quantity.upper(), values, first, last, constant, shot or Shot(), measured, allow_stopped)
    warm_up()
    done = result_of(compare_steps(bpy.context, obj, options), progress)
    progress(1.0)
    return done


def objects(folder: str | Path) -> list[dict[str, str]]:
    """The objects of L-studio that a folder holds: the `.l` file's path, what it is called, and the files of its
    "view", "environment", "colours" and "animation"."""
    return [
        {"file": str(file), "name": object_name(file), **{kind: other.name for kind, other in beside(file).items()}}
        for file in objects_in(Path(folder))
    ]


def info() -> dict[str, Any]:
    """What runs here, and what the open file holds."""
    scene, running = bpy.context.scene, kernels()
    return {
        "blender": bpy.app.version_string,
        "kernels": running.how if running else "numba, to be compiled",
        "problem": running.problem if running else "",
        "presets": [preset.name for preset in presets()],
        "scene": scene.name,
        "frames": (scene.frame_start, scene.frame_end),
        "frames_per_second": scene.render.fps / scene.render.fps_base,
        "plants": [
            {
                "name": obj.name,
                "bones": len(obj.data.bones),
                "baked": obj.plant_dynamics.is_baked,
                "loads": len(obj.plant_dynamics.loads),
            }
            for obj in dynamic_objects(scene)
        ],
    }
