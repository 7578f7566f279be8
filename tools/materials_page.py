# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/materials.md, made from the solver's table of materials.

python tools/materials_page.py
"""

import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PAGE = REPOSITORY / "docs" / "materials.md"

_INTRODUCTION = """\
# Materials

Properties of plant materials, each with the literature it is from. `solver/model/materials.py` has them; `python
tools/materials_page.py` makes this page from it.

A value stands before its range. Values are measured, by the source the row names, except where the cell says estimate:
the source then says what the estimate is from. What no source gives is left empty. Where a source gives a range only,
the value is its middle, or the geometric mean when the range spans more than a factor of three. The damping ratio is
that of an organ's first mode without the air's part. Strength is the bending stress at which it breaks.

For wood, numbers come from the Wood Handbook in this way:

* Young's modulus is the mean of clear specimens in bending. Their shear makes it about a tenth less than along the
  grain.
* The ranges of Young's modulus and of dry density are estimates, the same for all woods: 22 % and 10 % about the mean,
  usual coefficients of variation of clear wood.
* Density is computed from specific gravity and moisture content: dry at 12 %, green from heartwood's to sapwood's.
* Strength is the mean modulus of rupture of clear specimens, its range an estimate: 16 % about the mean, a usual
  coefficient of variation. Living branches have knots and bark; of them it tells the order of size.
* EI/GJ is computed, E / 2 G with both measured shear moduli along the grain.

EI/GJ is bending over twisting stiffness. The solver's round rods have 1 + ν; most plants have several times more,
because their fibres resist bending only. [The solver from Python](solver.md#materials) shows how to use such a value.

"""


def page() -> str:
    """Text of the page."""
    from solver import MATERIALS, materials_table

    names = ["", "Names in `solver.MATERIALS`:", "", "| name | material |", "|---|---|"]
    names += [f"| `{name}` | {material.label} |" for name, material in MATERIALS.items()]
    return _INTRODUCTION + materials_table() + "\n".join([*names, ""])


if __name__ == "__main__":
    sys.path.insert(0, str(REPOSITORY))
    PAGE.write_text(page(), encoding="utf-8")
