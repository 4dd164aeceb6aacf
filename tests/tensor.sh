#!/bin/sh
# The kernels of the lesson on tensor cores make the same product of matrices of random numbers, bit for bit; the lesson gives those of
# groups of warps constants, since comparing random ones with its expression takes long.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99

sums() { sed -n '/^argument 2, /,$p' "$work/out"; }

kernel() { # KERNEL GRID BLOCK SHARED FILE
	case $5 in
	tensor) set -- "$@" 'f16[65536]:random@1' 'f16[65536]:random@2' ;;
	*) set -- "$@" 'tensormap:{f16[256x256]:random@1, box 64x128, swizzle 128}' 'tensormap:{f16[256x256]:random@2, box 64x256, swizzle 128}' ;;
	esac
	capture_all "$simttutor" run "$top_srcdir/kernels/$5.ptx" --kernel "$1" --grid "$2" --block "$3" --shared "$4" \
		--arg "$6" --arg "$7" --arg 'f32[65536]' --arg u32:256 --print 2
	sums >"$work/$1"
	[ "$status" = 0 ] && [ "$(wc -l <"$work/$1")" -gt 1000 ]
}

kernel wmma 4,16 128 0 tensor
report $? "wmma multiplies"
for one in 'mma_rows 2,2 256 65536 tensor' 'mma_swizzled 2,2 256 65536 tensor' 'groups_one 2 384 49152 tensor_groups' \
	'groups_two 2 384 98304 tensor_groups' 'groups_four 2 384 196608 tensor_groups'; do
	# shellcheck disable=SC2086
	kernel $one && cmp -s "$work/wmma" "$work/${one%% *}"
	report $? "${one%% *} gives what wmma does"
done
if [ -n "${NVCC-}" ] && [ "$NVCC" != : ]; then
	cp "$top_srcdir/kernels/tensor_groups.cu" "$work/groups.cu"
	capture_all env NVCC="$NVCC" "$simttutor" run "$work/groups.cu" --kernel groups_one --grid 2 --block 384 --shared 49152 \
		--arg 'tensormap:{f16[256x256]:random@1, box 64x128, swizzle 128}' \
		--arg 'tensormap:{f16[256x256]:random@2, box 64x256, swizzle 128}' --arg 'f32[65536]' --arg u32:256
	grep -q '^groups_one: ok' "$work/out"
	report $? "a source that needs sm_90a is compiled for it"
else
	skip "a source that needs sm_90a is compiled for it" "no nvcc"
fi
finish
