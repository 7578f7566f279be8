#!/usr/bin/env bash
# Compares what all platforms' kernels compute bit by bit: tools/prove_kernels.py in the environment that compiles them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup_env.sh
kernels=$(make_env "$(find_python)" kernels)
exec "$kernels/bin/python" tools/prove_kernels.py "$@"
