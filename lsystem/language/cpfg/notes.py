# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a file of cpfg is read and then left out, in words for people."""

from collections.abc import Iterable, Sequence

_LEFT_OUT = {
    "L": "labels (@L)",
    "S": "commands of the system (@S)",
    "I": "objects of Rayshade (@I)",
    "J": "grids of Rayshade (@J)",
    "m": "what @m does",
    "Tx": "textures (@Tx)",
}


def notes_of(strings: Iterable[Sequence[str]], silent: Iterable[str], answered: str) -> tuple[str, ...]:
    """Notes on a file: symbols of its strings, functions that do nothing here, and who answers ?E."""
    left_out: set[str] = set()
    for symbols in strings:
        for place, symbol in enumerate(symbols):
            if symbol == "@":
                first, both = ("".join(symbols[place + 1 : place + 1 + length]) for length in (1, 2))
                left_out |= {_LEFT_OUT[word] for word in (first, both) if word in _LEFT_OUT}
    left_out |= {f"{name}()" for name in silent}
    notes = [f"Left out: {', '.join(sorted(left_out))}"] if left_out else []
    return (*notes, answered) if answered else tuple(notes)
