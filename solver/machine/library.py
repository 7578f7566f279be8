# SPDX-License-Identifier: GPL-3.0-or-later
"""Which machine code runs the kernels, found and loaded when the first one is called.

1. The library that ships: the package plant_dynamics_kernels, or build/kernels in a checkout, with code for several
   levels of processors. It must have been made from these very sources, which its digest tells, and be whole, which
   its hash tells: a damaged one would end the process.
2. Where there is none, an installed numba compiles the kernels here, once, for this processor.
3. Else they run as Python.

All three give the same bits. The environment variable PLANT_DYNAMICS_KERNELS chooses: v2, v3, v4 or v8, a level of the
library; numba; python; or nothing, for the best there is.
"""

import ctypes
import hashlib
import importlib.util
import os
import platform
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import SolverError
from .call import layout_is_known
from .in_place import compile_in_place, has_numba, is_settled, load
from .jit import KERNELS, VARIABLE, Kernel
from .sources import digest

PACKAGE = "plant_dynamics_kernels"

#: Levels of processors by machine, the best last: x86-64's of the psABI, v8 for 64-bit ARM. Each needs a number of
#: what the library's own function tells of the processor.
LEVELS = {"x64": {"v2": 2, "v3": 3, "v4": 4}, "arm64": {"v8": 0}}

_SYSTEMS = {"linux": ("linux", ".so"), "win32": ("windows", ".dll"), "darwin": ("macos", ".dylib")}
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_PACKAGE = Path(__file__).resolve().parent.parent  # the solver


class Running(NamedTuple):
    """How the kernels run: level of the library, "numba" or "python"; and why not better, or nothing."""

    how: str
    problem: str = ""


_running: Running | None = None
_lock = threading.Lock()
_keep: list[Any] = []  # what the compiled functions live in


def running() -> Running:
    """How the kernels run; prepares them where that has not been done."""
    prepare()
    assert _running is not None
    return _running


def prepare() -> None:
    """Load the kernels' machine code; where only numba has it to give, compile it. Takes nothing the second time.

    Raises SolverError where the environment variable asks for what there is not.
    """
    global _running
    with _lock:
        if _running is None:
            _running = prepared(os.environ.get(VARIABLE, ""))


def is_ready() -> bool:
    """Whether prepare takes a moment only, for nothing has to be compiled."""
    return _running is not None or not _compiles(os.environ.get(VARIABLE, "")) or is_settled()


@cache
def _compiles(wanted: str) -> bool:
    """Whether it is numba that gives machine code."""
    if wanted in ("", "numba") and has_numba():
        return wanted == "numba" or not isinstance(open_library(), ctypes.CDLL)
    return False


def prepared(wanted: str) -> Running:
    """Load what is wanted, a value of the environment variable. Raises SolverError where that cannot be."""
    if wanted == "python":
        return Running("python")
    if not layout_is_known():
        return Running("python", "the arrays of this Python and NumPy lie in memory in a way that is not known")
    problem = ""
    if wanted != "numba":
        library = open_library()
        if isinstance(library, ctypes.CDLL) and (can := levels_of_this_processor(library)):
            return Running(use_library(library, wanted, can))
        problem = library if isinstance(library, str) else "this processor is older than those the library is made for"
        if wanted:
            raise SolverError(f"{VARIABLE} asks for {wanted}: {problem}")
    if has_numba():
        try:
            engine = load(compile_in_place())
            _use(lambda name: engine.get_function_address(f"plant_dynamics_{name}"))
            _keep.append(engine)
            return Running("numba", problem)
        except SolverError as error:
            if wanted:
                raise
            problem = f"{problem}; {error.message}"
    elif wanted:
        raise SolverError(f"{VARIABLE} asks for {wanted}, which is not installed")
    return Running("python", problem)


def platform_name() -> str:
    """System and machine as Blender names them, as linux-x64."""
    system, _ = _SYSTEMS.get(sys.platform, (sys.platform, ""))
    return f"{system}-{_machine()}"


def _machine() -> str:
    return _MACHINES.get(platform.machine().lower(), platform.machine().lower())


def library_name(platform_name: str) -> str:
    """File of the library for a platform."""
    suffixes = dict(_SYSTEMS.values())
    return f"{platform_name}{suffixes.get(platform_name.split('-')[0], '.so')}"


def hash_file(library: Path) -> Path:
    """The file beside a library with its SHA-256."""
    return library.with_name(f"{library.name}.sha256")


def hash_of(library: Path) -> str:
    """SHA-256 of a library as it is."""
    return hashlib.sha256(library.read_bytes()).hexdigest()


def is_whole(library: Path) -> bool:
    """Whether a library is as it was made. Raises OSError where there is none or nothing that tells."""
    return hash_file(library).read_bytes().strip() == hash_of(library).encode()


def open_library() -> ctypes.CDLL | str:
    """The library, or why there is none."""
    name, problem = library_name(platform_name()), ""
    for folder in folders():
        file = folder / name
        if not file.exists():
            continue
        try:
            if (folder / "digest.txt").read_bytes().strip() != digest().encode():
                problem = f"'{file}' was made from other sources"
                continue
            if not is_whole(file):
                problem = f"'{name}' cannot be loaded: it is damaged"
                continue
            library = ctypes.CDLL(str(file))
            for symbol in _symbols():
                getattr(library, symbol)
            return library
        except (OSError, AttributeError) as error:
            problem = f"'{name}' cannot be loaded: {error}"
    return problem or f"there are no compiled kernels for {platform_name()}"


def _symbols() -> list[str]:
    """What a library for this machine has: every kernel at every level, and what tells the level."""
    levels = LEVELS.get(_machine(), {})
    return ["plant_dynamics_level", *(f"plant_dynamics_{name}_{level}" for name in _own() for level in levels)]


def _own() -> dict[str, Kernel]:
    """The solver's kernels by name; tests have some of their own."""
    return {
        name: kernel
        for name, kernel in KERNELS.items()
        if kernel.__module__.startswith(__package__.removesuffix("machine"))
    }


def folders() -> list[Path]:
    """Where the library may be, the best first."""
    found = importlib.util.find_spec(PACKAGE)
    installed = [Path(place) for place in found.submodule_search_locations or ()] if found else []
    return [*installed, _PACKAGE.parent / "build" / "kernels"]


def levels_of_this_processor(library: ctypes.CDLL) -> list[str]:
    """Those of the library's levels that can run here, the best last."""
    can = library.plant_dynamics_level()
    return [level for level, needed in LEVELS[_machine()].items() if needed <= can]


def use_library(library: ctypes.CDLL, wanted: str, possible: list[str]) -> str:
    """Have the kernels run at the wanted level, or the best possible; which it is. Raises SolverError for others."""
    levels = LEVELS[_machine()]
    if wanted and wanted not in levels:
        raise SolverError(f"{VARIABLE} is {wanted}, expected one of {', '.join(levels)}, numba, python")
    if wanted and wanted not in possible:
        raise SolverError(f"{VARIABLE} asks for {wanted}, but this processor can only {', '.join(possible)}")
    level = wanted or possible[-1]
    _use(lambda name: ctypes.cast(getattr(library, f"plant_dynamics_{name}_{level}"), ctypes.c_void_p).value)
    _keep.append(library)
    return level


def _use(address_of: Callable[[str], int | None]) -> None:
    addresses = {name: address_of(name) for name in _own()}
    if missing := [name for name, address in addresses.items() if not address]:
        raise SolverError(f"the machine code lacks {', '.join(missing)}")
    for name, kernel in _own().items():
        kernel.use(addresses[name])
