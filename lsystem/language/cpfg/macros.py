# SPDX-License-Identifier: GPL-3.0-or-later
"""Macros of the C preprocessor: their definitions, and texts with all of them replaced."""

import re
from collections.abc import Callable
from dataclasses import dataclass

LONGEST = 200_000
"""Characters that one line may come to."""
MOST_REPLACEMENTS = 500_000
"""In one file."""
MOST_WRITTEN = 5_000_000
"""Characters that all replacements of a file may come to together."""

_NAME = re.compile(r"[A-Za-z_]\w*")
# words in quotes and numbers with letters in them are left alone
_WORD = r'"[^"\n]*"|(?P<name>[A-Za-z_]\w*)|[0-9.][\w.]*'
_TOKEN = re.compile(rf'{_WORD}|[^"\w.]+|.', re.DOTALL)
# not the letters that a number ends with
_LAST_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*\Z")
_JOINING = re.compile(r"[ \t]*##[ \t]*")
_WIDEST = 100
"""Characters before a word in which ## is looked for that joins it."""
_JOINED = re.compile(r"##[ \t]*\Z")
# in a body with parameters: what ## joins, and what # puts in quotes
_IN_BODY = re.compile(rf"(?P<joined>[ \t]*##[ \t]*)|#[ \t]*(?P<quoted>[A-Za-z_]\w*)|{_WORD}|.", re.DOTALL)
_DEFINITION = re.compile(r"([A-Za-z_]\w*)(\([^)]*\))?(.*)", re.DOTALL)


class MacroError(ValueError):
    """What is wrong with a macro or with its use."""


@dataclass(frozen=True)
class Macro:
    """What a name stands for; ``parameters`` is None for one that is written without parentheses."""

    body: str
    parameters: tuple[str, ...] | None = None


def read_definition(text: str) -> tuple[str, Macro]:
    """Name and macro of what follows ``#define``. Raises `MacroError`."""
    match = _DEFINITION.match(text)
    if match is None:
        raise MacroError("expected the name of a macro after #define")
    name, parenthesis, body = match.groups()
    if parenthesis is None:
        return name, Macro(_JOINING.sub("", body.strip()))
    parameters = tuple(part.strip() for part in parenthesis[1:-1].split(",")) if parenthesis[1:-1].strip() else ()
    if not all(map(_NAME.fullmatch, parameters)) or len(set(parameters)) < len(parameters):
        raise MacroError(f"the parameters of the macro '{name}' must be different names")
    return name, Macro(body.strip(), parameters)


class Expander:
    """Replaces macros in texts; remembers how much it has done, so that nobody makes it work forever."""

    def __init__(self, macros: dict[str, Macro]) -> None:
        self.macros = macros
        self.replacements = 0
        self.written = 0
        self.line = 0
        """What ``__LINE__`` stands for."""

    def expanded(self, text: str, more: Callable[[], str | None], hidden: frozenset[str] = frozenset()) -> str:
        """The text with its macros replaced, what they give too, but none within its own.

        more: the next line, for a macro whose arguments go on there, or None. Raises `MacroError`.
        """
        words: list[str] = []
        place = length = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            assert match is not None  # the last alternative takes any character
            place = match.end()
            name = match.group("name")
            if name == "__LINE__":
                words.append(str(self.line))
                continue
            macro = self.macros.get(name) if name and name not in hidden else None
            if macro is None:
                words.append(match.group())
                continue
            body = macro.body
            if macro.parameters is not None:
                opening = _after_blanks(text, place)
                if text[opening : opening + 1] != "(":
                    words.append(name)
                    continue
                text, end = _with_arguments(name, text, opening, more)
                body = self.filled(name, macro, _arguments(text[opening + 1 : end]), hidden)
                place = end + 1
            self.replacements += 1
            within = hidden | {name}
            result = self.expanded(body, _nothing_more, within)
            while last := self.called_at_end(result, text, place, within):
                text, end = _with_arguments(last, text, _after_blanks(text, place), more)
                result = result[: -len(last)] + self.expanded(last + text[place : end + 1], _nothing_more, within)
                within |= {last}
                place = end + 1
            length += len(result)
            if self.replacements > MOST_REPLACEMENTS or length + place > LONGEST:
                raise MacroError(f"the macro '{name}' grows beyond all bounds")
            self.written += len(result)
            if self.written > MOST_WRITTEN:
                raise MacroError(f"the macro '{name}' makes the file too long")
            words.append(result)
        return "".join(words)

    def called_at_end(self, result: str, text: str, place: int, hidden: frozenset[str]) -> str:
        """The macro that a result ends with if its arguments stand in the text, from a place on; else ""."""
        match = _LAST_NAME.search(result, max(len(result) - _WIDEST, 0))
        name = match.group() if match else ""
        macro = self.macros.get(name) if name not in hidden else None
        called = macro and macro.parameters is not None and text.startswith("(", _after_blanks(text, place))
        return name if called else ""

    def filled(self, name: str, macro: Macro, arguments: list[str], hidden: frozenset[str]) -> str:
        """The body of a macro with its arguments in it."""
        assert macro.parameters is not None
        if not macro.parameters and arguments == [""]:
            arguments = []
        if len(arguments) != len(macro.parameters):
            raise MacroError(f"the macro '{name}' takes {len(macro.parameters)} arguments, not {len(arguments)}")
        written = dict(zip(macro.parameters, (argument.strip() for argument in arguments), strict=True))
        values: dict[str, str] = {}
        joins = "##" in macro.body

        def value(match: re.Match[str]) -> str:
            word = match.group("name") or ""
            if match.group("quoted") in written:
                text = written[match.group("quoted")].replace("\\", "\\\\").replace('"', '\\"')
                return f'"{text}"'
            if match.group("joined") is not None:
                return ""
            if word not in written:
                return match.group()
            if joins and (_JOINED.search(macro.body, max(match.start() - _WIDEST, 0), match.start())
                          or _JOINING.match(macro.body, match.end())):  # fmt: skip
                return written[word]
            if word not in values:
                values[word] = self.expanded(written[word], _nothing_more, hidden)
            return values[word]

        return _IN_BODY.sub(value, macro.body)


def _nothing_more() -> None:
    return None


def _after_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _with_arguments(name: str, text: str, opening: int, more: Callable[[], str | None]) -> tuple[str, int]:
    """A text, with the next lines where the arguments of a macro go on there, and where their parenthesis closes.
    Raises `MacroError`."""
    end, depth = _closing(text, opening, 0)
    while depth:
        line = more()
        if line is None or end > LONGEST:
            raise MacroError(f"the arguments of the macro '{name}' are never closed")
        text = f"{text} {line}"
        end, depth = _closing(text, end, depth)
    return text, end


def _closing(text: str, first: int, depth: int) -> tuple[int, int]:
    """Where the last of so many open parentheses is closed, from a place on; or the end, and how many stay open."""
    for place in range(first, len(text)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place, 0
    return len(text), depth


def _arguments(text: str) -> list[str]:
    """Parts between commas that stand in no parentheses."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]
