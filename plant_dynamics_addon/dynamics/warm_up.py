# SPDX-License-Identifier: GPL-3.0-or-later
"""Getting the solver's kernels compiled, or loaded from the disk, before they are needed.

In a window they are compiled by a process of its own, so that Blender goes on answering, and as soon as there is a
plant, so that they are often ready when Play is pressed.
"""

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic

import bpy

from ... import solver

#: Imports the solver under the very name it has here, which the compiled kernels are kept by, and nothing else of the
#: extension.
_COMPILE = """
import importlib, sys, types
package, folder = sys.argv[1:]
names = package.split(".")
for end in range(1, len(names) + 1):
    stub = types.ModuleType(".".join(names[:end]))
    stub.__path__ = [folder] if end == len(names) else []
    sys.modules[stub.__name__] = stub
importlib.import_module(package + ".solver").warm_up()
"""


#: What the solver imports; a process of its own must be told where that lies.
_NEEDED = ("numpy", "numba", "llvmlite")


def command() -> list[str]:
    """Command line of a Python that compiles the kernels."""
    folder = str(Path(solver.__file__).parent.parent)
    return [sys.executable, "-P", "-c", _COMPILE, solver.__name__.rpartition(".")[0], folder]


def environment() -> dict[str, str]:
    """The process's environment variables."""
    folders = dict.fromkeys(str(Path(str(sys.modules[name].__file__)).parent.parent) for name in _NEEDED)
    return os.environ | {"PYTHONPATH": os.pathsep.join(folders)}


class Compilation:
    """A process that compiles the kernels into the folder they are kept in."""

    def __init__(self) -> None:
        self._begun = monotonic()
        self._process = subprocess.Popen(
            command(), env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip

    @property
    def seconds(self) -> float:
        """Time (s) since it began."""
        return monotonic() - self._begun

    def is_running(self) -> bool:
        """Whether it has not come to its end, good or bad."""
        return self._process.poll() is None

    def wait(self) -> None:
        """Return when it has ended."""
        self._process.wait()

    def stop(self) -> None:
        """End it; what it has compiled is kept."""
        self._process.terminate()
        self.wait()


_warm = False
_compilation: Compilation | None = None


def is_warm() -> bool:
    """Whether the kernels are loaded."""
    return _warm


def compile_ahead() -> None:
    """Begin to compile the kernels, where that has not been done. Without a window they are compiled when needed."""
    global _compilation
    if not (bpy.app.background or _warm or _compilation or solver.kernels_are_cached()):
        _compilation = Compilation()


def compile_now() -> bool:
    """Compile the kernels where that has not been done, though others may be loaded; whether there is anything to do.

    Without a window it returns when all is done.
    """
    global _compilation
    if solver.kernels_are_cached() or compiling_for() is not None:
        return False
    _compilation = Compilation()
    if bpy.app.background:
        _compilation.wait()
    return True


def compiling_for() -> float | None:
    """For how long (s) the kernels have been compiled while that goes on, else None."""
    return _compilation.seconds if _compilation is not None and _compilation.is_running() else None


def stop_compiling() -> None:
    """End a process that is still compiling, for the extension is being disabled."""
    global _compilation
    if _compilation is not None:
        _compilation.stop()
        _compilation = None


def warm_up() -> None:
    """Load the kernels, compiled here where no other process has. Takes nothing the second time."""
    global _warm
    if _warm:
        return
    if _compilation is not None:
        _compilation.wait()
    solver.warm_up()
    _warm = True
