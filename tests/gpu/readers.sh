#!/bin/sh
# readers.sh SOURCE BUILD: many readers share the GPU through `simttutor-gpu --serve`: see tests/gpu/readers.c. SIMTTUTOR_READERS says
# how many, SIMTTUTOR_SECONDS how long.
top_srcdir=$1 top_builddir=$2
. "$top_srcdir/tests/tap.sh" || exit 99
"$simttutor" course launches > "$work/known" || exit 99
"$worker" --serve "$work/socket" --known "$work/known" 2> "$work/served" &
server=$!
trap 'kill "$server"; clean_up' EXIT
until [ -S "$work/socket" ]; do sleep 0.1; done
"$top_builddir/tests/gpu/readers" --gpu "command:exec '$worker' --connect '$work/socket'" --known "$work/known" \
	--readers "${SIMTTUTOR_READERS:-80}" --seconds "${SIMTTUTOR_SECONDS:-60}"
status=$?
sed 's/^/# /' "$work/served"
echo "# the server has $(sed -n 's/^VmRSS:[^0-9]*\([0-9]* kB\)/\1/p' "/proc/$server/status"), its workers $(pgrep -P "$server" | wc -l)"
exit $status
