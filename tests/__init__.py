# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests, and the models and oracles they share with the benchmarks."""
