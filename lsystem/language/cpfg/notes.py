# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a file of cpfg is read and then left out, in words for people."""

from collections.abc import Iterable, Mapping, Sequence

_LEFT_OUT = {
    "L": "labels (@L)",
    "S": "commands of the system (@S)",
    "I": "objects of Rayshade (@I)",
    "J": "grids of Rayshade (@J)",
    "m": "what @m does",
}

_MOST_NAMES = 8


def notes_of(
    strings: Iterable[Sequence[str]], silent: Iterable[str], undefined: Mapping[str, int], answered: str
) -> tuple[str, ...]:
    """Notes on a file: symbols of its strings, functions that do nothing here, names that nobody has defined, with the
    lines where they are read first, and who answers ?E."""
    left_out: set[str] = set()
    for symbols in strings:
        for place, symbol in enumerate(symbols):
            if symbol == "@":
                first, both = ("".join(symbols[place + 1 : place + 1 + length]) for length in (1, 2))
                left_out |= {_LEFT_OUT[word] for word in (first, both) if word in _LEFT_OUT}
    left_out |= {f"{name}()" for name in silent}
    notes = [f"Left out: {', '.join(sorted(left_out))}"] if left_out else []
    if undefined:
        names = ", ".join(f"{name} (line {line})" for name, line in list(undefined.items())[:_MOST_NAMES])
        more = ", ..." if len(undefined) > _MOST_NAMES else ""
        notes.append(f"Taken as 0, since nothing defines them: {names}{more}")
    return (*notes, answered) if answered else tuple(notes)
