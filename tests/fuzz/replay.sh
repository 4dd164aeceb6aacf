# Each fuzz target over its corpus and its seeds, every input whole and cut short at several places.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
. "$top_srcdir/tests/fuzz/targets.sh" || exit 99

for target in ${FUZZ_TARGETS:-$fuzz_targets}; do
	name="what is known of $target passes through its fuzz target"
	fuzz_target "$target"
	if [ "$target" = worker ] && [ ! -x "$worker" ]; then
		skip "$name" "this build has no simttutor-gpu"
		continue
	fi
	# shellcheck disable=SC2086
	set -- $seeds
	capture "$top_builddir/tests/fuzz/fuzz_$target" "$@"
	ends 0 && [ "$(wc -l < "$work/out")" -eq $# ] && [ $# -ge 5 ]
	result=$?
	tail -n 1 "$work/out" > "$work/last" && mv "$work/last" "$work/out" # the input that was too much
	report $result "$name"
done
finish
