# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured materials, for the whole plant or single bones, and how thick bones are."""

from collections.abc import Iterator

import bpy
from bpy.app.translations import pgettext_n as n_
from bpy.app.translations import pgettext_rpt as rpt_
from bpy.props import EnumProperty
from bpy.types import Context, Operator

from ....solver import MATERIALS, Material
from ...errors import PlantError
from ...material_columns import COLUMNS, measured_values
from ...plants import active_armature
from ...rigging.bone_selection import selected_bones
from ...rigging.skin.radii import take_skin_radii
from ..common import AtOnce, described, poll_plant, reports_errors


def _described(material: Material) -> str:
    words = [COLUMNS[name].measured.format(value) for name, value in measured_values(material).items()]
    if material.young_range is not None:
        low, high = (value / COLUMNS["young_modulus"].unit for value in material.young_range)
        words[0] += f" ({low:.4g} to {high:.4g})"
    if material.damping_ratio is not None:
        words.append(f"damping ratio {100.0 * material.damping_ratio:.2g} %")
    return f"{', '.join(words)}. {material.source}"


#: Headings of the menu, by the first material below each.
_HEADINGS = {
    "herbaceous_stem": n_("Herbs, Grasses, Leaves"), "liana_young": n_("Climbers and Living Trees"),
    "oak_green": n_("Wood"),
}  # fmt: skip


def _items() -> Iterator[tuple[str, str, str]]:
    """The menu: materials of which there is something to take over."""
    for name, material in MATERIALS.items():
        if name in _HEADINGS:
            yield "", _HEADINGS[name], ""
        if measured_values(material):
            yield name, material.label, _described(material)


class PLANT_DYNAMICS_OT_set_material(Operator):
    """Take over what was measured of a plant material; what its source does not give stays as it is"""

    bl_idname = "plant_dynamics.set_material"
    bl_label = "Measured Material"
    bl_options = {"REGISTER", "UNDO"}

    material: EnumProperty(name="Material", items=list(_items()))
    target: EnumProperty(
        name="For",
        items=[
            ("PLANT", "Whole Plant", "The plant's panel; of a grown plant all bones, which have their own materials"),
            ("SELECTED", "Selected Bones", "The bones that are selected in Pose Mode"),
            ("ACTIVE", "Active Bone", "The active bone"),
        ],
    )

    poll = classmethod(poll_plant)

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return described(cls, properties, "material")

    @reports_errors
    def execute(self, context: Context) -> set[str]:
        obj = active_armature(context)
        if self.material not in MATERIALS:
            raise PlantError("Choose a material: " + ", ".join(MATERIALS))
        values = measured_values(MATERIALS[self.material])
        owners = list(self._owners(obj))
        if not owners:
            self.report({"ERROR"}, "Select bones in Pose Mode first")
            return {"CANCELLED"}
        for owner in owners:
            for name in values.keys() & owner.bl_rna.properties.keys():
                setattr(owner, name, values[name])
        if self.target == "PLANT" and "strength" in values:  # which only bones have
            for bone in obj.data.bones:
                bone.plant_dynamics.strength = values["strength"]
        self.report({"INFO"}, self.told(MATERIALS[self.material], len(owners)))
        return {"FINISHED"}

    def told(self, material: Material, count: int) -> str:
        """What has been done to so many owners, and what has not."""
        words = " and ".join(COLUMNS[name].told for name in measured_values(material))
        text = f"{material.label}: {words} set; the rest stays"
        if material.damping_ratio is not None:
            text += f". Measured damping ratio: {100.0 * material.damping_ratio:.2g} %, to be set under Damping"
        if self.target == "PLANT" and count > 1:
            text += ". Leaves and all other bones have been overwritten: Undo gives the grown materials back"
        return text

    def _owners(self, obj: bpy.types.Object) -> Iterator[bpy.types.PropertyGroup]:
        """What has the properties."""
        bones = obj.data.bones
        if self.target == "PLANT":
            yield obj.plant_dynamics
            chosen = list(bones) if obj.plant_dynamics.bones_have_materials else []
        elif self.target == "SELECTED":
            chosen = selected_bones(obj)
        else:
            chosen = [bones.active] if bones.active else []
        yield from (bone.plant_dynamics for bone in chosen)


class PLANT_DYNAMICS_OT_skin_radii(AtOnce):
    """Give each simulated bone the thickness of the skin about it, for its weight, its stiffness and what touches it"""

    bl_idname = "plant_dynamics.skin_radii"
    bl_label = "Radii from Skin"

    poll = classmethod(poll_plant)

    def act(self, context: Context) -> None:
        obj = active_armature(context)
        count = take_skin_radii(obj)
        if not count:
            raise PlantError("'{object}' deforms no mesh that could tell how thick its bones are", object=obj.name)
        self.report({"INFO"}, rpt_("{count} bones are as thick as the skin about them").format(count=count))
