# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether tests run in their full form, or in the short one that leaves out what takes long; see CONTRIBUTING.md."""

import os

IS_FULL = os.environ.get("PLANT_DYNAMICS_FULL") == "yes"
