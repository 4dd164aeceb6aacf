#!/bin/sh
# The model's occupancy against the driver's (tests/gpu/occupancy.c), and what `run --live` makes of the registers that the
# driver tells. Prints TAP. Needs a GPU. Usage: occupancy.sh SOURCE BUILD
source=${1:-${top_srcdir:-.}}
build=${2:-${top_builddir:-.}}
"$build/tests/gpu/occupancy" > "${TMPDIR:-/tmp}/occupancy.$$"
status=$?
grep -v '^1\.\.' "${TMPDIR:-/tmp}/occupancy.$$"
n=$(grep -cE '^(not )?ok ' "${TMPDIR:-/tmp}/occupancy.$$")
rm -f "${TMPDIR:-/tmp}/occupancy.$$"

n=$((n + 1))
out=$("$build/simttutor" run "$source/tests/run/matmul.ptx" --grid 2,2 --block 16,16 --arg s32:32 --arg 's32[1024]:iota' \
	--arg 's32[1024]:iota' --arg 's32[1024]' --live 2>&1)
line=$(printf '%s\n' "$out" | grep -E '^    registers +[0-9]+ blocks +[0-9]+ a thread \(NVIDIA')
if [ -n "$line" ]; then
	echo "ok $n - run --live: $line"
else
	printf '%s\n' "$out" | grep -A6 '^occupancy' | sed 's/^/# /'
	echo "not ok $n - run --live takes the registers from the GPU"
	status=1
fi
echo "1..$n"
exit $status
