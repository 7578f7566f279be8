# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured properties of plant materials, each with the literature it is from.

Nothing here is guessed: what its source does not give is None. Where a source gives a range only, the value is its
middle, or its geometric mean when it spans more than a factor of three. Wood from the Wood Handbook: the range of
Young's modulus is one coefficient of variation (22 %, density 10 %, its chapter 5) about the mean of clear specimens;
green density runs from heartwood's to sapwood's moisture content (its chapter 4).
"""

from dataclasses import dataclass

Range = tuple[float, float]


@dataclass(frozen=True)
class Material:
    """What was measured of a material; ranges are (least, largest).

    young Pa; poisson, what the shear modulus E / (2 (1 + nu)) of the solver is made from; density kg/m3; damping_ratio
    of an organ's first mode without the air's part; hollow, inner over outer radius; twist_to_bend, E I / G J of the
    organ: 1 + nu in an isotropic round rod, several times more in most plants, whose fibres resist bending only.
    """

    label: str
    source: str
    young: float | None = None
    young_range: Range | None = None
    poisson: float | None = None
    poisson_range: Range | None = None
    density: float | None = None
    density_range: Range | None = None
    damping_ratio: float | None = None
    damping_range: Range | None = None
    hollow: float | None = None
    twist_to_bend: float | None = None
    twist_to_bend_range: Range | None = None


_HANDBOOK = (
    "Forest Products Laboratory 2021, Wood Handbook: Wood as an Engineering Material, FPL-GTR-282, chapter 4"
    " (moisture) and chapter 5 (elastic ratios, mean modulus and specific gravity)"
)
_CANNELL = (
    "Cannell & Morgan 1987, Young's modulus of sections of living branches and tree trunks, Tree Physiology 3, 355-364"
)
_ETNIER = (
    "Etnier & Vogel 2000, Reorientation of daffodil (Narcissus: Amaryllidaceae) flowers in wind: drag reduction and"
    " torsional flexibility, American Journal of Botany 87"
)
_LANGER = (
    "Langer, Kelbel, Speck, Müller & Speck 2021, Twist-to-bend ratios and safety factors of petioles having various"
    " geometries, sizes and shapes, Frontiers in Plant Science 12, 765605"
)
_KOBAYASHI = (
    "Kobayashi, Daimaruya & Kuribayashi 2000, Venation pattern of butterbur leaf and its mechanical contribution,"
    " Journal of the Society of Materials Science, Japan 49, 1318-1323"
)
_ROWE = (
    "Rowe, Isnard, Gallenmüller & Speck 2006, Diversity of mechanical architectures in climbing plants, in Herrel,"
    " Speck & Rowe (eds.), Ecology and Biomechanics, chapter 2, table 2.1"
)


def _green(label: str, young: float, density: Range) -> Material:
    return Material(
        label, _HANDBOOK, young, (0.78 * young, 1.22 * young), density=0.5 * sum(density), density_range=density
    )


def _dry(
    label: str, young: float, density: float, poisson: Range | None = None, twist: Range | None = None
) -> Material:
    """Wood of 12 % moisture; Poisson's ratios LR and LT, twist from E / 2 G with both shear moduli."""
    return Material(
        label, _HANDBOOK, young, (0.78 * young, 1.22 * young),
        None if poisson is None else 0.5 * sum(poisson), poisson, density, (0.9 * density, 1.1 * density),
        twist_to_bend=None if twist is None else 0.5 * sum(twist), twist_to_bend_range=twist,
    )  # fmt: skip


MATERIALS: dict[str, Material] = {
    "herbaceous_stem": Material(
        "Fleshy stem (broccoli, fresh)",
        "Loading model and mechanical properties of mature broccoli stems at harvest, 2022, Agriculture 12 (10), 1519:"
        " xylem in tension; densities of rind, xylem and pith. Poisson's ratio of small herbaceous plants: Garcia 2023,"
        " section 6.4.1, after Hejnowicz & Sievers 1995, Journal of Experimental Botany 46, 1035-1043",
        46e6, (19.2e6, 110.7e6), 0.25, (0.2, 0.3), 1000.0, (939.0, 1056.0),
    ),
    "parenchyma": Material(
        "Pith parenchyma (potato, fresh)",
        "Niklas 1988, Dependency of the tensile modulus on transverse dimensions, water potential, and cell number of"
        " pith parenchyma, American Journal of Botany 75, 1286-1292",
        4.8e6, (1.2e6, 19e6),
    ),
    "wheat_straw": Material(
        "Wheat straw (ripe)",
        "O'Dogherty, Huber, Dyson & Marshall 1995, A study of the physical and mechanical properties of wheat straw,"
        " Journal of Agricultural Engineering Research 62, 133-142; twist from E / 2 G, G = 267-547 MPa",
        5.67e9, (4.76e9, 6.58e9), twist_to_bend=7.0, twist_to_bend_range=(4.4, 12.3),
    ),
    "maize_stalk": Material(
        "Rind of a maize stalk (dry)",
        "Al-Zube, Sun, Robertson & Cook 2018, The elastic modulus for maize stems, Plant Methods 14, 11",
        11e9, (6e9, 16e9),
    ),
    "bamboo": Material(
        "Moso bamboo, culm wall (air-dry)",
        "Variation in tensile properties and relationship between tensile properties and air-dried density for moso"
        " bamboo, 2008, Frontiers of Forestry in China 3; innermost to outermost layer",
        16.6e9, (8.49e9, 32.49e9),
    ),
    "common_reed": Material(
        "Common reed, culm wall (dry)",
        "Albrecht, Neudecker, Veigel, Bodner, Keckes & Gindl-Altmutter 2023, The suitability of common reed (Phragmites"
        " australis) for load-bearing structural materials, Journal of Materials Science 58, 15411-15420",
        8e9,
    ),
    "giant_reed": Material(
        "Giant reed, cane (dry)",
        "Weidenfeller, Lambri, Bonifacich, Arlic & Gargicevich 2018, Damping of the woodwind instrument reed material"
        " Arundo donax L., Materials Research 21 (suppl. 2), e20170795",
        5.75e9, (5.25e9, 6.25e9),
    ),
    "leaf_vein": Material("Leaf, main veins (butterbur, fresh)", _KOBAYASHI, 60e6),
    "leaf_lamina": Material("Leaf, lamina (butterbur, fresh)", _KOBAYASHI, 5.5e6),
    "petiole_tree": Material(
        "Petioles of broad-leaved trees",
        "Louf, Nelson, Kang, Song, Zehnbauer & Jung 2018, How wind drives the correlation between leaf shape and"
        " mechanical properties, Scientific Reports 8; range: Vogel 1992, Twist-to-bend ratios and cross-sectional"
        " shapes of petioles and stems, Journal of Experimental Botany 43, 1527-1532",
        twist_to_bend=4.3, twist_to_bend_range=(2.7, 8.0),
    ),
    "petiole_dicotyledon": Material(
        "Petioles of herbaceous dicotyledons", _LANGER, twist_to_bend=12.4, twist_to_bend_range=(11.5, 13.3)
    ),
    "petiole_monocotyledon": Material(
        "Petioles of monocotyledons (Hosta, Caladium)", _LANGER, twist_to_bend=31.5, twist_to_bend_range=(23.7, 39.2)
    ),
    "flower_stalk_tulip": Material(
        "Flower stalk of a tulip", _ETNIER, twist_to_bend=8.33, twist_to_bend_range=(5.13, 11.53)
    ),
    "flower_stalk_daffodil": Material(
        "Flower stalk of a daffodil", _ETNIER, twist_to_bend=13.27, twist_to_bend_range=(12.31, 14.23)
    ),
    "liana_young": Material("Twining climbers, young shoots", _ROWE, 4e9, (2e9, 6e9)),
    "liana_old": Material("Twining climbers, old stems (median)", _ROWE, 0.6e9),
    "date_palm": Material(
        "Date palm, trunk (fresh)",
        "Keramat Jahromi, Jafari, Mohtasebi & Rafiee 2008, Engineering properties of date palm trunk applicable in"
        " designing a climber machine, Agricultural Engineering International: CIGR Journal 10",
        273.4e6, (273.4e6, 281.3e6), density=1160.0,
    ),
    "branch": Material("Living branches with bark (spruce, pine, larch, birch)", _CANNELL, 1.8e9, (0.7e9, 4.6e9)),
    "trunk": Material(
        "Living tree trunks with bark",
        _CANNELL + "; damping of nine Douglas-firs without branches: Moore & Maguire 2005, Natural sway frequencies and"
        " damping ratios of trees: influence of crown structure, Trees 19, 363-373",
        4.2e9, (2.4e9, 7.5e9), damping_ratio=0.028, damping_range=(0.01, 0.08),
    ),
    "spruce_stem": Material(
        "Sitka spruce, living stem",
        "Milne & Blackburn 1989, The elasticity and vertical distribution of stress within stems of Picea sitchensis,"
        " Tree Physiology 5, 195-205; internal damping of conifers: Moore & Maguire 2004, Natural sway frequencies and"
        " damping ratios of trees: concepts, review and synthesis of previous studies, Trees 18, 195-203",
        3.6e9, (2.0e9, 6.4e9), damping_range=(0.0, 0.05),
    ),
    "oak_green": _green("White oak, green wood", 8.6e9, (984.0, 1068.0)),
    "oak_dry": _dry("White oak, dry wood", 12.3e9, 762.0, (0.369, 0.428)),
    "douglas_fir_green": _green("Douglas-fir (coast), green wood", 10.8e9, (617.0, 968.0)),
    "douglas_fir_dry": _dry("Douglas-fir (coast), dry wood", 13.4e9, 538.0, (0.292, 0.449), (6.4, 7.8)),
    "pine_green": _green("Loblolly pine, green wood", 9.7e9, (625.0, 987.0)),
    "pine_dry": _dry("Loblolly pine, dry wood", 12.3e9, 571.0, (0.292, 0.328), (6.1, 6.2)),
    "poplar_green": _green("Eastern cottonwood (poplar), green wood", 7.0e9, (910.0, 969.0)),
    "poplar_dry": _dry("Eastern cottonwood (poplar), dry wood", 9.4e9, 448.0, (0.344, 0.420), (6.6, 9.6)),
    "willow_dry": _dry("Black willow, dry wood", 7.0e9, 437.0),
}  # fmt: skip


def materials_table() -> str:
    """Return all materials as a markdown table, sources numbered below it."""
    sources: list[str] = []
    rows = ["| material | Young's modulus (MPa) | Poisson | density (kg/m³) | damping ratio | EI/GJ | source |"]
    rows.append("|---|---|---|---|---|---|---|")
    for material in MATERIALS.values():
        if material.source not in sources:
            sources.append(material.source)
        cells = [
            _cell(material.young, material.young_range, 1e-6), _cell(material.poisson, material.poisson_range),
            _cell(material.density, material.density_range), _cell(material.damping_ratio, material.damping_range),
            _cell(material.twist_to_bend, material.twist_to_bend_range),
        ]  # fmt: skip
        rows.append(f"| {material.label} | {' | '.join(cells)} | {sources.index(material.source) + 1} |")
    return "\n".join([*rows, "", *(f"{k}. {source}" for k, source in enumerate(sources, start=1)), ""])


def _cell(value: float | None, bounds: Range | None, scale: float = 1.0) -> str:
    parts = [] if value is None else [_number(scale * value)]
    if bounds is not None:
        parts.append(f"({_number(scale * bounds[0])}–{_number(scale * bounds[1])})")
    return " ".join(parts)


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000.0 else f"{value:.0f}"
