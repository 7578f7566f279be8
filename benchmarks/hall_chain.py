# SPDX-License-Identifier: GPL-3.0-or-later
"""Hall's chain algorithm: the cost of both its forms, and its error against the number of elements.

python -m benchmarks.hall_chain
"""

import time

import numpy as np

from benchmarks.machine import describe, markdown
from solver.hall.chain import ELEMENTS, Element, Form, hall_chain
from tests.oracles.kirchhoff import HORIZONTAL, kirchhoff
from tests.oracles.models import beam

#: Seconds of Hall 2013, table 5.1: 1R plain and optimised, 3R plain and optimised.
HALL = {
    10: (2.889, 1.147, 4.153, 2.132), 20: (7.121, 1.842, 9.866, 3.495), 50: (25.778, 3.298, 33.240, 6.243),
    100: (73.499, 5.378, 95.534, 10.101), 200: (255.877, 9.583, 330.970, 18.670),
}  # fmt: skip
#: Pa: E I = 1 N m2 for beam() of 1 m.
YOUNG = 4.0 / (np.pi * 0.01**4)
WEIGHTLESS = (0.0, 0.0, 0.0)


def cost_table(quick: bool) -> str:
    rows = []
    for n in (10, 20, 50, 100, 200, 500, 1000):
        cells = [str(n)]
        for k, element in enumerate(("1R", "3R")):
            direct, fast = iteration_times(n, element, 3 if quick else 9)
            his = HALL.get(n)
            cells += [f"{direct * 1e6:.1f}", f"{fast * 1e6:.1f}", f"{direct / fast:.1f}"]
            cells += [f"{his[2 * k] / his[2 * k + 1]:.1f}" if his else ""]
        rows.append(cells)
    header = ["elements"]
    for element in ("1R", "3R"):
        header += [f"{element} O(n²) (µs)", f"{element} O(n) (µs)", "ratio", "Hall's ratio"]
    return markdown(
        "One iteration of Hall's chain algorithm", header, rows,
        "A cantilever bent by a force at its tip; processor time, least of several runs of both forms in turn. Hall's"
        " ratio: table 5.1, whole runs in C++ on one core.",
    )  # fmt: skip


def iteration_times(n: int, element: Element, repetitions: int) -> tuple[float, float]:
    """Processor seconds per iteration of the O(n^2) and the O(n) form, without what comes before the first."""
    rods = beam(n, young=YOUNG)
    force = np.zeros((n, 3))
    force[-1] = (0.0, 0.3, -1.0)

    def run(form: Form, iterations: int) -> float:
        begin = time.process_time()
        hall_chain(rods, WEIGHTLESS, force, element=element, form=form, iterations=iterations, tolerance=1e-300)
        return time.process_time() - begin

    many = {"direct": 2 + 1_000_000 // n**2, "fast": 2 + 100_000 // n}  # some 10 to 50 ms
    best = {(form, k): np.inf for form, most in many.items() for k in (1, 1 + most)}
    for _ in range(repetitions):
        for form, k in best:
            best[form, k] = min(best[form, k], run(form, k))
    direct, fast = ((best[form, 1 + most] - best[form, 1]) / most for form, most in many.items())
    return direct, fast


def error_table(quick: bool) -> str:
    cases = [{"force": f} for f in (1.0, 2.0, 5.0, 10.0)] + [{"weight": w} for w in (1.0, 5.0, 10.0, 20.0)]
    counts = (1, 2, 4, 8, 16, 32)
    rows = []
    for case in cases[::3] if quick else cases:
        force, weight = case.get("force", 0.0), case.get("weight", 0.0)
        exact = kirchhoff([HORIZONTAL], (0.0, 0.0, -force), line_weight=(0.0, 0.0, -weight))[0]
        for element in ELEMENTS:
            cells = [f"{name} {value:g}" for name, value in case.items()] + [element]
            for n in counts:
                at_tip = np.zeros((n, 3))
                at_tip[-1, 2] = -force
                gravity = (0.0, 0.0, -weight / (923.0 * np.pi * 0.01**2))
                full, cautious = (
                    hall_chain(beam(n, young=YOUNG), gravity, at_tip, element=element, step=step)
                    for step in ("full", "cautious")
                )
                error = 100.0 * np.linalg.norm(cautious.tail[-1] - exact)
                cells.append(f"{error:.3g} % ({full.iterations if full.converged else '—'}, {cautious.iterations})")
            rows.append(cells)
    return markdown(
        "Hall's elements against the elastica", ["load", "element", *(f"{n} elements" for n in counts)], rows,
        "Tip error in per cent of the length (iterations with full turns, — not converged in 1000; with cautious ones)."
        " Loads over E I / L²: a force at the tip, or the beam's weight.",
    )  # fmt: skip


def main() -> None:
    print(describe(), cost_table(False), error_table(False), sep="\n")


if __name__ == "__main__":
    main()
