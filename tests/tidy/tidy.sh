#!/bin/sh
# clang-tidy on one file of a build. Usage: tidy.sh SOURCE_FOLDER BUILD_FOLDER FILE
set -eu
source=$1 build=$2 file=$3
tidy=clang-tidy-16
command -v $tidy >/dev/null || {
  echo "skipped: the program $tidy is not installed"
  exit 77
}
# The file includes sources. Warnings are the compilers' own affair, whose flags may be g++'s. Of
# unused using declarations only sources that are read alone tell, and names that are reserved take a
# tenth of the time: `make tidy` looks for both.
left_out=-bugprone-suspicious-include,-misc-unused-using-decls,-bugprone-reserved-identifier
$tidy -quiet -p "$build" --config-file="$source/.clang-tidy" --checks=$left_out \
  --extra-arg=-w "$file" && exit 0
echo "'error: redefinition of': two sources that are read as one use one name: rename one"
exit 1
