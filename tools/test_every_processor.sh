#!/usr/bin/env bash
# The solver's checks with the library's code for every level of processors that this machine has, compared bit by bit.
#
#   bash tools/test_every_processor.sh          tests without Blender, 1000 wide plants, presets of seeds 0 to 9
#   bash tools/test_every_processor.sh quick    some of the solver's tests, 50 plants, presets of seed 0
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/setup_env.sh

tests=(tests --ignore tests/blender)
plants=1000
seeds=10
if [[ ${1:-} == quick ]]; then
  tests=(
    tests/solver/dynamics/test_{frame_rates,invariants,kick,order}.py
    tests/solver/{forces/test_loads,joints/test_limits,joints/test_pose,model/test_panels,statics/test_tangent}.py
    tests/solver/test_{frequencies,many_plants}.py
  )
  plants=50
  seeds=1
fi

compile_kernels
unit=$(make_env "$(find_python)" test) || exit 1
levels=$("$unit/bin/python" -c 'from tests.oracles.processor_levels import levels; print(*levels())') || exit 1
if [[ -z $levels ]]; then
  echo "There is no library for this machine"
  exit 1
fi
folder=build/every-processor
rm -rf "$folder"
mkdir -p "$folder"
failed=()

check() { # NAME COMMAND...
  local name=$1
  shift
  echo "== $name"
  if ! "$@"; then failed+=("$name"); fi
}

settle_presets() { # LEVEL
  "$unit/bin/python" -m tests.surveys.settled_presets "$seeds" | tee "$folder/$1.txt"
}

for level in $levels; do
  export PLANT_DYNAMICS_KERNELS=$level
  check "tests at $level" "$unit/bin/python" -m pytest -q "${tests[@]}"
  check "wide plants at $level" "$unit/bin/python" -m tests.surveys.wide_plants "$plants" --write "$folder/$level.json"
  check "settled presets at $level" settle_presets "$level"
done
first=${levels%% *}
for level in ${levels#"$first"}; do
  check "wide plants of $first and $level" \
    "$unit/bin/python" -m tests.surveys.wide_plants --compare "$folder/$first.json" "$folder/$level.json"
  check "settled presets of $first and $level" \
    diff <(tail -n 1 "$folder/$first.txt") <(tail -n 1 "$folder/$level.txt")
done
if ((${#failed[@]})); then printf 'Failed: %s\n' "${failed[@]}"; exit 1; fi
echo "All checks passed and all bits are equal at: $levels"
