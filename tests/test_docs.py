# SPDX-License-Identifier: GPL-3.0-or-later
"""What the documentation shows runs, and gives what it says."""

import re
import runpy
import sys
from pathlib import Path

import pytest

from lsystem import LSystemError, derive, interpret, is_articulated, parse, read_articulated

REPOSITORY = Path(__file__).resolve().parent.parent
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]


def blocks(page: Path, language: str) -> list[tuple[str, str]]:
    """(what follows the language's name, text) of the fenced blocks of a page."""
    return re.findall(rf"^```{language}\b *(.*)\n((?:.*\n)*?)```$", page.read_text(encoding="utf-8"), re.MULTILINE)


EXAMPLES = [(page.name, *block) for page in PAGES for block in blocks(page, "lsys")]


def result(text: str) -> str:
    """What growing the text comes to, as the documents write it."""
    try:
        grammar = parse(text)
        modules = derive(grammar)
        if is_articulated(modules):
            return f"bodies={len(read_articulated(modules))}"
        return f"segments={len(interpret(modules, grammar))}"
    except LSystemError as error:
        return f'error="line {error.line}, column {error.column}: {error.message}"'


@pytest.mark.parametrize(("page", "expected", "text"), EXAMPLES)
def test_l_systems_grow(page: str, expected: str, text: str) -> None:
    assert result(text) == expected


def test_there_are_l_systems() -> None:
    assert len(EXAMPLES) > 5


def test_example_without_blender(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = next(text for _, text in blocks(REPOSITORY / "README.md", "python") if "import bpy" not in text)
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    sys.path.insert(0, str(REPOSITORY))
    try:
        runpy.run_path(str(script))
    finally:
        sys.path.remove(str(REPOSITORY))
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", page.read_text(encoding="utf-8"))
    targets += re.findall(r'src="([^"]+)"', page.read_text(encoding="utf-8"))
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert not missing
