# SPDX-License-Identifier: GPL-3.0-or-later
"""How functions become machine code: the decorators, and what runs when Python calls a kernel.

    kernel      called from Python; its annotations say what it takes and returns (see call.py)
    subroutine  compiled once and called by kernels
    inlined     becomes part of what calls it

numba compiles them in a process of its own (see translate.py) into a library of plain C functions, which is what
ships. Here they stay Python functions, and those of a kernel are called where no library was found: the same bits, but
very slow.

No fast-math flag is set: every operation is rounded as IEEE 754 says and in the order written, so that all processors,
vector widths and systems give the same bits. What must be computed eight bodies at a time is written without sums
across bodies, which only a compiler that may reorder them could vectorise.
"""

import os
from collections.abc import Callable
from functools import update_wrapper
from inspect import signature
from typing import Any

import numpy as np

from .call import Signature

#: Environment variable that chooses what runs: see library.py. "compile" is for the process that compiles.
VARIABLE = "PLANT_DYNAMICS_KERNELS"

#: Kernels by name.
KERNELS: dict[str, Any] = {}

Function = Callable[..., Any]


class Kernel:
    """A function of arrays, numbers and named tuples of them that Python calls.

    Compiled, it raises TypeError for arguments of another kind than its annotations say; in every form ValueError where
    it writes to an array that is read-only.
    """

    def __init__(self, function: Function):
        self.python = function
        self.compiled: Function | None = None
        self._parameters = signature(function)
        self._count = len(self._parameters.parameters)
        update_wrapper(self, function)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the compiled form, loading it first where that has not been done, or the Python."""
        if keywords or len(arguments) != self._count:
            arguments = self.positional(arguments, keywords)
        if self.compiled is None:
            from . import library  # which loads the compiled forms of all kernels

            library.prepare()
        if self.compiled is not None:
            return self.compiled(*arguments)
        with np.errstate(all="ignore"):  # dividing by zero gives infinity, without a warning
            return self.python(*arguments)

    def positional(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
        """All arguments in their order. Raises TypeError where one lacks or is too many."""
        bound = self._parameters.bind(*arguments, **keywords)
        bound.apply_defaults()
        return bound.args

    def use(self, address: int) -> None:
        """Run the C function at this address from now on."""
        self.compiled = Signature(self.python).caller(address)


if os.environ.get(VARIABLE) == "compile":
    from numba import njit

    # Arrays are Python's: nothing counts who holds them (_nrt).
    _OPTIONS: dict[str, Any] = {
        "error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False
    }  # fmt: skip

    def subroutine(function: Function) -> Function:
        """Compile a function that kernels call, on its own also where it is called by one that is inlined."""
        compiled: Function = njit(forceinline=False, **_OPTIONS)(function)
        return compiled

    def inlined(function: Function) -> Function:
        """Compile a function into those that call it."""
        compiled: Function = njit(forceinline=True, **_OPTIONS)(function)
        return compiled

    def kernel(function: Function) -> Function:
        """Compile a function that Python and other kernels call."""
        KERNELS[function.__name__.lstrip("_")] = compiled = subroutine(function)
        return compiled

else:

    def subroutine(function: Function) -> Function:
        """Leave a function that kernels call as it is."""
        return function

    def inlined(function: Function) -> Function:
        """Leave a function that kernels call as it is."""
        return function

    def kernel(function: Function) -> Function:
        """Let Python call a function's compiled form, where there is one."""
        KERNELS[function.__name__.lstrip("_")] = made = Kernel(function)
        return made
