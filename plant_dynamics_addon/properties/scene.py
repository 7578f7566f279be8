# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the Grow panel, and the scene's air."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty
from bpy.types import Context, PropertyGroup

from ..blender.instancers import may_instance
from ..grow.around import GEOMETRY
from ..grow.mesh.detail import CHOICES
from ..grow.options import NO_STEP, full_age, show_constants
from .constant import GrowConstant
from .preset_items import GROUPS, OF_TREES, Item, first_of, group_of, picture_items, preset_items
from .wind import WindSettings

_PRESETS = preset_items()


def _other_text(self: "GrowOptions", context: Context) -> None:
    self.steps = 0.0  # an age of one plant says nothing of another
    _follow_with_pot(self)
    show_constants(self)


def _follow_with_pot(self: "GrowOptions") -> None:
    """A pot that was chosen for a herb is none for a tree, and the other way round. A text keeps its preset's."""
    is_tree = group_of(self.preset) in OF_TREES
    if self.source == "PRESET" and is_tree != self.pot_is_of_tree:
        self.pot_is_of_tree, self.pot, self.other_pot = is_tree, self.other_pot, self.pot


def _age(self: "GrowOptions") -> float:
    return max(0.0, self.steps or full_age(self) or 0.0)


def _set_age(self: "GrowOptions", age: float) -> None:
    self.steps = 0.0 if age == full_age(self) else age or NO_STEP


def _has_surface(self: "GrowOptions", obj: bpy.types.Object) -> bool:
    return obj.type in GEOMETRY or may_instance(obj)


def _pictures(self: "GrowOptions", context: Context) -> list[Item]:
    return picture_items(group_of(self.preset))


def _picture(self: "GrowOptions") -> int:
    return next((number for name, *_, number in _pictures(self, bpy.context) if name == self.preset), 0)


def _choose_picture(self: "GrowOptions", chosen: int) -> None:
    self.preset = next(name for name, *_, number in _pictures(self, bpy.context) if number == chosen)


def _group(self: "GrowOptions") -> int:
    return GROUPS.index(group_of(self.preset))


def _choose_group(self: "GrowOptions", chosen: int) -> None:
    if chosen != _group(self):
        self.preset = first_of(GROUPS[chosen])


class GrowOptions(PropertyGroup):
    """What Grow grows, and the air that all plants of the scene stand in."""

    wind: PointerProperty(type=WindSettings)

    source: EnumProperty(
        name="Source",
        items=[
            ("PRESET", "Preset", "A plant that comes with the add-on"),
            ("TEXT", "Text", "An L-system in a text of this file"),
        ],
        update=_other_text,
    )
    preset: EnumProperty(
        name="Plant", description="The plant to grow", items=_PRESETS, default="broad_leaf", update=_other_text
    )
    #: The same choice by pictures, one group at a time: all of them would not fit on a screen.
    group: EnumProperty(
        name="Group",
        items=[
            ("HERBS", "Herbs", "Leafy plants without wood, climbers among them"),
            ("FLOWERS", "Flowers", "Plants that are grown for their flowers"),
            ("GRASSES", "Grasses", "Grasses, reeds, bamboo and wheat"),
            ("TREES", "Trees", "Trees, shrubs and a hedge"),
            ("STUDIES", "Studies", "Models of books and mechanisms to try out, rather than plants to render"),
        ],
        get=_group, set=_choose_group, options=set(),
    )  # fmt: skip
    picture: EnumProperty(
        name="Plant", description="The plant to grow, of this group", items=_pictures, get=_picture,
        set=_choose_picture, options=set(),
    )  # fmt: skip
    text: PointerProperty(
        name="Text", description="The text with the L-system", type=bpy.types.Text, update=_other_text
    )
    constants: CollectionProperty(type=GrowConstant)
    #: The age, but 0 where it is as the text says, and NO_STEP where no step is taken.
    steps: FloatProperty(default=0.0, min=NO_STEP, max=1000.0, options={"HIDDEN"})
    age: FloatProperty(
        name="Age (steps)",
        description="How far the plant has developed, in derivation steps; between two whole ones the last is partly "
        "grown, and 0 is what it grows from. Another plant or text is fully grown again",
        get=_age, set=_set_age, min=0.0, soft_max=40.0, max=1000.0, precision=1, step=50, options=set(),
    )  # fmt: skip
    #: Whether the text, as it was last read, grows otherwise among solids.
    sees_solids: BoolProperty(options={"HIDDEN"})
    grows_around: EnumProperty(
        name="Grow Around",
        description="Meshes that this plant knows of: it climbs them, avoids them or stands in their shade. They count "
        "as they are at the frame when it is grown",
        items=[
            ("NOTHING", "Nothing", "No mesh; a plant that climbs has a support of its own"),
            ("OBJECT", "Object", "One object, and what it instances"),
            ("COLLECTION", "Collection", "All objects of a collection, and what they instance"),
        ],
    )  # fmt: skip
    around_object: PointerProperty(
        name="Object", description="The object that the plant grows around", type=bpy.types.Object, poll=_has_surface
    )
    around_collection: PointerProperty(
        name="Collection", description="The collection that the plant grows around", type=bpy.types.Collection
    )
    text_steps: IntProperty(default=-1, options={"HIDDEN"})
    seed: IntProperty(name="Seed", description="Another seed gives another plant where the text uses chance", min=0)
    prune_below: FloatProperty(
        name="Prune Below",
        description="Leave out segments that are shorter than this, such as shoots that have only just appeared",
        default=0.0001, min=0.00001, soft_max=0.01, precision=4, unit="LENGTH",
    )  # fmt: skip
    pot: BoolProperty(name="Pot", description="Add a pot with soil that moves with the plant", default=False)
    #: Whether that is said of a tree; and what was chosen for trees, if it is not, or else for all other plants.
    pot_is_of_tree: BoolProperty(options={"HIDDEN"})
    other_pot: BoolProperty(options={"HIDDEN"})
    detail: EnumProperty(
        name="Detail",
        description="How finely stems, leaves and flowers are divided. The look only: the motion is the same",
        items=[(name, label, effect) for name, (label, effect, _) in CHOICES.items()],
        default="AUTO",
    )
    leaf_bones: IntProperty(
        name="Leaf Bones",
        description="Into how many bones leaves are cut that the text draws as one, so that they bend in themselves. "
        "0: five for a few leaves, three for up to 150, else one, and one where they are instances",
        default=0, min=0, soft_max=8, max=64,
    )  # fmt: skip
    instance_leaves: BoolProperty(
        name="Instance Leaves",
        description="Leaves of one bone, flowers, buds and fruits are linked copies of a few meshes, carried by "
        "their bones: less memory and faster playing for large trees. A leaf that is a copy does not bend with its "
        "petiole or in itself; those that the text draws as several segments bend as ever",
        default=False,
    )
