# SPDX-License-Identifier: GPL-3.0-or-later
"""Libraries of other systems laid out as they lie in memory, so that their code runs here without their loaders.

A kernel is a function of two addresses, which macOS and Linux, and on ARM Windows too, call alike, and it calls nothing
of the system. An image is the mark PDIMAGE1; words of 8 bytes: place in memory, size, count of functions; of each its
name (8 words) and address; then the bytes. tools/kernels/replay.c puts them there.
"""

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

import lief

lief.logging.disable()  # it tells of a table that zig's libraries have no use for

MARK = b"PDIMAGE1"

#: Where no program of 64 bits has anything else.
PLACE = 1 << 36
_PAGE = 1 << 16


def write_image(library: Path, out: Path) -> None:
    """Write the image of a library of macOS or Windows."""
    binary = lief.parse(str(library))
    if isinstance(binary, lief.MachO.Binary):
        image = _mach_o(binary)
    elif isinstance(binary, lief.PE.Binary):
        image = _pe(binary)
    else:
        raise ValueError(f"'{library}' is no library of macOS or Windows")
    parts, pointers, moved, functions = image
    memory = bytearray(max(begin + len(part) for begin, part in parts))
    memory.extend(bytes(-len(memory) % _PAGE))
    for begin, part in parts:
        memory[begin : begin + len(part)] = part
    for at in pointers:
        (address,) = struct.unpack_from("<Q", memory, at)
        struct.pack_into("<Q", memory, at, address + moved)
    head = [struct.pack("<qqq", PLACE, len(memory), len(functions))]
    head += [name.encode().ljust(64, b"\0") + struct.pack("<q", PLACE + at) for name, at in functions.items()]
    out.write_bytes(b"".join([MARK, *head, memory]))


#: Bytes by where they lie; where there are addresses; what to add to these; functions. All relative to the beginning.
_Layout = tuple[list[tuple[int, bytes]], Iterable[int], int, dict[str, int]]


def _mach_o(binary: lief.MachO.Binary) -> _Layout:
    begin = binary.imagebase
    parts = [
        (segment.virtual_address - begin, bytes(segment.content).ljust(segment.virtual_size, b"\0"))
        for segment in binary.segments
        if segment.name != "__LINKEDIT"
    ]
    pointers = [one.address - begin for one in binary.relocations]
    functions = {name: symbol.value - begin for name, symbol in exported(binary)}
    return parts, pointers, PLACE - begin, functions


def exported(binary: lief.MachO.Binary) -> Iterator[tuple[str, lief.MachO.Symbol]]:
    """What a library of macOS defines for others, by its name in C."""
    for symbol in binary.exported_symbols:
        yield symbol.name.removeprefix("_"), symbol


def _pe(binary: lief.PE.Binary) -> _Layout:
    parts = [
        (section.virtual_address, bytes(section.content).ljust(section.virtual_size, b"\0"))
        for section in binary.sections
    ]
    pointers = [
        entry.address
        for relocation in binary.relocations
        for entry in relocation.entries
        if entry.type != lief.PE.RelocationEntry.BASE_TYPES.ABS  # which fills up
    ]
    functions = {function.name: function.address for function in binary.exported_functions}
    return parts, pointers, PLACE - binary.imagebase, functions
