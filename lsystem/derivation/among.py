# SPDX-License-Identifier: GPL-3.0-or-later
"""The solids that a text is derived among."""

from ..base.errors import LSystemError
from ..environment.solids.solids import Solids
from ..language.grammar import Grammar

FLAWS = {
    "open": "is open: some edges belong to one face only, so that it has no inside; close it",
    "twisted": "has faces that look in beside others that look out, so that it has no inside; turn them all outwards",
    "empty": "has no faces",
}
"""Why a solid has no inside."""


def solids_of(grammar: Grammar, given: Solids | None) -> Solids | None:
    """Those that are given, in metres, or the text's own, in its units; None where the text sees none.

    Raises `LSystemError` where it asks for some and there are none, or they have no inside.
    """
    if not grammar.sees_solids:
        return None
    solids = given if given is not None else Solids(grammar.solids, own=True) if grammar.solids else None
    if grammar.asks_for_solids:
        if solids is None:
            message = "this text asks where solids are, and there are none: choose what the plant grows around, or " \
                "give it one of its own, as by a line 'solid post radius=0.05 height=2'"  # fmt: skip
            raise LSystemError(message, source=grammar.source)
        name, flaw = solids.flaw
        if flaw:
            raise LSystemError(f"the solid '{name}' {FLAWS[flaw]}", source=grammar.source)
    return solids if solids is None or solids.is_own else solids.scaled(1.0 / grammar.unit)
