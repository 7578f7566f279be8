#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the packages of a dependency group of pyproject.toml, one a line, for pip releases without `--group`."""

import sys
import tomllib
from pathlib import Path


def requirements(groups: dict[str, list[str | dict[str, str]]], name: str) -> list[str]:
    lines: list[str] = []
    for entry in groups[name]:
        lines += [entry] if isinstance(entry, str) else requirements(groups, entry["include-group"])
    return lines


if __name__ == "__main__":
    pyproject = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    print("\n".join(requirements(pyproject["dependency-groups"], sys.argv[1])))
