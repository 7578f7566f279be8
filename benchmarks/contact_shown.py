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
        " about each other, of which steps lose some in flight too: how much is a matter of their tolerance.",
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
    for name, settings in [*((name, bouncing.DEFAULT) for name in bouncing.SCENES), (bouncing.WHIPS, bouncing.EXACT)]:
        gained, lost = bouncing.gained_and_lost(name, 0.0, seconds, settings)
        shown.add(
            f"{name}, {seconds:.0f} s, tolerance {settings.tolerance:.0e}", "gained < 0.1 %, lost < 2 %",
            f"{percent(gained)}, {percent(lost)}",
            gained < 1e-3 and lost < 0.02,
        )  # fmt: skip
    return shown.markdown()


def falls_table(quick: bool) -> str:
    rows = []
    for name in list(falling.SCENES)[:3] if quick else falling.SCENES:
        for friction in (0.0, 0.1, 0.5):
            off, own = falling.distances(name, friction, 2e-5)
            far, by_law = float(off.max()), float(falling.distances_by_law(name, friction).max())
            rows.append(
                [name, f"{friction}", percent(own), *(percent(one) + _short(one) for one in (far, by_law)),
                 ", ".join(percent(float(one)) for one in off[8::7])]
            )  # fmt: skip
    return markdown(
        "Falls beside MuJoCo's at fine steps",
        ["what falls", "friction", "MuJoCo with softer contacts", "here (< 1 %)", "here beside its law (< 1 %)",
         "beside MuJoCo after 0.15, 0.27, 0.38, 0.5 s"],
        rows,
        "The farthest rod's end from where MuJoCo has it, of the longest way that one goes, at most in 0.6 s. Steps of"
        " 1/3840 s here and 1/50000 s there, where contacts are nearly rigid; softer: ten times as slow, which tells"
        " how much a fall depends on what happens in an impact. Its law: MuJoCo's bodies, at contacts that it finds,"
        " pushed in explicit steps of 1/100000 s by the law of contact written out as forces, without either solver:"
        " what is beyond that is the law's, which lands softly within 2 ms and lets friction follow with 5 ms.",
    )


def _short(off: float) -> str:
    return "" if off < 0.01 else " — **short**"
