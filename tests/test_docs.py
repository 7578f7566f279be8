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


def run(text: str, folder: Path) -> None:
    """Run a script as one in the repository's folder."""
    script = folder / "example.py"
    script.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(REPOSITORY))
    try:
        runpy.run_path(str(script))
    finally:
        sys.path.remove(str(REPOSITORY))


def test_example_without_blender(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(next(text for _, text in blocks(REPOSITORY / "README.md", "python") if "import bpy" not in text), tmp_path)
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("page", ["solver", "mechanisms"])
def test_pages_of_the_solver(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their Python blocks are one script; each prints what the text block right behind it says, or nothing."""
    text = (REPOSITORY / "docs" / f"{page}.md").read_text(encoding="utf-8")
    steps = re.findall(r"^```python\n((?:.*\n)*?)```\n(?:\n```text\n((?:.*\n)*?)```\n)?", text, re.MULTILINE)
    assert len(steps) == text.count("```python") > 8
    assert sum(bool(expected) for _, expected in steps) == text.count("```text")
    mark = "next block\n"
    run("\n".join(f"print(end={mark!r})\n{code}" for code, _ in steps), tmp_path)
    printed = capsys.readouterr().out.split(mark)[1:]
    assert printed == [expected for _, expected in steps]


def test_materials_page_is_up_to_date() -> None:
    page = runpy.run_path(str(REPOSITORY / "tools" / "materials_page.py"))
    assert page["PAGE"].read_text(encoding="utf-8") == page["page"](), "run python tools/materials_page.py"


def headings(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_anchors_are_headings(page: Path) -> None:
    for name, anchor in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", page.read_text(encoding="utf-8")):
        target = (page.parent / name).resolve() if name else page
        assert anchor in headings(target), f"{name}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", page.read_text(encoding="utf-8"))
    targets += re.findall(r'src="([^"]+)"', page.read_text(encoding="utf-8"))
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert not missing
