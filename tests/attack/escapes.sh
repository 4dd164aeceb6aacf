#!/bin/sh
# What strangers write controls no terminal: strings with every kind of control sequence, more than 10,000 in check-attack, through
# every way from a file, a name or a far side to an output. Commands run on a terminal whose every byte is judged by tests/attack/hostile.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
. "$top_srcdir/tests/attack/hostile.sh" || exit 99

# --- the judge itself -------------------------------------------------------------------------------------------------
"$hostile" bytes 1 10 > "$work/out"
judged 10 2> /dev/null
[ $? -eq 1 ]
report $? "the judge refuses the strings as they are"
printf 'a\033[1;38;5;7mb\033[0m\tc\n' > "$work/out"
judged 0
report $? "the judge allows colors"

# --- what a kernel prints ---------------------------------------------------------------------------------------------
prints=6000
"$hostile" ptx 7 $prints > "$work/k.ptx"
"$hostile" printed 7 $prints > "$work/printed"
watched $prints "$simttutor" run "$work/k.ptx" --grid 1 --block 1
report $? "what a kernel prints is escaped on a terminal"
grep -qF '\x1b]52;c;c2V0\x07' "$work/out" && grep -qF '\u202e' "$work/out" && grep -qF '\x9b31337J' "$work/out"
report $? "what a kernel prints can be read there"
capture "$simttutor" run "$work/k.ptx" --grid 1 --block 1
{ echo "k prints:" && cat "$work/printed"; } > "$work/expected"
head -c "$(wc -c < "$work/expected")" "$work/out" | cmp -s - "$work/expected"
report $? "what a kernel prints goes into a pipe as it is"
! watched 0 "$simttutor" run "$work/k.ptx" --grid 1 --block 1 --raw &&
	LC_ALL=C tr -d '\r' < "$work/out" > "$work/raw" && LC_ALL=C tr -d '\r' < "$work/expected" | head -c 1000 | cmp -s -n 1000 - "$work/raw"
report $? "run --raw prints it as it is on a terminal, too"
watched 0 "$simttutor" run "$work/k.ptx" --grid 1 --block 1 --format json &&
	LC_ALL=C tr -d '\r' < "$work/out" | "$hostile" member output 2>> "$work/err" | cmp - "$work/printed" 2>> "$work/err"
report $? "JSON on a terminal has no controls, and has every byte of what a kernel prints"
printf 'c\nshow\nshow source\n' > "$work/commands"
watched $prints "$simttutor" debug "$work/k.ptx" --grid 1 --block 1 --commands "$work/commands"
report $? "debug --commands: what a kernel prints"
"$hostile" watch --screen --keys 'sssjjc?qqq' "$simttutor" debug "$work/k.ptx" --grid 1 --block 1 > "$work/out" 2> "$work/err"
report $? "debug on the screen: what a kernel prints"

# --- lines of source --------------------------------------------------------------------------------------------------
lines=600
"$hostile" printed 11 $lines | LC_ALL=C tr '\n\r' '  ' | LC_ALL=C sed 's/z \(K[0-9]\{6\}\)/z\n\1/g' > "$work/comments"
{
	printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %%r<2>;\n'
	LC_ALL=C sed 's,^,\tmov.u32 %r1\, 1; // ,' "$work/comments"
	printf '\tret;\n}\n'
} > "$work/comments.ptx"
watched 0 "$simttutor" run "$work/comments.ptx" --grid 1 --block 1
report $? "the lines of a PTX file"
watched 0 "$simttutor" run "$work/comments.ptx" --grid 1 --block 1 --format json && LC_ALL=C tr -d '\r' < "$work/out" > "$work/json" &&
	"$top_builddir/tests/json-get" outcome < "$work/json" > /dev/null 2>> "$work/err"
report $? "the lines of a PTX file in JSON"
"$hostile" watch --screen --keys 'sssjjq' "$simttutor" debug "$work/comments.ptx" --grid 1 --block 1 > "$work/out" 2> "$work/err"
report $? "the lines of a PTX file on the debugger's screen"
{
	printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %%r<2>;\n'
	head -n 90 "$work/comments" | LC_ALL=C sed 's,^,\tnonsense.u32 %r1\, 1; // ,'
	printf '\tret;\n}\n'
} > "$work/wrong.ptx"
watched 1 "$simttutor" run "$work/wrong.ptx" --grid 1 --block 1
report $? "the lines that messages show"
LC_ALL=C sed 's,// ,/* */,' "$work/wrong.ptx" > "$work/tokens.ptx"
watched 0 "$simttutor" run "$work/tokens.ptx" --grid 1 --block 1
report $? "the words that messages name"

# --- names of files and values of options -----------------------------------------------------------------------------
names=200
! long || names=2000
"$hostile" bytes 13 $names > "$work/names"
: > "$work/all"
xargs -0 -n 90 "$hostile" watch --canaries 20 "$simttutor" lesson check < "$work/names" > "$work/out" 2> "$work/err"
report $? "names of files in messages"
judged $names
report $? "every name of a file can be read"
wrong=
for command in run debug probe exercise show 'learn' record validate metrics access list doctor help lesson nonsense \
	'run --grid' 'run --arg' 'run --define' 'run --check' 'run --kernel' 'show --set' 'show --view' 'show --size' 'access --space' \
	'access --offsets' 'metrics --cc' 'doctor --gpu' 'list --gpu' 'debug --warp' 'debug --commands' 'validate --seed' \
	'validate --expect' 'record --output' '--gpu' '--nonsense'; do
	case $command in
	run | debug | exercise | learn | metrics | nonsense | 'run --arg' | 'show --view' | 'access --offsets' | '--gpu') ;;
	*) long || continue ;;
	esac
	# shellcheck disable=SC2086
	"$hostile" bytes ${#command} 40 | LC_ALL=C tr '\0' ' ' | xargs -0 "$hostile" watch "$simttutor" $command > "$work/out" 2> "$work/err" ||
		wrong="$wrong $command"
done
report_none "arguments and values of options" "$wrong"
# shellcheck disable=SC2086
"$hostile" bytes 17 90 | xargs -0 "$hostile" watch "$simttutor" run "$work/k.ptx" --grid 1 --block 1 --kernel > "$work/out" 2> "$work/err"
report $? "the name of a kernel"

# --- courses ----------------------------------------------------------------------------------------------------------
mkdir -p "$work/course/lessons"
ln -s "$top_srcdir/kernels" "$work/course/kernels"
"$hostile" bytes 19 80 | (cd "$work/course/lessons" && xargs -0 mkdir --)
find "$work/course/lessons" -mindepth 1 -type d -exec sh -c 'for folder; do echo nothing > "$folder/lesson.md"; done' - {} +
SIMTTUTOR_DATA=$work/course watched 80 "$simttutor" list
report $? "names of lessons' folders"
rm -rf "$work/course/lessons"
"$hostile" text 23 2000 > "$work/texts"
line() { sed -n "$(($1 * 20 + $2))p" "$work/texts" | sed "s/'/''/g"; }
lesson=0
while [ $lesson -lt 20 ]; do
	folder=$work/course/lessons/$lesson-lesson-$lesson
	mkdir -p "$folder"
	{
		echo "---"
		sed '1d; /^takeaway/,$d; /^title\|^track\|^summary\|^needs\|^after\|^can/d' "$top_srcdir/lessons/template.md"
		printf "title: '%s'\ntrack: '%s'\nsummary: '%s'\nneeds: '%s'\ncan: '%s'\ntakeaway: '%s'\n---\n\n# A lesson\n" \
			"$(line $lesson 1)" "$(line $lesson 2)" "$(line $lesson 3)" "$(line $lesson 4)" "$(line $lesson 5)" "$(line $lesson 6)"
		printf '\n## A step %s\n\n%s\n\n> %s\n\n- %s\n\n    %s\n' "$(line $lesson 7)" "$(line $lesson 8)" "$(line $lesson 9)" \
			"$(line $lesson 10)" "$(line $lesson 11)"
		printf "\n\`\`\`simt\nset: {stride: 1}\nquestion:\n  ask: '%s'\n  choices:\n    - {text: '%s', when: 1 == 1, why: '%s'}\n    - {text: '%s', when: 1 == 2}\n  hints: ['%s']\n  explain: '%s'\n\`\`\`\n" \
			"$(line $lesson 12)" "$(line $lesson 13)" "$(line $lesson 14)" "$(line $lesson 15)" "$(line $lesson 16)" "$(line $lesson 17)"
	} > "$folder/lesson.md"
	lesson=$((lesson + 1))
done
SIMTTUTOR_DATA=$work/course
export SIMTTUTOR_DATA
watched 60 "$simttutor" list
report $? "titles, tracks and summaries of lessons"
watched 60 "$simttutor" list --json && LC_ALL=C tr -d '\r' < "$work/out" | "$top_builddir/tests/json-get" 19.title > "$work/title" 2>> "$work/err" &&
	grep -q K000180 "$work/title" && grep -qF "$(line 9 1 | sed "s/''/'/g; s/[\\\\\"]/\\\\&/g")" "$work/title"
report $? "titles of lessons come back from JSON"
wrong=
for format in text ansi; do
	watched 2 "$simttutor" show 3 --format $format || wrong="$wrong $format"
done
report_none "a lesson as text and in colors" "$wrong"
watched 0 "$simttutor" show 3 --format json && LC_ALL=C tr -d '\r' < "$work/out" | "$top_builddir/tests/json-get" step > /dev/null 2>> "$work/err"
report $? "a lesson as JSON"
wrong=
for format in svg html; do
	"$simttutor" show 3 --format $format > "$work/out" 2> "$work/err" && "$hostile" document --canaries 2 < "$work/out" 2>> "$work/err" ||
		wrong="$wrong $format"
done
report_none "a lesson as SVG and HTML" "$wrong"
"$hostile" watch --screen --canaries 6 --keys '? nnbb12h e  qqq' "$simttutor" learn 3 --gpu none > "$work/out" 2> "$work/err"
report $? "a lesson on the screen"
"$hostile" watch --screen --canaries 6 --keys 'jjjjjjq' "$simttutor" learn --gpu none > "$work/out" 2> "$work/err"
report $? "the list of lessons on the screen"
watched 6 "$simttutor" lesson check --no-recorded "$work/course/lessons/3-lesson-3"
report $? "lesson check of such a lesson"

# --- a far side -------------------------------------------------------------------------------------------------------
unset SIMTTUTOR_DATA
far=$(json_text 29 60)
cat > "$work/worker" <<-END
	#!/bin/sh
	cat '$work/noise' >&2
	echo '{"type":"hello","protocol":1,"version":"0","place":"host"}'
	read -r request
	[ -s '$work/answer' ] || exit 3
	cat '$work/answer'
	sleep 1
END
chmod +x "$work/worker"
"$hostile" bytes 31 60 | LC_ALL=C tr '\0' ' ' > "$work/noise"
printf '{"type":"gpu","id":1,"name":"%s","chip":"%s","uuid":"%s","cc":90,"sms":132,"driver_cuda":13000,"driver":"%s","cupti":1,"cupti_version":"%s","counters":false,"counters_error":"internal","counters_message":"%s"}\n' \
	"$far" "$far" "$far" "$far" "$far" "$far" > "$work/answer"
watched 60 "$simttutor" doctor --gpu "command:$work/worker"
report $? "doctor: what a worker says of its GPU"
watched 60 "$simttutor" doctor --gpu "command:$work/worker" --format json
report $? "doctor: the same in JSON"
LC_ALL=C tr -d '\r' < "$work/out" | "$top_builddir/tests/json-get" gpu.name 2>> "$work/err" | grep -qF '\u001B]0;t\u0007'
report $? "doctor: JSON has it all"
printf '{"type":"error","id":1,"code":"internal","message":"%s"}\n' "$far" > "$work/answer"
watched 60 "$simttutor" doctor --gpu "command:$work/worker"
report $? "doctor: what a worker says went wrong"
: > "$work/answer"
watched 1 "$simttutor" doctor --gpu "command:$work/worker"
report $? "doctor: the standard error of a worker"
"$hostile" watch --screen --keys '    qqqq' "$simttutor" learn 10-banks --gpu "command:$work/worker" > "$work/out" 2> "$work/err"
report $? "the screen: the standard error of a worker"

# --- an 8-bit terminal ------------------------------------------------------------------------------------------------
LC_ALL=C SIMTTUTOR_DATA=$work/course watched 60 "$simttutor" list && [ -z "$(LC_ALL=C tr -d '\000-\177' < "$work/out")" ]
report $? "in an 8-bit locale a terminal gets ASCII alone"
finish
