#!/bin/sh
# Random control flow on the GPU: the programs of `simttutor validate flow`, by nvcc, and by clang where it is, or where its PTX was
# brought along: every thread's result is the reference's. In as many processes as there are cores. Prints TAP. Needs nvcc and a GPU.
# Usage: flow.sh SOURCE BUILD [PTX]. PTX: a folder of FIRST-N.clang.ptx, such as this script makes in it with MAKE=1, without a GPU.
# SIMTTUTOR_FLOW_COUNT: so many programs (5000), from seed SIMTTUTOR_FLOW_SEED (1) on, in files of SIMTTUTOR_FLOW_EACH (250).
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=${2:-${top_builddir:-.}} ptx=${3:-}
. "$top_srcdir/tests/tap.sh" || exit 99
flow=$top_builddir/tests/gpu/flow
count=${SIMTTUTOR_FLOW_COUNT:-5000} seed=${SIMTTUTOR_FLOW_SEED:-1} each=${SIMTTUTOR_FLOW_EACH:-250}
nvcc=$(command -v "${NVCC:-nvcc}") clang=$(command -v "${CLANG:-clang}")
ptx=$(cd "${ptx:-$work}" && pwd) || exit 99
ptxas=$(command -v ptxas) # the driver does the same, each time that a module is loaded
export flow nvcc clang ptxas ptx each work
kernels=$top_srcdir/kernels
export kernels

cat > "$work/by_clang" <<'END_OF_SCRIPT'
# FIRST: the PTX of these programs, unless it is there
[ -s "$ptx/$1-$each.clang.ptx" ] && exit 0
[ -n "$clang" ] || exit 1
"$flow" source "$1" "$each" > "$work/$1.clang.cu" || exit 1
"$clang" -x cuda --cuda-device-only -nocudainc -nocudalib -w -O2 -S --cuda-gpu-arch=sm_86 -Xclang -target-feature -Xclang +ptx71 \
	-Xclang -disable-noundef-analysis -I "$kernels" -include "$kernels/clang.h" -o "$ptx/$1-$each.clang.ptx.new" "$work/$1.clang.cu" || exit 1
mv "$ptx/$1-$each.clang.ptx.new" "$ptx/$1-$each.clang.ptx"
rm "$work/$1.clang.cu"
END_OF_SCRIPT
cat > "$work/job" <<'END_OF_SCRIPT'
# FIRST: these programs by both compilers
sh "$work/by_clang" "$1" 2>> "$work/$1.log"
if [ -n "$nvcc" ]; then
	"$flow" source "$1" "$each" > "$work/$1.cu" &&
		"$nvcc" -w -cubin -arch=sm_90 -I "$kernels" -o "$work/$1-$each.nvcc.cubin" "$work/$1.cu" >> "$work/$1.log" 2>&1
fi
by_clang=$ptx/$1-$each.clang.ptx
[ -z "$ptxas" ] || { "$ptxas" -arch=sm_90 -o "$work/$1-$each.clang.cubin" "$by_clang" >> "$work/$1.log" 2>&1 && by_clang=$work/$1-$each.clang.cubin; }
set -- "$1" "$by_clang" "$work/$1-$each.nvcc.cubin"
[ -s "$3" ] || set -- "$1" "$2"
[ -s "$2" ] || set -- "$1" "${3:-$2}"
"$flow" run "$1" "$each" "$2" ${3:+"$3"} > "$work/$1.out" 2>> "$work/$1.log"
[ $? -le 1 ] || cat "$work/$1.log" >> "$work/$1.out"
rm -f "$work/$1".*cu "$work/$1-$each".*.cubin
END_OF_SCRIPT

if [ "${MAKE:-}" = 1 ]; then
	seq "$seed" "$each" $((seed + count - 1)) | xargs -P "$(nproc)" -I{} sh "$work/by_clang" {}
	exit
fi
seq "$seed" "$each" $((seed + count - 1)) | xargs -P "$(nproc)" -I{} sh "$work/job" {}
cat "$work"/*.out > "$work/all" 2> /dev/null
grep '^1\.\..*SKIP' "$work/all" && exit 0
grep -v ' programs, 0 differ, 0 hang, 0 fail$' "$work/all" | sed "s|^$work/||; s|^$ptx/||" > "$work/wrong"
head -n 400 "$work/wrong" | sed 's/^/# /'
for compiler in clang nvcc; do
	n=$(sed -n "s/.*\.$compiler\.[a-z]*: \([0-9]*\) programs, .*/\1/p" "$work/all" | awk '{ n += $1 } END { print n + 0 }')
	note "$n programs by $compiler"
	[ "$n" -gt 0 ] || continue
	[ "$n" -eq "$count" ]
	report $? "$compiler: all programs were run"
	! grep -q "\.$compiler\." "$work/wrong"
	report $? "$compiler: every thread's result is the reference's"
done
finish
