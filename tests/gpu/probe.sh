#!/bin/sh
# Kernels with probes, on the GPU: each computes what it does there without them, bit for bit; recorded addresses are the
# machine's; no stamp is on an SM that there is not, no block on two, and no clock goes back. Taken are the fixtures of
# tests/ptx, kernels of tests/run, and those of tests/defects that have no fault. Prints TAP. Needs a GPU.
# Usage: probe.sh SOURCE BUILD [PATTERN]: only files whose name has PATTERN
source=${1:-${top_srcdir:-.}}
build=${2:-${top_builddir:-.}}
only=${3:-}
n=0
out=$(mktemp)
trap 'rm -f "$out" "$out.launches"' EXIT
set -f # launches have [ and *
get() { "$build/tests/json-get" "$1" <"$out" 2>/dev/null; }

# probe NAME ARGUMENTS...: stamps, then the addresses of the lines that have any.
probe() {
	name=$1
	shift
	n=$((n + 1))
	"$build/simttutor" probe "$@" --live --records 256 --format json >"$out" 2>"$out.err"
	if [ $? -eq 0 ] && [ "$(get same_results)" = true ] && [ "$(get implausible)" = 0 ] && [ "$(get events.0.event)" = '"entry"' ]; then
		echo "ok $n - $name: stamps"
	else
		echo "# results the same: $(get same_results), implausible: $(get implausible)"
		head -n 4 "$out.err" | sed 's/^/# /'
		echo "not ok $n - $name: stamps"
	fi
	[ -n "$lines" ] || return 0
	n=$((n + 1))
	"$build/simttutor" probe "$@" $lines --accesses --live --records 64 --format json >"$out" 2>"$out.err"
	status=$?
	if grep -q 'no instruction of the watched lines' "$out.err"; then
		echo "ok $n - $name: addresses # SKIP it has none"
	elif grep -q 'nothing to compare with' "$out.err" && [ $status -eq 0 ] && [ "$(get same_results)" = true ]; then
		echo "ok $n - $name: addresses # SKIP on the machine it polls for ever; its results are the same"
	elif [ $status -eq 0 ] && [ "$(get same_results)" = true ] && [ "$(get different_accesses)" = 0 ]; then
		echo "ok $n - $name: addresses"
	else
		echo "# results the same: $(get same_results), different: $(get different_accesses)"
		head -n 4 "$out.err" | sed 's/^/# /'
		echo "not ok $n - $name: addresses"
	fi
	rm -f "$out.err"
}

# watch FILE: at most 60 lines that may have accesses: of the source where the PTX has them, else of the PTX.
watch() {
	if grep -q '^[[:space:]]*\.loc' "$1"; then
		awk '$1 == ".loc" && !seen[$3]++ && $3 { print "--line " $3 }' "$1" | head -n 60
	else
		awk '/(ld|st|atom|red)\.[a-z.]*(global|shared|local|const|u|s|b|f)/ { print "--line " NR }' "$1" | head -n 60
	fi
}

# Fixtures: "grid 1 block 8 shared 16; arg A; arg B" becomes --grid 1 --block 8 --shared 16 --arg A --arg B.
for file in $(find "$source/tests/ptx" -maxdepth 1 -name "*$only*.ptx" | sort); do
	grep -qE '^// (expect-(outcome|error)|no-gpu)' "$file" && continue
	grep -qE '%clock|%globaltimer|malloc' "$file" && continue # what they compute depends on time and place
	case $file in *spin*.ptx | */call-exit.ptx | */call-meet.ptx) continue ;; esac # polls; lanes together behind a function
	launch=$(sed -n 's/^\/\/ launch: //p' "$file" | head -n 1)
	[ -n "$launch" ] || continue
	lines=$(watch "$file")
	probe "${file##*/}" "$file" $(printf '%s\n' "$launch" | sed -E 's/(^|[; ])(grid|block|shared) /\1--\2 /g; s/(^|; *)arg /\1--arg /g; s/;/ /g')
done

# Kernels of tests/defects that are clean, as their labels say, but those that wait for each other or give out places by an
# atomic: how often, and in which order, is anybody's.
for file in $(find "$source/tests/defects" -name "*$only*.cu" | sort); do
	case $file in */locks.cu | */protocols.cu | */flags.cu | */handover.cu | */last_block.cu | */blocks.cu) continue ;; esac
	awk '/^\/\/ launch: / { launch = substr($0, 12); clean = 0 }
		/^\/\/ expect: clean/ { clean = 1 }
		launch ~ /--steps/ { clean = 0 }
		/^__global__ / && clean { name = $0; sub(/^__global__ void /, "", name); sub(/\(.*/, "", name)
			print name, launch; clean = 0 }' "$file" >"$out.launches"
	lines=$(watch "${file%.cu}.ptx")
	while read -r kernel launch; do
		case $kernel in compact_*) continue ;; esac
		probe "${file##*/} $kernel" "${file%.cu}.ptx" --kernel "$kernel" $launch
	done <"$out.launches"
done

case matmul.ptx in *"$only"*)
	lines=$(watch "$source/tests/run/matmul.ptx")
	probe matmul.ptx "$source/tests/run/matmul.ptx" --grid 4,4 --block 16,16 --arg s32:64 --arg 's32[4096]:iota' \
		--arg 's32[4096]:random@3' --arg 's32[4096]' ;;
esac
case histogram.ptx in *"$only"*)
	lines=$(watch "$source/tests/run/histogram.ptx")
	probe histogram.ptx "$source/tests/run/histogram.ptx" --grid 1 --block 128 --arg 'u32[1000]:iota' --arg s32:1000 --arg 'u32[4]' ;;
esac
case stencil.ptx in *"$only"*)
	lines=$(watch "$source/tests/run/stencil.ptx")
	probe stencil.ptx "$source/tests/run/stencil.ptx" --kernel stencil --grid 512 --block 64 --arg 's32[32768]:iota' \
		--arg 's32[32768]' --arg s32:32768 ;;
esac
echo "1..$n"
