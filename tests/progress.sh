#!/bin/sh
# Cooperative launches, and what is said of blocks that wait for one another: simttutor run, debug and probe on the kernels of
# tests/defects/cooperative.cu and progress.cu, which tests/defects.sh judges. Prints TAP.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
PTXAS=: # registers limit which blocks are resident
export PTXAS
cooperative=$top_srcdir/tests/defects/cooperative.ptx
large='CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: a cooperative launch of'

# run KERNEL OPTIONS...: of cooperative.cu
run() {
	kernel=$1
	shift
	capture "$simttutor" run "$cooperative" --kernel "$kernel" "$@"
}

# --- cooperative launches --------------------------------------------------------------------------------------------
two='--arg u32[512] --arg u32[512]'
for cores in 1 2; do
	# shellcheck disable=SC2086
	run sync_clean --cooperative --grid 8 --block 64 $two --print 1 --cores $cores --format json
	ends 0 && [ "$(at buffers.1 | cut -c 1-13)" = '[64,65,66,67,' ]
	report $? "grid.sync() on $cores of the host's cores"
done
# shellcheck disable=SC2086
run sync_clean --cooperative --grid 265 --block 1024 $two
ends 2 && said err "$large 265 blocks; at most 264 are resident together: 2 on each of 132 SMs of CC 9.0 (H200), limited by warps; fewer if registers limit them, which are not known"
report $? "a grid too large is refused by name, with how many blocks fit and what limits them"
# shellcheck disable=SC2086
run sync_clean --cooperative --grid 133 --block 1024 --registers 64 $two
ends 2 && said err "$large 133 blocks; at most 132 are resident together: 1 on each of 132 SMs of CC 9.0 (H200), limited by registers" &&
	! said err 'not known'
report $? "registers limit it, too"
# shellcheck disable=SC2086
run sync_clean --cooperative --cc 8.7 --grid 17 --block 32 --shared 100000 $two --format json
ends 2 && [ "$(at outcome)" = '"error"' ] && said err "$large 17 blocks; at most 16" && said err 'CC 8.7 (Jetson AGX Orin), limited by shared'
report $? "so does shared memory; JSON; another compute capability"
run sync_not_cooperative --grid 2 --block 32 --arg 'u32[2]'
ends 1 && said err 'cooperative.cu:124: trap: the whole grid cannot synchronize in a launch that is not cooperative'
report $? "grid.sync() in a launch that is not cooperative is told as what it is"
sed 's/mov.u32 %\([a-z0-9]*\), %envreg[12];/mov.u32 %\1, 1;/; s/setp.ne.s64\(.*\), 0;/setp.eq.s64\1, 0;/' "$cooperative" > "$work/own.ptx"
capture "$simttutor" run "$work/own.ptx" --kernel sync_not_cooperative --grid 2 --block 32 --arg 'u32[2]'
ends 1 && said err 'the kernel stopped itself with trap'
report $? "another trap is a trap"

echo 'c' > "$work/commands"
# shellcheck disable=SC2086
capture "$simttutor" debug "$cooperative" --kernel sync_clean --cooperative --grid 2 --block 32 $two --commands "$work/commands" < /dev/null
ends 0 && ! said err trap
report $? "debug --cooperative"
capture "$simttutor" debug "$cooperative" --kernel sync_clean --grid 2 --block 32 --arg 'u32[512]' --arg 'u32[512]' --commands "$work/commands" < /dev/null
said out 'not cooperative' || said err 'not cooperative'
report $? "debug without says so"
# shellcheck disable=SC2086
capture "$simttutor" probe "$cooperative" --kernel sync_clean --cooperative --grid 4 --block 32 $two
ends 0 && said out 'the results are the same as without probes'
report $? "probe --cooperative"

# --- many blocks -----------------------------------------------------------------------------------------------------
n=264
capture "$simttutor" run "$top_srcdir/tests/defects/progress.ptx" --kernel meet_clean --grid $n --block 1024 --arg "u32[$n]" --arg 'u32[1]' \
	--arg "u32[$n]" --print 2 --orders 1 --check none --steps 3000000 --format json
ends 0 && [ "$(at buffers.2 | cut -c 1-9)" = '[264,264,' ]
report $? "two barriers of the grid by 264 blocks of 32 warps, which add up 264 numbers between, take few instructions"

# --- limits: who waits where, and who never began ------------------------------------------------------------------------
progress=$top_srcdir/tests/defects/progress.cu
line() { grep -n -e "$2" "$1" | head -n 1 | cut -d: -f1; }
few='--cc 8.7 --block 64 --shared 100000 --steps 300000'
# shellcheck disable=SC2086
capture "$simttutor" run "${progress%.cu}.ptx" --kernel meet_too_many --grid 17 $few --arg 'u32[1]'
look=$(line "$progress" 'volatile unsigned \*)at')
ends 1 && said err 'stopped after 300000 warp instructions' &&
	said err 'note: of 17 blocks 0 have ended, 16 are resident, 1 never began (block 16): a block begins when another one ends, as at most 16 are resident together: 1 on each of 16 SMs of CC 8.7 (Jetson AGX Orin), limited by shared' &&
	said err "progress.cu:$look: note: blocks 0-15, warp 0, looked here again and again" && said err 'warp 1, '
report $? "a deadlock for want of a place: which blocks wait where, which never began and why"
# shellcheck disable=SC2086
capture "$simttutor" run "${progress%.cu}.ptx" --kernel last_never_starts --grid 20 $few --arg 'u32[1]' --arg 'u32[20]' --format json
look=$(grep -n 'while (atomicAdd(flag, 0u) == 0)' "$progress" | tail -n 1 | cut -d: -f1)
ends 1 && [ "$(at outcome)" = '"limit"' ] && [ "$(at blocks.ended)" = 0 ] && [ "$(at blocks.resident)" = 16 ] && [ "$(at blocks.never_began)" = 4 ] &&
	[ "$(at blocks.first_never_began)" = 16 ] && [ "$(at blocks.most_resident)" = 16 ]
report $? "the same in JSON: how many blocks have ended, are resident, never began"
case $(at blocks.at.0) in
*'"state":"looks",'*"\"line\":$look,"*'"blocks":16,"first_block":0,"last_block":15,"warps":[0]}') true ;;
*) false ;;
esac
report $? "and the lines, with the blocks and warps there"
run sync_left --cooperative --grid 4 --block 64 --arg 'u32[4]' --steps 100000
left=$(line "${cooperative%.ptx}.cu" 'this_grid().sync();$')
ends 1 && said err 'note: of 4 blocks 1 has ended, 3 are resident' &&
	said err "cooperative.cu:$left: note: 3 of blocks 0-3, warp 0, looked here again and again" &&
	said err "cooperative.cu:$left: note: 3 of blocks 0-3, warps 0-1, waited at this barrier"
report $? "a block that left before grid.sync(): the others wait there"
finish
