# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of arrays. Those with a number have so many dimensions and lie in one piece, as kernels take them.

Kind and dimensions are said in an annotation of our own: what NumPy's types are made of differs between its versions.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

Floats1 = Annotated[Floats, np.float64, 1]
Floats2 = Annotated[Floats, np.float64, 2]
Floats3 = Annotated[Floats, np.float64, 3]
Ints1 = Annotated[Ints, np.int64, 1]
Ints2 = Annotated[Ints, np.int64, 2]
Bools1 = Annotated[Bools, np.bool_, 1]
Bools2 = Annotated[Bools, np.bool_, 2]
