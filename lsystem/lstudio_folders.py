# SPDX-License-Identifier: GPL-3.0-or-later
"""What folders of L-studio and VLAB hold: files of cpfg, and what lies beside each of them."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from .base.errors import LSystemError
from .language.cpfg.file_parser import is_cpfg

LARGEST = 4_000_000
"""Bytes of one file."""

_MOST_FOLDERS = 2_000
"""That are looked at below a folder, the nearest first."""
_KINDS = {"view": (".v",), "environment": (".e",), "colours": (".mat", ".map"), "animation": (".a",)}
_NO_NAMES = ("plant", "lsystem", "leaf", "tree", "fractal", "object", "model")
"""Files of most objects are called so."""
_NUMBER_BEFORE = re.compile(r"^[0-9]+[-_. ]+")
"""Folders of collections are numbered."""


def objects_in(folder: Path) -> list[Path]:
    """The L-systems of a folder, in the order of its list of commands, the others by name; of one that has none itself
    those of the folders below, as in collections. Raises `LSystemError` at a list that is too long."""
    if own := _l_systems(folder):
        listed = list(headings(folder))
        return sorted(own, key=lambda file: listed.index(file.name) if file.name in listed else len(listed))
    found: list[Path] = []
    waiting = [folder]
    for here in waiting:  # which grows
        below = sorted(one for one in here.iterdir() if _is_open_folder(one))
        waiting += below[: _MOST_FOLDERS - len(waiting)]
        found += _l_systems(here)
    return sorted(found)


def object_name(file: Path) -> str:
    """What an L-system may be called: as the file, or as its folder where that says nothing, as in most objects, and no
    file beside it is called so."""
    called = file.resolve()
    folder = called.parent.name
    of_folder = _NUMBER_BEFORE.sub("", folder).lower()
    is_free = bool(folder) and not any(one.stem.lower() == of_folder for one in files_in(called.parent, ".l"))
    name = folder if called.stem.lower() in _NO_NAMES and is_free else called.stem
    return _NUMBER_BEFORE.sub("", name) or name


def headings(folder: Path) -> dict[str, str]:
    """What a folder's list of commands (`specifications`) says above those that start cpfg, by the names of their `.l`
    files, in its order, without what it says above all of them. Raises `LSystemError` at a list that is too long."""
    found: dict[str, list[str]] = {}
    for above, words in _commands(folder):
        if words[0] == "cpfg":
            for word in words:
                if word.endswith(".l"):
                    found.setdefault(word, list(above))
    for end in (-1, 0):
        while all(len(above) > 1 for above in found.values()) and len({above[end] for above in found.values()}) == 1:
            for above in found.values():
                del above[end]
    return {name: ", ".join(above) for name, above in found.items()}


def beside(file: Path) -> dict[str, Path]:
    """What belongs to a `.l` file, by kinds: "view" (`.v`), "environment" (`.e`), "colours" (`.mat` or `.map`),
    "animation" (`.a`) and "panel" (another `.l`, of sliders).

    These are the files of the same name, else those that the folder's list of commands names together with the `.l`
    file, else the only ones; the panel is the one that this list starts for the file, else `panel.l`. Raises
    `LSystemError` at a list that is too long.
    """
    found = {kind: _of_the_same_object(file, suffixes) for kind, suffixes in _KINDS.items()}
    found["panel"] = _panel_of(file)
    return {kind: other for kind, other in found.items() if other is not None}


def files_in(folder: Path, suffix: str) -> list[Path]:
    """The files of a folder whose names end so, by name; none of what is no folder."""
    return sorted(filter(os.path.isfile, folder.glob(f"*{suffix}"))) if os.path.isdir(folder) else []


def read_text(file: Path) -> str:
    """A file's text, whatever stands in it, without the byte order mark of editors. Raises `LSystemError`."""
    return read_bytes(file).decode("utf-8-sig", errors="replace")


def read_bytes(file: Path) -> bytes:
    """What is in a file. Raises `LSystemError` at one that is too large."""
    if file.stat().st_size > LARGEST:
        raise LSystemError(f"the file has more than {LARGEST} bytes", source=file.name)
    return file.read_bytes()


def _is_open_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and os.access(path, os.R_OK | os.X_OK)


def _l_systems(folder: Path) -> list[Path]:
    # panels of sliders are called so too
    return [file for file in files_in(folder, ".l") if file.stat().st_size <= LARGEST and is_cpfg(read_text(file))]


def _commands(folder: Path) -> Iterator[tuple[list[str], list[str]]]:
    """The lines of a folder's list of commands in words, with the headings, less indented, that they stand below."""
    commands = folder / "specifications"
    above: list[tuple[int, str]] = []
    for line in read_text(commands).expandtabs().splitlines() if commands.is_file() else []:
        if not (words := line.split()):
            continue
        indent = len(line) - len(line.lstrip())
        above = [heading for heading in above if heading[0] < indent]
        yield [heading for _, heading in above], words
        if words[-1].endswith(":"):
            above.append((indent, line.strip()[:-1]))


def _panel_of(file: Path) -> Path | None:
    """The panel whose sliders change a `.l` file."""
    named = [words[1] for _, words in _commands(file.parent) if words[0] == "panel" and file.name in words[2:]]
    panels = [file.parent / name for name in (*named, "panel.l") if "/" not in name and name != file.name]
    return next((panel for panel in panels if os.path.isfile(panel)), None)


def _of_the_same_object(file: Path, suffixes: tuple[str, ...]) -> Path | None:
    """The file of another kind that belongs to a `.l` file; of several kinds the first that there is."""
    for suffix in suffixes:
        if (same := file.with_suffix(suffix)).is_file():
            return same
    for _, words in _commands(file.parent):
        if file.name in words:
            named = [file.parent / word for word in words if word.endswith(suffixes) and "/" not in word]
            if named and os.path.isfile(named[0]):
                return named[0]
    for suffix in suffixes:
        others = files_in(file.parent, suffix)
        if len(others) == 1:
            return others[0]
    return None
