# SPDX-License-Identifier: GPL-3.0-or-later
"""Variables of a file of cpfg: which register a name stands for, at a place of the text.

A name is looked for among those of the production that is being read, then among those of the blocks before the axiom.
What a production assigns to and nobody knows becomes a variable of its own, which keeps its value.
"""

from dataclasses import dataclass, field

from ...expressions.nodes import Parameter
from ...expressions.state import Array, Variable

EVERYWHERE = {"Q": 0, "Z": 1}
"""Registers of the number of the step and of that of all steps."""


@dataclass
class Names:
    """All names so far."""

    shared: dict[str, int] = field(default_factory=dict)
    """Those of the blocks before the axiom."""
    everywhere: dict[str, int] = field(default_factory=dict)
    """Those that all L-systems have, from the line on that gives the derivation length."""
    own: dict[str, int] | None = None
    """Those of the production that is read, None outside of productions."""
    parameters: dict[str, int] = field(default_factory=dict)
    """Those of its parameters: their columns."""
    arrays: dict[str, int] = field(default_factory=dict)
    shapes: list[Array] = field(default_factory=list)
    external: set[str] = field(default_factory=set)
    """Those, of variables and arrays, that are the caller's where it has some of the same name."""
    registers: int = 2
    strict: bool = False
    """Whether a name that nobody has defined is an error; with cpfg it is a new variable that is 0."""
    undefined: dict[str, int] = field(default_factory=dict)
    """Those names, and the lines where they were first read."""
    unset: set[int] = field(default_factory=set)
    """Their registers."""
    quoted: int = 0
    """Words in quotes so far; each stands for its number."""

    def begin_production(self) -> None:
        """Forget the names of the production before."""
        self.own = {}
        self.parameters = {}

    def end_production(self) -> None:
        """What is read now is of no production."""
        self.own = None
        self.parameters = {}

    def add_parameter(self, name: str) -> None:
        """One more parameter of the production."""
        self.parameters[name] = len(self.parameters)
        self.added(name)

    def find(self, name: str) -> Parameter | Variable | None:
        """What a name stands for, None if it has not been heard of."""
        if self.own is not None and name in self.own:
            return Parameter(self.parameters[name]) if name in self.parameters else Variable(self.own[name])
        for known in (self.shared, self.everywhere):
            if name in known:
                return Variable(known[name])
        return None

    def register(self, node: Parameter | Variable) -> int:
        """The register that a name's node is read from."""
        if isinstance(node, Variable):
            return node.register
        return next(register for name, register in (self.own or {}).items() if self.parameters.get(name) == node.column)

    def assigned(self, name: str) -> int:
        """The register of a name that is assigned to."""
        for known in (self.own or {}, self.shared, self.everywhere):
            if name in known:
                return known[name]
        return self.added(name)

    def added(self, name: str) -> int:
        """The register of a new name of the production, or of all if none is read."""
        names = self.shared if self.own is None else self.own
        names[name] = self.registers
        self.registers += 1
        return names[name]

    def zero(self, name: str, line: int) -> Variable:
        """A variable for a name that nobody has defined, read in a line."""
        self.undefined.setdefault(name, line)
        register = self.added(name)
        self.unset.add(register)
        return Variable(register)

    def add_array(self, name: str, shape: Array) -> None:
        """A new array."""
        self.arrays[name] = len(self.shapes)
        self.shapes.append(shape)

    def known(self) -> str:
        """All names that may be used here, for messages."""
        return ", ".join(sorted({*(self.own or {}), *self.shared, *self.everywhere, *self.arrays}))
