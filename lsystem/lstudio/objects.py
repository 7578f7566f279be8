# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens an object of L-studio or VLAB: a file of cpfg, with what lies beside it in its folder and below."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import LSystemError
from ..language.beside import Beside, View
from ..language.cpfg.file_parser import is_cpfg
from ..language.grammar import Grammar
from ..language.parser import parse
from .curves import read_curve
from .functions import DrawnFunction, read_function, read_function_set
from .view_file import ViewFile, read_view

LARGEST = 4_000_000
"""Bytes of one file."""


@dataclass(frozen=True)
class LStudioObject:
    """A file of cpfg, with what lies beside it."""

    text: str
    path: Path
    beside: Beside
    surfaces: Mapping[str, tuple[str, float]]
    """Letter of a surface -> name of its file, and its size."""

    def grammar(self, constants: Mapping[str, float] | None = None) -> Grammar:
        """Its L-system; ``constants`` are in place of the numbers of macros."""
        return parse(self.text, self.path.name, constants, self.beside)


def open_object(path: Path) -> LStudioObject:
    """Open a folder or the `.l` file in it. Raises `LSystemError` at what cannot be found or read.

    The view is the `.v` file of the same name, else the one that the folder's list of commands names together with the
    `.l` file, else the only one.
    """
    file = _l_system(path)
    folder = file.parent
    text = _read(file)
    if not is_cpfg(text):
        message = "this is no L-system of cpfg: it has no line such as 'Lsystem: 1'"
        if re.search(r"^\s*(import|from|def|module)\b", text, re.MULTILINE):
            message += ". Files of L-Py are programs in Python, which are not run here; write the rules as text"
        raise LSystemError(message, source=file.name)
    included = _files_of(folder)
    view = _view_of(file)
    seen = ViewFile(View()) if view is None else read_view(_read(view), view.name, included)
    functions = _functions(seen, folder)
    curves = tuple(read_curve(_beside(folder, name), name, samples) for name, samples in seen.curves)
    names = tuple(function.name for function in functions) if seen.function_sets else ()
    return LStudioObject(text, file, Beside(included, functions, names, curves, seen.view), seen.surfaces)


def _functions(view: ViewFile, folder: Path) -> tuple[DrawnFunction, ...]:
    functions = [read_function(_beside(folder, name), name, samples) for name, samples in view.functions]
    for name in view.function_sets:
        functions = list(read_function_set(_beside(folder, name), name))
    return tuple(functions)


def _l_system(path: Path) -> Path:
    if path.is_file():
        return path
    found = sorted(path.glob("*.l")) if path.is_dir() else []
    if not found:
        raise LSystemError("there is no .l file here", source=str(path))
    if len(found) > 1:
        names = ", ".join(file.name for file in found)
        raise LSystemError(f"the folder has several L-systems; open one of {names}", source=str(path))
    return found[0]


def _view_of(file: Path) -> Path | None:
    if (same := file.with_suffix(".v")).is_file():
        return same
    commands = file.parent / "specifications"
    if commands.is_file():
        for line in _read(commands).splitlines():
            words = line.split()
            if file.name in words:
                named = [file.parent / word for word in words if word.endswith(".v") and "/" not in word]
                if named and named[0].is_file():
                    return named[0]
    views = sorted(file.parent.glob("*.v"))
    return views[0] if len(views) == 1 else None


def _files_of(folder: Path) -> Callable[[str], str | None]:
    """Gives the text of files of a folder and below, of no others."""

    def included(name: str) -> str | None:
        file = _inside(folder, name)
        return None if file is None else _read(file)

    return included


def _beside(folder: Path, name: str) -> str:
    file = _inside(folder, name)
    if file is None:
        raise LSystemError("the view file names this file, but it is not there", source=name)
    return _read(file)


def _inside(folder: Path, name: str) -> Path | None:
    root = folder.resolve()
    file = (root / name).resolve()
    return file if file.is_relative_to(root) and file.is_file() else None


def _read(file: Path) -> str:
    if file.stat().st_size > LARGEST:
        raise LSystemError(f"the file has more than {LARGEST} bytes", source=file.name)
    return file.read_bytes().decode("utf-8", errors="replace")
