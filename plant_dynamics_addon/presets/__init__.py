# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings under a name: those that come with the extension, and the user's own, as JSON files."""
