# What compilers and other tools print, what a recording says of its GPU, a file of progress, and the environment: none of it controls a
# terminal.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
. "$top_srcdir/tests/attack/hostile.sh" || exit 99
NVCC=$top_srcdir/tests/attack/stand-in-nvcc SEEN=/dev/null XDG_DATA_HOME=$work/own TMPDIR=$work/tmp
export NVCC SEEN XDG_DATA_HOME TMPDIR
in=$work/own/simttutor # what the reader compiles from there may be read by a compiler
mkdir -p "$work/tmp" "$in"

# --- compilers -----------------------------------------------------------------------------------------------------------
# What they print: any bytes, also as messages that name a line, and a line that is long.
printed=300
"$hostile" printed 41 $printed > "$in/noise"
{
	printf 'simttutor-kernel.cu(2): error: '
	"$hostile" bytes 43 90 | LC_ALL=C tr '\0' ' '
	printf '\nsimttutor-source-2/\033]0;t\a\302\233.h(7): warning: \342\200\256x\000y\n'
	printf 'simttutor-kernel.cu:2:3: error: \033[31337Jx\n  p\033[2Jq\n  ^\n'
} >> "$in/noise"
printf '__global__ void k() {}\n' > "$in/k.cu"
acts() { printf 'cat %s %s\n%s\n' "'$in/noise'" "$1" "$2" > "$in/acts"; }
ACTS=$in/acts && export ACTS
launch="--grid 1 --block 32 --arg u32[1]"
for stream in '' '>&2'; do
	acts "$stream" 'exit 1'
	# shellcheck disable=SC2086
	watched $printed "$simttutor" run "$in/k.cu" $launch
	report $? "run: what a compiler prints $stream"
done
# shellcheck disable=SC2086
watched $printed "$simttutor" run "$in/k.cu" $launch --format json
report $? "run: the same with JSON"
# shellcheck disable=SC2086
on_screen 0 'qqq' "$simttutor" debug "$in/k.cu" $launch && grep -qF '\x1b]52;c;c2V0' "$work/out"
report $? "debug: the same"
acts '>&2' ''
# shellcheck disable=SC2086
watched 0 "$simttutor" run "$in/k.cu" $launch
report $? "run: what one prints that makes PTX"
acts '>&2' 'exit 1'
watched 2 "$simttutor" exercise banks --check "$in/k.cu" && grep -qF '\x1b]52;c;c2V0' "$work/out"
report $? "exercise: what a compiler prints"
watched 0 "$simttutor" exercise banks --check "$in/k.cu" --format json
report $? "exercise: the same with JSON"
"$simttutor" exercise banks > /dev/null 2> "$work/err"
on_screen 2 '  e e jjjjkkkkjjjjkkkkjjjjkkkkjjjj?qqqq' "$simttutor" learn banks/exercise --watch-only --gpu none && grep -qF '\x1b]52;c;c2V0' "$work/out"
report $? "the screen: what a compiler prints"
unset ACTS

# --- other tools -----------------------------------------------------------------------------------------------------------
printf '#!/bin/sh\ncat "%s"\ncat "%s" >&2\nexit ${STATUS-1}\n' "$in/noise" "$in/noise" > "$in/tool"
chmod +x "$in/tool"
for STATUS in 0 1; do
	export STATUS
	# shellcheck disable=SC2086
	PTXAS=$in/tool watched 0 "$simttutor" run "$top_srcdir/tests/ptx/add-int.ptx" --grid 1 --block 4 --arg 'u32[4]' --arg 'u32[4]' --arg 'u32[4]'
	report $? "what an assembler prints, with status $STATUS"
	HUNSPELL=$in/tool watched 0 "$simttutor" lesson check --no-recorded "$top_srcdir/lessons/04-predication"
	report $? "what a spelling checker prints, with status $STATUS"
	NVCC=$in/tool CLANG=$in/tool PTXAS=$in/tool watched 0 "$simttutor" doctor --gpu none
	report $? "doctor: what compilers print, with status $STATUS"
done

# --- recordings --------------------------------------------------------------------------------------------------------------
mkdir -p "$work/course/lessons"
ln -s "$top_srcdir/kernels" "$work/course/kernels"
cp -R "$top_srcdir/lessons/10-banks" "$work/course/lessons"
chmod -R u+w "$work/course"
recorded=$work/course/lessons/10-banks/recorded.json
SIMTTUTOR_DATA=$work/course && export SIMTTUTOR_DATA
json_text 47 12 > "$work/text"
members=gpu,driver,cuda,cupti,date # at once
! long || members="$members gpu driver cuda cupti date"
for member in $members; do
	awk -v members="$member" 'FNR == NR { text = $0; next }
		/^\t\t\{"gpu"/ {
			n = split(members, member, ",")
			for (i = 1; i <= n; i++)
				if (at = match($0, "\"" member[i] "\": \"")) {
					rest = substr($0, at + RLENGTH)
					$0 = substr($0, 1, at + RLENGTH - 1) text substr(rest, index(rest, "\""))
				}
		}
		{ print }' "$work/text" "$top_srcdir/lessons/10-banks/recorded.json" > "$recorded"
	cmp -s "$recorded" "$top_srcdir/lessons/10-banks/recorded.json" && wrong=" the recording is as it was" || wrong=
	for format in text ansi json; do watched 0 "$simttutor" show banks/2 --view numbers --format $format || wrong="$wrong $format"; done
	for format in svg html; do
		"$simttutor" show banks/2 --view numbers --format $format > "$work/out" 2> "$work/err"
		"$hostile" document < "$work/out" 2>> "$work/err" || wrong="$wrong $format"
	done
	watched 0 "$simttutor" lesson check "$work/course/lessons/10-banks" || wrong="$wrong check"
	on_screen 0 ' nn?n Q' "$simttutor" learn banks/2 --gpu none || wrong="$wrong screen"
	[ "${member#gpu}" = "$member" ] || "$simttutor" show banks/2 --view numbers | grep -qF '\x1b' || wrong="$wrong; its name is not shown"
	report_none "a recording's $member" "$wrong"
done
# --- progress ----------------------------------------------------------------------------------------------------------------
mkdir -p "$XDG_STATE_HOME/simttutor"
progress=$XDG_STATE_HOME/simttutor/progress.json
text=$(cat "$work/text")
lesson='{"step": 1, "visited": ["one"], "answered": []}'
# keeps NAME TEXT: with the progress of $work/progress, list and learn end soon and print nothing of it as it is; it is still there, or
# kept as damaged, or the text of it is.
keeps() {
	rm -rf "${progress%/*}"/*
	cp "$work/progress" "$progress"
	chmod 600 "$progress"
	wrong=
	watched 0 timeout -s KILL "$seconds" "$simttutor" list && grep -q banks "$work/out" || wrong=" list"
	watched 0 timeout -s KILL "$seconds" "$simttutor" list --json || wrong="$wrong json"
	on_screen 0 "$keys" timeout -s KILL "$seconds" "$simttutor" learn --gpu none && grep -q 'Bank' "$work/out" || wrong="$wrong learn"
	cmp -s "$work/progress" "$progress" || cmp -s "$work/progress" "$progress.bad" || grep -qF -e "$2" "$progress" ||
		wrong="$wrong; it is gone"
	! long || on_screen 0 'nnnpQ' timeout -s KILL "$seconds" "$simttutor" learn banks/1 --gpu none || wrong="$wrong lesson"
	report_none "progress: $1" "$wrong"
}
keys=Q # each takes its time
! long || keys='j Q'
seconds=5
grep -q '^#define SIMT_SANITIZED' "$top_builddir/config.h" && seconds=50
lessons() { printf '{"format": 1, "lessons": {%s}}\n' "$1"; }
lessons "\"$text\": $lesson" > "$work/progress"
keeps "the name of a lesson" K000003
lessons "\"banks\": {\"step\": 1, \"visited\": [\"$text\"], \"answered\": [\"$text\"]}" > "$work/progress"
keeps "names of steps" K000003
lessons "\"banks\": {\"step\": 1, \"visited\": [], \"answered\": [], \"answers\": {\"$text\": {\"tries\": 1, \"hints\": 1}}}" > "$work/progress"
keeps "names of answers" K000003
for number in -1 9223372036854775807 -9223372036854775808 99999999999999999999999 1e999 1.5 '"1"' '{}'; do
	answers="{\"one\": {\"tries\": $number, \"hints\": $number}}"
	lessons "\"banks\": {\"step\": $number, \"visited\": [], \"answered\": [], \"answers\": $answers}" > "$work/progress"
	keeps "the number $number" "\"step\": $number"
done
printf '{"format": 99999, "lessons": "%s"}' "$text" > "$work/progress"
keeps "another format" K000003
printf '{"format": 1, "lessons": {}} \033]0;t\a\302\233 %s' "$text" > "$work/progress"
keeps "more than JSON" K000003
printf '{"format": 1, "\033]0;t\a\377\342\200\256\000": 1, "format": 1}' > "$work/progress"
keeps "bytes that are no text" x
awk 'BEGIN { printf "{\"format\": 1, \"lessons\": "; for (i = 0; i < 100000; i++) printf "["; print "" }' > "$work/progress"
keeps "deep nesting" x
awk 'BEGIN { printf "{\"format\": 1, \"lessons\": "; for (i = 0; i < 2000; i++) printf "{\"a\":"
	printf 1; for (i = 0; i < 2000; i++) printf "}"; print "}" }' > "$work/progress"
keeps "nested objects" x
many=8000
! long || many=80000
awk -v n=$many 'BEGIN { printf "{\"format\": 1, \"lessons\": {\"l0\": {\"step\":1,\"visited\":[],\"answered\":[]}"
	for (i = 1; i < n; i++) printf ",\"l%d\": {\"step\":1,\"visited\":[],\"answered\":[]}", i; print "}}" }' > "$work/progress"
keeps "many lessons" l$((many - 1))
awk 'BEGIN { printf "{\"format\": 1, \"lessons\": {}, \"a\": \""; for (i = 0; i < 5000000; i++) printf "a"; print "\"}" }' > "$work/progress"
keeps "5 MB" x
: > "$work/progress"
keeps "nothing" x
rm -rf "${progress%/*}"

# --- the environment -----------------------------------------------------------------------------------------------------------
unset SIMTTUTOR_DATA
"$hostile" bytes 53 12 | LC_ALL=C tr -d '\0' > "$work/value"
value=$(cat "$work/value")
shown=
# A path too long for the screen is below it until Enter.
keys='je 
Q'
for variable in TERM HOME LANG LC_ALL LC_CTYPE LANGUAGE COLORTERM XDG_STATE_HOME XDG_DATA_HOME TMPDIR PATH NVCC CLANG PTXAS HUNSPELL \
	CUDA_HOME CUDA_PATH CUDA_VISIBLE_DEVICES TERMINFO TERMINFO_DIRS SIMTTUTOR_DATA SIMTTUTOR_COMPILER_SECONDS SIMTTUTOR_COMPILER_READS SIMTTUTOR_QUEUE_DIR \
	SIMTTUTOR_QUEUE_SECONDS SIMTTUTOR_CONFINE; do
	wrong=
	for at in "$value" "/$value" "$work/nowhere/$value" "$work/own:$value"; do
		[ "$at" = "$work/nowhere/$value" ] || long || continue
		set -- env HOME="$work/home" "$variable=$at"
		watched 0 "$@" "$simttutor" list || wrong="$wrong list"
		watched 0 "$@" "$simttutor" doctor --gpu none || wrong="$wrong doctor"
		! grep -q K0000 "$work/out" || shown="$shown $variable"
		long || continue
		watched 0 "$@" "$simttutor" doctor --gpu none --json || wrong="$wrong doctor-json"
		# shellcheck disable=SC2086
		watched 0 "$@" "$simttutor" run "$in/k.cu" $launch || wrong="$wrong run"
		watched 0 "$@" "$simttutor" exercise banks || wrong="$wrong exercise"
		on_screen 0 "$keys" "$@" "$simttutor" learn banks/exercise --watch-only --gpu none || wrong="$wrong learn"
	done
	report_none "the environment's $variable" "$wrong"
done
missing=
for variable in TERM XDG_STATE_HOME SIMTTUTOR_DATA; do
	case "$shown " in *" $variable "*) ;; *) missing="$missing $variable" ;; esac
done
report_none "some of it is shown" "$missing"
finish
