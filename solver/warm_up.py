# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile the kernels of motion, starts and modes, or load them from the cache, before they are needed."""

from collections.abc import Callable

import numpy as np

from ._jit import NUMBA_AVAILABLE, cache_folder
from .discretize import discretize
from .loads import Sample
from .modes import natural_modes
from .rod_poses import turns_from_rest
from .rods import Rods
from .simulation import Simulation
from .wind import GustyWind

#: File in the folder of the compiled kernels that says that all are there.
_COMPLETE = "complete"


def kernels_are_cached() -> bool:
    """Whether an earlier warm_up has compiled its kernels, so that the next takes well under a second."""
    return not NUMBA_AVAILABLE or (cache_folder() / _COMPLETE).exists()


def warm_up(progress: Callable[[float], None] | None = None) -> None:
    """Run everything once on a plant of two rods; progress is told the share (0 to 1) that is done."""
    upright = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.1)]
    rods = Rods(
        parent=[-1, 0], head=upright, frame=(0.5**0.5, 0.5**0.5, 0.0, 0.0), length=0.1,
        radius_base=0.01, radius_tip=0.01, young=1e9, density=1000.0,
    )  # fmt: skip
    plant = Simulation(discretize(rods))
    parent, rest = np.array([-1, 0]), np.tile((1.0, 0.0, 0.0, 0.0), (2, 1))
    stages: tuple[Callable[[], object], ...] = (
        lambda: (plant.start(Sample()), turns_from_rest(parent, rest, plant.rod_orientations())),
        lambda: plant.advance(Sample(wind=GustyWind((1.0, 0.0, 0.0))), 1e-3),
        lambda: plant.start(Sample(), "settled"),
        lambda: plant.start(Sample(), "keep_shape"),
        lambda: natural_modes(plant.model),
    )
    for done, stage in enumerate(stages, start=1):
        stage()
        if progress is not None:
            progress(done / len(stages))
    if NUMBA_AVAILABLE:
        cache_folder().mkdir(parents=True, exist_ok=True)
        (cache_folder() / _COMPLETE).touch()
