# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a file of cpfg is read and then left out, in words for people."""

from collections.abc import Iterable, Mapping, Sequence

from ..beside.kinds import Beside

_LEFT_OUT = {
    "L": "labels (@L)",
    "S": "commands of the system (@S)",
    "I": "objects of Rayshade (@I)",
    "J": "grids of Rayshade (@J)",
    "m": "what @m does",
}

_MOST_NAMES = 8


def notes_of(
    strings: Iterable[Sequence[str]], silent: Iterable[str], undefined: Mapping[str, int], lone: Mapping[str, int],
    beside: Beside,
) -> tuple[str, ...]:  # fmt: skip
    """Notes on a file: symbols of its strings, functions that do nothing here, names that nobody has defined, arrays
    whose subscripts are assigned to in place of elements, with the lines where they are read first, surfaces in
    the strings whose files are missing, and who answers ?E."""
    left_out: set[str] = set()
    missing: dict[str, None] = {}
    for symbols in strings:
        for place, symbol in enumerate(symbols):
            if symbol == "@":
                first, both = ("".join(symbols[place + 1 : place + 1 + length]) for length in (1, 2))
                left_out |= {_LEFT_OUT[word] for word in (first, both) if word in _LEFT_OUT}
            elif symbol == "~" and (letter := "".join(symbols[place + 1 : place + 2])) in beside.missing:
                missing[f"{beside.missing[letter]} (~{letter})"] = None
    left_out |= {f"{name}()" for name in silent}
    notes = [f"Left out: {', '.join(sorted(left_out))}"] if left_out else []
    if undefined:
        notes.append(f"Taken as 0, since nothing defines them: {_named(undefined)}")
    if lone:
        notes.append(f"Assigned to what a function in the subscript is of, as with cpfg, in place of: {_named(lone)}")
    if missing:
        names = ", ".join(list(missing)[:_MOST_NAMES]) + (", ..." if len(missing) > _MOST_NAMES else "")
        notes.append(f"Drawn as organs, since the files of their surfaces, which the view names, are missing: {names}")
    return (*notes, beside.note) if beside.note else tuple(notes)


def _named(lines: Mapping[str, int]) -> str:
    """Names with their lines, the first of them."""
    names = ", ".join(f"{name} (line {line})" for name, line in list(lines.items())[:_MOST_NAMES])
    return names + (", ..." if len(lines) > _MOST_NAMES else "")
