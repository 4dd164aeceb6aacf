#!/bin/sh
# turns.sh SOURCE BUILD: several readers share the GPU: see tests/gpu/turns.c. SIMTTUTOR_READERS says how many, 2 to 8.
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
"$2/tests/gpu/turns" --worker "'$(cd "$2" && pwd)/simttutor-gpu'" --source "$1" --dir "$work" --readers "${SIMTTUTOR_READERS:-4}"
