# SPDX-License-Identifier: GPL-3.0-or-later
"""A daffodil and a tulip in steady wind, as rods.

Measured (Etnier and Vogel 2000, Reorientation of daffodil (Narcissus: Amaryllidaceae) flowers in wind, American Journal
of Botany 87, 29-32, of which the abstract could be read): EI/GJ is 13.27 of a daffodil's stem, whose flower faces
sideways, and 8.33 of a tulip's, whose flower goes on along the stem; in moderate wind the daffodil's turns to face
downwind and has about 30 % less drag there.

Estimated, of a large trumpet daffodil: a stem of 35 cm with EI = 0.02 N m2 (daffodils are said to begin to bend over,
besides twisting, at 30 km/h in a wind tunnel), a trumpet 4 cm long and wide, and six petals of 45 mm and 9 cm2, which
lean forward as a cone with 60 degrees between its side and its axis. Petals and trumpet begin 45 mm from the stem's
axis: a wild one's flower, whose trumpet is 20 to 35 mm long, has a tube of 15 to 22 mm behind it, on a pedicel of 3 to
10 mm (Alpine Garden Society, Encyclopaedia: Narcissus pseudonarcissus), which is 27 and 9 mm of the large one, and
between them the ovary, about 9 mm. Cones of 15 and 30 degrees have drag coefficients of 0.34 and 0.51 on their base
with the tip ahead (as books for engineers have them from Hoerner 1965), and a disc, which is one of 90 degrees, has
1.17: about 0.84 of such a cone. Of its hollow side no less than the disc's is taken. Petals that lean by an angle have
C cos^2 of them on that base.

Of a tulip: a stem of 31 cm, as stiff, with a cup of 8 g, 63 mm high and 55 mm wide, of six petals. They stand edge to
edge, so that no air goes between them, and have together the drag of a short cylinder, 0.64 on its side (the same
books: 0.63 and 0.68 of those as long as wide and twice as long).

How near the lee a daffodil comes is a matter of its stem: in a wind that turns it, a stem of so much EI/GJ is bent
over as well, and about a stem that lies along the wind no drag turns anything. Were it kept upright, it would come to
where `turned_by_hand` says.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from solver import AIR_DENSITY, Rods, Sample, Simulation, discretize, sections
from solver.cross_sections.shapes import Section
from solver.math.rotations import exponential, logarithm, rotate

#: Of a rod: its parent, head (m), frame, length and radius (m), and area (m2) of its blade.
Row = tuple[int, np.ndarray, np.ndarray, float, float, float]

STEM, BENDING, INTERNODES, YOUNG = 0.35, 0.02, 8, 3e7
TRUMPET, NECK, PETAL, PETAL_AREA = 0.04, 0.045, 0.045, 9e-4
#: Into the hollow of such a cone, and onto its outside; by how much its petals lean (rad).
INTO, ONTO, LEAN = 1.17, 0.84, np.pi / 6.0
#: A tulip: length of its stem; height, width, mass (kg), drag and lean (rad) of its cup.
TULIP_STEM, CUP_HEIGHT, CUP_WIDTH, CUP_MASS, CUP_DRAG, CUP_LEAN = 0.31, 0.063, 0.055, 0.008, 0.64, np.pi / 18.0
DAFFODIL, TULIP, ISOTROPIC = 13.27, 8.33, 1.5
_RADIUS = (4.0 * BENDING / (np.pi * YOUNG)) ** 0.25


def _frame(y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Quaternion of the frame with this y axis whose z axis is nearest to this."""
    z = z - (z @ y) * y
    z = z / np.linalg.norm(z)
    return Rotation.from_matrix(np.column_stack([np.cross(y, z), y, z])).as_quat()[[3, 0, 1, 2]]


def daffodil(twist_to_bend: float, *, is_rigid: bool = False, cupped: bool = True, stiffer: float = 1.0) -> Rods:
    """A stem up along z with a flower that faces along x. Rods from INTERNODES on are the flower.

    is_rigid: whether nothing bends but the stem's lowest joints, and these next to nothing; stiffer: so many times as
    hard to bend the stem is, and no harder to twist.
    """
    face, side, up = np.eye(3)
    neck, trumpet = INTERNODES, INTERNODES + 1
    rows = [
        *_stem(STEM),
        (neck - 1, STEM * up, _frame(face, side), NECK, _RADIUS, 0.0),
        (neck, STEM * up + NECK * face, _frame(face, side), TRUMPET, 0.5 * TRUMPET, 0.0),
    ]
    for angle in np.arange(6) * np.pi / 3.0:
        out = np.cos(angle) * side + np.sin(angle) * np.cross(face, side)
        along = np.cos(LEAN) * out + np.sin(LEAN) * face
        rows.append((trumpet, STEM * up + NECK * face, _frame(along, face), PETAL, 1e-3, PETAL_AREA))
    cup = (INTO - ONTO) / (INTO + ONTO) if cupped else 0.0
    drag = 0.5 * (INTO + ONTO) / np.cos(LEAN) ** 2
    stem = sections.measured(stiffer, twist_ratio=stiffer * twist_to_bend)
    return _rods(rows, stem, is_rigid, density=60.0, drag=drag, drag_along=0.04, cup=cup)


def tulip(*, is_rigid: bool = False) -> Rods:
    """The same with a cup that stands upright on it."""
    up = np.array([0.0, 0.0, 1.0])
    area, radius = np.pi * CUP_WIDTH * CUP_HEIGHT / 6.0, 1e-3
    rows = _stem(TULIP_STEM)
    for angle in np.arange(6) * np.pi / 3.0:
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        along = np.cos(CUP_LEAN) * up + np.sin(CUP_LEAN) * out
        rows.append((INTERNODES - 1, TULIP_STEM * up, _frame(along, -out), CUP_HEIGHT, radius, area))
    # The mean of |cos|^3 around the cup is 4 / (3 pi).
    drag = CUP_DRAG * CUP_WIDTH * CUP_HEIGHT / (6.0 * area * 4.0 / (3.0 * np.pi) * np.cos(CUP_LEAN) ** 3)
    density = CUP_MASS / (6.0 * np.pi * radius**2 * CUP_HEIGHT)
    stem = sections.measured(twist_ratio=TULIP)
    return _rods(rows, stem, is_rigid, density=density, drag=drag, drag_along=0.0, cup=0.0)


def _stem(length: float) -> list[Row]:
    up, x = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    piece = length / INTERNODES
    return [(i - 1, i * piece * up, _frame(up, x), piece, _RADIUS, 0.0) for i in range(INTERNODES)]


def _rods(
    rows: list[Row], stem: Section, is_rigid: bool, *, density: float, drag: float, drag_along: float, cup: float
) -> Rods:
    """stem: its section; density: of the flower, kg/m3; drag, drag_along, cup: of the petals."""
    parent, head, frame, length, thick, area = zip(*rows, strict=True)
    petals, in_stem = np.array(area) > 0.0, np.arange(len(rows)) < INTERNODES
    section = np.where(in_stem[:, None], stem, sections.ROUND)
    return Rods(
        parent=parent, head=head, frame=frame, length=length, radius_base=thick, radius_tip=thick,
        young=np.where(in_stem, YOUNG * (1e6 if is_rigid else 1.0), YOUNG),
        density=np.where(in_stem, 950.0, density), section=section, pinned=~in_stem, blade_area=area,
        drag_across=np.where(petals, 0.0, 1.2), drag_along=np.where(petals, 0.0, 0.02), blade_drag_normal=drag,
        blade_drag_along=drag_along, blade_cup=np.where(petals, cup, 0.0),
    )  # fmt: skip


def drag_of_flower(plant: Simulation, wind: np.ndarray) -> float:
    """N along a steady wind (m/s) of panels as the model has them, of all but the stem."""
    panels = plant.model.panels
    body = np.repeat(np.arange(plant.model.body_count), np.diff(panels.start))
    axis = rotate(plant.placed().orientation[body], panels.axis)
    along = axis @ wind
    across = wind - along[:, None] * axis
    size = panels.along - np.sign(along) * panels.cup
    force = (size * np.abs(along) * along)[:, None] * axis
    force += (panels.across * np.linalg.norm(across, axis=1))[:, None] * across
    force[panels.rod < INTERNODES] = 0.0
    return float(0.5 * AIR_DENSITY * force.sum(axis=0) @ wind / np.linalg.norm(wind))


def off_the_lee(plant: Simulation, wind: np.ndarray, rod: int = INTERNODES) -> float:
    """Angle (degrees) about the vertical from where the wind goes to where a rod leads, as the daffodil's flower."""
    face = rotate(plant.rod_orientations()[rod], np.array([0.0, 1.0, 0.0]))
    return float(np.degrees(np.arctan2(wind[0] * face[1] - wind[1] * face[0], wind[:2] @ face[:2])))


def turned(rods: Rods, degrees: float) -> float:
    """N at 1 m/s along x of a stiff flower that is turned about the vertical."""
    plant, wind = Simulation(discretize(rods)), np.array([1.0, 0.0, 0.0])
    turn = exponential(np.array([0.0, 0.0, np.radians(degrees)]))
    plant.start(Sample(gravity=(0.0, 0.0, 0.0), wind=wind, base_orientation=turn), "settled")
    return drag_of_flower(plant, wind)


def blown(rods: Rods, degrees: float, speed: float, disturbance: float = 0.0) -> tuple[Simulation, np.ndarray]:
    """A flower in a wind that comes up to a speed (m/s), at first so many degrees off the way it faces."""
    plant, start = Simulation(discretize(rods)), None
    wind = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0]) * (1.0 + disturbance)
    for share in np.linspace(0.1, 1.0, 6):
        if not plant.start(Sample(wind=share * speed * wind), "settled", initial=start).stable:
            raise AssertionError(f"the flower does not rest in {share * speed:g} m/s")
        start = logarithm(plant.state.q)
    return plant, speed * wind


def turned_by_hand(degrees: float, speed: float) -> float:
    """Angle from the lee (degrees) at which drag and an upright daffodil's stem hold each other, that faced so many
    degrees off the lee before the wind (m/s) blew."""

    def excess(angle: float) -> float:
        return speed**2 * _turning(np.radians(angle)) + BENDING / DAFFODIL / STEM * np.radians(degrees - angle)

    return float(brentq(excess, 0.1, degrees))


def _turning(angle: float) -> float:
    """N m about an upright stem of the drag at 1 m/s, on neck, trumpet and petals one by one, at their middles."""
    face, up, wind = np.array([np.cos(angle), np.sin(angle), 0.0]), np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    across, side, total = wind - (wind @ face) * face, np.cross(up, face), 0.0
    for begin, length, radius in ((0.0, NECK, _RADIUS), (NECK, TRUMPET, 0.5 * TRUMPET)):
        force = 1.2 * 2.0 * radius * length * np.linalg.norm(across) * across
        total += np.cross((begin + 0.5 * length) * face, force)[2]
    for k in range(6):
        out = np.cos(k * np.pi / 3.0) * side + np.sin(k * np.pi / 3.0) * up
        normal, along = np.cos(LEAN) * face - np.sin(LEAN) * out, np.cos(LEAN) * out + np.sin(LEAN) * face
        onto = wind @ normal
        force = (INTO if onto < 0.0 else ONTO) / np.cos(LEAN) ** 2 * PETAL_AREA * abs(onto) * onto * normal
        total += np.cross(NECK * face + 0.5 * PETAL * along, force)[2]
    return float(0.5 * AIR_DENSITY * total)
