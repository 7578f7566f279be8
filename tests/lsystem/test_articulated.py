# SPDX-License-Identifier: GPL-3.0-or-later
"""Articulated-body strings: Garcia 2023, section 5.2, his permitted and refused strings, and geometry by hand."""

import math

import numpy as np
import pytest

from lsystem import (
    LSystemError,
    articulated_skeleton,
    body_frames,
    derive,
    is_articulated,
    parse,
    read_articulated,
)

BODY = "B(0.1, 0,0.5,0, 0,0.5,0, 0.04,0.001,0.04)"
JOINT = "J(0.1,0.2,0.3, 0,0,0, 1,2,3)"


def spelled(pattern: str) -> str:
    """A pattern of B, J and other symbols with full parameters."""
    return pattern.replace("J", "{J}").replace("B", BODY).replace("{J}", JOINT)


@pytest.mark.parametrize(
    ("pattern", "parents"),
    [
        ("B", [-1]),
        ("BJB", [-1, 0]),
        ("BJBJB", [-1, 0, 1]),
        ("B[JB]JB", [-1, 0, 0]),
        ("B[JB[JB]JB]JB", [-1, 0, 1, 1, 0]),  # his index example: B0 [J1 B1 [J2 B2] J3 B3] J4 B4
        ("B[JB[JB[JB]]][JB]", [-1, 0, 1, 2, 0]),
        ("[BJB]", [-1, 0]),
        ("F(1)B+[~Leaf(1,1)]J[F]-(3)BX", [-1, 0]),  # other modules anywhere
        ("B[]J[[]]B[[JB]]JB", [-1, 0, 1, 1]),
    ],
)
def test_permitted(pattern: str, parents: list[int]):
    assert read_articulated(spelled(pattern)).parent.tolist() == parents


@pytest.mark.parametrize(
    ("pattern", "blamed", "message"),
    [
        ("BJJB", 2, "two joints"),
        ("BJ[JB]", 2, "a branch cannot start right after"),
        ("B[J]J", 2, "no body B after it"),
        ("BB", 1, "two bodies"),
        ("B[B]", 2, "two bodies"),
        ("BJ[JB]B", 2, "a branch cannot start right after"),
        ("BJ[B]JB", 2, "a branch cannot start right after"),
        ("BJ[B]B", 2, "a branch cannot start right after"),
        ("BJ[B]", 2, "a branch cannot start right after"),
        ("BJ[[F]B]", 2, "a branch cannot start right after"),
        ("BJ", 1, "no body B after it"),
        ("BJB[JBJ]JB", 6, "no body B after it"),
        ("JB", 0, "starts with the root body"),
        ("[B]JB", 3, "starts with the root body"),
        ("[B][B]", 4, "second root"),
        ("BJB]", 3, "closes nothing"),
        ("B[JB", 1, "never closed"),
    ],
)
def test_refused_at_the_module_to_blame(pattern: str, blamed: int, message: str):
    text = "\n" + spelled(pattern)
    with pytest.raises(LSystemError, match=message) as caught:
        read_articulated(text, source="rods")
    assert caught.value.line == 2
    assert caught.value.column == 1 + len(spelled(pattern[:blamed]))
    assert caught.value.source == "rods"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("F(1)", "no body B"),
        ("B(1,2)", r"B needs 10 parameters \(mass"),
        ("B", "B needs 10 parameters"),
        (BODY + "J(1,2,3)" + BODY, "J needs 9 parameters"),
        ("B(-1, 0,0,0, 0,0,0, 1,1,1)", "must not be negative"),
        (BODY + JOINT + "B(0, 0,0,0, 0,1,0, 1,1,1)", "must be above 0"),
        (BODY + JOINT + "B(1, 0,0,0, 0,1,0, 1,0,1)", "must be above 0"),
        (BODY + JOINT + "B(1, 0,1,0, 0,1,0, 0.9,1,1)", "the x inertia about the joint is below"),
        (BODY + "J(0,0,0, 0,0,0, 1,-1,1)" + BODY, "spring constant must not be negative"),
    ],
)
def test_impossible_parameters(text: str, message: str):
    with pytest.raises(LSystemError, match=message):
        read_articulated(text)


def test_parameters_and_bool_of_branches():
    bodies = read_articulated(
        "B(0, 0,0,0, 0,0.1,0, 0,0,0) [J(1,2,3, 4,5,6, 7,8,9) B(1, 0,2,3, 0,5,6, 13,10,10)]" + JOINT + BODY
    )
    assert bodies.mass.tolist() == [0, 1, 0.1]
    assert bodies.com[1].tolist() == [0, 2, 3]
    assert bodies.outboard[1].tolist() == [0, 5, 6]
    assert bodies.inertia[1].tolist() == [13, 10, 10]
    assert bodies.rest_angles.tolist() == [[0, 0, 0], [1, 2, 3], [0.1, 0.2, 0.3]]
    assert bodies.initial_angles[1].tolist() == [4, 5, 6]
    assert bodies.stiffness[1].tolist() == [7, 8, 9]
    assert bodies.starts_branch.tolist() == [False, True, False]


def test_a_point_mass_is_allowed():
    assert len(read_articulated(BODY + JOINT + "B(0.3, 0,0.7,0, 0,0.1,0, 0.147,1e-9,0.147)")) == 2


def test_infantile_bodies_are_pruned_with_their_subtree():
    light = "B(0.001, 0,0.5,0, 0,0.5,0, 0.04,0.001,0.04)"
    short = "B(0.1, 0,0.001,0, 0,0.001,0, 0.04,0.001,0.04)"
    text = f"{light}[{JOINT}{light}{JOINT}{BODY}]{JOINT}{BODY}[{JOINT}{short}]{JOINT}{BODY}"
    assert len(read_articulated(text)) == 6
    assert read_articulated(text, prune_below_mass=0.01).parent.tolist() == [-1, 0, 1, 1]
    assert read_articulated(text, prune_below_mass=0.01, prune_below_length=0.01).parent.tolist() == [-1, 0, 1]


def test_derived_strings_are_read_with_the_place_in_the_grammar():
    text = f"steps: 4\naxiom: {BODY} A\nA -> {JOINT} {BODY} A\n"
    modules = derive(parse(text))
    assert is_articulated(modules)
    assert not is_articulated(derive(parse("axiom: B J B(1)")))
    assert len(read_articulated(modules)) == 5
    with pytest.raises(LSystemError) as caught:
        read_articulated(derive(parse(text.replace(BODY + " A\n", "J A\n", 2).replace("axiom: J", f"axiom: {BODY}"))))
    assert caught.value.line == 3


def test_geometry_by_hand():
    quarter = math.pi / 2
    text = (
        "B(1, 0,0.5,0, 0,0.5,0, 1,1,1)"
        f"J(0,0,{quarter}, 0,0,-{quarter}, 1,1,1) B(2, 0,1,0, 0,1,0, 3,0.0004,3)"
        f"J({quarter},0,{quarter}, 0,0,0, 1,1,1) B(2, 0.5,0,0, 0.5,0,0, 0.01,3,3)"
    )
    bodies = read_articulated(text)
    head, frame = body_frames(bodies)
    # the base is upright; +90 degrees about z (the turtle's up) turns y to the left, -x of the plant
    np.testing.assert_allclose(head, [[0, 0, 0], [0, 0, 1], [-2, 0, 1]], atol=1e-15)
    assert np.linalg.norm(frame, axis=1) == pytest.approx(1)
    head, _ = body_frames(bodies, initial=True)
    np.testing.assert_allclose(head[2], [0, 0, 3], atol=1e-15)
    skeleton = articulated_skeleton(bodies)
    np.testing.assert_allclose(skeleton.length, [1, 2, 1])
    np.testing.assert_allclose(skeleton.head[1:], skeleton.tail()[:-1], atol=1e-12)
    assert skeleton.radius_tip[1] == pytest.approx(math.sqrt(2 * 0.0004 / 2))
    # body 2: x and z of body 1 were plant z (right -> up) ... its own x axis is where the segment goes
    w, x, y, z = frame[2]
    own_x = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
    np.testing.assert_allclose(skeleton.direction()[2], own_x, atol=1e-12)


def test_intrinsic_xyz_order():
    bodies = read_articulated(BODY + "J(0.3,0.4,0.5, 0,0,0, 1,1,1)" + BODY)
    _, frame = body_frames(bodies)

    def turn(axis: int, angle: float) -> np.ndarray:
        i, j = [k for k in range(3) if k != axis]
        matrix = np.eye(3)
        sign = -1.0 if axis == 1 else 1.0
        matrix[i, i] = matrix[j, j] = math.cos(angle)
        matrix[i, j], matrix[j, i] = -sign * math.sin(angle), sign * math.sin(angle)
        return matrix

    wanted = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]) @ turn(0, 0.3) @ turn(1, 0.4) @ turn(2, 0.5)
    w, x, y, z = frame[1]
    np.testing.assert_allclose(
        wanted,
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ],
        atol=1e-12,
    )


def test_axes_and_orders_follow_brackets():
    skeleton = articulated_skeleton(read_articulated(spelled("B[JBJB[JB]]JB[JB]")))
    assert skeleton.order.tolist() == [0, 1, 1, 2, 0, 1]
    assert skeleton.axis.tolist() == [0, 1, 1, 2, 0, 3]


def test_bodies_without_length():
    root = "B(0, 0,0,0, 0,0,0, 0,0,0)"
    skeleton = articulated_skeleton(read_articulated(root + JOINT + BODY))
    np.testing.assert_allclose(skeleton.tail()[0], 0, atol=1e-15)
    assert skeleton.length[0] > 0
    with pytest.raises(LSystemError, match="body 1 has no length"):
        articulated_skeleton(read_articulated(BODY + JOINT + "B(1, 0,1,0, 0,-1,0, 2,1,2)"))
