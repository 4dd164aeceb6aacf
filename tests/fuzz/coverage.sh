#!/bin/sh
# Prints, for each fuzz target, how many lines of the sources that it is for its corpus and its seeds reach: a table in
# Markdown, as README.md has it. Needs gcc and gcov.
# Usage: coverage.sh FOLDER [TARGET...]: FOLDER keeps the build.
set -eu
[ $# -ge 1 ] || { sed -n 's/^# \{0,1\}//; 4p' "$0" >&2; exit 2; }
top_srcdir=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
shift
. "$top_srcdir/tests/fuzz/targets.sh" || exit 99
export top_srcdir

[ -f Makefile ] || "$top_srcdir/configure" -q --enable-coverage CC=gcc CFLAGS=-g
make -s fuzz-targets >&2

echo '| Target | Inputs | Bytes of its corpus | Lines reached |'
echo '|---|---|---|---|'
for target in ${*:-$fuzz_targets}; do
	fuzz_target "$target"
	find . -name '*.gcda' -exec rm -f {} +
	# shellcheck disable=SC2086
	set -- $seeds
	"tests/fuzz/fuzz_$target" "$@" > replay.log
	inputs=$#
	bytes=$(cat "$top_srcdir/tests/fuzz/corpus/$target"/* | wc -c)
	for source in $code; do
		object=$(echo "${source#"$top_srcdir"/}" | sed 's/\.c$//')
		notes=$(find . -name "*_fuzz_$target-${object##*/}.gcno" | head -n 1) # built for it alone
		[ -n "$notes" ] || notes=$(find "${object%/*}" -name "${object##*/}.gcno" -o -name "*_a-${object##*/}.gcno" | head -n 1)
		[ -n "$notes" ] || { echo "coverage.sh: $source was not built" >&2; exit 1; }
		gcov -n "$notes" 2> /dev/null | grep -A1 "^File .*${source##*/}'" | sed -n 's/^Lines executed:\([0-9.]*\)% of \([0-9]*\)$/\1 \2/p'
	done | awk -v target="$target" -v inputs="$inputs" -v bytes="$bytes" '
		{ reached += $1 / 100 * $2; all += $2 }
		END { printf "| %s | %d | %d | %.0f of %d, %.1f %% |\n", target, inputs, bytes, reached, all, 100 * reached / all }'
done
