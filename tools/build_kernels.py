# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile the solver's kernels for every platform on this one machine, into build/kernels.

    bash tools/build_kernels.sh                          all platforms
    bash tools/build_kernels.sh --platform linux-x64     some of them; host: that of this machine

numba's front end translates the kernels once, and LLVM takes out what is never used or twice; then it makes an object
file for every processor level, and zig's linker a library of a platform's. The same sources and packages give the same
bytes. What is there already is not made again: digest.txt beside the libraries is the digest of the solver's sources,
which the solver compares when it loads one; build.txt that of all that they are made from and with. Beside each library
is its SHA-256: a damaged one is not loaded, and made again. A second build waits for the first.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from itertools import product
from multiprocessing import get_context
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from solver.machine import assemble as assembly  # noqa: E402
from solver.machine import in_place, sources  # noqa: E402
from solver.machine import library as kernel_library  # noqa: E402
from solver.machine.assemble import Target  # noqa: E402
from solver.machine.library import hash_file  # noqa: E402
from tools import kernel_platforms  # noqa: E402
from tools.kernel_platforms import FOLDER, PLATFORMS  # noqa: E402

#: Processors by level. Vectors of eight numbers, as many bodies as a block has, where there are such.
X64 = {"v2": ("x86-64-v2", 0), "v3": ("x86-64-v3", 0), "v4": ("x86-64-v4", 512)}

#: `int plant_dynamics_level(void)`, for choosing the level when loading.
LEVEL = REPOSITORY / "tools" / "kernels" / "level.c"


def targets(name: str) -> dict[str, Target]:
    """Processors by level that a platform's library has code for."""
    triple = PLATFORMS[name].triple
    if name.endswith("arm64"):
        return {"v8": Target(triple, "generic", "+neon")}
    return {level: Target(triple, cpu, "", bits) for level, (cpu, bits) in X64.items()}


def build_digest() -> str:
    """Hash of the solver's sources, of what else is compiled, and of what compiles with which options."""
    made = hashlib.sha256(sources.digest().encode())
    for file in (LEVEL, Path(__file__), Path(kernel_platforms.__file__)):
        made.update(file.read_bytes().replace(b"\r\n", b"\n"))
    packages = [f"{name} {version(name)}" for name in ("llvmlite", "numba", "numpy", "ziglang")]
    made.update(", ".join([*packages, f"Python {sys.version_info[0]}.{sys.version_info[1]}"]).encode())
    return made.hexdigest()[:32]


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other build is at work in this checkout."""
    import fcntl  # not on Windows, where nothing is built

    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER.parent / "kernels.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def begin_with(digests: dict[str, str]) -> None:
    """Keep what was made of what these digests say; delete everything else, and write them down."""
    if all(_text_of(FOLDER / name) == digest for name, digest in digests.items()):
        return
    for file in FOLDER.iterdir():
        file.unlink()
    for name, digest in digests.items():
        (FOLDER / name).write_text(f"{digest}\n", encoding="utf-8")


def _text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip() if file.exists() else ""


def check_unchanged(digest: str) -> None:
    """Give up where the sources do not have this digest any more."""
    if build_digest() != digest:
        raise SystemExit("The sources were changed while they were compiled: begin again")


def translate(out: Path, digest: str) -> None:
    """Write the intermediate representation of all kernels, unless it is there."""
    if out.exists():
        return
    begin = time.monotonic()
    part = out.with_suffix(".part")
    in_place.translate(part)
    check_unchanged(digest)
    part.replace(out)
    print(f"translated in {time.monotonic() - begin:.0f} s", flush=True)


def assemble(intermediate: Path, name: str, level: str, heaviest: bool, out: Path) -> None:
    """Write an object file of a level: of the heaviest kernel, or of all others."""
    text = intermediate.read_text(encoding="utf-8")
    if name.startswith("windows"):
        text = re.sub(rf"^define (.*@{assembly.PREFIX})", r"define dllexport \1", text, flags=re.MULTILINE)
    out.write_bytes(assembly.assemble(text, targets(name)[level], f"_{level}", heaviest))


def link(name: str, objects: list[Path], out: Path) -> None:
    """Write a platform's library and its hash."""
    platform = PLATFORMS[name]
    zig = [sys.executable, "-m", "ziglang", "cc", "-shared", "-O2", "-s", "-target", platform.zig, *platform.options]
    if name.startswith("macos"):
        zig.append(f"-Wl,-install_name,@rpath/{out.name}")  # else it would be the folder of this run
    subprocess.run([*zig, "-o", str(out), str(LEVEL), *map(str, objects)], check=True)
    hash_file(out).write_bytes(f"{kernel_library.hash_of(out)}\n".encode())


def is_there(library: Path) -> bool:
    """Whether there is a library as it was made."""
    try:
        return kernel_library.is_whole(library)
    except FileNotFoundError:
        return False


def move(made: Path, library: Path) -> None:
    """Put a library where it is loaded from, its hash first: one of the two alone is not loaded."""
    hash_file(made).replace(hash_file(library))
    made.replace(library)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    choices = [*PLATFORMS, "host"]
    parser.add_argument("--platform", action="append", choices=choices, help="this platform, once or more")
    host = kernel_library.platform_name()
    chosen = [host if name == "host" else name for name in parser.parse_args().platform or PLATFORMS]
    if not set(chosen) <= set(PLATFORMS):
        parser.error(f"{host} is none of {', '.join(PLATFORMS)}")
    with alone():
        build(chosen)


def build(chosen: list[str]) -> None:
    """Make the libraries of these platforms that are not there."""
    digest = build_digest()
    begin_with({"digest.txt": sources.digest(), "build.txt": digest})
    wanted = [name for name in chosen if not is_there(FOLDER / kernel_library.library_name(name))]
    if not wanted:
        return
    intermediate = FOLDER / "kernels.ll"
    translate(intermediate, digest)
    begin = time.monotonic()
    place = tempfile.TemporaryDirectory(dir=FOLDER.parent, prefix="kernels-")  # on the same disk, to move files at once
    with place as folder, ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        jobs = {}
        for name in wanted:
            for level, heaviest in product(targets(name), (True, False)):
                file = Path(folder) / f"{name}-{level}-{'heaviest' if heaviest else 'others'}.o"
                job = pool.submit(assemble, intermediate, name, level, heaviest, file)
                jobs.setdefault(name, []).append((file, job))
        for name, made in jobs.items():
            for _, job in made:
                job.result()
            library = FOLDER / kernel_library.library_name(name)
            link(name, [file for file, _ in made], Path(folder) / library.name)
            check_unchanged(digest)
            move(Path(folder) / library.name, library)
            size, seconds = library.stat().st_size / 1e6, time.monotonic() - begin
            print(f"{library.name}: {size:.2f} MB, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
