#!/bin/sh
# The command line as a whole: help for every command, exit codes, messages that name the place.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8
export LC_ALL

# check NAME STATUS REGEX-IN-OUTPUT REGEX-IN-STDERR ARGUMENTS...: an empty regex wants nothing printed there
check() {
	name=$1 want=$2 want_out=$3 want_err=$4
	shift 4
	capture "$simttutor" "$@" < /dev/null
	problem=
	[ "$status" -eq "$want" ] || problem="exit $status, not $want"
	if [ -n "$want_out" ]; then
		grep -qE -- "$want_out" "$work/out" || problem="$problem; stdout lacks /$want_out/"
	elif [ -s "$work/out" ]; then
		problem="$problem; stdout is not empty"
	fi
	if [ -n "$want_err" ]; then
		grep -qE -- "$want_err" "$work/err" || problem="$problem; stderr lacks /$want_err/"
	elif [ -s "$work/err" ]; then
		problem="$problem; stderr is not empty"
	fi
	report "$([ -z "$problem" ]; echo $?)" "$name"
	[ -z "$problem" ] || note "$problem"
}

check "help lists the commands" 0 '^  show ' '' help
check "--help is help" 0 '^usage: simttutor ' '' --help
check "--version" 0 '^simttutor [0-9]' '' --version
commands=$("$simttutor" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
	check "help $command" 0 "^usage: simttutor $command" '' help "$command"
	check "$command --help" 0 "^usage: simttutor $command" '' "$command" --help
	check "$command refuses an unknown option" 2 '' "$command: unknown or ambiguous option '--frob'" "$command" --frob
	! grep -q ' $' "$work/err"
	report $? "and its usage does not end in a blank"
done
check "an unknown command" 2 '' "no command 'frob'" frob
check "a lesson where a command belongs" 2 '' 'note: to open the lesson: simttutor learn banks/2' banks/2
check "an argument that looks like letters of options" 2 '' "unknown option '-l'" access --space shared --op ld -lane
check "an option without its value" 2 '' "needs a value" show --view
for command in 'run k.ptx --source' 'debug k.ptx --commands' 'debug k.ptx --source' 'probe k.ptx --output' 'exercise banks --dir' \
	'exercise banks --check' 'record banks --output' 'validate --record' 'validate --expect' 'validate --keep'; do
	check "${command%% *} takes no empty path: ${command##* }" 2 '' "${command##* }: the name of the (file|folder) is empty" $command ''
done
check "nor is a plain argument empty" 2 '' 'an argument is empty' lesson check ''
check "--gpu before the command" 0 '^Banks$' '' --gpu none list
check "no terminal: a plain list" 0 ' banks: ' ''
check "no terminal: learn prints the step" 0 'wavefronts / request' '' learn banks/1
check "--gpu none is no failure" 0 'recorded: ' '' --gpu none show banks/2
check "show measured" 0 '"witness": "live"' '' --gpu "command:'$fake' ok" show banks/2 --format json
check "show with a failed measurement" 1 '"witness": "recorded"' 'illegal' \
	--gpu "command:'$fake' error:kernel_fault" show banks/2 --format json
check "show does not launch on the GPU what would hang it" 1 '"not launched"' 'would end the kernel on a GPU, or hang it' \
	--gpu "command:'$fake' error:kernel_fault" show barriers/7 --set place=inside --set count=40 --format json
check "show launches the corrected one there" 0 '"witness": "live"' '' \
	--gpu "command:'$fake' ok" show barriers/7 --set place=outside --set count=40 --format json
check "show without permission to count" 3 'recorded: ' 'locked' --gpu "command:'$fake' no-counters" show banks/2
check "show what was recorded on one GPU" 0 'NVIDIA H200, recorded' '' show banks/2 --recorded-on 'NVIDIA H200'
check "two GPUs beside each other" 0 'predicted [(]model[)] *H200 *H100 ' '' show bandwidth/5 --view numbers --size 120x20
check "and in JSON" 0 '"gpu": "NVIDIA H100 80GB HBM3"' '' show bandwidth/5 --format json
check "show what was not recorded" 2 '' "the lesson was not recorded on 'T4'; it was on NVIDIA H200" show banks/2 --recorded-on T4
check "show what needs another GPU" 1 'recorded' 'the kernel needs compute capability 9.0, Fake GPU has 8.6: the machine runs it instead' \
	--gpu "command:'$fake' --cc 86 ok" show clusters/1
check "show without a worker" 3 'recorded: ' 'the worker ended' --gpu "command:exit 0" show banks/2
check "list --json" 0 '"id": "banks"' '' list --json
check "list --claims" 0 '^  does not hold: The GPU counted [0-9.]* wavefronts' '' list --claims
check "and how many there are of each" 0 '^Hold: [1-9][0-9]*[.] Do not hold: [1-9][0-9]*[.] Open: [0-9]*[.]$' '' list --claims
check "list --claims --json" 0 '"verdict": "fails"' '' list --claims --json
check "a size too small for a picture" 2 '' "it needs at least 60x16" show banks/2 --size 20x5
check "a long title is whole: the maker gives way, then the date" 0 '^ Which thread, which element 1/7  One thread, one element  *recorded: H200$' '' \
	show indexing/1 --size 80x24
check "the last columns of a title are not lost to the date" 0 '5/7  Longer structures  *recorded: H200, ' '' show aos-soa/5 --size 80x24
check "show text" 0 'Bank' '' show banks/2
check "the least size still shows numbers, and whose" 0 'wavefronts / request  *2 =  *2 ' '' show banks/2 --size 60x16
check "the watched line is shown whole beside the text" 0 'tile\[lane \* stride\];' '' show banks/2 --view source --size 41x14
check "a mean of active lanes is not cut where its column is narrow" 0 'part\[c\]\[t \+ step\]; .* 5\.4[0-9]* *│' '' \
	show reduction/1 --size 160x50
check "show a view" 0 'bank' '' show 10/2 --view banks --size 60x14
check "show ansi" 0 "$(printf '\033\\[')" '' show banks/2 --format ansi
export CLICOLOR_FORCE=1
check "CLICOLOR_FORCE wants colors" 0 "$(printf '\033\\[[0-9;]*38;5')" '' show banks/2
export NO_COLOR=1
check "NO_COLOR forbids them" 0 '^ (simttutor  )?Bank conflicts 2' '' show banks/2
unset CLICOLOR_FORCE NO_COLOR
check "show svg" 0 '^<svg |<\?xml' '' show banks/2 --format svg
check "show html" 0 '<!DOCTYPE html>' '' show banks/2 --format html
check "show json" 0 '"witness": "model"' '' show banks/2 --format json
check "show --set" 0 '"stride": 6' '' show banks/2 --set stride=6 --format json
check "values that have names are shown by them" 0 '"type": "float2"' '' show widths/4 --set type=float2 --format json
check "and so in a sweep" 0 '"at": "char"' '' show widths/4 --format json
check "and on its axis" 0 'char +short +float +float2 +float4' '' show widths/4 --view sweep --size 80x24
check "an unknown lesson" 2 '' "frob.*banks" show frob
check "an unknown step" 2 '' "^    5  all-in-one-bank$" show banks/99
# What README.md shows of a step is what the program shows: the screen between the first fences, without a sentence below it.
sed -n '/^```$/,/^```$/p' "$top_srcdir/README.md" | sed '1d; /^```$/,$d' >"$work/readme"
"$simttutor" --gpu none show banks/2 --size 80x24 2>"$work/err" | head -n 24 | sed 's/ *$//' >"$work/shown"
[ "$(wc -l <"$work/readme")" -eq 24 ] && cmp -s "$work/readme" "$work/shown"
report $? "README.md shows the screen of banks/2 as it is"
check "the schedule of a step" 0 "latencies of CC 9.0" "" show banks/2 --view schedule --size 80x24
check "the blocks of a step on the SMs of the recorded GPU" 0 "132 SMs of NVIDIA H200" "" show banks/2 --view blocks --size 100x30
check "the masks of a step" 0 "model: block 0 warp 0" "" show banks/2 --view mask --size 41x12
check "an unknown view" 2 '' "unknown view 'frob'" show banks --view frob
check "two settings in json" 0 '"with": "turn_direct"' '' show transpose/3 --format json
check "an unknown format" 2 '' 'expected text, ansi, svg, html or json' show banks --format frob
check "a size that is none" 2 '' "COLSxROWS" show banks --size 80
check "an unknown parameter" 2 '' "frob.*stride" show banks --set frob=1
check "a value out of range" 2 '' "stride" show banks --set stride=1000
check "a value out of range: what it takes" 2 '' "^simttutor: stride cannot be 99; it takes 0 to 33$" show banks --set stride=99
check "a value by its name" 0 '"by": "warp"' '' show divergence/by-warp --set by=warp --format json
check "a name that no value has" 2 '' "NAME=VALUE" show divergence/by-warp --set by=block
check "a value that is none" 2 '' "NAME=VALUE" show banks --set stride=two
check "a GPU that is none" 2 '' "frob" --gpu frob show banks
check "metrics: what each is made of" 0 '^      100 \* lts__t_sectors_lookup_hit.sum / lts__t_sectors.sum$' '' metrics
check "metrics: what a GPU lacks" 0 'not collected on CC 8.6' '' metrics stall_gmma --cc 8.6
check "metrics: JSON" 0 '"trust": "exact"' '' metrics shared_load_requests --format json
check "metrics: a group by its name" 0 '^  pipe_xu \(%\)$' '' metrics mix
check "metrics: two groups" 0 '^Stall reasons \(stalls\)$' '' metrics mix stalls
check "metrics: what an older GPU has no pipe of" 0 'not collected on CC 7.0' '' metrics mix_uniform --cc 7.0
check "metrics: an unknown one" 2 '' "there is no metric and no group 'frob'" metrics frob
check "doctor takes no argument" 2 '' "doctor: unexpected argument 'x'" doctor x
check "--version after --gpu" 0 '^simttutor [0-9]' '' --gpu none --version
mkdir -p "$XDG_CONFIG_HOME/simttutor"
echo 'theme = user' > "$XDG_CONFIG_HOME/simttutor/settings"
capture "$simttutor" --gpu none show banks/2
[ "$status" -eq 0 ] && has 'Two lanes, one bank' && said err 'warning: the settings ask for the theme `user`'
report $? "a theme of the settings whose file is gone keeps nobody from the lessons"
check "one that is asked for is an error" 2 '' "no theme .user." --theme user show banks/2
rm "$XDG_CONFIG_HOME/simttutor/settings"
SIMTTUTOR_DATA=/nonexistent check "no lessons" 3 '' "/nonexistent" list
! "$simttutor" list > /dev/full 2> "$work/err" && printed err "standard output: cannot write"
report $? "a full disk is an error"
# What is longer than a pipe holds, into one whose reader leaves after a line.
{ "$simttutor" book banks 2> "$work/err"; echo "$?" > "$work/status"; } | sed 1q > "$work/out"
[ "$(cat "$work/status")" != 0 ] && [ "$(wc -l < "$work/out")" = 1 ] && [ ! -s "$work/err" ]
report $? "a reader who has seen enough is no error to tell of"
finish
