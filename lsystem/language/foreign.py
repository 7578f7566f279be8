# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of other programs whose rules are programs themselves, which are not run: told by what only they have."""

import re

_PYTHON = re.compile(
    r"^[ \t]*(?:(?:import|from|module)[ \t]+\w|(?:def|class)[ \t]+\w+.*:[ \t]*$|n?(?:produce|sproduce)\b|production:)",
    re.MULTILINE,
)
_C = re.compile(
    r"^[ \t]*(?:#[ \t]*include[ \t]*[<\"]|module[ \t].*;|(?:Start|derivation length)[ \t]*:.*[;{])", re.MULTILINE
)
_TOLD = (
    "It is a file of {program}, whose rules are a program in {language}, and nothing that is opened here is run: open "
    "one of cpfg, or write its rules anew"
)


def why_not_read(text: str, name: str = "") -> str:
    """A sentence on why a text is none of ours, if it is one of L-Py or of lpfg; else "". name: its file's."""
    if _C.search(text) and not name.endswith(".lpy"):
        return _TOLD.format(program="lpfg", language="L+C, a kind of C++")
    if name.endswith(".lpy") or _PYTHON.search(text):
        return _TOLD.format(program="L-Py", language="Python")
    return ""
