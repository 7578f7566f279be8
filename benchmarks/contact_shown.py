# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact: how deep things lie, what bounces keep, and falls beside MuJoCo's."""

from benchmarks.machine import markdown
from benchmarks.shown import Shown, percent
from tests.oracles.touching import bouncing, falling, resting


def table(quick: bool) -> str:
    shown = Shown(
        "Contact: resting and bouncing",
        "Resting: random chains of one to five links on loose joints, 3 s after they fell across a thing; how deep any"
        " of their points is inside then, of its radius. Mesh: that of a box. Bouncing: energy at frames against that"
        " at the start, of what falling gives; restitution 1, no damping, no friction. The links of a loose chain whip"
        " about each other; steps of such things have a thirtieth of the usual tolerance. Bounces alone, counted in"
        " plain Python, change it by rounding.",
    )
    count = 8 if quick else 40
    for kind in resting.KINDS:
        found = [resting.at_rest(kind, seed) for seed in range(count)]
        deep = sum(one > 0.01 for one in found)
        shown.add(
            f"{count} chains that lie on: {kind}", "< 1 % of the radius",
            f"{percent(max(found))}, {deep} of them deeper than asked", deep == 0,
        )  # fmt: skip
    seconds = 2.0 if quick else 10.0
    for name in bouncing.SCENES:
        gained, lost = bouncing.gained_and_lost(name, 0.0, seconds)
        shown.add(
            f"{name}, {seconds:.0f} s", "gained < 0.1 %, lost < 2 %",
            f"{percent(gained)}, {percent(lost)}",
            gained < 1e-3 and lost < 0.02,
        )  # fmt: skip
    changed, bounces = bouncing.changed_by_bounces(bouncing.WHIPS, 0.0, seconds)
    shown.add(
        f"{bouncing.WHIPS}, {seconds:.0f} s, its {bounces} bounces alone", "changed < 1e-9 of it", f"{changed:.0e}",
        changed < 1e-9,
    )  # fmt: skip
    return shown.markdown()


def falls_table(quick: bool) -> str:
    rows = []
    for name in list(falling.SCENES)[:3] if quick else falling.SCENES:
        for friction in (0.0, 0.1, 0.5):
            away = falling.distances(name, friction)
            far, by_law = float(away.off.max()), float(falling.distances_by_law(name, friction).max())
            rows.append(
                [name, f"{friction}", *(percent(one) + _short(one) for one in (far, by_law)),
                 *(percent(one) for one in away[1:]),
                 ", ".join(percent(float(one)) for one in away.off[8::7])]
            )  # fmt: skip
    return markdown(
        "Falls beside MuJoCo's at fine steps",
        ["what falls", "friction", "here (< 1 %)", "as usual beside the law (< 1 %)", "as usual",
         "here beside MuJoCo as it is", "MuJoCo as it is", "MuJoCo with softer contacts",
         "here after 0.15, 0.27, 0.38, 0.5 s"],
        rows,
        "The farthest rod's end from where MuJoCo has it, of the longest way that one goes, at most in 0.6 s. MuJoCo's"
        " friction is convex: what slides is also lifted, by friction times what it slides, so that what lands aslant"
        " bounces. Here that is taken off in every step (De Saxce and Feng 1998), which leaves Coulomb's law; MuJoCo as"
        " it is: how far its own lift takes it from there. Steps of 1/122880 s here and 1/100000 s there, where"
        " contacts are nearly rigid; softer: ten times as slow, which tells how much a fall depends on what happens in"
        " an impact. Here contacts land within 0.02 ms, as usual within 2 ms. The law: MuJoCo's bodies, at contacts"
        " that it finds, pushed in explicit steps of 1/100000 s by the law of contact written out as forces, without"
        " either solver: what is beyond that is the law's.",
    )


def _short(off: float) -> str:
    return "" if off < 0.01 else " — **short**"
