# SPDX-License-Identifier: GPL-3.0-or-later
"""Largest stable steps, the cantilever's deflection, and the order of convergence."""

import numpy as np

from benchmarks.machine import markdown
from solver import OK, Sample, Settings, Simulation, discretize
from tests.oracles.models import beam, binary_tree

#: Garcia 2023: largest stable step (s) of section 9.4.2 and deflections (m) of section 8.3.
GARCIA_STEPS = {10: 2e-4, 25: 3e-5, 100: 1e-6, 250: 3e-7, 500: 7e-8}
GARCIA_SAG = {10: 0.0067664, 25: 0.0060488, 100: 0.0057051, 250: 0.0056376, 500: 0.0056155}
#: w l^4 / (8 E I) of his cantilever.
SAG = 923.0 * 9.81 / (2.0 * 8100e6 * 0.01**2)
#: Its deflection with joints instead, over that.
RATIO = {
    "base": lambda n: (1 + 1 / n) ** 2, "double_root": lambda n: 1 + 1 / n**2, "mid": lambda n: 1 - 1 / (2 * n**2),
    "gauss2": lambda n: 1.0,
}  # fmt: skip

CANDIDATES = (1 / 240, 1 / 24, 1.0, 10.0)


def largest_step_table(quick: bool) -> str:
    rows = []
    for n, garcia in GARCIA_STEPS.items():
        stable = max((h for h in CANDIDATES if is_stable(n, h, 300 if quick else 2000)), default=np.nan)
        rows.append([str(n), f"{garcia:.0e}", f"{stable:.3g}", f"{stable / garcia:.0e}"])
    return markdown(
        "Largest stable step of the undamped cantilever",
        ["bodies", "Garcia 2023 (s)", "here (s)", "times longer"],
        rows,
        "Layout `base`, let go from the horizontal, one step a frame, no halving. Stable: no step had to be limited and"
        " the beam never left the range between 0 and twice its static deflection by more than a tenth. Tried: "
        + ", ".join(f"{h:.3g}" for h in CANDIDATES)
        + " s; at 1/24 s the motion is still the beam's, far above it only its resting place is.",
    )


def is_stable(n: int, h: float, steps: int) -> bool:
    plant = Simulation(discretize(beam(n), "base"), Settings(max_step=h, halvings=0, tolerance=np.inf))
    plant.start(Sample())
    expected = SAG * RATIO["base"](n)
    for _ in range(steps):
        status = plant.advance(Sample(), h).status
        sag = -plant.rod_tails()[-1, 2]
        if status != OK or not -0.1 * expected < sag < 2.1 * expected:
            return False
    return True


def cantilever_table(quick: bool) -> str:
    rows = []
    for n, garcia in GARCIA_SAG.items():
        cells = [str(n), f"{garcia:.7f}"]
        for layout in RATIO:
            plant = Simulation(discretize(beam(n), layout))
            plant.start(Sample(), "settled")
            sag = -plant.rod_tails()[-1, 2]
            cells += [f"{sag:.7f}", f"{100 * (sag / (SAG * RATIO[layout](n)) - 1):+.4f} %"]
        rows.append(cells)
    header = ["bodies", "Garcia 2023 (m)"]
    for layout in RATIO:
        header += [f"{layout} (m)", "off its formula"]
    return markdown(
        "Deflection of Garcia's cantilever", header, rows,
        f"Formulas: {SAG:.7f} m times (1 + 1/n)^2, 1 + 1/n^2, 1 - 1/(2 n^2), 1.",
    )  # fmt: skip


def convergence_table(quick: bool) -> str:
    """A 45-body tree whose base is pushed: tip error against a run with very short steps."""
    steps = [1 / 60, 1 / 120, 1 / 240, 1 / 480, 1 / 960]
    reference = tip_path("bdf2", 1 / (7680 if quick else 15360))
    rows = []
    errors = {
        scheme: [np.sqrt(((tip_path(scheme, h) - reference) ** 2).sum(axis=1).mean()) for h in steps]
        for scheme in ("bdf2", "backward_euler")
    }
    travel = np.linalg.norm(np.diff(reference, axis=0), axis=1).sum()
    for k, h in enumerate(steps):
        cells = [f"1/{round(1 / h)}"]
        for scheme in errors:
            order = f"{np.log2(errors[scheme][k - 1] / errors[scheme][k]):.2f}" if k else ""
            cells += [f"{100 * errors[scheme][k] / travel:.4f} %", order]
        rows.append(cells)
    return markdown(
        "Convergence", ["step (s)", "BDF2", "order", "backward Euler", "order"], rows,
        f"Root mean square error of the tip of a 45-body tree pushed for 0.5 s, over 2 s, in per cent of its path of"
        f" {travel:.2f} m.",
    )  # fmt: skip


def tip_path(scheme: str, h: float) -> np.ndarray:
    plant = Simulation(
        discretize(binary_tree(3, 4, radius=0.008, damping_time=0.01), "double_root"),
        Settings(max_step=h, scheme=scheme, halvings=0, tolerance=np.inf),
    )
    plant.start(Sample(), "settled")
    path = []
    for frame in range(1, 121):
        push = 0.2 * np.sin(0.5 * np.pi * min(frame / 30, 1.0)) ** 2
        plant.advance(Sample(base_position=(push, 0.0, 0.0)), 1 / 60)
        path.append(plant.rod_tails()[-1])
    return np.array(path)
