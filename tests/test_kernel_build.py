# SPDX-License-Identifier: GPL-3.0-or-later
"""A build of the kernels notices whatever its libraries would differ by, and is not disturbed by another one."""

import threading
from pathlib import Path

import pytest

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


def test_sources_that_are_edited_meanwhile_are_refused(monkeypatch, folder: Path) -> None:
    digest = build.build_digest()

    def edited(*arguments, **keywords):
        monkeypatch.setattr(build.sources, "digest", lambda: "others")

    monkeypatch.setattr(build.subprocess, "run", edited)
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
