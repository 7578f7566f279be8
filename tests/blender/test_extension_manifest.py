# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written in more than one place agrees."""

import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
MANIFEST = tomllib.loads((REPOSITORY / "blender_manifest.toml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
WHEELS = [Path(wheel).name for wheel in MANIFEST["wheels"]]


def test_one_version() -> None:
    assert PROJECT["project"]["version"] == MANIFEST["version"]


def test_tests_run_with_the_bundled_versions() -> None:
    bundled = {"==".join(wheel.split("-")[:2]) for wheel in WHEELS}
    assert set(PROJECT["dependency-groups"]["numba"]) == bundled


def test_every_wheel_has_a_checksum() -> None:
    lines = (REPOSITORY / "tools" / "wheels.sha256").read_text(encoding="ascii").splitlines()
    assert sorted(line.split()[1] for line in lines) == sorted(WHEELS)


def test_each_platform_and_python_has_each_wheel() -> None:
    endings = {"linux-x64": "_x86_64.whl", "macos-arm64": "_arm64.whl", "windows-x64": "_amd64.whl"}
    assert set(endings) == set(MANIFEST["platforms"])
    for name in ("numba", "llvmlite"):
        for tag in ("cp311", "cp313"):
            for ending in endings.values():
                matching = [w for w in WHEELS if w.startswith(f"{name}-") and f"-{tag}-" in w and w.endswith(ending)]
                assert len(matching) == 1, (name, tag, ending)
