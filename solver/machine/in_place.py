# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiling the kernels here, for this processor, where no library was found but numba is installed."""

import hashlib
import importlib.util
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from ..base.errors import SolverError
from .sources import digest

#: Environment variable of the folder for what numba has compiled.
CACHE_VARIABLE = "PLANT_DYNAMICS_CACHE_DIR"

_PACKAGE = Path(__file__).resolve().parent.parent  # the solver

_failure = ""  # why compiling failed, which is tried once

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


def translate(out: Path) -> None:
    """Write the intermediate representation of all kernels, by two processes. Raises SolverError where that fails."""
    from .assemble import joined  # which needs llvmlite

    parts = [out.with_suffix(f".{which}") for which in ("heaviest", "others")]
    running: list[subprocess.Popen[str]] = []
    try:
        for part, heaviest in zip(parts, (True, False), strict=True):
            command, environment = translation(part, heaviest)
            running.append(subprocess.Popen(command, env=environment, text=True, stdout=subprocess.DEVNULL,
                                            stderr=subprocess.PIPE))  # fmt: skip
        for one in running:
            errors = one.communicate()[1]
            if one.returncode != 0:
                raise SolverError(f"numba could not compile the kernels: {last_line(errors, one.returncode)}")
        out.write_text(joined([part.read_text(encoding="utf-8") for part in parts]), encoding="utf-8")
    finally:
        for one in running:
            one.kill()
            one.wait()
        for part in parts:
            part.unlink(missing_ok=True)


def translation(out: Path, heaviest: bool) -> tuple[list[str], dict[str, str]]:
    """Command line of a process that writes a part of the intermediate representation, and its environment variables.
    """
    program = f"from {_PACKAGE.name}.machine import translate; translate.main({str(out)!r}, {heaviest})"
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


@cache
def _object_name() -> str:
    import llvmlite
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    what = f"{digest()} {llvmlite.__version__} {llvm.get_host_cpu_name()} {features} {sys.platform}"
    return f"kernels-{hashlib.sha256(what.encode()).hexdigest()[:24]}.o"


def object_file() -> Path:
    """What numba has compiled, or will, from these sources for this processor; its hash is at the end."""
    return object_folder() / _object_name()


def _with_hash(code: bytes) -> bytes:
    return code + hashlib.sha256(code).digest()


def _is_whole(file: Path) -> bool:
    """Whether there is this file as it was written. A damaged one is deleted, for what runs it would crash."""
    try:
        data = file.read_bytes()
        if data == _with_hash(data[: -hashlib.sha256().digest_size]):
            return True
        file.unlink()
    except OSError:  # there is none, or none that can be used, which writing it anew will tell
        return False
    return False


def is_settled() -> bool:
    """Whether compile_in_place takes a moment only: it was done, or cannot be."""
    return bool(_failure) or _is_whole(object_file())


def give_up(reason: str) -> None:
    """Do not try to compile in this process, for another one could not."""
    global _failure
    _failure = reason


def compile_in_place() -> Path:
    """Compile the kernels for this processor where that has not been done, in a process of its own; once only.

    Raises SolverError where that fails or has failed.
    """
    if not _failure:
        try:
            return _compile()
        except SolverError as error:
            give_up(error.message)
    raise SolverError(_failure)


def _compile() -> Path:
    from .assemble import assemble, host  # which need llvmlite

    file = object_file()
    _make_own(file.parent)
    if _is_whole(file):
        return file
    intermediate = file.with_suffix(f".{os.getpid()}.ll")
    made = file.with_suffix(f".{os.getpid()}.tmp")
    before = digest()
    try:
        translate(intermediate)
        if digest() != before:
            raise SolverError("the solver's sources were changed while they were compiled")
        made.write_bytes(_with_hash(assemble(intermediate.read_text(encoding="utf-8"), host())))
        made.replace(file)  # at once, for others may be waiting for it
    except OSError as error:
        raise SolverError(f"there is no place for compiled kernels: {error}") from None
    finally:
        intermediate.unlink(missing_ok=True)
        made.unlink(missing_ok=True)
    return file


def last_line(errors: str, status: int) -> str:
    """What a process that failed said last, or how it ended."""
    return errors.strip().rpartition("\n")[2] or f"the process ended with {status}"


def load(file: Path) -> Any:
    """What runs an object file for this processor; its functions live as long as this does."""
    import llvmlite.binding as llvm  # installed with numba only

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_path(str(file)))
    engine.finalize_object()
    return engine


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
    """Command line and environment of a Python that compiles the kernels in place, and ends with the reason as its last
    line where it cannot; SIGTERM ends it cleanly."""
    ends = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))"
    program = f"{ends}; from {_PACKAGE.name}.machine import in_place; in_place.main()"
    return [sys.executable, "-P", "-c", program], os.environ | {"PYTHONPATH": _search_path()}


def main() -> None:
    """Compile the kernels; the process ends with the reason where that fails."""
    try:
        compile_in_place()
    except SolverError as error:
        sys.exit(error.message)


def _search_path() -> str:
    """Where another Python finds this package and what compiling needs, though Blender has added the folders here."""
    found = [importlib.util.find_spec(name) for name in ("numpy", "numba", "llvmlite")]
    folders = [str(Path(spec.origin).parent.parent) for spec in found if spec and spec.origin]
    return os.pathsep.join(dict.fromkeys([str(_PACKAGE.parent), *folders]))
