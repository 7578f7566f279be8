# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of all tests."""

import importlib.util

if importlib.util.find_spec("hypothesis"):  # not in Blender's environments
    from hypothesis import settings

    # The same examples in every run, so that a failure is found again; compiling makes some examples slow.
    settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
    settings.load_profile("repeatable")
