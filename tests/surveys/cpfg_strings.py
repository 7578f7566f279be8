# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings of cpfg's own examples beside those that cpfg derives.

    python -m tests.surveys.cpfg_strings FOLDER STRINGS [--last] [WORD]

FOLDER holds objects of VLAB (such as the folder ``oofs`` of AlgorithmicBotany/vlab), STRINGS what cpfg has made of
their `.l` files: of ``a/ext/b/plant.l`` the files ``a_ext_b_plant.raw`` and ``.homo``, one module a line, before and
after the homomorphism. With --last the strings at the end of its animation are compared: ``a_ext_b_plant@last.raw`` and
so on, after as many steps as the line ``current`` of ``@last.meta`` tells. Prints, for each file whose path contains
WORD, whether it is read, derived and the same, and how long it takes.
"""

import re
import sys
import time
from array import array
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from lsystem import Limits, LSystemError, ModuleString, derive, open_object, parse

LIMITS = Limits(max_modules=3_000_000)
_SYSTEM = re.compile(r"^[ \t]*Lsystem:", re.MULTILINE)


@dataclass
class Outcome:
    """What became of one file."""

    stage: str
    """"read", "derived", or what went wrong before."""
    raw: str = ""
    drawn: str = ""
    seconds: float = 0.0
    modules: int = 0

    def same(self) -> bool:
        return self.raw == self.drawn == "same"


def examples(folder: Path) -> list[Path]:
    """All files with an L-system of cpfg."""
    return sorted(path for path in folder.rglob("*.l") if _SYSTEM.search(path.read_text(errors="replace")))


def written(strings: Path, folder: Path, path: Path, kind: str) -> list[str] | None:
    """The lines of what cpfg has written of a file."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", str(path.relative_to(folder).with_suffix("")).removeprefix("ext/")).strip("_")
    file = strings / f"{name}{kind}"
    return file.read_text(encoding="latin-1").split("\n")[:-1] if file.is_file() else None


def compared(ours: ModuleString, theirs: list[str] | None) -> str:
    """Whether two strings are the same: symbols, and parameters in single precision; else where they part."""
    if theirs is None:
        return "nothing to compare"
    for place, (module, line) in enumerate(zip(ours, theirs, strict=False)):
        symbol, words = line[:1], line[2:-1].split(",") if len(line) > 1 else []
        values = array("f", map(float, words))
        if module.symbol != symbol or array("f", module.params) != values:
            return f"differs at {place}: {module}, {line}"
    return "same" if len(ours) == len(theirs) else f"{len(ours)} modules, not {len(theirs)}"


def outcome(strings: Path, folder: Path, path: Path, last: str = "") -> Outcome:
    """Read, derive and compare one file. last: "@last" at the end of its animation."""
    steps = None
    if last:
        told = written(strings, folder, path, f"{last}.meta") or []
        steps = next((int(line.split()[1]) for line in told if line.startswith("current ")), None)
        if steps is None:
            return Outcome("no animation")
    start = time.perf_counter()
    try:
        grammar = parse(open_object(path).text, path.name)
    except LSystemError as error:
        return Outcome(f"not read: {error}")
    result = Outcome("read")
    try:
        string = derive(grammar, steps, limits=LIMITS, interpreted=False)
        drawn = derive(grammar, steps, limits=LIMITS)
    except LSystemError as error:
        result.stage = f"not derived: {error}"
        return result
    result.seconds = time.perf_counter() - start
    result.stage, result.modules = "derived", len(drawn)
    result.raw = compared(string, written(strings, folder, path, f"{last}.raw"))
    result.drawn = compared(drawn, written(strings, folder, path, f"{last}.homo"))
    return result


def main(folder: Path, strings: Path, *words: str) -> None:
    last = "@last" if "--last" in words else ""
    word = next((one for one in words if one != "--last"), "")
    counts: Counter[str] = Counter()
    for path in examples(folder):
        name = str(path.relative_to(folder)).removeprefix("ext/")
        if word not in name:
            continue
        one = outcome(strings, folder, path, last)
        if one.stage == "no animation":
            continue
        counts["files"] += 1
        counts["derived"] += one.stage == "derived"
        counts["the same"] += one.same()
        told = f"raw {one.raw}; drawn {one.drawn}" if one.stage == "derived" else one.stage
        print(f"{name}: {'same' if one.same() else told}, {one.modules} modules, {one.seconds:.2f} s", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
