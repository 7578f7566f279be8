# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes an animated WebP of every folder of frames. Needs Pillow; started by tools/loops.sh as

    python tools/join_frames.py FRAMES PICTURES
"""

import sys
from pathlib import Path

from PIL import Image

MILLISECONDS = 42  # a frame: 24 a second
QUALITY = 62


def main() -> None:
    frames, pictures = map(Path, sys.argv[1:3])
    for folder in sorted(path for path in frames.iterdir() if path.is_dir()):
        first, *others = [Image.open(file).convert("RGB") for file in sorted(folder.glob("*.png"))]
        loop = pictures / f"loop_{folder.name}.webp"
        first.save(loop, save_all=True, append_images=others, duration=MILLISECONDS, loop=0, quality=QUALITY, method=6)
        print(f"{loop}: {1 + len(others)} frames, {loop.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
