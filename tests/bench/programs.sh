#!/bin/sh
# Whole programs with all checks, on 1, 2, 8 and all processors, those that there are: seconds (the median of three runs) and memory;
# what they print must be the same. No test: `make bench` runs it.
#   programs.sh [FOLDER]    with the libcudart.so.13 of another build, in the folder
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
if ! command -v taskset >/dev/null || ! [ -x /usr/bin/time ]; then
	echo "programs: no taskset, or no time"
	exit 0
fi
if ! ${SIMTTUTOR:-./simttutor} cc -o "$work/programs" "$here/programs.cu"; then
	echo "programs: no compiler"
	exit 0
fi
SIMTTUTOR_CHECK=all
export SIMTTUTOR_CHECK

there=$(nproc)
some=$(for cores in 1 2 8; do [ $cores -ge "$there" ] || echo $cores; done)
printf '%-32s%6s%10s%8s\n' 'all checks' cores seconds MB
for run in 'saxpy 16777216' 'histogram 4194304' 'histogram_by_blocks 4194304' 'transpose 4096' 'sgemm 512' 'scan 4194304'; do
	: >"$work/first"
	for cores in $some "$there"; do
		: >"$work/times"
		for _ in 1 2 3; do
			# shellcheck disable=SC2086 # words
			LD_LIBRARY_PATH=${1-} /usr/bin/time -a -o "$work/times" -f '%e %M' taskset -c "0-$((cores - 1))" \
				"$work/programs" $run >"$work/printed" 2>"$work/report"
		done
		[ -s "$work/first" ] || cp "$work/printed" "$work/first"
		cmp -s "$work/first" "$work/printed" || echo "$run prints something else on $cores cores"
		sort -n "$work/times" | sed -n 2p | while read -r seconds kb; do
			printf '%-32s%6s%10s%8s\n' "$run" "$cores" "$seconds" $((kb / 1024))
		done
	done
done
