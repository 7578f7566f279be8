# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of arrays."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Slots = NDArray[np.int32]
Flags = NDArray[np.bool_]
