#!/bin/sh
# Kernels that never end and defects without end are reported within 5 seconds of a processor's time each; labels without end, too,
# and within 500 MB.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
PTXAS=: && export PTXAS
seconds=5
grep -q '^#define SIMT_SANITIZED' "$top_builddir/config.h" && seconds=100

# kernel NAME BODY...: PTX of a kernel with a parameter.
kernel() {
	kernel_name=$1
	shift
	{
		printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\t.reg .pred %%q;\n'
		printf '\t.reg .u32 %%r<3>;\n\t.reg .u64 %%a;\n\t.shared .b32 s;\n'
		printf '%s\n' "$@" '}'
	} > "$work/$kernel_name.ptx"
}
# within_time NAME STATUS TEXT ARGUMENTS...: run ends so, with the text on either output.
within_time() {
	name=$1 expected=$2 text=$3
	shift 3
	capture_all sh -c 'ulimit -t "$0" && exec "$@"' $seconds "$simttutor" run "$work/$name.ptx" --arg 'u32[64]' "$@"
	[ "$status" -eq "$expected" ] && said out "$text"
	report $? "$name $*: $text"
}
kernel endless 'L:	bra L;'
within_time endless 1 'it may never end' --grid 1 --block 32
within_time endless 1 'the launch has more than 16777216 threads' --grid 1000000 --block 256
kernel atomics '	ld.param.u64 %a, [p];' 'L:	atom.global.add.u32 %r1, [%a], 1;' '	bra L;'
kernel barriers 'L:	bar.sync 0;' '	bra L;'
if long; then
within_time atomics 1 'no block has ended within 3 s' --grid 1000 --block 1024 --cores 1
within_time barriers 1 'it may never end' --grid 1000 --block 1024 --cores 1
fi
within_time atomics 1 'stopped after 100000 warp instructions' --grid 1 --block 32 --steps 100000
if long; then
# Two cores give up halfway, and one starts again.
seconds=$((seconds * 8 / 5))
within_time endless 1 'it may never end' --grid 1000 --block 1024 --cores 2
within_time barriers 1 'it may never end' --grid 1000 --block 1024 --cores 2
seconds=$((seconds * 5 / 8))
fi
kernel null '	mov.u64 %a, 8;' 'L:	ld.global.u32 %r1, [%a];' '	st.global.u32 [%a], %r1;' '	bra L;'
within_time null 1 'found 100000 times' --on-error continue --grid 64 --block 256
within_time null 1 'a null pointer' --on-error continue --grid 1024 --block 1024 --cores 1
kernel global-race '	ld.param.u64 %a, [p];' 'L:	ld.global.u32 %r1, [%a];' '	st.global.u32 [%a], %r1;' '	bra L;'
within_time global-race 1 'nothing orders the two' --grid 64 --block 256
kernel shared-race '	mov.u32 %r1, %tid.x;' 'L:	st.shared.u32 [s], %r1;' '	bra L;'
within_time shared-race 1 'stored to it' --grid 1 --block 1024
kernel misaligned '	ld.param.u64 %a, [p];' '	add.u64 %a, %a, 2;' 'L:	ld.global.u32 %r1, [%a];' '	bra L;'
within_time misaligned 1 'misaligned' --grid 1 --block 32
kernel uninitialized 'L:	ld.shared.u32 %r1, [s];' '	bra L;'
! long || within_time uninitialized 1 'uninitialized' --grid 1 --block 32

# many NAME LINES END: a kernel of 100,000 times the lines, in the long form 400,000, where \1 is a number and \2 the next one; it is
# run within 500 MB; with loads, each a line of the report, within 600.
last=100000
! long || last=400000
seq 0 $((last - 1)) > "$work/numbers" && seq 1 $last | paste "$work/numbers" - > "$work/pairs"
room=512000
many() {
	{
		printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %%q;\n'
		printf '.reg .u64 %%a;\n.reg .u32 %%r;\nld.param.u64 %%a, [p];\nsetp.eq.u64 %%q, %%a, 0;\n'
		sed "s/^\(.*\)	\(.*\)/$2/" "$work/pairs"
		printf '%s\n}\n' "$3"
	} > "$work/many.ptx"
	capture sh -c 'ulimit -t "$0" && ulimit -v "$1" && shift && exec "$@"' $seconds \
		"$([ $seconds -lt 100 ] && echo $room || echo unlimited)" "$simttutor" run "$work/many.ptx" --arg 'u32[64]' --grid 1 --block 32 \
		--cores 1
	ends 0 && said out 'k: ok'
	report $? "$1"
}
if long; then
many "many labels" 'L\1:' 'ret;'
many "many targets of branches that may be taken" 'L\1: @%q bra L\2;' "L$last: ret;"
room=614400
seconds=$((seconds * 2)) # a line of the report for each
many "many loads" 'ld.global.u32 %r, [%a];' 'ret;'
seconds=$((seconds / 2))
fi
many "many targets of branches" 'L\1: bra L\2;' "L$last: ret;"
# What a compiler far away says, in one line of 4 MB: parentheses, and beginnings of messages.
far_log() { # NAME TEXT
	{
		printf '/*LOG\n'
		yes "$2" | tr -d '\n' | head -c 4000000
		printf '\n*/\n'
	} > "$work/far.cu"
	capture_all sh -c 'ulimit -t "$0" && exec "$@"' $seconds "$simttutor" run "$work/far.cu" --grid 1 --block 32 \
		--gpu "command:$fake ok"
	[ "$status" -eq 1 ] && said out 'far.cu: NVRTC cannot compile it'
	report $? "far compiler: $1"
}
far_log parentheses '('
far_log "lines of nothing" '(1): error'
finish
