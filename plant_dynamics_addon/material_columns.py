# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant is made of, in one table: material, friction, limits, drag and contact, of the plant and of its bones.

The properties, the panels' rows, presets, measured materials, edits of bones, the quantities of comparisons and the
columns of the solver's rods are made from it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty
from bpy.types import PropertyGroup

from ..solver import Material, Rods, sections

#: A bone's limit of this angle (rad) or more is none.
FULL_TURN = math.tau

_OF_RODS = {field.name for field in fields(Rods)}


def _never(value: Any) -> Any:
    return False


def _up_to_minus_one(value: Any) -> Any:
    return value <= -1.0


def _negative(value: Any) -> Any:
    return value < 0.0


def _up_to_zero(value: Any) -> Any:
    return value <= 0.0


@dataclass(frozen=True)
class Compared:
    """How plants with other values of a column are compared.

    number: that of the menu's item, which files hold. label, description: as they are shown, else the property's. unit:
    of values as they are typed; units: others by what one is in `unit`. of_body: numbers of explicit bodies that are in
    proportion to it. along: other settings of the plant, besides its switch, that a value needs to act. usual: values
    to begin with.
    """

    number: int
    label: str = ""
    description: str = ""
    unit: str = ""
    units: Mapping[str, float] = field(default_factory=dict)
    of_body: Sequence[str] = ()
    along: Mapping[str, Any] = field(default_factory=dict)
    usual: str = "0.5x, 1x, 2x"


@dataclass(frozen=True, eq=False)
class Column:
    """A quantity under the name of its properties, which plants and bones may both have.

    group: what it is shown and copied with. of_plant, of_bone: the property. inherits: whether a bone's value, or each
    of an array, means: as the plant. solver: its name in Rods and Material, where it is another. grown: its name in
    Skeleton. unit: what one of the property is in SI units. at_every_frame: the plant's can have keys. in_proportion:
    bones with values of their own keep their proportions when the plant's is set. measured: how the value of a
    measured material is told. quantity: what it is called where bones are edited and plants compared, if not as its
    name; columns that share one are edited together. modes: in which of the plant's damping modes it acts, if not in
    all; of a factor that plants and bones both have, the bones'. switch: the column that turns the plant's on.
    choices: identifiers of an enumeration whose values count as 0, 1, 2 ...; others, as bones have, as -1.
    """

    name: str
    group: str
    of_plant: Any = None
    of_bone: Any = None
    inherits: Callable[[Any], Any] = _never
    solver: str = ""
    grown: str = ""
    unit: float = 1.0
    at_every_frame: bool = False
    in_proportion: bool = False
    measured: str = ""
    quantity: str = ""
    modes: tuple[str, ...] = ()
    switch: str = ""
    compared: Compared | None = None
    choices: tuple[str, ...] = ()

    @property
    def of_quantity(self) -> str:
        """What it is called where bones are edited and plants compared."""
        return self.quantity or self.name.upper()

    @property
    def is_inherited(self) -> bool:
        """Whether a bone's value, where it has one, holds in place of the plant's."""
        return bool(self.of_plant and self.of_bone) and self.inherits is not _never

    @property
    def is_switch(self) -> bool:
        """Whether a bone's value is on or off."""
        return bool(self.of_bone) and self.of_bone.function is BoolProperty

    @property
    def is_factor(self) -> bool:
        """Whether a bone's value multiplies the plant's."""
        return bool(self.of_plant and self.of_bone) and self.inherits is _never

    def acts_in(self, damping_mode: str) -> bool:
        """Whether it acts in this of the plant's damping modes."""
        return not self.modes or damping_mode in self.modes

    @property
    def of_solver(self) -> str:
        """Its name in the solver."""
        return self.solver or self.name

    @property
    def is_of_rods(self) -> bool:
        """Whether the solver's rods have it."""
        return self.of_solver in _OF_RODS

    @property
    def told(self) -> str:
        """What a measured quantity is called."""
        return self.measured.partition(" {")[0]

    def number(self, value: Any) -> Any:
        """A property's value as a number."""
        if not self.choices:
            return value
        return self.choices.index(value) if value in self.choices else -1

    def own(self, owned: Sequence[PropertyGroup]) -> np.ndarray:
        """(n,) bones' own values, in the property's unit."""
        return np.array([self.number(getattr(own, self.name)) for own in owned], dtype=np.float64)

    def held(self, owned: Sequence[PropertyGroup], settings: PropertyGroup) -> np.ndarray:
        """(n,) what holds for bones, their own values or the plant's, in the property's unit."""
        if not self.of_bone:
            return np.full(len(owned), getattr(settings, self.name))
        values = self.own(owned)
        if not self.of_plant:
            return values
        return np.where(self.inherits(values), self.number(getattr(settings, self.name)), values)


_SECTION_NAMES = tuple(kind.upper() for kind in sections.KINDS)

_SECTIONS = [
    ("ROUND", "Round", "As stiff to all sides"),
    ("ELLIPTIC", "Elliptic", "An ellipse, along the bone's X axis wider than along its Z axis"),
    ("FLAT", "Flat", "A strip whose flat side faces the bone's Z axis: a leaf, a ribbon, a board"),
    ("GROOVED", "Grooved", "A channel, open to the bone's Z axis, as petioles are: it twists easily"),
]

_DEGREES = {"deg": 1.0, "rad": math.degrees(1.0)}  # by what one is in degrees

#: In the order of presets and panels.
_TABLE = (
    Column("stiffness_factor", "JOINT", at_every_frame=True, quantity="STIFFNESS",
        compared=Compared(19, "", "The factor of all the plant's stiffness", "×"),
        of_plant=FloatProperty(name="Stiffness", default=1.0, min=0.0, soft_max=4.0, max=1e4, precision=3,
            description="Multiplies the stiffness of the whole plant. Key it downwards to let the plant wilt"),
        of_bone=FloatProperty(name="Joint Factor", default=1.0, min=1e-4, soft_max=10.0,
            description="Softens (below 1) or stiffens the joint at the bone's head")),
    Column("radius_base", "SIZE", grown="radius_base", inherits=_up_to_zero, quantity="RADIUS",
        of_bone=FloatProperty(name="Radius at Base", default=0.0, min=0.0, soft_max=0.5, precision=4, unit="LENGTH",
            description="Radius at the bone's head. Bending stiffness grows with its fourth power. 0: from the "
            "armature")),
    Column("radius_tip", "SIZE", grown="radius_tip", inherits=_up_to_zero, quantity="RADIUS",
        of_bone=FloatProperty(name="Radius at Tip", default=0.0, min=0.0, soft_max=0.5, precision=4, unit="LENGTH",
            description="Radius at the bone's tail. 0: from the armature")),
    Column("young_modulus", "MATERIAL", solver="young", grown="young", unit=1e6, inherits=_up_to_zero,
        in_proportion=True, measured="Young's modulus {:.4g} MPa", quantity="YOUNG",
        compared=Compared(0, "Young's modulus", "Of the stem; other bones in proportion", "MPa",
                          {"Pa": 1e-6, "kPa": 1e-3, "GPa": 1e3}, of_body=("stiffness",)),
        of_plant=FloatProperty(name="Young's (MPa)", default=300.0, min=1e-4, max=1e6, soft_min=1.0, soft_max=15000.0,
            description="Young's modulus, the stiffness of the tissue: leaves 1-50, herbs 50-1000, wood 5000-12000"),
        of_bone=FloatProperty(name="Young's (MPa)", default=0.0, min=0.0, soft_max=15000.0,
            description="Stiffness of the tissue: leaves 1-50, herbs 50-1000, wood 5000-12000. 0: as the armature")),
    Column("poisson", "MATERIAL", grown="poisson", inherits=_up_to_minus_one, measured="Poisson's ratio {:.2g}",
        compared=Compared(20, "Poisson's ratio", usual="0, 0.3, 0.5"),
        of_plant=FloatProperty(name="Poisson's", default=0.3, min=-0.9, max=0.5,
            description="Larger values twist more easily; 0.2 to 0.3 for herbaceous stems"),
        of_bone=FloatProperty(name="Poisson's", default=-1.0, min=-1.0, max=0.5,
            description="Larger values twist more easily. -1: as the armature")),
    Column("density", "MATERIAL", grown="density", inherits=_up_to_zero, in_proportion=True,
        measured="density {:.4g} kg/m³",
        compared=Compared(3, "Density", "Of the stem; other bones in proportion", "kg/m³", {"g/cm³": 1000.0},
                          of_body=("mass", "inertia")),
        of_plant=FloatProperty(name="Density (kg/m³)", default=900.0, min=1.0, max=20000.0, soft_min=100.0,
            soft_max=1500.0, description="Heavier tissue droops more and swings more slowly"),
        of_bone=FloatProperty(name="Density (kg/m³)", default=0.0, min=0.0, soft_max=1500.0,
            description="Heavier tissue droops more and swings more slowly. 0: as the armature")),
    Column("hollow", "SIZE", inherits=_negative, measured="hollow {:.2g}",
        compared=Compared(21, usual="0, 0.5, 0.9"),
        of_plant=FloatProperty(name="Hollow", default=0.0, min=0.0, max=0.99, precision=2, subtype="FACTOR",
            description="Inner over outer radius: 0 solid, 0.9 a thin wall. A hollow stem is lighter, and nearly as "
            "stiff until the wall is thin"),
        of_bone=FloatProperty(name="Hollow", default=-1.0, min=-1.0, max=0.99, precision=2,
            description="Inner over outer radius: 0 solid, 0.9 a thin wall, lighter and softer. -1: as the armature")),
    Column("section", "SECTION", grown="section", inherits=_negative, choices=_SECTION_NAMES,
        of_plant=EnumProperty(name="Section", default="ROUND", items=_SECTIONS,
            description="The shape of bones across them, which says how much more easily they bend to one side, and "
            "twist. It has the area of a round one of the same radius"),
        of_bone=EnumProperty(name="Section", default="PLANT",
            items=[("PLANT", "As Armature", "As the armature's material says"), *_SECTIONS],
            description="The shape of the bone across it; its roll says where its X and Z axes are")),
    Column("aspect", "SECTION", grown="aspect", inherits=_up_to_zero,
        compared=Compared(35, "Width over thickness", usual="1, 2, 5"),
        of_plant=FloatProperty(name="Aspect", default=2.0, min=0.01, max=100.0, soft_min=1.0, soft_max=20.0,
            precision=2, description="Width over thickness of sections that are not round, along the bone's X and Z "
            "axes. With 5 it bends 25 times as easily to its flat side as to its edge"),
        of_bone=FloatProperty(name="Aspect", default=0.0, min=0.0, max=100.0, soft_max=20.0, precision=2,
            description="Width over thickness of sections that are not round, along the bone's X and Z axes. 0: as the "
            "armature")),
    Column("twist_to_bend", "SECTION", grown="twist", inherits=_negative, measured="EI/GJ {:.3g}",
        compared=Compared(36, "EI/GJ", usual="1.3, 4, 13"),
        of_plant=FloatProperty(name="Twists (EI/GJ)", default=0.0, min=0.0, max=1000.0, soft_max=50.0, precision=2,
            description="How much more easily bones twist than bend: 1.3 an isotropic rod, wood 7, petioles of trees "
            "4, stalks of tulips 8 and daffodils 13, petioles of herbs 11 to 39. 0: as the section's shape has it"),
        of_bone=FloatProperty(name="Twists (EI/GJ)", default=-1.0, min=-1.0, max=1000.0, soft_max=50.0, precision=2,
            description="How much more easily the bone twists than bends: 1.3 an isotropic rod, petioles 4 to 39. 0: "
            "as its section's shape has it. -1: as the armature")),
    Column("strength", "MATERIAL", grown="strength", unit=1e6, measured="strength {:.4g} MPa",
        of_bone=FloatProperty(name="Strength (MPa)", default=0.0, min=0.0, soft_max=150.0,
            description="Bending stress at which the tissue breaks, if the plant's Breaks is on: green wood 40-60, dry "
            "wood 50-110. Measure Stress tells which bones would break. 0: not known, and the bone never breaks")),
    Column("breaks", "BREAKING",
        of_plant=BoolProperty(name="Breaks", description="Bones break in the motion where the bending stress of their "
            "joints exceeds their strength")),
    Column("fibres", "BREAKING", inherits=_negative, switch="breaks",
        compared=Compared(32, usual="0, 0.05, 0.3"),
        of_plant=FloatProperty(name="Hang On", default=0.0, min=0.0, max=0.99, precision=3, subtype="FACTOR",
            description="Share of its stiffness by which a bone that breaks still hangs on, as green wood does on its "
            "fibres. 0: it comes off, as dry wood does"),
        of_bone=FloatProperty(name="Hang On", default=-1.0, min=-1.0, max=0.99, precision=3,
            description="Share of its stiffness by which the bone still hangs on when it breaks. 0: it comes off. "
            "-1: as the armature")),
    Column("damping_mode", "DAMPING",
        of_plant=EnumProperty(name="Mode", default="TIME", description="How the tissue's friction is given",
            items=[
                ("TIME", "Damping Time", "A time: friction in proportion to stiffness. Quick shivers die first"),
                ("CONSTANT", "Constant b (Garcia)", "The same friction in every joint, as in the thesis: thin parts "
                 "are held back most"),
                ("RATIO", "Ratio at First Mode", "As a share of critical damping of the plant's slowest swing, which "
                 "is found at the start; friction is in proportion to stiffness"),
            ])),
    Column("damping_factor", "DAMPING", quantity="DAMPING", modes=("TIME", "CONSTANT"),
        compared=Compared(4, "", "The factor of all the plant's friction", "×"),
        of_plant=FloatProperty(name="Damping", default=1.0, min=0.0, soft_max=10.0, max=1e4, precision=3,
            description="Multiplies the damping of the whole plant"),
        of_bone=FloatProperty(name="Damping Factor", default=1.0, min=0.0, soft_max=10.0, max=1e4, precision=2,
            description="Multiplies the damping of this bone: above 1 it comes to rest sooner, below 1 later. Not in "
            "the mode Ratio at First Mode")),
    Column("damping_time", "DAMPING", grown="damping", inherits=_negative, in_proportion=True, modes=("TIME",),
        compared=Compared(5, "Damping time", "Of the stem; other bones in proportion", "s", {"ms": 1e-3},
                          along={"damping_mode": "TIME"}),
        of_plant=FloatProperty(name="Damping Time", default=0.05, min=0.0, soft_max=1.0, max=100.0, precision=3,
            unit="TIME_ABSOLUTE",
            description="Internal friction: larger values let the plant come to rest sooner, quick shivers first"),
        of_bone=FloatProperty(name="Damping Time", default=-1.0, min=-1.0, soft_max=1.0, precision=3,
            unit="TIME_ABSOLUTE", description="Internal friction in proportion to stiffness. -1: as the armature")),
    Column("joint_damping", "DAMPING", modes=("TIME", "CONSTANT"),
        compared=Compared(22, "Joint damping", unit="N m s", along={"damping_mode": "CONSTANT"},
                          usual="1e-6, 1e-5, 1e-4"),
        of_plant=FloatProperty(name="Joint (N m s)", default=0.0, min=0.0, soft_max=0.1, max=1e6, precision=6,
            description="The same friction in every bone, thin or thick")),
    Column("damping_ratio", "DAMPING", modes=("RATIO",),
        compared=Compared(6, "Damping ratio", "Share of critical damping of the slowest swing", "%",
                          along={"damping_mode": "RATIO", "damping_factor": 1.0}),
        of_plant=FloatProperty(name="Ratio (%)", default=5.0, min=0.0, soft_max=100.0, max=1000.0, precision=2,
            subtype="PERCENTAGE",
            description="Share of critical damping of the slowest swing. 1 %: half its height after 11 swings, 5 %: "
            "after 2, 100 %: it does not swing. Stems without leaves 1-5, with leaves 5-15. The air's comes on top")),
    Column("use_bend_limit", "LIMIT",
        of_plant=BoolProperty(name="Limit Bending", description="Bones bend freely up to an angle only")),
    Column("bend_limit", "LIMIT", inherits=_up_to_zero, quantity="BEND", switch="use_bend_limit",
        compared=Compared(23, "Bend Limit", unit="°", units=_DEGREES),
        of_plant=FloatProperty(name="Bend", default=0.785398, min=0.0, max=FULL_TURN, subtype="ANGLE",
            description="How far each bone bends freely; beyond that it stiffens steeply"),
        of_bone=FloatProperty(name="Bend Limit", default=0.0, min=0.0, max=FULL_TURN, subtype="ANGLE",
            description="How far the bone bends freely; beyond that it stiffens steeply. 0: as the armature, 360: no "
            "limit")),
    Column("use_twist_limit", "LIMIT",
        of_plant=BoolProperty(name="Limit Twisting", description="Bones twist freely up to an angle only")),
    Column("twist_limit", "LIMIT", inherits=_up_to_zero, quantity="TWIST", switch="use_twist_limit",
        compared=Compared(24, "Twist Limit", unit="°", units=_DEGREES),
        of_plant=FloatProperty(name="Twist", default=0.523599, min=0.0, max=FULL_TURN, subtype="ANGLE",
            description="How far each bone twists freely about its length; beyond that it stiffens steeply"),
        of_bone=FloatProperty(name="Twist Limit", default=0.0, min=0.0, max=FULL_TURN, subtype="ANGLE",
            description="How far the bone twists freely about its length. 0: as the armature, 360: no limit")),
    Column("air_factor", "AIR", compared=Compared(25, unit="×"),
        of_plant=FloatProperty(name="Air Drag", default=1.0, min=0.0, soft_max=3.0, max=1e4, precision=2,
            description="Multiplies how strongly air and wind act on this plant. 0: not at all")),
    Column("flutter", "AIR", compared=Compared(37, unit="×", usual="0, 1, 2"),
        of_plant=FloatProperty(name="Flutter", default=0.0, min=0.0, soft_max=2.0, max=20.0, precision=2,
            options={"ANIMATABLE"},
            description="How much leaves flutter: 1 as flat plates do, which turn across the wind, and twist in the "
            "small eddies among them that gusts carry along. 0: they only drag. Plants are grown with 1, and "
            "Make Leaves sets it. Can be keyed")),
    Column("blade_rigidity", "AIR", unit=1e-3, compared=Compared(38, "Leaf rigidity", unit="N mm"),
        of_plant=FloatProperty(name="Rigidity (N mm)", default=0.0, min=0.0, soft_max=10.0, max=1e6, precision=2,
            description="How hard it is for wind to roll leaves up, in N mm: 0.3 of thin leaves, 1 of most, 5 of "
            "leathery ones; 0: none rolls up. Those that are rolled up, wide ones first, catch less wind and swing "
            "less; they are drawn as they are. Of grown plants the widest roll up from 10 m/s on; Make Leaves sets 1")),
    Column("drag_across", "DRAG", compared=Compared(26, "Drag across stems"),
        of_plant=FloatProperty(name="Stem, Across", default=1.2, min=0.0, soft_max=3.0, max=1e4, precision=2,
            description="Drag coefficient of stems for wind across them, on diameter times length: a round stem has "
            "1.2")),
    Column("drag_along", "DRAG", compared=Compared(27, "Drag along stems"),
        of_plant=FloatProperty(name="Stem, Along", default=0.02, min=0.0, soft_max=0.5, max=1e4, precision=3,
            description="Drag coefficient of stems for wind along them, on their surface: smooth 0.02, hairy more")),
    Column("blade_drag_normal", "DRAG", compared=Compared(28, "Drag of leaves, flat on"),
        of_plant=FloatProperty(name="Leaf, Flat On", default=1.17, min=0.0, soft_max=3.0, max=1e4, precision=2,
            description="Drag coefficient of leaves for wind against their blade, on its area: a flat plate has 1.17")),
    Column("blade_drag_along", "DRAG", compared=Compared(29, "Drag of leaves, edge on"),
        of_plant=FloatProperty(name="Leaf, Edge On", default=0.04, min=0.0, soft_max=0.5, max=1e4, precision=3,
            description="Drag coefficient of leaves for wind along their blade, on its area")),
    Column("blade_area", "AIR",
        of_bone=FloatProperty(name="Blade Area", default=0.0, min=0.0, soft_max=0.1, max=1e6, precision=5, unit="AREA",
            description="Area of a flat blade along the bone that faces the bone's Z axis: wind catches it, and still "
            "air slows it down. 0: none. About two thirds of length times width of a leaf")),
    Column("blade_cup", "AIR",
        of_bone=FloatProperty(name="Cup", default=0.0, min=-1.0, max=1.0, precision=2,
            description="How much more a hollow blade catches of wind into it, and less of wind onto its back: petals, "
            "cupped hands, spoons. 0: flat, 0.6: half a ball, hollow on the side of the bone's Z axis; below 0 on the "
            "other")),
    Column("collides", "CONTACT",
        of_bone=BoolProperty(name="Collides", default=True, description="The bone touches what the plant collides "
            "with. Off: it passes through everything")),
    Column("friction", "CONTACT", inherits=_negative,
        compared=Compared(30, usual="0, 0.3, 1"),
        of_plant=FloatProperty(name="Friction", default=0.5, min=0.0, soft_max=1.5, max=100.0, precision=2,
            description="Coulomb's coefficient: the largest force along what is touched over that against it. What "
            "counts is the geometric mean of this and the collider's"),
        of_bone=FloatProperty(name="Friction", default=-1.0, min=-1.0, soft_max=1.5, max=100.0, precision=2,
            description="Coulomb's coefficient of friction on what is touched. -1: as the armature")),
    Column("bounce", "CONTACT", inherits=_negative,
        compared=Compared(31, usual="0, 0.5, 0.9"),
        of_plant=FloatProperty(name="Bounce", default=0.0, min=0.0, max=1.0, precision=2, subtype="FACTOR",
            description="How much of the speed is left after an impact, if the collider's own is not larger: 0 none, "
            "1 all"),
        of_bone=FloatProperty(name="Bounce", default=-1.0, min=-1.0, max=1.0, precision=2,
            description="How much of the speed is left after an impact. -1: as the armature")),
    Column("margin", "CONTACT", inherits=_negative,
        compared=Compared(34, unit="mm", units={"mm": 1e3, "m": 1.0}, usual="0, 2, 10"),
        of_plant=FloatProperty(name="Margin", default=0.0, min=0.0, soft_max=0.05, max=10.0, precision=4, unit="LENGTH",
            description="By how much bones touch farther out than their radius"),
        of_bone=FloatProperty(name="Margin", default=-1.0, min=-1.0, soft_max=0.05, max=10.0, precision=4,
            description="By how many metres the bone touches farther out than its radius. Flowers are as thick as they "
            "are drawn. -1: as the armature")),
    Column("stickiness", "CONTACT", inherits=_negative,
        compared=Compared(33, unit="mN", units={"mN": 1e3, "N": 1.0}, usual="0, 10, 100"),
        of_plant=FloatProperty(name="Stickiness", default=0.0, min=0.0, soft_max=1.0, max=1e6, precision=4,
            description="Force in N that holds each point at which bones touch something, until they are drawn off "
            "more strongly: a wet leaf 0.005, a burr 0.05"),
        of_bone=FloatProperty(name="Stickiness", default=-1.0, min=-1.0, soft_max=1.0, max=1e6, precision=4,
            description="Force in N that holds each point at which the bone touches something. -1: as the armature")),
    Column("drag_factor", "AIR", quantity="DRAG",
        of_bone=FloatProperty(name="Air Drag", default=1.0, min=0.0, soft_max=5.0, max=1e4, precision=2,
            description="Multiplies how strongly the air holds this bone. 0: not at all")),
)

COLUMNS = {column.name: column for column in _TABLE}


def columns_of(*groups: str) -> list[Column]:
    """The columns of the groups, one group after the other."""
    return [column for group in groups for column in _TABLE if column.group == group]


def plant_columns(*groups: str) -> list[Column]:
    """Those that plants have."""
    return [column for column in columns_of(*groups) if column.of_plant]


def bone_columns(*groups: str) -> list[Column]:
    """Those that bones have."""
    return [column for column in columns_of(*groups) if column.of_bone]


def measured_values(material: Material) -> dict[str, float]:
    """What a material's source gives, by the names of properties and in their units."""
    values = {column: getattr(material, column.of_solver) for column in _TABLE if column.measured}
    return {column.name: value / column.unit for column, value in values.items() if value is not None}


def properties_of(owner: str, changed: Callable[..., None], input_changed: Callable[..., None] | None = None) -> type:
    """A base class with the properties "of_plant" or "of_bone", which tell the functions of changes: the latter of
    what is read at every frame."""
    declared = {column.name: getattr(column, owner) for column in _TABLE if getattr(column, owner)}
    for name, prop in declared.items():
        prop.keywords["update"] = input_changed if COLUMNS[name].at_every_frame and input_changed else changed
    return type("Material", (), {"__annotations__": declared})
