#!/usr/bin/env bash
# The whole test suite on a bare machine: lint, types, solver and L-systems, then the add-on inside Blender's module.
#
#   bash tools/test.sh                      sets up environments and compiles the kernels once, then tests
#   bash tools/test.sh quick                lint, types and the fastest unit tests, within a minute; compiles nothing,
#                                           and without a library of the kernels leaves out what is slow in plain Python
#   bash tools/test.sh --all-blenders       with bpy 4.2, 4.5, 5.0 (Python 3.11) and 5.2 (Python 3.13), where found
#   bash tools/test.sh -k wind              further arguments go to pytest
#   BLENDER=/path/to/blender bash tools/test.sh       runs the tests that drive a Blender executable as well
#   PYTHON=/path/to/python3.13 bash tools/test.sh     chooses the Python; PYTHON313 adds one for --all-blenders
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec 2>&1 # one stream, so that messages stay in order where output is collected
# Dozens of tests start a Python of their own: what one has compiled the others read, in folders that Git ignores.
export PYTHONDONTWRITEBYTECODE=
# Two queues keep both cores busy: a small matrix whose threads wait for one takes ten times as long, and both spin.
export OPENBLAS_NUM_THREADS=1
source tools/setup_env.sh

blenders=("")
grown_tests=(tests/lsystem tests/grow)
is_quick=
if [[ ${1:-} == quick ]]; then
  shift
  is_quick=yes
  blenders=()
  unit_tests=(
    tests/test_architecture.py
    tests/grow/test_{bark,margins,organs,welds}.py
    tests/lsystem/expressions
    tests/lsystem/test_{articulated,book,contexts,cpfg,derivation,parser_errors,rules,segments,turtle}.py
    tests/solver/{dynamics/test_multistep,joints/test_angles,joints/test_limits,statics/test_tangent}.py
    tests/solver/model/test_{discretize,layouts,materials,panels}.py
    tests/solver/test_{refusals,snapshot_arrays,stress}.py
  )
  compiled_tests=(
    tests/solver/dynamics/test_{frame_rates,invariants,kick,order,pendulums}.py
    tests/solver/{forces/test_loads,joints/test_pose,model/test_section_shapes,test_frequencies}.py
  )
elif [[ ${1:-} == --all-blenders ]]; then
  shift
  blenders=(4.2 4.5 5.0)
  if find_python 3.13 >/dev/null; then blenders+=(5.2); fi
fi
pytest_arguments=("$@")

python=$(find_python) || exit 1
results=build/test-results
rm -rf "$results"
mkdir -p "$results"
checks_failed=()

check() { # NAME COMMAND...
  local name=$1
  shift
  echo
  echo "== $name"
  if ! "$@"; then checks_failed+=("$name"); fi
}

run_pytest() { # NAME ENVIRONMENT FOLDERS...
  local name=$1 environment=$2 code=0
  shift 2
  PLANT_DYNAMICS_CACHE_DIR=$PWD/build/numba "$environment/bin/python" -m pytest \
    --junitxml "$results/$name.xml" "$@" ${pytest_arguments[@]+"${pytest_arguments[@]}"} || code=$?
  # 5: no test was chosen, which is in order only where the arguments choose.
  [[ $code == 0 || ($code == 5 && ${#pytest_arguments[@]} -gt 0) ]]
}

# Pieces of work that two queues take one after the other, so that both cores are busy to the end: the longest first.
names=()
environments=()
folders=()

add_piece() { # KIND-NUMBER NAME ENVIRONMENT
  names+=("$2")
  environments+=("$3")
  folders+=("$(folders_of "$1")")
}

# shellcheck disable=SC2046 # folders are words
folders_of() { # KIND-NUMBER: what no other piece names is in unit-2 and blender-1
  case $1 in
    unit-1) echo tests/solver/{dynamics,machine,statics} ;;
    unit-2) all_but tests tests/blender "${grown_tests[@]}" $(folders_of unit-1) $(folders_of unit-3) ;;
    unit-3) echo tests/surveys ;;
    blender-1) all_but tests/blender $(for number in 2 3 4; do folders_of "blender-$number"; done) ;;
    blender-2) echo tests/blender/{live,motion} ;;
    blender-3) echo tests/blender/{breaking,crowns,grow} ;; # which share the presets that are grown
    blender-4) echo tests/blender/extension ;;
  esac
}

all_but() { # FOLDER OTHERS...
  printf '%s' "$1"
  printf ' --ignore %s' "${@:2}"
}

work_off() { # CORE: takes every piece that nobody has begun
  local number
  # Blender's threads spin while they wait for each other, a quarter of the processor's time; not on a core of its own.
  taskset -cp "$1" "$BASHPID" >/dev/null 2>&1 || true # where there is no such command or core, it does without
  for number in "${!names[@]}"; do
    mkdir "$queue/$number" 2>/dev/null || continue
    # shellcheck disable=SC2086 # folders are words
    run_pytest "${names[number]}" "${environments[number]}" ${folders[number]} >"$queue/$number/log" ||
      touch "$queue/$number/failed"
    echo "${names[number]}: $(tail -n 1 "$queue/$number/log")"
  done
}

show_piece() { # NUMBER
  cat "$queue/$1/log" && [[ ! -e $queue/$1/failed ]]
}

run_mypy() { # the repository is seen as the package `plant_dynamics`, as Blender sees it
  mkdir -p build/types
  ln -sfn "$PWD" build/types/plant_dynamics
  (cd build/types && "$lint/bin/python" -m mypy --config-file plant_dynamics/pyproject.toml \
    --cache-dir plant_dynamics/.mypy_cache -m plant_dynamics \
    -p plant_dynamics.lsystem -p plant_dynamics.solver -p plant_dynamics.plant_dynamics_addon)
}

run_quick_tests() {
  local unit
  unit=$(make_env "$python" unit) || return 1
  if "$unit/bin/python" -c 'import sys, solver; sys.exit(solver.running().how == "python")'; then
    unit_tests+=("${compiled_tests[@]}")
  else
    echo "Without a library (bash tools/build_kernels.sh --platform host) left out: ${compiled_tests[*]##*/}"
  fi
  run_pytest unit "$unit" "${unit_tests[@]}"
}

show_first_tests() { # those that ran beside others: what they print comes at the end
  local code=0
  wait "$first_tests" || code=$?
  cat build/unit-tests.log
  return "$code"
}

# What needs no kernels runs while they are compiled, and environments are set up beside; then two queues work off the
# unit tests and the tests in Blender, the first as soon as there are kernels.
queue=$results/queue
trap 'kill $(jobs -p) 2>/dev/null' EXIT
if [[ $is_quick ]]; then
  run_quick_tests >build/unit-tests.log &
  first_tests=$!
else
  compile_kernels &
  compiling=$!
  for version in ${blenders[@]+"${blenders[@]}"}; do make_blender_env "$version" >/dev/null; done &
  setting_up=$!
fi

lint=$(make_env "$python" lint) || exit 1
check "lint" "$lint/bin/python" -m ruff check --output-format concise . tools/build_extension
check "types" run_mypy

if [[ $is_quick ]]; then
  check "unit tests" show_first_tests
else
  unit=$(make_env "$python" test) || exit 1
  run_pytest growing "$unit" "${grown_tests[@]}" >build/unit-tests.log &
  first_tests=$!
  wait "$compiling" "$setting_up"
  mkdir "$queue"
  export PLANT_DYNAMICS_REQUIRE_BPY=1
  with_blender=()
  for version in ${blenders[@]+"${blenders[@]}"}; do
    environment=$(make_blender_env "$version") || exit 1
    with_blender+=("$environment")
  done
  for number in 1 2 3 4; do
    for environment in ${with_blender[@]+"${with_blender[@]}"}; do
      add_piece "blender-$number" "${environment##*/.venv-}-$number" "$environment"
    done
    if ((number < 4)); then add_piece "unit-$number" "unit-$number" "$unit"; fi
  done
  work_off 0 &
  others=$!
  check "tests of growing" show_first_tests
  work_off 1
  wait "$others"
  for number in "${!names[@]}"; do check "tests ${names[number]}" show_piece "$number"; done
fi

echo
if ((${#checks_failed[@]})); then printf 'Failed: %s\n' "${checks_failed[@]}"; fi
"$python" tools/summarize_tests.py "$results" 2 ${checks_failed[@]+"${checks_failed[@]}"}
