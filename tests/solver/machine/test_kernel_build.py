# SPDX-License-Identifier: GPL-3.0-or-later
"""A build of the kernels notices whatever its libraries would differ by, and is not disturbed by another one."""

import hashlib
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools import kernel_wheels

build = pytest.importorskip("tools.build_kernels", reason="llvmlite is not installed", exc_type=ImportError)


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path: Path) -> Path:
    """Another place for libraries, in an environment that has all that compiles."""
    monkeypatch.setattr(build, "version", lambda package: "1.0")
    monkeypatch.setattr(build, "FOLDER", tmp_path / "kernels")
    (tmp_path / "kernels").mkdir()
    return tmp_path / "kernels"


def test_all_that_shapes_a_library_is_in_the_digest(monkeypatch, tmp_path: Path) -> None:
    digests = {build.build_digest()}
    level = tmp_path / "level.c"
    level.write_bytes(build.LEVEL.read_bytes())
    monkeypatch.setattr(build, "LEVEL", level)
    assert build.build_digest() in digests
    level.write_bytes(build.LEVEL.read_bytes() + b"/* another */")
    digests.add(build.build_digest())
    for package in ("numba", "llvmlite", "ziglang"):
        monkeypatch.setattr(build, "version", lambda name, changed=package: "2.0" if name == changed else "1.0")
        digests.add(build.build_digest())
    monkeypatch.setattr(build.sources, "digest", lambda: "others")
    digests.add(build.build_digest())
    assert len(digests) == 6


def test_libraries_of_another_build_are_not_kept(folder: Path) -> None:
    for digests, kept in (({"a": "1", "b": "2"}, False), ({"a": "1", "b": "2"}, True), ({"a": "1", "b": "3"}, False)):
        build.begin_with(digests)
        assert (folder / "library").exists() == kept
        assert {name: (folder / name).read_text().strip() for name in digests} == digests
        (folder / "library").touch()


@pytest.fixture
def built(monkeypatch, folder: Path):
    """Builds two libraries that are not really any; gives the names of those that were made."""

    def run(chosen: tuple[str, ...] = ("linux-x64", "windows-arm64")) -> list[str]:
        linked.clear()
        build.build(list(chosen))
        return sorted(linked)

    def made(command: list[str], **keywords) -> None:
        out = Path(command[command.index("-o") + 1])
        linked.append(out.name)
        out.write_bytes(out.name.encode() * 99)

    linked: list[str] = []
    monkeypatch.setattr(build.subprocess, "run", made)
    monkeypatch.setattr(build, "translate", lambda out, digest: None)
    monkeypatch.setattr(build, "assemble", lambda *arguments: None)
    monkeypatch.setattr(build, "ProcessPoolExecutor", lambda mp_context: ThreadPoolExecutor())
    return run


def test_every_library_has_its_hash_beside_it(built, folder: Path) -> None:
    assert built() == ["linux-x64.so", "windows-arm64.dll"]
    for name in ("linux-x64.so", "windows-arm64.dll"):
        known = (folder / f"{name}.sha256").read_bytes()
        assert known == f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}\n".encode()
    assert sorted(file.name for file in folder.iterdir()) == [
        "build.txt", "digest.txt", "linux-x64.so", "linux-x64.so.sha256", "windows-arm64.dll",
        "windows-arm64.dll.sha256",
    ]  # fmt: skip
    assert built() == []


def test_a_damaged_library_is_made_again(built, folder: Path) -> None:
    built()
    library = folder / "linux-x64.so"
    whole = library.read_bytes()
    library.write_bytes(whole[:100])
    assert built() == ["linux-x64.so"]
    assert library.read_bytes() == whole
    (folder / "linux-x64.so.sha256").unlink()
    assert built() == ["linux-x64.so"]
    library.unlink()
    assert built() == ["linux-x64.so"]
    assert built() == []


def test_a_wheel_carries_the_hash_of_its_library(built, folder: Path, tmp_path: Path) -> None:
    built()
    for platform, name in (("linux-x64", "linux-x64.so"), ("windows-arm64", "windows-arm64.dll")):
        library = kernel_wheels.library_of(folder, platform)
        assert library.name == name
        licence = build.REPOSITORY / "LICENSE"
        wheel = kernel_wheels.write_wheel(tmp_path, platform, "1.0", library, folder / "digest.txt", licence)
        place = tmp_path / platform
        zipfile.ZipFile(wheel).extractall(place)
        assert build.kernel_library.is_whole(place / kernel_wheels.PACKAGE / name)
        assert f"{kernel_wheels.PACKAGE}/{name}.sha256,sha256=" in next(place.glob("*/RECORD")).read_text()


def test_sources_that_are_edited_meanwhile_are_refused(monkeypatch, folder: Path) -> None:
    digest = build.build_digest()

    def edited(*arguments, **keywords):
        monkeypatch.setattr(build.sources, "digest", lambda: "others")

    monkeypatch.setattr(build.in_place, "translate", edited)
    with pytest.raises(SystemExit, match="changed while"):
        build.translate(folder / "kernels.ll", digest)
    assert not (folder / "kernels.ll").exists()


def test_a_second_build_waits() -> None:
    pytest.importorskip("fcntl")
    entered = threading.Event()

    def second() -> None:
        with build.alone():
            entered.set()

    with build.alone():
        other = threading.Thread(target=second)
        other.start()
        assert not entered.wait(0.2)
    assert entered.wait(5.0)
    other.join()
