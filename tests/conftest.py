# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of all tests."""

import importlib.util

import pytest

from tests.forms import IS_FULL

if importlib.util.find_spec("hypothesis"):  # not in Blender's environments
    from hypothesis import settings

    # The same examples in every run, so that a failure is found again; compiling makes some examples slow.
    settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
    settings.load_profile("repeatable")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only the full form has."""
    left_out = [] if IS_FULL else [item for item in items if item.get_closest_marker("full")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("full")]
