#!/usr/bin/env bash
# The demo on a bare machine: makes eleven shots, simulates and bakes them, saves a .blend of each, renders a contact sheet
# and a short movie. Needs Python 3.11 or 3.13 and PyPI; takes a few minutes, most of them rendering.
#
#   bash tools/demo.sh                    results in demo_output/
#   bash tools/demo.sh --only rose        one case; --help lists the options
#   PYTHON=/path/to/python3.13 bash tools/demo.sh     chooses the Python
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup_env.sh
compile_kernels & # while packages are fetched
environment=$(make_blender_env)
wait
exec "$environment/bin/python" tools/demo.py "$@"
