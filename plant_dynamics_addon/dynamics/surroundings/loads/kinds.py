# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of loads by their identifiers, in the order of the panel."""

from .forces import ConstantForces
from .handles import Handles
from .lifts import Lifts
from .load import Load
from .twists import Twists

LOADS: dict[str, Load] = {load.kind: load for load in (Handles(), ConstantForces(), Twists(), Lifts())}
