#!/bin/sh
# A shell reads its completion without a complaint. Usage: ... SHELL FILE
. "$(dirname "$0")/common.sh"
need "$5"
quietly "$5" -n "$build/pages/$6"
