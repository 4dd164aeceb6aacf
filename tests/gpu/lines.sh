# Counters of source lines on the GPU (check_lines.c says what must hold): the lesson's kernel at several strides, kernels of
# tests/run, those of tests/defects that have no fault, and fixtures of tests/ptx; and against Nsight Compute. Prints TAP.
# Needs a GPU. Usage: lines.sh [SOURCE [BUILD]]
source=${1:-.}
build=${2:-.}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
set -f # launches have [ and *

for stride in 2 0 1 3 8 32 33; do
	echo "$source/kernels/shared_stride.ptx shared_stride 4 512 0 f32[1024]:iota f32[2048] u32:$stride u32:64"
done > "$dir/cases"
cat >> "$dir/cases" <<EOF
$source/tests/run/matmul.ptx matmul 4,4 16,16 0 s32:64 s32[4096]:iota s32[4096]:iota s32[4096]
$source/tests/run/stencil.ptx _Z7stencilPKiPii 2 64 0 s32[100]:iota s32[100] s32:100
$source/tests/run/histogram.ptx - 1 128 0 u32[1000]:iota s32:1000 u32[4]
$source/tests/run/softmax.ptx - 1 32,4 0 f32[128]:random@7 s32[]:32,20,7,1 f32[128]
$source/tests/run/calls.ptx - 1 128 0 s32[128]
EOF

# Kernels of tests/defects that are clean, as their labels say, but those that wait for each other: how often is anybody's.
for file in $(find "$source/tests/defects" -name '*.cu' | sort); do
	case $file in */locks.cu | */protocols.cu | */flags.cu | */handover.cu | */last_block.cu | */blocks.cu) continue ;; esac
	awk -v file="${file%.cu}.ptx" '
		/^\/\/ launch: / { launch = substr($0, 12); clean = 0 }
		/^\/\/ expect: clean/ { clean = 1 }
		launch ~ /--steps/ { clean = 0 }
		/__global__ void/ && clean {
			name = $0; sub(/.*__global__ void (__launch_bounds__\([^)]*\) )?/, "", name); sub(/\(.*/, "", name)
			grid = block = "1"; shared = "0"; args = ""
			n = split(launch, word, " ")
			for (i = 1; i < n; i += 2) {
				if (word[i] == "--grid") grid = word[i + 1]
				else if (word[i] == "--block") block = word[i + 1]
				else if (word[i] == "--shared") shared = word[i + 1]
				else if (word[i] == "--arg") args = args " " word[i + 1]
			}
			print file, name, grid, block, shared args
			clean = 0
		}' "$file"
done >> "$dir/cases"

# Fixtures: "grid 1 block 8 shared 16; arg A; arg B". Not those that poll, nor wmma, whose lane
# loads what is the machine's own, nor those that prefetch, which the range profiler counts as sectors.
for file in $(find "$source/tests/ptx" -maxdepth 1 -name '*.ptx' | sort); do
	case $file in *mbarrier*.ptx | *wmma*.ptx | *memory-hints.ptx) continue ;; esac
	grep -qE '^// (expect-(outcome|error)|no-gpu)|%clock|%globaltimer|malloc|printf|\.func' "$file" && continue
	sed -n 's/^\/\/ launch: //p' "$file" | head -n 1 | awk -v file="$file" '{
		grid = block = "1"; shared = "0"; args = ""
		gsub(/;/, " ")
		for (i = 1; i < NF; i += 2) {
			if ($i == "grid") grid = $(i + 1)
			else if ($i == "block") block = $(i + 1)
			else if ($i == "shared") shared = $(i + 1)
			else if ($i == "arg") args = args " " $(i + 1)
		}
		print file, "-", grid, block, shared args
	}'
done >> "$dir/cases"

"$build/tests/gpu/check_lines" --worker "$build/simttutor-gpu" < "$dir/cases" > "$dir/tap"
status=$?
grep -v '^1\.\.' "$dir/tap"
n=$(grep -c '^ok\|^not ok' "$dir/tap")

echo "1..$n"
exit $status
