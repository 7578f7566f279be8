# SPDX-License-Identifier: GPL-3.0-or-later
"""The error the solver raises for input it cannot simulate, and its kinds."""


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


class TooSoftError(SolverError):
    """A joint is to hold the drawn shape, and its spring is too soft for that."""

    def __init__(self, rod: int):
        super().__init__("it is too soft to hold the drawn shape; make it stiffer or thicker, or start settled", rod)
