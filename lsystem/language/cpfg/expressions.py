# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads expressions and statements of cpfg into trees.

cpfg's grammar: ``-3^2`` is 9 and ``2^3^2`` is 64, since signs bind tighter than powers, and powers group to the left.
What ``&&``, ``||`` and ``? :`` come to within larger expressions is told in `stacked`.
"""

from collections.abc import Sequence

from ...base.errors import LSystemError
from ...expressions.closures import Compiler, Surroundings
from ...expressions.nodes import Call, Choice, Logical, Node, Number, Parameter
from ...expressions.parser import MAX_EXPRESSION_DEPTH, folded
from ...expressions.stacked import Computed, is_constant, lone_leaf, settled
from ...expressions.state import (
    Assignment,
    Block,
    Decision,
    Effect,
    Element,
    Evaluation,
    Loop,
    Statement,
    Store,
    Variable,
)
from .functions import BINARY, EFFECTS, FUNCTIONS, REFUSED, RESERVED, SILENT, UNARY
from .names import Names
from .scanner import Scanner

MOST_NESTED = 50
"""Blocks in blocks."""
_TERNARY = 0


class ExpressionReader:
    """Reads what stands in parentheses, conditions and braces."""

    def __init__(self, scanner: Scanner, names: Names) -> None:
        self.scanner = scanner
        self.names = names
        self.nesting = 0
        self.begin = 0
        """The line where the block begins that is read."""
        self.silent: set[str] = set()
        """Functions that have been read and do nothing here."""
        self.lone: dict[str, int] = {}
        """Arrays where cpfg assigns to what is in a subscript, not to the element, and the first lines that do."""

    def expression(self, as_truth: bool = False) -> Node:
        """Read one expression; the scanner stops at the first token that is not part of it.

        as_truth: it is a condition, of which only counts whether it is 0.
        """
        node = self.tree()
        if self.nesting or isinstance(node, Number):
            return node
        node = settled(node, as_truth)
        if is_constant(node):
            return Computed(float(Compiler(Surroundings()).expression(node)([])), lone_leaf(node) is not None)
        return node

    def tree(self, lowest: int = _TERNARY) -> Node:
        """Read an expression that may be part of another one."""
        scanner = self.scanner
        self.nesting += 1
        if self.nesting > MAX_EXPRESSION_DEPTH:
            raise self.too_deep(scanner.offset)
        left = self.operand()
        while True:
            kind, token = scanner.token()
            offset = scanner.offset
            if token == "?" and lowest == _TERNARY:
                scanner.take(token)
                then = self.tree()
                scanner.expect(":", " of '? :'")
                left = Choice(self.shallow((left, then, self.tree()), offset))
                continue
            if kind != "operator" or token not in BINARY or BINARY[token][0] < lowest:
                break
            precedence, function = BINARY[token]
            scanner.take(token)
            both = self.shallow((left, self.tree(precedence + 1)), offset)
            if function is None:
                left = Logical(both, token == "&&")
            else:
                left = _folded(Call(both, function, scanner.text, offset))
        self.nesting -= 1
        return left

    def operand(self) -> Node:
        """Read what operators stand between."""
        scanner = self.scanner
        kind, token = scanner.token()
        offset = scanner.offset
        if kind == "number":
            return Number(float(scanner.take(token)))
        if kind == "string":
            scanner.take(token)
            self.names.quoted += 1
            return Number(float(self.names.quoted - 1))
        if kind == "name":
            return self.named(scanner.take(token), offset)
        if token == "(":
            scanner.take(token)
            inside = self.tree()
            scanner.expect(")")
            return inside
        if token in UNARY:
            scanner.take(token)
            self.nesting += 1
            if self.nesting > MAX_EXPRESSION_DEPTH:
                raise self.too_deep(offset)
            argument = self.shallow((self.operand(),), offset)
            self.nesting -= 1
            return _folded(Call(argument, UNARY[token], scanner.text, offset))
        if token == "&":  # where a value would be read into
            scanner.take(token)
            return self.operand()
        raise scanner.error(f"expected a number, a name or '(', found {scanner.found()}", offset)

    def named(self, name: str, offset: int) -> Node:
        """What a name stands for, with what follows it if it is an array or a function."""
        scanner = self.scanner
        following = scanner.token()[1]
        if following == "(" and name not in self.names.arrays:
            return self.function(name, offset)
        if name in self.names.arrays:
            return Element(self.shallow(self.indices(name), offset), self.names.arrays[name])
        variable = self.names.find(name)
        if variable is not None:
            return variable
        if name in RESERVED:
            raise scanner.error(f"the function {name} needs its arguments in parentheses", offset)
        if following == "[":
            message = f"'{name}' is no array; arrays stand in a block 'Define: {{ array {name}[2]; }}'"
            raise scanner.error(message, offset)
        if self.names.strict:
            raise scanner.error(f"unknown name '{name}' (known here: {self.names.known()})", offset)
        return self.names.zero(name, scanner.text.position(offset)[0])

    def function(self, name: str, offset: int) -> Node:
        """Read the arguments of a function."""
        scanner = self.scanner
        if name not in FUNCTIONS and name not in EFFECTS and name not in SILENT:
            raise scanner.error(f"'{name}' {REFUSED.get(name, 'is no function of cpfg')}", offset)
        scanner.expect("(")
        arguments: list[Node] = []
        if not scanner.accept(")"):
            arguments = self.list_of_expressions()
            scanner.expect(")")
        inside = self.shallow(arguments, offset)
        counts = FUNCTIONS[name].counts if name in FUNCTIONS else EFFECTS.get(name)
        if counts is not None and len(arguments) not in counts:
            raise scanner.error(f"{name} takes {counts[-1]} arguments, not {len(arguments)}", offset)
        if name in SILENT:
            self.silent.add(name)
        if name in FUNCTIONS:
            return _folded(Call(inside, FUNCTIONS[name], scanner.text, offset))
        return Effect(inside, name, scanner.text, offset)

    def list_of_expressions(self) -> list[Node]:
        """Read expressions with commas between them."""
        expressions = [self.expression()]
        while self.scanner.accept(","):
            expressions.append(self.expression())
        return expressions

    def indices(self, name: str) -> tuple[Node, ...]:
        """Read the indices of an array, each in its brackets."""
        scanner = self.scanner
        found: list[Node] = []
        offset = scanner.offset
        while scanner.accept("["):
            found.append(self.expression())
            scanner.expect("]")
        dimensions = len(self.names.shapes[self.names.arrays[name]].sizes)
        if len(found) != dimensions:
            raise scanner.error(f"the array '{name}' has {dimensions} indices, not {len(found)}", offset)
        return tuple(found)

    def shallow(self, arguments: Sequence[Node], offset: int) -> tuple[Node, ...]:
        """Arguments that an operation may still have without being nested too deep."""
        if any(argument.depth >= MAX_EXPRESSION_DEPTH for argument in arguments):
            raise self.too_deep(offset)
        return tuple(arguments)

    def too_deep(self, offset: int) -> LSystemError:
        """The error for what is nested too deep."""
        return self.scanner.error(f"expression nested more than {MAX_EXPRESSION_DEPTH} deep", offset)

    def block(self) -> Block:
        """Read statements in braces."""
        scanner = self.scanner
        scanner.expect("{")
        scanner.braces += 1
        if scanner.braces > MOST_NESTED:
            raise scanner.error(f"blocks are nested more than {MOST_NESTED} deep")
        outside, self.begin = self.begin, scanner.text.position(scanner.offset)[0]
        statements: list[Statement] = []
        while scanner.token()[1] not in ("}", ""):
            statements += self.statement()
        if scanner.token()[1] != "}":
            raise scanner.error(f"the block that begins in line {self.begin} is never closed with '}}'")
        self.begin = outside
        scanner.braces -= 1
        scanner.take("}")
        return tuple(statements)

    def statement(self) -> Block:
        """Read one statement; ``for`` is two."""
        scanner = self.scanner
        kind, word = scanner.token()
        start = scanner.offset
        if kind == "name" and word == "if":
            scanner.take(word)
            condition, then = self.condition(), self.block()
            return (Decision(condition, then, self.block() if scanner.accept("else") else ()),)
        if kind == "name" and word == "while":
            scanner.take(word)
            return (Loop(self.condition(), self.block(), False, scanner.text, start),)
        if kind == "name" and word == "for" and (loop := self.counted_loop(start)):
            return loop
        if kind == "name" and word == "do":
            scanner.take(word)
            body = self.block()
            scanner.expect("while", " after the block of 'do'")
            condition = self.condition()
            scanner.expect(";")
            return (Loop(condition, body, True, scanner.text, start),)
        statement = self.simple()
        if scanner.accept(";"):
            return (statement,)
        found = scanner.found()
        message = f"expected ';' at the end of a statement, found {found}"
        line = scanner.text.position(scanner.skip_blanks())[0]
        if line > self.begin or scanner.token()[0] == "arrow":
            message += f"; or the block that begins in line {self.begin} lacks its '}}'"
        raise scanner.error(message)

    def simple(self) -> Statement:
        """Read an assignment, or an expression for what it does."""
        kind, word = self.scanner.token()
        statement = self.assignment(word) if kind == "name" and word not in RESERVED else None
        return statement or Evaluation(self.expression())

    def counted_loop(self, start: int) -> Block:
        """Read ``for (i = 0; i < 3; i = i + 1) {...}``, which cpfg itself does not know; nothing if it is none."""
        scanner = self.scanner
        scanner.take("for")
        if scanner.token()[1] != "(":
            scanner.offset = start
            return ()
        scanner.expect("(")
        first = self.simple()
        scanner.expect(";", " behind what 'for' begins with")
        condition = self.expression(as_truth=True)
        scanner.expect(";", " behind the condition of 'for'")
        further = self.simple()
        scanner.expect(")", " of 'for'")
        return first, Loop(condition, (*self.block(), further), False, scanner.text, start)

    def stored(self, name: str, indices: tuple[Node, ...]) -> Statement:
        """Read the value of an element; which cpfg gives to a leaf of the first subscript if that stands alone."""
        leaf = lone_leaf(indices[0])
        line = self.scanner.text.position(self.scanner.offset)[0]
        value = self.expression()
        if leaf is None:
            return Store(self.names.arrays[name], indices, value)
        self.lone.setdefault(f"{name}[]", line)
        if isinstance(leaf, Number):
            return Evaluation(value)
        assert isinstance(leaf, Parameter | Variable)  # there are no other leaves
        return Assignment(self.names.register(leaf), value)

    def condition(self) -> Node:
        """Read a condition in its parentheses."""
        self.scanner.expect("(")
        condition = self.expression(as_truth=True)
        self.scanner.expect(")")
        return condition

    def assignment(self, name: str) -> Statement | None:
        """Read an assignment to a name; None, and nothing is read, if it is none."""
        scanner = self.scanner
        start = scanner.offset
        scanner.take(name)
        if name in self.names.arrays:
            indices = self.indices(name)
            if scanner.accept("="):
                return self.stored(name, indices)
        elif scanner.token()[1] == "[":
            message = f"'{name}' is no array; arrays stand in a block 'Define: {{ array {name}[2]; }}'"
            raise scanner.error(message, start)
        elif scanner.accept("="):
            # cpfg knows the name already in the value that it is given first
            register = self.names.assigned(name)
            return Assignment(register, self.expression())
        scanner.offset = start
        return None


def _folded(call: Call) -> Node:
    """The call, or its value if that is known already; which is no leaf all the same."""
    node = folded(call)
    return Computed(node.value, lone_leaf(call) is not None) if isinstance(node, Number) else node
