# `simttutor lesson check`: what it prints, reports and exits with.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8; export LC_ALL
mkdir "$work/kernels"
cp "$top_srcdir"/kernels/shared_stride.* "$work/kernels" && chmod u+w "$work"/kernels/*

# make NAME [LAST]: a lesson of one step, its experiment from standard input; strides go up to LAST
make() {
	last=${2-33}
	mkdir -p "$work/lessons/$1"
	{
		cat <<-END
			---
			format: 1
			title: T
			track: K
			summary: S
			takeaway: W
			can: do it
			after: [${after-banks}]
			kernel: shared_stride
			parameters: [{name: stride, range: [0, $last], default: 1}]
			experiment:
			  launch: {grid: "2", block: "64"}
			  args: ["f32[1024]:iota", "f32[128]", "u32:{stride}", "u32:2"]
			  watch: read
			  results: {1: "arg3 * arg0[i % 32 * stride]"}
			  views: [banks, defect, lanes]
			---
			## Step

			Words.

			\`\`\`simt
		END
		cat
		echo '```'
	} > "$work/lessons/$1/lesson.md"
}

# The answers are arithmetic: gcd(stride, 32), and one less for conflicts.
answers 0 "Bank conflicts, 7 steps" "start fails: no bank conflicts: with rows 64: shared bank conflicts: 1984" \
	"wrong/stores fails: no bank conflicts: with rows 64: shared bank conflicts: " "wrong/one_size fails: no bank conflicts: with rows 100: " "wrong/race fails: with rows 64: race in line" " 1 exercise," "the answer is 'bank 5'" "the answer is 4 (stride 4)" "the answer is 2 (stride 6)" \
	"the answer is 15 (stride 16)" "sweep of 33 values; the answer is 8 (stride 24)" -- lesson check "$top_srcdir/lessons/10-banks"

make fine <<'END'
question: {ask: Why?, metric: shared_load_requests}
END
# 2 blocks of 2 warps, 2 rounds each
answers 0 "the answer is 8 (stride 1)" -- lesson check --no-recorded "$work/lessons/fine"
answers 0 "T, 1 step" -- lesson check --no-recorded "$work/lessons/fine/"

answers 1 "step step: 34 of 34 launches are not recorded, the first at stride 1" -- lesson check "$work/lessons/fine"

make unknown <<'END'
metrics: [shared_load_request]
END
answers 1 "unknown/lesson.md:23:11: unknown metric 'shared_load_request'; is it shared_load_requests?" -- \
	lesson check --no-recorded "$work/lessons/unknown"

make unmodeled <<'END'
question: {ask: How many registers?, metric: registers}
END
answers 1 "unmodeled/lesson.md:22:1: step step, stride 1: there is no value for registers: the model does not know it; with from: recorded the measured one is taken" -- \
	lesson check --no-recorded "$work/lessons/unmodeled"

make outside 40 <<'END'
set: {stride: 40}
END
answers 1 "outside/lesson.md:22:1: step step, stride 40: " -- lesson check --no-recorded "$work/lessons/outside"

make sweep-outside 34 <<'END'
sweep: {metric: shared_load_wavefronts_per_request, parameter: stride}
END
answers 1 "step step, stride 34: " -- lesson check --no-recorded "$work/lessons/sweep-outside"

make no-access <<'END'
watch: 8
END
answers 1 "line 8, which is watched, makes no memory access and no shuffle, and has no matrix instruction, in block 0, warp 0" -- lesson check --no-recorded "$work/lessons/no-access"

# Where no view draws what it does to memory, a line is watched that is executed.
make no-access-drawn <<'END'
watch: 21
views: [source, numbers]
END
answers 0 "1 lesson" -- lesson check --no-recorded "$work/lessons/no-access-drawn"
make not-executed <<'END'
watch: 8
views: [source, numbers]
END
answers 1 "line 8, which is watched, is not executed" -- lesson check --no-recorded "$work/lessons/not-executed"

make launch <<'END'
launch: {grid: "{40 / (20 - stride)}"}
END
answers 1 "stride 20: grid: in {40 / (20 - stride)}: division by zero" -- lesson check --no-recorded "$work/lessons/launch"

make nothing-computed <<'END'
results: {}
END
answers 1 "step step, stride 1: nothing says what the kernel must compute: results" -- \
	lesson check --no-recorded "$work/lessons/nothing-computed"

make wrong-result <<'END'
results: {1: "arg3 * arg0[i % 32 * stride] + (i == 7 && stride == 5)"}
END
answers 1 "step step, stride 5: out[7] is 70, but it must be 71" -- lesson check --no-recorded "$work/lessons/wrong-result"

make no-result <<'END'
results: {1: "arg0[i * 1024]"}
END
answers 1 "the result of argument 1, element 1, in 'arg0[i * 1024]': an index outside of a buffer" \
	"step step: 31 more of 34 launches are faulty" -- \
	lesson check --no-recorded "$work/lessons/no-result"

make judged <<'END'
question:
  ask: Which strides cost more?
  set: {stride: 4}
  choices:
    - {text: even ones, when: "shared_load_wavefronts_per_request > shared_load_wavefronts_per_request[stride=5]"}
    - {text: odd ones, when: "shared_load_wavefronts_per_request < shared_load_wavefronts_per_request[stride=5]"}
  explain: Stride 4 takes {= shared_load_wavefronts_per_request} passes.
claim:
  text: One word more makes a stride of two free.
  holds: shared_load_wavefronts_per_request[stride=2] == 1
  says: It takes {= shared_load_wavefronts_per_request[stride=2]}.
END
answers 0 "the answer is 'even ones'; the claim does not hold" "1 lesson: 1 step, 1 question (1 answered by a witness), 1 claim, 0 exercises, " -- \
	lesson check --no-recorded "$work/lessons/judged"

make two-right <<'END'
question: {ask: Which?, choices: [{text: this, when: 1}, {text: that, when: "stride == 1"}]}
END
answers 1 "step step, stride 1: 2 choices are right; it must be one" -- lesson check --no-recorded "$work/lessons/two-right"

make none-right <<'END'
question: {ask: Which?, choices: [{text: this, when: 0}, {text: that, when: "stride == 7"}]}
END
answers 1 "step step, stride 1: no choice is right; one must be" -- lesson check --no-recorded "$work/lessons/none-right"

make no-number <<'END'
question: {ask: How many?, answer: "shared_load_requests / (stride - 1)"}
END
answers 1 "shared_load_requests / (stride - 1) has no value: something is divided by zero" -- \
	lesson check --no-recorded "$work/lessons/no-number"

make untimed <<'END'
question: {ask: How long?, metric: cycles}
END
answers 1 "there is no value for cycles: times are modeled where the step's metrics have one of them" -- \
	lesson check --no-recorded "$work/lessons/untimed"

# What keeps every launch from being made is reported once, with the step.
make arguments <<'END'
args: ["f32[1024]:iota", "f32[128]", "u32:{stride}"]
END
answers 1 "arguments/lesson.md:22:1: step step: the kernel takes 4 arguments, 3 given" -- lesson check --no-recorded "$work/lessons/arguments"
[ "$(grep -c 'takes 4 arguments' "$work/out")" = 1 ]
report $? "and once"

make endless <<'END'
args: ["f32[1024]:iota", "f32[128]", "u32:{stride}", "u32:2000000000"]
END
answers 1 "stopped after 100000 warp instructions; it may never end, line 21" "step step: its other launches are not tried" -- \
	lesson check --no-recorded --steps 100000 "$work/lessons/endless"
answers 2 "--steps:1:1: expected a whole number from 1 to" -- lesson check --steps 0 "$work/lessons/endless"

make large-block <<'END'
launch: {grid: "2", block: "{2048 + 0 * stride}"}
END
answers 1 "blocks of 2048,1,1 threads cannot be launched: at most 2147483647,65535,65535 and 1024,1024,64, at least 1" -- \
	lesson check --no-recorded "$work/lessons/large-block"

# edit NAME SED: the lesson, changed where make has nothing to say.
edit() { sed "$2" "$work/lessons/$1/lesson.md" > "$work/edited" && mv "$work/edited" "$work/lessons/$1/lesson.md"; }

make called-so <<'END'
question: {ask: Why?, metric: shared_load_requests}
END
edit called-so 's/name: stride/name: cycles/; s/{stride}/{cycles}/; s/32 \* stride/32 * cycles/'
answers 1 "'cycles' is a metric; a parameter must be called otherwise" -- lesson check --no-recorded "$work/lessons/called-so"

make named-sweep <<'END'
sweep: {metric: shared_load_requests, parameter: how, values: [naive, tiled]}
END
edit named-sweep 's/default: 1}\]/default: 1}, {name: how, values: [naive, padded, tiled]}]/'
answers 0 "sweep of 2 values" -- lesson check --no-recorded "$work/lessons/named-sweep"
edit named-sweep 's/values: \[naive, tiled\]/values: [naive, slow]/'
answers 1 "how cannot be 'slow'; it takes naive, padded, tiled" -- lesson check --no-recorded "$work/lessons/named-sweep"

make compared <<'END'
compare: {stride: 32, how: tiled}
metrics: [shared_load_wavefronts_per_request, shared_load_requests]
END
edit compared 's/default: 1}\]/default: 1}, {name: how, values: [naive, padded, tiled]}]/'
answers 0 "compared with stride 32, how tiled: 1 of 2 numbers differ" -- lesson check --no-recorded "$work/lessons/compared"
edit compared 's/stride: 32, how/rounds: 32, how/'
answers 1 "unknown parameter 'rounds'; there is stride, how" -- lesson check --no-recorded "$work/lessons/compared"

# Several launches over the same memory: what one leaves is what the next one finds.
mkdir -p "$work/two/lessons/01-two" && ln -s "$top_srcdir/kernels" "$work/two/kernels"
cat > "$work/two.md" <<'END'
---
format: 1
title: T
track: K
summary: S
takeaway: W
can: do it
kernel: transposes
parameters:
  - {name: stage, values: [1, 2]}
  - {name: second, values: [turn_direct, turn_tile]}
experiment:
  launch:
    - {kernel: turn_direct, grid: "2,2", block: "32,8", args: ["f32[4096]:iota", "middle=f32[4096]", "u32:64"]}
    - {kernel: "{second}", grid: "2,2", block: "32,8", args: [middle, "f32[4096]", "u32:64"]}
  watch: {launch: "{stage}", line: "{stage == 1 ? 24 : second == turn_direct ? 24 : 38}"}
  results: {1: i}
  views: [sectors]
  metrics: [global_store_sectors_per_request]
---
## Step

Words.

```simt
set: {second: turn_tile}
compare: {stage: 2}
```
END
two() { sed "$1" "$work/two.md" > "$work/two/lessons/01-two/lesson.md"; } # SED
two ''
answers 0 "compared with stage 2, second turn_tile: 1 of 1 numbers differ" "4 launches" -- \
	lesson check --no-recorded "$work/two/lessons/01-two"
answers 1 "4 of 4 launches are not recorded, the first at stage 1" -- lesson check "$work/two/lessons/01-two"
answers 0 '"value": 32.0' '"value": 4.0' -- show --course "$work/two" two --format json
capture_all "$simttutor" show --course "$work/two" two --set stage=2 --gpu "command:'$fake' ok"
[ $status = 0 ] && has 'live: Fake GPU'
report $? "a GPU is given the second launch with what the first one left"
answers 0 'launch 2 · line 38 · warp 0:0' -- show --course "$work/two" two --set stage=2
two 's/results: {1: i}/results: {1: i + 1}/'
answers 1 'stage 1, second turn_tile: out[0] is 0, but it must be 1' -- lesson check --no-recorded "$work/two/lessons/01-two"
two 's/"middle=f32\[4096\]"/"middle=f32[4000]"/'
answers 1 'stage 1, second turn_tile: out of bounds, line 24' \
	'transposes.cu:24: launch 1 of 2, turn_direct: a 4-byte store' -- lesson check --no-recorded "$work/two/lessons/01-two"
answers 0 'transposes.cu:24: launch 1 of 2,' -- show --course "$work/two" two --set stage=2
two 's/\[middle, "f32\[4096\]"/[middle, "f32[4000]"/'
answers 1 'stage 1, second turn_tile: launch 2 of 2, turn_tile: a 4-byte store' \
	-- lesson check --no-recorded "$work/two/lessons/01-two"

mkdir -p "$work/lessons/counted"
cat > "$work/kernels/counted.cu" <<'END'
extern "C" __global__ void counted(const unsigned *in, unsigned *out)
{
	atomicAdd(&out[in[threadIdx.x]], 1u); //@ joined
}
END
cat > "$work/kernels/counted.ptx" <<'END'
.version 6.3
.target sm_75
.address_size 64
.file 1 "counted.cu"
.visible .entry counted(.param .u64 in, .param .u64 out)
{
	.reg .b64 %a<4>;
	.reg .b32 %r<4>;
	.loc 1 3 0
	ld.param.u64 %a0, [in];
	ld.param.u64 %a1, [out];
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %a2, %r0, 4;
	add.s64 %a0, %a0, %a2;
	ld.global.u32 %r1, [%a0];
	mul.wide.u32 %a2, %r1, 4;
	add.s64 %a1, %a1, %a2;
	red.global.add.u32 [%a1], 1;
	ret;
}
END
cat > "$work/lessons/counted/lesson.md" <<'END'
---
format: 1
title: T
track: K
summary: S
takeaway: W
can: do it
kernel: counted
parameters: [{name: n, values: [32]}]
experiment:
  launch: {grid: "1", block: "{n}"}
  args: ["u32[32]", "u32[1]"]
  watch: joined
  results: {1: 32}
  views: [atomics]
  metrics: [global_load_requests]
---
## Step

Words.

```simt
set: {n: 32}
```
END
answers 1 "the first access of line 3, which is watched, is no atomic operation, as the view atomics draws: give that a line" \
	-- lesson check --no-recorded "$work/lessons/counted"
sed -i 's/views: .atomics./views: [sectors, atomics]/' "$work/lessons/counted/lesson.md"
answers 1 "1 step" "!is no atomic" -- lesson check --no-recorded "$work/lessons/counted"

make wrong-right <<'END'
question: {ask: How many?, metric: shared_load_requests, wrong: {"4 * 2": It is not.}}
END
answers 1 "the wrong answer 4 * 2 is right" -- lesson check --no-recorded "$work/lessons/wrong-right"

make no-defect <<'END'
defect: race
END
answers 1 "the lesson is a defect, race, but the machine finds none" -- lesson check --no-recorded "$work/lessons/no-defect"

make shown-defect 40 <<'END'
defect: {kind: out of bounds, when: stride > 33}
END
answers 0 "41 launches" -- lesson check --no-recorded "$work/lessons/shown-defect"

make other-defect 40 <<'END'
defect: {kind: out of bounds, when: stride > 34}
END
answers 1 "step step, stride 34: out of bounds, line 22: " -- lesson check --no-recorded "$work/lessons/other-defect"

# What is recorded is compared with the model, but for what is defective on purpose.
make 01-sound 34 <<'END'
{set: {stride: 33}, parameters: []}
END
make 02-defective <<'END'
{set: {stride: 33}, parameters: [], args: ["f32[1000]:iota", "f32[128]", "u32:{stride}", "u32:2"], defect: out of bounds}
END
make 03-deadly 34 <<'END'
{set: {stride: 34}, parameters: [], defect: out of bounds}
END
SIMTTUTOR_DATA=$work "$simttutor" record sound defective deadly --gpu "command:'$top_builddir/tests/fake-worker' ok" > "$work/out" 2>&1
answers 1 "step step, stride 33: smsp__inst_executed_op_shared_ld.sum: the model has 8, recorded is " -- lesson check "$work/lessons/01-sound"
answers 0 " 1 launch" -- lesson check "$work/lessons/02-defective"
# What would end on a GPU is neither launched nor missed.
answers 0 " 1 launch" -- lesson check "$work/lessons/03-deadly"

# Spelling: of prose, not of code; each word once in each step.
make misspelled <<'END'
question: {ask: "A wrod of `tidd`, wavefront? A wrod's?", choices: [{text: "this (thsi)", when: "stride >= 0"}, {text: "thsi, wrod thsi's", when: "stride < 0"}]}
END
if printf 'color\n' | hunspell -l -d en_US > "$work/out" 2> /dev/null && [ ! -s "$work/out" ]; then
	answers 1 "step step: the word 'wrod' is neither in the dictionary" "the word 'thsi'" -- lesson check --no-recorded "$work/lessons/misspelled"
	! printed out tidd
	report $? "code is not checked for spelling"
	[ "$(grep -o "the word '[a-z']*'" "$work/out" | tr -d '\n')" = "the word 'wrod'the word 'wrod's'the word 'thsi'the word 'thsi's'" ]
	report $? "a word that is wrong is reported once in a step, as it is written"
	# A MiB of words that are none, and one of a word without a blank, either of which takes hunspell a minute.
	flood() { # LESSON AWK: with what the program prints as prose
		printf '{}\n' | make "$1"
		awk -v lines=70000 "BEGIN { srand(1); $2 }" > "$work/flood"
		sed -i -e "/^Words\.$/r $work/flood" "$work/lessons/$1/lesson.md"
	}
	flood many 'for (i = 0; i < lines; i++) { for (c = 0; c < 12; c++) printf "%c", 97 + int(rand() * 26); print "" }'
	flood one 'for (i = 0; i < 12 * lines; i++) printf "%c", 97 + int(rand() * 26); print " wrod"'
	capture_all timeout 15 "$simttutor" lesson check --no-recorded "$work/lessons/many"
	[ "$status" = 1 ] && said out 'only the first 20000 different words are checked for spelling' && said out 'more words are in neither of them' &&
		[ "$(grep -c 'is neither in the dictionary' "$work/out")" = 50 ]
	report $? "of a flood of wrong words, some are looked up, and fewer reported"
	capture_all timeout 15 "$simttutor" lesson check --no-recorded "$work/lessons/one"
	[ "$status" = 1 ] && grep -q "the word '[a-z]\{100\}\.\.\.' is neither" "$work/out" && said out "the word 'wrod' is neither"
	report $? "a word of 800 kB is not looked up"
fi
HUNSPELL=: answers 0 "spelling is not checked: there is no hunspell" -- lesson check --no-recorded "$work/lessons/misspelled"
HUNSPELL=/bin/false answers 0 "hunspell has no dictionary en_US" -- lesson check --no-recorded "$work/lessons/misspelled"

# Each key fills the buffers anew.
make huge 1 <<'END'
{args: ["f32[33554304]:iota", "f32[128]", "u32:{stride}", "u32:2"]}
END
answers 0 " 2 launches" -- lesson check --no-recorded "$work/lessons/huge"
make too-huge 1 <<'END'
{args: ["f32[33554304]:iota", "f32[129]", "u32:{stride}", "u32:2"]}
END
answers 1 ":23:31: 'f32[129]': the buffers of a launch in a lesson hold at most 128 MiB together" -- lesson check --no-recorded "$work/lessons/too-huge"

# An exercise whose start, solution and wrong attempts are not what they must be.
make swapped <<'END'
launch: {kernel: row_sums, grid: "2", block: "128"}
args: ["f32[2048]:iota", "f32[64]", "u32:64"]
results: {1: "sum(k, 0, 32, arg0[i * 32 + k])"}
exercise: {goals: [shared_load_wavefronts_per_request == 1], hints: [one, two]}
END
mkdir -p "$work/lessons/swapped/exercise/wrong" "$work/lessons/swapped/exercise/right"
for file in "$top_srcdir"/lessons/10-banks/exercise/start.*; do
	cp "$file" "$work/lessons/swapped/exercise/solution.${file##*.}"
	cp "$file" "$work/lessons/swapped/exercise/right/other.${file##*.}"
done
for file in "$top_srcdir"/lessons/10-banks/exercise/solution.*; do
	cp "$file" "$work/lessons/swapped/exercise/start.${file##*.}"
	cp "$file" "$work/lessons/swapped/exercise/wrong/right.${file##*.}"
done
answers 1 "an exercise has 3 hints, each more specific; here are 2" "exercise/start.cu passes, but it must not" \
	"exercise/solution.cu is none: shared_load_wavefronts_per_request == 1: " \
	"exercise/right/other.cu is a solution, but: shared_load_wavefronts_per_request == 1: " \
	"exercise/wrong/right.cu passes, but it must not" -- lesson check --no-recorded "$work/lessons/swapped"
answers 1 "nothing says with which parameters the start and the solution are timed: timed" -- lesson check "$work/lessons/swapped"
rm "$work"/lessons/swapped/exercise/wrong/*
answers 1 "there is no attempt in exercise/wrong that must be refused" -- lesson check --no-recorded "$work/lessons/swapped"
rmdir "$work/lessons/swapped/exercise/wrong"
answers 1 "there are no wrong attempts to try" "!there is no attempt" -- lesson check --no-recorded "$work/lessons/swapped"

after=nothing
make follows-nothing <<'END'
question: {ask: Why?, metric: shared_load_requests}
END
answers 1 "it comes after 'nothing', but there is no such lesson" -- lesson check --no-recorded "$work/lessons/follows-nothing"
unset after

make long <<END
question: {ask: "$(seq -s ' words ' 1 250)", metric: shared_load_requests}
END
answers 1 "step step: the text takes 83 rows at 80x24, where 18 are seen at a time; it may take 36" -- \
	lesson check --no-recorded "$work/lessons/long"

answers 3 "nowhere/lesson.md: cannot open" -- lesson check --no-recorded "$work/nowhere"
answers 0 "T, 1 step" -- lesson check --no-recorded "$work/lessons/fine/lesson.md"
answers 3 "T, 1 step" "nowhere/lesson.md: cannot open" -- lesson check --no-recorded "$work/lessons/fine" "$work/nowhere"
answers 2 "It takes: check, build, new" -- lesson
answers 2 "It takes: check, build, new" -- lesson chekc "$work/lessons/fine"
# A lesson to begin with, which is one.
answers 0 "lessons/20-mine/lesson.md" -- lesson new "$work/lessons/20-mine"
answers 0 "A new lesson, 2 steps" "the answer is 4 (stride 4)" "the answer is 'stride 16'" -- \
	lesson check --no-recorded "$work/lessons/20-mine"
answers 1 "there is a lesson already" -- lesson new "$work/lessons/20-mine"
answers 2 "new takes one folder" -- lesson new

answers 2 "check which folder?" -- lesson check

# All faults with their places, for programs.
"$simttutor" lesson check --format json --no-recorded "$work/lessons/fine" "$work/lessons/swapped" "$work/lessons/no-defect" > "$work/out" 2> "$work/err"
[ $? = 1 ] && [ "$(at outcome)" = '"error"' ] && [ "$(at totals.lessons)" = 3 ] && [ "$(at messages.0.severity)" = '"error"' ] &&
	at messages.0.message | grep -q 'an exercise has 3 hints' && at messages.0.file | grep -q 'swapped/lesson.md' &&
	[ "$(at messages.0.line)" = 22 ]
report $? "lesson check --format json: every fault with its place"
"$simttutor" lesson check --format json --no-recorded "$work/lessons/fine" > "$work/out" 2> "$work/err"
[ $? = 0 ] && [ "$(at outcome)" = '"ok"' ] && [ "$(at totals.launches)" = 34 ]
report $? "lesson check --format json: a lesson without faults"
answers 2 "expected text or json" -- lesson check --format yaml "$work/lessons/fine"

# --- as recorded --------------------------------------------------------------------------------------------------------
answers 0 " 41 launches" "!exact count" -- lesson check --no-recorded "$top_srcdir/lessons/10-banks"
answers 0 " exact counts as recorded" -- lesson check "$top_srcdir/lessons/10-banks"
counted=$(sed -n 's/.* launches, \([0-9]*\) exact counts as recorded$/\1/p' "$work/out")
"$simttutor" lesson check --format json "$top_srcdir/lessons/10-banks" > "$work/out" 2> "$work/err"
[ "$counted" -gt 100 ] && [ "$(at totals.counts)" = "$counted" ]
report $? "how many exact counts are as recorded, in JSON too"
recorded=$(grep -c '"kernel": ' "$top_srcdir/lessons/10-banks/recorded.json")
exact=$(sed -n 's/^COUNTER([A-Z0-9_]*, "[^"]*", "[^"]*", EXACT,.*/x/p' "$top_srcdir/src/model/hardware/counters.def" | grep -c x)
[ "$counted" -le $((recorded * exact)) ]
report $? "of each launch they are counted once"


# The example of the manual, as it stands there.
mkdir -p "$work/lessons/01-example"
sed -n '/^A lesson of one step:/,/^\.Ed/p' "$top_srcdir/man/simttutor-lesson.5" | sed '1,2d; $d; s/^\\&//' > "$work/lessons/01-example/lesson.md"
answers 0 "Stride two, 1 step" "the answer is 2 (stride 6)" -- lesson check --no-recorded "$work/lessons/01-example"

# PTX belongs to its source: comments count, since lines are counted.
sed '1i// A comment.' "$top_srcdir/kernels/shared_stride.cu" > "$work/kernels/shared_stride.cu"
answers 1 "kernels/shared_stride.ptx: it was not made from what is now in" "simttutor lesson build makes it anew" -- \
	lesson check --no-recorded "$work/lessons/01-example"
cp "$top_srcdir/kernels/shared_stride.cu" "$work/kernels"
sed '/^\/\/ from:/d' "$top_srcdir/kernels/shared_stride.ptx" > "$work/kernels/shared_stride.ptx"
answers 1 "kernels/shared_stride.ptx: it does not say whether it was made from" -- lesson check --no-recorded "$work/lessons/01-example"
finish
