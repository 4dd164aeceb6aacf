#!/bin/sh
# simttutor run: kernels from tests/run and tests/ptx, what is reported of them, and what is refused how.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
PTXAS=: # how many registers a kernel has depends on it
export PTXAS
kernels=$top_srcdir/tests/run
ptx=$top_srcdir/tests/ptx

run() { capture "$simttutor" run "$@"; }

# line FILE MARK: the number of the first line that holds MARK
line() { grep -nF -e "$2" "$1" | head -n 1 | cut -d: -f1; }

# --- what kernels compute --------------------------------------------------------------------------------------------
run "$kernels/matmul.ptx" --grid 2,2 --block 16,16 --arg s32:32 --arg 's32[1024]:iota' --arg 's32[1024]:iota' \
	--arg 's32[1024]' --print 3 --format json
expected=$(awk 'BEGIN { for (i = 0; i < 32; i++) for (j = 0; j < 32; j++) { s = 0
	for (k = 0; k < 32; k++) s += (i * 32 + k) * (k * 32 + j)
	printf "%s%d", i + j ? "," : "[", s } print "]" }')
ends 0 && [ "$(at buffers.3)" = "$expected" ]
report $? "matmul: the product, element by element"
[ "$(at metrics.shared_load_wavefronts_per_request)" = 1.0 ] && [ "$(at metrics.global_load_sectors_per_request)" = 4.0 ] &&
	[ "$(at metrics.branch_efficiency)" = 100.0 ] && [ "$(at metrics.time)" = null ]
report $? "matmul: metrics by name, one that is not modeled is null"
"$top_builddir/tests/json-get" < "$work/out" | grep -qE '^\{"outcome":"ok","defects":\[\],"orders":{"count":1,"more_ms":0.0},"output":"","buffers":\{"3":.*\},"lines":\[.*\],"metrics":\{[^}]*\},"trust":\{[^}]*\},"occupancy":\{.*\}\}$'
report $? "JSON has outcome, defects, orders, output, buffers, lines, metrics, trust, occupancy and no more"
[ "$(at lines.7)" = "{\"line\":$(line "$kernels/matmul.cu" 'sum +='),\"text\":\"\t\t\tsum += as[y][i] * bs[i][x];\",\"executions\":3072,\"active_lanes\":32.0,\"requests\":2048,\"requests_by\":{\"global\":{\"loads\":0,\"stores\":0,\"atomics\":0},\"shared\":{\"loads\":2048,\"stores\":0,\"atomics\":0}},\"wavefronts_per_request\":1.0,\"sectors_per_request\":null,\"bank_conflicts\":0,\"branches\":0,\"divergent_branches\":0}" ]
report $? "matmul: the inner line's report"

run "$kernels/wmma.ptx" --grid 1 --block 32 --arg 'u32[256]:iota' --arg 'f32[256]' --line 12
ends 0 && grep -qE '^ +12 +1 +32 +4 +8 ' "$work/out" && grep -qE '^ +20 +1 +32 +1 +8 +4 ' "$work/out" &&
	grep -qE '^ +18 +1 +32 +1 +4 ' "$work/out" && grep -qE '^ldmatrix requests +1 ' "$work/out" &&
	grep -qE '^shared store requests +1 ' "$work/out" && said out 'line 12, block 0 warp 0: the first global ld, 4 bytes per lane'
report $? "wmma: the requests of its loads and stores, by blocks from shared memory"
run "$kernels/wmma.ptx" --grid 1 --block 32 --arg 'u32[256]:iota' --arg 'f32[256]' --format json
ends 0 && [ "$(at lines.2.requests)" = 4 ] && [ "$(at lines.2.executions)" = 1 ] && [ "$(at metrics.matrix_load_requests)" = 1.0 ] &&
	[ "$(at metrics.global_store_sectors_per_request)" = 8.0 ] && [ "$(at metrics.shared_store_requests)" = 1.0 ] &&
	[ "$(at trust.matrix_load_requests)" = '"exact"' ] && [ "$(at trust.shared_store_requests)" = '"exact"' ] &&
	[ "$(at trust.instructions)" = '"estimate"' ]
report $? "wmma: likewise in JSON"

run "$kernels/stencil.ptx" --kernel stencil --grid 2 --block 64 --arg 's32[100]:iota' --arg 's32[100]' --arg s32:100 \
	--print 1 --format json
expected=$(awk 'BEGIN { for (i = 0; i < 100; i++) { s = 0; for (d = -2; d <= 2; d++) if (i + d >= 0 && i + d < 100) s += i + d
	printf "%s%d", i ? "," : "[", s } print "]" }')
ends 0 && [ "$(at buffers.1)" = "$expected" ]
report $? "stencil, by its name in the source: the sums, also at the ends"
run "$kernels/stencil.ptx" --kernel _Z7stencilPKiPii --grid 2 --block 64 --arg 's32[100]:iota' --arg 's32[100]' --arg s32:100
ends 0 && said out 'stencil.cu' && said out 'tile[at] = i < n ? in[i] : 0;' && said out 'branches divergent'
report $? "stencil: a table with the source text and divergence"
grep -qE '^ +12 +40 +31\.3 +8 +3\.25 +1 +0 +4 +1 +tile\[at\]' "$work/out" && grep -qE '^branch efficiency +[^ 0-9]*75' "$work/out"
report $? "stencil: executed, lanes, requests, sectors, wavefronts, conflicts, branches, divergent; totals"
said out 'requests of line 12: 4 loads from global memory, 4 stores to shared memory' && ! said out 'requests of line 13'
report $? "stencil: the requests of a line with several kinds of them are told apart"
run "$kernels/matmul.ptx" --grid 2,2 --block 16,16 --arg s32:32 --arg 's32[1024]:iota' --arg 's32[1024]:iota' --arg 's32[1024]' --view schedule
ends 0 && LC_ALL=C grep -aqE '(pipe.*busy|busy.*pipe).*\(memory' "$work/out"
report $? "the schedule names the pipes that warps wait for"

run "$kernels/histogram.ptx" --grid 1 --block 128 --arg 'u32[1000]:iota' --arg s32:1000 --arg 'u32[4]' --print 2 --print 2
ends 0 && [ "$(grep -A1 '^argument 2, u32\[4\]:$' "$work/out" | tail -n 1)" = '       0: 250 250 250 250' ]
report $? "histogram, the only kernel, needs no name; its bins are printed once"
run "$ptx/barriers.ptx" --grid 1 --block 96 --arg 'u32[96]' --arg 'u32[3]' --print 1 --check sync
ends 0 && said out 'st.global.u32 [%rd3], %r2;' && said out '0: 7 7 50'
report $? "PTX without source lines is shown itself"
run - --grid 1 --block 96 --arg 'u32[96]' --arg 'u32[3]' --print 1 --check sync --format json < "$ptx/barriers.ptx"
ends 0 && [ "$(at buffers)" = '{"1":[7,7,50]}' ]
report $? "- reads standard input"
mkdir "$work/far" && cp "$kernels/matmul.ptx" "$work/far"
(cd "$work/far" &&
	"$simttutor" run matmul.ptx --grid 1 --block 16,16 --arg s32:16 --arg 's32[256]' --arg 's32[256]' --arg 's32[256]' --format json) > "$work/out" 2> "$work/err"
status=$?
ends 0 && [ "$(at lines.0.text)" = null ] && [ "$(at lines.0.executions)" -gt 0 ]
report $? "without its source a kernel's lines have numbers and no text"
cp "$kernels/matmul.cu" "$work/far"
run "$work/far/matmul.ptx" --grid 1 --block 16,16 --arg s32:16 --arg 's32[256]' --arg 's32[256]' --arg 's32[256]'
ends 0 && said out 'bs[i][x]'
report $? "the source beside the PTX is found"

# --- what kernels print -----------------------------------------------------------------------------------------------
run "$ptx/call-printf-lanes.ptx" --grid 2 --block 34
ends 0 && [ "$(sed -n 1,2p "$work/out")" = "k prints:
block 0 thread 0 abc" ] && [ "$(sed -n 36p "$work/out")" = "" ] && [ "$(sed -n 37p "$work/out")" = "k: ok" ]
report $? "printf: the lines of all lanes, before the report"
run "$ptx/call-printf-nowhere.ptx" --grid 1 --block 4 --format json
ends 1 && [ "$(at output)" = '"before\n"' ] && [ "$(at defects.0.message)" = '"printf reads 0x10, where there is no memory"' ]
report $? "printf: JSON has what was printed before a defect"
sed 's/98, 101, 102, 111/98, 255, 27, 111/' "$ptx/call-printf-nowhere.ptx" > "$work/odd.ptx"
run "$work/odd.ptx" --grid 1 --block 4 --format json
ends 1 && [ "$(at output)" = "\"b$(printf '\364\217\277\277')\\u001Bore\\n\"" ]
report $? "printf: JSON stays JSON whatever bytes are printed"
run "$ptx/call-assert.ptx" --grid 1 --block 32
ends 1 && said err "assertion: \`x < 7' failed in a.cu:12, k" && said err 'block 0, warp 0, lanes 7-31'
report $? "assert: the condition, its place and the lanes"
run "$ptx/call-too-deep.ptx" --grid 1 --block 32
ends 1 && said err 'the call stack is deeper than 1024 calls' && said err 'call-too-deep.ptx:10:'
report $? "a stack that is too deep: the line of the call"

# --- buffers of every kind -------------------------------------------------------------------------------------------
cat > "$work/nothing.ptx" <<'PTX'
.version 6.3
.target sm_75
.address_size 64
.visible .entry nothing(.param .u64 a, .param .u64 b, .param .u64 c)
{
	ret;
}
PTX
three="--grid 1 --block 32"
run "$work/nothing.ptx" $three --arg 'f32[]:nan,inf,-inf,1.5,0x1p-149' --arg 'f64[]:0.1' --arg 's8[]:-128,127' \
	--print 0 --print 1 --print 2 --format json
ends 0 && [ "$(at outcome)" = '"ok"' ] &&
	grep -qF '{"0": ["nan", "inf", "-inf", 1.5, 1e-45], "1": [0.1], "2": [-128, 127]}' "$work/out"
report $? "JSON of floats: what is not finite is a string"
run "$work/nothing.ptx" $three --arg 'u64[]:18446744073709551615,0x10' --arg 'u32[1]' --arg 'u32[1]' --print 0 --format json
ends 0 && grep -qF '"0": [18446744073709551615, 16]' "$work/out"
report $? "JSON of integers keeps 64 bits"
printf 'abc' > "$work/bytes"
run "$work/nothing.ptx" $three --arg "b8[]:@$work/bytes" --arg 'f64[2]' --arg 'u16[3]:iota' --print 0 --print 2
ends 0 && said out 'argument 0, b8[3]: 0: 97 98 99 argument 2, u16[3]: 0: 0 1 2'
report $? "buffers from a file and of counting numbers, as text"

# --- pictures --------------------------------------------------------------------------------------------------------
matmul="$kernels/matmul.ptx --grid 2,2 --block 16,16 --arg s32:32 --arg s32[1024]:iota --arg s32[1024]:iota --arg s32[1024]"
run $matmul --warp 1:3
ends 0 && said out 'line 16, block 1 warp 3: the first shared ld' && said out '1 wavefront, ideal 1: no bank conflict'
report $? "--warp alone draws from the busiest line, on the banks"
run $matmul --warp 1:3 --line 13
ends 0 && said out 'block 1 warp 3: the first shared st' && said out 'block 1 warp 3: the first global ld' &&
	said out '4 sectors, ideal 4'
report $? "--line with both kinds of memory draws both"
run "$kernels/stencil.ptx" --kernel stencil_unbounded --grid 1 --block 64 --arg 's32[64]' --arg 's32[64]' --warp 0:1 --on-error continue
said out 'block 0 warp 1: the first global ld' && said out 'block 0 warp 1: the first global st'
report $? "a line that loads and stores draws both"
run $matmul --line 20
ends 0 && said out 'line 20, block 0 warp 0: no access'
report $? "a line that makes no access is reported as such"
LC_ALL=C run $matmul --warp 0:0
ends 0 && ! LC_ALL=C grep -q '[^ -~]' "$work/out"
report $? "the C locale gets ASCII"
CLICOLOR_FORCE=1 run $matmul && grep -q "$(printf '\033')" "$work/out" && CLICOLOR_FORCE=1 run $matmul --format text && ! grep -q "$(printf '\033')" "$work/out"
report $? "colors where they are wanted, none with --format text"

# --- views of time ---------------------------------------------------------------------------------------------------
divergent="$kernels/divergent.ptx --grid 2 --block 64 --arg u32[128]:iota --arg u32[256] --arg u32:120"
run $divergent --view mask --format json
step=$(line "$kernels/divergent.cu" 'v = v / 7')
ends 0 && [ "$(at times.witness)" = '"model"' ] && [ "$(at times.mask.lanes)" = 4294967295 ] &&
	grep -q "\"line\": $step, \"lanes\": 1145324612, \"relation\": \"\(diverged\|other\)\"" "$work/out"
report $? "--view mask: the arms of a branch"
run $divergent --view mask --view schedule --warp 1:1
ends 0 && said out 'mask of divergent: model: block 1 warp 1' && said out 'model: SM 1, 2 warps' && said out 'reconverged' &&
	said out 'latencies of CC 9.0'
report $? "--view mask and schedule follow --warp, and say that they are a model's"
run "$kernels/uneven.ptx" --grid 1100 --block 256 --arg 'f32[281600]' --arg u32:50 --view blocks --format json
ends 0 && [ "$(at times.blocks.blocks)" = 1100 ] && [ "$(at times.blocks.sms)" = 132 ] && [ "$(at times.blocks.resident)" = 8 ] &&
	[ "$(at times.blocks.waves)" = 2 ] && [ "$(at times.blocks.sms_used)" = 132 ] && [ "$(at times.blocks.cut)" = null ]
report $? "--view blocks: 1100 blocks on 132 SMs of 8 places are two waves"
run "$kernels/uneven.ptx" --grid 1100 --block 256 --arg 'f32[281600]' --arg u32:50 --view blocks
ends 0 && said out '1.04 waves' && said out 'of the tail' && said out '132 SMs, as on an H100'
report $? "--view blocks shows the tail, and which GPU it takes the SMs of"
run "$top_srcdir/kernels/roofline.ptx" --kernel work --grid 528 --block 256 --arg 'f32[135168]:=2' --arg 'f32[135168]' --arg u32:135168 --arg u32:8 --view roofline
ends 0 && said out 'FLOP/byte of L2' && said out 'Measured by tests/time/roofs on an NVIDIA'
report $? "--view roofline has the roofs of the GPU that is modeled"
run "$kernels/phases.ptx" --grid 1 --block 96 --arg 'f32[96]:iota' --arg 'f32[96]' --arg u32:3 --view schedule --cc 7.2
ends 0 && said out 'There is no model of times: the limits of an SM of compute capability 7.2 are not known.'
report $? "--view says why there is nothing"
divergent="$kernels/divergent.ptx --grid 6 --block 128 --arg u32[768]:random@5 --arg u32[1536] --arg u32:750 --warp 3:2"
set -f
run $divergent --gpu "command:'$fake' machine" --view mask --view blocks --format json
ends 0 && [ "$(at times.mask.witness)" = '"live"' ] && [ "$(at times.mask.block)" = 3 ] && [ "$(at times.blocks.where)" = '"Fake GPU"' ]
report $? "--live --view: the GPU's stamps"
run $divergent --gpu "command:'$fake' stamps-error:bad_ptx" --view mask
set +f
[ "$status" -eq 1 ] && said err 'The driver rejected the PTX' && said out 'model: block 3 warp 2'
report $? "--live --view: the model's where the GPU gives none"
# What the lesson on banks recorded of two blocks on an H200 of 132 SMs, in cycles of one of the two SMs that ran them. With conflicts
# the shared memory is what all wait for, and the model knows it.
for stride in 4 8 16 32; do
	run "$top_srcdir/kernels/shared_stride.ptx" --grid 2 --block 512 --arg 'f32[1024]:iota' --arg 'f32[1024]' --arg u32:$stride \
		--arg u32:64 --view schedule --format json
	echo "$(at times.schedule.cycles) $(awk -v args="\"u32:$stride\", \"u32:64\"]" 'index($0, args) { found = 1 }
		found && /"sm__cycles_active.avg"/ { gsub(/[^0-9.]*:|,/, ""); print $NF * 132 / 2; exit }' \
		"$top_srcdir"/lessons/*-banks/recorded.json)"
done > "$work/growth"
awk '$2 < 0.98 * $1 || $2 > 1.02 * $1 { wrong = 1 } NR > 1 { growth = ($1 - model) / ($2 - gpu); if (growth < 0.98 || growth > 1.02) wrong = 1 }
	{ model = $1; gpu = $2; n++ } END { exit wrong || n != 4 }' "$work/growth"
status=$?
cp "$work/growth" "$work/out"
report $status "with bank conflicts the model's schedule takes the GPU's cycles within 2 %, and grows as they do"
LC_ALL=C run $divergent --view mask --view schedule --view blocks
ends 0 && ! LC_ALL=C grep -q '[^ -~]' "$work/out"
report $? "the C locale gets ASCII of time, too"

# --- defects and limits ----------------------------------------------------------------------------------------------
fault="$kernels/stencil.ptx --on-error continue --kernel stencil_unbounded --grid 2 --block 64 --arg s32[128]:iota --arg s32[128]"
run $fault
ends 1 && grep -qE "stencil.cu:$(line "$kernels/stencil.cu" 'in[i - RADIUS] +'): out of bounds: a 4-byte load" "$work/err" &&
	said err 'out[i] = in[i - RADIUS] + in[i + RADIUS];' && grep -qE 'stencil.ptx:[0-9]+: note: block 0, warp 0, lanes 0-1; address 0x[0-9a-f]+; found 2 times$' "$work/err" &&
	! said out 'ends where it stopped'
report $? "a defect: both lines, kind, block, warp, the faulty lanes alone, address; exit 1"
run $fault --format json
place=$(at defects.0)
ends 1 && [ "$(at outcome)" = '"defect"' ] && [ "$(at defects.0.kind)" = '"out of bounds"' ] && [ "$(at defects.0.lanes)" = '[0,1]' ] &&
	[ "$(at defects.0.line)" = "$(line "$kernels/stencil.cu" 'in[i - RADIUS] +')" ] && [ "$(at defects.0.address)" -gt 0 ] &&
	[ "$(at defects.0.space)" = '"global"' ] && [ "$(at defects.0.count)" = 2 ] && [ "$(at defects.0.other)" = null ] &&
	[ "$(printf '%s' "$place" | grep -oE '"[a-z_]+":' | tr -d '\n')" = '"kind":"message":"op":"file":"line":"ptx_line":"block":"warp":"lanes":"space":"address":"other":"missing":"order":"count":' ]
report $? "a defect in JSON"
LC_ALL=C sed "s|tests/run/stencil.cu|$(printf 'st\377ncil.cu')|" "$kernels/stencil.ptx" > "$work/latin.ptx"
run "$work/latin.ptx" --kernel stencil_unbounded --grid 1 --block 64 --arg 's32[64]' --arg 's32[64]' --format json
ends 1 && [ "$(at defects.0.file)" = "\"st$(printf '\364\217\277\277')ncil.cu\"" ] && [ "$(at defects.0.lanes)" = '[0,1]' ]
report $? "a file name that is no UTF-8 leaves the defect in the JSON"
race="$kernels/../defects/tile.ptx --kernel tile_missing --grid 2 --block 64 --arg u32[128]:iota --arg u32[128]"
run $race
ends 1 && grep -qE 'tile.cu:13: race: thread 32 of block 0 stores to shared memory at 0x80 \(line 13\), and thread 31 loaded it \(line 14\)' "$work/err" &&
	said err 'tile.cu:14: note: the other side, a load' && said err 'tile[t] = in[i];' && said err 'out[i] = tile[N - 1 - t];' &&
	said out 'tile_missing'
report $? "a race: both sides with their lines"
run $race --format json
ends 1 && [ "$(at defects.0.kind)" = '"race"' ] && [ "$(at defects.0.missing)" = '"barrier"' ] && [ "$(at defects.0.count)" = 4 ] &&
	[ "$(at defects.0.other.line)" = 14 ] && [ "$(at defects.0.other.op)" = '"load"' ] && [ "$(at defects.0.other.lanes)" = '[31]' ]
report $? "a race in JSON"
run $race --check bounds,sync && ends 0 && run $race --check none && ends 0 && run $race --check race --format json; ends 1 && [ "$(at defects.0.kind)" = '"race"' ]
report $? "--check says what to look for"
run $race --check race,luck
ends 2 && said err '--check' && said err 'bounds, align, race, uninit, sync, all or none'
report $? "--check of what there is not, exit 2"
run $fault --stop-after 1
ends 1 && said out 'ends where it stopped'
report $? "--stop-after ends the run"
lock="$top_srcdir/tests/defects/orders.ptx --kernel lock_not_taken_first --grid 2 --block 32"
orders_of() { # ARGUMENT: in how many orders a launch is run whose lock is such a buffer
	run $lock --arg "$1" --arg 'u32[1]' --format json
	at orders.count
}
[ "$(orders_of 'u32[1024]:iota')" = 32 ] && [ "$(orders_of 'u32[33000000]')" = 32 ] && [ "$(orders_of 'u32[33000000]:iota')" = 1 ]
report $? "a buffer that takes long to fill is not filled again and again for other orders"
run "$top_srcdir/kernels/shared_stride.ptx" --grid 2 --block 64 --arg 'u32[1024]:iota' --arg 'u32[128]' --arg u32:2 --arg u32:32 --format json
ends 0 && [ "$(at orders.count)" = 1 ]
report $? "volatile accesses of threads that do not communicate need no other orders"
lock="$lock --arg u32[1] --arg u32[1]"
run $lock --orders 1
ends 0 && ! said out 'orders of blocks'
report $? "--orders 1: a lock that is not taken by who comes first is not seen"
run $lock
ends 1 && said out 'defects looked for in 32 orders of blocks and warps, in ' && said err '; order of blocks and warps: reversed' &&
	[ "$(grep -c ': race: ' "$work/err")" = "$(grep ': race: ' "$work/err" | sort -u | grep -c .)" ]
report $? "by default it is, once, with the order and the time that the others took"
run $lock --format json
ends 1 && [ "$(at orders.count)" = 32 ] && [ "$(at defects.0.order)" = '"reversed"' ]
report $? "in JSON, too"
run $three --stop-after 0 "$kernels/stencil.ptx"
ends 2 && said err '--stop-after'
report $? "--stop-after 0, exit 2"
unwritten="$kernels/../defects/tile.ptx --kernel tile_missing --grid 2 --block 64 --check uninit --arg u32[128]:uninit --arg u32[128] --print 0"
run $unwritten
ends 1 && said err 'uninitialized read: thread 32 of block 0 stores a value from uninitialized global memory' && said out '2779096485'
report $? "an uninitialized buffer: the read is reported, and the bytes are 0xA5"
cat > "$work/endless.ptx" <<'PTX'
.version 6.3
.target sm_75
.address_size 64
.visible .entry endless()
{
AGAIN:
	bra AGAIN;
}
.visible .entry odd()
{
	.reg .b32 %r<2>;
	frobnicate.u32 %r0, %r1;
	ret;
}
PTX
run "$work/endless.ptx" --kernel endless $three --steps 1000
ends 1 && said out 'endless: limit' && said err 'stopped after 1000 warp instructions' && said err "endless.ptx:7: note: block 0, warp 0, lanes 0-31"
report $? "an endless loop ends at --steps with its place, exit 1"
run "$work/endless.ptx" --kernel endless $three --steps 1000 --format json
ends 1 && [ "$(at outcome)" = '"limit"' ] && [ "$(at defects)" = '[]' ]
report $? "a limit in JSON"
run "$work/endless.ptx" --kernel odd $three
ends 1 && said err 'endless.ptx:12:2: unsupported instruction frobnicate'
report $? "an unsupported instruction is shown in its place, exit 1"
echo '.version 6.3 nonsense' > "$work/broken.ptx"
run "$work/broken.ptx" $three
ends 1 && said err "broken.ptx:1:"
report $? "broken PTX is shown in its place, exit 1"
run "$work/endless.ptx" --kernel endless --grid 1 --block 2048 --format json
ends 2 && [ "$(at outcome)" = '"error"' ]
report $? "a launch that cannot be: outcome error, exit 2"
run "$work/endless.ptx" --kernel endless --grid 1 --block 2048
ends 2 && [ "$(wc -l < "$work/out")" -eq 1 ] && said err 'endless.ptx: a grid of' && said out 'endless: error, a grid of 1,1,1 blocks of 2048,1,1 threads cannot be'
report $? "and nothing but that in the text"

# --- wrong arguments -------------------------------------------------------------------------------------------------
# refuses STATUS MESSAGE ARGUMENTS...
refuses() {
	wanted=$1
	expected=$2
	shift 2
	run "$@"
	ends "$wanted" && [ ! -s "$work/out" ] && said err "$expected"
	report $? "refused with $wanted: $expected"
}
file=$work/nothing.ptx
abc="--arg u32[1] --arg u32[1] --arg u32[1]"
refuses 2 'which file?' $three
refuses 2 'is a second one' "$file" $three other.ptx
refuses 2 '--grid is missing' "$file" --block 32
refuses 2 './no-such: there is no such file' ./no-such
refuses 2 '--block is missing' "$file" --grid 1
refuses 2 '--grid:1:' "$file" --grid 0 --block 32
refuses 2 '--grid:1:' "$file" --grid 1,2,3,4 --block 32
refuses 2 '--block:1:' "$file" --grid 1 --block x
refuses 2 '--arg:1:' "$file" $three --arg u33:1
refuses 2 '--arg:1:' "$file" $three --arg 'u8[]:300'
refuses 2 'the kernel takes 3 arguments, 0 given' "$file" $three
refuses 2 'argument 0, u32:7' "$file" $three --arg u32:7 --arg 'u32[1]' --arg 'u32[1]'
refuses 2 'there is no argument 3' "$file" $three $abc --print 3
refuses 2 'argument 0 is a single value' "$file" $three --arg u64:1 --arg 'u32[1]' --arg 'u32[1]' --print 0
refuses 2 'expected N or N.M: an argument' "$file" $three $abc --print x
refuses 2 'expected BLOCK:WARP' "$file" $three $abc --warp 1
refuses 2 'expected BLOCK:WARP' "$file" $three $abc --warp 0:-1
refuses 2 'expected BLOCK:WARP' "$file" $three $abc --warp :0
refuses 2 '--warp 0:1 is not in this launch' "$file" $three $abc --warp 0:1
refuses 2 '--warp 1:0 is not in this launch' "$file" $three $abc --warp 1:0
refuses 2 'expected schedule, blocks, mask, roofline or sass' "$file" $three $abc --view banks
refuses 2 '--line:1:1: expected a whole number from 1' "$file" $three $abc --line 0
refuses 2 '--steps:1:1: expected a whole number from 1' "$file" $three $abc --steps 0
refuses 2 '--registers:1:1: expected a whole number from 1' "$file" $three $abc --registers 0
for cc in 9 9. 9.00 9.0a -9.0 0.5 999.0; do
	refuses 2 'expected a compute capability from 5.0 to 19.9' "$file" $three $abc --cc "$cc"
done
refuses 2 '--shared:1:1: expected a whole number from 0' "$file" $three $abc --shared 1k
refuses 2 'expected text or json' "$file" $three $abc --format svg
refuses 2 'expected text or json' "$file" $three $abc --format pdf
refuses 2 'there is no kernel other' "$file" $three $abc --kernel other
sed 's/_Z7stencilPKiPii/_Z7stencilIiEvPKiPT_i/g; s/_Z17stencil_unboundedPKiPi/_Z7stencilIfEvPKfPT_i/g' "$kernels/stencil.ptx" > "$work/template.ptx"
refuses 2 'which stencil? There are stencil<int>(const int *, int *, int), stencil<float>(const float *, float *, int)' "$work/template.ptx" $three --kernel stencil
for name in 'stencil<int>' 'stencil<int>(const int*, int*, int)'; do
	run "$work/template.ptx" --kernel "$name" --grid 1 --block 64 --arg 's32[64]:iota' --arg 's32[64]' --arg s32:64
	ends 0 && said out '_Z7stencilIiEvPKiPT_i: ok'
	report $? "a kernel goes by its name in C++, $name"
done
refuses 2 'which kernel?' "$kernels/stencil.ptx" $three
refuses 3 'no-such.ptx' "$work/no-such.ptx" $three
refuses 3 'no-such.cu' "$work/no-such.cu" $three
refuses 3 'no-such: cannot open' "$file" $three --arg "b8[]:@$work/no-such"

# --- CUDA source -----------------------------------------------------------------------------------------------------
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"
cu="--grid 1 --block 128 --arg u32[1000]:iota --arg s32:1000 --arg u32[4] --print 2 --format json"
cat > "$work/plain.cu" << 'END'
__device__ int head;
__global__ void queue(unsigned *names, const int *work, int n, int *out)
{
	__shared__ int item;
	unsigned t = threadIdx.x, up = __shfl_up_sync(~0u, t, 3, 8), down = __shfl_down_sync(~0u, t, 2, 16);
	names[t] = up + 100 * down + 10000 * __popc(__ballot_sync(~0u, max(t, 4u) < 9));
	for (;;) {
		if (t == 0)
			item = atomicAdd(&head, 1);
		__syncthreads();
		int i = item;
		if (i >= n)
			return;
		if ((int)t < work[i])
			atomicAdd(&out[i], (int)t);
		__syncthreads();
	}
}
END
names=$(awk 'BEGIN { for (t = 0; t < 64; t++) printf "%s%d", t ? "," : "[", (t % 8 < 3 ? t : t - 3) + \
	100 * (t % 16 > 13 ? t : t + 2) + (t < 32 ? 90000 : 0); print "]" }')
{
	echo '// needs: sm_80, PTX 7.0'
	cat << 'END'
__global__ void together(unsigned *out)
{
	unsigned t = threadIdx.x, some;
	int same, alike, lowest = __reduce_min_sync(~0u, (int)t - 5), highest = __reduce_max_sync(~0u, -3 - (int)t);
	some = __match_all_sync(~0u, 7, &same) ^ __match_all_sync(~0u, (unsigned long long)t, &alike);
	out[t] = __match_any_sync(~0u, t % 4) >> t % 4;
	out[32 + t] = __match_any_sync(~0u, (long long)(t / 16) << 40);
	out[64 + t] = some - (unsigned)(same + 2 * alike);
	out[96 + t] = __reduce_add_sync(~0u, t) + (unsigned)__reduce_add_sync(~0u, lowest + highest);
	out[128 + t] = __reduce_min_sync(~0u, t - 5) + 100 * __reduce_max_sync(~0u, t);
	out[160 + t] = __reduce_and_sync(~0u, t | 64) + 1000 * __reduce_or_sync(~0u, t) + 1000000 * __reduce_xor_sync(~0u, t == 9 ? 5 : 0);
}
END
} > "$work/together.cu"
# Lanes t % 4 at each fourth bit; the warp's halves; all lanes but the 1 of same; 496 - 32 * 8; 100 * 31; 64, 31 and 5.
together=$(awk 'BEGIN { for (t = 0; t < 192; t++) printf "%s%s", t ? "," : "[", t < 32 ? "286331153" : t < 48 ? "65535" : \
	t < 64 ? "4294901760" : t < 96 ? "4294967294" : t < 128 ? "240" : t < 160 ? "3100" : "5031064"; print "]" }')
for compiler in NVCC CLANG; do
	eval "name=\${$compiler-:}"
	if [ "${name:-:}" = : ]; then
		skip "$compiler compiles a kernel" "it is not here"
		skip "$compiler compiles a kernel that includes nothing" "it is not here"
		skip "$compiler compiles matches and reductions of a warp" "it is not here"
		skip "$compiler's complaints are shown" "it is not here"
		continue
	fi
	other=$([ $compiler = NVCC ] && echo CLANG || echo NVCC)
	capture env "$other=:" "$simttutor" run "$kernels/histogram.cu" $cu
	[ "$status" -eq 0 ] && [ "$(at buffers.2)" = '[250,250,250,250]' ] && said out 'atomicAdd(&count[warp]' && [ -z "$(ls -A "$TMPDIR")" ]
	report $? "$compiler compiles a kernel; nothing is left over"
	capture env "$other=:" "$simttutor" run "$work/plain.cu" --grid 1 --block 64 --arg 'u32[64]' --arg 's32[]:3,64,1,9' \
		--arg s32:4 --arg 's32[4]' --format json --print 0 --print 3
	ends 0 && [ "$(at buffers.3)" = '[3,2016,0,36]' ] && [ "$(at buffers.0)" = "$names" ]
	report $? "$compiler compiles a kernel that includes nothing; barriers order its shared memory"
	capture env "$other=:" "$simttutor" run "$work/together.cu" --grid 1 --block 32 --arg 'u32[192]' --format json --print 0
	ends 0 && [ "$(at buffers.0)" = "$together" ]
	report $? "$compiler compiles matches and reductions of a warp"
	echo '__global__ void k() { undeclared_thing = 1; }' > "$work/wrong.cu"
	capture env "$other=:" "$simttutor" run "$work/wrong.cu" $three
	ends 1 && said err undeclared_thing && said err 'cannot compile it' && [ -z "$(ls -A "$TMPDIR")" ]
	report $? "$compiler's complaints are shown, exit 1; nothing is left over"
done
capture env NVCC=: CLANG=: "$simttutor" run "$kernels/histogram.cu" $cu
ends 3 && said err 'there is neither nvcc nor clang' && said err 'nvcc -ptx -lineinfo'
report $? "without a compiler: what is missing and what helps, exit 3"

# --- occupancy -------------------------------------------------------------------------------------------------------
run $matmul --registers 40
ends 0 && said out 'occupancy on CC 9.0: 75 %, 48 of 64 warps: 6 blocks on an SM; limited by registers' &&
	said out 'registers 6 blocks 40 per thread (--registers)' && said out 'more than 32 registers per thread lower it'
report $? "--registers: what is resident and what limits it"
run $matmul
ends 0 && said out '8 blocks on an SM; limited by warps' && said out 'registers - not known: there is no ptxas' &&
	said out 'shared 76 blocks 2048 bytes per block' && said out 'more than 32 registers per thread would lower it'
report $? "without ptxas: what the others admit, and from how many registers on they would matter"
run $matmul --cc 7.5 --shared 30000 --registers 8 --format json
ends 0 && [ "$(at occupancy.state)$(at occupancy.cc)" = '"ok""7.5"' ] && [ "$(at occupancy.blocks)" = 2 ] &&
	[ "$(at occupancy.percent)" = 50.0 ] && [ "$(at occupancy.limited_by)" = '["shared"]' ] && [ "$(at occupancy.shared)" = 32048 ] &&
	[ "$(at occupancy.admitted)" = '{"warps":4,"blocks":16,"registers":32,"shared":2,"barriers":null}' ] &&
	[ "$(at occupancy.verified)" = false ]
report $? "--cc: the limits of that one; dynamic and static shared memory; JSON"
run $matmul --registers 255 --cc 12.1
ends 0 && said out 'occupancy on CC 12.1: 16.67 %, 8 of 48 warps: 1 block on an SM; limited by registers' &&
	said out 'the limits of CC 12.1: documented, not verified here'
report $? "one block"
run $matmul --registers 256 --format json
ends 0 && [ "$(at occupancy.state)" = '"impossible"' ] && [ "$(at occupancy.blocks)" = 0 ] && [ "$(at occupancy.registers)" = 256 ]
report $? "none"
run $matmul --cc 6.1
ends 0 && said out 'occupancy: not known for CC 6.1; for 7.5, 8.0,' && run $matmul --cc 6.1 --format json &&
	[ "$(at occupancy.state)" = '"unknown compute capability"' ] && [ "$(at occupancy.blocks)" = '' ]
report $? "an unknown compute capability is reported, not guessed"
cat > "$work/ptxas" <<'SH'
#!/bin/sh
# As the real one talks. Refuses what is not for sm_86.
[ "$1 $2 $3 $4 $5 $6 $9" = "-v -arch sm_86 --entry matmul -o --generate-line-info" ] && echo no ELF > "$7" && grep -q 'entry matmul' "$8" || {
	echo "ptxas /tmp/kernel.ptx, line 7; error   : Feature 'x' is not for you" >&2
	exit 255
}
echo "ptxas info    : Used 41 registers, used 3 barriers, 2048 bytes smem" >&2
SH
chmod +x "$work/ptxas"
capture env PTXAS="$work/ptxas" "$simttutor" run $matmul --cc 8.6
ends 0 && said out '83.33 %, 40 of 48 warps: 5 blocks on an SM; limited by registers, barriers' &&
	said out '41 per thread (ptxas)' && said out 'barriers 5 blocks 3 per block' && [ -z "$(ls -A "$work/tmp")" ]
report $? "ptxas reports registers and barriers; nothing is left over"
said out ' cycles (' && ! said out 'that ptxas makes of it'
report $? "machine code that is none counts nothing"
said out 'are those of an NVIDIA H200, not of the GPU asked for' && run $matmul && said out ' cycles (' && ! said out 'not of the GPU asked for'
report $? "an estimate for another compute capability says whose model it is"
run $matmul --view sass && said out 'There is no machine code: there is no ptxas.'
report $? "machine code that cannot be made is missing with its reason"
capture env PTXAS="$work/ptxas" NVDISASM=: "$simttutor" run $matmul --cc 8.6 --view sass --format json
ends 0 && [ "$(at code.missing)" = '"There is no machine code: the cubin that ptxas wrote is not understood."' ]
report $? "the same in JSON"
capture env PTXAS="$work/ptxas" "$simttutor" run $matmul
ends 0 && said out "not known: ptxas rejects this PTX for CC 9.0: Feature 'x' is not for you" && [ -z "$(ls -A "$work/tmp")" ]
report $? "ptxas refuses: its words, and the report goes on"
if real=$(PATH=$PATH:/usr/local/cuda/bin command -v ptxas) && "$real" --version | grep -q 'release 1[3-9]'; then
	capture env PTXAS="$real" "$simttutor" run $matmul --format json
	ends 0 && [ "$(at estimate.instructions)" = '"ptxas"' ] && run $matmul --format json && [ "$(at estimate.instructions)" = '"rules"' ]
	report $? "the machine instructions of an estimate are those of the real ptxas"
else
	skip "the machine instructions of an estimate are those of the real ptxas" "there is no ptxas 13"
fi

# --- live ------------------------------------------------------------------------------------------------------------
run "$work/nothing.ptx" $three $abc --gpu "command:'$fake' ok"
ends 0 && said out 'measured: Fake GPU' && said out 'every buffer is bit for bit that of Fake GPU'
report $? "--gpu measures and compares; equal buffers"
said out '40 per thread (Fake GPU)' && said out 'occupancy on CC 9.0'
report $? "the registers are those on the GPU"
run "$work/nothing.ptx" $three $abc --gpu "command:'$fake' ok" --cc 8.0
ends 0 && said out 'occupancy on CC 8.0' && said out 'not known: there is no ptxas'
report $? "unless another compute capability was asked for"
run $matmul --gpu "command:'$fake' ok" --live
[ "$status" -eq 1 ] && said out 'argument 3 differs in 1024 of 1024 elements, first in element 0: the machine has 333312, Fake GPU 0'
report $? "a difference names argument, element and both values, exit 1"
run $matmul --gpu "command:'$fake' ok" --format json
[ "$status" -eq 1 ] && [ "$(at live.gpu)" = '"Fake GPU"' ] && [ "$(at live.metrics.shared_load_requests)" = 1032.0 ] &&
	[ "$(at live.differences)" = '[{"argument":3,"index":0,"count":1024,"machine":333312,"gpu":0,"largest_difference":null}]' ]
report $? "the same in JSON"
run "$ptx/f32-approx.ptx" --grid 1 --block 6 --arg 'f32[]:1,1,1,1,1,1' $(printf -- '--arg f32[6] %.0s' 1 2 3 4 5 6 7 8 9) \
	--gpu "command:'$fake' ok" --format json
[ "$status" -eq 1 ] && [ "$(at live.differences.0.argument)" = 1 ] && [ "$(at live.differences.0.largest_difference)" = 1 ]
report $? "the largest difference of floats"
LC_ALL=C.UTF-8 run $matmul --gpu "command:'$fake' machine"
ends 0 && said out '16 3072 3072 32 2048 = 2048 1 = 1 0 sum +=' && said out '12 128 128 32 128 = 128 4 = 4 1 = 1' && ! grep -q '^ *1[0-9] .*≠' "$work/out"
report $? "lines: what the GPU counted beside what the machine did"
said out '320 more warp instructions belong to other files, or to no line on Fake GPU, 320 belong to no line here'
report $? "lines: code of no line is not lost"
LC_ALL=C.UTF-8 run $matmul --gpu "command:'$fake' lines-off"
said out '16 3072 3072 32 2048 = 2048 1 ≠ 2 0 sum +='
report $? "lines: a disagreement has its sign"
run $matmul --gpu "command:'$fake' lines-off" --format json
[ "$(at lines.7.model.wavefronts)" = 2048 ] && [ "$(at lines.7.live.wavefronts)" = 4096 ] && [ "$(at lines.7.live.shared_requests)" = 2048 ] &&
	[ "$(at lines.7.model.ideal_sectors)" = null ] && [ "$(at live.lines.passes)" = 1 ] && [ "$(at live.lines.no_line.instructions)" = 320 ] &&
	[ "$(at live.lines.total.instructions)" = 5184 ]
report $? "lines: both witnesses in JSON, and the kernel's total"
run $matmul --gpu "command:'$fake' no-metric"  --format json
[ "$(at lines.7.live.wavefronts)" = 2048 ] && [ "$(at lines.7.live.sectors)" = null ]
report $? "lines: what this GPU does not count is missing"
run $matmul --gpu "command:'$fake' lines-error:unsupported_gpu"
said err 'lines cannot be counted: as the test asked' && said out '16 3072 32 2048 1 0 sum +='
report $? "lines: where they cannot be counted the rest stands"
run "$work/nothing.ptx" $three $abc --gpu "command:'$fake' no-counters"
[ "$status" -eq 0 ] && said err 'counters cannot be read: as the test asked' && said out 'bit for bit'
report $? "without permission to count, buffers are compared all the same"
run "$work/nothing.ptx" $three $abc --gpu "command:'$fake' short-buffer"
ends 1 && ! said out 'bit for bit'
report $? "a buffer that comes back short is no agreement"
run "$work/nothing.ptx" $three $abc --gpu "command:'$fake' error:kernel_fault"
ends 1 && said err 'as the test asked' && said err 'The machine finds nothing wrong: ' && said out 'nothing: ok'
report $? "a failed measurement is reported with what the machine finds, exit 1"
run "$work/nothing.ptx" $three $abc --gpu "command:'$fake' error:kernel_fault" --format json
ends 1 && said out '"failure": {"code": "kernel_fault", "message": "as the test asked", "remedy": "The kernel did' &&
	said out '"machine": "The machine finds nothing wrong: '
report $? "and in JSON with its code"
run "$work/nothing.ptx" $three $abc --gpu "command:'$fake' no-counters" --format json
[ "$status" -eq 0 ] && said out '"failure": {"code": "no_permission"' && said out '"live": {'
report $? "locked counters are in JSON with their code, beside what was run"
run "$work/nothing.ptx" $three $abc --gpu "command:'$fake' probe-error:no_driver"
ends 3 && said err 'as the test asked' && said err 'nstall the NVIDIA driver' && said out 'nothing: ok'
report $? "no GPU is reported with the remedy, exit 3; the machine's report is there"
run "$work/nothing.ptx" $three $abc --live --gpu none
ends 3 && said out 'nothing: ok'
report $? "--live --gpu none, exit 3"
run "$work/nothing.ptx" $three $abc --gpu none
ends 0
report $? "--gpu none alone measures nothing"

run --help
ends 0 && said out 'usage: simttutor run FILE.ptx|FILE.cu' && said out 'simttutor run homework.cu -- 1024' && ! said out 'random@7'
report $? "--help shows examples and usage"
capture "$simttutor" help --man commands
ends 0 && said out 'random@7' && said out 'simttutor run homework.cu'
report $? "the grammar of arguments is in the manual"

# --- textures and surfaces -------------------------------------------------------------------------------------------
cat > "$work/fill.ptx" << 'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 image, .param .u64 cells)
{
	.reg .b32 %r<4>;
	.reg .f32 %f<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [image];
	ld.param.u64 %rd2, [cells];
	mov.u32 %r1, %tid.x;
	cvt.rn.f32.u32 %f1, %r1;
	tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1}];
	shl.b32 %r2, %r1, 2;
	and.b32 %r2, %r2, 124;
	sust.b.1d.b32.trap [%rd2, {%r2}], %f2;
	ret;
}
END
image='texture:{f32[64]:iota, filter linear}'
run "$work/fill.ptx" --grid 1 --block 32 --arg "$image" --arg 'surface:{f32[32]}' --print 1
ends 0 && said out ' 0: 0 0.5 1.5 2.5' && said out 'textures and surfaces are not modeled' && said out 'within 1/256'
report $? "a texture and a surface: what is stored, what is not modeled, and what is an estimate"
run "$work/fill.ptx" --grid 1 --block 32 --arg 'texture:{f32[64]:iota}' --arg 'surface:{f32[32]}' --format json --print 1
ends 0 && [ "$(at textures.requests)" = null ] && [ "$(at textures.filter_error)" = 0 ] && [ "$(at buffers.1.31)" = 31 ] &&
	[ "$(at metrics.global_store_requests)" = 0.0 ]
report $? "the same in JSON; requests of surfaces are no global ones"
run "$work/fill.ptx" --grid 1 --block 64 --arg 'texture:{f32[64]:iota}' --arg 'surface:{f32[32]}'
ends 1 && said err 'race: thread 32 of block 0 stores to global memory'
report $? "two warps that store to the same texels race"
run "$work/fill.ptx" --grid 1 --block 32 --arg 'texture:{f32[64]:iota}' --arg 'surface:{f32[31]}'
ends 1 && said err 'out of bounds: sust.b.1d.b32.trap outside of the surface'
report $? "outside of a surface with .trap"
run "$work/fill.ptx" --grid 1 --block 32 --arg "$image" --arg 'surface@cells:{f32[31]}'
ends 2 && said err 'the kernel takes 2 arguments, 1 given'
report $? "what a variable stands for is no parameter"
sed 's/%rd2, {/cells, {/; s/, .param .u64 cells//; /rd2, .cells/d; s/^.visible/.global .surfref cells;\n&/' "$work/fill.ptx" > "$work/named.ptx"
run "$work/named.ptx" --grid 1 --block 32 --arg "$image" --arg 'surface@cells:{f32[32]}' --print 1
ends 0 && said out ' 0: 0 0.5 1.5 2.5'
report $? "a surface by the name of its .surfref"
run "$work/named.ptx" --grid 1 --block 32 --arg "$image" --arg 'texture@cells:{f32[32]}'
ends 2 && said err 'argument 1: the module has no .texref cells'
report $? "a .surfref takes no texture"

# --- code inlined from other files -----------------------------------------------------------------------------------
inlined() { run "$kernels/inlined.ptx" --grid 1 --block 32 --arg 'u32[33]' "$@"; }
rows() { sed -n 's/^ *\([0-9]* *[0-9][0-9]*\) .*  \(.*\)$/\1 \2/p' "$work/out" | tr -s ' '; }
inlined
ends 0 && grep -qE '^ +8 +4 ' "$work/out" && grep -qE '^ +9 +3 ' "$work/out" && said out '--inlined chain or callee'
report $? "inlined code counts at the line that calls it"
inlined --inlined chain
ends 0 && grep -qE '^ +8 +2 +32 *$' "$work/out" && grep -qE '^ +8 +1 +32 +[^ ]+ pipe\.h:10$' "$work/out" &&
	grep -qE '^ +8 +1 .*pipe\.h:10 [^ ]+ store\.h:20$' "$work/out" && grep -qE '^ +9 +2 .* [^ ]+ store\.h:20$' "$work/out"
report $? "--inlined chain: each way to it apart"
inlined --inlined callee
ends 0 && grep -qE '^ +9 +1 ' "$work/out" && grep -qE '^ +1 +32 +pipe\.h:10$' "$work/out" &&
	grep -qE '^ +3 .*store\.h:20$' "$work/out" && ! said out 'no line'
report $? "--inlined callee: the sums of the lines where it is written"
inlined --inlined callee --format json
ends 0 && [ "$(at lines.0.executions)" = 4 ] && [ "$(at written.3.file)" = '"/nowhere/lib/store.h"' ] &&
	[ "$(at written.3.line)" = 20 ] && [ "$(at written.3.executions)" = 3 ]
report $? "--inlined callee: JSON"
inlined --inlined chain --format json
ends 0 && [ "$(at chains.2.chain)" = '[{"file":"/nowhere/lib/pipe.h","line":10},{"file":"/nowhere/lib/store.h","line":20}]' ]
report $? "--inlined chain: JSON"
run "$kernels/inlined.ptx" --grid 1 --block 32 --arg 'u32[32]'
ends 1 && said err '/nowhere/own.cu:9: out of bounds' && said err '/nowhere/lib/store.h:20: note: ' && said err 'own.cu:9 → store.h:20'
report $? "a defect names the line and the way to the code"
inlined --inlined sideways
ends 2 && said err "caller, chain or callee"
report $? "--inlined takes three words"


# --- one is one ---------------------------------------------------------------------------------------------------------
cat > "$work/byte.ptx" << 'END'
.version 6.3
.target sm_75
.address_size 64
.visible .entry byte(.param .u64 p)
{
	.reg .b64 %rd<2>;
	.reg .b16 %h<2>;
	ld.param.u64 %rd1, [p];
	ld.global.u8 %h1, [%rd1+2];
	ret;
}
END
answers 1 "1 byte past the end of a buffer of 1 byte" '!1 bytes' -- run "$work/byte.ptx" --grid 1 --block 1 --arg u8[1]
finish
