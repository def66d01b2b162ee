#!/bin/bash
# lintian accepts the Debian packages, and they work in a root of their own.
. "$(dirname "$0")/common.sh"
need lintian
need dpkg-deb
umask 022
(cd "$folder" && quietly "${cmake%cmake}cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$folder/packages")
packages=("$folder"/packages/*.deb)
[ "${#packages[@]}" -ge 3 ] || fail "not three packages: ${packages[*]}"
lintian --allow-root --no-cfg --fail-on error,warning "${packages[@]}" || fail "lintian finds faults"
