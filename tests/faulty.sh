# Whole programs with a planted fault each (tests/programs/faulty): the report names it at its line; and those without faults have none.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
programs=$top_srcdir/tests/programs
library=$top_builddir/src/runtime
command -v "${NVCC:-nvcc}" > /dev/null || skip_all "needs nvcc"
if nm "$library/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
case $("${NVCC:-nvcc}" --version) in
*"release 13."*) ;;
*) skip_all "the library is CUDA 13's" ;;
esac
grep -q '^#define HAVE_LIBDW' "$top_builddir/config.h" || skip_all "built without libdw"

words() { sed -n "s|^// $1: ||p" "$source"; }
built=$top_builddir/tests/programs/faulty
mkdir -p "$built"
build() { # NAME: unless it is there from an earlier run
	[ "$built/$1" -nt "$source" ] || "${NVCC:-nvcc}" -std=c++17 -arch=compute_75 -g -lineinfo -cudart shared -o "$built/$1" \
		"$source" > "$work/log" 2>&1
}
run() { # NAME
	check=$(words check)
	devices=$(words devices)
	rm -f "$work/report"
	capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_CHECK="${check:-default}" SIMTTUTOR_DEVICES="${devices:-1}" \
		SIMTTUTOR_REPORT_JSON="$work/report" timeout 60 "$built/$1"
}

for source in "$programs"/faulty/*.cu; do
	name=${source##*/}
	name=${name%.cu}
	if ! build "$name"; then
		cp "$work/log" "$work/err"
		fail "$name compiles"
		continue
	fi
	run "$name"
	wanted=$(words status)
	wrong=
	[ "$status" = "${wanted:-0}" ] || wrong="status $status, not ${wanted:-0}"
	words fault > "$work/faults"
	while read -r label; do
		line=$(printf '%s\n' "$label" | grep -o ' [0-9][0-9]* ' | head -n 1 | tr -d ' ')
		kind=${label%% $line *}
		text=${label#"$kind $line "}
		grep -F "\"kind\":\"$kind\"," "$work/report" | grep -F "\"file\":\"$name.cu\",\"line\":$line," | grep -qF -- "$text" ||
			wrong="$wrong
no $kind at $line with '$text' in: $(cat "$work/report")"
	done < "$work/faults"
	report_none "$name" "$wrong"
done

# As simttutor cc compiles, by clang alone.
if command -v "${CLANG:-clang}" > /dev/null; then
	for name in past-the-end double-free host-reads-device unwritten; do
		source=$programs/faulty/$name.cu
		NVCC=: "$top_builddir/simttutor" cc -g -o "$built/$name.clang" "$source" > "$work/log" 2>&1
		run "$name.clang"
		label=$(words fault | head -n 1)
		line=$(printf '%s\n' "$label" | grep -o ' [0-9][0-9]* ' | head -n 1 | tr -d ' ')
		grep -F "\"kind\":\"${label%% $line *}\"," "$work/report" | grep -qF "\"file\":\"$name.cu\",\"line\":$line,"
		report $? "$name, by clang alone"
	done
fi

# Nothing is wrong with these.
for name in vector-add matmul life managed host-memory api-waits api-mapped-flag api-host-functions api-default-streams api-two-streams api-graph-built api-graph-branches \
	api-graph-conditions api-hand-over pointers api-threads api-advice api-registered; do
	source=$programs/$name.cu
	[ -x "$top_builddir/tests/programs/$name" ] || continue
	built=$top_builddir/tests/programs
	run "$name"
	report_none "$name: nothing that counts" "$(grep '"serious":true' "$work/report")"
done

# What is looked at, where the report goes, and the status.
built=$top_builddir/tests/programs
if [ -x "$built/api-hand-over" ]; then # kernels that end in another order than they began
	capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_REPORT=- "$built/api-hand-over"
	sed -n 's/^ *\([0-9][0-9]*\) .*<<<.*>>>.*/\1/p' "$work/err" > "$work/numbers"
	[ "$(wc -l < "$work/numbers")" -ge 5 ] && sort -n "$work/numbers" | cmp -s - "$work/numbers"
	report $? "the report has launches in the order in which they were asked for"
fi
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_REPORT=- SIMTTUTOR_LAUNCHES=2-3 "$built/life"
[ "$(grep -c 'not looked at' "$work/err")" -ge 1 ] && grep -q '^ *2  *2  .*<<<.*>>>' "$work/err"
report $? "launches that nobody asked for are not looked at"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_REPORT=- SIMTTUTOR_CHECK=race,none "$built/homework"
printed err 'homework.cu:19: race: ' && printed err 'part[t] += part[t + half];' && ! printed err 'rows'
report $? "a list of checks; a defect is shown at its line, with its text"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_REPORT=- SIMTTUTOR_CHECK=rice "$built/homework"
printed err 'SIMTTUTOR_CHECK=rice is none of default' && ! printed err 'race: '
report $? "a list of checks that is none"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_REPORT=- SIMTTUTOR_CHECK=none "$built/stencil-halo"
[ "$(grep -c 'were never freed' "$work/err")" = 1 ] && printed err 'in 8 allocations' && printed err '80 launches, no problems, 1 leak'
report $? "leaks of one line are one; launches of one line are a row"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_REPORT="$work/text" SIMTTUTOR_ERROR_EXITCODE=42 "$built/faulty/double-free"
[ "$status" = 42 ] && grep -q 'What was wrong:' "$work/text"
report $? "a status of its own for programs with problems"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_ERROR_EXITCODE=42 "$built/faulty/leak"
[ "$status" = 0 ]
report $? "a leak may be meant"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_ERROR_EXITCODE=42 SIMTTUTOR_CHECK=strict "$built/faulty/leak"
[ "$status" = 42 ]
report $? "unless one is strict"
finish
