# What is confined does not get at what it has no need of: a compiler, and the program itself. Each call that is forbidden is made, from
# within, and fails.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8; export LC_ALL
forbidden=$top_builddir/tests/attack/forbidden
capture "$simttutor" doctor --gpu none --json
abi=$("$top_builddir/tests/json-get" confinement.landlock_abi < "$work/out") || abi=0
filters=$("$top_builddir/tests/json-get" confinement.seccomp < "$work/out") || filters=false
note "Landlock ABI $abi, seccomp $filters"
[ "$abi" -gt 0 ] && [ "$filters" = true ] || skip_all "this kernel lacks Landlock or seccomp"

OUTSIDE=$work/outside INSIDE=$work/inside OWN=$work/own TMPDIR=$work/tmp XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data
export OUTSIDE INSIDE OWN TMPDIR XDG_STATE_HOME XDG_DATA_HOME
mkdir "$OUTSIDE" "$INSIDE" "$OWN" "$TMPDIR"
chmod 755 "$work"
echo secret > "$OUTSIDE/secret"
echo victim > "$OUTSIDE/victim"
echo readable > "$INSIDE/readable"
cp /bin/true "$OUTSIDE/true"
ls -l "$OUTSIDE" > "$work/before"
sleep 600 &
VICTIM=$! && export VICTIM
clean_up() {
	kill "$VICTIM" ${endless:+"$endless"} 2> /dev/null
	rm -rf "$work"
}
unharmed() { # nothing outside has changed, and the victim lives
	ls -l "$OUTSIDE" | diff "$work/before" - && kill -0 "$VICTIM"
}
held() { # every call ended as it should, and there were so many
	! grep WRONG "$work/out" "$work/err" && [ "$(cat "$work/out" "$work/err" | grep -c '^right')" -ge 45 ] && unharmed
}

# --- by the kernel that is here, and as by older ones ----------------------------------------------------------------------
try_abi() { # ABI NAME
	if [ "$1" -gt "$abi" ]; then
		skip "$2" "this kernel's Landlock is of ABI $abi"
		return
	fi
	capture "$forbidden" "$1" 0
	[ "$status" = 0 ] && held; report $? "$2"
}
try_abi "$abi" "confined with all that the kernel has, a process gets at nothing else"
try_abi 2 "nor with Landlock of ABI 2, as in Debian 12, where seccomp guards sizes of files, TCP and signals"
try_abi 1 "nor with that of ABI 1"
try_abi 5 "nor with that of ABI 5, before signals"
sanitized=false
"$forbidden" --is-sanitized && sanitized=true
report_unless_sanitized() { # STATUS NAME REASON
	if $sanitized; then skip "$2" "$3"; else report "$1" "$2"; fi
}
capture "$forbidden" 0 0
[ "$status" = 0 ] && printed out 'right make_socket: EPERM' && printed out 'right truncate_path: EPERM' &&
	printed out 'right execute_anything: EPERM' && printed out 'right trace_victim: EPERM'
report_unless_sanitized $? "seccomp alone closes sockets, sizes, programs and other processes" \
	"a sanitizer's leak checker stops its threads by ptrace, which is allowed in its builds"
echo victim > "$OUTSIDE/victim"; ls -l "$OUTSIDE" > /dev/null
rm -rf "$OUTSIDE/new" "$OUTSIDE/folder" "$OUTSIDE/link" "$OUTSIDE/fifo" "$OUTSIDE/renamed"
ls -l "$OUTSIDE" > "$work/before"

# --- compilers ---------------------------------------------------------------------------------------------------------------
mkdir "$work/source"
printf '__global__ void k(int *p) { p[threadIdx.x] = 7; }\n' > "$work/source/k.cu"
compile() { # OPTION...
	capture timeout 60 "$simttutor" run "$work/source/k.cu" --grid 1 --block 32 --arg 's32[32]' "$@"
}
tool_report() { # STATUS NAME
	report_unless_sanitized "$1" "$2" "a sanitizer's shadow memory is more than a compiler's limit of address space"
}
export NVCC="$forbidden" CLANG=: PTXAS=:
unset OWN
echo readable > "$work/source/readable"
INSIDE=$work/source
compile; [ "$status" = 0 ] && held; tool_report $? "a compiler gets at nothing but what is installed, the source's folder and its own"
INSIDE=$work/inside; export OWN="$work/own"
compile; printed err 'WRONG read_inside: EACCES' && printed err 'WRONG write_own: EACCES'
tool_report $? "nor at another folder that is the reader's"
unset OWN
compile --source "$work/inside"; [ "$status" = 0 ] && held; tool_report $? "--source lets it read one"
SIMTTUTOR_COMPILER_READS=/nonexistent:$work/inside; export SIMTTUTOR_COMPILER_READS
compile; [ "$status" = 0 ] && held; tool_report $? "and so does SIMTTUTOR_COMPILER_READS"
unset SIMTTUTOR_COMPILER_READS
printf '#!/bin/sh\ncat "$OUTSIDE/secret"\nexec "%s" "$@"\n' "$top_srcdir/tests/attack/stand-in-nvcc" > "$work/nvcc"
chmod +x "$work/nvcc"
SEEN=/dev/null NVCC=$work/nvcc SIMTTUTOR_CONFINE=no compile; printed err secret; report $? "SIMTTUTOR_CONFINE=no turns it off"
SEEN=/dev/null NVCC=$work/nvcc compile; ! printed err ^secret; report $? "and only that"

# --- the program itself -------------------------------------------------------------------------------------------------------
unset NVCC CLANG
cat > "$work/endless.ptx" << 'END'
.version 6.3
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p)
{
again:
	bra again;
}
END
"$simttutor" run "$work/endless.ptx" --grid 8 --block 32 --arg 's32[32]' --steps 100000000000 > /dev/null 2>&1 &
endless=$!
threads_are_confined() { [ "$(cat /proc/$endless/task/*/status | grep -c '^Seccomp:[[:space:]]*2')" -ge 2 ]; }
eventually 5 threads_are_confined
cat /proc/$endless/task/*/status > "$work/out"
kill "$endless"; wait "$endless" 2> /dev/null; endless=
[ "$(grep -c '^Name:' "$work/out")" -gt 0 ] && ! grep '^Seccomp:' "$work/out" | grep -v '2$' &&
	! grep '^NoNewPrivs:' "$work/out" | grep -v '1$'
report $? "while a kernel runs, the program and its threads are under seccomp, without new privileges"

# Those that wait for a worker, which says nothing and lives longer than they are watched.
cp "$top_srcdir/kernels/shared_stride.ptx" "$work/source/k.ptx"
waits_confined() { # COMMAND...
	"$simttutor" "$@" --gpu "command:exec sleep 60" > /dev/null 2>&1 &
	waiting=$!
	eventually 4 grep -q '^Seccomp:[[:space:]]*2$' "/proc/$waiting/status"
	grep -E '^(Seccomp|NoNewPrivs):' "/proc/$waiting/status" | tr -d '\t' | tr '\n' ' ' > "$work/out"
	kill "$waiting"; wait "$waiting" 2> /dev/null
	printed out 'NoNewPrivs:1 Seccomp:2'
	report $? "$1 is confined while it waits for a worker"
}
waits_confined doctor
waits_confined probe "$work/source/k.ptx" --grid 1 --block 32 --arg 'u32[1024]:iota' --arg 'u32[32]' --arg u32:2 --arg u32:32
waits_confined record --check predication
waits_confined validate instructions --count 1

# A course of two lessons, of which one is elsewhere, by a link: which is followed to what may not be read.
lesson=04-predication # soon checked
mkdir "$work/course" "$work/course/lessons"
cp -r "$top_srcdir/lessons/$lesson" "$top_srcdir/lessons/10-banks" "$work/course/lessons"
cp -r "$top_srcdir/kernels" "$work/course"
chmod -R u+w "$work/course"
mv "$work/course/lessons/$lesson/lesson.md" "$OUTSIDE/lesson.md"
ln -s "$OUTSIDE/lesson.md" "$work/course/lessons/$lesson/lesson.md"
SIMTTUTOR_DATA=$work/course; export SIMTTUTOR_DATA
refuses() { # COMMAND...: it cannot read the lesson, and could without confinement
	capture timeout 60 "$simttutor" "$@"
	cat "$work/out" "$work/err" | grep -q 'lesson.md: cannot open: Permission denied' || return 1
	SIMTTUTOR_CONFINE=no capture timeout 60 "$simttutor" "$@"
	! cat "$work/out" "$work/err" | grep 'Permission denied'
}
id=${lesson#*-}
refuses list; report $? "list reads no lesson that lies elsewhere"
refuses show "$id"; report $? "nor does show"
refuses exercise --hint 1 "$id"; report $? "nor does exercise"
refuses lesson check --no-recorded "$work/course/lessons/$lesson"; report $? "nor does lesson check"
mkdir "$work/beside" && cp -r "$work/course/lessons/$lesson" "$work/beside"
cp "$OUTSIDE/lesson.md" "$work/beside/lesson.md" && ln -sf ../lesson.md "$work/beside/$lesson/lesson.md"
refuses lesson check --no-recorded "$work/beside/$lesson"; report $? "nor what lies beside the lesson"
refuses record --check "$id" --gpu "command:'$top_builddir/tests/fake-worker' ok"; report $? "nor does record"
capture "$simttutor" "$id"
! printed err "simttutor learn $id" && ! SIMTTUTOR_CONFINE=no "$simttutor" "$id" 2> "$work/err" && printed err "simttutor learn $id"
report $? "nor does the search for a command that there is not"
unset SIMTTUTOR_DATA

# A recording that leads elsewhere is neither read nor replaced.
recorded=$work/recorded/04-predication/recorded.json
mkdir -p "${recorded%/*}"
ln -s "$OUTSIDE/secret" "$recorded"
capture timeout 60 "$simttutor" record predication --force --output "$work/recorded" --gpu "command:'$top_builddir/tests/fake-worker' count"
grep -q 'recorded.json: cannot .*Permission denied' "$work/err" && grep -q secret "$OUTSIDE/secret"; report $? "record writes nowhere else by way of links"

# What is started for it is the reader's choice, and not confined.
capture timeout 60 "$simttutor" show "$id" --gpu "command:cat '$OUTSIDE/secret' > '$work/worker'; exec '$top_builddir/tests/fake-worker' ok"
grep -q secret "$work/worker"; report $? "the worker is not confined"

# --- as a user ----------------------------------------------------------------------------------------------------------------
as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
name="a user's process gets at nothing else either"
if [ "$(id -u)" -eq 0 ] && $as_user "$forbidden" --list-gpu-arch > /dev/null 2>&1; then
	export OWN="$work/own"
	chown -R 65534:65534 "$work/outside" "$OWN"
	ls -l "$OUTSIDE" > "$work/before"
	$as_user sleep 600 &
	users_victim=$!
	VICTIM=$users_victim capture $as_user "$forbidden" "$abi" 0
	kill "$users_victim"
	[ "$status" = 0 ] && held; report $? "$name"
else
	skip "$name" "it takes root, setpriv and folders that others can read"
fi

finish
