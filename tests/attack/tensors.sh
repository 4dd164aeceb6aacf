#!/bin/sh
# A kernel may be given, and may write, any bytes as a tensor map: what describes no tensor is refused.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99

# forged NAME WORD VALUE STATUS TEXT: the fixture's map, of which one of 16 words is another.
forged() {
	words= n=0
	for word in 0x50414d524f534e54 0x7f0000000000 4 80 0 0 0 0x600000014 0 0x4000800000000 0x101000000000000 \
		0x5502010101 0 0 0 0; do
		[ "$n" -ne "$2" ] || word=$3
		words=$words,$word
		n=$((n + 1))
	done
	capture_all "$simttutor" run "$top_srcdir/tests/ptx/tensor-2d.ptx" --grid 1 --block 32 --steps 100000 --stop-after 1 \
		--arg "(@16 u64:${words#,})" --arg 'u32[256]:iota'
	[ "$status" -eq "$4" ] && printed out "$5"
	report $? "a forged tensor map: $1"
}
refused='the tensor map at this address has been changed, and describes no tensor'
forged 'nothing is changed' 16 0 0 'k: ok'
forged 'another mark' 0 0 1 'there is no tensor map at this address'
forged 'elements of no bytes' 2 0 1 "$refused"
forged 'elements of 12 bytes' 2 12 1 "$refused"
forged 'elements of 2^32 + 4 bytes' 2 0x100000004 1 "$refused"
forged 'elements of which two are 0 bytes' 2 0x8000000000000000 1 "$refused"
forged 'no columns' 7 0x600000000 1 "$refused"
forged 'an empty box' 9 0x4000000000000 1 "$refused"
forged 'a box of 65535 columns' 9 0x4ffff00000000 1 "$refused"
forged 'a step of 0' 10 0x1000000000000 1 "$refused"
forged 'a step within rows' 10 0x102000000000000 1 "$refused"
forged 'a step of 255' 10 0xff01000000000000 1 "$refused"
forged 'no dimensions' 11 0x5500010101 1 "$refused"
forged 'elements of no kind' 11 0x02010101 1 "$refused"
forged 'a swizzle that is none' 11 0x025502010101 1 "$refused"
forged 'a stride backward' 3 0xffffffffffff0000 1 'global memory at'
forged 'an address that is not there' 1 0xffffffffffffff00 1 'global memory at'
finish
