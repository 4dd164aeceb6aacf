# Counters of source lines on the GPU (check_lines.c says what must hold): the lesson's kernel at several strides, kernels of
# tests/run, those of tests/defects that have no fault, and fixtures of tests/ptx; and against Nsight Compute. Prints TAP.
# Needs a GPU. Usage: lines.sh [SOURCE [BUILD [PATTERN]]]: only launches whose files or kernels have PATTERN
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=${2:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99
only=${3:-}
dir=$work
set -f # launches have [ and *

for stride in 2 0 1 3 8 32 33; do
	echo "$top_srcdir/kernels/shared_stride.ptx shared_stride 4 512 0 f32[1024]:iota f32[2048] u32:$stride u32:64"
done > "$dir/cases"
cat >> "$dir/cases" <<EOF
$top_srcdir/tests/run/matmul.ptx matmul 4,4 16,16 0 s32:64 s32[4096]:iota s32[4096]:iota s32[4096]
$top_srcdir/tests/run/stencil.ptx _Z7stencilPKiPii 2 64 0 s32[100]:iota s32[100] s32:100
$top_srcdir/tests/run/histogram.ptx - 1 128 0 u32[1000]:iota s32:1000 u32[4]
$top_srcdir/tests/run/softmax.ptx - 1 32,4 0 f32[128]:random@7 s32[]:32,20,7,1 f32[128]
$top_srcdir/tests/run/calls.ptx - 1 128 0 s32[128]
EOF

# Kernels of tests/defects that are clean, as their labels say, but those that wait for each other: how often is anybody's.
for file in $(find "$top_srcdir/tests/defects" -name '*.cu' | sort); do
	case $file in */locks.cu | */lock_shapes.cu | */protocols.cu | */flags.cu | */handover.cu | */last_block.cu | */blocks.cu) continue ;;
	*/pipes.cu | */stages.cu | */bulk.cu | */queues.cu | */progress.cu | */cluster_scope.cu | */undefined.cu | */guesses.cu) continue ;; esac
	awk -v file="${file%.cu}.ptx" '
		/^\/\/ launch: / { launch = substr($0, 12); clean = 0 }
		/^\/\/ expect: clean/ { clean = 1 }
		launch ~ /--steps|--cooperative/ { clean = 0 }
		# these wait, too, or do what they find that others have done
		/(cluster_flag|sense_clean|sums_in_turns|release_handed_on|release_of_system|back_and_forth|read_then_store|chain_of_adds)/ { clean = 0 }
		/(swap_taken_clean|observed_handed_on_fenced|failed_swap_observes|lock_by_warps|first_makes|chain_cut_fenced|from_copy_to_copy)/ { clean = 0 }
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

# Fixtures: "grid 1 block 8 shared 16; arg A; arg B". Not those that poll, nor wgmma, whose accesses no counter has by lines, nor
# those that prefetch, which the range profiler counts as sectors and as instructions; tensor maps have blanks.
for file in $(find "$top_srcdir/tests/ptx" -maxdepth 1 -name '*.ptx' | sort); do
	case $file in *mbarrier*.ptx | *spin*.ptx | *wgmma*.ptx | *syntax-triton.ptx | *memory-hints.ptx) continue ;; esac
	grep -qE '^// (expect-(outcome|error)|no-gpu)|%clock|%globaltimer|malloc|printf|\.func|prefetch|tensormap' "$file" && continue
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

grep -e "$only" "$dir/cases" > "$dir/wanted"
"$top_builddir/tests/gpu/check_lines" --worker "$worker" < "$dir/wanted" > "$dir/tap"
status=$?
grep -v '^1\.\.' "$dir/tap"
tap_count=$(grep -c '^ok\|^not ok' "$dir/tap")

# Nsight Compute's source page against the same lines. Its lines are those of the PTX's own .loc, which are the same where nothing is
# inlined from a header; but it counts instructions without a line to the line before, so those are compared in sum.
check_ncu() {
	set -- "$top_srcdir/tests/run/matmul.ptx" --grid 4,4 --block 16,16 --arg s32:64 --arg 's32[4096]:iota' --arg 's32[4096]:iota' \
		--arg 's32[4096]'
	"$simttutor" run "$@" --live --format json > "$dir/run.json" || return 1
	ptx=$(awk '{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); gsub(/\t/, "\\t"); printf "%s\\n", $0 }' "$1")
	printf '{"type":"measure","id":1,"launch":{"kernel":"matmul","grid":[4,4,1],"block":[16,16,1],"shared":0,%s,"ptx":"%s"}\n' \
		'"args":["s32:64","s32[4096]:iota","s32[4096]:iota","s32[4096]"]},"metrics":[],"buffers":false' "$ptx" > "$dir/one.in"
	ncu --section SourceCounters --import-source no -f -o "$dir/report" "$worker" < "$dir/one.in" > "$dir/ncu.log" || return 1
	ncu -i "$dir/report.ncu-rep" --page source --csv --print-source cuda,sass > "$dir/ncu.csv" || return 1
	# Lines "LINE NAME VALUE", those of 0 left out, and "all NAME VALUE".
	awk -F '","' '
		BEGIN { name["Instructions Executed"] = "instructions"; name["Thread Instructions Executed"] = "threads"
			name["L1 Wavefronts Shared"] = "wavefronts"; name["L1 Wavefronts Shared Ideal"] = "ideal_wavefronts"
			name["L2 Theoretical Sectors Global"] = "sectors"; name["L2 Theoretical Sectors Global Ideal"] = "ideal_sectors" }
		/^"Line No"/ { for (i = 1; i <= NF; i++) if ($i in name) column[NF - i] = name[$i] }
		/^"[0-9]+","/ { line = substr($1, 2); for (i in column) {
			if (column[i] ~ /^(instructions|threads)$/) all[column[i]] += $(NF - i)
			else if ($(NF - i) > 0) print line, column[i], $(NF - i)
		} }
		END { for (i in all) print "all", i, all[i] }
	' "$dir/ncu.csv" | sort > "$dir/ncu"
	awk 'BEGIN { RS = "{" } /^"line": / { line = $2 + 0 } /^"instructions": / && ++of[line] > 1 && of[line] < 4 {
		n = split($0, part, /, /) # model, live; after the last line the total
		for (i = 1; i <= n; i++) {
			split(part[i], field, /"|: |}/)
			sum = field[2] ~ /^(instructions|threads)$/
			if (of[line] == 3 && sum) print "all", field[2], field[4]
			if (of[line] == 2 && !sum && field[2] !~ /requests|branches/ && field[4] > 0) print line, field[2], field[4]
		}
	}' "$dir/run.json" | sort > "$dir/ours"
	echo "# $(wc -l < "$dir/ncu") numbers of lines by ncu"
	[ -s "$dir/ncu" ] && cmp -s "$dir/ncu" "$dir/ours"
}
if ! command -v ncu > /dev/null; then
	skip "lines are as ncu counts them" "there is no ncu here"
elif check_ncu; then
	pass "lines are as ncu counts them"
else
	tap_result 'not ok' "lines are as ncu counts them"
	note "$(diff "$dir/ncu" "$dir/ours" | head -20)"
	status=1
fi
finish
exit $status
