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

# A root of its own: the packages, and the libraries that they ask for.
root=$folder/root
mkdir "$root"
for package in "${packages[@]}"; do
  quietly dpkg-deb -x "$package" "$root"
done
for wanted in usr/bin/weft usr/share/man/man1/weft-fft.1.gz usr/include/weft/weft.hpp \
  usr/share/bash-completion/completions/weft; do
  [ -e "$root/$wanted" ] || fail "no package has /$wanted"
done
# The Python module, if this build has it, from the root's folder.
if [ -d "$build/python" ]; then
  PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -c \
    'import weft; print(weft.__file__, weft.fft([[[1] * 4] * 4] * 4).report.cycles)' >"$folder/said"
  expect "$folder/said" "$root/usr/lib/python3/dist-packages/weft"
fi
# From their dependencies come the libraries that the command asks for.
ldd "$root/usr/bin/weft" | grep -oE '/[^ ]+' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
mkdir -p "$root/tmp" "$root/proc" "$root/sys" "$root/dev"
enter=(unshare --map-root-user chroot "$root")
"${enter[@]}" /usr/bin/weft --version >"$folder/said" 2>&1 || {
  grep -q '^unshare:' "$folder/said" && skip "lintian accepts the packages; no root can be changed here: $(cat "$folder/said")"
  cat "$folder/said" >&2
  fail "weft does not start in a clean root"
}
expect "$folder/said" "weft 0.1"
"${enter[@]}" /usr/bin/weft fft --shape 8,8,8 >"$folder/said"
expect "$folder/said" "ok: relative L2 error"
