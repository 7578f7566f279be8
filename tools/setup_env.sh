# shellcheck shell=bash
# Sourced by the developers' commands. Makes virtual environments below the repository from the pinned packages of
# pyproject.toml, needing nothing but Python 3.11 or 3.13 (those that Blender is built with) and PyPI.
#
#   python=$(find_python)           a Python that bpy exists for; find_python 3.13 wants that one
#   env=$(make_env "$python" test)  the folder of an environment with the packages of the group "test"
#   env=$(make_blender_env)         the same with Blender as a module and pytest
#   compile_kernels                 puts the solver's kernels for this machine into build/kernels, unless they are there

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

find_python() { # [VERSION]
  local candidate version
  for candidate in "${PYTHON:-}" python3.11 python3.13 python3 python "${PYTHON313:-}"; do
    [[ -n $candidate ]] || continue
    version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    if [[ $version == "${1:-$version}" && $version =~ ^3\.(11|13)$ ]]; then
      command -v "$candidate"
      return
    fi
  done
  echo "No Python ${1:-3.11 or 3.13} found. Set PYTHON to one (Blender's module exists for these only)." >&2
  return 1
}

make_env() { # PYTHON GROUP [NAME]: prints the folder; says on the standard error what it does
  local python=$1 group=$2 folder stamp
  folder=$repository/.venv-${3:-$group}
  stamp=$("$python" --version; "$python" "$repository/tools/requirements.py" "$group") || return 1
  if [[ ! -f $folder/stamp || $(<"$folder/stamp") != "$stamp" ]]; then
    echo "Setting up ${folder##*/} (once)" >&2
    rm -rf "$folder"
    "$python" -m venv "$folder" >&2 || return 1
    # Wheels only: a source build would need compilers and take long.
    "$python" "$repository/tools/requirements.py" "$group" >"$folder/requirements.txt"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
      --requirement "$folder/requirements.txt" >&2 || return 1
    printf '%s\n' "$stamp" >"$folder/stamp"
  fi
  printf '%s\n' "$folder"
}

make_blender_env() { # [BLENDER_VERSION]: 4.5 with Python 3.11, 5.2 with 3.13, unless told
  local version=${1:-} python
  case $version in
    "") python=$(find_python) || return 1
      version=4.5
      if [[ $("$python" --version) == "Python 3.13"* ]]; then version=5.2; fi ;;
    4.2 | 4.5 | 5.0) python=$(find_python 3.11) || return 1 ;;
    *) python=$(find_python 3.13) || return 1 ;;
  esac
  make_env "$python" "bpy-$version" "blender-$version"
}

compile_kernels() {
  bash "$repository/tools/build_kernels.sh" --platform host >&2 ||
    echo "The kernels could not be compiled: the solver runs through numba, or as plain Python and very slowly" >&2
}
