#!/bin/sh
# Cooperative launches, and blocks that wait for one another, on the GPU: the same results as on the machine; what the driver refuses,
# and from how many blocks on; what grid.sync() does in a launch that is not cooperative. Prints TAP. Needs a GPU.
# Usage: cooperative.sh SOURCE BUILD
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=${2:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99
defects=$top_srcdir/tests/defects
failed=0

# same FILE KERNEL OPTIONS...: ends well on both, and all buffers are equal
same() {
	file=$1 kernel=$2
	shift 2
	capture_all "$simttutor" run "$defects/$file.ptx" --kernel "$kernel" "$@" --check none --live
	ends 0
	judged=$?
	failed=$((failed + judged))
	report $judged "$kernel: the same on the GPU"
}
same cooperative sync_clean --cooperative --grid 8 --block 64 --arg 'u32[512]' --arg 'u32[512]'
same cooperative sync_shapes_clean --cooperative --grid 4,2,2 --block 8,8 --arg 'u32[16]' --arg 'u32[16]'
same cooperative steps_clean --cooperative --grid 4 --block 64 --arg 'u32[256]:iota' --arg 'u32[256]'
same cooperative arrive_clean --cooperative --grid 4 --block 32 --arg 'u32[4]' --arg 'u32[4]'
same progress spin_barriers_clean --grid 2 --block 128 --arg 'u32[128]' --arg 'u32[1]' --arg 'u32[128]'
same progress ring_clean --grid 2 --block 64 --arg 'u32[256]' --arg 'u32[1]' --arg 'u32[1]' --arg 'u32[64]'
same progress meet_clean --grid 16 --block 64 --arg 'u32[16]' --arg 'u32[1]' --arg 'u32[16]'
same progress last_starts_clean --grid 16 --block 32 --arg 'u32[1]' --arg 'u32[16]'
same progress chain_clean --grid 40 --block 32 --arg 'u32[41]' --arg 'u32[1]'

# ask GRID MORE: what the worker answers to a launch of so many blocks
ask() {
	{
		printf '{"type":"measure","id":5,"ptx":"'
		sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g' "$defects/cooperative.ptx" | awk '{ printf "%s\\n", $0 }'
		printf '","launch":{"kernel":"%s","grid":[%s,1,1],"block":[1024,1,1],"shared":0,"args":["u32[4]"]%s},"metrics":[],"buffers":false}\n' \
			_Z9sync_leftPj "$1" "$2"
		echo '{"type":"quit"}'
	} | capture_all "$top_builddir/simttutor-gpu"
}
ask 1000000 ',"cooperative":true'
limit=$(sed -n 's/.*COOPERATIVE_LAUNCH_TOO_LARGE: a cooperative launch of 1000000 blocks; at most \([0-9]*\) are resident.*/\1/p' "$work/out")
[ -n "$limit" ]
judged=$?
failed=$((failed + judged))
report $judged "a grid too large is refused, with how many blocks are resident"
note "$limit"
capture_all "$simttutor" run "$defects/cooperative.ptx" --kernel sync_left --cooperative --grid 1000000 --block 1024 --arg 'u32[4]'
said out "at most ${limit:-none} are resident together"
judged=$?
failed=$((failed + judged))
report $judged "the machine says the same number (of CC 9.0)"
ask 2 ''
grep -q '"code":"kernel_fault"' "$work/out"
judged=$?
failed=$((failed + judged))
report $judged "grid.sync() in a launch that is not cooperative ends the kernel"
note "$(grep '"error"' "$work/out" | cut -c 1-200)"
finish
exit $failed
