# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings of the files beside, as cpfg itself derives them.

The `.raw` and `.homo` files are what cpfg (of vlab 9bf820d) made of the `.l` files, one module a line, before and after
its homomorphism; the `.l` files are ours, and each says what it is about.
"""

import math
from array import array
from collections.abc import Iterable
from pathlib import Path

import pytest

from lsystem import ModuleString, derive, open_object, parse

FILES = Path(__file__).parent / "files"


def singles(values: Iterable[float]) -> list[float | None]:
    """Numbers in single precision, in which cpfg keeps them; None for what is no number."""
    return [None if math.isnan(value) else value for value in array("f", values)]


def modules(string: ModuleString) -> list[tuple[str, list[float | None]]]:
    """Symbols with their parameters."""
    return [(module.symbol, singles(module.params)) for module in string]


def written(name: str) -> list[tuple[str, list[float | None]]]:
    """The modules in a file of cpfg's."""
    lines = (FILES / name).read_text(encoding="latin-1").splitlines()
    return [(line[0], singles(map(float, line[2:-1].split(",") if len(line) > 1 else []))) for line in lines]


@pytest.mark.parametrize("name", sorted(path.stem for path in FILES.glob("*.l")))
def test_a_string_is_cpfgs(name: str):
    grammar = parse(open_object(FILES / f"{name}.l").text, f"{name}.l")
    assert modules(derive(grammar, interpreted=False)) == written(f"{name}.raw")
    assert modules(derive(grammar)) == written(f"{name}.homo")
