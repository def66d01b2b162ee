#!/bin/sh
# `man weft` shows each command's options as --help does, without a warning.
. "$(dirname "$0")/common.sh"
need man
quietly "$cmake" --install "$build" --component program --prefix "$folder/installed"
pages=$folder/installed/share/man
for page in weft weft-fft weft-compare weft-info; do
  LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l "$pages/man1/$page.1.gz" >"$folder/$page.txt" 2>"$folder/warnings"
  [ ! -s "$folder/warnings" ] || fail "$page.1: $(cat "$folder/warnings")"
  command=$(echo "$page" | tr - ' ')
  # Words are split on purpose: weft and its sub-command.
  options=$("$build"/$command --help | grep -oE '^ +(-h,)?--[a-z-]+' | tr ',' '\n' | tr -d ' ')
  [ -n "$options" ] || fail "$command --help names no option"
  for option in $options; do
    expect "$folder/$page.txt" "$option"
  done
done
man --manpath="$pages" weft >"$folder/by-name.txt" 2>/dev/null
expect "$folder/by-name.txt" "wafer"
expect "$folder/weft-fft.txt" "EXIT STATUS"
