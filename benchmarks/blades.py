# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections that are not round, plates in wind, flowers that turn, gusts over reeds; and what lift costs a step."""

import dataclasses
import time
from itertools import pairwise

import numpy as np

from benchmarks.machine import markdown
from benchmarks.shown import Shown, percent
from solver import LAYOUTS, GustyWind, Rods, Sample, Settings, Simulation, discretize, natural_modes, sections
from tests.oracles.models import binary_tree
from tests.oracles.runs import flat_beams, flat_trees
from tests.oracles.runs.in_air import flowers_in_wind, plate_in_wind, reed_bed
from tests.oracles.runs.in_air.fibre_in_wind import drags, exact_drags
from tests.oracles.runs.in_air.flowers_in_wind import DAFFODIL, ISOTROPIC, daffodil, tulip

#: How many rods beams are cut into to see what more of them bring.
RODS = (20, 40, 80, 160, 320)


def table(quick: bool) -> str:
    shown = Shown(
        "Sections and blades",
        "Flat beam: a section of 6 to 1, 1 m long; modes against Euler and Bernoulli, twist against de Saint-Venant."
        " Trees beside Pinocchio: in random poses and motions, against its mass matrix solved densely; those of rods,"
        " whose matrices are conditioned badly (1e6 to 1e8), against recursive Newton-Euler and composite bodies in"
        " numbers of 19 digits. Beside MuJoCo: 12 rods of 100 MPa, 1 rad/s in every joint, steps of 1/3840 s that are"
        " halved where needed, its own of 1/4800 s and fourth order; chaos: a nudge of 1e-6 rad has grown to a"
        " thousandth of the size. Fibre: from the settled poses of two halves of 1 m in wind of 100 to 1 in speed."
        " Flowers: the drag of all but the stem, the back to the wind over the face to it; a daffodil's stem twists"
        " 13.3, a tulip's 8.3 times more easily than it bends (Etnier and Vogel 2000). A stem that twists so easily is"
        " bent over in a wind that turns its flower, and about one that lies along the wind no drag turns anything: so"
        " the flower stops short of the lee, however stiff the stem is. Seen from the side this flower has its least"
        " drag, about half of that into its trumpet, so that one that stands across the wind gains nothing by turning:"
        " most of what a blown one loses it loses sideways and bent over. In a wind tunnel the drag is said to be"
        " least with the back to the wind, so that the sides of this flower have too little. A tulip's cup is as a"
        " short cylinder. Plate: 10 by 4 cm; found from its motion, beside the linear analysis of the law of its force"
        " by hand. Reeds: 200, 2 m high, 40 by 5 of them 1 m apart, at 6 m/s.",
    )
    _sections(shown)
    _trees(shown)
    _fibre(shown)
    _flowers(shown)
    for name, measure in (
        ("divergence, turning across the wind", plate_in_wind.divergence),
        ("flutter, flap and twist with its weight behind the middle", plate_in_wind.flutter),
        ("galloping, stalled at 29 degrees, damped spring across", plate_in_wind.galloping),
    ):
        found, wanted = measure()
        shown.add(
            f"plate on springs: {name}", "< 10 % off", f"{found:.3f} m/s, {wanted:.3f} by hand:"
            f" {percent(found / wanted - 1.0)} off", abs(found / wanted - 1.0) < 0.1,
        )  # fmt: skip
    _reeds(shown)
    return shown.markdown()


def _sections(shown: Shown) -> None:
    flat, young = sections.flat(2.0, 0.4), 8100e6
    for axis, way in (("weak", (0.0, 0.0, -1.0)), ("strong", (0.0, -1.0, 0.0))):
        bend = flat.bend_x if axis == "weak" else flat.bend_z
        push = tuple(0.01 * 3.0 * young * 0.25 * np.pi * 0.01**4 * bend * np.array(way))
        off = max(
            float(np.abs(np.subtract(*(
                flat_beams.bent_tip(section, stiff, layout, push)
                for section, stiff in ((flat, young), (sections.ROUND, young * bend))
            ))).max())
            for layout in LAYOUTS
        )  # fmt: skip
        shown.add(
            f"flat rod bent about its {axis} axis, beside a round one as stiff, all {len(LAYOUTS)} layouts", "the same",
            f"{off:.1g} m off, tip at 0.01 m", off < 1e-9,
        )  # fmt: skip
    off = [flat_beams.of_theory("buckling", layout, 320) for layout in LAYOUTS]
    shown.add(
        f"blade on edge buckles sideways, of 4.013 sqrt(EI GJ) / L²; all {len(LAYOUTS)} layouts, 320 rods",
        "< 0.5 % off", ", ".join(percent(one) for one in off), bool(np.abs(off).max() < 5e-3),
    )  # fmt: skip
    theory = flat_beams.theory()
    modes = natural_modes(flat_beams.flat_beam(60), flat_beams.WEIGHTLESS, 8).frequency
    off = np.abs(modes / theory - 1.0).max()
    shown.add("first eight modes of a flat beam, 60 rods", "< 1 % off", percent(off), off < 1e-2)
    moved = np.array([flat_beams.swinging(mode) / theory[mode] - 1.0 for mode in (0, 1, 7)])
    shown.add(
        "the same from motion, 20 rods: weak, strong, twist", "< 1 % off", ", ".join(percent(one) for one in moved),
        bool((np.abs(moved) < 1e-2).all()),
    )  # fmt: skip


def _trees(shown: Shown) -> None:
    """Beside Pinocchio and MuJoCo."""
    off = [flat_trees.off_pinocchio_of_bodies(seed) for seed in range(60)]
    shown.add(
        "accelerations of 60 random trees of bodies, three stiffnesses a joint, beside Pinocchio's", "< 1e-9",
        f"{max(off):.1e}", max(off) < 1e-9,
    )  # fmt: skip
    shown_trees = {
        "60 random trees of elliptic, flat and grooved rods": [flat_trees.random_tree, 60],
        "these trees with round rods": [lambda *tree: flat_trees.random_tree(*tree, is_flat=False), 60],
        "500 varied trees (5 to 12 rods, 1.2 to 8 times as wide as thick, EI/GJ up to 40, 1 MPa to 10 GPa)": [
            flat_trees.varied_tree, 500,
        ],
    }
    for trees, (make, count) in shown_trees.items():
        ours, theirs, dense = np.array(
            [flat_trees.off_exact_of(*make(seed, layout)) for seed in range(count) for layout in LAYOUTS]
        ).T
        shown.add(
            f"the same of {trees} in all layouts, beside their equations in extended precision: median, worst; worst of"
            " Pinocchio's `aba`; worst of its mass matrix solved densely", "< 1e-9",
            f"{np.median(ours):.1e}, {ours.max():.1e}; {theirs.max():.1e}; {dense.max():.1e}", bool(ours.max() < 1e-9),
        )  # fmt: skip
    steps = (1e-2, 1e-3, 1e-5)
    off = [
        max(flat_trees.off_step_of(*flat_trees.random_tree(seed, one), step) for seed in range(60) for one in LAYOUTS)
        for step in steps
    ]
    shown.add(
        "what corrects the first of them in a step of 10 ms, 1 ms and 10 µs, in which joints resist more and less than"
        " what they carry, beside the step's equations in extended precision: worst", "< 1e-9",
        ", ".join(f"{one:.1e}" for one in off), max(off) < 1e-9,
    )  # fmt: skip
    found = np.array([flat_trees.off_mujoco(seed) for seed in range(6)])
    shown.add(
        "tips of 6 such trees, kicked, beside MuJoCo's, of the space they go through, until chaos or for"
        f" {flat_trees.SECONDS:.0f} s", "< 1 %",
        f"{', '.join(percent(one) for one in found[:, 0])}; compared for"
        f" {', '.join(f'{one:.1f}' for one in found[:, 1])} s", bool(found[:, 0].max() < 1e-2),
    )  # fmt: skip


def layouts_table(quick: bool) -> str:
    """What flat beams of more and more rods are off, by layout."""
    rows = []
    for what, told in zip(
        flat_beams.COMPARED,
        ("bends about its weak axis", "bends about its strong axis", "first frequency of twist", "buckles sideways"),
        strict=True,
    ):
        for layout in LAYOUTS:
            off = np.array([flat_beams.of_theory(what, layout, rods) for rods in RODS])
            left = np.abs(off - flat_beams.limit(what, layout))
            orders = [f"{np.log2(coarse / fine):.2f}" for coarse, fine in pairwise(left) if fine > 1e-9]
            enough = next((str(rods) for rods, one in zip(RODS, off, strict=True) if abs(one) < 5e-3), "none")
            rows.append([told, f"`{layout}`", *(percent(one) for one in off), ", ".join(orders) or "exact", enough])
    return markdown(
        "Flat beams by layout",
        ["a flat beam", "layout", *(f"{rods} rods" for rods in RODS), "orders", "within 0.5 % from"],
        rows,
        "Of 1 m, clamped, beside beam theory: where a small force acts; its first frequency of twist; the load at its"
        " end, along its width, at which it gives way (its strong axis 10 million times as stiff). The force acts where"
        " the solver has it, at the centre of the body that carries the last rod's middle. Orders: the power of the"
        " number of rods with which the error falls, from one column to the next; of `prbm3r_hall` that of the distance"
        " from what Hall's compliances, 0.12 % too small together, tend to; that of `prbm3r` changes sign where it"
        " buckles.",
    )  # fmt: skip


def _fibre(shown: Shown) -> None:
    speed, drag = drags(20, 1e-3, "prbm3r")
    exponent = float(np.polyfit(np.log(speed), np.log(drag), 1)[0])
    local = np.diff(np.log(drag)) / np.diff(np.log(speed))
    off = np.abs(drag / exact_drags() - 1.0).max()
    shown.add(
        "flexible fibre across wind: exponent of its drag (Alben, Shelley and Zhang 2002)", "4/3 ± 0.05",
        f"{exponent:.4f}, {local.min():.4f} to {local.max():.4f} between neighbours; the drag itself"
        f" {percent(off)} off", abs(exponent - 4.0 / 3.0) < 0.05,
    )  # fmt: skip


def _flowers(shown: Shown) -> None:
    facing = flowers_in_wind.turned(daffodil(DAFFODIL, is_rigid=True), 180.0)
    lost = 1.0 - flowers_in_wind.turned(daffodil(DAFFODIL, is_rigid=True), 0.0) / facing
    shown.add(
        "daffodil that has turned its back to the wind: drag lost", "30 ± 5 %", percent(lost, 3), abs(lost - 0.3) < 0.05
    )
    upright = tulip(is_rigid=True)
    around = np.array([flowers_in_wind.turned(upright, angle) for angle in (0.0, 30.0, 90.0, 180.0)])
    lost = float(1.0 - around.min() / around.max())
    shown.add("tulip, turned about the vertical", "< 5 %", percent(lost), lost < 0.05)
    off = [
        abs(flowers_in_wind.off_the_lee(*flowers_in_wind.blown(daffodil(ratio), 150.0, 10.0)))
        for ratio in (DAFFODIL, ISOTROPIC)
    ]
    shown.add(
        "daffodil that faced 30° off the wind, at 10 m/s: angle from the lee; were its stem isotropic",
        "turns; does not", f"{off[0]:.0f}°; {off[1]:.0f}°", off[0] < 90.0 < off[1],
    )  # fmt: skip
    turned = [
        (abs(flowers_in_wind.off_the_lee(*blown)), flowers_in_wind.turned_by_hand(degrees, 14.0))
        for degrees in (150.0, 90.0)
        for blown in (flowers_in_wind.blown(daffodil(DAFFODIL, stiffer=100.0), degrees, 14.0),)
    ]
    shown.add(
        "the same and one that stood across the wind, were their stems as easy to twist but kept upright, at 14 m/s;"
        " by hand",
        "as by hand", "; ".join(f"{found:.0f}°, {hand:.0f}° by hand" for found, hand in turned),
        all(abs(found - hand) < 1.5 for found, hand in turned),
    )  # fmt: skip
    lost, untwisted = (
        [
            1.0 - flowers_in_wind.drag_of_flower(*flowers_in_wind.blown(daffodil(ratio), degrees, 5.0)) / 25.0 / facing
            for degrees in (170.0, 150.0)
        ]
        for ratio in (DAFFODIL, ISOTROPIC)
    )
    shown.add(
        "drag lost by daffodils that faced 10° and 30° off the wind, at 5 m/s, as they turn and are bent; were their"
        " stems isotropic", "30 % and more; less",
        "; ".join(", ".join(percent(one) for one in some) for some in (lost, untwisted)),
        min(lost) > 0.3 and max(untwisted) < 0.3,
    )  # fmt: skip
    bent = [
        1.0 - flowers_in_wind.drag_of_flower(*flowers_in_wind.blown(tulip(), 0.0, speed))
        / (speed**2 * flowers_in_wind.turned(upright, 0.0))
        for speed in (1.0, 2.0, 4.0, 8.0)
    ]  # fmt: skip
    shown.add(
        "tulip in wind of 1, 2, 4 and, which bends it, 8 m/s: drag lost", "< 5 % up to 4 m/s",
        ", ".join(percent(one) for one in bent), max(bent[:3]) < 0.05,
    )  # fmt: skip


def _reeds(shown: Shown) -> None:
    tips = reed_bed.leaning()
    for apart in (6, 12):
        speed, alike = reed_bed.wave_speed(tips, apart)
        shown.add(
            f"gust waves over the bed, reeds {apart} m apart", "6 m/s", f"{speed:.2f} m/s, alike by {alike:.2f}",
            abs(speed / reed_bed.SPEED - 1.0) < 0.1,
        )  # fmt: skip
    leans, _ = reed_bed.in_rows()
    shown.add(
        "lean of the fifth row over that of the first, wide stems, 2 m/s across", "lower",
        f"{leans[-1] / leans[0]:.2f}", bool(leans[-1] < 0.9 * leans[0]),
    )  # fmt: skip


def cost_table(quick: bool) -> str:
    """One step of the same bodies in gusts: blades that only drag; that lift and carry air; on flat rods as well."""
    rows = []
    for internodes, orders in ((4, 5), (6, 7)) if quick else ((4, 5), (6, 7), (6, 8)):
        plain = binary_tree(internodes, orders, young=5e8, damping_time=0.02, blade_area=1e-3)
        whole = dataclasses.replace(plain, blade_lift=3.0, blade_lift_along=0.4, blade_air_mass=0.5)
        plants = [Windy(rods) for rods in (plain, whole, dataclasses.replace(whole, section=sections.flat(1.6, 0.6)))]
        best = np.full((3, 2), np.inf)
        for _ in range(3 if quick else 9):
            best = np.minimum(best, [plant.times() for plant in plants])
        step, frame = best.T
        rows.append([
            str(plants[0].bodies), *(f"{1e9 * one / plants[0].bodies:.0f}" for one in step),
            ", ".join(f"{one:.2f}" for one in step[1:] / step[0]), *(f"{1e3 * one:.2f}" for one in frame),
            ", ".join(f"{one:.2f}" for one in frame[1:] / frame[0]),
        ])  # fmt: skip
    kinds = ("drag", "lift and air", "on flat rods")
    return markdown(
        "Cost of lift and sections",
        [
            "bodies", *(f"a solve and body, ns: {kind}" for kind in kinds), "times (1.5 asked)",
            *(f"a frame, ms: {kind}" for kind in kinds), "times",
        ],
        rows,
        "The same plant, every rod with a blade of 10 cm2, in gusts of 5 m/s, at 24 frames a second, in turn. A frame"
        " takes more solves where blades move more.",
    )  # fmt: skip


class Windy:
    """A plant in gusts."""

    def __init__(self, rods: Rods) -> None:
        self._plant = Simulation(discretize(rods), Settings(threads=1))
        self._sample = Sample(wind=GustyWind((5.0, 0.0, 0.0), seed=1))
        self._plant.start(self._sample, "settled")
        self.bodies = self._plant.model.body_count
        self._beginning = self._plant.snapshot()

    def times(self) -> tuple[float, float]:
        """s a solve and a frame, on average over the first second."""
        self._plant.restore(self._beginning)
        begin, solves = time.perf_counter(), 0
        for _ in range(24):
            solves += self._plant.advance(self._sample, 1 / 24).solves
        seconds = time.perf_counter() - begin
        return seconds / solves, seconds / 24
