# SPDX-License-Identifier: GPL-3.0-or-later
"""What a panel draws, where no window is."""

from types import SimpleNamespace


class Layout:
    """Takes down the labels, operators and properties that a panel draws."""

    def __init__(self):
        self.texts, self.operators, self.properties = [], [], []
        self.shown = []
        """Texts of the operators' buttons that have their own."""

    def label(self, text="", **_):
        self.texts.append(text)

    def prop(self, owner, name, **_):
        self.properties.append(name)

    def row(self, **_):
        return self

    def column(self, **_):
        return self

    def box(self):
        return self

    def panel(self, *_, **__):
        return self, self

    def split(self, **_):
        return self

    def grid_flow(self, **_):
        return self

    def template_list(self, *_, **__):
        pass

    def prop_search(self, owner, name, *_, **__):
        self.properties.append(name)

    def operator(self, name, text=None, **_):
        self.shown += [text] if text else []
        button = SimpleNamespace()
        self.operators.append((name, button))
        return button

    def popover(self, panel, text=None, **_):
        self.shown += [text] if text else []

    def operator_menu_enum(self, name, *_, **__):
        return self.operator(name)


class Rows(Layout):
    """Counts lines as well: a label or a button in a column has one of its own, and so has a row with all that is in
    it."""

    def __init__(self):
        super().__init__()
        self.height = 0

    def label(self, text="", **_):
        super().label(text)
        self.height += 1

    def operator(self, name, text=None, **_):
        self.height += 1
        return super().operator(name, text)

    def row(self, **_):
        self.height += 1
        within = Layout()
        within.texts, within.operators, within.shown = self.texts, self.operators, self.shown
        return within
