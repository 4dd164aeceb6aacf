# Reads and writes that do less than was asked for, are interrupted or not ready; calls of the system that fail; memory that is
# exhausted: tests/attack/inject.c makes them, at one call after the other of representative commands. A command then prints and
# writes what it does without, or ends with a sentence and a status that is not 0. It never crashes or hangs, and a file has its
# old bytes or the new ones.
#
# By default a sample of the calls, in check-attack a larger one; with INJECT_THOROUGH=1, for a quarter of an hour, far more of them, and
# more commands.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
inject=$top_builddir/tests/attack/inject.so
if grep -q '^#define SIMT_SANITIZED' "$top_builddir/config.h" 2> /dev/null; then
	skip_all "a sanitizer has a malloc of its own"
fi
[ -f "$inject" ] || skip_all "tests/attack/inject.so is not built"
LC_ALL=C XDG_STATE_HOME=$work/here/state XDG_DATA_HOME=$work/here/data TMPDIR=$work/tmp
export LC_ALL XDG_STATE_HOME XDG_DATA_HOME TMPDIR
PTXAS=$work/none HUNSPELL=$work/none CLANG=$work/none NVCC=$top_srcdir/tests/attack/stand-in-nvcc SEEN=$work/seen
export PTXAS HUNSPELL CLANG NVCC SEEN
mkdir "$TMPDIR" "$work/clean" "$work/old"
thorough=${INJECT_THOROUGH:-}
set -f # launches have [ and *
kernels=$top_srcdir/kernels
# Of the course, two small lessons.
mkdir -p "$work/course/lessons"
ln -s "$kernels" "$work/course/kernels"
ln -s "$top_srcdir/lessons/03-divergence" "$top_srcdir/lessons/04-predication" "$top_srcdir/lessons/template.md" "$work/course/lessons"
SIMTTUTOR_DATA=$work/course
export SIMTTUTOR_DATA
stride="$kernels/shared_stride.ptx --grid 1 --block 32 --arg u32[1024]:iota --arg u32[32] --arg u32:2 --arg u32:32"

# --- one run -------------------------------------------------------------------------------------------------------------

# The command under test: $arguments for simttutor, started by $within, if by anything, which writes $files. $programs are meant.
go() { # SETTING...
	[ -z "$files" ] || reset_files
	env LD_PRELOAD="$inject" INJECT_PROGRAMS="$programs" "$@" timeout -s KILL 20 $within "$simttutor" $arguments \
		> "$work/printed" 2> "$work/err" < /dev/null
	status=$?
	sed 's/ in [0-9.]* ms more$//; s/"more_ms": [0-9.]*//' "$work/printed" > "$work/out" # what is never the same
}
reset_files() {
	rm -rf "$work/here"
	mkdir -p "$work/here/sub" "$work/here/state/simttutor"
	for file in $files; do
		[ ! -f "$work/old/${file##*/}" ] || cp "$work/old/${file##*/}" "$work/here/$file"
	done
}

# What is wrong with the last run, in words; nothing: it is as it should be.
judge() {
	if [ "$status" -eq 129 ] && [ "$within" ]; then
		: # the terminal is gone
	elif [ "$status" -gt 123 ]; then
		echo "status $status, a crash or no end"
	elif [ "$status" -eq "$clean_status" ]; then
		is_clean || says_why || echo "printed something else, status $status: $(head -c 200 "$work/err")"
	elif ! grep -q '^simttutor: .' "$work/err"; then
		echo "status $status without a sentence: $(head -c 200 "$work/err")"
	elif [ "$status" -eq 71 ] && ! grep -q 'simttutor: out of memory$' "$work/err"; then
		echo "status 71 without its sentence"
	fi
	[ -z "$within" ] || [ "$status" -eq 129 ] || judge_terminal
	if [ "$class" = curses ] && [ "$status" -ne "$clean_status" ] && [ "$status" -ne 71 ] && [ "$status" -ne 3 ]; then
		echo "status $status, not 71: $(head -c 200 "$work/err")"
	fi
	[ -z "$files" ] || judge_files
}
but_left() { sed '/^left: /d; /^the terminal is back$/d' "$1"; }
# What is left on a terminal to which the last of all could not be written is judged below.
is_clean() {
	cmp -s "$work/out" "$work/clean/out" && return
	[ "$within" ] && [ "$class" = write ] && but_left "$work/out" > "$work/rest" && but_left "$work/clean/out" | cmp -s - "$work/rest"
}
# Where nothing can be written to it any more, its modes are back at least.
judge_terminal() {
	grep -q '^left: ' "$work/out" || return 0
	if [ "$class" = write ]; then grep '^left: modes' "$work/out"; else grep '^left: ' "$work/out"; fi
}

# What cannot be read may be missing, with the reason in the words of the system.
# A debugger that cannot begin anew goes on where it is, and says so.
says_why() {
	cat "$work/out" "$work/err" > "$work/both"
	grep -q 'The launch cannot be started again: ' "$work/both" ||
		{ { [ "$class" != alloc ] || [ "$programs" != simttutor ]; } && grep -qE "$reasons" "$work/both"; }
}
reasons='the worker (ended|closed)|was interrupted|Input/output error|No space left|Too many open files|Disk quota exceeded|temporarily unavailable'
judge_files() {
	for file in $files; do
		now=$work/here/$file old=$work/old/${file##*/} new=$work/clean/${file##*/}
		if [ ! -e "$now" ] && [ -e "$old" ]; then
			echo "$file is gone"
		elif [ "$judges" ]; then
			$judges
		elif [ -e "$now" ] && ! cmp -s "$now" "$new" && ! { [ -e "$old" ] && cmp -s "$now" "$old"; }; then
			echo "$file is neither old nor new"
		elif [ "$status" -eq 0 ] && [ "$clean_status" -eq 0 ] && ! cmp -s "$now" "$new"; then
			echo "$file is not new, and the status is 0"
		fi
	done
	find "$work/here" -name '.simttutor-new-*' | sed 's/.*/a temporary file is left/'
}

# --- a command under all of them -----------------------------------------------------------------------------------------

# numbers COUNT: of the calls that are to fail: each of the first, then fewer and fewer, and some at random.
numbers() {
	awk -v count="$1" -v thorough="$thorough" -v part="$(long && echo 2 || echo 1)" 'BEGIN {
		factor = thorough ? (count > 1000 ? 1.1 : 1.02) : (count > 1000 ? 5 : 3) / part
		for (n = 1; n <= count; n = int(n * factor) > n ? int(n * factor) : n + 1)
			print n
		srand(12)
		for (i = 0; i < (thorough ? 100 : part * part) && count > 20; i++)
			print 1 + int(rand() * count)
	}' | sort -nu
}

each_failure() { # CLASS [ERROR]
	class=$1
	count=$(sed -n "s/^$1 //p" "$work/clean/count")
	for n in $(numbers "${count:-0}"); do
		odd=$((1 - ${odd:-0}))
		for on in $([ "$odd" -eq 1 ] && echo once) $([ "$odd" -eq 0 ] || [ "$thorough" ] && echo onward); do
			on=${on#once} on=${on:++}
			go "INJECT_FAIL=$1:$n$on${2:+:$2}"
			wrong=$(judge)
			[ -z "$wrong" ] || echo "INJECT_FAIL=$1:$n$on${2:+:$2}: $wrong"
		done
	done
}

each_interruption() {
	class=
	for setting in INJECT_SHORT=one INJECT_SHORT=random INJECT_EAGAIN=2; do
		go "$setting" INJECT_EINTR=3
		wrong=$(judge)
		[ "$status" -eq "$clean_status" ] || wrong="$wrong status $status, not $clean_status: $(head -c 300 "$work/err")"
		[ -z "$wrong" ] || echo "$setting: $wrong"
	done
}

# attack NAME CLASS... -- ARGUMENTS
attack() {
	name=$1 wanted=
	shift
	while [ "$1" != -- ]; do
		wanted="$wanted $1"
		shift
	done
	shift
	arguments=$*
	rm -rf "$work/clean"
	mkdir "$work/clean"
	go "INJECT_COUNT=$work/clean/count"
	clean_status=$status
	cp "$work/out" "$work/clean/out"
	for file in $files; do
		[ ! -f "$work/here/$file" ] || cp "$work/here/$file" "$work/clean/${file##*/}"
	done
	# a worker is ended by the front end, before it could say how much it called
	[ "$programs" = simttutor ] || printf 'alloc 2000\nread 9\nwrite 9\nthread 1\n' > "$work/clean/count"
	[ "$status" -eq "$expected" ] && [ -s "$work/clean/count" ]
	report $? "$name: without"
	report_none "$name: interrupted, in pieces, not ready" "$(each_interruption)"
	for class in $wanted; do
		report_none "$name: $class fails" "$(each_failure ${class%:*} $(printf '%s' "$class" | sed -n 's/.*://p'))"
	done
}

programs=simttutor files= expected=0 within= judges=
attack "list" alloc open read write -- list
attack "show" alloc open read write -- show predication/2 --format svg
attack "run" alloc open read write thread -- run $stride --cores 2
attack "run, JSON" alloc write -- run $stride --format json
printf 'step 3\nreverse-step\nshow\n' > "$work/commands"
attack "debug" alloc read write -- debug $stride --commands "$work/commands"
attack "lesson check" alloc open read write -- lesson check "$work/course/lessons/04-predication"
if [ "$thorough" ]; then
	attack "metrics" alloc write -- metrics --format json
	SIMTTUTOR_DATA=$top_srcdir
	attack "list, the whole course" alloc open read -- list
	attack "exercise" alloc open read write -- exercise --check "$top_srcdir/lessons/10-banks/exercise/solution.ptx" banks
	SIMTTUTOR_DATA=$work/course
fi

# --- other processes -----------------------------------------------------------------------------------------------------

mkdir "$work/source"
printf '#include "own.h"\n__global__ void k() {}\n' > "$work/source/k.cu"
echo > "$work/source/own.h"
attack "a compiler" alloc open read write close fork pipe mkdir -- \
	run "$work/source/k.cu" --grid 1 --block 32 --define A=1 --arg u32[1]
for behavior in machine count; do
	printf '#!/bin/sh\nexec %s %s\n' "$fake" "$behavior" > "$work/$behavior"
	chmod +x "$work/$behavior"
done
attack "live" alloc open read write fork pipe -- run $stride --gpu "command:$work/machine" --format json
if [ -d "$top_builddir/tests/fake-cuda/lib" ] && [ -x "$worker" ]; then
	printf '#!/bin/sh\nLD_LIBRARY_PATH=%s/tests/fake-cuda/lib exec %s\n' "$top_builddir" "$worker" > "$work/worker"
	chmod +x "$work/worker"
	programs=simttutor-gpu expected=1 # the driver that stands in computes nothing
	attack "live, the worker" alloc read write thread -- run $stride --gpu "command:$work/worker" --format json
	programs=simttutor expected=0
fi

# --- files ---------------------------------------------------------------------------------------------------------------

file_classes='open write fsync close:EIO rename:EDQUOT'
files=probed.ptx
attack "probe --output" $file_classes -- probe $stride --output "$work/here/probed.ptx"
echo '// by somebody' > "$work/old/probed.ptx"
attack "probe --output --force" alloc $file_classes -- probe $stride --output "$work/here/probed.ptx" --force
files=sub/lesson.md
attack "lesson new" $file_classes mkdir -- lesson new "$work/here/sub"
files=new/lessons/01-one/lesson.md
judge_folders() { # where only the answer could not be printed, the lesson is there, whole
	if [ "$status" -eq 0 ] || grep -q '^simttutor: standard output: cannot write' "$work/err"; then
		cmp -s "$now" "$new" || echo "$file is not new, and the status is $status"
	elif [ -e "$work/here/new" ]; then
		echo "folders are left"
	fi
}
judges=judge_folders
attack "lesson new, in new folders" $file_classes mkdir -- lesson new "$work/here/new/lessons/01-one"
judges=
files=sub/04-predication/recorded.json
[ "$thorough" ] && classes="alloc $file_classes fork pipe" || classes="fsync rename:EDQUOT"
attack "record" $classes -- record predication --gpu "command:$work/count" --output "$work/here/sub"

# The tutor, on a terminal, with progress to save.
files=state/simttutor/progress.json within="$top_builddir/tests/attack/drive nQ"
cat > "$work/old/progress.json" << 'END'
{"format": 1, "lessons": {"banks": {"step": 2, "visited": ["one"], "answered": []}}}
END
judge_progress() {
	[ "$("$top_builddir/tests/json-get" lessons.banks.step < "$now" 2>&1)" = 2 ] || echo "progress is lost"
	if [ "$status" -eq 0 ] && ! cmp -s "$now" "$new" && ! said err "progress is not kept this time"; then
		echo "progress is not saved, and the status is 0"
	fi
}
judges=judge_progress LC_ALL=C.UTF-8
attack "learn" alloc curses $file_classes read pipe -- learn predication/1
files= judges= within="$top_builddir/tests/attack/drive sncTzq"
attack "debug, on a terminal" alloc curses read pipe -- debug $stride
finish
