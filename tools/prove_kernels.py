# SPDX-License-Identifier: GPL-3.0-or-later
"""Run recorded calls of the kernels with every platform's library, and compare what they leave bit by bit.

    bash tools/prove_kernels.sh                   all that this machine can, with emulators where they are installed
    bash tools/prove_kernels.sh --native          only the library of this machine's own system
    bash tools/prove_kernels.sh --only macos      only ways with this word, each of which must be possible
    bash tools/prove_kernels.sh --all             all ways, each of which must be possible
    bash tools/prove_kernels.sh --every 10        every tenth call of each kernel, where a processor is emulated

The libraries must be there (tools/build_kernels.sh). Calls are recorded once from motions played with the library of
this machine, and programs that run them are made once by zig for every platform, both into build/kernel-proof, which
may be copied to other machines. Installs nothing; what an emulator needs is said. Says at the end what was proved and
what was not. Ends with an error where bits differ, where nothing was proved, and where what was asked for was not.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from solver import running  # noqa: E402
from solver.machine import library as kernel_library  # noqa: E402
from solver.machine import sources  # noqa: E402
from solver.machine.jit import KERNELS, VARIABLE  # noqa: E402
from tools.kernel_calls import Comparison, Recorder, compare  # noqa: E402
from tools.kernel_platforms import FOLDER as LIBRARIES  # noqa: E402
from tools.kernel_platforms import PLATFORMS  # noqa: E402

FOLDER = REPOSITORY / "build" / "kernel-proof"
CALLS, FOUND, STAMP = "recorded.calls", "recorded.found", "stamp.txt"
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

    @property
    def name(self) -> str:
        """Of the platform, and how."""
        return f"{self.platform} ({self.title})"


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
    name = kernel_library.platform_name()
    levels = kernel_library.LEVELS[name.rpartition("-")[2]]
    return Way(name, "native", name, (), "", None, tuple(levels))


def stamp() -> str:
    """Hash of all that recordings and programs are made from."""
    made = hashlib.sha256(sources.digest().encode())
    for name in ("kernel_calls.py", "kernel_scenes.py", "kernels/replay.c"):
        made.update((REPOSITORY / "tools" / name).read_bytes().replace(b"\r\n", b"\n"))
    return made.hexdigest()


def prepare() -> None:
    """Record the calls and make the programs, unless they are there; what is there is kept until others are."""
    files = (CALLS, FOUND, STAMP, *map(program, PLATFORMS))
    is_whole = all((FOLDER / name).exists() for name in files)
    if is_whole and (FOLDER / STAMP).read_text(encoding="utf-8").strip() == stamp():
        return
    FOLDER.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER.parent, prefix="kernel-proof-") as place:
        made = Path(place) / "made"
        made.mkdir()
        record(made)
        for name in PLATFORMS:
            make_program(name, made)
        (made / STAMP).write_text(f"{stamp()}\n", encoding="utf-8")
        if FOLDER.exists():
            FOLDER.rename(Path(place) / "before")
        made.rename(FOLDER)


def program(name: str) -> str:
    """The program of a platform that runs calls."""
    return f"replay-{name}{'.exe' if name.startswith('windows') else ''}"


def make_program(name: str, folder: Path) -> None:
    """Make it, with zig."""
    zig = [sys.executable, "-m", "ziglang", "cc", "-O2", "-s", "-target", PLATFORMS[name].zig]
    subprocess.run([*zig, "-o", str(folder / program(name)), str(PROGRAM)], check=True)


def record(folder: Path) -> None:
    """Record the calls of all scenes, as the library of this machine answers them."""
    from tools.kernel_scenes import SCENES

    how = running()
    if how.how not in kernel_library.LEVELS["x64"] | kernel_library.LEVELS["arm64"]:
        raise SystemExit(f"calls are recorded with a library, but kernels run as {how.how}: {how.problem}")
    begin = time.monotonic()
    with Recorder(folder / CALLS, folder / FOUND) as recorder:
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
        return [found, *way.command[1:], str(FOLDER / program(way.system))]
    return [str(FOLDER / program(way.system))]


def run(way: Way, command: list[str], every: int) -> Iterator[tuple[str, Comparison]]:
    """Every level of a way that its processor can, and how its results compare with the recorded ones."""
    library = LIBRARIES / kernel_library.library_name(way.platform)
    if way.system != way.platform:
        from tools.kernel_images import write_image

        image = FOLDER / f"{way.platform}.image"
        write_image(library, image)
        library = image
    level = int(_output([*command, str(library)]))
    if way.level is not None and level != way.level:
        raise SystemExit(f"{way.platform}, {way.title}: the library says level {level}, expected {way.level}")
    needed = kernel_library.LEVELS[way.platform.rpartition("-")[2]]
    for name in way.runs:
        if needed[name] <= level:
            found = FOLDER / f"{way.platform}.found"
            _output([*command, str(library), name, str(FOLDER / CALLS), str(found), str(every)])
            yield name, compare(FOLDER / CALLS, FOLDER / FOUND, found, every)
            found.unlink()


def _output(command: list[str]) -> str:
    environment = os.environ | {"WINEPREFIX": str(FOLDER / "wine"), "WINEDEBUG": "-all"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed ({done.returncode}): {done.stderr.strip()}")
    return done.stdout.strip()


class Proof:
    """What was found: equal, different and not proved, with the reasons; all in words."""

    def __init__(self) -> None:
        self.equal: list[str] = []
        self.different: list[str] = []
        self.missing: dict[str, str] = {}

    def add(self, title: str, compared: Comparison) -> None:
        """Take note of a run; one without calls proves nothing."""
        if compared.different:
            self.different.append(title)
        elif compared.calls and compared.numbers:
            self.equal.append(title)
        else:
            self.missing[title] = "there were no calls"

    def status(self, asked: Sequence[str]) -> int:
        """Say it; 1 where bits differ, nothing is proved, or a way that was asked for is not at any level."""
        print(f"Proved: {', '.join(self.equal) or 'nothing'}")
        if self.different:
            print(f"Different: {', '.join(self.different)}")
        for title, reason in self.missing.items():
            print(f"Not proved: {title}: {reason}")
        is_all = all(any(title.startswith(name) for title in self.equal) for name in asked)
        return 0 if self.equal and is_all and not self.different else 1


def prove(way: Way, every: int, proof: Proof) -> None:
    """Run a way's levels and take note of how they compare, or of why they cannot run."""
    library = LIBRARIES / kernel_library.library_name(way.platform)
    if not library.exists():
        proof.missing[way.name] = "there is no library"
        return
    if not kernel_library.hash_file(library).exists() or not kernel_library.is_whole(library):
        proof.missing[way.name] = "the library is damaged"
        return
    if (command := command_of(way)) is None:
        proof.missing[way.name] = f"needs Debian's packages {way.packages}"
        return
    begin = time.monotonic()
    left = set(way.runs)
    is_emulated = any(part.startswith("qemu") for part in way.command)
    for level, compared in run(way, command, every if is_emulated else 1):
        print(f"{way.name} {level}: {compared}, {time.monotonic() - begin:.0f} s", flush=True)
        proof.add(f"{way.name} {level}", compared)
        left.discard(level)
        begin = time.monotonic()
    for level in sorted(left):
        proof.missing[f"{way.name} {level}"] = "this processor cannot"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--native", action="store_true", help="only the library of this machine's own system")
    parser.add_argument("--only", default="", metavar="WORD", help="only ways with this word, which must be possible")
    parser.add_argument("--all", action="store_true", help="all ways must be possible")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th call on emulated processors")
    arguments = parser.parse_args()
    if os.environ.get(VARIABLE):
        raise SystemExit(f"{VARIABLE} must not be set")
    ways = [way for way in (native(), *(() if arguments.native else WAYS)) if arguments.only in way.name]
    if not ways:
        parser.error(f"no way has the word {arguments.only}")
    digest = LIBRARIES / "digest.txt"
    if not digest.exists() or digest.read_text(encoding="utf-8").strip() != sources.digest():
        raise SystemExit("There are no libraries made from these sources: bash tools/build_kernels.sh")
    prepare()
    proof = Proof()
    for way in ways:
        prove(way, arguments.every, proof)
    is_asked = arguments.all or arguments.native or arguments.only
    raise SystemExit(proof.status([way.name for way in ways] if is_asked else []))


if __name__ == "__main__":
    main()
