#!/bin/sh
# simttutor probe: stamps and addresses on the machine and on stand-ins for a GPU, the PTX it writes, and what it refuses.
: "${top_builddir:=.}" "${top_srcdir:=.}"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
simttutor=$top_builddir/simttutor
fake=$top_builddir/tests/fake-worker
stencil="$top_srcdir/tests/run/stencil.ptx --kernel stencil --grid 2 --block 64 --arg s32[100]:iota --arg s32[100] --arg s32:100"
n=0
set -f

probe() {
	"$simttutor" probe "$@" > "$work/out" 2> "$work/err"
	status=$?
}
report() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		head -n 30 "$work/out" | cut -c 1-200 | sed 's/^/# /'
		sed 's/^/# /' "$work/err"
	fi
}
at() { "$top_builddir/tests/json-get" "$1" < "$work/out" 2>> "$work/err"; }
said() { tr '\n' ' ' < "$work/$1" | tr -s ' ' | grep -qF -e "$2"; }

probe $stencil
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && said out 'on the machine: 17 records' && said out 'bit for bit' &&
	[ "$(grep -c 'entry .* ffffffff$' "$work/out")" = 4 ] &&
	[ "$(grep -c 'leave  *17 ' "$work/out")" = 4 ] && [ "$(grep -c 'exit ' "$work/out")" = 5 ]
report $? "stamps: every warp enters, leaves the barrier, and ends"
probe $stencil --line 12 --format json
[ "$status" -eq 0 ] && [ "$(at events.1.event)" = '"line"' ] && [ "$(at events.1.line)" = 12 ] && [ "$(at witness)" = '"model"' ] &&
	[ "$(at same_results)" = true ] && [ "$(at implausible)" = 0 ] && [ "$(at blocks.1.block)" = 1 ]
report $? "a watched line, as JSON"
probe $stencil --line 14 --accesses --blocks 1 --format json
[ "$status" -eq 0 ] && [ "$(at events.0.lanes)" = 3 ] && [ "$(at events.1.space)" = '"shared"' ] && [ "$(at events.1.addresses.1)" = 4 ] &&
	[ "$(at events.0.op)" = '"load"' ] && [ "$(at events.0.width)" = 4 ] && [ "$(at events.1.addresses.2)" = null ]
report $? "addresses of the halo's two lanes"
probe $stencil --records 2 --format json
[ "$status" -eq 0 ] && [ "$(at lost)" = 9 ] && [ "$(at same_results)" = true ]
report $? "what does not fit is counted"
probe $stencil --line 14 --accesses --gpu "command:'$fake' machine" --format json
[ "$status" -eq 0 ] && [ "$(at witness)" = '"live"' ] && [ "$(at gpu)" = '"Fake GPU"' ] && [ "$(at different_accesses)" = 0 ]
report $? "live, on a stand-in that is the machine"
probe $stencil --line 14 --accesses --gpu "command:'$fake' ok"
[ "$status" -eq 1 ] && said out 'records are NOT the machine'
report $? "live, on one that writes nothing: the addresses differ"
probe $stencil --gpu "command:'$fake' short-buffer"
[ "$status" -eq 1 ] && said err 'other buffers than were asked for'
report $? "live, a buffer that does not come back whole"

# --- the PTX it writes --------------------------------------------------------------------------------------------------
probe $stencil --line 12 --output "$work/stencil.ptx"
bytes=$(sed -n 's/.*last argument, b8\[\([0-9]*\)\].*/\1/p' "$work/out")
"$simttutor" run "$work/stencil.ptx" --kernel stencil --grid 2 --block 64 --arg 's32[100]:iota' --arg 's32[100]' --arg s32:100 \
	--arg "b8[$bytes]" --print 1 --format json > "$work/out" 2> "$work/err" && [ "$(at buffers.1.50)" = 250 ] &&
	grep -q '"line": 12' "$work/out"
report $? "it runs by itself, with its lines and all checks"
ptxas=$(command -v ptxas || ls "${NVCC%/*}/ptxas" /usr/local/cuda/bin/ptxas 2> /dev/null | head -n 1)
if [ -n "$ptxas" ]; then
	failed=
	for file in $(find "$top_srcdir/tests/run" "$top_srcdir/tests/ptx/corpus" -name '*.ptx' | sort); do
		kernel=$(sed -n 's/.*\.entry \([A-Za-z0-9_$]*\).*/\1/p' "$file" | head -n 1)
		"$ptxas" -arch=sm_90 "$file" -o /dev/null > /dev/null 2>&1 || continue # what was no good before
		args=$(awk '/\.entry/ { on = 1 } on && /\.param/ { print "--arg " (/64/ ? "u32[4096]" : "b32:64") } /\)/ { if (on) exit }' "$file")
		lines=$(awk '$1 == ".loc" && !seen[$3]++ && $3 { print "--line " $3 }' "$file" | head -n 60)
		[ -n "$lines" ] || lines=$(awk '/(ld|st|atom|red)\.(global|shared)/ { print "--line " NR }' "$file" | head -n 60)
		for how in '' --accesses; do
			rm -f "$work/probed.ptx"
			probe "$file" --kernel "$kernel" --grid 1 --block 64 $args $lines $how --output "$work/probed.ptx"
			[ -f "$work/probed.ptx" ] && "$ptxas" -arch=sm_90 "$work/probed.ptx" -o /dev/null > "$work/out" 2>&1 ||
				failed="$failed ${file##*/}$how"
		done
	done
	[ -z "$failed" ] || echo "# $failed"
	[ -z "$failed" ]
	report $? "ptxas takes it"
else
	n=$((n + 1))
	echo "ok $n - ptxas takes it # SKIP there is no ptxas"
fi

# --- what it refuses ------------------------------------------------------------------------------------------------------
refused() { # STATUS TEXT ARGUMENTS...
	expected=$1 text=$2
	shift 2
	probe "$@"
	[ "$status" -eq "$expected" ] && said err "$text"
	report $? "refused: $text"
}
refused 2 '--accesses of which line' $stencil --accesses
refused 2 'no instruction of the watched lines' $stencil --accesses --line 1
refused 2 'the launch has blocks 0 to 1' $stencil --blocks 2
refused 2 'the launch has blocks 0 to 1' $stencil --blocks 1:2
refused 2 'expected FIRST:COUNT' $stencil --blocks 1:
refused 2 'a whole number from 1 to' $stencil --records 0
refused 2 'watch fewer' $stencil --records 1000000
refused 2 '--grid is missing' "$top_srcdir/tests/run/stencil.ptx"
refused 3 'no-such.ptx' no-such.ptx --grid 1 --block 1
refused 1 'out of bounds' "$top_srcdir/tests/run/stencil.ptx" --kernel stencil_unbounded --grid 2 --block 64 --arg 's32[100]' --arg 's32[100]'
echo "1..$n"
