#!/bin/sh
# simttutor validate: against a stand-in for the GPU that is the machine itself, and against recordings.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
# Of the course, lessons that are small, with conflicts, with defects, and with lines that only shuffle: tests/lessons.sh runs them all.
SIMTTUTOR_DATA=$work/course
export SIMTTUTOR_DATA
mkdir -p "$SIMTTUTOR_DATA/lessons"
ln -s "$top_srcdir/kernels" "$SIMTTUTOR_DATA/kernels"
for lesson in 10-banks 19-barriers 20-shuffle; do
	ln -s "$top_srcdir/lessons/$lesson" "$SIMTTUTOR_DATA/lessons/$lesson"
done

validate() { capture "$simttutor" validate "$@"; }

# --- live ------------------------------------------------------------------------------------------------------------
validate instructions --gpu "command:'$fake' machine" --seed 1 --count 60 --record "$work/recording" --format json
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && [ "$(at programs)" = 60 ] && [ "$(at seed)" = 1 ] && [ "$(at different)" = 0 ] &&
	[ "$(at instances)" -gt 100000 ] && [ "$(at compared_with)" = '"Fake GPU"' ]
report $? "the machine agrees with itself: more than 100,000 instances of 60 programs"
sum=$(grep '"instances"' "$work/out" | tr -dc '0-9\n' | awk '{ s += $1 } END { print s }')
[ "$sum" -eq $((2 * $(at instances))) ]
report $? "the rows' instances add up"
validate instructions --gpu "command:'$fake' machine" --seed 1 --count 3 --only cvt --only LOP3 --format json
[ "$status" -eq 0 ] && [ "$(at rows.0.row)" = '"LOP3"' ] && grep -q '"row": "CVT",' "$work/out" &&
	! grep '"group"' "$work/out" | grep -qvE '"(bits|cvt)"' && [ "$(grep -c '"group": "bits"' "$work/out")" -eq 1 ]
report $? "--only takes rows and groups alone"
validate instructions --gpu "command:'$fake' machine" --seed 7 --count 1
cp "$work/out" "$work/first"
validate instructions --gpu "command:'$fake' machine" --seed 7 --count 1
[ "$status" -eq 0 ] && cmp -s "$work/out" "$work/first" && said out 'seed 7, 1 program, ' && said out 'instances agree'
report $? "the same seed is the same program; text"
validate instructions --gpu "command:'$fake' machine" --count 1
seed=$(sed -n 's/.*seed \([0-9]*\),.*/\1/p' "$work/out")
validate instructions --gpu "command:'$fake' machine" --count 1
[ -n "$seed" ] && [ "$seed" != "$(sed -n 's/.*seed \([0-9]*\),.*/\1/p' "$work/out")" ]
report $? "without --seed it is fresh, and printed"

only='--only cvt'
! long || only=
# shellcheck disable=SC2086
validate instructions --gpu "command:'$fake' machine" --seed 1 --every $only --format json
[ "$status" -eq 0 ] && [ "$(grep '"forms"' "$work/out" | tr -dc '0-9\n')" = "$(grep '"forms_legal"' "$work/out" | tr -dc '0-9\n')" ]
report $? "--every goes through every form"

# The stand-in flips a bit of the first result.
validate instructions --gpu "command:'$fake' flip" --seed 1 --count 1 --only add --keep "$work/kept"
[ "$status" -eq 1 ] && said out '1 of' && said out 'instances differ' && said out 'program 1: add' && said out 'lane 0, operands 0x' &&
	said out 'on the machine, 0x' && said out ' on Fake GPU'
report $? "a difference names program, instruction, lane, operands and both results, exit 1"
grep -q '^// launch: grid 1 block [0-9]*; arg b64\[\]:0x' "$work/kept/1.ptx" && grep -q '^\.visible \.entry trial' "$work/kept/1.ptx"
report $? "--keep has the program with its launch"
validate instructions --gpu "command:'$fake' flip" --seed 1 --count 1 --only ADD_INT --format json
[ "$status" -eq 1 ] && [ "$(at different)" = 1 ] && [ "$(at differences.0.program)" = 1 ] && [ "$(at differences.0.lane)" = 0 ] &&
	[ "$(at differences.0.row)" = '"ADD_INT"' ] && [ "$(at differences.0.machine)" != "$(at differences.0.other)" ]
report $? "the same in JSON"
validate instructions --gpu "command:'$fake' ok" --seed 1 --count 2 --only xor
[ "$status" -eq 1 ] && said out 'instances differ'
report $? "results that are all zero are no agreement"

# --- what can go wrong with a GPU -------------------------------------------------------------------------------------
validate instructions --gpu "command:'$fake' error:kernel_fault" --seed 1 --count 2 --keep "$work/kept3"
[ "$status" -eq 1 ] && said err 'program 1 on the GPU: as the test asked' && said err 'The machine finds nothing wrong: ' && said out '2 programs gave no results' && [ -s "$work/kept3/2.ptx" ]
report $? "a program the GPU fails on is named and kept; the next is tried"
validate instructions --gpu "command:'$fake' error:bad_ptx" --seed 1 --count 20
[ "$status" -eq 1 ] && said err '5 programs in a row gave no results; stopped' && said out '5 programs gave no results'
report $? "a GPU that takes none is given up"
validate instructions --gpu "command:'$fake' short-buffer" --seed 1 --count 1
[ "$status" -eq 1 ] && [ -s "$work/err" ] && said out '1 program gave no results'
report $? "results that come back short are no agreement"
validate instructions --gpu "command:'$fake' probe-error:no_driver"
[ "$status" -eq 3 ] && said err 'as the test asked' && [ ! -s "$work/out" ]
report $? "no GPU, exit 3"
validate --live --gpu none
[ "$status" -eq 3 ] && [ ! -s "$work/out" ]
report $? "--live --gpu none, exit 3"

# --- recordings ------------------------------------------------------------------------------------------------------
validate --expect "$work/recording" --format json
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && [ "$(at programs)" = 60 ] && [ "$(at different)" = 0 ] && [ "$(at seed)" = null ] &&
	[ "$(at instances)" -gt 100000 ]
report $? "a recording is replayed without a GPU"
line=$(grep -n ' = ' "$work/recording" | head -n 1 | cut -d: -f1)
sed "${line}s/ = ./ = z/; ${line}s/ = z/ = $(sed -n "${line}s/.* = \(.\).*/\1/p" "$work/recording" | tr '0-9a-f' '1-9a-f0')/" \
	"$work/recording" > "$work/changed"
validate --expect "$work/changed"
[ "$status" -eq 1 ] && said out "the machine's results hash to" && said out 'instances differ'
report $? "another hash is a difference, exit 1"
sed 3s/program/programs/ "$work/recording" > "$work/broken"
validate --expect "$work/broken"
[ "$status" -eq 1 ] && said err 'broken:3:1: an instruction that is in no program' && [ ! -s "$work/out" ]
report $? "a broken recording is shown in its line"
for file in "$top_srcdir"/tests/validate/*.txt; do
	case $file in *-patterns.txt) continue ;; esac
	[ -e "$file" ] || continue
	validate --expect "$file"
	[ "$status" -eq 0 ]
	report $? "${file##*/}: what hardware gave, $(sed -n '2s/^# //p' "$file")"
done

# --- wrong arguments -------------------------------------------------------------------------------------------------
# refuses STATUS MESSAGE ARGUMENTS...
refuses() {
	wanted=$1
	expected=$2
	shift 2
	validate "$@"
	[ "$status" -eq "$wanted" ] && [ ! -s "$work/out" ] && said err "$expected"
	report $? "refused with $wanted: $expected"
}
refuses 2 'compare with what?'
refuses 2 'not both' --live --expect "$work/recording"
refuses 2 'replays what the file holds' --expect "$work/recording" --seed 1
refuses 2 'replays what the file holds' --expect "$work/recording" --record x
refuses 2 "there is no campaign 'x'" --live x
refuses 2 'as many programs as it takes' --live --every --count 3
refuses 2 '--count:1:1: expected a whole number from 0 to' --live --count many
refuses 2 '--seed:1:1: expected a whole number from 0 to' --live --seed -1
refuses 2 'expected an instruction with a result' --live --only frobnicate
refuses 2 'expected an instruction with a result' --live --only bra
refuses 2 'expected text or json' --live --format svg
refuses 3 'no-such' --expect "$work/no-such"

# --- patterns: the stand-in counts what the machine and the model count -----------------------------------------------
count="command:'$fake' count"
validate patterns --gpu "$count" --seed 9 --count 830 --record "$work/patterns" --format json
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && [ "$(at cases)" = 830 ] && [ "$(at seed)" = 9 ] && [ "$(at differ)" = 0 ] &&
	[ "$(at campaign)" = '"patterns"' ] && [ "$(grep -c '"rule"' "$work/out")" -eq 83 ] && [ "$(at rules.0.cases)" = 10 ]
report $? "patterns: each kind has its share, and the machine counts what is predicted"
[ "$(wc -l < "$work/patterns")" -eq 832 ] && grep -q '^# Fake GPU, CC 9.0, ' "$work/patterns"
report $? "patterns: all are recorded"
validate --expect "$work/patterns"
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && said out '830 patterns' && said out 'no patterns differ from an exact rule'
report $? "patterns: the recording replays"
awk '/^ld.shared.u32 / && !done { $3 = $3 + 1; done = 1 } { print }' "$work/patterns" > "$work/changed"
validate --expect "$work/changed"
[ "$status" -eq 1 ] && said out 'ld.shared.u32: requests: predicted 1, counted 2 simttutor access --space shared --op ld --width 4' &&
	said out '1 of 830 patterns differs from an exact rule'
report $? "patterns: a count that is another is a difference, with the command that explains it"
command=$(sed -n 's/^    simttutor \(access .*\)/\1/p' "$work/out" | head -n 1)
"$simttutor" $command > "$work/explained" && grep -q 'shared ld, 4 bytes per lane' "$work/explained"
report $? "patterns: and that command runs"
validate patterns --gpu "command:'$fake' miscount" --seed 9 --count 83
[ "$status" -eq 1 ] && said out 'predicted' && [ "$(grep -c '^    simttutor access ' "$work/out")" -eq 83 ]
report $? "patterns: a GPU that counts otherwise is reported, once for each rule; exit status 1"
validate patterns --gpu "command:'$fake' ok" --seed 9 --count 1
cp "$work/out" "$work/first"
validate patterns --gpu "command:'$fake' ok" --seed 9 --count 1
[ "$status" -eq 1 ] && cmp -s "$work/out" "$work/first" && said out 'seed 9, 1 pattern'
report $? "patterns: the same seed is the same pattern"
validate patterns --gpu "command:'$fake' error:profiler" --count 50
[ "$status" -eq 1 ] && [ "$(grep -c 'as the test asked' "$work/err")" -eq 5 ] && said out '5 patterns gave nothing to compare'
report $? "patterns: a GPU that gives nothing is given up"
validate patterns --gpu "command:'$fake' no-counters" --count 5
[ "$status" -eq 3 ] && said err 'cannot count'
report $? "patterns: without counters, 3"
"$simttutor" validate patterns --gpu "command:'$fake' --ms 20 slow" --seed 9 --count 5000 > "$work/out" 2> "$work/err" &
running=$!
listens() { grep -q '^SigCgt:.*[2367abef]$' /proc/$running/status; }
eventually 60 listens && sleep 0.1 && kill -INT $running
wait $running
status=$?
[ "$status" -ne 0 ] && said out '(stopped)' && said out 'rule cases agree differ'
report $? "patterns: Ctrl-C gives the table so far"
for broken in 'simttutor patterns 99' 'simttutor patterns 1|nonsense 0' 'simttutor patterns 1'; do
	printf '%s\n' "$broken" | tr '|' '\n' > "$work/broken"
	validate --expect "$work/broken"
	[ "$status" -eq 1 ] && [ ! -s "$work/out" ] && [ "$(wc -l < "$work/err")" -ge 1 ]
	report $? "patterns: a broken recording is refused: $broken"
done
for file in "$top_srcdir"/tests/validate/*-patterns.txt; do
	[ -e "$file" ] || continue
	validate --expect "$file"
	[ "$status" -eq 0 ] && [ ! -s "$work/err" ]
	report $? "${file##*/}: the model predicts what that GPU counted"
done

# --- the other campaigns ----------------------------------------------------------------------------------------------
validate occupancy --gpu "$count" --seed 4 --count 40
[ "$status" -eq 0 ] && said out 'seed 4, 40 launch shapes' && said out 'limited by' && said out 'no launch shapes differ'
report $? "occupancy: as many blocks as the model says"
validate occupancy --gpu "command:'$fake' miscount" --seed 4 --count 2
[ "$status" -eq 1 ] && said out 'simttutor validate occupancy --live --seed 4 --count 1' && said out '2 of 2 launch shapes differ'
report $? "occupancy: a GPU that holds others is reported"
for cc in 75 86 89 120; do
	validate occupancy --gpu "command:'$fake' --cc $cc count" --seed 4 --count 5
	[ "$status" -eq 0 ] && said out '5 launch shapes' && said out 'no launch shapes differ'
	report $? "occupancy: on CC $cc, too"
done
validate lessons --gpu "$count" --format json
[ "$status" -eq 0 ] && [ "$(at cases)" -gt 70 ] && [ "$(at differ)" = 0 ] && [ "$(at seed)" = null ]
report $? "lessons: all exact counters of all launches"
validate lessons --gpu "command:'$fake' miscount"
[ "$status" -eq 1 ] && said out ': predicted 2048, counted 2049 simttutor show banks' && said out 'differ from an exact rule'
report $? "lessons: a counter that differs is reported, with the step"
validate lessons --gpu "command:'$fake' waits" --format json
[ "$status" -eq 0 ] && [ "$(at differ)" = 0 ]
report $? "lessons: what a counter has more for having waited is none"
long || rm "$SIMTTUTOR_DATA/lessons/10-banks" "$SIMTTUTOR_DATA/lessons/19-barriers"
validate addresses --gpu "$count"
[ "$status" -eq 0 ] && said out 'no launches differ'
report $? "addresses: the watched lines"
if long; then
	rm "$SIMTTUTOR_DATA/lessons/"*
	# One launch that is small, and one that the machine stops: none that it ends but the stand-in, in a slow build, not in time.
	mkdir "$SIMTTUTOR_DATA/lessons/22-matmul"
	cat >"$SIMTTUTOR_DATA/lessons/22-matmul/lesson.md" <<-'END'
		---
		format: 1
		title: Matrix product
		track: Whole kernels
		takeaway: Some launches are large.
		summary: A launch too large for the machine.
		kernel: matmul
		parameters:
		  - {name: n, label: matrix side, unit: words, values: [64, 1024]}
		experiment:
		  parameters: [n]
		  launch: {kernel: matmul_direct, grid: "{n / 16},{n / 16}", block: "16,16"}
		  args: ["f32[{n * n}]:random@3", "f32[{n * n}]:random@4", "f32[{n * n}]", "u32:{n}"]
		  watch: fetch_matmul_direct
		  views: [source]
		---
		# Matrix product
		## Two launches
		```simt
		views: [source]
		```
	END
	validate addresses --gpu "$count"
	[ "$status" -eq 0 ] && said out ' 1 launch' && said out 'no launches differ' && [ ! -s "$work/err" ]
	report $? "addresses: launches that are too large for the machine are left out"
	rm -r "$SIMTTUTOR_DATA/lessons/22-matmul"
	ln -s "$top_srcdir/lessons/20-shuffle" "$SIMTTUTOR_DATA/lessons/20-shuffle"
fi
validate --gpu "$count" --seed 3 --count 100 --format json
[ "$status" -eq 0 ] && [ "$(at instructions.programs)" = 2 ] && [ "$(at patterns.cases)" = 100 ] && [ "$(at occupancy.cases)" = 1 ] &&
	[ "$(at lessons.differ)" = 0 ] && [ "$(at addresses.differ)" = 0 ]
report $? "all campaigns, each with its share, in one object"
refuses 2 'are for the campaign instructions' patterns --live --every
refuses 2 '--record is for' lessons --live --record x
refuses 2 'Name one' instructions patterns --live --record x

# --- what needs another GPU ------------------------------------------------------------------------------------------
rm "$SIMTTUTOR_DATA/lessons/"*
ln -s "$top_srcdir/lessons/224-clusters" "$SIMTTUTOR_DATA/lessons/224-clusters"
for campaign in lessons addresses; do
	validate "$campaign" --gpu "command:'$fake' --cc 86 count" --format json
	[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && [ "$(at left_out)" -gt 3 ] && [ "$(at cases)" = 0 ] && [ "$(at failed)" = 0 ]
	report $? "$campaign: launches that need another GPU are left out, and counted"
done
validate lessons --gpu "command:'$fake' --cc 86 count"
said out 'launches are left out: they need another GPU'
report $? "and said"
rm "$SIMTTUTOR_DATA/lessons/224-clusters"
ln -s "$top_srcdir/lessons/20-shuffle" "$SIMTTUTOR_DATA/lessons/20-shuffle"

# --- a report of a GPU, for others -----------------------------------------------------------------------------------
validate instructions addresses --gpu "command:'$fake' machine" --seed 1 --count 50 --report "$work/report"
[ "$status" = 0 ] && grep -q '^instructions: agrees: [0-9]* cases$' "$work/out" && grep -q '^addresses: agrees: [0-9]* cases*$' "$work/out"
report $? "--report: a line for each campaign"
cp "$work/report" "$work/out"
[ "$(at simttutor_validation)" = 1 ] && [ "$(at gpu.name)" = '"Fake GPU"' ] && [ "$(at gpu.cc)" = 90 ] && [ "$(at seed)" = 1 ] &&
	[ "$(at campaigns.instructions.outcome)" = '"agrees"' ] && [ "$(at campaigns.instructions.result.different)" = 0 ] &&
	[ "$(at campaigns.instructions.result.instances)" -gt 1000 ] && [ "$(at campaigns.addresses.outcome)" = '"agrees"' ]
report $? "and in its file the GPU, with all that was compared"
echo mine > "$work/mine"
validate instructions --gpu "command:'$fake' machine" --count 1 --report "$work/mine"
[ "$status" = 2 ] && [ "$(cat "$work/mine")" = mine ]
report $? "no file of another kind is overwritten"
validate instructions --gpu "command:'$fake' machine" --seed 2 --count 1 --report "$work/report"
[ "$status" = 0 ] && grep -q '"seed": 2' "$work/report"
report $? "an older report is"
validate instructions --gpu "command:'$fake' flip" --seed 1 --only add --count 1 --report "$work/report"
[ "$status" = 1 ] && said out 'instructions: differs' && grep -q '"outcome": "differs"' "$work/report" && grep -q '"differences"' "$work/report"
report $? "what differs is in it, with its place"
validate patterns instructions --gpu "command:'$fake' miscount" --seed 9 --count 83 --report "$work/report.md"
[ "$status" = 1 ] && said out 'patterns: differs: 83 cases' && grep -q '^# What simttutor says and what a GPU does' "$work/report.md" &&
	grep -q '^| GPU | Fake GPU, FAKE, compute capability 9.0, 132 SMs |$' "$work/report.md" && grep -q '^| driver | 0.0, CUDA 13.0 |$' "$work/report.md" &&
	grep -q '^- patterns, ld.shared.u32, 1 of 1: requests: predicted [0-9]*, counted [0-9]*' "$work/report.md"
report $? "FILE.md is tables, and each difference with both numbers"
sed -n '/^~~~json$/,/^~~~$/p' "$work/report.md" | sed '1d;$d' > "$work/out"
[ "$(at simttutor_validation)" = 1 ] && [ "$(at gpu.cc)" = 90 ] && [ "$(at campaigns.patterns.outcome)" = '"differs"' ] && [ "$(at gpu.verified_before)" = true ]
report $? "with the JSON at their end"
validate instructions --gpu "command:'$fake' machine" --seed 2 --count 1 --report "$work/report.md"
[ "$status" = 0 ] && grep -q 'seed 2' "$work/report.md"
report $? "an older one is replaced"
validate patterns instructions --gpu "command:'$fake' no-counters" --count 1 --report "$work/report"
said out 'patterns: not run: as the test asked' && grep -q '"why": "as the test asked"' "$work/report"
report $? "what cannot be compared is named, and the rest goes on"
validate instructions --expect "$work/recording" --report "$work/report"
[ "$status" = 2 ] && said err 'needs --live'
report $? "it is about a GPU"
finish
