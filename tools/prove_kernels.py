# SPDX-License-Identifier: GPL-3.0-or-later
"""Run recorded calls of the kernels with every platform's library, and compare what they leave bit by bit.

    bash tools/prove_kernels.sh                   all that this machine can, with emulators where they are installed
    bash tools/prove_kernels.sh --native          only the library of this machine's own system
    bash tools/prove_kernels.sh --only macos      only ways with this word
    bash tools/prove_kernels.sh --every 10        every tenth call of each kernel, where a processor is emulated

The libraries must be there (tools/build_kernels.sh). Calls are recorded once from motions played with the library of
this machine, and programs that run them are made once by zig for every platform, both into build/kernel-proof, which
may be copied to other machines. Installs nothing; what an emulator needs is said. Ends with an error where bits differ.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from solver import _library, _sources, running  # noqa: E402
from solver._jit import KERNELS, VARIABLE  # noqa: E402
from tools.build_kernels import FOLDER as LIBRARIES  # noqa: E402
from tools.build_kernels import PLATFORMS  # noqa: E402
from tools.kernel_calls import Comparison, Recorder, compare  # noqa: E402

FOLDER = REPOSITORY / "build" / "kernel-proof"
CALLS, FOUND = FOLDER / "recorded.calls", FOLDER / "recorded.found"
PROGRAM = REPOSITORY / "tools" / "kernels" / "replay.c"

ARM64 = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
WINE_PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/lib/wine"])


class Way(NamedTuple):
    """How to run a platform's library elsewhere.

    system: platform of the program that runs the calls; another one than the library's takes its code as an image
    command: the emulator; packages: Debian's that have it; level: what the library must say of the processor; runs:
    levels to run
    """

    platform: str
    title: str
    system: str
    command: tuple[str, ...]
    packages: str
    level: int | None
    runs: tuple[str, ...]


WAYS = (
    Way("linux-x64", "qemu, Nehalem", "linux-x64", ("qemu-x86_64", "-cpu", "Nehalem"), "qemu-user", 2, ("v2",)),
    Way("linux-x64", "qemu, Haswell", "linux-x64", ("qemu-x86_64", "-cpu", "Haswell"), "qemu-user", 3, ("v3",)),
    Way("linux-arm64", "qemu", "linux-arm64", ARM64, "qemu-user libc6-arm64-cross", 0, ("v8",)),
    Way("windows-x64", "Wine", "windows-x64", ("wine64",), "wine64", None, ("v2", "v3", "v4")),
    Way("windows-arm64", "its code in Linux, qemu", "linux-arm64", ARM64, "qemu-user libc6-arm64-cross", 0, ("v8",)),
    Way("macos-arm64", "its code in Linux, qemu", "linux-arm64", ARM64, "qemu-user libc6-arm64-cross", 0, ("v8",)),
    Way("macos-x64", "its code in Linux", "linux-x64", (), "", None, ("v2", "v3", "v4")),
)


def native() -> Way:
    """The library of this machine's own system, by the system's own loader."""
    name = _library.platform_name()
    levels = _library.LEVELS[name.rpartition("-")[2]]
    return Way(name, "native", name, (), "", None, tuple(levels))


def stamp() -> str:
    """Hash of all that recordings and programs are made from."""
    made = hashlib.sha256(_sources.digest().encode())
    for name in ("kernel_calls.py", "kernel_scenes.py", "kernels/replay.c"):
        made.update((REPOSITORY / "tools" / name).read_bytes().replace(b"\r\n", b"\n"))
    return made.hexdigest()


def prepare() -> None:
    """Record the calls and make the programs, unless they are there."""
    stamped = FOLDER / "stamp.txt"
    if stamped.exists() and stamped.read_text(encoding="utf-8").strip() == stamp():
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for name in PLATFORMS:
        make_program(name)
    record()
    stamped.write_text(f"{stamp()}\n", encoding="utf-8")


def program(name: str) -> Path:
    """The program of a platform that runs calls."""
    return FOLDER / f"replay-{name}{'.exe' if name.startswith('windows') else ''}"


def make_program(name: str) -> None:
    """Make it, with zig."""
    zig = [sys.executable, "-m", "ziglang", "cc", "-O2", "-s", "-target", PLATFORMS[name].zig]
    subprocess.run([*zig, "-o", str(program(name)), str(PROGRAM)], check=True)


def record() -> None:
    """Record the calls of all scenes, as the library of this machine answers them."""
    from tools.kernel_scenes import SCENES

    how = running()
    if how.how not in _library.LEVELS["x64"] | _library.LEVELS["arm64"]:
        raise SystemExit(f"calls are recorded with a library, but kernels run as {how.how}: {how.problem}")
    begin = time.monotonic()
    with Recorder(CALLS, FOUND) as recorder:
        for scene in SCENES:
            scene()
    own = {name for name, kernel in KERNELS.items() if kernel.__module__.startswith("solver.")}
    if missing := own - set(recorder.counts):
        raise SystemExit(f"no scene calls {', '.join(sorted(missing))}")
    count, seconds = sum(recorder.counts.values()), time.monotonic() - begin
    print(f"recorded {count} calls of {len(own)} kernels at {how.how} in {seconds:.0f} s", flush=True)


def command_of(way: Way) -> list[str] | None:
    """Command line of a way's program, None where its emulator is not installed."""
    if way.command:
        found = shutil.which(way.command[0], path=WINE_PLACES)
        folders = [part for part in way.command if part.startswith("/")]
        if found is None or not all(Path(folder).is_dir() for folder in folders):
            return None
        return [found, *way.command[1:], str(program(way.system))]
    return [str(program(way.system))]


def run(way: Way, command: list[str], every: int) -> Iterator[tuple[str, Comparison]]:
    """Every level of a way that its processor can, and how its results compare with the recorded ones."""
    library = LIBRARIES / _library.library_name(way.platform)
    if way.system != way.platform:
        from tools.kernel_images import write_image

        image = FOLDER / f"{way.platform}.image"
        write_image(library, image)
        library = image
    level = int(_output([*command, str(library)]))
    if way.level is not None and level != way.level:
        raise SystemExit(f"{way.platform}, {way.title}: the library says level {level}, expected {way.level}")
    needed = _library.LEVELS[way.platform.rpartition("-")[2]]
    for name in way.runs:
        if needed[name] <= level:
            found = FOLDER / f"{way.platform}.found"
            _output([*command, str(library), name, str(CALLS), str(found), str(every)])
            yield name, compare(CALLS, FOUND, found, every)
            found.unlink()


def _output(command: list[str]) -> str:
    environment = os.environ | {"WINEPREFIX": str(FOLDER / "wine"), "WINEDEBUG": "-all"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed ({done.returncode}): {done.stderr.strip()}")
    return done.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--native", action="store_true", help="only the library of this machine's own system")
    parser.add_argument("--only", default="", metavar="WORD", help="only ways with this word")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th call on emulated processors")
    arguments = parser.parse_args()
    if os.environ.get(VARIABLE):
        raise SystemExit(f"{VARIABLE} must not be set")
    prepare()
    differ, missing = False, set()
    for way in (native(), *(() if arguments.native else WAYS)):
        title = f"{way.platform} ({way.title})"
        if arguments.only not in title:
            continue
        if not (LIBRARIES / _library.library_name(way.platform)).exists():
            print(f"{title}: there is no library", flush=True)
        elif (command := command_of(way)) is None:
            print(f"{title}: not run, needs Debian's packages {way.packages}", flush=True)
            missing |= set(way.packages.split())
        else:
            begin = time.monotonic()
            is_emulated = any(part.startswith("qemu") for part in way.command)
            for level, compared in run(way, command, arguments.every if is_emulated else 1):
                print(f"{title} {level}: {compared}, {time.monotonic() - begin:.0f} s", flush=True)
                differ |= compared.different > 0
                begin = time.monotonic()
    if missing:
        print(f"For the others: apt-get install --no-install-recommends {' '.join(sorted(missing))}")
    raise SystemExit(1 if differ else 0)


if __name__ == "__main__":
    main()
