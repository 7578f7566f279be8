# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the solver and print the tables the documentation quotes.

    python benchmarks/run.py [--quick] [--write docs/benchmarks.md]

Needs NumPy and numba. Times are the best of several runs, in one process on one core. --quick takes under a minute.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import accuracy, first_frame, machine, speed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and no plant above 2000 bodies")
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the tables to this Markdown file")
    arguments = parser.parse_args()

    parts = ["# Benchmarks of the solver\n", machine.describe()]
    print(parts[-1], flush=True)
    for measure in (
        first_frame.table,
        speed.per_body_table,
        speed.real_time_table,
        accuracy.largest_step_table,
        accuracy.cantilever_table,
        accuracy.convergence_table,
    ):
        parts.append(measure(arguments.quick))
        print("\n" + parts[-1], flush=True)
    if arguments.write:
        arguments.write.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
