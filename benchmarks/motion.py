# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants in motion: accuracy, energy, whipping and collapsing, drag."""

import numpy as np

from benchmarks.shown import Shown, percent
from solver import OK, Sample, discretize
from tests.oracles.models import beam
from tests.oracles.runs import (
    collapsing_tree,
    energy_drift,
    kicked_tree,
    limited_joints,
    pushed_tree,
    soft_chain,
)
from tests.oracles.runs.in_air import plants_in_air, sticks_in_air
from tests.surveys.whipping import whipping_plants

STATUS = ("ok", "coarse", "limited", "stopped")


def accuracy_table(quick: bool) -> str:
    shown = Shown(
        "Accuracy and energy of motion",
        "Order: a 45-rod tree whose pot is pushed by 20 cm and tilted by 0.3 rad in half a second, in a wind of 2.2"
        " m/s; root mean square error of the tip over 2 s against h = 1/15360, no step halved. Kick: the 45-rod"
        " standing tree, beta = 0.002 s, 1 rad/s in every joint about changing axes; root mean square error of the"
        " tip over 2 s over that of its travel, against h = 1/15360. Energy: largest loss and gain in 10 s over the"
        " largest energy in motion or in springs, of the same tree without damping. The scheme damps what swings in"
        " a few steps: bent evenly, the tree starts with modes far above 20 Hz, whose energy goes.",
    )
    steps = pushed_tree.STEPS[:2] if quick else pushed_tree.STEPS
    off = pushed_tree.errors(steps, finest=1 / 3840 if quick else pushed_tree.FINEST)
    orders = np.log2(off[:-1] / off[1:])
    shown.add(
        f"order of convergence, h = 1/240 to 1/{round(1 / steps[-1])}", "2.0 ± 0.1",
        ", ".join(f"{o:.3f}" for o in orders), bool((np.abs(orders - 2.0) < 0.1).all()),
    )  # fmt: skip
    for name, (release, sample) in energy_drift.RELEASES.items():
        loss, gain, swing = energy_drift.drift(release, sample)
        shown.add(
            f"drift of energy, undamped, 10 s, h = 1/960; {name}, the tip swings by {100 * swing:.0f} cm", "< 0.5 %",
            f"lost {percent(loss)}, gained {percent(gain)}", max(loss, gain) < 0.005,
        )  # fmt: skip
    loss, gain, swing = energy_drift.drift(energy_drift.dropped, Sample(), discretize(beam(10)))
    shown.add(
        f"the same, Garcia's cantilever let go as drawn, the tip swings by {100 * swing:.1f} cm", "< 0.5 %",
        f"lost {percent(loss)}, gained {percent(gain)}", max(loss, gain) < 0.005,
    )  # fmt: skip
    for name, release in {
        "violent: 3 rad/s in every joint": energy_drift.kicked(3.0),
        "bent evenly, 0.02 rad a rod": energy_drift.evenly_bent(0.02),
    }.items():
        loss, gain, swing = energy_drift.drift(release, energy_drift.WEIGHTLESS)
        shown.add(
            f"the same, {name}, the tip swings by {100 * swing:.0f} cm", "",
            f"lost {percent(loss)}, gained {percent(gain)}",
        )  # fmt: skip
    for layout in ("double_root",) if quick else ("double_root", "gauss2"):
        for step in (1 / 240,) if quick else (1 / 24, 1 / 60, 1 / 240, 1 / 960):
            errors = kicked_tree.tip_errors(step, layout)
            share = errors["bdf2"] / errors["backward_euler"]
            asked = step == 1 / 240
            shown.add(
                f"error after a violent kick over backward Euler's, h = 1/{round(1 / step)}, `{layout}`",
                "< 1/4" if asked else "",
                f"{percent(errors['bdf2'])} over {percent(errors['backward_euler'])}: {share:.3f}",
                share < 0.25 if asked else None,
            )  # fmt: skip
    return shown.markdown()


def collapse_table(quick: bool) -> str:
    shown = Shown(
        "Whipping and collapsing",
        "Default settings, let go as drawn under their weight; distances are those of the farthest rod's tip from a"
        " run with steps of at most 1/4800 s. Gained: largest energy over that at the start. beta:"
        " stiffness-proportional damping. At rest: less than 0.1 % of the energy at the start in motion, from then"
        " on. Undamped collapse is chaotic: the runs with disturbed starts differ from the first by 1e-9 rad in"
        " every joint. Whipping: trees of 6 to 60 rods on a base that is shaken for a second and then stands, goes on"
        " evenly, with an even acceleration, or turns. They gain nothing, and lose most of it though nothing"
        " damps them: four of flat and other rods 0.2 to 1.5 times their largest energy in motion or springs"
        " within a second.",
    )
    for internodes in (10, 200):
        found = [soft_chain.farthest_off(internodes, young) for young in soft_chain.YOUNGS]
        shown.add(
            f"soft swinging chain, {internodes} internodes, E = 1e5, 3e5, 1e6 Pa, 24 fps, first second", "< 1 %",
            ", ".join(percent(error) for error in found), max(found) < 0.01,
        )  # fmt: skip
    small, big = collapsing_tree.SMALL, collapsing_tree.LARGE
    trees = [(small, "double_root"), (small, "gauss2"), (big, "double_root")]
    if not quick:
        trees.append((big, "gauss2"))
    for size, layout in trees:
        for beta in collapsing_tree.DAMPING_TIMES:
            model = collapsing_tree.weak_tree(size, beta, layout)
            name = f"collapsing tree, {model.body_count} bodies (`{layout}`), beta = {beta}"
            large = size == big
            # Undamped, the large ones take minutes.
            seconds = 0.5 if large and quick else (1.5 if large and layout == "gauss2" else 3.0)
            found = collapsing_tree.fall(model, seconds)
            worst = f"{percent(found.gained, 3)}, {STATUS[found.status]}"
            shown.add(f"{name}: energy above its start, {seconds:g} s, 24 fps", "< 1 %", worst, found.gained < 0.01)
            if quick and large:
                continue
            tip, farthest = collapsing_tree.off_reference(model)
            shown.add(
                f"{name}: off the reference in half a second, tip; farthest", "< 1 % of the height",
                f"{percent(tip)}; {percent(farthest)}", tip < 0.01,
            )  # fmt: skip
    whipped = 4 if quick else 20
    gains = [whipping_plants.run(case, whipping_plants.HOW[case % 4]).gain for case in range(whipped)]
    shown.add(
        f"{whipped} random trees that whip undamped in a vacuum: energy above that after the shaking, 5 s, 24 fps"
        " (1000: `python -m tests.surveys.whipping.whipping_plants 1000 --how mixed`)", "< 1 %", percent(max(gains)),
        max(gains) < 0.01,
    )  # fmt: skip
    for fps in (25, 30, 60):
        models = [collapsing_tree.weak_tree(small, beta) for beta in collapsing_tree.DAMPING_TIMES]
        gains = [collapsing_tree.fall(model, 3.0, fps=fps).gained for model in models]
        shown.add(
            f"155 bodies, beta = 0, 0.002, 0.02: energy above its start, {fps} fps", "< 1 %",
            ", ".join(percent(gain, 3) for gain in gains), max(gains) < 0.01,
        )  # fmt: skip
    gains = [collapsing_tree.disturbed_fall(seed) for seed in range(2 if quick else 6)]
    shown.add(
        f"155 bodies, beta = 0, {len(gains)} disturbed starts: energy above its start", "< 1 %",
        ", ".join(percent(gain, 3) for gain in gains), max(gains) < 0.01,
    )  # fmt: skip
    early, late = collapsing_tree.reference_energies()
    shown.add(
        "155 bodies, beta = 0.02, backward Euler, h = 1/4800: energy at the start, after 1.25 s, 3 s",
        "0.280, 0.20 to 0.21, 0.10 J (another implementation)", f"0.280, {early:.3f}, {late:.3f} J",
        0.20 < early < 0.21 and 0.095 < late < 0.105,
    )  # fmt: skip
    for size in (small,) if quick else (small, big):
        model = collapsing_tree.weak_tree(size, 0.02)
        found = collapsing_tree.fall(model, 30.0, sample=collapsing_tree.STILL_AIR)
        seconds = collapsing_tree.rest_time(found)
        shown.add(
            f"{model.body_count} bodies, beta = 0.02, still air: at rest after", "comes to rest", f"{seconds:.1f} s",
            bool(np.isfinite(seconds)),
        )  # fmt: skip
    return shown.markdown()


def air_table(quick: bool) -> str:
    shown = Shown(
        "Air, limits, buoyancy",
        "The falling and drifting body is a stick of balsa (0.4 m, 4 mm, 150 kg/m³) whose middle hangs on two arms"
        " of 20 m without weight, drag or springs at right angles: such a pair carries no force, so the stick is a"
        " free body. Distances are from z = -(v²/g) ln cosh(g t/v) and x = w t ± (m/k) ln(1 + |v - w| k t/m).",
    )
    for flow, direction in (("across", "level"), ("along", "upright")):
        speed, distance = sticks_in_air.off_fall(flow)
        shown.add(
            f"falling stick, {direction}, 2 s: speed at the end; distance from the closed form", "closed form",
            f"{100 * speed:+.4f} %; {1e6 * distance:.1f} µm", abs(speed) < 1e-4,
        )  # fmt: skip
    off = sticks_in_air.off_terminal_velocity()
    shown.add("terminal velocity of the level stick", "closed form", f"{100 * off:+.4f} %", abs(off) < 1e-4)
    drifts = [sticks_in_air.off_drift(wind, speed) for wind, speed in ((0.0, 3.0), (4.0, 0.0), (2.0, -3.0))]
    shown.add(
        "drifting stick, 3 m/s in still air, at rest in a wind of 4 m/s, -3 m/s in one of 2 m/s, 2 s: distance",
        "closed form", ", ".join(f"{1e6 * d:.1f} µm" for d in drifts), max(drifts) < 1e-4,
    )  # fmt: skip
    pendulum = sticks_in_air.off_pendulum()
    shown.add(
        "pendulum that air slows down, from the horizontal, 5 s, default settings",
        "closed form",
        f"at most {np.degrees(pendulum):.3f}° off",
    )
    model = plants_in_air.gust_plant()
    tips, statuses = plants_in_air.in_gusts(model)
    exact, _ = plants_in_air.in_gusts(model, settings=collapsing_tree.REFERENCE) if not quick else (tips, statuses)
    size = float(np.ptp(tips[0], axis=0).max())
    apart = float(np.linalg.norm(tips - exact, axis=2).max()) / size
    shown.add(
        f"{model.body_count}-body plant with leaves in gusts about 30 m/s, 24 fps, 4 s", "stable",
        ("finite" if np.isfinite(tips).all() else "not finite") + f", {STATUS[statuses.max()]}"
        + ("" if quick else f", {percent(apart)} of the size off h = 1/4800"),
        bool(np.isfinite(tips).all() and statuses.max() == OK),
    )  # fmt: skip
    for kind in ("bend", "twist"):
        beyond = limited_joints.beyond_under_three_weights(kind)
        shown.add(
            f"joint with a {kind} limit under three times its weight: beyond the limit", "< 2°",
            f"{np.degrees(beyond):.2f}°", beyond < limited_joints.MOST_BEYOND,
        )  # fmt: skip
    for make in (limited_joints.bending_rod, limited_joints.twisting_stem):
        change = limited_joints.energy_while_bouncing(make())
        shown.add(
            f"{make.__name__.replace('_', ' ')} bouncing in its limit, undamped, 10 s: energy gained; lost",
            "< 1 % gained", f"{percent(change.max())}; {percent(-change.min())}", change.max() < 0.01,
        )  # fmt: skip
    for layout in ("double_root", "mid", "gauss2"):
        sag = plants_in_air.sag_afloat(8, layout)
        shown.add(
            f"rod as dense as the water it is in, `{layout}`: sag over that in air", "0", f"{sag:.1e}", sag < 1e-6
        )
    return shown.markdown()
