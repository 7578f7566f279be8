# SPDX-License-Identifier: GPL-3.0-or-later
"""What the figures were measured on."""

import os
import platform
from pathlib import Path

import numpy as np

import solver


def describe(used: str = "One core is used.") -> str:
    """One paragraph: processor, cores, system and versions."""
    memory = ""
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        memory = f", {os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB of memory"
    return (
        f"Measured on: {_processor()}, {os.cpu_count()} cores{memory}, {platform.system()}; Python"
        f" {platform.python_version()}, NumPy {np.__version__}, kernels: {solver.running().how}. {used}\n"
    )


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def markdown(title: str, header: list[str], rows: list[list[str]], note: str = "") -> str:
    """Return a titled Markdown table."""
    lines = [f"## {title}\n"]
    lines += ["| " + " | ".join(cells) + " |" for cells in (header, ["---"] * len(header), *rows)]
    return "\n".join(lines) + "\n" + (f"\n{note}\n" if note else "")
