# SPDX-License-Identifier: GPL-3.0-or-later
"""Which code a cache on disk hangs on: every source that shapes motion, whoever adds or moves one."""

import ast
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.blender.scenes.busy_plant import module
from tests.blender.scenes.extension import PACKED, REPOSITORY


@pytest.fixture(scope="module")
def digests(addon) -> Iterator[ModuleType]:
    """The module, which need not parse the same source again for every test."""
    found = module(addon, "dynamics.cache.digests")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(found, "ast", SimpleNamespace(parse=cache(ast.parse), ImportFrom=ast.ImportFrom))
        yield found


@pytest.fixture
def tree(tmp_path) -> Path:
    """The extension's sources, to be changed."""
    for name in PACKED:
        if (REPOSITORY / name).is_dir():
            shutil.copytree(REPOSITORY / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.json"))
        else:
            shutil.copy(REPOSITORY / name, tmp_path)
    return tmp_path


def sources_of(digests, tree: Path) -> set[str]:
    found = digests.sources_of_motion(tree)
    return {path.relative_to(tree).as_posix() for path in found}


def test_the_digest_is_that_of_the_running_code(digests, tree):
    assert digests.own_code() == digests.code_digest(tree)


def test_every_source_that_shapes_motion_changes_it(digests, tree, monkeypatch):
    """The digest is made of the names and contents of all of them; of some it is seen to change."""
    before, sources = digests.code_digest(tree), sources_of(digests, tree)
    rooms = {
        "": ("errors", "user_choices"), "baking/": ("walk",), "dynamics/motion/": ("run_up", "session"),
        "dynamics/rig/": ("armature_reader", "rod_columns"),
        "dynamics/surroundings/": ("inputs", "winds", "field_laws", "force_fields"),
    }  # fmt: skip
    named = {f"plant_dynamics_addon/{room}{name}.py" for room, names in rooms.items() for name in names}
    assert named <= sources
    assert {path.relative_to(tree).as_posix() for path in (tree / "solver").rglob("*.py")} <= sources
    parts = []
    with monkeypatch.context() as patch:
        patch.setattr(digests.hashlib, "blake2b", lambda **_: SimpleNamespace(update=parts.append, digest=bytes))
        digests.code_digest(tree)
    assert sorted(parts) == sorted(source.encode() + (tree / source).read_bytes() for source in sources)
    for source in ("plant_dynamics_addon/errors.py", "solver/simulation.py"):
        content = (tree / source).read_bytes()
        (tree / source).write_bytes(content + b"\n")
        assert digests.code_digest(tree) != before, source
        (tree / source).write_bytes(content)
    assert digests.code_digest(tree) == before


def test_what_does_not_shape_motion_does_not(digests, tree):
    before = digests.code_digest(tree)
    addon = "plant_dynamics_addon"
    for name in ("lsystem/turtle/turtle.py", f"{addon}/panels/plant.py", f"{addon}/grow/objects/pot.py"):
        with open(tree / name, "a", encoding="utf-8") as file:
            file.write("\n")
    assert digests.code_digest(tree) == before


@pytest.mark.parametrize(
    ("importer", "line", "new"),
    [
        ("solver/simulation.py", "from .laws import drag", "solver/laws/drag.py"),
        ("solver/simulation.py", "from .laws.drag import force", "solver/laws/__init__.py"),
        ("plant_dynamics_addon/dynamics/motion/session.py", "from ... import seasons",
         "plant_dynamics_addon/seasons.py"),
        ("plant_dynamics_addon/dynamics/surroundings/inputs.py", "def late():\n    from ...world.sun import light",
         "plant_dynamics_addon/world/sun.py"),
        ("plant_dynamics_addon/errors.py", "from .texts import told", "plant_dynamics_addon/texts.py"),
    ],
)  # fmt: skip
def test_a_new_source_counts_from_its_first_import_on(digests, tree, importer, line, new):
    (tree / new).parent.mkdir(exist_ok=True)
    (tree / new).write_text("force = 1\n", encoding="utf-8")
    with open(tree / importer, "a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    before = digests.code_digest(tree)
    (tree / new).write_text("force = 2\n", encoding="utf-8")
    assert digests.code_digest(tree) != before


def test_whatever_the_simulation_uses_is_among_them(addon, digests):
    """By the objects that the loaded modules hold, whichever way they came by them."""
    sources = sources_of(digests, REPOSITORY)
    prefix = f"{addon.__name__}."
    files = {
        name: Path(loaded.__file__).resolve().relative_to(REPOSITORY).as_posix()
        for name, loaded in sys.modules.items()
        if name.startswith(prefix) and getattr(loaded, "__file__", None)
    }
    used = 0
    for name, file in files.items():
        if file in sources:
            own = f"{name}."  # a package holds its modules without using them
            for value in vars(sys.modules[name]).values():
                origin = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
                if isinstance(origin, str) and origin in files and not origin.startswith(own):
                    used += 1
                    assert files[origin] in sources, f"{name} uses {origin}"
    assert used > 300
