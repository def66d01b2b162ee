# For the tests of this folder: a temporary folder that is removed at the end, and ways to end.
# Usage: TEST CMAKE SOURCE_FOLDER BUILD_FOLDER CXX_COMPILER
set -eu
cmake=$1 source=$2 build=$3 cxx=$4
folder=$(mktemp -d "${TMPDIR:-/tmp}/weft-install-XXXXXX")
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "failed: $*" >&2
  exit 1
}

skip() {
  echo "skipped: $*"
  exit 77
}

need() {
  command -v "$1" >/dev/null || skip "the program $1 is not installed"
}

# Runs a command and shows its output only if it fails.
quietly() {
  "$@" >"$folder/log" 2>&1 || {
    cat "$folder/log" >&2
    fail "$*"
  }
}

expect() {
  grep -qF -e "$2" "$1" || {
    cat "$1" >&2
    fail "no '$2' in $1"
  }
}
