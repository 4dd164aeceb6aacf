#!/bin/sh
# simttutor probe: stamps and addresses on the machine and on stand-ins for a GPU, the PTX it writes, and what it refuses.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
stencil="$top_srcdir/tests/run/stencil.ptx --kernel stencil --grid 2 --block 64 --arg s32[100]:iota --arg s32[100] --arg s32:100"
set -f # launches have [ and *

probe() { capture "$simttutor" probe "$@"; }

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
[ "$status" -eq 1 ] && said out 'records do NOT agree with the machine'
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
# rejected FILE...: those of which ptxas does not take what probe makes, with stamps or with addresses.
rejected() {
	for file; do
		"$ptxas" -arch=sm_90 "$file" -o /dev/null > /dev/null 2>&1 || continue # what was no good before
		kernel=$(sed -n 's/.*\.entry \([A-Za-z0-9_$]*\).*/\1/p' "$file" | head -n 1)
		args=$(awk '/\.entry/ { on = 1 } on && /\.param/ { print "--arg " (/64/ ? "u32[4096]" : "b32:64") } /\)/ { if (on) exit }' "$file")
		lines=$(awk '$1 == ".loc" && !seen[$3]++ && $3 { print "--line " $3 }' "$file" | head -n 60)
		[ -n "$lines" ] || lines=$(awk '/(ld|st|atom|red)\.(global|shared)/ { print "--line " NR }' "$file" | head -n 60)
		for how in '' --accesses; do
			rm -f "$work/probed.ptx"
			probe "$file" --kernel "$kernel" --grid 1 --block 64 $args $lines $how --output "$work/probed.ptx"
			[ -f "$work/probed.ptx" ] && "$ptxas" -arch=sm_90 "$work/probed.ptx" -o /dev/null > "$work/out" 2>&1 || echo "${file##*/}$how"
		done
	done
}
if [ -n "$ptxas" ]; then
	report_none "ptxas takes it" "$(rejected "$top_srcdir"/tests/run/stencil.ptx "$top_srcdir"/tests/run/calls.ptx \
		"$top_srcdir"/tests/ptx/corpus/reductions-clang14.ptx)"
	if long; then
		report_none "ptxas takes it, of many kernels" \
			"$(rejected $(find "$top_srcdir/tests/run" "$top_srcdir/tests/ptx/corpus" -name '*.ptx' | sort))"
	fi
else
	skip "ptxas takes it" "there is no ptxas"
fi

# --- timelines of a stand-in for a GPU, which is one SM that runs block after block ---------------------------------------
divergent="$top_srcdir/tests/run/divergent.ptx --grid 6 --block 128 --arg u32[768]:random@5 --arg u32[1536] --arg u32:750"
live() { # BEHAVIOR ARGUMENTS...
	behavior=$1
	shift
	probe $divergent "$@" --gpu "command:$fake $behavior"
}
live machine --view blocks --format json
[ "$status" -eq 0 ] && [ "$(at same_results)" = true ] && [ "$(at witness)" = '"live"' ] && [ "$(at blocks.unit)" = '"ns"' ] &&
	[ "$(at blocks.blocks)" = 6 ] && [ "$(at blocks.sms)" = 132 ] && [ "$(at blocks.sms_used)" = 1 ] &&
	[ "$(at blocks.where)" = '"Fake GPU"' ] && [ "$(at blocks.resident)" = 12 ] && [ "$(at blocks.spans.5.block)" = 5 ] &&
	[ "$(at blocks.spans.0.start)" = 0 ] && [ "$(at activity.samples.0.time)" = 500 ] && [ "$(at activity.max_warps)" = 64 ] &&
	[ "$(at blocks.cut)" = '"stamps take registers: 12 blocks on an SM, 16 without"' ] && [ ! -s "$work/err" ]
report $? "blocks by the global timer, with samples"
live machine --view schedule --view mask --warp 3:2 --format json
[ "$status" -eq 0 ] && [ "$(at schedule.unit)" = '"cycles"' ] && [ "$(at schedule.warps)" = 24 ] && [ "$(at mask.block)" = 3 ] &&
	[ "$(at mask.warp)" = 2 ] && [ "$(at mask.lanes)" = 4294967295 ] && [ "$(at mask.steps.5.relation)" = '"diverged"' ] &&
	[ "$(at blocks)" != '{' ]
report $? "warps of an SM, masks of a warp"
live machine --view mask --warp 3:2
[ "$status" -eq 0 ] && said out 'live: block 3 warp 2' && said out 'if (v % 2 == 0)' && said out 'live: Fake GPU'
report $? "masks, drawn"
probe "$top_srcdir/tests/run/uneven.ptx" --grid 3000 --block 64 --arg 'f32[192000]:iota' --arg u32:2 --view blocks --format json \
	--gpu "command:$fake machine"
[ "$status" -eq 0 ] && said out '"stamps of the first warp of each block alone; stamps take registers' && [ "$(at blocks.spans.2999.block)" = 2999 ]
report $? "of many blocks the first warp"
live no-counters --view blocks --format json
[ "$status" -eq 0 ] && [ "$(at blocks.blocks)" = 6 ] && [ "$(at activity)" = "" ]
report $? "locked counters leave the blocks"
live stamps-differ --view mask
[ "$status" -eq 1 ] && said out 'argument 0 is NOT the same as without stamps' && said err 'a race, or an order that the stamps changed'
report $? "other results are reported"
live stamps-garbage --view schedule
[ "$status" -eq 1 ] && said err "the probe's buffer: block 0, warp 0"
report $? "stamps that cannot be are refused"
live stamps-short --view schedule
[ "$status" -eq 1 ] && said err 'another buffer than was asked for'
report $? "a buffer cut short is refused"
live error:bad_ptx --view blocks
[ "$status" -eq 1 ] && said err 'The driver rejected the PTX'
report $? "an error of the worker is reported"
live killed --view blocks
[ "$status" -eq 1 ]
report $? "a worker that dies is reported"

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
probe $stencil --line 999
[ $? = 0 ] && said err ':999: warning: the PTX has no instruction of this line' && has 'records'
report $? "a line without instructions is named"
probe $stencil --line 12
ends 0
report $? "one with instructions is not"
refused 2 'the launch has blocks 0 to 1' $stencil --blocks 2
refused 2 'the launch has blocks 0 to 1' $stencil --blocks 1:2
refused 2 'expected FIRST:COUNT' $stencil --blocks 1:
refused 2 'a whole number from 1 to' $stencil --records 0
printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\nL:\tbra L;\n}\n' > "$work/endless.ptx"
refused 1 'stopped after 1000 warp instructions' "$work/endless.ptx" --grid 1 --block 32 --steps 1000
refused 2 'watch fewer' $stencil --records 1000000
refused 2 '--view draws stamps of a GPU' $stencil --view mask
refused 2 '--view draws stamps of a GPU' $stencil --view mask --gpu "command:$fake machine" --accesses --line 20
refused 2 'schedule, blocks or mask' $stencil --view banks
refused 2 '--warp 0:9 is not in this launch' $stencil --view mask --warp 0:9 --gpu "command:$fake machine"
refused 2 '--grid is missing' "$top_srcdir/tests/run/stencil.ptx"
refused 3 'no-such.ptx' no-such.ptx --grid 1 --block 1
refused 1 'out of bounds' "$top_srcdir/tests/run/stencil.ptx" --kernel stencil_unbounded --grid 2 --block 64 --arg 's32[100]' --arg 's32[100]'
finish
