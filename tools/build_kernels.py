# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile the solver's kernels for every platform on this one machine, into build/kernels.

    bash tools/build_kernels.sh                          all platforms
    bash tools/build_kernels.sh --platform linux-x64     some of them; host: that of this machine

numba's front end translates the kernels once; LLVM makes an object file for every processor level, and zig's linker a
library of a platform's. The same sources and packages give the same bytes. What is there already is not made again.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from solver import _assemble, _in_place, _library, _sources  # noqa: E402
from solver._assemble import Target  # noqa: E402

FOLDER = REPOSITORY / "build" / "kernels"

#: Processors by level. Vectors of eight numbers, as many bodies as a block has, where there are such.
X64 = {"v2": ("x86-64-v2", 0), "v3": ("x86-64-v3", 0), "v4": ("x86-64-v4", 512)}


class Platform(NamedTuple):
    """LLVM's triple, zig's target and further options of its linker."""

    triple: str
    zig: str
    options: tuple[str, ...] = ()


PLATFORMS = {
    "linux-x64": Platform("x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.28", ("-nostdlib",)),
    "linux-arm64": Platform("aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.28", ("-nostdlib",)),
    "windows-x64": Platform("x86_64-w64-windows-gnu", "x86_64-windows-gnu"),
    "windows-arm64": Platform("aarch64-w64-windows-gnu", "aarch64-windows-gnu"),
    "macos-x64": Platform("x86_64-apple-macosx11.0.0", "x86_64-macos.11.0"),
    "macos-arm64": Platform("arm64-apple-macosx11.0.0", "aarch64-macos.11.0"),
}

#: `int plant_dynamics_level(void)`, for choosing the level when loading.
LEVEL = REPOSITORY / "tools" / "kernels" / "level.c"


def targets(name: str) -> dict[str, Target]:
    """Processors by level that a platform's library has code for."""
    triple = PLATFORMS[name].triple
    if name.endswith("arm64"):
        return {"v8": Target(triple, "generic", "+neon")}
    return {level: Target(triple, cpu, "", bits) for level, (cpu, bits) in X64.items()}


def translate(out: Path) -> None:
    """Write the intermediate representation of all kernels, unless it is there."""
    if out.exists():
        return
    begin = time.monotonic()
    command, environment = _in_place.translation(out.with_suffix(".part"))
    subprocess.run(command, env=environment, check=True)
    out.with_suffix(".part").replace(out)
    print(f"translated in {time.monotonic() - begin:.0f} s", flush=True)


def assemble(intermediate: Path, name: str, level: str, out: Path) -> None:
    """Write the object file of a level."""
    text = intermediate.read_text(encoding="utf-8")
    if name.startswith("windows"):
        text = text.replace(f"define i32 @{_assemble.PREFIX}", f"define dllexport i32 @{_assemble.PREFIX}")
    out.write_bytes(_assemble.assemble(text, targets(name)[level], f"_{level}"))


def link(name: str, objects: list[Path], out: Path) -> None:
    """Write a platform's library."""
    platform = PLATFORMS[name]
    zig = [sys.executable, "-m", "ziglang", "cc", "-shared", "-O2", "-s", "-target", platform.zig, *platform.options]
    if name.startswith("macos"):
        zig.append(f"-Wl,-install_name,@rpath/{out.name}")  # else it would be the folder of this run
    subprocess.run([*zig, "-o", str(out), str(LEVEL), *map(str, objects)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    choices = [*PLATFORMS, "host"]
    parser.add_argument("--platform", action="append", choices=choices, help="this platform, once or more")
    host = _library.platform_name()
    chosen = [host if name == "host" else name for name in parser.parse_args().platform or PLATFORMS]
    if not set(chosen) <= set(PLATFORMS):
        parser.error(f"{host} is none of {', '.join(PLATFORMS)}")
    digest = _sources.digest()
    stamp = FOLDER / "digest.txt"
    if not (stamp.exists() and stamp.read_text(encoding="utf-8").strip() == digest):
        for file in FOLDER.glob("*") if FOLDER.exists() else ():
            file.unlink()
    wanted = [name for name in chosen if not (FOLDER / _library.library_name(name)).exists()]
    if not wanted:
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    stamp.write_text(f"{digest}\n", encoding="utf-8")
    intermediate = FOLDER / "kernels.ll"
    translate(intermediate)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as place, ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        jobs = {}
        for name in wanted:
            for level in targets(name):
                file = Path(place) / f"{name}-{level}.o"
                jobs.setdefault(name, []).append((file, pool.submit(assemble, intermediate, name, level, file)))
        for name, made in jobs.items():
            for _, job in made:
                job.result()
            library = FOLDER / _library.library_name(name)
            link(name, [file for file, _ in made], Path(place) / library.name)
            (Path(place) / library.name).replace(library)
            size, seconds = library.stat().st_size / 1e6, time.monotonic() - begin
            print(f"{library.name}: {size:.2f} MB, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
