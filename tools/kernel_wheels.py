# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled kernels as wheels, one a platform: an extension may carry binaries in these only.

Same libraries, same bytes: files are sorted and all of one date.
"""

import base64
import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

PACKAGE = "plant_dynamics_kernels"

#: Platform tags of wheels by Blender's platforms: the oldest systems that tools/build_kernels.py links for.
TAGS = {
    "linux-x64": "manylinux_2_28_x86_64",
    "linux-arm64": "manylinux_2_28_aarch64",
    "windows-x64": "win_amd64",
    "windows-arm64": "win_arm64",
    "macos-arm64": "macosx_11_0_arm64",
    "macos-x64": "macosx_11_0_x86_64",
}

_INIT = '''# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code of Plant Dynamics' solver, which finds the library beside this file. Nothing here is to be imported."""
'''


def wheel_version(release: str, digest: str) -> str:
    """The release and what the kernels were made from and with: Blender keeps an installed wheel of equal version."""
    return f"{release}+k{digest[:12]}"


def library_of(folder: Path, platform: str) -> Path:
    """A platform's library among those of all."""
    return next(file for file in sorted(folder.glob(f"{platform}.*")) if file.suffix != ".sha256")


def write_wheel(folder: Path, platform: str, version: str, library: Path, digest: Path, licence: Path) -> Path:
    """Pack a platform's library, with its hash that is beside it, into a wheel in the folder."""
    checksum = library.with_name(f"{library.name}.sha256")
    tag = f"py3-none-{TAGS[platform]}"
    info = f"{PACKAGE}-{version}.dist-info"
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {PACKAGE}",
        f"Version: {version}",
        "Summary: Machine code of Plant Dynamics' solver",
        "License: GPL-3.0-or-later",
        "License-File: LICENSE",
    ]
    about = ["Wheel-Version: 1.0", "Generator: plant_dynamics", "Root-Is-Purelib: false", f"Tag: {tag}"]
    files = {
        f"{PACKAGE}/__init__.py": _INIT.encode(),
        f"{PACKAGE}/{library.name}": library.read_bytes(),
        f"{PACKAGE}/{checksum.name}": checksum.read_bytes(),
        f"{PACKAGE}/digest.txt": digest.read_bytes(),
        f"{info}/LICENSE": licence.read_bytes(),
        f"{info}/METADATA": _text(metadata),
        f"{info}/WHEEL": _text(about),
    }
    record = [f"{name},sha256={_checksum(content)},{len(content)}" for name, content in sorted(files.items())]
    files[f"{info}/RECORD"] = _text([*record, f"{info}/RECORD,,"])
    wheel = folder / f"{PACKAGE}-{version}-{tag}.whl"
    write_zip(wheel, files)
    return wheel


def write_zip(path: Path, files: Mapping[str, bytes]) -> None:
    """Pack files by their names into an archive whose bytes hang on nothing else."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100644 << 16
            entry.create_system = 3  # Unix, whose permissions these are, wherever this runs
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED, 9)


def _text(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def _checksum(content: bytes) -> str:
    """As the records of wheels have it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
