# SPDX-License-Identifier: GPL-3.0-or-later
"""Beams: large bending at rest, natural frequencies and damping from motion."""

import numpy as np

from benchmarks.shown import Shown, percent
from solver import DEFAULT_LAYOUT, discretize, natural_modes, with_damping
from tests.oracles import elastica
from tests.oracles.models import beam
from tests.oracles.runs.settled_beam import tip_error
from tests.oracles.runs.swinging_beam import EXPECTED, MOST_OFF, WEIGHTLESS, beam_at_one_hertz, decay, measured


def table(quick: bool) -> str:
    shown = Shown(
        "Beams",
        f"Layout `{DEFAULT_LAYOUT}`, two joints an internode."
        " Elastica: distance of the settled tip from the exact one, of the length; alpha = F L²/EI at the tip,"
        " beta = w L³/EI of its weight. Frequencies and decay: of the tip, let go in a mode's shape bent by 0.001 rad.",
    )
    for internodes, most in ((8, 1e-3), (32, 1e-4)):
        for name, cases in (("tip load alpha", elastica.CASES[:4]), ("self weight beta", elastica.CASES[4:])):
            errors = [tip_error(case, internodes, DEFAULT_LAYOUT) for case in cases]
            loads = ", ".join(f"{max(case):g}" for case in cases)
            shown.add(
                f"elastica, {name} = {loads}, {internodes} internodes", f"< {100 * most:g} %",
                ", ".join(percent(error) for error in errors), max(errors) < most,
            )  # fmt: skip
    model = beam_at_one_hertz()
    for mode, step in ((0, 1 / 240), (0, 1 / 4800), (1, 1 / 4800), (2, 1 / 4800)):
        off = measured(model, mode, step) / EXPECTED[mode] - 1.0
        shown.add(
            f"frequency of mode {mode + 1}, {EXPECTED[mode]:.3f} Hz, 8 internodes, measured at h = 1/{round(1 / step)}",
            f"< {100 * MOST_OFF[mode]:g} %", f"{100 * off:+.4f} %", abs(off) < MOST_OFF[mode],
        )  # fmt: skip
    ratio = damping_ratio()
    shown.add(
        "decay of a mode at 3 Hz with ratio 2 %, h = 1/240", "1.9 to 2.1 %", f"{100 * ratio:.3f} %",
        abs(ratio / 0.02 - 1.0) < 0.05,
    )  # fmt: skip
    return shown.markdown()


def damping_ratio() -> float:
    """Of a beam whose first mode is put at 3 Hz and 2 %, by the logarithmic decrement over ten swings."""
    young = 1e9 * (3.0 / natural_modes(discretize(beam(8, young=1e9)), WEIGHTLESS).frequency[0]) ** 2
    model = discretize(beam(8, young=young))
    damped = with_damping(model, ratio=0.02, sample=WEIGHTLESS)
    peaks = decay(damped.model, natural_modes(model, WEIGHTLESS).shape[0], 3.0, 4.0)
    decrement = np.log(peaks[0] / peaks[20]) / 20
    return float(decrement / np.hypot(np.pi, decrement))
