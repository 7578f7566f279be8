# SPDX-License-Identifier: GPL-3.0-or-later
"""The air of a scene: still, with gusts, or as a script says. All plants of the scene stand in it."""

from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, StringProperty
from bpy.types import Context, PropertyGroup

from ...solver import AIR_DENSITY
from ..changes import scene_inputs_changed
from ..dynamics.surroundings.winds import wind_names
from ..viewport import wind_arrow
from ..viewport.lines import redraw_3d


def _changed(self: "WindSettings", context: Context) -> None:
    self.is_given = False
    scene_inputs_changed(self.id_data)
    if wind_arrow.drawing.handle is not None:
        redraw_3d()


def _shown(self: "WindSettings", context: Context) -> None:
    wind_arrow.drawing.refresh()


def _custom_names(self: "WindSettings", context: Context, edit_text: str) -> list[str]:
    return wind_names()


class WindSettings(PropertyGroup):
    """What the Air and Wind panel says. All of it but Shelter can be keyed; keyed speed and direction change without a
    jump."""

    use_air: BoolProperty(
        name="Air",
        description="Plants move in air: it slows broad leaves down, and wind can blow. Off: as in a vacuum",
        default=True, update=_changed,
    )  # fmt: skip
    source: EnumProperty(
        name="Wind",
        items=[
            ("STILL", "Still Air", "Nothing blows. Motion through the air is slowed down"),
            ("GUSTS", "Gusts", "A mean wind with turbulence that travels along with it"),
            ("CUSTOM", "Script", "A wind that a Python script has registered"),
        ],
        update=_changed,
    )
    speed: FloatProperty(
        name="Speed",
        description="Mean speed of the wind. Its force grows with the square: twice the speed bends four times as far. "
        "Leaves rustle at 3 m/s, small trees sway at 8, twigs break off at 20. Can be keyed",
        default=5.0, min=0.0, soft_max=30.0, max=200.0, unit="VELOCITY", update=_changed,
    )  # fmt: skip
    direction: FloatVectorProperty(
        name="Direction",
        description="Where the wind blows to, in world axes, whatever its length. All three at 0: nothing blows",
        size=3, default=(1.0, 0.0, 0.0), subtype="DIRECTION", update=_changed,
    )  # fmt: skip
    show_in_viewport: BoolProperty(
        name="Show in Viewport",
        description="Draw an arrow in 3D views that points where the wind blows to, beside the active plant or at the "
        "3D cursor. The faster, the longer; as part of the overlays",
        options=set(), update=_shown,
    )  # fmt: skip
    turbulence_intensity: FloatProperty(
        name="Gustiness",
        description="How much the speed varies, as a share of the mean: 0 an even stream, 0.15 over open land, "
        "0.35 among houses and trees",
        default=0.2, min=0.0, soft_max=0.6, max=3.0, precision=2, subtype="FACTOR", update=_changed,
    )  # fmt: skip
    length_scale: FloatProperty(
        name="Gust Size",
        description="Length of the gusts. Small ones shake leaves one by one and change quickly; large ones lean on "
        "the whole plant for seconds",
        default=30.0, min=0.01, soft_min=0.5, soft_max=100.0, max=10000.0, unit="LENGTH", update=_changed,
    )  # fmt: skip
    spectrum: EnumProperty(
        name="Spectrum",
        description="How the gusts' strength is shared out between large and small ones",
        items=[
            ("VON_KARMAN", "von Karman", "The same in all directions, as behind a grid or high above the ground"),
            ("KAIMAL", "Kaimal", "As near the ground (IEC 61400-1): up and down less than to and fro"),
        ],
        update=_changed,
    )
    seed: IntProperty(name="Seed", description="Another seed gives other gusts of the same kind", min=0,
                      update=_changed)  # fmt: skip
    use_loop: BoolProperty(name="Loop", description="The wind repeats, for animation in a cycle", update=_changed)
    loop_frames: IntProperty(
        name="Loop Frames",
        description="The wind is the same again after so many frames. The plant follows after its first loop, but for "
        "leaves that flutter by themselves in more than a breeze: Seamless Loop of Bake closes their round. With a "
        "keyed speed the gusts pass at the largest one",
        default=120, min=2, soft_max=1000, max=100000, subtype="TIME", update=_changed,
    )  # fmt: skip
    shelter: FloatProperty(
        name="Shelter",
        description="How much plants slow the wind down: it is weaker inside crowns and behind plants, which bend less "
        "there, and recovers farther on. 0 not at all, 1 as their leaves and stems do",
        default=0.0, min=0.0, max=1.0, precision=2, subtype="FACTOR", options=set(), update=_changed,
    )  # fmt: skip
    height_exponent: FloatProperty(
        name="Height Profile",
        description="How the wind grows with the height above z = 0: 0 not at all, 0.14 over short grass, 0.25 among "
        "bushes. The speed is then that at the height below, and near the ground there is little of it",
        default=0.0, min=0.0, soft_max=0.4, max=2.0, precision=2, update=_changed,
    )  # fmt: skip
    reference_height: FloatProperty(
        name="At Height",
        description="Height at which the wind has its speed",
        default=10.0, min=0.01, soft_max=20.0, max=1000.0, unit="LENGTH", update=_changed,
    )  # fmt: skip
    is_given: BoolProperty(
        description="Grow has let it blow for the scene's first plant, and nobody has changed it since",
        options={"HIDDEN"},
    )
    custom: StringProperty(
        name="Script",
        description="Name under which a script has registered its wind",
        search=_custom_names, search_options={"SORT"}, update=_changed,
    )  # fmt: skip
    air_density: FloatProperty(
        name="Density (kg/m³)",
        description="Density of what the plants stand in: air 1.2, water 1000. Drag grows with it",
        default=AIR_DENSITY, min=0.0, soft_max=1100.0, max=20000.0, precision=3, update=_changed,
    )  # fmt: skip
    buoyancy: BoolProperty(
        name="Buoyancy",
        description="What the plants stand in also carries them: hardly seen in air; in water stems rise",
        default=False, update=_changed,
    )  # fmt: skip
