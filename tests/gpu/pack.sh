#!/bin/sh
# Puts what the GPU checks need into a new folder, for a machine with a GPU and without what building needs: programs, the
# libraries that such a machine may lack, and the source files that are read. There: `sh check OUT [NAME]...`, see all.sh.
# Usage: pack.sh SOURCE BUILD FOLDER, after `make` and `make check-gpu-programs`.
set -eu
[ $# -eq 3 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
source=$1 build=$2 folder=$3 absolute=$(cd "$2" && pwd)
mkdir "$folder" "$folder/data" "$folder/lib" "$folder/tests" "$folder/tests/gpu"
cp "$build/simttutor" "$build/simttutor-gpu" "$folder"
cp "$build/tests/json-get" "$folder/tests"
for program in check_gpu check_lines faults first flow fragments latency micro occupancy objects readers timeline times turns; do
	cp "$build/tests/gpu/$program" "$folder/tests/gpu"
done
# Where nvcc is here; else tensor.sh makes it there.
command -v "${NVCC:-nvcc}" >/dev/null 2>&1 && "${NVCC:-nvcc}" -gencode arch=compute_90a,code=sm_90a -O3 -std=c++17 -I"$source" \
	-I"$source/kernels" -o "$folder/tests/gpu/tensor" "$source/tests/gpu/tensor.cu" -ldl 2>/dev/null || :
[ ! -x "$build/tests/gpu/copies" ] || cp "$build/tests/gpu/copies" "$folder/tests/gpu"
strip "$folder/simttutor" "$folder/simttutor-gpu" "$folder"/tests/gpu/*
echo data >"$folder/simttutor.source" # see base/paths.h
(cd "$source" && find lessons kernels tests/tap.sh tests/ptx tests/run tests/gpu tests/time tests/programs tests/defects tests/validate src \
	\( -path src -o -name '*.def' -o -name '*.h' -o -not -path 'src/*' \) -type f -print) |
	while read -r file; do
		mkdir -p "$folder/data/${file%/*}"
		cp "$source/$file" "$folder/data/$file"
	done
for library in md4c yaml utf8proc jansson; do
	ldd "$build/simttutor" | awk -v name="lib$library" 'index($1, name) == 1 { print $3 }' | xargs -I{} cp -L {} "$folder/lib"
done
# Launches of whole programs, as make check has built them: live.sh runs them there.
for program in vector-add matmul transpose scan histogram stencil-halo radix-sort sieve sorting-network spmv life warp-votes pointers; do
	for name in "$program" "$program.clang"; do
		[ -x "$absolute/tests/programs/$name" ] || continue
		mkdir -p "$folder/data/launches/$program"
		LD_LIBRARY_PATH=$absolute/src/runtime SIMTTUTOR_RECORD=$folder/data/launches/$program SIMTTUTOR_LAUNCHES=1-4 \
			SIMTTUTOR_REPORT=none timeout 60 "$absolute/tests/programs/$name" >/dev/null 2>&1 || :
		break
	done
done
cat >"$folder/check" <<'END'
#!/bin/sh
# sh check OUT [NAME]...: data/tests/gpu/all.sh on what was packed
cd "$(dirname "$0")" || exit 99
export LD_LIBRARY_PATH="$PWD/lib:/usr/local/cuda/lib64:/usr/local/cuda/extras/CUPTI/lib64:${LD_LIBRARY_PATH:-}"
export PATH="$PATH:/usr/local/cuda/bin" LC_ALL=C.UTF-8
out=$1
shift
exec sh data/tests/gpu/all.sh data . "$out" "$@"
END
