# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the structure part of `.l` files of cpfg (L-studio): rewritten, line by line, in this package's language.

Lines keep their numbers. What this language does not have is an error with its line.
"""

import re

from ..base.errors import LSystemError
from .statements import uniform

_START = re.compile(r"^[ \t]*[Ll][Ss]ystem[ \t]*:", re.MULTILINE)
# two slashes are also two turns of the turtle: they begin a comment only between blanks
_COMMENT = re.compile(r"/\*.*?\*/|(?:(?<=\s)|^)//(?=\s|$)[^\n]*", re.DOTALL | re.MULTILINE)
_WORDS = re.compile(r"(?:/\*|//)\s*(.*?)\s*(?:\*/)?\s*$")
_SEEDING = re.compile(r"start(?:each)?[ \t]*:[ \t]*\{[ \t]*srand[ \t]*\([^()]*\)[ \t]*;?[ \t]*\}", re.IGNORECASE)
_DEFINE = re.compile(r"#[ \t]*define[ \t]+([A-Za-z_]\w*)(\([^)]*\)(?=[ \t]*\S))?(?:[ \t]+(.*))?")
# an expression; one that begins with a sign could also be a turn, unless it is just a number
_NUMBERS = re.compile(r"[\w.(][-+*/^()%,.\w \t]*|[-+][0-9.]+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_LABEL = re.compile(r"[A-Za-z]\w*[0-9]+[ \t]*:")
_DEPTH = re.compile(r"maximum[ \t]+depth[ \t]*:[ \t]*(.*)", re.IGNORECASE)
_SECTION = re.compile(
    r"(decomposition|homomorphism|interpretation|productions?)\b[ \t]*:?[ \t]*(?:no[ \t]*warnings?)?$",
    re.IGNORECASE,
)
_HEADER = re.compile(r"(derivation[ \t]+length|axiom|ignore|consider|seed)[ \t]*:[ \t]*(.*)", re.IGNORECASE)
_UNREAD = re.compile(
    r"(start|starteach|end|endeach|define|initialization|group|endgroup|ring[ \t]+l-system|timed|font|extern)\b", re.I
)

_SURFACES = {"l": "~Leaf", "L": "~Leaf", "p": "~Petal", "f": "~Flower", "k": "~Flower", "b": "~Bud", "r": "~Fruit"}
_FUNCTIONS = ((r"\bran\s*\(", "random(0,"), (r"\bnran\s*\(", "normal("), (r"\bbiran\s*\(", "chance("),
              (r"\bfabs\s*\(", "abs("), (r"\brint\s*\(", "round("))  # fmt: skip

_DEFAULTS = "unit: 0.01\nlength: 1\nradius: 0.1\nparameters: 1"
"""cpfg's lengths have no unit: here they are centimetres. Its turtle reads the first parameter only."""


def is_cpfg(text: str) -> bool:
    """Whether a text is a file of cpfg: it has a line `Lsystem: 1`."""
    return _START.search(text) is not None


def translated(text: str, source: str) -> str:
    """The text in this package's language, with the same line numbers. Raises `LSystemError`."""
    return _Translator(text, source).text()


class _Translator:
    def __init__(self, text: str, source: str) -> None:
        text = uniform(text)
        self.raw = text.split("\n")
        blanked = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
        self.lines = blanked.split("\n")
        self.source = source
        self.written: list[str] = []
        self.constants: set[str] = set()
        self.macros: dict[str, str] = {}
        self.section = -1
        """Line of the heading of the section that is being read."""
        self.systems = 0

    def error(self, what: str, line: int, at: str = "") -> LSystemError:
        """An error at a word of a line, or at its beginning."""
        raw = self.raw[line]
        column = raw.find(at) if at else -1
        if column < 0:
            column = len(raw) - len(raw.lstrip())
        return LSystemError(f"{what} cannot be read from cpfg files", line + 1, column + 1, self.source)

    def text(self) -> str:
        line = 0
        while line < len(self.lines) and self.lines[line].strip().lower() != "endlsystem":
            last = line + 1
            while self.lines[line].strip() and last < len(self.lines) and self.goes_on(self.lines[last]):
                last += 1
            # a backslash at the end of a line that goes on is no turn of the turtle
            parts = [part.rstrip() for part in self.lines[line:last]]
            parts = [part.removesuffix("\\") for part in parts[:-1]] + parts[-1:]
            self.written += self.line(line, "\n".join(parts)).split("\n")
            self.written += [""] * (last - len(self.written))
            line = last
        self.written += [""] * (len(self.lines) - len(self.written))
        return "\n".join([*self.written, _DEFAULTS, ""])

    def line(self, line: int, content: str) -> str:
        content = content.strip()
        if content.startswith("#"):
            return self.directive(line, content)
        content = self.expanded(content)
        if "-->" in content and not _START.match(content):
            return self.production(content, line)
        for pattern, read in _STATEMENTS.items():
            if match := pattern.match(content):
                return read(self, match, line)
        if content:
            raise self.error(f"'{content.split()[0]}'", line)
        return ""

    def system(self, match: re.Match[str], line: int) -> str:
        self.systems += 1
        if self.systems > 1:
            raise self.error("sub-L-systems", line)
        return ""

    def heading(self, match: re.Match[str], line: int) -> str:
        self.section = line
        word = match.group(1).lower().removesuffix("s")
        return {"production": "productions:", "decomposition": "decomposition:"}.get(word, "interpretation:")

    def depth(self, match: re.Match[str], line: int) -> str:
        if self.section < 0:
            raise self.error("a maximum depth outside of decomposition and homomorphism", line)
        self.written[self.section] += f" {match.group(1)}"
        return ""

    def header(self, match: re.Match[str], line: int) -> str:
        word, value = match.group(1).lower(), match.group(2)
        if word == "seed":
            return ""
        if word == "axiom":
            return f"axiom: {self.modules(value, line)}"
        if word in ("ignore", "consider"):
            return f"{word}: {value}"
        return f"steps: {self.expression(value, line)}"

    def unread(self, match: re.Match[str], line: int) -> str:
        if not _SEEDING.fullmatch(match.string):
            raise self.error(f"'{match.group(1)}'", line)
        return ""  # seeds are the panel's

    def goes_on(self, content: str) -> bool:
        """Whether a line is the rest of the one before: nothing that a statement begins with."""
        content = self.expanded(content.strip())
        return bool(content) and not (
            content[0] == "#" or "-->" in content or content.lower() == "endlsystem"
            or any(pattern.match(content) for pattern in _STATEMENTS)
        )  # fmt: skip

    def directive(self, line: int, content: str) -> str:
        define = _DEFINE.match(content)
        if not define:
            raise self.error(f"'{content.split()[0]}'", line)
        name, parenthesis, value = define.groups()
        value = self.expanded((value or "").strip())
        # `#define A (1+2)` has a blank before its parenthesis, a macro with arguments has none
        if parenthesis:
            raise self.error(f"the macro '{name}' with arguments", line)
        names = set(_NAME.findall(re.sub(r"(?<![0-9.])[0-9.]+[eE][+-]?[0-9]+", "", value)))
        if value and _NUMBERS.fullmatch(value) and names <= self.constants:
            self.constants.add(name)
            comment = _WORDS.search(self.raw[line])
            return f"let {name} = {value}" + (f"  # {comment.group(1)}" if comment else "")
        self.macros[name] = value
        return ""

    def expanded(self, content: str) -> str:
        """The content with macros replaced."""
        if not self.macros:
            return content
        return _NAME.sub(lambda match: self.macros.get(match.group(), match.group()), content)

    def production(self, content: str, line: int) -> str:
        label = _LABEL.match(content)
        if label:
            content = content[label.end() :].lstrip()
        before, _, after = content.partition("-->")
        predecessor, colon, condition = before.partition(":")
        if "{" in before:
            raise self.error("a production with statements in braces", line)
        weight = ""
        if ":" in after:
            after, _, chance = after.rpartition(":")
            weight = f" : {self.expression(chance, line)}"
        condition = f": {self.expression(condition, line)}" if colon else ""
        successor = "" if after.strip() == "*" else self.modules(after, line)
        return f"{self.modules(predecessor, line, context=True)}{condition} --> {successor}{weight}"

    def expression(self, content: str, line: int) -> str:
        for unknown in ("bran", "sran", "srand"):
            if re.search(rf"\b{unknown}\s*\(", content):
                raise self.error(f"the function '{unknown}'", line, unknown)
        for pattern, ours in _FUNCTIONS:
            content = re.sub(pattern, ours, content)
        return content

    def modules(self, content: str, line: int, context: bool = False) -> str:
        """Modules with their parameters; symbols of cpfg that stand for something else here are replaced."""
        words: list[str] = []
        place = 0
        while place < len(content):
            character = content[place]
            if character == "(":
                end = _closing(content, place)
                words.append(self.expression(content[place:end], line))
                place = end
            elif character == "~":
                name = content[place + 1 : place + 2]
                if name not in _SURFACES:
                    raise self.error(f"the surface '~{name}' (known: ~{', ~'.join(_SURFACES)})", line, f"~{name}")
                place += 2
                end = _closing(content, place) if content[place : place + 1] == "(" else place
                words.append(self.surface(_SURFACES[name], content[place:end], line, context))
                place = end
            elif character == ";":
                words.append("'")
                place += 1
            elif character == "\n":
                words.append("\n ")
                place += 1
            elif character in '#,@?"_`=' or (character in "<>*:" and not context):
                what = content[place : place + 2] if character == "@" else character
                raise self.error(f"the symbol '{what}'", line + content.count("\n", 0, place), what)
            else:
                words.append(character)
                place += 1
        return "".join(words)

    def surface(self, organ: str, parameters: str, line: int, context: bool) -> str:
        """A predefined surface: its one parameter is its length."""
        if context or not parameters:
            return f"{organ}{parameters} "
        size = self.expression(parameters, line)
        return f"{organ}({size}, 0.5*{size})"


_STATEMENTS = {
    _START: _Translator.system,
    _SECTION: _Translator.heading,
    _DEPTH: _Translator.depth,
    _HEADER: _Translator.header,
    _UNREAD: _Translator.unread,
}
"""What a statement begins with -> how it is read; productions have an arrow."""


def _closing(content: str, place: int) -> int:
    """Where the parenthesis that opens at a place ends."""
    depth = 0
    for index in range(place, len(content)):
        depth += (content[index] == "(") - (content[index] == ")")
        if depth == 0:
            return index + 1
    return len(content)
