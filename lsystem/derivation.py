# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivation: all modules of a string are replaced in parallel, step by step (0L-systems)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate, chain, islice, repeat
from operator import itemgetter

import numpy as np

from .errors import LSystemError
from .grammar import Grammar, Module, Production, Template
from .parser import MAX_STEPS, parse

_CACHE_SIZE = 200_000


@dataclass(frozen=True)
class Limits:
    """What a derivation may grow to before it is stopped with an error."""

    max_modules: int = 1_000_000
    max_depth: int = 1_000
    """Open brackets at any place of the string."""
    max_rewrites: int = 20_000_000
    """Modules looked at in all steps together."""


def derive(
    grammar: Grammar,
    steps: int | None = None,
    seed: int = 0,
    constants: Mapping[str, float] | None = None,
    limits: Limits | None = None,
) -> list[Module]:
    """The module string after ``steps`` derivation steps (by default as many as the text asks for).

    A module is replaced by the successor of the first production whose symbol and parameter count match and whose
    condition holds; without one it stays. Random numbers are drawn from left to right, so one seed gives one string.
    ``constants`` replaces values of ``let`` lines (the materials and headers of ``grammar`` itself stay as they are;
    `parse` with the same constants changes these too).
    Raises `LSystemError` if an expression fails or if a limit is exceeded; it names the step.
    """
    if constants:
        grammar = parse(grammar.text, grammar.source, constants)
    if limits is None:
        limits = Limits()
    steps = grammar.steps if steps is None else steps
    if not 0 <= steps <= MAX_STEPS:
        raise LSystemError(f"cannot derive {steps} steps (0 to {MAX_STEPS})", source=grammar.source)
    generator = np.random.default_rng(seed)
    rewrite = _Rewrite(grammar, generator)
    modules = _bounded(_expand(grammar.axiom, (), generator), limits, grammar, "the axiom")
    rewrites = 0
    for step in range(1, steps + 1):
        rewrites += len(modules)
        if rewrites > limits.max_rewrites:
            raise LSystemError(
                f"derivation step {step} of {steps} goes beyond {limits.max_rewrites} replacements in all",
                source=grammar.source,
            )
        try:
            modules = _bounded(
                chain.from_iterable(map(rewrite.__getitem__, modules)), limits, grammar, f"derivation step {step}"
            )
        except LSystemError as error:
            raise error.during(f"derivation step {step} of {steps}") if error.line else error from None
        if len(rewrite) > _CACHE_SIZE:
            rewrite.clear()
    return modules


class _Rewrite(dict[Module, tuple[Module, ...]]):
    """Module -> what replaces it. What draws no random numbers is computed once and kept."""

    def __init__(self, grammar: Grammar, generator: np.random.Generator) -> None:
        super().__init__()
        self.generator = generator
        self.productions: dict[tuple[str, int], list[Production]] = {}
        for production in grammar.productions:
            self.productions.setdefault((production.symbol, len(production.parameters)), []).append(production)
        self.random = {key for key, group in self.productions.items() if any(p.is_random for p in group)}

    def __missing__(self, module: Module) -> tuple[Module, ...]:
        key = (module.symbol, len(module.params))
        successor = self.successor(module, self.productions.get(key, ()))
        if key not in self.random:
            self[module] = successor
        return successor

    def successor(self, module: Module, productions: Iterable[Production]) -> tuple[Module, ...]:
        try:
            for production in productions:
                if production.condition is None or production.condition.evaluate(module.params, self.generator):
                    return _expand(production.successor, module.params, self.generator)
        except LSystemError as error:
            raise error.during(f"for module {module}") from None
        return (module,)


def _expand(
    templates: tuple[Template, ...], params: tuple[float, ...], generator: np.random.Generator
) -> tuple[Module, ...]:
    return tuple(
        Module(
            template.symbol,
            tuple([parameter.evaluate(params, generator) for parameter in template.parameters]),
            template.line,
            template.column,
        )
        for template in templates
    )


def _bounded(modules: Iterable[Module], limits: Limits, grammar: Grammar, where: str) -> list[Module]:
    """The string as a list; modules that come after the limit are not even computed."""
    string = list(islice(modules, limits.max_modules + 1))
    if len(string) > limits.max_modules:
        raise LSystemError(f"{where} gives more than {limits.max_modules} modules", source=grammar.source)
    depth = max(accumulate(map(_OPENED.get, map(itemgetter(0), string), repeat(0))), default=0)
    if depth > limits.max_depth:
        raise LSystemError(f"{where} nests brackets more than {limits.max_depth} deep", source=grammar.source)
    return string


_OPENED = {"[": 1, "]": -1}
