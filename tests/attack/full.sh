# Standard output that takes nothing, or is closed: every command says so and ends with a status that is not 0, in every format; and
# no file that is opened meanwhile gets the output.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8 XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data PTXAS=$work/none HUNSPELL=$work/none
export LC_ALL XDG_STATE_HOME XDG_DATA_HOME PTXAS HUNSPELL
set -f # launches have [ and *
stride="$top_srcdir/kernels/shared_stride.ptx --grid 1 --block 32 --arg u32[1024]:iota --arg u32[32] --arg u32:2 --arg u32:32"
mkdir -p "$work/course/lessons"
ln -s "$top_srcdir/kernels" "$work/course/kernels"
for lesson in 03-divergence 04-predication 10-banks; do ln -s "$top_srcdir/lessons/$lesson" "$work/course/lessons"; done
SIMTTUTOR_DATA=$work/course
export SIMTTUTOR_DATA
echo show > "$work/commands"
printf '#!/bin/sh\nexec %s count\n' "$fake" > "$work/count"
chmod +x "$work/count"

{
	echo --version
	echo help
	echo list
	echo list --json
	for format in text ansi svg html json; do echo show predication/2 --format $format; done
	echo learn
	echo learn predication/2
	for format in text json; do
		echo run "$stride" --format $format
		echo access --space shared --op ld --format $format lane
		echo metrics --format $format
		echo doctor --gpu none --format $format
		echo doctor --gpu "command:$work/count" --format $format
		echo exercise --format $format --check "$top_srcdir/lessons/10-banks/exercise/solution.ptx" banks
		echo probe "$stride" --format $format
	done
	echo exercise --hint 1 banks
	echo exercise --solution banks
	echo debug "$stride" --commands "$work/commands"
	echo lesson check "$top_srcdir/lessons/04-predication"
	echo record predication --check --gpu "command:$work/count"
	echo validate occupancy --live --gpu "command:$work/count"
	"$simttutor" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1 --help/p'
} > "$work/list"

wrong=
while read -r arguments; do
	"$simttutor" $arguments > /dev/full 2> "$work/err" < /dev/null
	status=$?
	[ $status -ne 0 ] && [ $status -lt 100 ] && printed err 'standard output: cannot write: No space left on device' ||
		wrong="$wrong$status $arguments: $(head -n 1 "$work/err")
"
done < "$work/list"
report_none "a full output is an error of every command" "$wrong"
wrong=
while read -r arguments; do
	"$simttutor" $arguments >&- 2> "$work/err" < /dev/null
	status=$?
	[ $status -ne 0 ] && [ $status -lt 100 ] && printed err 'standard output: cannot write: ' ||
		wrong="$wrong$status $arguments: $(head -n 1 "$work/err")
"
done < "$work/list"
report_none "a closed one, too" "$wrong"

"$simttutor" probe $stride --output "$work/good.ptx" > /dev/null
"$simttutor" probe $stride --output "$work/probed.ptx" <&- >&- 2>&-
cmp -s "$work/probed.ptx" "$work/good.ptx"
report $? "no file becomes an output that was closed"
capture "$simttutor" run - --grid 1 --block 32 <&-
[ "$status" -ne 0 ] && printed err 'standard input: cannot read'
report $? "a closed input is an error"
finish
