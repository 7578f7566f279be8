# SPDX-License-Identifier: GPL-3.0-or-later
"""The command that proves kernels says what it proved, and ends with an error where that is not what was asked for."""

import hashlib
import sys
from pathlib import Path

import pytest

from tools import prove_kernels
from tools.kernel_calls import Comparison

RUN = Comparison(calls=3, numbers=100)


@pytest.fixture
def proving(monkeypatch, tmp_path: Path):
    """Runs the command with these words where libraries are but nothing runs; gives its status."""
    (tmp_path / "digest.txt").write_text(prove_kernels.sources.digest())
    for name in prove_kernels.PLATFORMS:
        library = tmp_path / prove_kernels.kernel_library.library_name(name)
        library.touch()
        library.with_name(f"{library.name}.sha256").write_text(hashlib.sha256().hexdigest())
    monkeypatch.setattr(prove_kernels, "LIBRARIES", tmp_path)
    monkeypatch.setattr(prove_kernels, "prepare", lambda: None)
    monkeypatch.setattr(prove_kernels, "command_of", lambda way: None if "Wine" in way.name else [])
    monkeypatch.setattr(prove_kernels, "run", lambda way, command, every: [(way.runs[0], RUN)])
    monkeypatch.delenv(prove_kernels.VARIABLE, raising=False)

    def status(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["prove_kernels", *words])
        with pytest.raises(SystemExit) as found:
            prove_kernels.main()
        return found.value.code

    return status


def test_what_cannot_be_proved_is_said(proving, capsys) -> None:
    assert proving() == 0
    said = capsys.readouterr().out
    assert "Proved: " in said
    assert "Not proved: windows-x64 (Wine): needs Debian's packages wine64" in said
    assert "Not proved: macos-x64 (its code in Linux) v4: this processor cannot" in said


def test_what_is_asked_for_must_be_proved(proving, monkeypatch) -> None:
    assert proving("--native") == 0
    assert proving("--only", "macos") == 0
    assert proving("--only", "windows-x64") == 1
    assert proving("--all") == 1
    assert proving("--only", "amiga") == 2
    (prove_kernels.LIBRARIES / "macos-x64.dylib").unlink()
    assert proving("--only", "macos") == 1


def test_a_damaged_library_is_not_run(proving, capsys) -> None:
    (prove_kernels.LIBRARIES / "windows-arm64.dll").write_bytes(b"other")
    (prove_kernels.LIBRARIES / "macos-arm64.dylib.sha256").unlink()
    assert proving() == 0
    said = capsys.readouterr().out
    for name in ("windows-arm64", "macos-arm64"):
        assert f"Not proved: {name} (its code in Linux, qemu): the library is damaged" in said
    assert proving("--only", "windows-arm64") == 1


@pytest.mark.parametrize("run", [Comparison(), Comparison(calls=3, numbers=100, different=1)])
def test_runs_without_calls_prove_nothing(proving, monkeypatch, run: Comparison) -> None:
    monkeypatch.setattr(prove_kernels, "run", lambda way, command, every: [(way.runs[0], run)])
    assert proving() == 1
    monkeypatch.setattr(prove_kernels, "run", lambda way, command, every: [])
    assert proving() == 1


def test_libraries_of_other_sources_are_refused(proving) -> None:
    (prove_kernels.LIBRARIES / "digest.txt").write_text("another")
    assert "no libraries made from these sources" in proving()


def test_recordings_are_kept_until_there_are_others(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(prove_kernels, "FOLDER", tmp_path / "proof")
    program = prove_kernels.program
    monkeypatch.setattr(prove_kernels, "make_program", lambda name, folder: (folder / program(name)).touch())
    texts = iter(["first", "second"])

    def record(folder: Path) -> None:
        for name in (prove_kernels.CALLS, prove_kernels.FOUND):
            (folder / name).write_text(next(texts))

    monkeypatch.setattr(prove_kernels, "record", record)
    prove_kernels.prepare()
    prove_kernels.prepare()
    calls = tmp_path / "proof" / prove_kernels.CALLS
    assert calls.read_text() == "first"
    monkeypatch.setattr(prove_kernels, "stamp", lambda: "another")
    with pytest.raises(StopIteration):
        prove_kernels.prepare()
    assert calls.read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["proof"]
    texts = iter(["third", "fourth"])
    prove_kernels.prepare()
    assert calls.read_text() == "third"
    calls.unlink()
    texts = iter(["fifth", "sixth"])
    prove_kernels.prepare()
    assert calls.read_text() == "fifth"
