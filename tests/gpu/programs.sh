#!/bin/sh
# The whole programs of tests/programs on a GPU, with NVIDIA's own runtime: they write what they write on the machine. Not those whose
# messages or devices are the machine's. Modules are loaded at the start: a program whose kernel waits for another kernel would have to
# wait for that one to be loaded, which waits for the first. Prints TAP. Needs nvcc and a GPU. Usage: programs.sh SOURCE
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=.
. "$top_srcdir/tests/tap.sh" || exit 99
command -v "${NVCC:-nvcc}" > /dev/null || skip_all "needs nvcc"
programs=$top_srcdir/tests/programs
words() { sed -n "s|^// $1: ||p" "$source"; }

for source in "$programs"/*.cu; do
	case $source in *-part.cu) continue ;; esac
	further=$(words with)
	# shellcheck disable=SC2046
	echo "$source" "${source##*/}" ${further:+"$programs/$further"} $(words nvcc)
done | xargs -P "$(nproc)" -L 1 sh -c 'from=$1 name=$2; shift 2
	"${NVCC:-nvcc}" -std=c++17 -arch=native -cudart shared "$@" -o "$0/$name.program" "$from" > "$0/$name.log" 2>&1' "$work"

for source in "$programs"/*.cu; do
	name=${source##*/}
	case $name in *-part.cu) continue ;; esac
	if grep -qE '^// (says|check|devices|gpu): ' "$source"; then
		skip "$name" "$(words gpu | grep . || echo "it is about the machine")"
		continue
	fi
	cp "$work/$name.log" "$work/err"
	# shellcheck disable=SC2046
	capture env CUDA_MODULE_LOADING=EAGER timeout 10 "$work/$name.program" $(words args)
	words out > "$work/wanted"
	wrong=
	[ "$status" = "$(words status | grep . || echo 0)" ] || wrong="status $status"
	cmp -s "$work/out" "$work/wanted" || wrong="$wrong
$(diff "$work/wanted" "$work/out")"
	report_none "$name" "$wrong"
done
finish
