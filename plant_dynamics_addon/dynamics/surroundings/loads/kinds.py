# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of loads by their identifiers, in the order of the panel."""

from .bone_ties import BoneTies
from .forces import ConstantForces
from .handles import Handles
from .holds import Holds, Planes
from .lifts import Lifts
from .load import Load
from .sheets import Sheets
from .twists import Twists
from .wires import Wires

LOADS: dict[str, Load] = {
    load.kind: load
    for load in (
        Handles(), ConstantForces(), Twists(), Lifts(), Holds(), Wires(), Planes(), Sheets(), BoneTies(),
    )
}  # fmt: skip
