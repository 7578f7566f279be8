# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of the house, by reading the sources: who imports whom, and how long a file may be."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("lsystem", "solver", "plant_dynamics_addon")
SOURCES = sorted(path for package in PACKAGES for path in (REPOSITORY / package).rglob("*.py"))
ALLOWED_OUTSIDE = {"lsystem": {"numpy"}, "solver": {"numpy", "numba", "llvmlite"}}
MAX_LINES = 400
MAX_FILES = 15  # of a folder that has rooms

REST = ("tests", "tools", "benchmarks", "examples")
OTHERS = sorted(path for folder in REST for path in (REPOSITORY / folder).rglob("*.py"))

each_source = pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(REPOSITORY)))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the level (number of leading dots) and the name of every imported module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.module is None:  # from . import name
                yield from ((node.level, alias.name) for alias in node.names)
            else:
                yield node.level, node.module


def target(path: Path, level: int, name: str) -> str:
    """Return the module that a relative import names, as a path from the repository's root."""
    package = list(path.relative_to(REPOSITORY).parts[:-1])
    assert level <= len(package) + 1, f"{path} imports from above the extension"
    return ".".join([*package[: len(package) + 1 - level], name])


def test_the_packages_are_there() -> None:
    assert {path.relative_to(REPOSITORY).parts[0] for path in SOURCES} == set(PACKAGES)


@each_source
def test_imports(path: Path) -> None:
    package = path.relative_to(REPOSITORY).parts[0]
    for level, name in imports(path):
        top = name.split(".")[0]
        if level:
            reached = target(path, level, name).split(".")[0]
            allowed = PACKAGES if package == "plant_dynamics_addon" else (package,)
            assert reached in allowed, f"{package} must not import {reached}"
        elif package in ALLOWED_OUTSIDE:
            assert top in ALLOWED_OUTSIDE[package] | sys.stdlib_module_names, f"{package} must not import {name}"
        else:
            assert top not in PACKAGES, f"{name} is imported relatively"
            assert top not in {"numba", "llvmlite"}, "only the solver knows numba"


@each_source
def test_flat_packages_use_single_dots(path: Path) -> None:
    if path.parent in {REPOSITORY / "lsystem", REPOSITORY / "solver"}:
        assert all(level <= 1 for level, _ in imports(path))


@each_source
def test_does_not_touch_the_module_path(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        touches = isinstance(node, ast.Attribute) and node.attr == "path" and isinstance(node.value, ast.Name)
        assert not (touches and node.value.id == "sys"), f"line {node.lineno} uses sys.path"


@each_source
def test_runs_no_text_as_code(path: Path) -> None:
    """A .blend from a stranger must not run code: no eval, exec or compile, and no unpickling."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"eval", "exec", "compile", "__import__"}, f"line {node.lineno}"
    assert not {name.split(".")[0] for _, name in imports(path)} & {"pickle", "marshal", "shelve"}


@pytest.mark.parametrize("path", SOURCES + OTHERS, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_file_is_short_and_licensed(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MAX_LINES
    assert lines[lines[0].startswith("#!")] == "# SPDX-License-Identifier: GPL-3.0-or-later"


def test_root_imports_nothing_before_blender_asks() -> None:
    tree = ast.parse((REPOSITORY / "__init__.py").read_text(encoding="utf-8"))
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert names == ["register", "unregister"]
    assert not any(isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body)


ROOMS = REPOSITORY / "plant_dynamics_addon" / "grow"
#: Of the rooms of `grow`, those that each may import; of `mesh` nothing else of ours, so that it runs without Blender.
MAY_IMPORT = {"mesh": {"mesh"}, "looks": {"looks", "mesh"}, "objects": {"objects", "looks", "mesh"}}
MESH_MAY_USE = {"numpy"} | sys.stdlib_module_names


@pytest.mark.parametrize("path", sorted(ROOMS.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOMS)))
def test_rooms_of_grow_know_only_those_below(path: Path) -> None:
    room = path.relative_to(ROOMS).parts[0]
    own = "plant_dynamics_addon.grow."
    for level, name in imports(path):
        reached = target(path, level, name) if level else name
        if room == "mesh":
            allowed = reached.startswith(own + "mesh.") if level else name.split(".")[0] in MESH_MAY_USE
            assert allowed, f"the mesh must not import {reached}"
        elif room in MAY_IMPORT and reached.startswith(own):
            assert reached.removeprefix(own).split(".")[0] in MAY_IMPORT[room], f"{room} must not import {reached}"


def test_folders_of_grow_are_small() -> None:
    for folder in {path.parent for path in ROOMS.rglob("*.py")}:
        assert len(list(folder.glob("*.py"))) <= MAX_FILES, folder


def test_no_imports_of_grow_go_around() -> None:
    known: dict[Path, set[Path]] = {}
    for path in ROOMS.rglob("*.py"):
        found = {REPOSITORY / (target(path, level, name).replace(".", "/") + ".py") for level, name in imports(path)}
        known[path] = {one for one in found if one.is_file()}
    while known:
        free = [path for path, needs in known.items() if not needs & known.keys()]
        assert free, f"a circle among {sorted(path.name for path in known)}"
        for path in free:
            del known[path]
