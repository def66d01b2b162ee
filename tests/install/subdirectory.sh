#!/bin/sh
# A user's project that has Weft's sources in a folder. To compile the libraries once more would take
# minutes: the project must compile each source as this build does, and takes this build's libraries.
. "$(dirname "$0")/common.sh"

# Gives the project this build's choices.
set --
for choice in CMAKE_BUILD_TYPE CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_RELEASE CMAKE_CXX_COMPILER_LAUNCHER \
  CMAKE_UNITY_BUILD CMAKE_UNITY_BUILD_BATCH_SIZE BUILD_SHARED_LIBS WEFT_CUDA WEFT_STEP_NATIVE; do
  value=$(sed -n "s/^$choice:[^=]*=//p" "$build/CMakeCache.txt")
  [ -z "$value" ] || set -- "$@" "-D$choice=$value"
done
project=$folder/build
quietly "$cmake" -S "$source/tests/install/subdirectory" -B "$project" -G Ninja \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DWEFT_SOURCE="$source" "$@"
quietly python3 -B "$source/tests/install/same_commands.py" "$build" "$project" weft

# The source that a build writes, one of the library's, and the user's program. (Ninja itself would
# compile the whole library before each of these.)
cp "$build"/libweft*.so* "$build"/libweft*.a "$project/weft" 2>/dev/null || true
ninja -C "$project" -t commands user |
  grep -e 'TO=.*/generated/viewer.cpp' -e ' -o weft/CMakeFiles/weft[.]dir/src/base/version' \
    -e ' -o CMakeFiles/user[.]dir/' -e ' -o user ' | sed 's/.*/(&)/' >"$folder/last"
[ "$(wc -l <"$folder/last")" = 4 ] || fail "four commands were to be here: $(cat "$folder/last")"
cd "$project"
sed -n 's/.* -o \([^ ]*\)\/[^ ]*[.]o .*/\1/p' "$folder/last" | xargs mkdir -p
quietly sh -e "$folder/last"
./user >"$folder/said"
expect "$folder/said" "caught invalid shape: 7,7,7"
