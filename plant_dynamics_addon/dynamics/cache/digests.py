# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests by which a cache on disk knows again what its frames were made from."""

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from .... import solver
from ....solver import Sample
from ..surroundings.air import CustomWind

_SIZE = 16

#: The folders whose code reads the world, walks through frames and simulates them.
_READING_AND_SIMULATING = ("solver", "plant_dynamics_addon/dynamics", "plant_dynamics_addon/baking")

#: Where statements have others.
_WITHIN = ("body", "orelse", "finalbody", "handlers", "cases")


class _Unknowable(Exception):
    """The value may mean something else in another run of Blender."""


def sample_digest(sample: Sample) -> bytes | None:
    """16 bytes that are equal for equal worlds, in every run; None of a wind that a script has registered: only its
    name is known."""
    digest = hashlib.blake2b(digest_size=_SIZE)
    try:
        for value in vars(sample).values():
            for part in _parts(value):
                digest.update(part)
    except _Unknowable:
        return None
    return digest.digest()


def _parts(value: Any) -> Iterator[bytes]:
    if isinstance(value, CustomWind):
        raise _Unknowable
    if is_dataclass(value):
        yield type(value).__name__.encode() + b"("
        for one in fields(value):
            yield from _parts(getattr(value, one.name))
        yield b")"
    elif isinstance(value, bytes):
        yield b"%d:" % len(value) + value
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype.str}{value.shape}".encode() + np.ascontiguousarray(value).tobytes()
    elif isinstance(value, list | tuple):
        yield b"["
        for one in value:
            yield from _parts(one)
        yield b"]"
    else:  # None, truth values, numbers and text: their representation is exact
        plain = value.item() if isinstance(value, np.generic) else value
        yield repr(plain).encode() + b";"


def key_digest(key: tuple[object, ...]) -> str:
    """The same of everything else that a motion depends on, the code with it."""
    return hashlib.blake2b(repr(key).encode() + own_code(), digest_size=_SIZE).hexdigest()


@lru_cache(maxsize=1)
def own_code() -> bytes:
    """The digest of the running code."""
    return code_digest(Path(solver.__file__).parent.parent)


def code_digest(extension: Path) -> bytes:
    """Digest of all code in the extension's folder that shapes motion: what reads the world and simulates."""
    digest = hashlib.blake2b(digest_size=_SIZE)
    for source in sorted(sources_of_motion(extension)):
        digest.update(source.relative_to(extension).as_posix().encode() + source.read_bytes())
    return digest.digest()


def sources_of_motion(extension: Path) -> set[Path]:
    """All sources that read the world and simulate, and whatever they import of the extension, wherever it lies."""
    found = {extension / "__init__.py"}  # which names everything, to register it
    waiting = [source for folder in _READING_AND_SIMULATING for source in (extension / folder).rglob("*.py")]
    while waiting:
        source = waiting.pop()
        if source not in found:
            found.add(source)
            waiting += _imported(source)
    return found - {extension / "__init__.py"}


def _imported(source: Path) -> Iterator[Path]:
    """The extension's own modules and packages that a source imports, also within its functions."""
    for node in _statements(ast.parse(source.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.level:  # nothing of its own is imported absolutely
            package = source.parents[node.level - 1]
            parts = (node.module or "").split(".") if node.module else []
            named = [package.joinpath(*parts[:end]) for end in range(len(parts) + 1)]
            named += [named[-1] / name.name for name in node.names]
            files = [file for one in named for file in (one / "__init__.py", one.with_name(f"{one.name}.py"))]
            yield from (file for file in files if file.is_file())


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements, also those within others: walking through their expressions as well takes several times as long,
    and nothing is imported there."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [one for field in _WITHIN for one in getattr(node, field, ())]


def file_digest(paths: list[Path]) -> str:
    """One digest of the contents of several files and of the code; those that cannot be read count as missing."""
    whole = hashlib.blake2b(own_code(), digest_size=_SIZE)
    for path in paths:
        try:
            with open(path, "rb") as file:
                whole.update(hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=_SIZE)).digest())
        except OSError:
            whole.update(b"missing")
    return whole.hexdigest()
