# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of arrays. Those with a number have so many dimensions and lie in one piece, as kernels take them."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

Floats1 = Annotated[Floats, 1]
Floats2 = Annotated[Floats, 2]
Floats3 = Annotated[Floats, 3]
Ints1 = Annotated[Ints, 1]
Ints2 = Annotated[Ints, 2]
Bools1 = Annotated[Bools, 1]
