# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile all kernels, or load them from the cache, before they are needed."""

from collections.abc import Callable

from ._jit import NUMBA_AVAILABLE, cache_folder
from .discretize import discretize
from .loads import Sample
from .rods import Rods
from .simulation import Simulation

#: The kernels that Python calls, which is what numba keeps an index file of: place, settle, keep_shape, advance_frame.
_KERNEL_COUNT = 4


def kernels_are_cached() -> bool:
    """Whether an earlier run has compiled the kernels, so that warm_up takes well under a second."""
    return not NUMBA_AVAILABLE or len(list(cache_folder().glob("*/*.nbi"))) >= _KERNEL_COUNT


def warm_up(progress: Callable[[float], None] | None = None) -> None:
    """Run everything once on a plant of two rods; progress is told the share (0 to 1) that is done."""
    upright = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.1)]
    rods = Rods(
        parent=[-1, 0], head=upright, frame=(0.5**0.5, 0.5**0.5, 0.0, 0.0), length=0.1,
        radius_base=0.01, radius_tip=0.01, young=1e9, density=1000.0,
    )  # fmt: skip
    plant = Simulation(discretize(rods))
    stages: tuple[Callable[[], object], ...] = (
        lambda: plant.start(Sample()),
        lambda: plant.advance(Sample(), 1e-3),
        lambda: plant.start(Sample(), "settled"),
        lambda: plant.start(Sample(), "keep_shape"),
    )
    for done, stage in enumerate(stages, start=1):
        stage()
        if progress is not None:
            progress(done / len(stages))
