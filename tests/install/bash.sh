#!/bin/bash
# The completion of bash, by what it would offer.
. "$(dirname "$0")/common.sh"
. "$build/pages/weft.bash"
offered() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _weft
  echo "${COMPREPLY[*]}"
}
same() {
  [ "$1" = "$2" ] || fail "offered '$1' instead of '$2'"
}
same "$(offered weft co)" "compare"
same "$(offered weft --v)" "--version"
same "$(offered weft fft --sh)" "--shape"
same "$(offered weft fft --out)" "--output"
same "$(offered weft compare --shape)" "--shapes --shape"
same "$(offered weft info --out)" ""
same "$(offered weft heatmap run.weft wai)" "waits_data waits_room"
same "$(offered weft reproduce ws)" "wsfft"
same "$(offered weft fft --seed "")" ""
: >"$folder/volume.npy"
for words in "fft --input" heatmap "heatmap run.weft computing"; do
  # shellcheck disable=SC2086  # words
  same "$(offered weft $words "$folder/vol")" "$folder/volume.npy"
done
same "$(offered weft reproduce "$folder/vol")" ""
