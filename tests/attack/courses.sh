#!/bin/sh
# Generated hostile courses and submissions: nothing crashes, hangs, writes elsewhere or reaches the terminal unescaped, and every lesson
# that is refused is named. 1,000 of seed 1; by hand: SEED=7 N=20000 tests/attack/courses.sh.
. "${top_srcdir:=.}/tests/tap.sh"
LC_ALL=C.UTF-8 PTXAS=: NVCC=: CLANG=: XDG_DATA_HOME=$work/own XDG_STATE_HOME=$work/state
export LC_ALL PTXAS NVCC CLANG XDG_DATA_HOME XDG_STATE_HOME
hostile=$top_builddir/tests/attack/hostile
seed=${SEED:-1} n=${N:-1000} batch=100
mkdir "$work/outside" && echo canary-content > "$work/outside/canary"
CANARY=$work/outside/canary && export CANARY
course=$work/course
"$top_builddir/tests/attack/courses" "$seed" "$n" "$course" || exit 99
listing() { (cd "$work" && find course outside | sort && cat outside/canary) | cksum; }
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
finish
