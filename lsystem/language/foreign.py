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


def why_not_read(text: str, name: str = "") -> str:
    """A sentence on why a text is none of ours, if it is one of L-Py or of lpfg; else "". name: its file's."""
    if _C.search(text) and not name.endswith(".lpy"):
        return "Files of lpfg are programs in L+C, which are not run here; write the rules as text"
    if name.endswith(".lpy") or _PYTHON.search(text):
        return "Files of L-Py are programs in Python, which are not run here; write the rules as text"
    return ""
