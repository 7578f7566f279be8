# SPDX-License-Identifier: GPL-3.0-or-later
"""Digests by which a cache on disk knows again what its frames were made from."""

import hashlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ... import solver
from ...solver import Sample
from .winds import CustomWind

_SIZE = 16


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
    """The same of everything else that a motion depends on, the solver's own code with it."""
    return hashlib.blake2b(repr(key).encode() + _solver_digest(), digest_size=_SIZE).hexdigest()


@lru_cache(maxsize=1)
def _solver_digest() -> bytes:
    digest = hashlib.blake2b(digest_size=_SIZE)
    for source in sorted(Path(solver.__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.digest()


def file_digest(paths: list[Path]) -> str:
    """One digest of the contents of several files; those that cannot be read count as missing."""
    whole = hashlib.blake2b(digest_size=_SIZE)
    for path in paths:
        try:
            with open(path, "rb") as file:
                whole.update(hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=_SIZE)).digest())
        except OSError:
            whole.update(b"missing")
    return whole.hexdigest()
