# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that carry the files that lie beside them, behind the line `endlsystem`, where cpfg does not read.

So a plant can be grown again from its text alone, wherever it goes::

    endlsystem
    ==== view plant.v ====
    angle increment: 30
    function: leaf.func
    ==== file leaf.func ====
    ...
    ==== plant ====
    unit: 0.05
    material stem young=2e8

What stands under `plant` is in our own language and says what the file cannot.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...base.errors import LSystemError
from ..statements import uniform
from .colours import MAP, read_colours
from .contours import read_contour
from .curves import read_curve
from .functions import read_function, read_function_set
from .kinds import Beside, View
from .outside_programs import environment_of
from .panels import read_panel
from .surfaces import read_surface
from .view_file import ViewFile, read_view

_HEADING = re.compile(r"^==== (?:(plant)|(view|environment|colours|panel|file) (\S[^\n]*?)) ====[ \t]*\n", re.MULTILINE)


def bundled(text: str, kinds: Mapping[str, str], files: Mapping[str, str], plant: Sequence[str]) -> str:
    """One text with its files by name; kinds: which of these are the "view", the "environment", the "colours" and the
    "panel"; plant: what is said besides."""
    parts = [text.rstrip("\n")]
    for name, content in files.items():
        parts += [f"==== {kinds.get(name, 'file')} {name} ====", uniform(content).rstrip("\n")]
    if plant:
        parts += ["==== plant ====", *plant]
    return "\n".join(parts) + "\n"


def unbundled(text: str, source: str) -> tuple[str, Beside]:
    """A text without its files, and what these say. Raises `LSystemError`."""
    text = uniform(text)
    files: dict[str, str] = {}
    one: dict[str, str] = {}
    end = len(text)
    for heading, content in _parts(text):
        end = min(end, heading.start())
        plant, kind, name = heading.groups()
        if plant:
            continue
        if kind in one and kind != "file":
            raise LSystemError(f"two {kind}s are given: {one[kind]} and {name}", source=source)
        one[kind] = name
        files[name] = content
    beside = _beside(files, one.get("view"), one.get("environment"), one.get("colours", ""))
    return text[:end], replace(beside, panel=read_panel(files[one["panel"]]) if "panel" in one else {})


def said_of_plant(text: str) -> str:
    """What a text says under `plant`, on the same lines as there; "" if it says nothing."""
    text = uniform(text)
    for heading, content in _parts(text):
        if heading.group(1):
            return "\n" * text.count("\n", 0, heading.end()) + content
    return ""


def _parts(text: str) -> Iterator[tuple[re.Match[str], str]]:
    headings = list(_HEADING.finditer(text))
    for number, heading in enumerate(headings, 1):
        end = headings[number].start() if number < len(headings) else len(text)
        yield heading, text[heading.end() : end]


def _beside(files: Mapping[str, str], view: str | None, environment: str | None, colours: str) -> Beside:
    """What files beside a text say. Raises `LSystemError`."""
    seen = ViewFile(View()) if view is None else read_view(files[view], view, files.get)

    def content(name: str) -> str:
        if name not in files:
            raise LSystemError("the view file names this file, but it is not there", source=name)
        return files[name]

    functions = [read_function(content(name), name, samples) for name, samples in seen.functions]
    for name in seen.function_sets:
        functions = list(read_function_set(content(name), name))
    turtle = replace(
        seen.view,
        # cpfg too draws on without a surface whose file is missing
        surfaces={
            letter: read_surface(files[name], name, size)
            for letter, (name, size) in seen.surfaces.items()
            if name in files
        },
        contours={number: read_contour(content(name), name) for number, name in seen.contours.items()},
        # materials are lit by the scene
        lit=seen.view.lit if colours.endswith(MAP) else None,
    )
    answering, answered = environment_of(files[environment], files) if environment else (None, "")
    return Beside(
        included=files.get,
        functions=tuple(functions),
        names=tuple(function.name for function in functions) if seen.function_sets else (),
        contours=tuple(read_curve(content(name), name, samples) for name, samples in seen.curves),
        view=turtle,
        environment=answering,
        colours=read_colours(files[colours], colours) if colours else {},
        note=answered,
        missing={letter: name for letter, (name, _) in seen.surfaces.items() if name not in files},
    )


def named_by(view: ViewFile) -> list[str]:
    """The files that a view names."""
    with_samples = [name for name, _ in (*view.functions, *view.curves, *view.surfaces.values())]
    return [*with_samples, *view.function_sets, *view.contours.values()]
