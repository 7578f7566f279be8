#!/usr/bin/env bash
# The loops of README and guide as animated pictures: plants in wind that repeats, a pot that goes to and fro, a plant that
# is hit by a ball, a ponytail. Needs Python 3.11 or 3.13 and PyPI; takes half an hour, nearly all of it rendering.
#
#   bash tools/loops.sh                   writes docs/pictures/loop_*.webp
#   bash tools/loops.sh birch             one of them
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup_env.sh
compile_kernels & # while packages are fetched
environment=$(make_blender_env)
pictures=$(make_env "$(find_python)" pictures)
wait
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
"$environment/bin/python" tools/render_loops.py "$frames" "$@"
"$pictures/bin/python" tools/join_frames.py "$frames" docs/pictures
