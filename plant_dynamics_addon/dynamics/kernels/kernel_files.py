# SPDX-License-Identifier: GPL-3.0-or-later
"""What numba has compiled, on the disk: how large it is, and away with it."""

import re
from pathlib import Path

from ....solver.machine import in_place
from ...errors import PlantError
from .warm_up import compiling_for

#: One version's kernels are called by a hash; what an interrupted process left has another ending.
_COMPILED = re.compile(r"kernels-[0-9a-f]{24}\..+")


def kernel_files() -> list[Path]:
    """The files of all versions that were compiled into the present place."""
    folder = in_place.object_folder()
    return [file for file in folder.iterdir() if _COMPILED.fullmatch(file.name)] if folder.is_dir() else []


def kernels_size() -> int:
    """Bytes of all of them."""
    return sum(file.stat().st_size for file in kernel_files())


def clear_kernels() -> int:
    """Delete them; what is loaded goes on working. Gives the bytes that were freed. Raises PlantError."""
    if compiling_for() is not None:
        raise PlantError("The solver is being compiled: wait until it is ready")
    freed = kernels_size()
    for file in kernel_files():
        try:
            file.unlink()
        except OSError as error:
            raise PlantError("'{file}' cannot be deleted: {reason}", file=file, reason=error.strerror) from None
    return freed
