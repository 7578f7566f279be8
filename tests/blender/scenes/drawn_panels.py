# SPDX-License-Identifier: GPL-3.0-or-later
"""What a panel draws, where no window is."""

from types import SimpleNamespace


class Layout:
    """Takes down the labels and operators that a panel draws."""

    def __init__(self):
        self.texts, self.operators = [], []

    def label(self, text="", **_):
        self.texts.append(text)

    def row(self, **_):
        return self

    def column(self, **_):
        return self

    def operator(self, name, **_):
        button = SimpleNamespace()
        self.operators.append((name, button))
        return button
