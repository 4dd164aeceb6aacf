#!/bin/sh
# The rates of the kernels of lessons/228-tensor and of cuBLAS, in one run, to OUT/measured.tsv, which is that lesson's. Prints TAP. Needs
# a GPU of CC 9.0 with cuBLAS, and nvcc, unless BUILD/tests/gpu/tensor is there. Usage: tensor.sh SOURCE BUILD OUT
[ $# -eq 3 ] || { sed -n 's/^# .*\(Usage: \)/\1/p' "$0" >&2; exit 2; }
source=$1 program=$2/tests/gpu/tensor out=$3
mkdir -p "$out" || exit 99
if [ ! -x "$program" ]; then
	program=$out/tensor
	"${NVCC:-nvcc}" -gencode arch=compute_90a,code=sm_90a -O3 -std=c++17 -I"$source" -I"$source/kernels" -o "$program" \
		"$source/tests/gpu/tensor.cu" -ldl >"$out/nvcc.txt" 2>&1 || { echo "1..0 # SKIP nvcc does not make it"; exit 0; }
fi
exec "$program" "$out/measured.tsv"
