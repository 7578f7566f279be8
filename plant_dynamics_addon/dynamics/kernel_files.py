# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled solver on the disk: how large it is, and away with it."""

import re
import shutil
from pathlib import Path

from ...solver import NUMBA_AVAILABLE, _jit
from ..errors import PlantError
from .warm_up import compiling_for

#: A folder of one version's kernels is called by a hash.
_HASH = re.compile(r"[0-9a-f]{20}")


def kernel_folders() -> list[Path]:
    """The folders of all versions that were compiled into the present place."""
    if not NUMBA_AVAILABLE or not (base := _jit.cache_folder().parent).is_dir():
        return []
    return [folder for folder in base.iterdir() if folder.is_dir() and _HASH.fullmatch(folder.name)]


def kernels_size() -> int:
    """Bytes of all of them."""
    return sum(file.stat().st_size for folder in kernel_folders() for file in folder.rglob("*") if file.is_file())


def clear_kernels() -> int:
    """Delete them; what is loaded goes on working. Gives the bytes that were freed. Raises PlantError."""
    if compiling_for() is not None:
        raise PlantError("The solver is being compiled: wait until it is ready")
    freed = kernels_size()
    for folder in kernel_folders():
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise PlantError(f"'{folder}' cannot be deleted: {error.strerror}") from None
    return freed
