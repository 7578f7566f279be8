# SPDX-License-Identifier: GPL-3.0-or-later
"""Level of detail: how many faces the surfaces get. It changes the look only, never the motion."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Detail:
    """How finely everything is divided."""

    sides: tuple[int, ...]  # corners of a tube's rings, for the widths in tubes.WIDTHS
    rings: int  # of a tube, in every segment
    fillet: int  # rings where a branch flows into its parent
    blade_rows: int  # of a leaf of one segment, along it
    blade_columns: tuple[float, ...]  # across it in half widths; the two next to the middle make the midrib a crease
    lobe_rows: int  # of a leaf that is cut, for every lobe; 2, 4 or 6
    petals: float  # factor of the rows and columns of petals, buds and fruits


HIGH = Detail(
    (8, 10, 14, 20, 28), 4, 5, 20, (-1.0, -0.96, -0.78, -0.44, -0.09, 0.0, 0.09, 0.44, 0.78, 0.96, 1.0), 6, 1.0
)
MEDIUM = Detail((6, 7, 9, 12, 16), 3, 3, 11, (-1.0, -0.6, -0.1, 0.0, 0.1, 0.6, 1.0), 4, 0.7)
LOW = Detail((4, 5, 6, 8, 12), 2, 1, 6, (-1.0, 0.0, 1.0), 2, 0.45)

#: Name, label, effect, level; "AUTO" chooses by the number of segments, leaves on leafy twigs and companions.
CHOICES = {
    "AUTO": ("Automatic", "High up to 500 segments and leaves of twigs, Medium up to 2000, Low beyond", None),
    "HIGH": ("High", "Round stems and leaves with a modelled midrib, for close shots", HIGH),
    "MEDIUM": ("Medium", "About half the faces of High", MEDIUM),
    "LOW": ("Low", "A tenth to a quarter of the faces of High, for trees and backgrounds", LOW),
}
_HIGH_UP_TO, _MEDIUM_UP_TO = 500, 2000


def detail_of(choice: str, segments: int) -> Detail:
    """The level that the choice means for a plant of so many segments and leaves on leafy twigs."""
    level = CHOICES[choice][2]
    if level is not None:
        return level
    return HIGH if segments <= _HIGH_UP_TO else MEDIUM if segments <= _MEDIUM_UP_TO else LOW
