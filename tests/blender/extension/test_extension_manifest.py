# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written in more than one place agrees."""

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

REPOSITORY = Path(__file__).resolve().parents[3]
MANIFEST = tomllib.loads((REPOSITORY / "blender_manifest.toml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, REPOSITORY / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_one_version() -> None:
    assert PROJECT["project"]["version"] == MANIFEST["version"]


def test_every_platform_has_kernels_and_a_wheel() -> None:
    platforms = set(MANIFEST["platforms"])
    assert platforms == set(tool("kernel_wheels").TAGS)
    assert platforms == set(tool("kernel_platforms").PLATFORMS)


def test_one_name_of_the_wheels() -> None:
    text = (REPOSITORY / "solver" / "machine" / "library.py").read_text(encoding="utf-8")
    assert f'PACKAGE = "{tool("kernel_wheels").PACKAGE}"' in text


def test_a_checkout_names_no_wheels() -> None:
    assert "wheels" not in MANIFEST, "they are there in zips only, where the build names them"
