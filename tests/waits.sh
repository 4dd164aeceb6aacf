#!/bin/sh
# The pairs of tests/waits/pairs.cu, each with its fault and without, in three orders of the work that streams have: the fault is found at its
# line in the same words each time, and nothing is said of what has none. By nvcc, or clang where there is none; COMPILER=clang: by it. PAIR=NAME:
# that one alone. Prints TAP.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
source=$top_srcdir/tests/waits/pairs.cu
library=$top_builddir/src/runtime
if nm "$library/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
grep -q '^#define HAVE_LIBDW' "$top_builddir/config.h" || skip_all "built without libdw"
case $("${NVCC:-nvcc}" --version 2> /dev/null) in *"release 13."*) with=${COMPILER:-nvcc} ;; *) with=${COMPILER:-clang} ;; esac
command -v "${CLANG:-clang}" > /dev/null || [ "$with" = nvcc ] || skip_all "needs nvcc of CUDA 13, or clang"

program=$work/pairs
if [ "$with" = nvcc ]; then
	capture "${NVCC:-nvcc}" -std=c++17 -arch=compute_75 -g -lineinfo -cudart shared -o "$program" "$source"
else
	capture env NVCC=: "$simttutor" cc -g -o "$program" "$source"
fi
if [ ! -x "$program" ]; then
	fail "the pairs compile"
	finish
	exit
fi

# say FILE: the problems that a report has, one a line.
say() { grep -F '"serious":true' "$1" | sed 's/,"times":[0-9]*//'; }
# try NAME WITH ORDER: its problems go to $work/NAME.WITH.ORDER
try() {
	timeout 60 env LD_LIBRARY_PATH="$library" SIMTTUTOR_ORDER="$3" SIMTTUTOR_REPORT_JSON="$work/report.$2" "$program" "$1" "$2" > "$work/out.$2" \
		2> "$work/err.$2"
	echo $? > "$work/status.$2"
	say "$work/report.$2" > "$work/$2.$3"
	[ "$(cat "$work/status.$2")" = 0 ] || echo "status $(cat "$work/status.$2")" >> "$work/$2.$3"
}

sed -n 's|^	PAIR(\([a-z_]*\)) *// \([a-z]*\) \(.*\)|\1 \2 \3|p' "$source" > "$work/labels"
while read -r name kind text; do
	case " ${PAIR:-$name} " in *" $name "*) ;; *) continue ;; esac
	if [ "$with" = clang ] && grep -qxF "// clang-lacks: $name" "$source"; then
		skip "$name" "not found with clang"
		continue
	fi
	wrong=
	for order in first last late; do
		try "$name" with "$order" &
		try "$name" without "$order"
		wait
		[ -s "$work/without.$order" ] && wrong="$wrong
without the fault, $order: $(cat "$work/without.$order")"
		found=
		for line in $(grep -n "// at: $name\$" "$source" | cut -d: -f1); do
			grep -F "\"kind\":\"$kind\"," "$work/with.$order" | grep -F "\"file\":\"pairs.cu\",\"line\":$line," | grep -qF -- "$text" && found=yes
		done
		[ "$found" ] || wrong="$wrong
with the fault, $order, there is no $kind with '$text' in: $(cat "$work/with.$order")"
		cmp -s "$work/with.first" "$work/with.$order" || wrong="$wrong
$order differs: $(diff "$work/with.first" "$work/with.$order")"
	done
	report_none "$name" "$wrong"
done < "$work/labels"
[ "$(wc -l < "$work/labels")" -ge 40 ]
report $? "there are at least 40 pairs"
finish
