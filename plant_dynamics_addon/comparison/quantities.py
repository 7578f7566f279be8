# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be compared: how a quantity is read from a plant, written and set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import degrees

import bpy
import numpy as np

from ...solver import MATERIALS
from ..changes import object_changed
from ..errors import PlantError
from ..material_columns import COLUMNS, Column, measured_values
from .animation import keyed_or, set_in_proportion
from .shape import lengthen, thicken
from .values import Value, read_values, written

#: No number here is larger: products of such are still finite in single precision.
_MOST = 1e12


@dataclass
class Variant:
    """A plant to be changed: its armature object, which shares nothing that may change with the original, the meshes
    that it deforms and the objects that it moves; handles of its own, and the Empties by which these were moved to fit
    its size. original: the plant that it repeats."""

    obj: bpy.types.Object
    scene: bpy.types.Scene
    original: bpy.types.Object
    meshes: list[bpy.types.Object] = field(default_factory=list)
    things: list[bpy.types.Object] = field(default_factory=list)
    handles: list[bpy.types.Object] = field(default_factory=list)
    fitted: list[bpy.types.Object] = field(default_factory=list)


@dataclass(frozen=True)
class Quantity:
    """name: identifier; number: that of the menu's item, which files hold; label and unit: as they are shown; units:
    other units by what one is in `unit`.

    present: the plant's own value. apply: sets a variant to a value. choices: identifiers with labels, for what is no
    number. of_scene: acts on all plants of the scene. grown: needs the plant to be grown anew. whole: integers only.
    usual: values to begin with; empty: all choices. limits: what the properties that are set can hold.
    """

    name: str
    number: int
    label: str
    description: str
    unit: str = ""
    units: Mapping[str, float] = field(default_factory=dict)
    present: Callable[[bpy.types.Object, bpy.types.Scene], float] = lambda obj, scene: 1.0
    apply: Callable[[Variant, float], None] = lambda variant, value: None
    choices: Callable[[], Sequence[tuple[str, str]]] | None = None
    choose: Callable[[Variant, str], None] = lambda variant, name: None
    least: float = -np.inf
    limits: Callable[[bpy.types.Object, bpy.types.Scene], tuple[float, float]] = lambda obj, scene: (-np.inf, np.inf)
    above: bool = False  # whether `least` itself is excluded
    of_scene: bool = False
    grown: bool = False
    whole: bool = False
    usual: str = "0.5x, 1x, 2x"

    def read(self, text: str, obj: bpy.types.Object, scene: bpy.types.Scene) -> list[Value | str]:
        """The values of a typed list; of a choice, identifiers. Raises PlantError."""
        if self.choices:
            return [self._choice(part.strip()) for part in text.split(",")] if text.strip() else list(self.names())
        values = read_values(text, self.unit, self.units, self.present(obj, scene))
        lowest, highest = self.limits(obj, scene)
        for value in values:
            slack = 1e-6 * abs(value.number)  # properties hold single precision
            if not lowest - slack <= value.number <= highest + slack:
                span = f"{written(lowest, self.unit)} to {written(highest, self.unit)}"
                raise PlantError(
                    "{label}: {text} is out of range, which is {span} here",
                    label=self.label, text=value.text, span=span,
                )
            if value.number < self.least or (self.above and value.number == self.least):
                raise PlantError("{label}: {text} is too small", label=self.label, text=value.text)
            if self.whole and value.number != round(value.number):
                raise PlantError("{label}: {text} is no whole number", label=self.label, text=value.text)
        return list(values)

    def names(self) -> list[str]:
        """Identifiers of the choices."""
        return [name for name, _ in self.choices()] if self.choices else []

    def _choice(self, text: str) -> str:
        assert self.choices is not None
        found = [name for name, label in self.choices() if text.lower() in (name.lower(), label.lower())]
        if not found:
            raise PlantError(
                "{label}: there is no '{text}'; known: {names}",
                label=self.label, text=text, names=", ".join(self.names()),
            )
        return found[0]

    def text_of(self, value: Value | str) -> str:
        """What stands below the plant."""
        return dict(self.choices())[value] if self.choices and isinstance(value, str) else value.text


def stem(obj: bpy.types.Object) -> bpy.types.Bone:
    """The bone whose value stands for the plant's: the first that is simulated, at the foot of the main stem."""
    bones = [bone for bone in obj.data.bones if bone.plant_dynamics.use_physics]
    if not bones:
        raise PlantError("None of the bones of '{object}' is simulated", object=obj.name)
    return next((bone for bone in bones if not bone.plant_dynamics.pinned), bones[0])


def _own(column: Column) -> Callable[[bpy.types.Object, bpy.types.Scene], float]:
    """Reads a material value of the stem, its own or the plant's."""
    return lambda obj, scene: float(column.held([stem(obj).plant_dynamics], obj.plant_dynamics)[0])


def _range(owner: bpy.types.bpy_struct, name: str) -> tuple[float, float]:
    """Least and greatest value of a property; numbers in single precision end somewhere too."""
    known = owner.bl_rna.properties[name]
    return max(known.hard_min, -_MOST), min(known.hard_max, _MOST)


def _limits(name: str) -> Callable[[bpy.types.Object, bpy.types.Scene], tuple[float, float]]:
    """The range of a setting of the plant."""
    return lambda obj, scene: _range(obj.plant_dynamics, name)


def _scaled_limits(column: Column) -> Callable[[bpy.types.Object, bpy.types.Scene], tuple[float, float]]:
    """The stem's values with which those of the plant and of all bones, in proportion, stay in their ranges."""
    read, name = _own(column), column.name

    def limits(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple[float, float]:
        present, lowest, highest = read(obj, scene), -np.inf, np.inf
        for owner in (obj.plant_dynamics, *(bone.plant_dynamics for bone in obj.data.bones)):
            own = getattr(owner, name)
            if own > 0.0 and present > 0.0:
                low, high = _range(owner, name)
                lowest, highest = max(lowest, low / own * present), min(highest, high / own * present)
        return lowest, highest

    return limits


def _factors(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple[float, float]:
    """By how much a plant's size can be multiplied so that its bones can still be told from points and the sky."""
    return 1e-3, 1e3


def _gravity_limits(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple[float, float]:
    low, high = _range(obj.plant_dynamics, "gravity_factor")
    return low * _scene_gravity(scene), high * _scene_gravity(scene)


def _scaled(column: Column, of_body: Sequence[str]) -> Callable[[Variant, float], None]:
    """Gives the stem the value and changes that of all other bones in proportion; of explicit bodies the numbers."""
    read, name = _own(column), column.name

    def apply(variant: Variant, value: float) -> None:
        settings = variant.obj.plant_dynamics
        present = read(variant.obj, variant.scene) or getattr(settings, name)
        if present <= 0.0:
            raise PlantError("'{object}' has none of it, so that nothing can be in proportion", object=variant.obj.name)
        factor = value / present
        setattr(settings, name, getattr(settings, name) * factor)
        for bone in variant.obj.data.bones:
            own = bone.plant_dynamics
            if getattr(own, name) > 0.0:
                setattr(own, name, getattr(own, name) * factor)
            for number in of_body if own.use_body else ():
                setattr(own, number, _times(getattr(own, number), factor))

    return apply


def _times(value: object, factor: float) -> object:
    return value * factor if isinstance(value, float) else [part * factor for part in value]


def _path(name: str) -> str:
    return f"plant_dynamics.{name}"


def _setting(name: str) -> Callable[[bpy.types.Object, bpy.types.Scene], float]:
    """Reads a setting of the plant; of a keyed one the largest key."""
    return lambda obj, scene: keyed_or(obj, _path(name), float(getattr(obj.plant_dynamics, name)))


def _own_or_keyed(column: Column) -> Callable[[bpy.types.Object, bpy.types.Scene], float]:
    """The same, of the stem's own value where it has one."""
    own, of_plant = _own(column), _setting(column.name)

    def read(obj: bpy.types.Object, scene: bpy.types.Scene) -> float:
        inherits = column.inherits(getattr(stem(obj).plant_dynamics, column.name))
        return of_plant(obj, scene) if inherits else own(obj, scene)

    return read


def _set(name: str, kind: Callable[[float], object] = float) -> Callable[[Variant, float], None]:
    return lambda variant, value: setattr(variant.obj.plant_dynamics, name, kind(value))


def _set_with_keys(variant: Variant, name: str, value: float) -> None:
    """Set a property of the plant; its keys change in proportion."""
    present = _setting(name)(variant.obj, variant.scene)
    setattr(variant.obj.plant_dynamics, name, value)
    set_in_proportion(variant.obj, _path(name), value, present)


def _choose(name: str) -> Callable[[Variant, str], None]:
    return lambda variant, value: setattr(variant.obj.plant_dynamics, name, value)


def _scene_gravity(scene: bpy.types.Scene) -> float:
    strength = scene.gravity.length if scene.use_gravity else 0.0
    if strength == 0.0:
        raise PlantError("The scene has no gravity that could be compared")
    return strength


_WIND_SPEED = "plant_dynamics.wind.speed"


def _gravity(variant: Variant, value: float) -> None:
    _set_with_keys(variant, "gravity_factor", value / _scene_gravity(variant.scene))


def _wind(variant: Variant, value: float) -> None:
    wind = variant.scene.plant_dynamics.wind
    if not wind.use_air or wind.source == "CUSTOM":
        raise PlantError("Turn on Air and choose Gusts in Air and Wind to compare speeds of the wind")
    wind.source = "GUSTS"
    present = _wind_speed(variant.scene)
    wind.speed = value
    set_in_proportion(variant.scene, _WIND_SPEED, value, present)


def _wind_speed(scene: bpy.types.Scene) -> float:
    return keyed_or(scene, _WIND_SPEED, scene.plant_dynamics.wind.speed)


def _material(variant: Variant, name: str) -> None:
    for owner in (variant.obj.plant_dynamics, *(bone.plant_dynamics for bone in variant.obj.data.bones)):
        for key, value in measured_values(MATERIALS[name]).items():
            if COLUMNS[key].of_plant:
                setattr(owner, key, value)


def _of_column(column: Column) -> Quantity:
    """The quantity of a plant's column: in proportion, or for all bones the same."""
    how, shown = column.compared, column.of_plant.keywords
    assert how is not None
    scale = degrees(1.0) if shown.get("subtype") == "ANGLE" else 1.0  # what one of the property is in `unit`
    along = {**how.along, column.switch: True} if column.switch else how.along
    if column.in_proportion:
        present, limits, set_value = _own(column), _scaled_limits(column), _scaled(column, how.of_body)
    else:
        present = _own_or_keyed(column) if column.is_inherited else _setting(column.name)
        limits, set_value = _limits(column.name), _for_all_bones(column)

    def apply(variant: Variant, value: float) -> None:
        for name, needed in along.items():
            setattr(variant.obj.plant_dynamics, name, needed)
        set_value(variant, value / scale)

    def limits_shown(obj: bpy.types.Object, scene: bpy.types.Scene) -> tuple[float, float]:
        low, high = limits(obj, scene)
        return scale * low, scale * high

    return Quantity(
        column.of_quantity, how.number, how.label or shown["name"], how.description or shown["description"],
        how.unit, how.units, lambda obj, scene: scale * present(obj, scene), apply, limits=limits_shown,
        least=0.0 if column.in_proportion else -np.inf, above=shown["min"] > 0.0, usual=how.usual,
    )  # fmt: skip


def _for_all_bones(column: Column) -> Callable[[Variant, float], None]:
    """Gives the value to the plant, and to bones that have one of their own in its place."""

    def apply(variant: Variant, value: float) -> None:
        _set_with_keys(variant, column.name, value)
        bones = [bone.plant_dynamics for bone in variant.obj.data.bones] if column.is_inherited else []
        for own in bones:
            if not column.inherits(getattr(own, column.name)):
                setattr(own, column.name, value)

    return apply


def _items(name: str) -> Callable[[], list[tuple[str, str]]]:
    """Items of an enum of the plant's settings."""

    def items() -> list[tuple[str, str]]:
        settings = bpy.types.Object.bl_rna.properties["plant_dynamics"].fixed_type
        return [(item.identifier, item.name) for item in settings.properties[name].enum_items]

    return items


def _materials() -> list[tuple[str, str]]:
    return [(name, one.label) for name, one in MATERIALS.items() if one.young or one.density]


_OTHERS = (
    Quantity("RADIUS", 1, "Radius", "Thickness of all stems, as a factor", "×",
             apply=lambda v, x: thicken(v.obj, v.meshes, x), least=0.0, above=True, limits=_factors),
    Quantity("LENGTH", 2, "Length", "Length of all bones, as a factor; the thickness stays", "×",
             apply=lambda v, x: lengthen(v.obj, v.meshes, x), least=0.0, above=True, limits=_factors),
    Quantity("GRAVITY", 7, "Gravity", "Strength of gravity, in the scene's direction", "m/s²", {"g": 9.80665},
             lambda obj, scene: _setting("gravity_factor")(obj, scene) * _scene_gravity(scene), _gravity,
             limits=_gravity_limits),
    Quantity("WIND", 8, "Wind speed", "Mean speed of the wind", "m/s",
             {"km/h": 1.0 / 3.6, "kn": 0.514444, "mph": 0.44704},
             lambda obj, scene: _wind_speed(scene), _wind, least=0.0, of_scene=True,
             limits=lambda obj, scene: _range(scene.plant_dynamics.wind, "speed")),
    Quantity("MATERIAL", 9, "Material", "Measured materials, for the whole plant",
             choices=_materials, choose=_material,
             usual="herbaceous_stem, petiole_dicotyledon, oak_green"),
    Quantity("LAYOUT", 10, "Joints", "Where bones bend", choices=_items("layout"), choose=_choose("layout"),
             usual=""),
    Quantity("SEGMENTS", 11, "Segments per bone", "Into how many pieces each bone is cut",
             present=_setting("segments"), apply=_set("segments", round), least=1.0, whole=True, usual="1, 2, 4",
             limits=_limits("segments")),
    Quantity("SCHEME", 12, "Method", "How time advances", choices=_items("scheme"), choose=_choose("scheme"),
             usual=""),
    Quantity("MAX_STEP", 13, "Longest step", "Time step of the simulation", "s", {"ms": 1e-3},
             _setting("max_step"), _set("max_step"), least=1e-5, usual="1/480, 1/240, 1/24",
             limits=_limits("max_step")),
    Quantity("STEP_ERROR", 14, "Accuracy of motion", "Largest error of one step, of the plant's size", "%",
             present=_setting("step_error"), apply=_set("step_error"), least=1e-6,
             limits=_limits("step_error")),
    Quantity("START", 15, "Start", "How the plant begins", choices=_items("start"), choose=_choose("start"),
             usual=""),
    Quantity("STEPS", 16, "Steps", "How far the L-system has developed", grown=True, least=0.0, whole=True,
             usual="4, 7, 10"),
    Quantity("SEED", 17, "Seed", "Another plant of the same kind", grown=True, least=0.0, whole=True,
             usual="0, 1, 2, 3"),
    Quantity("CONSTANT", 18, "Constant", "A constant (let) of the L-system's text", grown=True),
    Quantity("LANDING", 39, "Landing time", "How softly what touches lands", "s", {"ms": 1e-3},
             _setting("landing_time"), _set("landing_time"), least=1e-4, usual="0.2 ms, 2 ms, 20 ms",
             limits=_limits("landing_time")),
)  # fmt: skip

_OF_COLUMNS = [_of_column(column) for column in COLUMNS.values() if column.compared]

QUANTITIES = {q.name: q for q in sorted([*_OF_COLUMNS, *_OTHERS], key=lambda q: q.number)}


def set_variant(quantity: Quantity, variant: Variant, value: Value | str) -> None:
    """Set a variant to one of the quantity's values."""
    if isinstance(value, str):
        quantity.choose(variant, value)
    else:
        quantity.apply(variant, value.number)
    object_changed(variant.obj)
