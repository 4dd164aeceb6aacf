#!/bin/sh
# Generated hostile courses and submissions: nothing crashes, hangs, writes elsewhere or reaches the terminal unescaped, and every lesson
# that is refused is named. 300 of seed 1, in the long form 1,000; by hand: SEED=7 N=20000 tests/attack/courses.sh.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8 PTXAS=: NVCC=: CLANG=: XDG_DATA_HOME=$work/own XDG_STATE_HOME=$work/state
export LC_ALL PTXAS NVCC CLANG XDG_DATA_HOME XDG_STATE_HOME
hostile=$top_builddir/tests/attack/hostile
few=300
! long || few=1000
seed=${SEED:-1} n=${N:-$few} batch=100
mkdir "$work/outside" && echo canary-content > "$work/outside/canary"
CANARY=$work/outside/canary && export CANARY
course=$work/course
"$top_builddir/tests/attack/courses" "$seed" "$n" "$course" || exit 99
listing() { (cd "$work" && find course outside | sort && find course outside -type f -exec cksum {} + | sort) | cksum; }
before=$(listing)

# holds SECONDS COMMAND...: adds to $wrong what the command did that none may.
holds() {
	limit=$1
	shift
	capture timeout -s KILL "$limit" "$@" < /dev/null
	case $status in
	0 | 1 | 2 | 3) ;;
	*) wrong="$wrong
status $status: $*" ;;
	esac
	! grep -qE 'Sanitizer|runtime error:' "$work/err" || wrong="$wrong
sanitizer: $*"
	cat "$work/out" "$work/err" | "$hostile" judge 2> "$work/judged" || wrong="$wrong
$(head -n 1 "$work/judged"): $*"
	[ "$status" -eq 0 ] || [ -s "$work/err" ] || [ -s "$work/out" ] || wrong="$wrong
no reason: $*"
}

wrong= first=0
while [ $first -lt "$n" ]; do
	set --
	i=$first
	while [ $i -lt $((first + batch)) ] && [ $i -lt "$n" ]; do
		set -- "$@" "$course/lessons/$((i + 1))-h$i"
		i=$((i + 1))
	done
	holds 60 "$simttutor" lesson check --no-recorded "$@"
	first=$i
done
report_none "lesson check" "$wrong"

SIMTTUTOR_DATA=$course && export SIMTTUTOR_DATA
wrong=
holds 20 "$simttutor" list
holds 20 "$simttutor" list --format json
report_none "list" "$wrong"
wrong= i=0
while [ $i -lt "$n" ]; do
	lesson=$course/lessons/$((i + 1))-h$i
	case $((i / 23 % 3)) in
	0) holds 5 "$simttutor" show h$i ;;
	1) holds 5 "$simttutor" exercise h$i --check "$lesson/exercise/start.ptx" ;;
	2) holds 5 "$simttutor" run "$course/kernels/h$i.ptx" --grid 1 --block 32 --arg 'u32[64]' --arg u32:1 --steps 100000 ;;
	esac
	i=$((i + 23))
done
report_none "show, exercise --check and run" "$wrong"
[ "$(listing)" = "$before" ]
report $? "nothing was written in the course or outside"

# --- by hand: names of folders, nesting, size ------------------------------------------------------------------------------
rm -rf "$course"
mkdir -p "$course/lessons"
sound=$top_srcdir/lessons/04-predication
cp -R "$top_srcdir/kernels" "$course/kernels"
long_name=$(printf '%0200d' 0 | tr 0 a)
for name in 01 1- 1-- 01-A 99999999999999999999-a 1-a.b 1-.. -1-a "1-a b" "1-a
b" "$(printf '1-\033]0;t\a')" "$(printf '1-\342\200\256')" "$(printf '1-\377')" "1-\$(touch x)" "1-$long_name" 1-con; do
	cp -R "$sound" "$course/lessons/$name"
done
chmod -R u+w "$course"
wrong=
holds 5 "$simttutor" list
holds 5 "$simttutor" list --format json
for name in "1-a b" "$(printf '1-\033]0;t\a')" "1-\$(touch x)" "1-$long_name" 1-..; do
	holds 5 "$simttutor" lesson check --no-recorded "$course/lessons/$name"
	holds 5 "$simttutor" show "$name"
done
report_none "odd names of lessons' folders" "$wrong"

# refused NAME FILE: the lesson whose FILE is $work/made ends within 5 s with an error of lesson check that names that file
refused() {
	rm -rf "$course/lessons"/*
	cp -R "$top_srcdir/lessons/03-divergence" "$sound" "$course/lessons"
	chmod -R u+w "$course/lessons"
	cat "$work/made" > "$course/lessons/04-predication/$2"
	wrong= files=$(listing)
	for command in "lesson check $course/lessons/04-predication" "show predication" "list"; do
		# shellcheck disable=SC2086
		holds $seconds "$simttutor" $command
		case $command$status in list* | show*0) continue ;; esac
		[ "$status" -ne 0 ] && grep -qF "$2" "$work/err" || wrong="$wrong
$command does not name it: status $status $(head -c 200 "$work/err")"
	done
	[ "$(listing)" = "$files" ] || wrong="$wrong
the course was changed"
	report_none "$1" "$wrong"
}
seconds=5
grep -q '^#define SIMT_SANITIZED' "$top_builddir/config.h" && seconds=60
repeat() { yes "$2" | head -n "$1" | tr -d '\n'; }
front() { sed '/^takeaway/,$d' "$sound/lesson.md"; }
{ front; printf 'odd: '; repeat 50000 '['; printf '\n---\n'; } > "$work/made"
refused "50,000 opened lists in the front matter" lesson.md
{ front; printf 'odd: '; repeat 50000 '{a: '; printf '\n---\n'; } > "$work/made"
refused "50,000 opened mappings in it" lesson.md
{ cat "$sound/lesson.md"; repeat 100000 '> '; echo; } > "$work/made"
refused "100,000 quotations in each other" lesson.md
{ cat "$sound/lesson.md"; repeat 300000 '[*_`'; echo; } > "$work/made"
refused "1.2 MB of marks that are not closed" lesson.md
{ cat "$sound/lesson.md"; repeat 20000000 a; } > "$work/made"
refused "a lesson of 20 MB" lesson.md
{ printf '{"format": 1, "machines": '; repeat 100000 '['; } > "$work/made"
refused "100,000 opened lists in a recording" recorded.json
{ printf '{"format": 1, "machines": "'; repeat 70000000 a; printf '"}'; } > "$work/made"
refused "a recording of 70 MB" recorded.json
finish
