#!/usr/bin/env bash
# Compiles the solver's kernels into build/kernels: tools/build_kernels.py in an environment of its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup_env.sh
kernels=$(make_env "$(find_python)" kernels)
exec "$kernels/bin/python" tools/build_kernels.py "$@"
