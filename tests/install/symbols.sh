#!/bin/sh
# The shared libraries have a versioned soname, and export the public namespace and nothing else.
. "$(dirname "$0")/common.sh"
need nm
quietly "$cmake" --install "$build" --prefix "$folder/installed"
for name in weft weft-io; do
  library=$(find "$folder/installed" -name "lib$name.so")
  readelf -d "$library" >"$folder/dynamic"
  expect "$folder/dynamic" "soname: [lib$name.so.0.1]"
  nm -DC --defined-only "$library" | cut -d' ' -f3- >"$folder/symbols"
  others=$(grep -vE '^((vtable|typeinfo|typeinfo name) for )?weft::v0::|^WEFT_0' "$folder/symbols" || true)
  [ -z "$others" ] || fail "lib$name.so exports more than the public namespace: $others"
  ! grep -q 'Fabric::Impl' "$folder/symbols" || fail "lib$name.so exports parts of Fabric::Impl"
done
nm -DC --defined-only "$(find "$folder/installed" -name libweft.so)" >"$folder/symbols"
expect "$folder/symbols" "weft::v0::FftPlan::run("
expect "$folder/symbols" "typeinfo for weft::v0::DeadlockError"
