#!/bin/sh
# copies.sh SOURCE BUILD: what calls and copies cost on this GPU, for src/model/hardware/hostcosts.def, and what overlaps: see copies.cu. A program
# that was built elsewhere (`nvcc -O2 -o BUILD/tests/gpu/copies copies.cu`) is run as it is.
set -eu
program=$2/tests/gpu/copies
if [ ! -x "$program" ]; then
	if ! command -v "${NVCC:-nvcc}" >/dev/null; then
		echo "1..0 # SKIP needs nvcc, or the program"
		exit 0
	fi
	mkdir -p "${program%/*}"
	"${NVCC:-nvcc}" -O2 -o "$program" "$1/tests/gpu/copies.cu"
fi
exec "$program"
