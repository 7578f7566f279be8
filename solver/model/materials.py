# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of plant materials, each with the literature it is from.

Measured, except what `estimates` names; what no source gives is None. Where a source gives a range only, the value is
its middle, or its geometric mean when it spans more than a factor of three. Wood from the Wood Handbook: means of clear
specimens in bending; the ranges are one coefficient of variation usual for clear wood (22 %, dry density 10 %) about
them, and 16 % of the strength. Density follows from specific gravity and moisture content, green from heartwood's to
sapwood's.
"""

from dataclasses import dataclass, replace

Range = tuple[float, float]


@dataclass(frozen=True)
class Material:
    """What is known of a material; ranges are (least, largest).

    young Pa; poisson, what the shear modulus E / (2 (1 + nu)) of the solver is made from; density kg/m3; damping_ratio
    of an organ's first mode without the air's part; hollow, inner over outer radius; twist_to_bend, E I / G J of the
    organ: 1 + nu in an isotropic round rod, several times more in most plants, whose fibres resist bending only;
    strength Pa, bending stress at which it breaks.
    estimates: fields that were not measured of this material; its source says what they are from.
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
    strength: float | None = None
    strength_range: Range | None = None
    estimates: tuple[str, ...] = ()


_HANDBOOK = (
    "Forest Products Laboratory 2021, Wood Handbook: Wood as an Engineering Material, FPL-GTR-282, table 4-1 (moisture"
    " content of green wood) and tables 5-1 to 5-3 (shear modulus, Poisson's ratios, modulus of elasticity, modulus of"
    " rupture and specific gravity)"
)
_CANNELL = (
    "Cannell & Morgan 1987, Young's modulus of sections of living branches and tree trunks, Tree Physiology 3, 355-364"
)
_ETNIER = (
    "Etnier & Vogel 2000, Reorientation of daffodil (Narcissus: Amaryllidaceae) flowers in wind: drag reduction and"
    " torsional flexibility, American Journal of Botany 87, 29-32; range: one standard deviation"
)
_LANGER = (
    "Langer, Kelbel, Speck, Müller & Speck 2021, Twist-to-bend ratios and safety factors of petioles having various"
    " geometries, sizes and shapes, Frontiers in Plant Science 12, 765605; means of two species each"
)
_KOBAYASHI = (
    "Kobayashi, Daimaruya & Kuribayashi 2000, Venation pattern of butterbur leaf and its mechanical contribution,"
    " Journal of the Society of Materials Science, Japan 49, 1318-1323; in tension, veins about 60 MPa and about eleven"
    " times the lamina"
)
_ROWE = (
    "Rowe, Isnard, Gallenmüller & Speck 2006, Diversity of mechanical architectures in climbing plants: an ecological"
    " perspective, in Ecology and Biomechanics, chapter 2; of the whole stem: most young shoots 2-6 GPa, about half of"
    " the old stems below 0.6 GPa"
)


def _green(label: str, young: float, density: Range, strength: float) -> Material:
    return Material(
        label, _HANDBOOK, young, (0.78 * young, 1.22 * young), density=0.5 * sum(density), density_range=density,
        strength=strength, strength_range=(0.84 * strength, 1.16 * strength),
    )  # fmt: skip


def _dry(
    label: str,
    young: float,
    density: float,
    strength: float,
    poisson: Range | None = None,
    twist: Range | None = None,
) -> Material:
    """Wood of 12 % moisture; Poisson's ratios LR and LT, twist from E / 2 G with both shear moduli."""
    return Material(
        label, _HANDBOOK, young, (0.78 * young, 1.22 * young),
        None if poisson is None else 0.5 * sum(poisson), poisson, density, (0.9 * density, 1.1 * density),
        twist_to_bend=None if twist is None else 0.5 * sum(twist), twist_to_bend_range=twist,
        strength=strength, strength_range=(0.84 * strength, 1.16 * strength),
    )  # fmt: skip


MATERIALS: dict[str, Material] = {
    "herbaceous_stem": Material(
        "Fleshy stem, xylem (broccoli at harvest)",
        "Zhao, Tang & Chen 2022, Loading model and mechanical properties of mature broccoli (Brassica oleracea L. var."
        " italica Plenck) stems at harvest, Agriculture 12 (10), 1519: xylem in tension (rind 27-48 MPa, pith 7 MPa,"
        " the whole stem in bending 3.1 MPa); density, mean of rind, xylem and pith. Poisson's ratio an estimate: what"
        " Garcia 2023, Physically-based animation of plant motions, University of Calgary, takes for small herbaceous"
        " plants",
        46e6, (19.2e6, 110.7e6), 0.25, (0.2, 0.3), 1002.0, (939.0, 1056.0), estimates=("poisson",),
    ),
    "parenchyma": Material(
        "Pith parenchyma (potato)",
        "Niklas 1988, Dependency of the tensile modulus on transverse dimensions, water potential, and cell number of"
        " pith parenchyma, American Journal of Botany 75, 1286-1292; rises with water potential, -1.4 to -0.4 MPa",
        4.8e6, (1.2e6, 19e6),
    ),
    "wheat_straw": Material(
        "Wheat straw",
        "O'Dogherty, Huber, Dyson & Marshall 1995, A study of the physical and mechanical properties of wheat straw,"
        " Journal of Agricultural Engineering Research 62, 133-142; twist is E / 2 G with the"
        " measured G, 267-547 MPa, and from the middles of both ranges; strength in tension",
        5.67e9, (4.76e9, 6.58e9), twist_to_bend=7.0, twist_to_bend_range=(4.4, 12.3),
        strength=26.2e6, strength_range=(21.2e6, 31.2e6),
    ),
    "maize_stalk": Material(
        "Rind of a maize stalk (dry)",
        "Al-Zube, Sun, Robertson & Cook 2018, The elastic modulus for maize stems, Plant Methods 14; in bending,"
        " tension and compression",
        11e9, (6e9, 16e9),
    ),
    "bamboo": Material(
        "Moso bamboo, culm wall",
        "Variation in tensile properties and relationship between tensile properties and air-dried density for moso"
        " bamboo, Frontiers of Forestry in China, 2008; the outermost layer 3-4 times as stiff as the innermost",
        16.6e9, (8.49e9, 32.49e9),
    ),
    "common_reed": Material(
        "Common reed, stem wall",
        "Albrecht, Neudecker, Veigel, Bodner, Keckes & Gindl-Altmutter 2023, The suitability of common reed (Phragmites"
        " australis) for load-bearing structural materials, Journal of Materials Science 58, 15411-15420; mean in"
        " tension",
        8e9,
    ),
    "giant_reed": Material(
        "Giant reed, cane of woodwind reeds",
        "Weidenfeller, Lambri, Bonifacich, Arlic & Gargicevich 2018, Damping of the woodwind instrument reed material"
        " Arundo donax L., Materials Research 21 (suppl. 2), e20170795; dynamic, depending on age",
        5.75e9, (5.25e9, 6.25e9),
    ),
    "leaf_vein": Material("Leaf, main veins (butterbur)", _KOBAYASHI, 60e6),
    "leaf_lamina": Material("Leaf, lamina (butterbur)", _KOBAYASHI, 5.5e6),
    "petiole_tree": Material(
        "Petioles of broad-leaved trees",
        "Louf, Nelson, Kang, Song, Zehnbauer & Jung 2018, How wind drives the correlation between leaf shape and"
        " mechanical properties, Scientific Reports 8, doi 10.1038/s41598-018-34588-0; range: Vogel 1992, Twist-to-bend"
        " ratios and cross-sectional shapes of petioles and stems, Journal of Experimental Botany, cited there",
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
    "liana_old": Material("Twining climbers, old stems (about the median)", _ROWE, 0.6e9),
    "date_palm": Material(
        "Date palm, trunk (fresh)",
        "Keramat Jahromi, Jafari, Mohtasebi & Rafiee, Engineering properties of date palm trunk applicable in designing"
        " a climber machine, Agricultural Engineering International: CIGR Journal, article 1030: in bending 273.4 MPa,"
        " in compression 281.3 MPa; range: Keramat-Jahromi & Imani 2023, Engineering properties of date palm to design"
        " a tree lifter/climber service machine, Acta Horticulturae 1371, 419-422, in bending and in compression",
        273.4e6, (269.5e6, 293.9e6), density=1160.0,
    ),
    "branch": Material("Living branches with bark (spruce, pine, larch, birch)", _CANNELL, 1.8e9, (0.7e9, 4.6e9)),
    "trunk": Material(
        "Living tree trunks with bark",
        _CANNELL + "; damping of nine Douglas-firs without branches: Moore & Maguire 2004, Natural sway frequencies and"
        " damping ratios of trees: influence of crown structure, Trees, doi 10.1007/s00468-004-0387-y",
        4.2e9, (2.4e9, 7.5e9), damping_ratio=0.028, damping_range=(0.01, 0.08),
    ),
    "spruce_stem": Material(
        "Sitka spruce, living stem",
        "Milne & Blackburn 1989, The elasticity and vertical distribution of stress within stems of Picea sitchensis,"
        " Tree Physiology 5, 195-205; internal damping of conifers: Moore & Maguire 2004, Natural sway frequencies and"
        " damping ratios of trees: concepts, review and synthesis of previous studies, Trees 18, 195-203 (typically"
        " below 0.05)",
        3.6e9, (2.0e9, 6.4e9), damping_range=(0.0, 0.05),
    ),
    "oak_green": _green("White oak, green wood", 8.6e9, (984.0, 1068.0), 57e6),
    "oak_dry": _dry("White oak, dry wood", 12.3e9, 762.0, 105e6, (0.369, 0.428)),
    "douglas_fir_green": _green("Douglas-fir (coast), green wood", 10.8e9, (617.0, 968.0), 53e6),
    "douglas_fir_dry": _dry("Douglas-fir (coast), dry wood", 13.4e9, 538.0, 85e6, (0.292, 0.449), (6.4, 7.8)),
    "pine_green": _green("Loblolly pine, green wood", 9.7e9, (625.0, 987.0), 50e6),
    "pine_dry": _dry("Loblolly pine, dry wood", 12.3e9, 571.0, 88e6),
    "poplar_green": replace(
        _green("Eastern cottonwood (poplar), green wood", 7.0e9, (816.0, 964.0), 37e6),
        source=_HANDBOOK + "; density an estimate: its specific gravity of 0.37 with the moisture contents of balsam"
        " poplar and black cottonwood, 121 and 160 %, in Physical properties of black cottonwood and balsam poplar,"
        " 1986, doi 10.1139/x86-087",
        estimates=("density",),
    ),
    "poplar_dry": _dry("Eastern cottonwood (poplar), dry wood", 9.4e9, 448.0, 59e6, (0.344, 0.420), (6.6, 9.6)),
    "willow_dry": _dry("Black willow, dry wood", 7.0e9, 437.0, 54e6),
}  # fmt: skip


def materials_table() -> str:
    """Return all materials as a markdown table, estimates marked, sources numbered below it."""
    sources: list[str] = []
    columns = "Young's modulus (MPa) | Poisson | density (kg/m³) | strength (MPa) | damping ratio | EI/GJ"
    rows = [f"| material | {columns} | source |", "|---|---|---|---|---|---|---|---|"]
    for material in MATERIALS.values():
        if material.source not in sources:
            sources.append(material.source)
        cells = [
            _cell(material, "young", "young_range", 1e-6), _cell(material, "poisson", "poisson_range"),
            _cell(material, "density", "density_range"), _cell(material, "strength", "strength_range", 1e-6),
            _cell(material, "damping_ratio", "damping_range"), _cell(material, "twist_to_bend", "twist_to_bend_range"),
        ]  # fmt: skip
        rows.append(f"| {material.label} | {' | '.join(cells)} | {sources.index(material.source) + 1} |")
    return "\n".join([*rows, "", *(f"{k}. {source}" for k, source in enumerate(sources, start=1)), ""])


def _cell(material: Material, field: str, range_field: str, scale: float = 1.0) -> str:
    value, bounds = getattr(material, field), getattr(material, range_field)
    parts = ["estimate"] if field in material.estimates else []
    if value is not None:
        parts.append(_number(scale * value))
    if bounds is not None:
        parts.append(f"({_number(scale * bounds[0])}–{_number(scale * bounds[1])})")
    return " ".join(parts)


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000.0 else f"{value:.0f}"
