# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the solver and print the tables the documentation quotes.

    python benchmarks/run.py [--quick] [--write docs/benchmarks.md]

The first tables are what must be shown: a target beside what was measured; the later ones say more. Needs what the
tests need. Takes about ten minutes on an idle machine; with --quick, which leaves out the largest plants, one and a
half. --only NAME... makes only these groups.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import (
    accuracy,
    beams,
    blades,
    contact,
    contact_cost,
    contact_shown,
    first_frame,
    following,
    guides,
    hall_chain,
    machine,
    many_plants,
    mechanisms,
    motion,
    peers,
    speed,
    stability,
    statics_table,
)

GROUPS = {
    "beams": [beams.table],
    "motion": [motion.accuracy_table, motion.collapse_table],
    "statics": [statics_table.table],
    "stability": [stability.table],
    "air": [motion.air_table],
    "blades": [blades.table, blades.layouts_table, blades.cost_table],
    "peers": [peers.step_table, peers.aba_table, peers.accuracy_table],
    "contact": [
        contact_shown.table, contact_shown.falls_table, contact.peers_table, contact_cost.world_table,
        contact_cost.passes_table, contact_cost.memory_table,
    ],
    "following": [following.scenes_table, following.cost_table],
    "guides": [guides.cost_table, guides.rope_table],
    "mechanisms": [mechanisms.figures_table, mechanisms.counts_table, mechanisms.six_joints_table],
    "speed": [speed.per_body_table, many_plants.table],
    "more": [
        first_frame.table, speed.real_time_table, accuracy.largest_step_table, accuracy.cantilever_table,
        accuracy.convergence_table, hall_chain.cost_table, hall_chain.error_table,
    ],
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and no plant above 2000 bodies")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the tables to this Markdown file")
    parser.add_argument("--only", nargs="+", choices=GROUPS, metavar="NAME", help=f"groups: {', '.join(GROUPS)}")
    arguments = parser.parse_args()

    parts = ["# Benchmarks of the solver\n", machine.describe()]
    print(parts[-1], flush=True)
    begin = time.perf_counter()
    for name in arguments.only or GROUPS:
        for measure in GROUPS[name]:
            parts.append(measure(arguments.quick))
            print("\n" + parts[-1], flush=True)
    parts.append(f"All this took {time.perf_counter() - begin:.0f} s.\n")
    print("\n" + parts[-1])
    if arguments.write:
        arguments.write.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
