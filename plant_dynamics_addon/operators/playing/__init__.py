# SPDX-License-Identifier: GPL-3.0-or-later
"""Play, and what it keeps."""
