# What a stranger's names, definitions and folders can do by way of a compiler: nothing. And no compiler outlives us, or fills
# a disk.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8; export LC_ALL
# What the names and the sandbox do by themselves: confined, a command could not write its canary, nor the stand-in what it has seen
# (tests/attack/confine.sh).
SIMTTUTOR_CONFINE=no; export SIMTTUTOR_CONFINE
mkdir "$work/tmp" "$work/in"
TMPDIR=$work/tmp CANARY=$work/canary SEEN=$work/seen PTXAS=: XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/own
export TMPDIR CANARY SEEN PTXAS XDG_STATE_HOME XDG_DATA_HOME
real_nvcc=${NVCC:-:} real_clang=${CLANG:-:}
stand_in=$top_srcdir/tests/attack/stand-in-nvcc
NVCC=$stand_in CLANG=:
export NVCC CLANG
# What ends the sleep of every orphan is looked for: a number of seconds that nobody else sleeps.
mark=86123.$$
clean_up() {
	for pid in $(marked); do kill -9 "$pid" 2> /dev/null; done
	chmod -R u+rwx "$work" 2> /dev/null
	rm -rf "$work"
}
echo "$mark" > "$work/mark"
marked() { # the processes that sleep for that long
	grep -slF -f "$work/mark" /proc/[0-9]*/cmdline | sed 's|/proc/\(.*\)/cmdline|\1|'
}
nothing_is_left() { [ -z "$(marked)" ] && [ -z "$(ls -A "$TMPDIR")" ]; }
nothing_left() { nothing_is_left; }
# Where orphans do not become the keeper's, what leaves the compiler's group is nobody's, and the rest is not waited for.
if ! built_with HAVE_SYS_PRCTL_H; then
	mkdir "$work/bin" && printf '#!/bin/sh\nexec "$@"\n' > "$work/bin/setsid" && chmod +x "$work/bin/setsid"
	PATH=$work/bin:$PATH
	nothing_left() { soon nothing_is_left; }
fi
soon() { eventually 5 "$@"; }
harmless() { # no command has run
	[ ! -e "$CANARY" ] && return
	rm -f "$CANARY"
	return 1
}
shows() { # TEXT: what was printed names it, quoted or not
	cat "$work/out" "$work/err" | grep -qF -e "$1"
}
cu() { # FILE OPTION...
	file=$1
	shift
	capture timeout 60 "$simttutor" run "$file" --grid 1 --block 32 --arg 's32[32]' "$@"
}
kernel='__global__ void k(int *p) { p[threadIdx.x] = 7; }'
command='touch${IFS}$CANARY'

# --- names -----------------------------------------------------------------------------------------------------------
names="\$($command)
a\`$command\`
\";$command;\"
';$command;'
a;$command;
a|$command
a&$command&
a b
*
a\\
a?
-o
--version
@a
é
a%n"
# try WHICH: runs a file of each name, in a folder of each name, with the compiler that is set.
try() {
	wrong=
	while IFS= read -r name; do
		mkdir -p "$work/in/$name"
		printf '#include "one.h"\n%s\n' "$kernel" > "$work/in/$name/$name.cu"
		printf '#pragma once\n' > "$work/in/$name/one.h"
		cu "$work/in/$name/$name.cu"
		[ "$status" = 0 ] && harmless || wrong="$wrong [$name]"
		(cd "$work/in/$name" && cu "./$name.cu" && exit "$status")
		[ $? = 0 ] && harmless || wrong="$wrong [$name.cu]"
	done
	report_none "$1: names of files and folders are names and no commands" "$wrong"
}
printf '%s\n' "$names" > "$work/names"
try "a compiler that uses a shell" < "$work/names"
[ "$(grep -c 'simttutor-source\|^simttutor-kernel.cu\|^simttutor-kernel.ptx' "$SEEN")" = 3 ] && ! grep -qF "$work" "$SEEN"
report $? "it sees fixed names alone"
newline=$(printf 'a\n#error b')
printf '%s\n' "$kernel" > "$work/in/$newline.cu"
cu "$work/in/$newline.cu"; [ "$status" = 0 ] && harmless
report $? "a line break in a name is no line of the source"
printf 'b\n' > "$work/in/list"
cu "$work/in/missing\$($command).cu"; [ "$status" = 3 ] && harmless
report $? "nor is the name of a file that is missing run"

# --- definitions -----------------------------------------------------------------------------------------------------
for value in "\$($command)" "\`$command\`" "\";$command;\"" "';$command;'" ";$command;" "\\" '"' "-o x" "/*" "%s%n"; do
	cu "$work/in/a b/a b.cu" --define "X=$value"
	harmless
	report $? "--define with the value $value runs nothing"
done
for bad in '' '=' '1' 'a-b' 'a b=1' '-o' "x(y)=1" "X\$($command)" "$(printf 'X=1\n#include "/etc/hostname"')" "$(printf 'X=\033')"; do
	cu "$work/in/a b/a b.cu" --define "$bad"
	[ "$status" = 2 ] && harmless
	report $? "$(printf 'a definition that is none: %s' "$bad" | tr '\n\033' '??')"
done

# --- courses ---------------------------------------------------------------------------------------------------------
course() { # FOLDER LESSON: a course of one lesson
	mkdir -p "$1/lessons"
	cp -R "$top_srcdir/kernels" "$1/kernels"
	cp -R "$top_srcdir/lessons/10-banks" "$1/lessons/$2"
}
course "$work/course" "99-x\$($command)"
for dir in "98-x\`$command\`" "97-x;$command" "96-x\"" "95-x'" "94 x" "-x" "93-X" "92-é" "91-$(printf 'a\nb')" "90-$(printf '\033]0;t')"; do
	cp -R "$top_srcdir/lessons/10-banks" "$work/course/lessons/$dir"
done
cp -R "$top_srcdir/lessons/10-banks" "$work/course/lessons/10-banks"
capture env SIMTTUTOR_DATA="$work/course" "$simttutor" list
[ "$(printed err 'lower-case letters, digits and dashes'; echo $?)" = 0 ] && [ "$(grep -c '^ *10  *banks' "$work/out")" = 1 ] &&
	[ "$(grep -c 'lower-case letters' "$work/err")" = 11 ]
report $? "folders with other names are no lessons, each with its reason"
for lesson in 99 "x\$($command)" "99-x\$($command)" "98-x\`$command\`"; do
	capture env SIMTTUTOR_DATA="$work/course" "$simttutor" exercise "$lesson"
	capture env SIMTTUTOR_DATA="$work/course" "$simttutor" exercise "$lesson"
	[ "$status" = 2 ] && harmless
	report $? "an exercise of such a lesson: $lesson"
done
capture "$simttutor" lesson check --no-recorded "$work/course/lessons/99-x\$($command)"
[ "$status" = 1 ] && printed err 'lower-case letters' && harmless
report $? "lesson check says so"
capture "$simttutor" lesson new "$work/course/lessons/89-x\$($command)"
[ "$status" = 2 ] && printed err 'lower-case letters' && [ ! -e "$work/course/lessons/89-x\$($command)" ]
report $? "lesson new makes none"
hostile="$work/course\$($command)"
course "$hostile" 10-banks
banks() { # does the exercise of a course whose own folder has a hostile name
	rm -rf "$XDG_DATA_HOME"
	env SIMTTUTOR_DATA="$hostile" "$simttutor" exercise banks > /dev/null &&
		capture env SIMTTUTOR_DATA="$hostile" "$simttutor" exercise banks
	[ "$status" = 1 ] && harmless
}
banks
report $? "the folder of a course is no command"

# --- TMPDIR ----------------------------------------------------------------------------------------------------------
temporary() { # FOLDER: compiles there
	(TMPDIR=$1; export TMPDIR; cu "$work/in/a b/a b.cu" --format json; exit "$status")
}
for dir in "t\$($command)" "t\`$command\`" "t\";$command;\"" "t'" "t u" "t$(printf '\nv')" "té" 't$HOME'; do
	mkdir -p "$work/$dir"
	temporary "$work/$dir" && harmless && printed err 'TMPDIR: note: ' && [ -z "$(ls -A "$work/$dir")" ]
	report $? "TMPDIR is passed over: $dir"
done
ln -s "$work/t\$($command)" "$work/link"
temporary "$work/link" && harmless && printed err 'TMPDIR: note: '
report $? "so is a link to such a folder"
(cd "$work" && temporary tmp) && printed err 'it is relative'
report $? "and a relative one"
mkdir -m 0777 "$work/open" && chmod 0777 "$work/open"
temporary "$work/open" && printed err 'others may rename'
report $? "and one where others may rename ours"
if [ "$(id -u)" = 0 ]; then
	mkdir "$work/theirs" && chown 12345 "$work/theirs"
	temporary "$work/theirs" && printed err "another user's"
	report $? "and another user's"
else
	skip "and another user's" "only root can make one"
fi
temporary "$work/nowhere"
[ $? = 3 ] && printed err 'cannot be made'
report $? "one that is missing is an error"

# --- what a compiler is given ----------------------------------------------------------------------------------------
ACTS=$work/acts; export ACTS
acts() { cat > "$ACTS"; rm -f "$work/seen" "$work/noted"; }
NOTED=$work/noted; export NOTED
good=$work/in/good.cu
printf '%s\n' "$kernel" > "$good"
acts << 'END'
{
	umask; ulimit -c; stat -c %a .; [ "$(pwd -P)" = "$TMPDIR" ] && echo here
	IFS= read -r line || echo no input
	(: < /dev/tty) 2> /dev/null || echo no terminal
	ls /proc/self/fd | tr '\n' ' '
} > "$NOTED"
END
cu "$good" 9< "$work/names" < "$work/names"
[ "$status" = 0 ] && [ "$(head -n 6 "$NOTED" | tr '\n' ,)" = "0077,0,700,here,no input,no terminal," ] && [ "$(tail -n 1 "$NOTED")" = "0 1 2 3 " ]
report $? "a private folder, no input, no terminal, nothing that we have open"

# --- what it leaves --------------------------------------------------------------------------------------------------
export mark
acts << 'END'
sleep "$mark" &
setsid sleep "$mark" &
(trap '' TERM HUP INT; sleep "$mark") > /dev/null 2>&1 &
(setsid sh -c 'sleep "$mark" & sleep "$mark"' &)
nohup sleep "$mark" > /dev/null 2>&1 &
mkdir -p deep/er; echo > deep/er/file; ln -s / root; mkfifo pipe; mkdir shut; echo > shut/file; chmod 0 shut
END
cu "$good"; [ "$status" = 0 ] && nothing_left && [ -d / ]
report $? "whatever it leaves ends with it, and its folder goes"
SIMTTUTOR_COMPILER_SECONDS=1; export SIMTTUTOR_COMPILER_SECONDS
echo 'trap "" TERM INT HUP; while :; do sleep "$mark" & sleep "$mark"; done' | acts
cu "$good"; [ "$status" = 1 ] && printed err 'did not end within 1 s and was stopped' && printed err 'SIMTTUTOR_COMPILER_SECONDS' && nothing_left
report $? "one that never ends and ignores signals is stopped"
echo 'sleep "$mark" & exec yes "a flood of messages"' | acts
cu "$good"; [ "$status" = 1 ] && printed err 'printed more than 64 MiB and was stopped' && printed err 'more bytes of its messages are left out' &&
	[ "$(wc -c < "$work/err")" -lt 1100000 ] && nothing_left
report $? "of a flood of messages, the first MiB is printed"
if long; then
	echo 'kill -STOP $$' | acts
	cu "$good"; [ "$status" = 1 ] && printed err 'did not end within 1 s' && nothing_left
	report $? "one that is stopped is ended"
fi
unset SIMTTUTOR_COMPILER_SECONDS
acts << 'END'
i=0
while [ $((i += 1)) -lt 4 ]; do fallocate -l 100M file$i || dd if=/dev/zero of=file$i bs=1M count=100 2> /dev/null; done
sleep "$mark"
END
cu "$good"; [ "$status" = 1 ] && printed err 'wrote more than 256 MiB and was stopped' && nothing_left
report $? "one that fills its folder is stopped"
echo 'dd if=/dev/zero of=big bs=1M seek=300 count=1 2>&1; echo "dd: $?"; exit 1' | acts
cu "$good"; [ "$status" = 1 ] && printed err 'dd: 1' && nothing_left
report $? "no file grows beyond the limit"
echo 'kill -SEGV $$' | acts
cu "$good"; [ "$status" = 1 ] && printed err 'was ended by signal 11' && nothing_left
report $? "one that crashes"
echo 'exit 3' | acts
cu "$good"; [ "$status" = 1 ] && printed err 'cannot compile it and prints nothing: it ended with exit status 3' && nothing_left
report $? "one that fails without a word"
rm -f "$ACTS"; unset ACTS
NVCC=$(command -v true) cu "$good"
[ "$status" = 1 ] && printed err 'reports success, but has made no PTX; is it a compiler? NVCC names it' && nothing_left
report $? "NVCC=true is explained"
for bad in "$work/names" "$work" "$stand_in; $command" "\$($command)" ':'; do
	NVCC=$bad cu "$good"
	{ [ "$status" = 3 ] || [ "$status" = 1 ]; } && harmless && nothing_left
	report $? "NVCC names a program, and is no command: $(printf %s "$bad" | sed "s|$work||; s|$top_srcdir||")"
done
printf 'sleep 1\n' > "$work/no-program" && chmod +x "$work/no-program"
NVCC=$work/no-program cu "$good"; [ "$status" = 1 ] && printed err 'cannot be started' && nothing_left
report $? "one that the system cannot start"

for tool in NVCC CLANG; do
	while read -r bad why; do
		(NVCC=:; export "$tool=$bad"; cu "$good"; exit "$status")
		[ $? = 3 ] && said err "needs a compiler, and $tool names '$bad', $why" && nothing_left
		report $? "$tool names what is no program: $why"
	done <<-END
		/nonexistent/nvcc which does not exist
		/usr which is a folder
		/etc/passwd which is not executable
		no-such-compiler which is not in PATH
	END
done

# --- ptxas -----------------------------------------------------------------------------------------------------------
ptx() { # PTX OPTION...
	capture timeout 60 "$simttutor" run "$@" --grid 1 --block 32 --arg 's32[32]'
}
sed -n '/^\.version/,/^}/p' "$stand_in" > "$work/good.ptx"
printf '#!/bin/sh\nls -A > "$NOTED"; trap "" TERM; setsid sleep "$mark" & sleep "$mark"\n' > "$work/endless"
chmod +x "$work/endless"
(PTXAS=$work/endless SIMTTUTOR_COMPILER_SECONDS=1; export PTXAS SIMTTUTOR_COMPILER_SECONDS; ptx "$work/good.ptx"; exit "$status")
[ $? = 0 ] && printed out 'not known: ptxas did not end within 1 s and was stopped' && [ "$(cat "$NOTED")" = kernel.ptx ] && nothing_left
report $? "an assembler that never ends is stopped, and the run says so"
(PTXAS=$(command -v true); export PTXAS; ptx "$work/good.ptx"; exit "$status")
[ $? = 0 ] && printed out 'ptxas does not report them' && nothing_left
report $? "PTXAS=true is explained"
cat > "$work/complains" << 'END'
#!/bin/sh
printf 'ptxas kernel.ptx, line 1; error   : Pragma %s is unknown\n' "$(head -c 100000 /dev/zero | tr '\0' x)"
exit 255
END
chmod +x "$work/complains"
(PTXAS=$work/complains; export PTXAS; ptx "$work/good.ptx"; exit "$status")
said out 'ptxas rejects this PTX for CC 9.0: Pragma xxx' && [ "$(wc -c < "$work/out")" -lt 4000 ]
report $? "a long complaint of ptxas is cut"
real_ptxas=$(command -v ptxas || command -v "${real_nvcc%/nvcc}/ptxas")
if [ -n "$real_ptxas" ]; then
	awk 'BEGIN { name = "a"; while (length(name) < 10000000) name = name name; printf "%s", name }' > "$work/long"
	{
		sed -n '1,/^{/p' "$work/good.ptx"
		printf '.reg .u32 '; cat "$work/long"; printf ';\nmov.u32 '; cat "$work/long"; printf ', 1;\nret;\n}\n'
	} > "$work/long.ptx"
	(PTXAS=$real_ptxas SIMTTUTOR_COMPILER_SECONDS=1; export PTXAS SIMTTUTOR_COMPILER_SECONDS; ptx "$work/long.ptx"; exit "$status")
	[ $? -le 1 ] && nothing_left && { [ "$status" = 1 ] || printed out 'not known: ptxas did not end within 1 s and was stopped'; }
	report $? "a name of 10 MB takes ptxas no longer than its time"
	rm -f "$work/long" "$work/long.ptx"
else
	skip "a name of 10 MB takes ptxas no longer than its time" "there is no ptxas"
fi

# --- signals ---------------------------------------------------------------------------------------------------------
ACTS=$work/acts; export ACTS
printf 'setsid sleep "$mark" & sleep "$mark"\n' | acts
compiling() { [ -e "$SEEN" ] && [ -n "$(marked)" ]; }
begin() { # starts it, in the background, until it compiles; its number is in $pid
	rm -f "$SEEN"
	env --default-signal "$simttutor" run "$good" --grid 1 --block 32 --arg 's32[32]' > "$work/out" 2> "$work/err" &
	pid=$!
	soon compiling
}
if env --default-signal true 2> /dev/null; then
	for signal in INT:130 TERM:143 HUP:129 QUIT:131; do
		begin && kill -"${signal%:*}" "$pid"
		wait "$pid" 2> /dev/null
		[ $? = "${signal#*:}" ] && nothing_left
		report $? "${signal%:*} during a compilation ends the program and all of it"
	done
	begin && kill -KILL "$pid"
	wait "$pid" 2> /dev/null
	soon nothing_left
	report $? "a program that is killed takes its compiler along, and the folder"
	begin && (trap '' HUP; kill -HUP "$pid")
	wait "$pid" 2> /dev/null
	soon nothing_left
	report $? "once more"
else
	skip "signals" "env has no --default-signal"
fi
(trap '' INT; SIMTTUTOR_COMPILER_SECONDS=1 "$simttutor" run "$good" --grid 1 --block 32 --arg 's32[32]' > "$work/out" 2> "$work/err" & pid=$!
	soon compiling && kill -INT "$pid"; wait "$pid"; exit $?)
[ $? = 1 ] && printed err 'did not end within 1 s' && nothing_left
report $? "a signal that is ignored ends nothing"
rm -f "$ACTS"; unset ACTS

# The keeper, which the tool's parent is, and which would end what the tool leaves.
printf '#!/bin/sh\nsetsid sleep "$mark" & sleep "$mark"\n' > "$work/sleeper"
chmod +x "$work/sleeper"
parent_of() { sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status"; }
both_sleep() { [ "$(marked | wc -l)" -ge 2 ]; }
kill_keeper() { # CONFINE
	SIMTTUTOR_CONFINE=$1 NVCC=$work/sleeper "$simttutor" run "$good" --grid 1 --block 32 --arg 's32[32]' > "$work/out" 2> "$work/err" &
	pid=$!
	soon both_sleep && kill -KILL "$(parent_of "$(parent_of "$(marked | head -n 1)")")"
	wait "$pid"
	[ $? = 1 ] && printed err 'was interrupted' && soon nothing_left
}
if built_with HAVE_SYS_PRCTL_H; then
	kill_keeper no; report $? "where the keeper is killed, what the compiler left ends, too"
	kill_keeper yes; report $? "also where the starter made it"
else
	skip "where the keeper is killed, what the compiler left ends, too" "orphans become nobody's that would end them"
	skip "also where the starter made it" "there is no starter"
fi

# --- what was left before --------------------------------------------------------------------------------------------
left=simttutor-scratch-
mkdir -p "$TMPDIR/${left}AbCdE1/deep/er" "$TMPDIR/${left}AbCdE2" "$TMPDIR/${left}AbCdE34" "$TMPDIR/other" "$work/precious"
echo > "$TMPDIR/${left}AbCdE1/deep/er/file"; chmod 0 "$TMPDIR/${left}AbCdE1/deep"
echo > "$work/precious/file"
ln -s "$work/precious" "$TMPDIR/${left}AbCdE4"; ln -s "$work/precious" "$TMPDIR/${left}AbCdE1/link"
echo > "$TMPDIR/${left}AbCdE5"
flock "$TMPDIR/${left}AbCdE2" sh -c "cd '$work' && exec timeout 60 '$simttutor' run '$good' --grid 1 --block 32 --arg 's32[32]'" > "$work/out" 2> "$work/err"
[ "$(ls -A "$TMPDIR" | tr '\n' ' ')" = "other ${left}AbCdE2 ${left}AbCdE34 ${left}AbCdE4 ${left}AbCdE5 " ] && [ -f "$work/precious/file" ]
report $? "what a killed program left is removed; what is locked, a link or of another name stays"
rm -rf "$TMPDIR"; mkdir "$TMPDIR"

# --- real compilers --------------------------------------------------------------------------------------------------
few=1
! long || few=3
head -n $few "$work/names" > "$work/few"
for compiler in NVCC CLANG; do
	NVCC=: CLANG=:
	if [ $compiler = NVCC ]; then NVCC=$real_nvcc; else CLANG=$real_clang; fi
	eval "program=\$$compiler"
	if [ "$program" = : ]; then
		skip "$compiler: names of files and folders are names and no commands" "it is not here"
		continue
	fi
	try $compiler < "$work/few"
	cu "$work/in/$newline.cu"; [ "$status" = 0 ] && harmless
	report $? "$compiler: a line break in a name"
	printf '#include "beside.h"\n__global__ void k(int *p)\n{\n\tp[N] = %s;\n}\n' oops > "$work/in/a b/wrong.cu"
	printf '__device__ int f() { return other_oops; }\n' > "$work/in/a b/beside.h"
	(cd "$work/in" && cu "a b/wrong.cu" -D N=1; exit "$status")
	[ $? = 1 ] && printed err 'a b/wrong.cu' && printed err 'a b/beside.h' && grep -q 'wrong.cu[:(]4' "$work/err" && ! shows simttutor-s && ! shows "$TMPDIR"
	report $? "$compiler: messages name the reader's files and lines"
	long || [ $compiler = CLANG ] || [ "$real_clang" = : ] || continue # one compiler does for the rest
	printf '#include "beside.h"\n__global__ void k(int *p)\n{\n\tp[f()] = N;\n}\n' > "$work/in/a b/right.cu"
	printf '__device__ inline int f()\n{\n\treturn (*(int *)0x10) + 99;\n}\n' > "$work/in/a b/beside.h"
	(cd "$work/in" && cu "a b/right.cu" -D "N=(2 + 1)"; exit "$status")
	[ $? = 1 ] && printed out 'right.cu' && ! shows simttutor-s && ! shows "$TMPDIR"
	report $? "$compiler: so do defects"
	cu "$good" --define "X=\$($command)" --define "Y=\"" && harmless
	report $? "$compiler: definitions run nothing"
	banks
	report $? "$compiler: the folder of a course is no command"
	printf '#include "kernel.cu"\n#include "macros.h"\n#include "sub/one.h"\n#include <simt.h>\n__global__ void k(int *p)\n{\n\tp[threadIdx.x] = ONE + MACRO + N;\n\tASSERT(p[threadIdx.x] == 0);\n}\n' > "$work/in/own.cu"
	printf '#define MACRO 20\n' > "$work/in/macros.h"
	printf '#ifdef NDEBUG\n#define ASSERT(x)\n#else\n#error not first\n#endif\n' > "$work/in/kernel.cu"
	printf 'the wrong one' > "$work/in/simt.h"
	mkdir -p "$work/in/sub"; printf '#include "two.h"\n' > "$work/in/sub/one.h"; printf '#pragma once\n#define ONE 1\n' > "$work/in/sub/two.h"
	(cd "$work/in" && cu own.cu -DNDEBUG -D 'N=(100 * 1)' --format json --print 0; exit "$status")
	case $?$(at buffers.0) in '0[121,121,'*) ;; *) false ;; esac
	report $? "$compiler: the reader's own headers and macros are what they were"
	nothing_left
	report $? "$compiler: nothing is left"
done
finish
