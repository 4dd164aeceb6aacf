# Whole CUDA programs of tests/programs, built with nvcc against NVIDIA's runtime and with clang alone (tests/local.mk), and run with ours.
# PROGRAM=NAME: that one alone.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
programs=$top_srcdir/tests/programs
built=$top_builddir/tests/programs
library=$top_builddir/src/runtime
if nm "$library/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
with_nvcc=false
with_clang=false
case $("${NVCC:-nvcc}" --version 2> /dev/null) in *"release 13."*) with_nvcc=true ;; esac
case $("${CLANG:-clang}" --version 2> /dev/null) in *"clang version 1"[4-9]*) with_clang=true ;; esac
$with_nvcc || $with_clang || skip_all "needs nvcc of CUDA 13, or clang"

words() { sed -n "s|^// $1: ||p" "$source"; }
# judge PROGRAM TEST: how it was built, and how it runs.
judge() {
	if [ ! -x "$1" ]; then
		: > "$work/out"
		cp "$1.log" "$work/err"
		fail "$2 compiles"
		return
	fi
	check=$(words check)
	devices=$(words devices)
	capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_CHECK="${check:-default}" SIMTTUTOR_DEVICES="${devices:-1}" SIMTTUTOR_PAGEABLE="$(words pageable)" timeout 60 "$1" $(words args)
	wanted=$(words status)
	words out > "$work/wanted"
	wrong=
	[ "$status" = "${wanted:-0}" ] || wrong="status $status, not ${wanted:-0}"
	cmp -s "$work/out" "$work/wanted" || wrong="$wrong
$(diff "$work/wanted" "$work/out")"
	words says > "$work/says"
	while read -r text; do
		grep -qF -- "$text" "$work/err" || wrong="$wrong
no '$text' in: $(cat "$work/err")"
	done < "$work/says"
	[ -s "$work/says" ] || [ ! -s "$work/err" ] || wrong="$wrong
$(cat "$work/err")"
	report_none "$2" "$wrong"
}
for source in "$programs"/*.cu; do
	name=${source##*/}
	name=${name%.cu}
	case $name in *-part) continue ;; esac
	case " ${PROGRAM:-$name} " in *" $name "*) ;; *) continue ;; esac
	if $with_nvcc; then judge "$built/$name" "$name"; fi
	if $with_clang && [ -z "$(words clang-lacks)" ]; then judge "$built/$name.clang" "$name by clang"; fi
done

# What a program and itself, started again, have in common lies in a folder of that run.
case " ${PROGRAM:-api-ipc} " in *" api-ipc "*)
	source=$programs/api-ipc.cu
	program=$built/api-ipc
	$with_nvcc || program=$program.clang
	words out > "$work/wanted"
	capture env SIMTTUTOR_PROGRAMS=yes timeout 60 "$simttutor" run "$program"
	[ "$status" = 0 ] && cmp -s "$work/out" "$work/wanted"
	report $? "two processes of a confined program have memory in common"
	mkdir -m 755 "$work/shared"
	capture env SIMTTUTOR_SHARED="$work/shared" LD_LIBRARY_PATH="$library" timeout 60 "$program"
	printed err "is not used for memory that processes share: it is not this user's alone"
	report $? "a folder that others can read is not used for that"
	;;
esac

if [ -n "${PROGRAM:-}" ]; then
	[ "$tap_count" -gt 0 ]
	report $? "tests/programs has $PROGRAM"
fi
if ! $with_nvcc || [ -n "${PROGRAM:-}" ]; then
	finish
	exit 0
fi
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_CC=79 "$built/errors"
printed err 'SIMTTUTOR_CC=79 is not known; it is 90 (known: 75, 80, '
report $? "a device that nobody made is refused"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_CC=75 "$built/shared-memory"
[ "$(cat "$work/out")" = "65536 bytes for a block
65536 static and dynamic: no error
65552: invalid argument" ]
report $? "a block has the shared memory of the device asked for"

capture sh -c 'ulimit -v 4000000; LD_LIBRARY_PATH=$1 exec "$2"' sh "$library" "$built/vector-add"
sed -n 's|^// out: ||p' "$programs/vector-add.cu" | cmp -s - "$work/out" && printed err ' MiB of memory, not 143155'
report $? "where a process may have few addresses, the device has less memory"

here=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 1024))
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_DEVICE_MEMORY=1048576 "$built/device-memory" all
if [ "$here" -gt 1048000 ]; then
	skip "memory that this machine does not have" "it has more than 1 TiB"
else
	has '^more than all: out of memory$' && has '^1048576 MiB in all, free: at most that$' &&
		printed err "1048448 MiB of device memory are not there: the device has 1048576 MiB, as the H200, but this machine has $here in all, of which $((here - 64)) are left"
	report $? "memory that this machine does not have"
fi

# As nvcc compresses the PTX, or does not.
source=$programs/vector-add.cu
words out > "$work/wanted"
for mode in none speed size; do
	capture env LD_LIBRARY_PATH="$library" "$built/vector-add.$mode"
	if printed err 'this build cannot read'; then
		skip "PTX in programs, compressed: $mode" "built without that library"
		continue
	fi
	[ "$status" = 0 ] && cmp -s "$work/out" "$work/wanted"
	report $? "PTX in programs, compressed: $mode"
done
for at in 8 9 12 15; do # of a container, in its size
	cp "$built/vector-add.speed" "$work/damaged"
	offset=$(LC_ALL=C grep -abo "$(printf '\120\355\125\272')" "$built/vector-add.speed" | tail -n 1 | cut -d: -f1)
	printf '\377' | dd of="$work/damaged" bs=1 seek=$((offset + at)) conv=notrunc 2> /dev/null
	capture env LD_LIBRARY_PATH="$library" "$work/damaged"
	[ "$status" -lt 128 ] || break
done
[ "$status" -lt 128 ]
report $? "a damaged container of device code is no crash"
capture env LD_LIBRARY_PATH="$library" "$built/vector-add.sass"
printed err 'it has machine code alone, and no PTX'
report $? "a program without PTX is told so"
finish
