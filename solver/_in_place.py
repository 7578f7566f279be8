# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiling the kernels here, for this processor, where no library was found but numba is installed."""

import hashlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

from ._sources import digest
from .errors import SolverError

#: Environment variable of the folder for what numba has compiled.
CACHE_VARIABLE = "PLANT_DYNAMICS_CACHE_DIR"

_HERE = Path(__file__).resolve().parent

#: Nothing of this processor may get into what is for all. numba reads these when it is first imported.
_ENVIRONMENT = {
    "PLANT_DYNAMICS_KERNELS": "compile",
    "NUMBA_OPT": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_DISABLE_JIT": "0",
}


def translation(out: Path) -> tuple[list[str], dict[str, str]]:
    """Command line of a process that writes the intermediate representation, and its environment variables."""
    program = f"from {_HERE.name} import _translate; _translate.main({str(out)!r})"
    return [sys.executable, "-P", "-c", program], os.environ | _ENVIRONMENT | {"PYTHONPATH": _search_path()}


def has_numba() -> bool:
    """Whether numba could compile the kernels here."""
    return all(importlib.util.find_spec(name) for name in ("numba", "llvmlite"))


def object_folder() -> Path:
    """Folder of what numba has compiled: the user's own, for it is run."""
    if asked := os.environ.get(CACHE_VARIABLE):
        return Path(asked)
    base = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "plant_dynamics"


def object_file() -> Path:
    """What numba has compiled, or will, from these sources for this processor."""
    import llvmlite
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    what = f"{digest()} {llvmlite.__version__} {llvm.get_host_cpu_name()} {features} {sys.platform}"
    return object_folder() / f"kernels-{hashlib.sha256(what.encode()).hexdigest()[:24]}.o"


def compile_in_place() -> Path:
    """Compile the kernels for this processor where that has not been done, in a process of its own.

    Raises SolverError where that fails.
    """
    from ._assemble import assemble, host  # which need llvmlite

    file = object_file()
    _make_own(file.parent)
    if file.exists():
        return file
    intermediate = file.with_suffix(f".{os.getpid()}.ll")
    command, environment = translation(intermediate)
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SolverError(f"numba could not compile the kernels: {''.join(done.stderr.strip().splitlines()[-1:])}")
        made = file.with_suffix(f".{os.getpid()}.tmp")
        made.write_bytes(assemble(intermediate.read_text(encoding="utf-8"), host()))
        made.replace(file)  # at once, for others may be waiting for it
    finally:
        intermediate.unlink(missing_ok=True)
    return file


def _make_own(folder: Path) -> None:
    """Make the folder of what will be run. Raises SolverError where that cannot be, or where others may write to it."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
    except OSError as error:
        raise SolverError(f"there is no place for compiled kernels: {error}") from None
    if hasattr(os, "getuid") and (state.st_uid != os.getuid() or state.st_mode & 0o022):
        raise SolverError(f"others may write to '{folder}', where compiled kernels would be kept")


def process_that_compiles() -> tuple[list[str], dict[str, str]]:
    """Command line and environment of a Python that compiles the kernels in place; SIGTERM ends it cleanly."""
    ends = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))"
    program = f"{ends}; from {_HERE.name} import _in_place; _in_place.compile_in_place()"
    return [sys.executable, "-P", "-c", program], os.environ | {"PYTHONPATH": _search_path()}


def _search_path() -> str:
    """Where another Python finds this package and what compiling needs, though Blender has added the folders here."""
    found = [importlib.util.find_spec(name) for name in ("numpy", "numba", "llvmlite")]
    folders = [str(Path(spec.origin).parent.parent) for spec in found if spec and spec.origin]
    return os.pathsep.join(dict.fromkeys([str(_HERE.parent), *folders]))
