# SPDX-License-Identifier: GPL-3.0-or-later
"""Getting the solver's kernels loaded before they are needed.

The extension brings them as machine code, which takes a moment. Where that cannot be loaded and numba is installed, a
process of its own compiles them, so that Blender goes on answering, and as soon as there is a plant, so that they are
often ready when Play is pressed.
"""

import subprocess
from tempfile import TemporaryFile
from time import monotonic

import bpy

from .... import solver
from ....solver.machine import in_place

#: So long (s) a process has to clean up after itself.
_MANNERLY = 0.2


class Compilation:
    """A process in which numba compiles the kernels into the folder they are kept in."""

    def __init__(self) -> None:
        self._begun = monotonic()
        command, environment = in_place.process_that_compiles()
        self._errors = TemporaryFile()  # noqa: SIM115 - for as long as the process runs
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._errors,
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

    def problem(self) -> str:
        """Why it has ended badly; nothing where it has not."""
        if not (status := self._process.poll()):
            return ""
        self._errors.seek(0)
        return in_place.last_line(self._errors.read().decode(errors="replace"), status)

    def stop(self) -> None:
        """End it. What it writes is of no use until it is whole, so one that does not listen is killed."""
        self._process.terminate()
        try:
            self._process.wait(_MANNERLY)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self.wait()


_compilation: Compilation | None = None


def kernels() -> solver.Running | None:
    """How the kernels run; loads them. None where numba has to compile them first."""
    _note_failure()
    return solver.running() if solver.kernels_are_ready() else None


def _note_failure() -> None:
    """Where compiling has failed, have the solver run as it can without, and say why."""
    if _compilation is not None and (problem := _compilation.problem()):
        in_place.give_up(problem)


def is_warm() -> bool:
    """Whether the kernels are loaded, which they are now unless they must be compiled."""
    return kernels() is not None


def compile_ahead() -> None:
    """Begin to compile the kernels, where that must be. Without a window they are compiled when needed."""
    global _compilation
    if not (bpy.app.background or is_warm() or _compilation):
        _compilation = Compilation()


def compile_now() -> bool:
    """Compile the kernels where that must be; whether it must. Without a window it returns when all is done."""
    global _compilation
    if is_warm() or compiling_for() is not None:
        return False
    _compilation = Compilation()
    if bpy.app.background:
        _compilation.wait()
    return True


def compiling_for() -> float | None:
    """For how long (s) the kernels have been compiled while that goes on, else None."""
    return _compilation.seconds if _compilation is not None and _compilation.is_running() else None


def stop_compiling() -> None:
    """End a process that is still compiling, for nobody waits for it any more."""
    global _compilation
    if _compilation is not None:
        _compilation.stop()
        _compilation = None


def warm_up() -> None:
    """Load the kernels, compiled here where they must be and no other process has. Takes nothing the second time."""
    if _compilation is not None:
        _compilation.wait()
        _note_failure()
    solver.running()
