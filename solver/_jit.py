# SPDX-License-Identifier: GPL-3.0-or-later
"""The only place that configures numba.

Kernels are compiled on first use and cached on disk. numba's cache does not notice edits in other files and stores
module names, so the folder is keyed by a hash of this package's sources, its import name and numba's version.
Where numba cannot be imported the kernels run as plain Python: the same results to rounding, only slower.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

try:
    import numba

    NUMBA_AVAILABLE = True
    NUMBA_PROBLEM = ""
except ImportError as error:
    NUMBA_AVAILABLE = False
    NUMBA_PROBLEM = str(error)

CACHE_VARIABLE = "PLANT_DYNAMICS_CACHE_DIR"


def cache_folder() -> Path:
    """Folder of the compiled kernels of exactly these sources."""
    digest = hashlib.sha256(f"{__name__} {numba.__version__}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    base = os.environ.get(CACHE_VARIABLE) or os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(base) if base else Path(tempfile.gettempdir()) / "plant_dynamics_kernels"
    return folder / digest.hexdigest()[:20]


if NUMBA_AVAILABLE:
    _folder = str(cache_folder())
    _config: Any = numba.config  # numba's stubs know neither its configuration nor all of njit's options
    _njit: Any = numba.njit
    # No fast-math flag: every operation is rounded as IEEE 754 says and in the order written, so that all processors,
    # vector widths and compilers give the same bits. Measured at the width the host prefers it costs nothing: what
    # had to be reordered to be computed eight bodies at a time is written that way.
    _OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}

    def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile a function of arrays, numbers and tuples of them."""
        before = _config.CACHE_DIR
        _config.CACHE_DIR = _folder  # read when the decorator runs, so other users of numba are not affected
        try:
            compiled: Callable[..., Any] = _njit(cache=True, **_OPTIONS)(function)
        finally:
            _config.CACHE_DIR = before
        return compiled

    def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile a function that only kernels call: Python cannot, which saves a third of the compile time."""
        compiled: Callable[..., Any] = _njit(
            forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS
        )(function)
        return compiled
else:

    def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
        """Run as plain Python, where dividing by zero also gives infinity, without a warning."""
        return np.errstate(all="ignore")(function)

    def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
        """Run as plain Python."""
        return function
