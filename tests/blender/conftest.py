# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender as a Python module, with the extension enabled from a temporary user folder.

Without `bpy` these tests are left out, unless PLANT_DYNAMICS_REQUIRE_BPY is set as tools/test.sh does.
"""

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from tests.blender.scenes.extension import EXTENSION, link_extension

if TYPE_CHECKING:
    from tests.blender.scenes.grown.presets import GrownPresets

BPY_FOUND = importlib.util.find_spec("bpy") is not None

if not BPY_FOUND and not os.environ.get("PLANT_DYNAMICS_REQUIRE_BPY"):
    collect_ignore_glob = ["*"]

_user_folder: Path | None = None
_exit_status: int | None = None


if BPY_FOUND:
    # bpy reads these variables when it is imported; addon_utils and mathutils are there only after that.
    if "bpy" in sys.modules:
        raise pytest.UsageError("bpy was imported before tests/blender/conftest.py could set its user folder")
    _user_folder = Path(tempfile.mkdtemp(prefix="plant_dynamics_tests_"))
    os.environ["BLENDER_USER_RESOURCES"] = str(_user_folder)
    os.environ["BLENDER_USER_EXTENSIONS"] = str(_user_folder / "extensions")
    link_extension(_user_folder / "extensions" / "user_default" / "plant_dynamics")
    importlib.import_module("bpy")  # now, for the rooms' own conftest.py need it


def pytest_sessionfinish(exitstatus: int) -> None:
    global _exit_status
    _exit_status = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """End the process at once: some releases of bpy hang when Python tears them down.

    By now the summary is printed and reports are written.
    """
    if _user_folder is not None:
        shutil.rmtree(_user_folder, ignore_errors=True)
    if "bpy" in sys.modules and _exit_status is not None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_exit_status)


@pytest.fixture(scope="session")
def addon() -> ModuleType:
    """The extension's root module, enabled as Blender enables it."""
    import addon_utils

    module = addon_utils.enable(EXTENSION, default_set=True)
    assert module is not None, f"{EXTENSION} could not be enabled; its error is printed above"
    return module


@pytest.fixture(scope="session")
def presets(addon: ModuleType) -> "GrownPresets":
    """Grows presets, and remembers what several tests ask of all of them."""
    from tests.blender.scenes.grown.presets import GrownPresets  # which needs bpy

    return GrownPresets(addon)


@pytest.fixture
def fresh(addon: ModuleType) -> ModuleType:
    """An empty file with the extension enabled; gives the extension's root module."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return addon


@pytest.fixture
def run_operator(addon: ModuleType) -> Callable[..., None]:
    """Call an operator of the extension by its name and check that it finished.

    An error that the operator reports raises RuntimeError with its text, as everywhere in Blender's Python.
    """
    import bpy

    def run(name: str, **properties: Any) -> None:
        operator = getattr(bpy.ops.plant_dynamics, name)
        assert operator.poll(), f"plant_dynamics.{name} is not available in this context"
        result = operator(**properties)
        assert result == {"FINISHED"}, f"plant_dynamics.{name} returned {result}"

    return run


@pytest.fixture
def select_only(addon: ModuleType) -> Callable[..., None]:
    """Select the given objects and no others; the first becomes active."""
    import bpy

    def select(*objects: Any) -> None:
        for candidate in bpy.context.view_layer.objects:
            candidate.select_set(candidate in objects)
        bpy.context.view_layer.objects.active = objects[0]

    return select


@pytest.fixture(scope="session")
def extension_folder(addon: ModuleType) -> Path:
    """The user folder of extensions in which the extension under test is installed."""
    assert _user_folder is not None
    return _user_folder / "extensions"


@pytest.fixture(scope="session")
def blender_executable() -> str:
    """A Blender that can open a window; tests that want one are skipped without it."""
    executable = os.environ.get("BLENDER")
    if not executable:
        pytest.skip("the environment variable BLENDER names no Blender executable")
    return executable
