# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled kernels of every platform by their structure: what they hold, need and promise to loaders.

Those that are not in build/kernels, or were made from other sources, are left out.
"""

import hashlib
import importlib
import os
import struct
from pathlib import Path

import lief
import pytest

from solver import running
from solver.machine import jit, sources
from solver.machine import library as kernel_library
from tools.kernel_platforms import FOLDER, PLATFORMS

REPOSITORY = Path(__file__).resolve().parents[3]

#: What zig's linker adds to every library of macOS.
MACOS_HEADERS = {"_mh_dylib_header", "__dso_handle"}

#: Parts of Windows since 10.
WINDOWS_PARTS = ("kernel32.dll", "api-ms-win-crt-")


def names(system: str) -> list[str]:
    return [name for name in PLATFORMS if name.startswith(system)]


def library(name: str) -> Path:
    file = FOLDER / kernel_library.library_name(name)
    if not file.exists():
        pytest.skip(f"no {file.name} in build/kernels")
    if (FOLDER / "digest.txt").read_text(encoding="utf-8").strip() != sources.digest():
        pytest.skip("the libraries were made from other sources")
    assert kernel_library.is_whole(file), "it is damaged"
    return file


def functions(name: str) -> set[str]:
    """What a platform's library must define for others: every kernel at every level, and what tells the level."""
    root = Path(kernel_library.__file__).parents[1]
    for source in sources.sources():
        if source.stem not in ("assemble", "translate"):  # which need llvmlite
            importlib.import_module(".".join(["solver", *source.relative_to(root).with_suffix("").parts]))
    kernels = [kernel for kernel, function in jit.KERNELS.items() if function.__module__.startswith("solver.")]
    levels = kernel_library.LEVELS[name.rpartition("-")[2]]
    return {"plant_dynamics_level"} | {f"plant_dynamics_{kernel}_{level}" for kernel in kernels for level in levels}


@pytest.mark.skipif(jit.VARIABLE in os.environ, reason="another way to run kernels was asked for")
def test_the_library_of_this_system_is_used() -> None:
    if not os.environ.get("CI"):  # there it must be, or all that compares levels would be left out without a word
        library(kernel_library.platform_name())
    assert running().how in kernel_library.LEVELS[kernel_library.platform_name().rpartition("-")[2]]


@pytest.mark.parametrize("name", names("linux"))
def test_linux(name: str) -> None:
    """Needs nothing of the system, not even a C library, so that any glibc or musl will do."""
    binary = lief.ELF.parse(str(library(name)))
    machines = {"x64": lief.ELF.ARCH.X86_64, "arm64": lief.ELF.ARCH.AARCH64}
    assert binary.header.machine_type == machines[name.rpartition("-")[2]]
    assert {symbol.name for symbol in binary.exported_symbols} == functions(name)
    assert [symbol.name for symbol in binary.imported_symbols if symbol.name] == []
    assert list(binary.libraries) == []
    assert list(binary.symbols_version_requirement) == []
    assert not binary.has(lief.ELF.DynamicEntry.TAG.TEXTREL)  # code is mapped as it is in the file
    stack = binary.get(lief.ELF.Segment.TYPE.GNU_STACK)
    assert not stack.has(lief.ELF.Segment.FLAGS.X)


@pytest.mark.parametrize("name", names("windows"))
def test_windows(name: str) -> None:
    """Needs what every Windows has had since 10."""
    binary = lief.PE.parse(str(library(name)))
    machines = {"x64": lief.PE.Header.MACHINE_TYPES.AMD64, "arm64": lief.PE.Header.MACHINE_TYPES.ARM64}
    assert binary.header.machine == machines[name.rpartition("-")[2]]
    assert {function.name for function in binary.exported_functions} == functions(name)
    needed = [one.name.lower() for one in binary.imports]
    assert [one for one in needed if not one.startswith(WINDOWS_PARTS)] == []
    assert binary.optional_header.has(lief.PE.OptionalHeader.DLL_CHARACTERISTICS.DYNAMIC_BASE)
    assert binary.optional_header.has(lief.PE.OptionalHeader.DLL_CHARACTERISTICS.NX_COMPAT)


@pytest.mark.parametrize("name", names("macos"))
def test_macos(name: str) -> None:
    """Loads from macOS 11 on, from any folder, and needs the system's library only."""
    binary = lief.MachO.parse(str(library(name))).at(0)
    machines = {"x64": lief.MachO.Header.CPU_TYPE.X86_64, "arm64": lief.MachO.Header.CPU_TYPE.ARM64}
    assert binary.header.cpu_type == machines[name.rpartition("-")[2]]
    assert binary.header.file_type == lief.MachO.Header.FILE_TYPE.DYLIB
    assert {symbol.name.removeprefix("_") for symbol in binary.exported_symbols} == functions(name) | MACOS_HEADERS
    assert {symbol.name for symbol in binary.imported_symbols} <= {"dyld_stub_binder"}
    own = f"@rpath/{kernel_library.library_name(name)}"
    assert [one.name for one in binary.libraries] == [own, "/usr/lib/libSystem.B.dylib"]
    assert binary.build_version.platform == lief.MachO.BuildVersion.PLATFORMS.MACOS
    assert binary.build_version.minos == [11, 0, 0]
    assert not any(segment.init_protection & 0x6 == 0x6 for segment in binary.segments)  # written to or run, not both


def test_macos_on_arm_is_signed() -> None:
    """Its system runs no other code: a signature without a name, of the file as it is."""
    file = library("macos-arm64")
    data = file.read_bytes()
    signature = lief.MachO.parse(str(file)).at(0).code_signature
    blob = data[signature.data_offset : signature.data_offset + signature.data_size]
    magic, _, count = struct.unpack_from(">3I", blob)
    assert magic == 0xFADE0CC0
    slots = dict(struct.unpack_from(">2I", blob, 12 + 8 * k) for k in range(count))
    directory = blob[slots[0] :]
    magic, _, _, flags, hashes, _, _, pages, end = struct.unpack_from(">9I", directory)
    size, kind, _, page_bits = struct.unpack_from(">4B", directory, 36)
    assert magic == 0xFADE0C02
    assert flags & 0x2  # ad hoc
    assert (size, kind, end) == (32, 2, signature.data_offset)  # SHA-256 of all before the signature
    page = 1 << page_bits
    assert pages == -(-end // page)
    for k in range(pages):
        found = directory[hashes + size * k : hashes + size * (k + 1)]
        assert found == hashlib.sha256(data[k * page : min((k + 1) * page, end)]).digest()


@pytest.mark.parametrize("name", PLATFORMS)
def test_no_folder_of_the_build_is_inside(name: str) -> None:
    data = library(name).read_bytes()
    for folder in (b"/tmp/", str(REPOSITORY).encode(), str(Path.home()).encode() + b"/"):
        assert folder not in data
