#!/bin/sh
# A user's project is built against an installed tree, which has been moved: with CMake, by the
# shared and by the static libraries, and with pkg-config. Other versions are refused.
. "$(dirname "$0")/common.sh"
quietly "$cmake" --install "$build" --prefix "$folder/first"
mv "$folder/first" "$folder/installed"

if [ -d "$build/python" ]; then
  site=$(echo "$folder"/installed/lib/python3.*/dist-packages)
  PYTHONPATH=$site PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c \
    "import weft; print(weft.__file__)" >"$folder/said"
  expect "$folder/said" "$site/weft"
fi

configure() {
  "$cmake" -S "$source/tests/install/$1" -B "$folder/$2" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_PREFIX_PATH="$folder/installed" -DKIND="$2"
}
for kind in shared static; do
  quietly configure consumer $kind
  quietly "$cmake" --build "$folder/$kind"
  (cd "$folder/$kind" && ./consumer && ./consumer-core) >"$folder/said"
  expect "$folder/said" "caught input"
  expect "$folder/said" "caught invalid shape: 7,7,7"
done
readelf -d "$folder/shared/consumer-core" >"$folder/dynamic"
expect "$folder/dynamic" "libweft.so.0.1"
readelf -d "$folder/static/consumer-core" >"$folder/dynamic"
! grep -q libweft "$folder/dynamic" || fail "the static library was asked for, not the shared one"

sed 's/weft 0.1/weft 0.2/' "$source/tests/install/consumer/CMakeLists.txt" >"$folder/newer.txt"
mkdir "$folder/newer"
cp "$folder/newer.txt" "$folder/newer/CMakeLists.txt"
if "$cmake" -S "$folder/newer" -B "$folder/refused" -DCMAKE_PREFIX_PATH="$folder/installed" \
  -DCMAKE_CXX_COMPILER="$cxx" -DKIND=static >"$folder/log" 2>&1; then
  fail "version 0.2 was asked for, and found"
fi
expect "$folder/log" "requested version"

need pkg-config
libraries=$(dirname "$(find "$folder/installed" -name weft.pc)")
PKG_CONFIG_PATH=$libraries
export PKG_CONFIG_PATH
# Words are split on purpose: these are options.
# shellcheck disable=SC2046
quietly "$cxx" -std=c++20 "$source/tests/install/consumer/consumer.cpp" -o "$folder/by-pkg-config" \
  $(pkg-config --cflags --libs weft-io)
(cd "$folder" && LD_LIBRARY_PATH=$libraries/.. ./by-pkg-config) >"$folder/said"
expect "$folder/said" "caught input"
