#!/bin/sh
# A user's project that has Weft's sources in a folder. Not optimised, with one step variant, and
# several sources as one, so that the test does not take long.
. "$(dirname "$0")/common.sh"
quietly "$cmake" -S "$source/tests/install/subdirectory" -B "$folder/build" -G Ninja \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O0 -w" \
  -DWEFT_SOURCE="$source" -DWEFT_CUDA=OFF -DWEFT_STEP_NATIVE=ON \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=64
quietly "$cmake" --build "$folder/build" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-1}"
"$folder/build/user" >"$folder/said"
expect "$folder/said" "caught invalid shape: 7,7,7"
