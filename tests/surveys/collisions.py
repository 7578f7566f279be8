# SPDX-License-Identifier: GPL-3.0-or-later
"""Random collisions in space against an integration of the law by formulas of eighth order.

    python -m tests.surveys.collisions 10000        this many, from the first

Impulses are those of the integration to 1e-9 of their size, or of 1 N s; what is apart afterwards does not approach,
and energy does not rise. What jams by the law has no such impulse and is counted.
"""

import argparse

import numpy as np

from tests.oracles.touching.impulses import collide, in_space, random_ones

SEED, EXACT = 20261124, 1e-9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collisions", type=int, nargs="?", default=1000)
    K, v, friction, bounce = random_ones(parser.parse_args().collisions, SEED)
    p, how = collide(K, v, friction, bounce)
    worst, wrong = 0.0, 0
    for k in range(len(K)):
        after, energy = v[k] + K[k] @ p[k], v[k] @ p[k] + 0.5 * p[k] @ K[k] @ p[k]
        expected = in_space(K[k], v[k], friction[k], bounce[k]) if how[k] == 0 else p[k]
        off = np.inf if expected is None else np.abs(p[k] - expected).max() / max(1.0, np.abs(expected).max())
        worst = max(worst, off)
        if off > EXACT or after[2] < -EXACT or energy > EXACT:
            wrong += 1
            print(f"collision {k}: off by {off:.2g}, leaves with {after[2]:.3g} m/s, energy {energy:.2g} J", flush=True)
    print(f"{len(K)} collisions, {wrong} wrong, {int((how > 0).sum())} jam, at most {worst:.2g} off")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
