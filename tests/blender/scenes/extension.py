# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension as Blender finds it installed, whose files are links into the repository."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
EXTENSION = "bl_ext.user_default.plant_dynamics"
PACKED = ("__init__.py", "blender_manifest.toml", "lsystem", "solver", "plant_dynamics_addon")


def link_extension(folder: Path) -> None:
    """Lay out an installed extension whose files are links into the repository, beside its compiled kernels."""
    folder.mkdir(parents=True)
    for name in PACKED:
        (folder / name).symlink_to(REPOSITORY / name)
