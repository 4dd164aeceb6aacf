#!/bin/sh
# The lessons line by line: what a screen reader, or a terminal that cannot place the cursor, is given.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data LC_ALL=C.UTF-8
export XDG_STATE_HOME XDG_DATA_HOME LC_ALL

say() {
	printf '%s\n' "$@" >"$work/said"
	"$simttutor" --gpu none learn --linear banks/2 <"$work/said" >"$work/out" 2>"$work/err"
	status=$?
}
shows() {
	grep -q -e "$2" "$work/out"
	report $? "$1"
}

say numbers picture 'lane 17' 'bank 3' 'lane 99' 'set stride=4' picture 'lane 1' 7 hint 4 picture 'set stride=5' frob
report "$status" "it ends with its input"
shows "the step is read" '^Bank conflicts, step 2 of 7: '
shows "its question" '^Question\. How many wavefronts'
shows "numbers" '^wavefronts / request: predicted 2, measured '
shows "the picture in words" '^Wavefront 2 serves lanes 16–31\.$'
shows "a lane" '^Lane 17 wants word 34, bank 2, wavefront 2 of 2'
shows "a bank" '^Bank 3 is idle'
shows "no such lane" '^Which? Lanes and banks are 0 to 31'
shows "a parameter" '^stride is 4 words\.$'
[ "$(grep -c '^Covered: ' "$work/out")" -eq 2 ]
report $? "what answers the question is covered, picture and lane"
shows "a wrong answer" '^That is not it'
shows "a hint" '^Hint: '
shows "the right answer" '^Right\.'
shows "the picture that was asked about" '^Wavefront 4 serves lanes 24–31\.$'
shows "a value that there is not" 'stride'
shows "no such command" '^There is no such command'
[ ! -s "$work/err" ]
report $? "nothing on standard error"

printf '%s\n' numbers >"$work/said"
"$simttutor" --gpu none learn --linear banks/1 <"$work/said" >"$work/out" 2>"$work/err"
shows "one of a unit" '^wavefronts / request: predicted 1, measured 1 wavefront\.$'

say again
grep -q 'Type your answer' "$work/out" && status=1
report "$status" "the answer is remembered"
say '' back list 'open sectors/2' 'picture sectors' 'sector 0' help quit numbers
shows "an empty line goes on" '^Bank conflicts, step 3 of 7: '
shows "the list" '^sectors: .* questions answered\.$'
shows "another lesson" '^Sectors, step 2 of 7: '
shows "its picture" '^Sector 0 of cache line +0: '
shows "help" '^set: set NAME=VALUE'
[ "$(tail -1 "$work/out")" = 'Anything else is the answer to the question.' ]
report $? "quit ends it"
# Three lessons from their first step to the solved exercise, with what a reader would do in each step. An answer of each question is
# tried only: they are asked again.
walk_lesson() { # LESSON FOLDER STEPS
	{
		step=1
		while [ $step -lt "$3" ]; do
			printf '%s\n' picture numbers hint 1 2 uncover again ''
			step=$((step + 1))
		done
		echo edit
	} >"$work/said"
	"$simttutor" --gpu none learn --linear "$1/1" <"$work/said" >"$work/out" 2>"$work/err" && [ ! -s "$work/err" ] || return 1
	grep -q "^Pictures: " "$work/out" && ! grep -q 'There is no such picture' "$work/out" &&
		grep -q ", step $3 of $3: " "$work/out" || return 1
	file=$(sed -n 's/^Edit this file, then say check: //p' "$work/out")
	[ -f "$file" ] || return 1
	grep -q '^Not solved yet\.$' "$work/out" || return 1
	cp "$top_srcdir/lessons/$2/exercise/solution.cu" "$file"
	printf '%s\n' check '' >"$work/said"
	"$simttutor" --gpu none learn --linear "$1/$3" <"$work/said" >"$work/out" 2>"$work/err"
	grep -q '^Solved\.$' "$work/out" && grep -q '^The end of the lesson ' "$work/out" && grep -q '^reached: .* (.*)$' "$work/out"
}
for walked in 'sectors 05-sectors 7' 'divergence 03-divergence 6' 'padding 11-padding 6'; do
	if [ -n "$(command -v nvcc)$(command -v clang)" ]; then
		# shellcheck disable=SC2086 # words
		walk_lesson $walked
		report $? "${walked%% *} from its first step to the solved exercise"
	else
		skip "${walked%% *} from its first step to the solved exercise" "there is no compiler"
	fi
done
say uncover
shows "where nothing is covered, that is said" '^Nothing is covered here\.$'
# The playground, from a lesson, and back.
say 'try lane*2' picture 'lane+' 'access global st 8' 'lane*4' tried 'access sideways' leave again
shows "an expression is tried" '^shared ld, 4 bytes per lane, the element of each lane: lane\*2\.$'
shows "what the hardware does" 'So the model predicts 1 request'
shows "its picture in words" '^Wavefront 2 serves lanes'
shows "an error at its place" '^At character 6: '
shows "another access" '^global st, 8 bytes per lane, the element of each lane: lane'
shows "any line is an expression there" '^global st, 8 bytes per lane, the element of each lane: lane\*4\.$'
shows "what was tried" '^global st 8: lane\*4$'
shows "no such access" '^access SPACE OP BYTES'
[ "$(grep -c '^Bank conflicts, step 2 of 7: ' "$work/out")" -eq 3 ]
report $? "the lesson is as it was"
grep -q -x 'global st 8 lane\*4' "$work/data/simttutor/playground/history"
report $? "what was tried is kept"
printf '%s\n' kernel numbers quit | NVCC=: CLANG=: "$simttutor" --gpu none play --linear >"$work/out" 2>"$work/err"
report $? "the playground's kernel"
shows "where it is edited" '^Edit this file, then say kernel: .*/playground/kernel\.ptx$'
shows "it is launched" '^stride is 2\.$'
shows "its numbers" '^wavefronts / request: predicted 2 wavefronts, measured: no GPU'
printf '%s\n' numbers quit | "$simttutor" --gpu none learn --linear aos-soa/3 >"$work/out" 2>"$work/err"
shows "an estimate says so, and between what it lies" '^time: predicted about [0-9.]* ([0-9.]* to [0-9.]*), measured [0-9.]* us\.$'
printf '%s\n' numbers 'picture compare' quit | "$simttutor" --gpu none learn --linear transpose/3 >"$work/out" 2>"$work/err"
shows "two settings, one after the other" \
	'^store sectors / request: turn_tile predicted 4, measured 4 sectors; turn_direct predicted 32, measured 32 sectors\.$'
shows "and their lines" '^turn_direct, line [0-9]*: out\['
printf '%s\n' numbers quit | "$simttutor" --gpu none learn --linear bandwidth/5 >"$work/out" 2>"$work/err"
shows "a second GPU beside the first" '^time: predicted about .*, measured [0-9.]* us, [0-9.]* us on H100\.$'
shows "and which that is" '^H100: recorded on NVIDIA H100 80GB HBM3, [-0-9]*\.$'
# Every view of every lesson has words.
"$simttutor" list | sed -n 's/^ \{0,2\}[0-9.]*  *\([a-z0-9-]*\):.*/\1/p' >"$work/lessons"
while read -r lesson; do
	echo "open $lesson/2"
	printf 'picture %s\n' banks sectors source numbers sweep lanes defect occupancy schedule blocks mask atomics shuffle
done <"$work/lessons" >"$work/said"
"$simttutor" --gpu none learn --linear <"$work/said" >"$work/out" 2>&1
report $? "pictures of all lessons in words"
grep -q 'There is no such picture' "$work/out" && status=1
[ "$(grep -c . "$work/out")" -gt 1000 ]
report $? "and they have some"
# A worker with nothing to do lets its GPU go while a reader thinks, and is there again.
mkfifo "$work/typed"
"$simttutor" --gpu "command:echo \$\$ >> '$work/workers'; exec '$top_builddir/tests/fake-worker' ok" --gpu-idle 5 learn --linear banks/2 <"$work/typed" >"$work/out" 2>&1 &
reader=$!
exec 3>"$work/typed"
echo measure >&3
eventually 60 grep -q live "$work/out"
report $? "it measures"
is_gone() { ! kill -0 "$(sed -n 1p "$work/workers")" 2>/dev/null; }
eventually 60 is_gone
report $? "and lets its GPU go, while nothing is typed"
printf 'next\nmeasure\nquit\n' >&3
exec 3>&-
wait $reader
reader=$? workers=$(wc -l <"$work/workers")
[ $reader = 0 ] && [ "$workers" = 2 ]
report $? "a new worker measures the next"
[ $reader = 0 ] && [ "$workers" = 2 ] || note "exit status $reader, $workers workers, the end of what was printed:
$(tail -n 30 "$work/out")"
finish
