# SPDX-License-Identifier: GPL-3.0-or-later
"""Several plants' models as one."""

from collections.abc import Sequence
from dataclasses import fields
from functools import partial

import numpy as np

from ..base.arrays import Floats, Ints
from ..base.checks import indices, must_be
from ..base.errors import SolverError
from .model import Bodies, Model, Panels
from .shapes import Shapes
from .stretched import Matter

#: Fields that are indices of bodies, -1 for the base, and of rods.
_OF_BODIES = ("lower", "upper", "middle", "first_joint")
_OF_RODS = ("body_rod",)


def models_of(model: Model | Sequence[Model]) -> list[Model]:
    """One or several as a list. Raises SolverError for none, and for what is no model."""
    models = list(model) if isinstance(model, Sequence) else [model]
    if not models:
        raise SolverError("there is nothing to simulate")
    for one in models:
        must_be(Model, one)
    return models


def groups_of(together: bool | Sequence[int], plants: int) -> tuple[bool, Ints]:
    """Whether plants go together, and a number for each (plants,): those of one number touch each other; from whether
    all do, or these numbers. Raises SolverError for other numbers."""
    if together is True or together is False:
        return together, np.arange(plants)
    groups = indices("together", together)
    if len(groups) != plants:
        raise SolverError(f"together has {len(groups)} numbers, expected one for each of {plants} plants")
    return True, groups


def join(models: Sequence[Model]) -> Model:
    """One model of all plants, rods and bodies one plant after the other; -1 is then every plant's own base."""
    if len(models) == 1:
        return models[0]
    body = np.cumsum([0] + [m.body_count for m in models])
    rod = np.cumsum([0] + [m.rod_count for m in models])
    columns = {}
    for field in fields(Model):
        if field.name in ("bodies", "panels") or field.name.startswith("make_"):
            continue
        parts = [getattr(m, field.name) for m in models]
        if field.name in _OF_BODIES:
            parts = [np.where(x >= 0, x + first, -1) for x, first in zip(parts, body[:-1], strict=True)]
        elif field.name in _OF_RODS:
            parts = [x + first for x, first in zip(parts, rod[:-1], strict=True)]
        columns[field.name] = np.concatenate(parts)
    bodies = {name: np.concatenate([getattr(m.bodies, name) for m in models]) for name in Bodies._fields}
    bodies["parent"] = np.concatenate(
        [np.where(m.bodies.parent >= 0, m.bodies.parent + k, -1) for m, k in zip(models, body[:-1], strict=True)]
    )
    panels = {name: np.concatenate([getattr(m.panels, name) for m in models]) for name in Panels._fields}
    panels["rod"] = np.concatenate([m.panels.rod + k for m, k in zip(models, rod[:-1], strict=True)])
    per_body = np.concatenate([np.diff(m.panels.start) for m in models])
    panels["start"] = np.concatenate([[0], np.cumsum(per_body)])
    all_of = list(models)
    return Model(
        bodies=Bodies(**bodies), panels=Panels(**panels), make_shapes=partial(_joined_shapes, all_of),
        make_matter=partial(_joined_matter, all_of), make_stretched=partial(_stretched, all_of), **columns,
    )  # fmt: skip


def _joined_matter(models: Sequence[Model]) -> Matter:
    matter = {name: np.concatenate([getattr(m.matter, name) for m in models]) for name in Matter._fields}
    bodies, rods = ([getattr(m, name) for m in models] for name in ("body_count", "rod_count"))
    for name, counts in (("body", bodies), ("rod", rods), ("parent", rods)):
        first = np.cumsum([0, *counts])[:-1].tolist()
        parts = [getattr(m.matter, name) for m in models]
        matter[name] = np.concatenate([np.where(x >= 0, x + k, -1) for x, k in zip(parts, first, strict=True)])
    return Matter(**matter)


def _stretched(models: Sequence[Model], lengths: Floats) -> Model:
    ends = np.cumsum([m.rod_count for m in models])[:-1]
    return join([m.stretched(own) for m, own in zip(models, np.split(lengths, ends), strict=True)])


def _joined_shapes(models: Sequence[Model]) -> Shapes:
    shapes = {name: np.concatenate([getattr(m.shapes, name) for m in models]) for name in Shapes._fields}
    for name, counts in (("body", [m.body_count for m in models]), ("rod", [m.rod_count for m in models])):
        first = np.cumsum([0, *counts])[:-1].tolist()
        shapes[name] = np.concatenate([getattr(m.shapes, name) + k for m, k in zip(models, first, strict=True)])
    return Shapes(**shapes)
