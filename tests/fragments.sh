#!/bin/sh
# simttutor fragments: what it prints, and what it refuses.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99

fragments() { capture "$simttutor" fragments "$@"; }

# says TEXT ARGUMENTS...: the text holds it.
says() {
	expected=$1
	shift
	fragments "$@"
	[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && tr '\n' ' ' < "$work/out" | grep -qF -e "$expected"
	report $? "$* says \"$expected\""
}

# refuses MESSAGE ARGUMENTS...: usage error.
refuses() {
	expected=$1
	shift
	fragments "$@"
	[ "$status" -eq 2 ] && [ ! -s "$work/out" ] && grep -qF -e "$expected" "$work/err"
	report $? "refused: $expected"
}

mma=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
says "Lane 0 has a0: A[0][0" $mma
says "Lane 31 has a0: A[7][6" $mma --lane 31
says "d0: D[7][6], d1: D[7][7], d2: D[15][6], d3: D[15][7]." $mma --lane 31
says "8 more rows" $mma --size 44x11
says "its address is that of M3[7]" ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 --lane 31
says "its address is not used" ldmatrix.sync.aligned.m8n8.x2.shared.b16 --lane 31
says "A and B are in shared memory" wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
says '"tile": "B", "type": "f16", "rows": 16, "columns": 8, "warps": 1, "elements_per_register": 2, "elements": [[0, 0], [4, 0]' $mma --format json
says '"tile": "B", "type": "f16", "rows": 16, "columns": 64, "warps": 1, "elements_per_register": 2, "elements": null' \
	wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 --format json

refuses "which instruction?"
refuses "one instruction at a time" $mma $mma
refuses "there is no such instruction" frobnicate
refuses "it is not an instruction on matrices" add.f32
refuses "these types do not go together" mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32
refuses "0 to 31" $mma --lane 32
refuses "0 to 31" $mma --lane ""
finish
