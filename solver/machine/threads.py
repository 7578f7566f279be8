# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants on several cores."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from ..base.arrays import Ints


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads that wait for work; making them anew for every frame takes long."""
    return ThreadPoolExecutor(threads, thread_name_prefix="plants")


def in_shares(work: Callable[[int, int], None], first_block: Ints, threads: int) -> None:
    """Do the work of all plants, each first to last - 1 of a share, of which the blocks are from first_block
    (plants + 1,), on so many threads."""
    if threads == 1:
        work(0, len(first_block) - 1)
        return
    # A few shares of equal size per core, so that none waits long for the slowest.
    shares = np.searchsorted(first_block, np.linspace(0, first_block[-1], 8 * threads + 1)).tolist()
    list(_pool(threads).map(work, shares[:-1], shares[1:]))
