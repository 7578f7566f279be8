# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension of a checkout, enabled in `bpy`, for scripts that make pictures."""

import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demo import EXTENSION, link_extension


@contextmanager
def enabled_extension() -> Iterator[Path]:
    """Have this one enabled; gives a folder for files that are needed meanwhile. The process ends afterwards."""
    with tempfile.TemporaryDirectory(prefix="plant_dynamics_pictures_") as folder:
        link_extension(Path(folder))
        importlib.import_module("bpy")
        importlib.import_module("addon_utils").enable(EXTENSION, default_set=True)
        yield Path(folder)
    sys.stdout.flush()
    os._exit(0)  # some releases of bpy hang when Python tears them down
