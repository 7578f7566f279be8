# SPDX-License-Identifier: GPL-3.0-or-later
"""The platforms that kernels are compiled for, and where their libraries are."""

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1] / "build" / "kernels"


class Platform(NamedTuple):
    """LLVM's triple, zig's target and further options of its linker."""

    triple: str
    zig: str
    options: tuple[str, ...] = ()


PLATFORMS = {
    "linux-x64": Platform("x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.28", ("-nostdlib",)),
    "linux-arm64": Platform("aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.28", ("-nostdlib",)),
    "windows-x64": Platform("x86_64-w64-windows-gnu", "x86_64-windows-gnu"),
    "windows-arm64": Platform("aarch64-w64-windows-gnu", "aarch64-windows-gnu"),
    "macos-x64": Platform("x86_64-apple-macosx11.0.0", "x86_64-macos.11.0"),
    "macos-arm64": Platform("arm64-apple-macosx11.0.0", "aarch64-macos.11.0"),
}
