# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of the house, by reading the sources: who imports whom, and how long files and how full folders may be.

Each test lists all offenders.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGES = ("lsystem", "solver", "plant_dynamics_addon")
SOURCES = sorted(path for package in PACKAGES for path in (REPOSITORY / package).rglob("*.py"))
REST = ("tests", "tools", "benchmarks", "examples")
OTHERS = sorted(path for folder in REST for path in (REPOSITORY / folder).rglob("*.py"))

#: What packages may import besides themselves and Python's own modules; the add-on may import anything but numba.
OUTSIDE = {"lsystem": {"numpy"}, "solver": {"numpy", "numba", "llvmlite"}}

#: Rooms of a folder from the ground up, or files that stand between them: each imports those below only, and the
#: folder's other files stand above all.
FLOORS = {
    "lsystem": ("base", "expressions", "environment", "language", "turtle", "derivation", "articulated"),
    "solver": (
        "base", "machine", "math", "cross_sections", "model", "data", "world", "contact", "joints", "guides", "forces",
        "dynamics", "statics", "hall", "mechanisms",
    ),
    "plant_dynamics_addon": (
        "errors", "giving_up", "flag", "changes", "memory", "plants", "relations", "user_choices", "translations",
        "material_columns", "blender", "drawn_bones", "presets", "viewport",
        "dynamics", "rigging", "grow", "baking", "deletion", "studio", "comparison", "effort", "properties",
        "operators", "panels",
    ),
    "plant_dynamics_addon/dynamics": ("kernels", "solids", "rig", "surroundings", "cache", "measure", "motion", "live"),
    "plant_dynamics_addon/grow": ("mesh", "looks", "objects"),
    "plant_dynamics_addon/operators": (
        "common", "slow_work", "setup", "growing", "world", "playing", "results", "fixes",
    ),
}  # fmt: skip

#: Folders that import nothing but themselves, NumPy and Python's own modules.
PURE = ("plant_dynamics_addon/grow/mesh",)

#: Where benchmarks, tools and tests have what they share; nobody imports a test.
SHARED = ("tests.forms", "tests.oracles", "tests.surveys", "tests.blender.scenes", "tests.grow.", "tests.lsystem.")

#: Names that begin with an underscore and are public all the same: of named tuples, of Python, of ctypes' libraries,
#: and of Blender, which has no other way to ask for its own warnings.
PUBLIC = {"_replace", "_asdict", "_exit", "_getframe", "_name", "_is_first_reset", "_extensions_warnings_get"}

OWN = ("self", "cls")  # of whom a class may reach everything

MAX_LINES, MAX_FILES = 400, 16


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All of its nodes."""
    return tuple(ast.walk(tree(path)))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the level (number of leading dots) and the name of every imported module."""
    for node in nodes(path):
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
    return "/".join([*package[: len(package) + 1 - level], *name.split(".")])


def own_imports(path: Path) -> set[str]:
    """Modules of ours that a file imports, as paths from the repository's root without the suffix."""
    return {target(path, level, name) for level, name in imports(path) if level}


def named(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


def test_the_packages_are_there() -> None:
    assert {path.relative_to(REPOSITORY).parts[0] for path in SOURCES} == set(PACKAGES)
    for folder, rooms in FLOORS.items():
        inside = {path.parent.name for path in (REPOSITORY / folder).glob("*/__init__.py")}
        files = {name for name in rooms if (REPOSITORY / folder / f"{name}.py").is_file()}
        assert inside == set(rooms) - files, folder


def test_packages_import_only_what_they_may() -> None:
    offenders = []
    for path in SOURCES:
        package = path.relative_to(REPOSITORY).parts[0]
        for level, name in imports(path):
            top = target(path, level, name).split("/")[0] if level else name.split(".")[0]
            if level:
                allowed = package == "plant_dynamics_addon" or top == package
            elif package in OUTSIDE:
                allowed = top in OUTSIDE[package] | sys.stdlib_module_names
            else:
                allowed = top not in {*PACKAGES, "numba", "llvmlite"}  # ours are imported relatively
            if not allowed:
                offenders.append(f"{named(path)} imports {name}")
    assert not offenders


def test_rooms_import_only_those_below() -> None:
    offenders = []
    for folder, rooms in FLOORS.items():
        for path in (REPOSITORY / folder).rglob("*.py"):
            here = path.relative_to(REPOSITORY / folder).parts[0].removesuffix(".py")
            for module in own_imports(path):
                if here in rooms and module.startswith(f"{folder}/"):
                    there = module.removeprefix(f"{folder}/").split("/")[0]
                    if there not in rooms[: rooms.index(here) + 1]:
                        offenders.append(f"{named(path)} imports {module}")
    assert not offenders


def test_pure_folders_know_nothing_of_blender() -> None:
    offenders = []
    for folder in PURE:
        for path in (REPOSITORY / folder).rglob("*.py"):
            reached = {one for one in own_imports(path) if not one.startswith(f"{folder}/")}
            reached |= {name.split(".")[0] for level, name in imports(path) if not level}
            offenders += [f"{named(path)} imports {one}" for one in reached - {"numpy"} - sys.stdlib_module_names]
    assert not offenders


def test_no_imports_go_around() -> None:
    known = {path: {REPOSITORY / f"{one}.py" for one in _when_imported(path)} for path in SOURCES}
    while free := [path for path, needs in known.items() if not needs & known.keys()]:
        for path in free:
            del known[path]
    assert not known, f"a circle among {sorted(map(named, known))}"


def _when_imported(path: Path) -> set[str]:
    """What a file imports when it is imported itself, not later in a function."""
    return {
        target(path, node.level, name)
        for node in tree(path).body
        if isinstance(node, ast.ImportFrom) and node.level
        for name in _names_of(node)
    }


def _names_of(node: ast.ImportFrom) -> list[str]:
    """What may be a module in `from module import name`: the module, and each name in it."""
    within = [node.module] if node.module else []
    return within + [".".join([*within, alias.name]) for alias in node.names]


def test_the_module_path_is_not_touched() -> None:
    assert not [
        f"{named(path)}:{node.lineno}"
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr == "path" and isinstance(node.value, ast.Name)
        if node.value.id == "sys"
    ]


def test_no_text_is_run_as_code() -> None:
    """A .blend from a stranger must not run code: no eval, exec or compile, and no unpickling."""
    offenders = []
    for path in SOURCES:
        called = {node.func for node in nodes(path) if isinstance(node, ast.Call)}
        runs = {one.id for one in called if isinstance(one, ast.Name)} & {"eval", "exec", "compile", "__import__"}
        loads = {name.split(".")[0] for _, name in imports(path)} & {"pickle", "marshal", "shelve"}
        offenders += [f"{named(path)} uses {one}" for one in runs | loads]
    assert not offenders


def test_files_are_short_and_licensed() -> None:
    offenders = []
    for path in SOURCES + OTHERS:
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) > MAX_LINES or lines[lines[0].startswith("#!")] != "# SPDX-License-Identifier: GPL-3.0-or-later":
            offenders.append(f"{named(path)}: {len(lines)} lines")
    assert not offenders


def test_folders_are_small() -> None:
    tested = [path for path in OTHERS if path.parts[len(REPOSITORY.parts)] == "tests"]
    counts = {folder: len(list(folder.glob("*.py"))) for folder in {path.parent for path in (*SOURCES, *tested)}}
    assert not {named(folder): count for folder, count in counts.items() if count > MAX_FILES}


def test_a_load_touches_few_files() -> None:
    """Those that speak of lift: a kind of load with a law of the solver has files of its own and is listed in three."""
    word = re.compile(r"\b(lift|lifts|lifted|Lift|Lifts|LIFT)\b")  # which in growing is the height of something
    sources = (path for path in SOURCES if not named(path).startswith(("lsystem/", "plant_dynamics_addon/grow/")))
    naming = {named(path) for path in sources if word.search(path.read_text(encoding="utf-8"))}
    addon = "plant_dynamics_addon/dynamics/surroundings/loads"
    own = {"solver/forces/lift.py", f"{addon}/lifts.py"}
    listing = {"solver/world/sample.py", "solver/sampling.py", f"{addon}/kinds.py"}
    assert naming == own | listing


def test_no_two_kernels_have_one_name() -> None:
    """The library knows them by it, without the underscore."""
    names = [
        node.name.lstrip("_")
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef) and "kernel" in map(ast.unparse, node.decorator_list)
    ]
    assert len(names) > 30
    assert not [name for name in set(names) if names.count(name) > 1]


def test_root_imports_nothing_before_blender_asks() -> None:
    root = tree(REPOSITORY / "__init__.py")
    names = [node.name for node in root.body if isinstance(node, ast.FunctionDef)]
    assert names == ["register", "unregister"]
    assert not any(isinstance(node, ast.Import | ast.ImportFrom) for node in root.body)


def test_nobody_imports_a_test() -> None:
    """Scripts in quotes, which other processes run, are looked through too."""
    offenders = []
    for path in OTHERS:
        for name in re.findall(r"^\s*(?:from|import) (tests\.\S+(?: import \S+)?)", path.read_text("utf-8"), re.M):
            if "test_" in name or "conftest" in name or not name.startswith(SHARED):
                offenders.append(f"{named(path)} imports {name}")
    assert not offenders


def test_nobody_reaches_for_what_is_private() -> None:
    assert not [
        f"{named(path)}:{line} reaches {name}"
        for path in OTHERS
        for line, name in _reached(path)
        if name.startswith("_") and not name.startswith("__") and name not in PUBLIC
    ]


def _reached(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and name of what a file takes of others: attributes, also by their names as text as monkeypatch takes
    them or as keywords of what stands for an object, and imports."""
    for node in nodes(path):
        if isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id in OWN):
            yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call):
            yield from ((node.lineno, keyword.arg) for keyword in node.keywords if keyword.arg)
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("getattr", "setattr", "hasattr", "delattr"):
                texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                yield from ((node.lineno, text.split(".")[-1]) for text in texts)


def test_only_one_folder_tells_versions_of_blender_apart() -> None:
    others = [path for path in SOURCES if not named(path).startswith("plant_dynamics_addon/blender/")]
    assert not [
        f"{named(path)}:{node.lineno}"
        for path in others
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr == "version" and ast.unparse(node) == "bpy.app.version"
    ]
