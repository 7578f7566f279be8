# SPDX-License-Identifier: GPL-3.0-or-later
"""What the C preprocessor does to a file of cpfg: comments, macros, conditions, other files.

Every line of the result knows the line that it comes from.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ...base.cursor import Origin, Text
from ...base.errors import LSystemError
from ..statements import uniform
from .conditions import ConditionError, value_of, with_codes
from .macros import Expander, Macro, MacroError, read_definition

MOST_LINES = 100_000
DEEPEST = 20
"""Files that may include each other."""

_COMMENT = re.compile(r'/\*(?:.*?\*/|(?P<open>.*))|//[^\n]*|"[^"\n]*"', re.DOTALL)
_LINE_IN_COMMENT = "\x01"
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*([A-Za-z]+)(.*)", re.DOTALL)
_MARKER = re.compile(r'[ \t]*#[ \t]*(?:line[ \t]+)?[0-9]+[ \t]*(?:".*)?\Z')
"""What other preprocessors say of where a line comes from."""
_WORDS = ("define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif")
_INCLUDED = re.compile(r'"([^"]+)"|<([^>]+)>')
_DEFINED = re.compile(r"\bdefined[ \t]*(?:\([ \t]*([A-Za-z_]\w*)[ \t]*\)|([A-Za-z_]\w*))")


@dataclass(frozen=True)
class Definition:
    """A macro without parameters that the file itself defines, once."""

    name: str
    body: str
    line: str
    """As it is in the file, with its comment."""


@dataclass(frozen=True)
class Preprocessed:
    """A text without comments and macros, and what its macros were."""

    text: Text
    definitions: tuple[Definition, ...]
    expander: Expander
    unclosed: LSystemError | None
    """What is wrong if a comment that is never closed hides what is needed."""


def preprocess(
    content: str,
    source: str,
    included: Callable[[str], str | None],
    predefined: Mapping[str, str],
    overrides: Mapping[str, float],
) -> Preprocessed:
    """Replace all macros of a file.

    included: the text of a file by the name that ``#include`` gives, None if there is none. predefined: macros that are
    known before the first line. overrides: numbers in place of the bodies of macros. Raises `LSystemError`.
    """
    run = _Run(source, included, overrides)
    run.expander.macros.update({name: Macro(body) for name, body in predefined.items()})
    run.file(uniform(content), None)
    text = Text("\n".join(run.lines), source, origins=run.origins)
    definitions = tuple(one for one in run.definitions.values() if one is not None)
    return Preprocessed(text, definitions, run.expander, run.unclosed)


@dataclass
class _Condition:
    """An ``#if`` that is not ended yet."""

    place: Origin
    outside: bool
    """Whether what stands around it is read."""
    reads: bool
    done: bool
    """Whether one of its parts has been read."""


class _Run:
    def __init__(
        self, source: str, included: Callable[[str], str | None], overrides: Mapping[str, float]
    ) -> None:
        self.source = source
        self.included = included
        self.overrides = overrides
        self.expander = Expander({})
        self.definitions: dict[str, Definition | None] = {}
        self.lines: list[str] = []
        self.origins: list[Origin] = []
        self.unclosed: LSystemError | None = None
        self.depth = 0
        self.folder = ""
        """Of the file that is being read, from that of the first one."""

    def file(self, content: str, within: tuple[Origin, str] | None) -> None:
        """Read a file; within: the place that includes it, and its name."""
        conditions: list[_Condition] = []
        waiting = _logical_lines(content, within)
        waiting.reverse()
        while waiting:
            line, origin, self.expander.line = waiting.pop()
            directive = _DIRECTIVE.match(line)
            if _MARKER.match(line):
                line = ""
            # in lines that go on with a statement # is also a module of the turtle
            elif directive and (directive.group(1) in _WORDS or not line.startswith("\t")):
                self.directive(directive.group(1), directive.group(2).strip(), origin, conditions)
                line = ""
            elif conditions and not conditions[-1].reads:
                line = ""
            else:
                line = self.expanded(line, origin, lambda: waiting.pop()[0] if waiting else None)
            self.lines.append(line)
            self.origins.append(origin)
            if len(self.lines) > MOST_LINES:
                raise self.error(f"a file may have {MOST_LINES} lines", origin)
        if conditions:
            raise self.error("this condition has no #endif", conditions[-1].place)
        if lost := _unclosed(content):
            message = "the comment that begins in this line is never closed with */"
            self.unclosed = self.error(message, _origin(content.split("\n"), lost - 1, within))

    def error(self, message: str, origin: Origin) -> LSystemError:
        column = len(origin.line) - len(origin.line.lstrip()) + 1
        return LSystemError(message + origin.within, origin.number, column, self.source)

    def expanded(self, line: str, origin: Origin, more: Callable[[], str | None] = lambda: None) -> str:
        try:
            return self.expander.expanded(line, more)
        except (MacroError, RecursionError) as error:
            message = str(error) if isinstance(error, MacroError) else "macros are nested too deep"
            raise self.error(message, origin) from None

    def directive(self, word: str, rest: str, origin: Origin, conditions: list[_Condition]) -> None:
        reads = not conditions or conditions[-1].reads
        if word in ("if", "ifdef", "ifndef"):
            holds = reads and (self.holds(rest, origin) if word == "if" else self.known(rest) == (word == "ifdef"))
            conditions.append(_Condition(origin, reads, holds, holds))
        elif word in ("elif", "else", "endif"):
            if not conditions:
                raise self.error(f"#{word} without #if", origin)
            if word == "endif":
                conditions.pop()
                return
            last = conditions[-1]
            last.reads = last.outside and not last.done and (word == "else" or self.holds(rest, origin))
            last.done = last.done or last.reads
        elif not reads:
            return
        elif word == "define":
            self.define(rest, origin)
        elif word == "undef":
            self.expander.macros.pop(rest, None)
            self.definitions.pop(rest, None)
        elif word == "include":
            self.include(rest, origin)
        else:
            raise self.error(f"#{word} is not known here (known: {', '.join(_WORDS)})", origin)

    def define(self, rest: str, origin: Origin) -> None:
        try:
            name, macro = read_definition(rest)
        except MacroError as error:
            raise self.error(str(error), origin) from None
        again = name in self.definitions
        if macro.parameters is None:
            # of a macro that is defined twice nobody can say which one a slider is
            self.definitions[name] = None if again else Definition(name, macro.body, origin.line)
            if name in self.overrides:
                macro = Macro(_as_cpfg_reads(self.overrides[name]))
        self.expander.macros[name] = macro

    def include(self, rest: str, origin: Origin) -> None:
        match = _INCLUDED.fullmatch(self.expanded(rest, origin))
        if match is None:
            raise self.error('#include needs the name of a file, as in #include "macros.h"', origin)
        name = match.group(1) or match.group(2)
        path = posixpath.normpath(posixpath.join(self.folder, name))
        content = self.included(path)
        if content is None:
            raise self.error(f"the file '{name}' is not there beside this one", origin)
        if self.depth == DEEPEST:
            raise self.error(f"files include each other more than {DEEPEST} deep", origin)
        self.depth += 1
        line, folder = self.expander.line, self.folder
        self.folder = posixpath.dirname(path)
        self.file(uniform(content), (origin, path))
        self.expander.line, self.folder = line, folder
        self.depth -= 1

    def known(self, name: str) -> bool:
        return name in self.expander.macros

    def holds(self, condition: str, origin: Origin) -> bool:
        """Whether the condition of an ``#if`` is true; names that are no macros are 0."""
        condition = with_codes(condition)
        condition = _DEFINED.sub(lambda match: str(int(self.known(match.group(1) or match.group(2)))), condition)
        try:
            return bool(value_of(with_codes(self.expanded(condition, origin))))
        except (ConditionError, OverflowError) as error:
            raise self.error(f"the condition of #if cannot be read: {error}", origin) from None


def _as_cpfg_reads(number: float) -> str:
    """A number in digits; cpfg knows an exponent only behind a point."""
    digits = repr(float(number))
    return digits if "." in digits else digits.replace("e", ".0e")


def _logical_lines(content: str, within: tuple[Origin, str] | None) -> list[tuple[str, Origin, int]]:
    """Lines without comments, those that end with a backslash joined with the next; so are directives with comments
    that go on there. Each with where it comes from, and the number of its line in its own file."""
    content = content.replace(_LINE_IN_COMMENT, " ")
    written = content.split("\n")
    lines: list[tuple[str, Origin, int]] = []

    def add(line: str, number: int) -> None:
        lines.append((line, _origin(written, number, within), number + 1))

    joined, first, number = "", 0, 0
    blanked = _COMMENT.sub(_blanks, content).split("\n")
    for index, line in enumerate(blanked):
        if not joined:
            first = number
        number += 1 + line.count(_LINE_IN_COMMENT)
        if line.endswith("\\") and index + 1 < len(blanked):
            joined += line[:-1] or " "
            continue
        line, joined = joined + line, ""
        if _DIRECTIVE.match(line):
            add(line.replace(_LINE_IN_COMMENT, " "), first)
        else:
            for offset, part in enumerate(line.split(_LINE_IN_COMMENT)):
                add(part, first + offset)
    return lines


def _origin(written: list[str], number: int, within: tuple[Origin, str] | None) -> Origin:
    """Where one of the lines of a file, from 0, comes from."""
    if within is None:
        return Origin(number + 1, written[number])
    place, name = within
    return Origin(place.number, place.line, f" (in {name}, line {number + 1})")


def _unclosed(content: str) -> int:
    """The line, from 1, in which a comment begins that is never closed; 0 if there is none."""
    opened = (match.start() for match in _COMMENT.finditer(content) if match["open"] is not None)
    return next((content.count("\n", 0, place) + 1 for place in opened), 0)


def _blanks(match: re.Match[str]) -> str:
    """A comment as blanks, with marks where its lines end; words in quotes stay, also if they seem to hold one."""
    text = match.group()
    return text if text.startswith('"') else re.sub(r"[^\n]", " ", text).replace("\n", _LINE_IN_COMMENT)
