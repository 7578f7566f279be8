# SPDX-License-Identifier: GPL-3.0-or-later
"""The zip that users download: built, installed into an empty user folder, enabled, played at once."""

import base64
import hashlib
import io
import json
import os
import platform
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]
CHECK = REPOSITORY / "tests" / "blender" / "scenes" / "install_check.py"
MANIFEST = tomllib.loads((REPOSITORY / "blender_manifest.toml").read_text(encoding="utf-8"))
SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}
MACHINES = {"x86_64": "x64", "amd64": "x64", "arm64": "arm64", "aarch64": "arm64"}
THIS_PLATFORM = f"{SYSTEMS.get(sys.platform)}-{MACHINES.get(platform.machine().lower())}"

pytestmark = pytest.mark.skipif(THIS_PLATFORM not in MANIFEST["platforms"], reason=f"no zip for {THIS_PLATFORM}")


def build(folder: Path, *options: str) -> Path:
    """A zip, which the build validates."""
    command = [sys.executable, REPOSITORY / "tools" / "build_extension", "--output-dir", folder, *options]
    subprocess.run(command, check=True, timeout=280)
    (archive,) = folder.glob("*.zip")
    return archive


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip for the running platform."""
    return build(tmp_path_factory.mktemp("dist"), "--platform", THIS_PLATFORM)


def install(command: list[str], user_folder: Path) -> dict[str, Any]:
    """Run install_check.py with an empty user folder, far from the repository and its environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("BLENDER_", "PYTHON", "PLANT_"))}
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
    assert found["largest_turn"] > 1e-4
    assert found["baked"]
    how, problem = found["running"]
    assert how in {"v2", "v3", "v4", "v8"}, problem
    assert Path(found["library"]).is_relative_to(user_folder / "extensions" / ".local"), "that of the zip's wheel"
    assert not found["numba"]
    seconds = found["processor_seconds"]
    assert seconds["growing_and_playing"] <= seconds["enabling"], "nothing is compiled, and little is prepared"


def test_zip_runs_in_bpy(archive: Path, tmp_path: Path) -> None:
    check(install([sys.executable, str(CHECK), str(archive)], tmp_path), tmp_path)


def test_a_zip_has_the_same_bytes_every_time_and_a_wheel_that_pip_would_take(archive: Path, tmp_path: Path) -> None:
    assert build(tmp_path, "--platform", THIS_PLATFORM).read_bytes() == archive.read_bytes()
    with zipfile.ZipFile(archive) as made:
        manifest = tomllib.loads(made.read("blender_manifest.toml").decode())
        (wheel,) = manifest["wheels"]
        packed = zipfile.ZipFile(io.BytesIO(made.read(wheel.removeprefix("./"))))
    assert manifest["platforms"] == [THIS_PLATFORM]
    (record,) = (name for name in packed.namelist() if name.endswith(".dist-info/RECORD"))
    rows = dict(line.split(",", 1) for line in packed.read(record).decode().splitlines())
    assert set(rows) == set(packed.namelist())
    assert rows.pop(record) == ","
    for name, row in rows.items():
        content = packed.read(name)
        checksum = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        assert row == f"sha256={checksum},{len(content)}"


@pytest.mark.window
def test_zip_runs_in_blender(archive: Path, tmp_path: Path, blender_executable: str) -> None:
    options = ["--background", "--python-exit-code", "3", "--python", str(CHECK), "--", str(archive)]
    check(install([blender_executable, *options], tmp_path), tmp_path)
