# Standard output that takes nothing, or is closed: every command says so and ends with a status that is not 0, in every format; and
# no file that is opened meanwhile gets the output. A pipe that nobody reads any more is the end, without a word.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8 XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data PTXAS=$work/none HUNSPELL=$work/none
export LC_ALL XDG_STATE_HOME XDG_DATA_HOME PTXAS HUNSPELL
set -f # launches have [ and *
stride="$top_srcdir/kernels/shared_stride.ptx --grid 1 --block 32 --arg u32[1024]:iota --arg u32[32] --arg u32:2 --arg u32:32"
mkdir -p "$work/course/lessons"
ln -s "$top_srcdir/kernels" "$work/course/kernels"
cp -R "$top_srcdir/templates" "$work/course/"
chmod -R u+w "$work/course/templates"
ln -s "$top_srcdir/lessons/template.md" "$work/course/lessons/"
for lesson in 03-divergence 04-predication 10-banks; do ln -s "$top_srcdir/lessons/$lesson" "$work/course/lessons"; done
SIMTTUTOR_DATA=$work/course
export SIMTTUTOR_DATA
echo show > "$work/commands"
mkdir -p "$work/class/anna"
cp "$top_srcdir/lessons/10-banks/exercise/solution.ptx" "$work/class/anna/banks.ptx"
ln -s anna "$work/class/bert"
echo '{"format": 1, "lessons": {}}' > "$work/class/anna/progress.json"
printf 'numbers\npicture\nhelp\n' > "$work/input" # standard input of all
sed 's/r=[^ ]*/r=0/' "$top_srcdir/tests/validate/h200.txt" | head -n 40 > "$work/recording"
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
	echo learn --linear predication/2
	echo play --linear
	echo play --linear lane
	echo explore --linear "$stride"
	for format in text ansi svg html; do echo explore "$stride" --format $format; done
	echo book predication
	for edition in reader handout instructor; do
		for format in html md pdf-ready; do echo book --edition $edition --format $format predication; done
	done
	for format in text csv json; do echo class collect --format $format "$work/class"; done
	echo course new "$work/made/course"
	echo course list
	echo lesson new --title Mine "$work/made/01-mine"
	echo new "$work/made/homework"
	for shell in bash zsh fish; do echo completion $shell; done
	for section in commands keys; do echo help --man $section; done
	echo validate occupancy patterns --live --count 20 --format json --gpu "command:$work/count"
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

# each OUTPUT FITS: every command with its standard output OUTPUT, a redirection or a pipe; FITS judges $status and $work/err.
each() {
	wrong=
	while read -r arguments; do
		rm -rf "$work/made"
		eval "{ \"\$simttutor\" \$arguments; echo \$? 2> /dev/null > \"\$work/status\"; } $1" 2> "$work/err" < "$work/input"
		status=$(cat "$work/status")
		"$2" || wrong="$wrong$status $arguments: $(head -n 1 "$work/err")
"
	done < "$work/list"
}
complains() { [ $status -eq 1 ] && printed err "standard output: cannot write: $reason"; }
reason='No space left on device'
each '> /dev/full' complains
report_none "a full output is an error of every command" "$wrong"
reason=
each '>&-' complains
report_none "a closed one, too" "$wrong"

# What each has to say to standard error anyway; a row for each, so that the two runs are of the same.
mkdir "$work/said"
row=0
keep() { row=$((row + 1)) && cp "$work/err" "$work/said/$row" && echo $status > "$work/said/$row.status"; }
each '> /dev/null' keep
row=0
is_silent() {
	row=$((row + 1))
	cmp -s "$work/err" "$work/said/$row" && { [ "$status" -eq 1 ] || [ $status -eq "$(cat "$work/said/$row.status")" ]; }
}
fails_silently() { is_silent && [ "$status" -ne 0 ]; }
mkfifo "$work/pipe"
exec 8<> "$work/pipe" 9> "$work/pipe" 8<&- # nobody reads it
each '>&9' fails_silently
exec 9>&-
report_none "a pipe that nobody reads is the end of every command, without a word" "$wrong"
row=0
each '| head -n 1 > /dev/null' is_silent
report_none "| head is silent" "$wrong"

asked='{"seq":1,"type":"request","command":"initialize","arguments":{}}'
printf 'Content-Length: %d\r\n\r\n%s' ${#asked} "$asked" | "$simttutor" debug --dap > /dev/full 2> "$work/err"
status=$?
complains
report $? "a full output is an error of the debugger of editors"

"$simttutor" probe $stride --output "$work/good.ptx" > /dev/null
"$simttutor" probe $stride --output "$work/probed.ptx" <&- >&- 2>&-
cmp -s "$work/probed.ptx" "$work/good.ptx"
report $? "no file becomes an output that was closed"
capture "$simttutor" run - --grid 1 --block 32 <&-
[ "$status" -ne 0 ] && printed err 'standard input: cannot read'
report $? "a closed input is an error"
finish
