#!/bin/sh
# Runs a fuzz target under ASan, with leak checking, and UBSan. Needs clang with libFuzzer.
# Usage: fuzz.sh TARGET SECONDS FOLDER [OPTION...]: FOLDER keeps the build, which targets share, and for each of them its growing
# corpus (FOLDER/TARGET/corpus) and what it found. Options are libFuzzer's.
#        fuzz.sh TARGET merge FOLDER: adds to tests/fuzz/corpus/TARGET what that corpus reaches and the tree's inputs do not, as far as it
# is short.
set -eu
[ $# -ge 3 ] || { sed -n 's/^# \{0,1\}//; 3,6p' "$0" >&2; exit 2; }
target=$1 seconds=$2
top_srcdir=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$3/build" "$3/$1/corpus" "$3/$1/found"
folder=$(cd "$3" && pwd)
shift 3
. "$top_srcdir/tests/fuzz/targets.sh" || exit 99
fuzz_target "$target" || { echo "fuzz.sh: no target '$target'; there are $fuzz_targets" >&2; exit 2; }

cd "$folder/build"
[ -f Makefile ] || "$top_srcdir/configure" -q --enable-sanitize=fuzz CC="${CLANG:-clang}" CFLAGS='-g -O1'
flock . make -s "tests/fuzz/fuzz_$target" # targets that run side by side share it

mkdir -p "$folder/seeds"
rm -rf "$folder/seeds/$target" && mkdir "$folder/seeds/$target"
for seed in $seeds; do
	cp "$seed" "$folder/seeds/$target/$(echo "${seed#"$top_srcdir"/}" | tr / -)"
done
export top_srcdir ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}" UBSAN_OPTIONS=print_stacktrace=1
TMPDIR=$folder/$target
[ ! -w /dev/shm ] || TMPDIR=/dev/shm
export TMPDIR
limits="-timeout=20 -rss_limit_mb=2500 -malloc_limit_mb=2000 -max_len=$longest"
[ ! -f "$words" ] || limits="$limits -dict=$words"
cd "$folder/$target"
program=$folder/build/tests/fuzz/fuzz_$target
if [ "$seconds" = merge ]; then
	# shellcheck disable=SC2086
	rm -rf merged && cp -R "$folder/seeds/$target" merged && "$program" $limits -merge=1 -use_counters=0 merged corpus
	for input in merged/*; do # libFuzzer names what it adds by a hash
		[ -f "$folder/seeds/$target/${input#merged/}" ] || [ "$(wc -c < "$input")" -gt 1500 ] ||
			cp "$input" "$top_srcdir/tests/fuzz/corpus/$target/$(basename "$input" | cut -c1-12)"
	done
	exit
fi
# shellcheck disable=SC2086
exec "$program" $limits -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix=found/ "$@" corpus "$folder/seeds/$target"
