# SPDX-License-Identifier: GPL-3.0-or-later
r"""Turtle interpretation: a module string drawn as a skeleton (Prusinkiewicz and Lindenmayer 1990, section 1.5).

The turtle starts at the origin, heading H up along +z, its right side R along +x, its up side U along -y, which is the
frame of a Blender bone that is drawn upwards without roll. `+` turns H to the left, `&` turns H down, away from U, `\`
rolls to the left: L goes down.
"""

from dataclasses import replace
from math import dist

import numpy as np

from ..base.between_steps import Derived
from ..base.module_string import ModuleString
from ..base.organs import LEAF, PETIOLE, STEM, blade_widths, rod_of
from ..base.quaternions import (
    HALF_TURN,
    START,
    Quaternion,
    Vector,
    about_axis,
    bent_towards,
    from_axes,
    headed,
    heading,
    levelled,
    multiply,
    part_way,
    rolled,
    rotate,
)
from ..base.sheets import Sheet
from ..base.skeleton import Polygon, Skeleton
from ..language.grammar import Grammar
from . import commands
from .commands import Actions, read_actions
from .cpfg_modules import in_own_symbols
from .cpfg_surfaces import Shapes, ShapeTable
from .partial_growth import partly_grown
from .patches import Patches
from .polygons import leaf_of
from .pulls import PULLING, Frame, Pulled
from .segments import AXIS, ORDER, ORGAN, RADIUS_TIP, THINNEST, Segment, State, finished, with_scenery
from .tubes import BEGIN, CLOSE, END, FORGET, Knot, Span, Tube, continued

SHORTEST_SEGMENT = 1e-5


def interpret(string: ModuleString, grammar: Grammar, prune_below: float = SHORTEST_SEGMENT) -> Skeleton:
    """Draw a module string.

    Segments shorter than ``prune_below`` (m) are left out, their children go to their parent. Symbols that the turtle
    does not know draw nothing. Raises `LSystemError` at a turtle module with a wrong number of parameters or an
    impossible size, and at brackets that do not match.
    """
    translated = in_own_symbols(string, grammar)
    return _drawn(read_actions(translated.string, grammar), grammar, prune_below, translated.shapes)


def interpret_between(derived: Derived, grammar: Grammar, prune_below: float = SHORTEST_SEGMENT) -> Skeleton:
    """Draw a plant between two derivation steps: what the step makes has grown by its fraction."""
    shapes = None if grammar.program is None else ShapeTable(grammar.program.beside.view.contours)
    before, after = (in_own_symbols(string, grammar, shapes) for string in (derived.before, derived.after))
    steps = Derived(
        before.string, after.string, derived.group_before[before.origin], derived.group_after[after.origin],
        derived.fraction,
    )  # fmt: skip
    actions_before, actions_after = read_actions(before.string, grammar), read_actions(after.string, grammar)
    return _drawn(partly_grown(actions_before, actions_after, steps), grammar, prune_below, after.shapes)


def _drawn(actions: Actions, grammar: Grammar, prune_below: float, shapes: Shapes) -> Skeleton:
    turtle = _Turtle(actions, grammar, shapes)
    turtle.walk()
    skeleton = finished(turtle.segments, turtle.polygons, turtle.spans, shapes.outlines, actions, grammar)
    if grammar.program is not None:
        skeleton = with_scenery(skeleton)
    return skeleton.prune(prune_below)


class _Turtle:
    """Follows actions one after the other."""

    def __init__(self, actions: Actions, grammar: Grammar, shapes: Shapes) -> None:
        self.actions = actions
        self.shapes = shapes
        self.grammar = grammar
        self.segments: list[Segment] = []
        self.polygons: list[Polygon] = []
        self.spans: list[Span] = []
        self.drawn_tube = Tube()
        self.axes = 0
        self.position: Vector = (0.0, 0.0, 0.0)
        self.frame = START
        self.radius = grammar.radius * grammar.unit
        self.parent = -1  # the last segment drawn
        self.branches = False  # the next segment is the first after `[`
        self.lifted = False  # `f` has moved the turtle since the last segment
        self.state = State(grammar.tropism)
        # polygons go on through brackets
        self.outlines: list[tuple[list[Vector], Vector, Vector]] = []
        self.patches = Patches()
        self.pulled = Pulled(_frame_of(START))

    def walk(self) -> None:
        """Follow all actions."""
        actions = self.actions
        stack: list[tuple] = []
        turns, turn, steps = _turns(actions), commands.TURN, (commands.STEP, commands.STEP_UNSEEN)
        columns = [column.tolist() for column in (actions.action, actions.length, actions.size, actions.blend)]
        for index, (action, length, size, blend) in enumerate(zip(*columns, strict=True)):
            if action == turn:
                self.frame = multiply(self.frame, turns[index])
            elif action in steps:
                if self.outlines:
                    self.move(length, action == commands.STEP)
                else:
                    organ, radius = self.state.organ, size if size == size else self.radius
                    self.segment(index, organ, length, radius, 0.0 if organ in (STEM, PETIOLE) else 2.0 * radius)
            elif action == commands.PUSH:
                stack.append(self.saved())
                self.branches = True
            elif action == commands.POP:
                self.restore(stack.pop())
            elif action == commands.MOVE:
                self.move(length, True)
                self.lifted = self.lifted or not self.outlines
            elif action == commands.WIDTH:
                wanted = 0.5 * size if size == size else self.radius * self.grammar.taper
                self.radius = wanted if blend == 1.0 else (1.0 - blend) * self.radius + blend * wanted
            elif action == commands.AROUND:
                self.frame = multiply(self.frame, HALF_TURN)
            elif action == commands.LEVEL:
                self.frame = levelled(self.frame)
            elif action == commands.COLOUR:
                self.state = replace(self.state, colour=int(size) if size == size else self.state.colour + 1)
            elif action == commands.SET:
                self.set(index, size)
            elif action in (commands.PLACE, commands.SHIFT, commands.AIM, commands.FACE):
                self.directed(action, (size, length, float(actions.thickness[index])), blend)
            elif action in PULLING:
                self.pull(action, (size, length, float(actions.thickness[index])), float(actions.bend[index]), blend)
            elif action == commands.KNOT:
                self.patches.knot(self.position, size, length, float(actions.thickness[index]))
            elif action == commands.PATCH:
                if (patch := self.patches.sheet(size)) is not None:
                    self.hang(index, patch, rotate(self.frame, (0.0, 0.0, 1.0)), self.position)
            elif action == commands.SHEET:
                self.sheet(index, (size, length, float(actions.thickness[index])))
            elif action == commands.TUBE:
                self.tube(index, 0.5 * size)
            elif action == commands.BEGIN:
                self.outlines.append(([], rotate(self.frame, (0.0, 0.0, 1.0)), self.position))
            elif action == commands.VERTEX:
                self.vertex()
            elif action == commands.END:
                self.surface(index)
            elif action == commands.ORGAN:
                self.organ(index, length, size)

    def saved(self) -> tuple:
        """What `[` saves and `]` restores."""
        moving = self.position, self.frame, self.pulled.kept
        return *moving, self.radius, self.parent, self.branches, self.lifted, self.state, self.drawn_tube

    def restore(self, saved: tuple) -> None:
        """Go back to where this was saved."""
        self.position, self.frame, self.pulled.kept, *others = saved
        self.radius, self.parent, self.branches, self.lifted, self.state, self.drawn_tube = others

    def segment(
        self, index: int, organ: int, length: float, radius: float, width: float, base: float | None = None
    ) -> None:
        """Add a segment ahead of the turtle and go to its end; base: the radius there, by default its parent's."""
        radius = max(radius, THINNEST)
        order, axis, radius_base = 0, self.axes, radius
        continues = False
        if self.parent >= 0:
            parent = self.segments[self.parent]
            order = parent[ORDER] + self.branches
            continues = not self.branches and not self.lifted and parent[ORGAN] == organ
            if continues:
                axis, radius_base = parent[AXIS], parent[RADIUS_TIP]
        self.axes += not continues
        radius_base = radius_base if base is None else max(base, THINNEST)
        state = self.state
        x, y, z = head = self.position
        frame = self.frame
        self.segments.append(
            (self.parent, organ, order, axis, radius, radius_base, length, width, head, frame, state, index)
        )
        along_x, along_y, along_z = heading(frame)
        self.position = x + length * along_x, y + length * along_y, z + length * along_z
        self.parent = len(self.segments) - 1
        self.branches = self.lifted = False
        if state.tropism[3]:
            self.frame = bent_towards(self.frame, state.tropism, float(self.actions.grown[index]))

    def organ(self, index: int, length: float, size: float) -> None:
        """Add an organ; a blade may be several segments."""
        actions = self.actions
        organ, pieces = int(actions.organ[index]), int(actions.pieces[index])
        thickness = float(actions.thickness[index])
        if pieces == 1:
            self.segment(index, organ, length, *rod_of(organ, length, size, thickness))
            return
        turn = about_axis(0, -float(actions.bend[index]) / pieces)
        for width in blade_widths(pieces):
            self.segment(index, organ, length / pieces, *rod_of(organ, length / pieces, size * width, thickness))
            self.frame = multiply(self.frame, turn)

    def move(self, length: float, seen: bool) -> None:
        """Go ahead without drawing; within a polygon the place is a vertex if it is seen."""
        ahead = rotate(self.frame, (0.0, length, 0.0))
        x, y, z = self.position
        self.position = x + ahead[0], y + ahead[1], z + ahead[2]
        if self.outlines and seen:
            self.vertex()

    def directed(self, action: int, vector: Vector, share: float = 1.0) -> None:
        """Go to a place, or by a way in the turtle's own axes; or turn with the head or the upper side to somewhere."""
        if action in (commands.AIM, commands.FACE):
            wanted = (headed if action == commands.AIM else rolled)(self.frame, vector)
            self.frame = wanted if share == 1.0 else part_way(self.frame, wanted, share)
            return
        x, y, z = (0.0, 0.0, 0.0) if action == commands.PLACE else self.position
        dx, dy, dz = vector if action == commands.PLACE else rotate(self.frame, vector)
        self.position = x + dx, y + dy, z + dz
        self.lifted = self.lifted or not self.outlines

    def pull(self, action: int, vector: Vector, strength: float, share: float) -> None:
        """Turn as tropisms of cpfg do."""
        before = _frame_of(self.frame)
        frame = self.pulled.after(before, action, vector, strength, share)
        if frame is not before:
            left, up = frame.left(), tuple(-part for part in frame.up)
            self.frame = from_axes([-part for part in left], frame.heading, up)

    def vertex(self) -> None:
        if self.outlines:
            self.outlines[-1][0].append(self.position)

    def surface(self, index: int) -> None:
        """Hang a leaf that stands for the polygon on the last segment; the turtle stays where it is."""
        outline, up, place = self.outlines.pop()
        self.hang(index, Sheet(np.array(outline, dtype=np.float64).reshape(-1, 3)), up, place)

    def sheet(self, index: int, factors: Vector) -> None:
        """Hang a leaf that stands for a sheet, which lies along cpfg's axes, so many metres large."""
        sheet = self.shapes.sheets[int(self.actions.pieces[index])]
        # L is to the left, U downwards
        axes = np.array([rotate(self.frame, axis) for axis in ((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -1.0))])
        axes *= np.array(factors)[:, None]
        place = self.position
        placed = replace(sheet, vertices=sheet.vertices @ axes + place, patches=sheet.patches @ axes + place)
        self.hang(index, placed, rotate(self.frame, (0.0, 0.0, 1.0)), self.position)

    def tube(self, index: int, radius: float) -> None:
        """Give the tube a control point where the turtle is, or close it."""
        style = self.shapes.styles[int(self.actions.pieces[index])]
        if style.does in (BEGIN, FORGET):
            self.drawn_tube = Tube()
        if style.does not in (FORGET, CLOSE):
            self.extend_tube(index, Knot(self.position, self.frame, radius, style, self.lifted))
        if style.does in (END, CLOSE):
            for knot in self.drawn_tube.first if style.is_closed else ():
                self.extend_tube(index, knot._replace(style=knot.style._replace(pieces=style.pieces)))
            self.drawn_tube = Tube()

    def extend_tube(self, index: int, knot: Knot) -> None:
        """Draw a tube to a control point, as a segment that is cut into pieces in the end; the turtle stays."""
        before = self.drawn_tube.span
        self.drawn_tube, knots = continued(self.drawn_tube, knot)
        if knots is None:
            return
        span = Span(len(self.segments), knots, before)
        start, end = span.ends
        place, frame = self.position, self.frame
        self.position, self.frame = start.place, start.frame
        # moves within a tube do not lift the turtle from it
        self.lifted = before < 0 and (start.lifted or end.style.is_spline)
        is_leaf = knot.style.is_leaf
        self.segment(index, LEAF if is_leaf else STEM, dist(start.place, end.place), end.radius, 0.0, start.radius)
        self.position, self.frame = place, frame
        self.lifted = end.style.is_spline  # which is near it
        self.spans.append(span)
        self.drawn_tube = self.drawn_tube._replace(span=len(self.spans) - 1)

    def hang(self, index: int, sheet: Sheet, up: Vector, place: Vector) -> None:
        """Hang a leaf that stands for a sheet at a place on the last segment."""
        found = leaf_of(sheet, up, place)
        if found is None:
            return
        leaf, sheet = found
        before = self.saved()
        self.position, self.frame, self.lifted = leaf.base, leaf.frame, True
        self.segment(index, LEAF, leaf.length, *rod_of(LEAF, leaf.length, leaf.width))
        drawn = sheet.vertices, len(self.segments) - 1, self.state.colour, sheet.patches, sheet.triangles, sheet.uv
        self.polygons.append(Polygon(*drawn))
        self.restore(before)

    def set(self, index: int, value: float) -> None:
        """Change what the following segments are made of."""
        actions = self.actions
        name = actions.symbol[actions.string.kinds[actions.module[index]]][1:]
        if name == "organ":
            self.state = replace(self.state, organ=int(value))
        elif name == "pin":
            self.state = replace(self.state, pinned=bool(value))
        elif name == "elasticity":
            self.state = replace(self.state, tropism=(*self.state.tropism[:3], value))
        elif name == "tropism":
            y, z, elasticity = actions.length[index], actions.thickness[index], actions.bend[index]
            self.state = replace(self.state, tropism=(value, float(y), float(z), float(elasticity)))
        else:
            self.state = replace(self.state, material={**self.state.material, name: value})


def _frame_of(q: Quaternion) -> Frame:
    """Heading and lower side, which is what cpfg calls up."""
    return Frame(rotate(q, (0.0, 1.0, 0.0)), rotate(q, (0.0, 0.0, -1.0)))


def _turns(actions: Actions) -> dict[int, Quaternion]:
    """Rotation of every turn."""
    places = (actions.action == commands.TURN).nonzero()[0]
    turns = map(about_axis, actions.axis[places].tolist(), actions.size[places].tolist())
    return dict(zip(places.tolist(), turns, strict=True))
