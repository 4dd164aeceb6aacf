# Programs of the driver API, tests/driver: they load libcuda.so.1 and find its functions by name, as bindings of other languages do.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
programs=$top_srcdir/tests/driver
library=$top_builddir/src/runtime
if nm "$library/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
words() { sed -n "s|^[/#]* $1: ||p" "$source"; }
# judge COMMAND...: what it prints and says.
judge() {
	capture env LD_LIBRARY_PATH="$library" timeout 60 "$@"
	words out > "$work/wanted"
	wrong=
	if [ -n "$(words needs)" ] && printed err 'is not installed'; then
		skip "$name" "needs $(words needs)"
		return
	fi
	[ "$status" = 0 ] || wrong="status $status"
	cmp -s "$work/out" "$work/wanted" || wrong="$wrong
$(diff "$work/wanted" "$work/out")"
	words says > "$work/says"
	while read -r text; do
		grep -qF -- "$text" "$work/err" || wrong="$wrong
no '$text' in: $(cat "$work/err")"
	done < "$work/says"
	[ -s "$work/says" ] || [ ! -s "$work/err" ] || wrong="$wrong
$(cat "$work/err")"
	report_none "$name" "$wrong"
}
for source in "$programs"/*.c; do
	name=${source##*/}
	if ! ${CC:-cc} -std=gnu11 -w -o "$work/program" "$source" -ldl > "$work/out" 2> "$work/err"; then
		fail "$name compiles"
		continue
	fi
	judge "$work/program"
done
source=$programs/compiled.c
if ${CC:-cc} -std=gnu11 -w -o "$work/program" "$source" -ldl; then
	capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_NVRTC=/no/such/file "$work/program"
	printed err 'NVRTC, which does that, is not installed' && printed out 'nvrtcCreateProgram: error 11'
	report $? "without NVRTC one sentence says so"
fi
if ${CC:-cc} -std=gnu11 -w -o "$work/program" "$programs/graphs.c" -ldl; then
	capture env SIMTTUTOR_PROGRAMS=yes timeout 60 "$simttutor" run "$work/program"
	printed out 'captured: 30 31 32 0' && printed err '3 launches, no problems' && printed err 'add<<<1, 3>>>'
	report $? "run runs such a program, and reports on it"
fi
if [ "${NVCC-}" != : ] && "${NVCC:-nvcc}" -arch=compute_75 -o "$work/program" "$top_srcdir/tests/programs/vector-add.cu" > "$work/out" 2>&1; then
	capture env LD_LIBRARY_PATH="$library" timeout 60 "$work/program"
	printed err 'a runtime of NVIDIA'
	report $? "a program with NVIDIA's runtime in it is told so"
else
	skip "a program with NVIDIA's runtime in it is told so" "needs nvcc"
fi
source=$programs/bindings.py
name=bindings.py
if python3 -c 'import ctypes' 2> /dev/null; then
	judge python3 "$source"
else
	skip "$name" "needs python3 with ctypes"
fi
finish
