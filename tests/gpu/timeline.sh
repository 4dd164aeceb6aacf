#!/bin/sh
# Live timelines and samples on the GPU: tests/gpu/timeline.c says what must hold, and prints what stamps cost; then the
# program draws them. Prints TAP. Needs a GPU.
# Usage: timeline.sh SOURCE BUILD
source=${1:-${top_srcdir:-.}}
build=${2:-${top_builddir:-.}}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
"$build/tests/gpu/timeline" --source "$source" --worker "$build/simttutor-gpu" >"$out"
grep -v '^1\.\.' "$out"
n=$(grep -cE '^(not )?ok ' "$out")
if grep -q '^Bail out' "$out"; then exit 1; fi

check() { # NAME: the last command's status is 0
	status=$?
	n=$((n + 1))
	if [ $status = 0 ]; then echo "ok $n - $1"; else
		echo "not ok $n - $1"
		sed 's/^/# /' "$out" | head -n 8
	fi
}
for view in blocks schedule mask; do
	"$build/simttutor" probe "$source/tests/run/divergent.ptx" --grid 100 --block 128 --arg 'u32[12800]:random@5' \
		--arg 'u32[25600]' --arg u32:12780 --live --view $view >"$out" 2>&1 && grep -q "live" "$out"
	check "simttutor probe --live --view $view"
done
echo "1..$n"
