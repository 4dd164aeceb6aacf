#!/bin/sh
# turns.sh SOURCE BUILD: several readers share the GPU: see tests/gpu/turns.c. SIMTTUTOR_READERS says how many, 2 to 8.
top_srcdir=$1 top_builddir=$2
. "$top_srcdir/tests/tap.sh" || exit 99
"$top_builddir/tests/gpu/turns" --worker "'$worker'" --source "$top_srcdir" --dir "$work" --readers "${SIMTTUTOR_READERS:-4}"
