# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens objects of L-studio and VLAB: a file of cpfg becomes one text with what lies beside it and below."""

import math
import os.path
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from .base.errors import LSystemError
from .base.organs import DEFAULT_MATERIAL, LEAF
from .derivation.derivation import derive
from .derivation.limits import Limits
from .language.beside.bundle import bundled, named_by, said_of_plant
from .language.beside.colours import colours_text
from .language.beside.images import image_text
from .language.beside.outside_programs import files_of, image_of
from .language.beside.view_file import read_view
from .language.cpfg.file_parser import is_cpfg
from .language.cpfg.preprocessor import preprocess
from .language.foreign import why_not_read
from .language.parser import parse
from .lstudio_folders import beside, files_in, object_name, objects_in, read_bytes, read_text
from .standing import young_in_wind, young_of_leaves, young_that_sags
from .turtle.turtle import interpret

MOST_FRAMES = 500
"""Animations that go on for longer are meant to be stopped by hand."""
_LAST_FRAME = re.compile(r"^[ \t]*last frame[ \t]*:[ \t]*([0-9]{1,9})", re.MULTILINE | re.IGNORECASE)
HEIGHT = 0.5
"""Metres that a plant is large where no unit is given."""
_WOOD = 3e9
STIFFEST_WOOD = 1.9e10
"""Pa, along the grain of green bulletwood, Manilkara bidentata; dry it has 24 GPa (Forest Products Laboratory 2010,
Wood Handbook, FPL-GTR-190, table 5-5). Woods of temperate trees have 6 to 12 GPa when green."""
_USUAL_WOOD = 1.2e10
"""Pa, at most, of stems that are not to bend much in wind."""
_SAG = 0.12
"""Drawn out level, stems sag by this share of their length, as those of most plants do."""
_GUST, _BENT = 11.0, 0.5
"""m/s, a gust of the panel's Wind, and the share of its length that a plant may be bent by in it, where wood can hold
it."""
_SOFTEST, _STIFFEST = 1e8, 1e13
"""Pa. Lines are drawn thin, so that stems may have to be stiffer than any wood to stand as they are drawn."""
_NAMED = 12
"""L-systems of a folder that an error names."""
_SOFT_LEAF = DEFAULT_MATERIAL[LEAF]["young"]
_QUICKLY = Limits(max_modules=300_000, max_rewrites=5_000_000)
"""What is larger or takes longer is not grown only to see how large and how heavy it is."""
_DERIVED, _DRAWN = 0.4, 0.7
"""Shares of the work on a plant's size after which it is derived, and drawn once."""
_HALVED = 4
"""How often an animation's last frame is halved until the plant can be grown."""


@dataclass(frozen=True)
class LStudioObject:
    """A file of cpfg."""

    path: Path
    text: str
    """With the files that lie beside it, as `parse` reads them."""
    unit: float = 0.01
    """Metres that a length of 1 stands for."""
    young: float = _WOOD
    """Young's modulus of its stems, Pa."""
    images: tuple[Path, ...] = ()
    """Files of the textures that its surfaces have, which the text names only."""
    missing: tuple[str, ...] = ()
    """Names of those that are not there."""

    @property
    def name(self) -> str:
        """What it may be called: as the file, or as its folder where that says nothing, as in most objects."""
        return object_name(self.path)

    def thickening(self) -> float:
        """How many times as wide its lines would have to be for the stiffest wood to carry it; 1 if they need not."""
        # weight grows with the width's square, what bends with its fourth power
        return max(math.sqrt(self.young / STIFFEST_WOOD), 1.0)


def open_object(
    path: Path, unit: float | None = None, thicken: bool = False, told: Callable[[float], object] = lambda share: None
) -> LStudioObject:
    """Open a folder or the `.l` file in it.

    unit: metres that a length of 1 stands for; 0 makes the plant half a metre large. With it the text also says, to be
    changed, how stiff its stems are, so that they carry its weight as those of plants do, and how far it grows if the
    file itself takes no step or one: to the last frame of its animation, `.a`. Without, all is as the file has it, with
    centimetres.
    thicken: lines that are too thin for wood to carry the plant become as wide as that takes.
    A text that says this itself, as that of an object that was opened before, stays as it is.
    told: called with the share (0 to 1) of the work that is done, which begins anew where the plant has to be grown
    younger; what it raises ends the work.

    What lies beside it is as `beside` finds it. Raises `LSystemError` at what cannot be found or read, and of a folder
    with several.
    """
    file = _only_one(path)
    text = read_text(file)
    if not is_cpfg(text):
        message = "this is no L-system of cpfg: it has no line such as 'Lsystem: 1'"
        raise LSystemError(why_not_read(text, file.name) or message, source=file.name)
    files = _Files(file.parent)
    kinds: dict[str, str] = {}
    images: dict[str, None] = {}
    others = beside(file)
    if (view := others.get("view")) is not None:
        kinds[view.name] = "view"
        seen = read_view(files.taken(view.name) or "", view.name, files.taken)
        for name in named_by(seen):
            files.taken(name)
        images = dict.fromkeys(texture.image for texture in seen.view.textures)
    if (environment := others.get("environment")) is not None:
        kinds[environment.name] = "environment"
        for name in files_of(files.taken(environment.name) or ""):
            image = image_of(files.taken(name) or "")
            if image and (pixels := files.below(image)) is not None:
                files.found[image] = image_text(read_bytes(pixels), image)
    if (colours := others.get("colours")) is not None:
        kinds[colours.name] = "colours"
        files.found[colours.name] = colours_text(read_bytes(colours), colours.name)
    if (panel := others.get("panel")) is not None:
        kinds[panel.name] = "panel"
        files.taken(panel.name)
    preprocess(text, file.name, files.taken, {}, {})
    there = {name: files.below(name) is not None for name in images}
    alone = bundled(text, kinds, files.found, [])
    plain = LStudioObject(
        file, alone, images=tuple(file.parent / name for name in images if there[name]),
        missing=tuple(name for name in images if not there[name]),
    )  # fmt: skip
    if said_of_plant(text):
        return replace(plain, unit=parse(alone, file.name).unit)
    if unit is None:
        return plain
    shown = _last_frame(others.get("animation")) if parse(alone, file.name).steps <= 1 else 0
    ages = [shown >> halved for halved in range(_HALVED)] if 1 < shown <= MOST_FRAMES else [0]

    def said(age: int, unit: float, young: float, leaf: float = 0.0, widths: float = 1.0) -> str:
        steps = [f"steps: {age}"] if age > 1 else []
        wide = [f"widths: {widths:.3g}"] if widths > 1.0 else []
        made_of = [f"material stem young={young:.2g} poisson=0.3 density=800 damping=0.01"]
        if leaf > _SOFT_LEAF:
            made_of.append(f"material blade young={leaf:.2g} poisson=0.3 density=800 damping=0.03")
        return bundled(text, kinds, files.found, [f"unit: {unit:.6g}", *wide, *steps, *made_of])

    # animations go on for as long as there is something to see, which may be more than can be grown
    share = 0.5 if thicken else 1.0
    sized = partial(_size_and_stiffness, source=file.name, unit=unit, told=lambda done: told(share * done))
    known = ((age, sized(partial(said, age))) for age in ages)
    age, found = next(((age, found) for age, found in known if found is not None), (ages[0], None))
    unit, young, leaf = found or (unit or 0.01, _WOOD, 0.0)  # growing it says why it cannot be grown
    opened = replace(plain, text=said(age, unit, young, leaf), unit=unit, young=young)
    if not thicken or opened.thickening() <= 1.0:
        return opened
    wide = opened.thickening()
    found = _size_and_stiffness(partial(said, age, widths=wide), file.name, unit, lambda done: told(0.5 + 0.5 * done))
    _, young, leaf = found or (unit, young, leaf)
    return replace(plain, text=said(age, unit, young, leaf, wide), unit=unit, young=young)


def _size_and_stiffness(
    said: Callable[[float, float], str], source: str, unit: float, told: Callable[[float], object]
) -> tuple[float, float, float] | None:
    """Unit, and Young's moduli of stems and of leaves that are tubes, by growing the text that is said with others;
    None of one that cannot be grown so quickly."""
    try:
        grammar = parse(said(unit or 1.0, _WOOD), source)
        string = derive(grammar, limits=_QUICKLY, told=lambda done: told(_DERIVED * done))  # knows no unit
        told(_DERIVED)
        skeleton = interpret(string, grammar, prune_below=0.0)
        told(_DRAWN)
        if not unit and len(skeleton):
            of_plant = ~skeleton.pinned | skeleton.pinned.all()
            ends = np.concatenate([skeleton.head, skeleton.tail()])[np.tile(of_plant, 2)]
            unit = float(f"{HEIGHT / max(float(np.ptp(ends, axis=0).max()), 1e-5):.2g}")
            skeleton = interpret(string, replace(grammar, unit=unit), prune_below=0.0)
    except LSystemError:
        return None
    leaf = young_of_leaves(skeleton, _SAG)
    young = max(young_that_sags(skeleton, _SAG), min(young_in_wind(skeleton, _GUST, _BENT), _USUAL_WOOD))
    stem = float(f"{min(max(young, _SOFTEST), _STIFFEST):.2g}") if young else _WOOD
    return unit or 0.01, stem, min(leaf, _STIFFEST)


def _last_frame(animation: Path | None) -> int:
    match = None if animation is None else _LAST_FRAME.search(read_text(animation))
    return int(match.group(1)) if match else 0


class _Files:
    """The files of a folder and below that are needed, and no others."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.found: dict[str, str] = {}

    def below(self, name: str) -> Path | None:
        """The file of this name, of the folder or below; None if there is none."""
        if not os.path.isfile(self.folder / name):  # also of what can be no name; others raise OSError there
            return None
        file = (self.folder / name).resolve()
        return file if file.is_relative_to(self.folder) else None

    def taken(self, name: str) -> str | None:
        """The text of a file, which is kept; None if there is none of this name."""
        file = self.below(name)
        if file is None:
            return None
        self.found[name] = read_text(file)
        return self.found[name]


def _only_one(path: Path) -> Path:
    if os.path.isfile(path):
        return path
    found = (objects_in(path) if os.path.isdir(path) else []) or files_in(path, ".l")
    if not found:
        message = "there is no .l file here"
        if programs := files_in(path, ".lpy"):
            message += f". {why_not_read('', programs[0].name)}"
        raise LSystemError(message, source=str(path))
    if len(found) > 1:
        names = ", ".join(str(file.relative_to(path)) for file in found[:_NAMED])
        more = f" and {len(found) - _NAMED} others" if len(found) > _NAMED else ""
        raise LSystemError(f"the folder has several L-systems; open one of {names}{more}", source=str(path))
    return found[0]
