# The example of a job for a git host does what it says: its commands are run on what solves the exercise, and on what does not.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) NVCC=: && export NVCC ;;
*) skip_all "needs clang" ;;
esac
job=$top_srcdir/doc/examples/check-exercise.yml
PATH=$top_builddir:$PATH
export PATH
mkdir "$work/pushed" && cd "$work/pushed" || exit 99

# command PATTERN: the one command of the job with that in it.
command_of() { sed -n "s/^.* run: \(.*$1.*\)/\1/p" "$job"; }
[ "$(command_of 'simttutor exercise' | wc -l)" = 1 ] && [ "$(command_of 'simttutor run' | wc -l)" = 1 ]
report $? "the job has a command for a kernel and one for a program"

cp "$top_srcdir/lessons/10-banks/exercise/solution.cu" banks.cu
capture sh -c "$(command_of 'simttutor exercise')"
ends 0 && grep -q '"solved": *true' verdict.json
report $? "a solution passes, with a verdict"
cp "$top_srcdir/lessons/10-banks/exercise/start.cu" banks.cu
capture sh -c "$(command_of 'simttutor exercise')"
[ "$status" = 1 ] && grep -q '"solved": *false' verdict.json
report $? "the kernel as it was does not"
cp "$top_srcdir/tests/programs/vector-add.cu" homework.cu
capture sh -c "$(command_of 'simttutor run')"
ends 0 && [ -s report.txt ]
report $? "a program that is right passes, with a report"
cp "$top_srcdir/tests/programs/homework.cu" .
capture sh -c "$(command_of 'simttutor run')"
[ "$status" = 9 ] && grep -q 'race' report.txt
report $? "one with a race does not"

# The talk of ten minutes takes them, and can be given on any machine.
talk=$top_srcdir/doc/examples/banks.talk
seconds=$(awk '$1 == "wait" || $1 == "measured" { all += $2 } END { print all }' "$talk")
[ "$seconds" -ge 570 ] && [ "$seconds" -le 630 ]
report $? "the talk takes ten minutes: $seconds s"
sed 's/^goto/show\n&/; s/^quit/show\n&/' "$talk" > "$work/talk"
capture "$simttutor" --gpu none present banks --commands "$work/talk" --size 100x30
[ "$status" = 0 ] && [ "$(grep -c 'Bank conflicts [1-7]/7' "$work/out")" = 7 ] && [ "$(grep -c 'warning: not measured' "$work/err")" = 2 ]
report $? "it is given to its end, without a GPU as well"
finish
