# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of fixed length, and random plants with random settings."""

from collections import Counter

from benchmarks.shown import Shown, percent
from solver import discretize
from tests.oracles.models import beam
from tests.oracles.runs.fixed_steps import CANTILEVERS, DAMPING_TIMES, STEPS, TREES, let_go, standing
from tests.surveys.random_plants import run_case


def table(quick: bool) -> str:
    shown = Shown(
        "Stability",
        "Let go as drawn, layout `double_root`, no step halved, beta = 0, 0.002, 0.02 s. Gained: most by which the"
        " energy exceeds that at the start, over the work of the weight. Limited: frames in which something turned"
        " by more than 0.25 rad in a step and was slowed down; the heaviest of the standing trees fall over.",
    )
    groups = {
        "cantilevers": {n: lambda beta, n=n: beam(n, damping_time=beta) for n in CANTILEVERS},
        "standing trees": {n: lambda beta, n=n: standing(n, beta) for n in TREES},
    }
    for group, plants in groups.items():
        for step in STEPS:
            chosen = {n: make for n, make in plants.items() if not (quick and n > 200)}
            runs = [
                let_go(discretize(make(beta), "double_root"), step, 1.0 if quick else 2.0)
                for make in chosen.values() for beta in DAMPING_TIMES
            ]  # fmt: skip
            gain, limited, finite = max(r[0] for r in runs), max(r[1] for r in runs), all(r[2] for r in runs)
            shown.add(
                f"{group} of {', '.join(map(str, chosen))} bodies, fixed h = 1/{round(1 / step)}", "stable",
                f"{'finite' if finite else 'not finite'}, energy gained {percent(max(gain, 0.0))}, limited in at most"
                f" {percent(limited)} of the frames", finite and gain < 0.01,
            )  # fmt: skip
    cases = 100 if quick else 500
    outcomes = [run_case(case) for case in range(cases)]
    problems = [case for case, outcome in enumerate(outcomes) if outcome.problem]
    notes = Counter(note for outcome in outcomes for note in outcome.notes)
    told = ", ".join(f"{note} {count}" for note, count in notes.most_common(4))
    shown.add(
        f"{cases} random plants with random settings (10 000: `python -m tests.surveys.random_plants 10000`)",
        "all finite, only documented errors", f"{len(problems)} with problems; {told}", not problems,
    )  # fmt: skip
    return shown.markdown()
