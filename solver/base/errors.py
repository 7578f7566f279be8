# SPDX-License-Identifier: GPL-3.0-or-later
"""The one error the solver raises for input it cannot simulate."""


class SolverError(ValueError):
    """Input that cannot be simulated.

    Attributes:
        message: what is wrong and what to do, without the name of the rod.
        rod: index of the offending rod, or None when the input as a whole is at fault.
    """

    def __init__(self, message: str, rod: int | None = None):
        super().__init__(message if rod is None else f"rod {rod}: {message}")
        self.message = message
        self.rod = rod
