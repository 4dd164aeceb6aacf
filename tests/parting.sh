#!/bin/sh
# Whole programs of tests/parting whose warps part, wait and exit, by each compiler that there is: what is reported, and that nothing but
# the report changes. Prints TAP.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
cd "$top_srcdir/tests/parting" || exit 99
SIMTTUTOR_PROGRAMS=yes
export SIMTTUTOR_PROGRAMS

# check FILE OPTIONS OUTPUT [KIND: TEXT]...: it prints OUTPUT, and each KIND is reported with TEXT; without any nothing is wrong.
check() {
	file=$1 options=$2 output=$3
	shift 3
	# shellcheck disable=SC2086
	capture "$simttutor" run $options "$file.cu"
	wrong=
	printf '%s\n' "$output" | cmp -s - "$work/out" || wrong="prints $(cat "$work/out")"
	[ "$#" -gt 0 ] || printed err 'no problems' || wrong="$wrong
something is wrong with it"
	for text in "$@"; do
		grep -F "${text%%: *}: " "$work/err" | grep -qF -- "${text#*: }" || wrong="$wrong
does not say: $text"
	done
	[ "$#" -eq 0 ] || grep -qF "1 launch, $# problem" "$work/err" || wrong="$wrong
not $# problems"
	report_none "$compiler: $file $options" "${wrong:+$wrong
$(cat "$work/err")}"
}

programs() {
	check early-return "" "20 no error"
	check two-syncwarps "" "3 2 3 no error"
	check shuffle "" "120 31 no error" "wrong mask: mask 0xFFFFFFFF: lanes 16-31 are named and not here"
	check shuffle "-D BARRIER" "120 31 no error" "wrong mask: mask 0xFFFFFFFF: lanes 16-31 are named and not here"
	check shuffle "-D MASKED -D BARRIER" "120 31 no error" "wrong mask: an undefined value, from a lane that takes no part in the shuffle"
	check mask-zero "" "101 100 0xaaaaaaaa 1 116 115 2 no error" "wrong mask: mask 0x00000000: lanes 0-31 are here and not named" \
		"mask-zero.cu:9: wrong mask" "mask-zero.cu:10: wrong mask" "wrong mask: mask 0x0000FFFF: lanes 16-31 are here and not named" "mask-zero.cu:12: wrong mask"
	check arms "" "231 100 no error" "divergent barrier: lanes of the warp do not arrive at this barrier with the others: lanes "
	check arms "-D BLOCKS=100" "231 100 no error" "divergent barrier: lanes of the warp do not arrive at this barrier with the others: lanes "
	check two-barriers "" "190 0 no error" "mismatched barrier: warp 2 comes here while warp 0 waits at the barrier of line 10"
	check whole-warp "" "1 63 no error" "divergent barrier: lanes 0-31 of warp 1 went past this barrier, at which warp 0 waited"
	check whole-warp "-D LOOP" "1 65 no error" "divergent barrier: lanes 0-31 of warp 0 went past this barrier, at which warp 1 waited"
	# nvcc makes one store of both, at the line of the second: the same code as without RETURN but for the columns.
	check whole-warp "-D RETURN" "1 63 no error"
	check past-the-end "" "an illegal memory access was encountered" "out of bounds: a 4-byte store"
	check past-the-end "--on-error continue" "an illegal memory access was encountered" "out of bounds: a 4-byte store" "divergent barrier: lanes of the warp"
	check constants "" "5 an illegal memory access was encountered" "out of bounds: a 4-byte load from constant memory at 0x61a80"
	check constants "--on-error continue" "0 an illegal memory access was encountered" "out of bounds: a 4-byte load from constant memory"
	# What ends a launch on a GPU ends it here, with the same error; what does not is reported, and has its values.
	illegal="0 0 an illegal instruction was encountered" failed="0 0 unspecified launch failure"
	check barriers "-D CASE=1 -D THREADS=64" "$illegal" "mismatched barrier: warp 1 comes here to barrier 0 without a reduction while warp 0 waits at it with one (line 17)"
	check barriers "-D CASE=2 -D THREADS=96" "$illegal" "mismatched barrier: barrier 1 is to wait for 96 threads here, and for 64 by those that are at it"
	check barriers "-D CASE=3 -D THREADS=32" "$illegal" "mismatched barrier: lanes of one warp name barrier 1 and barrier 2"
	check barriers "-D CASE=4 -D THREADS=32" "$illegal" "missing barrier: a barrier waits for a multiple of 32 threads, not for 33"
	check barriers "-D CASE=5 -D THREADS=32" "$failed" "trap: a breakpoint (brkpt) ends a kernel that no debugger watches"
	check barriers "-D CASE=6 -D THREADS=32" "$failed" "missing barrier: 32 arrivals at an mbarrier that waits for 3"
	check barriers "-D CASE=7 -D THREADS=32" "$illegal" "wrong call: a call of 0x1230, where there is no function"
	check barriers "-D CASE=8 -D THREADS=32" "8 8 no error" "missing barrier: there is no barrier 16; they go from 0 to 15"
	check barriers "-D CASE=9 -D THREADS=32" "9 9 no error"
	check barriers "-D CASE=10 -D THREADS=32" "10 10 no error" "missing barrier: an mbarrier is for 1 to 1048575 arrivals, not for 0"
	check barriers "-D CASE=11 -D THREADS=32" "8 116 no error" "divergent barrier: 16 lanes of the warp do not arrive at this barrier with the others"
	check barriers "-D CASE=12 -D THREADS=32" "1 100 no error" "divergent barrier: 16 lanes of the warp do not arrive at this barrier with the others"
	capture "$simttutor" run exited-lane.cu
	[ "$(cat "$work/out")" = "20 no error" ]
	report $? "$compiler: exited-lane has its result, whatever is reported"

	capture "$simttutor" run hints.cu
	grep -q '^40404040 no error$' "$work/out" && printed err '2 launches, 1 problem' &&
		printed err 'hints.cu:29: race: ' && printed err 'both stored the same value this time' && ! said err 'syncthreads() is missing'
	report $? "$compiler: threads that store the same value are said to, and a lock with fences is none of it"
	grep -A 1 'hints.cu:15: [0-9]* atomic operations wait for others of their warp at the same address$' "$work/err" | grep -q 'atomicCAS' &&
		! said err 'bank conflicts' && ! said err 'hints.cu:31: '
	report $? "$compiler: atomics at one address are no bank conflicts, and printf() costs nothing"
	capture "$simttutor" run -D BARE hints.cu
	printed err 'hints.cu:17: race: ' && printed err 'orders them only with fences: a __threadfence() after it is taken' && ! said err 'need an atomic'
	report $? "$compiler: the fences of a lock are missing"
}

found=
if command -v "${CLANG:-clang}" > /dev/null; then
	compiler=clang found=yes
	NVCC=: && export NVCC
	programs
fi
unset NVCC
if command -v nvcc > /dev/null; then
	compiler=nvcc found=yes
	programs
fi
[ "$found" ] || skip_all "needs clang or nvcc"
capture "$simttutor" run --on-error perhaps arms.cu
[ "$status" -ne 0 ] && printed err 'expected stop or continue'
report $? "--on-error has two values"
finish
