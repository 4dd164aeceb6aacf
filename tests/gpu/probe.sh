#!/bin/sh
# Kernels with probes, on the GPU: each computes what it does there without them, bit for bit; recorded addresses are the
# machine's; no stamp is on an SM that there is not, no block on two, and no clock goes back. Taken are the fixtures of
# tests/ptx, kernels of tests/run, and those of tests/defects that have no fault. Prints TAP. Needs a GPU.
# Usage: probe.sh SOURCE BUILD [PATTERN]: only files whose name has PATTERN
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=${2:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99
only=${3:-}
set -f # launches have [ and *

# probe NAME ARGUMENTS...: stamps, then the addresses of the lines that have any.
probe() {
	name=$1
	shift
	capture "$simttutor" probe "$@" --live --records 256 --format json
	[ $status -eq 0 ] && [ "$(at same_results)" = true ] && [ "$(at implausible)" = 0 ] && [ "$(at events.0.event)" = '"entry"' ]
	report $? "$name: stamps"
	[ -n "$lines" ] || return 0
	capture "$simttutor" probe "$@" $lines --accesses --live --records 64 --format json
	if printed err 'no instruction of the watched lines'; then
		skip "$name: addresses" "it has none"
	elif printed err 'nothing to compare with' && [ $status -eq 0 ] && [ "$(at same_results)" = true ]; then
		skip "$name: addresses" "on the machine it polls for ever; its results are the same"
	else
		[ $status -eq 0 ] && [ "$(at same_results)" = true ] && [ "$(at different_accesses)" = 0 ]
		report $? "$name: addresses"
	fi
}
show_failure() {
	note "results the same: $(at same_results), implausible: $(at implausible), different: $(at different_accesses)"
	head -n 4 "$work/err" | sed 's/^/# /'
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
for file in $(find "$top_srcdir/tests/ptx" -maxdepth 1 -name "*$only*.ptx" | sort); do
	grep -qE '^// (expect-(outcome|error)|no-gpu)' "$file" && continue
	grep -qE '%clock|%globaltimer|malloc' "$file" && continue # what they compute depends on time and place
	case $file in *spin*.ptx | */call-exit.ptx | */call-meet.ptx) continue ;; esac # polls; lanes together after a function
	launch=$(sed -n 's/^\/\/ launch: //p' "$file" | head -n 1)
	[ -n "$launch" ] || continue
	lines=$(watch "$file")
	probe "${file##*/}" "$file" $(printf '%s\n' "$launch" | sed -E 's/(^|[; ])(grid|block|shared) /\1--\2 /g; s/(^|; *)arg /\1--arg /g; s/;/ /g')
done

# Kernels of tests/defects that are clean, as their labels say, but those that wait for each other or give out places by an
# atomic: how often, and in which order, is anybody's.
for file in $(find "$top_srcdir/tests/defects" -name "*$only*.cu" | sort); do
	case $file in */locks.cu | */protocols.cu | */flags.cu | */handover.cu | */last_block.cu | */blocks.cu) continue ;; esac
	awk '/^\/\/ launch: / { launch = substr($0, 12); clean = 0 }
		/^\/\/ expect: clean/ { clean = 1 }
		launch ~ /--steps/ { clean = 0 }
		/^__global__ / && clean { name = $0; sub(/^__global__ void /, "", name); sub(/\(.*/, "", name)
			print name, launch; clean = 0 }' "$file" >"$work/launches"
	lines=$(watch "${file%.cu}.ptx")
	while read -r kernel launch; do
		case $kernel in compact_*) continue ;; esac
		probe "${file##*/} $kernel" "${file%.cu}.ptx" --kernel "$kernel" $launch
	done <"$work/launches"
done

case matmul.ptx in *"$only"*)
	lines=$(watch "$top_srcdir/tests/run/matmul.ptx")
	probe matmul.ptx "$top_srcdir/tests/run/matmul.ptx" --grid 4,4 --block 16,16 --arg s32:64 --arg 's32[4096]:iota' \
		--arg 's32[4096]:random@3' --arg 's32[4096]' ;;
esac
case histogram.ptx in *"$only"*)
	lines=$(watch "$top_srcdir/tests/run/histogram.ptx")
	probe histogram.ptx "$top_srcdir/tests/run/histogram.ptx" --grid 1 --block 128 --arg 'u32[1000]:iota' --arg s32:1000 --arg 'u32[4]' ;;
esac
case stencil.ptx in *"$only"*)
	lines=$(watch "$top_srcdir/tests/run/stencil.ptx")
	probe stencil.ptx "$top_srcdir/tests/run/stencil.ptx" --kernel stencil --grid 512 --block 64 --arg 's32[32768]:iota' \
		--arg 's32[32768]' --arg s32:32768 ;;
esac
finish
