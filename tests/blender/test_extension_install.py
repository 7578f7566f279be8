# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip that users download: built, installed into an empty user folder, enabled, its bundled numba run."""

import json
import os
import platform
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
CHECK = Path(__file__).with_name("install_check.py")
MANIFEST = tomllib.loads((REPOSITORY / "blender_manifest.toml").read_text(encoding="utf-8"))
SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
MACHINES = {"x86_64": "x64", "amd64": "x64", "arm64": "arm64", "aarch64": "arm64"}
THIS_PLATFORM = f"{SYSTEMS.get(sys.platform)}-{MACHINES.get(platform.machine().lower())}"

pytestmark = pytest.mark.skipif(THIS_PLATFORM not in MANIFEST["platforms"], reason=f"no zip for {THIS_PLATFORM}")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip for the running platform; the build validates it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, REPOSITORY / "tools" / "build_extension", "--platform", THIS_PLATFORM]
    subprocess.run([*command, "--output-dir", folder], check=True, timeout=280)
    (archive,) = folder.glob("*.zip")
    return archive


@pytest.fixture(scope="module")
def python_without_numba(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A virtual environment with all that this one has but numba, as a user's Blender."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    here = Path(sysconfig.get_path("purelib"))
    there = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
    for entry in here.iterdir():
        if not entry.name.startswith(("numba", "llvmlite")):
            (there / entry.name).symlink_to(entry)
    return str(folder / "bin" / "python")


def install(command: list[str], user_folder: Path) -> dict[str, Any]:
    """Run install_check.py with an empty user folder, far from the repository and its environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BLENDER_", "PYTHON", "NUMBA_"))}
    kept.pop("PLANT_DYNAMICS_CACHE_DIR", None)
    environment = {**kept, "BLENDER_USER_RESOURCES": str(user_folder), "HOME": str(user_folder)}
    result = subprocess.run(
        command, capture_output=True, text=True, cwd=user_folder, env=environment, timeout=280, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    found = json.loads(next(line for line in reversed(result.stdout.splitlines()) if line.startswith("{")))
    print(found)
    return found


def check(found: dict[str, Any], user_folder: Path) -> None:
    assert found["result"] == ["FINISHED"]
    assert found["enabled"]
    assert found["baked"]
    assert found["compiled"] == 1
    assert found["solver_has_numba"]
    # The bundled wheels, not what the environment has.
    bundled = user_folder / "extensions" / ".local"
    assert Path(found["numba_file"]).is_relative_to(bundled)
    assert Path(found["llvmlite_file"]).is_relative_to(bundled)


def test_zip_runs_in_bpy(archive: Path, tmp_path: Path, python_without_numba: str) -> None:
    check(install([python_without_numba, str(CHECK), str(archive)], tmp_path), tmp_path)


@pytest.mark.window
def test_zip_runs_in_blender(archive: Path, tmp_path: Path, blender_executable: str) -> None:
    options = ["--background", "--python-exit-code", "3", "--python", str(CHECK), "--", str(archive)]
    check(install([blender_executable, *options], tmp_path), tmp_path)
