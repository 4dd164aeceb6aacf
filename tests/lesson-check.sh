# `simttutor lesson check`: what it prints, tells and answers with.
simttutor=$top_builddir/simttutor
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/kernels"
cp "$top_srcdir"/kernels/shared_stride.* "$tmp/kernels"
n=0

# make NAME [LAST]: a lesson of one step, its experiment from standard input; strides go up to LAST
make() {
	last=${2-33}
	mkdir -p "$tmp/lessons/$1"
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
	} > "$tmp/lessons/$1/lesson.md"
}

# expect STATUS WORDS... -- ARGS...: the exit status, and words that the output has
expect() {
	n=$((n + 1))
	status=$1
	shift
	words=
	while [ "$1" != -- ]; do
		words="$words$1
"
		shift
	done
	shift
	"$simttutor" lesson "$@" > "$tmp/out" 2>&1
	got=$?
	missing=
	while read -r word; do
		[ -z "$word" ] || grep -qF -- "$word" "$tmp/out" || missing=$word
	done <<-END
		$words
	END
	if [ "$got" = "$status" ] && [ -z "$missing" ]; then
		echo "ok $n - lesson $*"
	else
		echo "not ok $n - lesson $*: status $got, not $status; missing: '$missing'"
		sed 's/^/# /' "$tmp/out"
	fi
}

# The answers are arithmetic: gcd(stride, 32), and one less for conflicts.
expect 0 "Bank conflicts, 7 steps" "start fails: one wavefront for a load: wavefronts / request: 32" \
	"wrong/stores fails: one wavefront for a store: store wavefronts" "wrong/race fails: race in line" " 1 exercise," "the answer is 'bank 5'" "the answer is 4 (stride 4)" "the answer is 2 (stride 6)" \
	"the answer is 15 (stride 16)" "sweep of 33 values; the answer is 8 (stride 24)" -- check "$top_srcdir/lessons/10-banks"

make fine <<'END'
question: {ask: Why?, metric: shared_load_requests}
END
# 2 blocks of 2 warps, 2 rounds each
expect 0 "the answer is 8 (stride 1)" -- check --no-recorded "$tmp/lessons/fine"
expect 0 "T, 1 step" -- check --no-recorded "$tmp/lessons/fine/"

expect 1 "step step: 34 of 34 launches are not recorded, the first at stride 1" -- check "$tmp/lessons/fine"

make unknown <<'END'
metrics: [shared_load_request]
END
expect 1 "unknown/lesson.md:23:11: unknown metric 'shared_load_request'; is it shared_load_requests?" -- \
	check --no-recorded "$tmp/lessons/unknown"

make unmodelled <<'END'
question: {ask: How long?, metric: time}
END
expect 1 "unmodelled/lesson.md:22:1: step step, stride 1: there is no value for time: the model does not know it; with from: recorded the measured one is taken" -- \
	check --no-recorded "$tmp/lessons/unmodelled"

make outside 40 <<'END'
set: {stride: 40}
END
expect 1 "outside/lesson.md:22:1: step step, stride 40: " -- check --no-recorded "$tmp/lessons/outside"

make sweep-outside 34 <<'END'
sweep: {metric: shared_load_wavefronts_per_request, parameter: stride}
END
expect 1 "step step, stride 34: " -- check --no-recorded "$tmp/lessons/sweep-outside"

make no-access <<'END'
watch: 8
END
expect 1 "line 8, which is watched, makes no memory access and no shuffle in block 0, warp 0" -- check --no-recorded "$tmp/lessons/no-access"

make launch <<'END'
launch: {grid: "{40 / (20 - stride)}"}
END
expect 1 "stride 20: grid: in {40 / (20 - stride)}: division by zero" -- check --no-recorded "$tmp/lessons/launch"

make nothing-computed <<'END'
results: {}
END
expect 1 "step step, stride 1: nothing says what the kernel must compute: results" -- \
	check --no-recorded "$tmp/lessons/nothing-computed"

make wrong-result <<'END'
results: {1: "arg3 * arg0[i % 32 * stride] + (i == 7 && stride == 5)"}
END
expect 1 "step step, stride 5: argument 1, element 7: 70, but it must be 71" -- check --no-recorded "$tmp/lessons/wrong-result"

make no-result <<'END'
results: {1: "arg0[i * 1024]"}
END
expect 1 "the result of argument 1, element 1, in 'arg0[i * 1024]': an index outside of a buffer" \
	"step step: 31 more of 34 launches are faulty" -- \
	check --no-recorded "$tmp/lessons/no-result"

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
expect 0 "the answer is 'even ones'; the claim does not hold" "1 lesson: 1 step, 1 question (1 answered by a witness), 1 claim, 0 exercises, " -- \
	check --no-recorded "$tmp/lessons/judged"

make two-right <<'END'
question: {ask: Which?, choices: [{text: this, when: 1}, {text: that, when: "stride == 1"}]}
END
expect 1 "step step, stride 1: 2 choices are right; it must be one" -- check --no-recorded "$tmp/lessons/two-right"

make none-right <<'END'
question: {ask: Which?, choices: [{text: this, when: 0}, {text: that, when: "stride == 7"}]}
END
expect 1 "step step, stride 1: no choice is right; one must be" -- check --no-recorded "$tmp/lessons/none-right"

make no-number <<'END'
question: {ask: How many?, answer: "shared_load_requests / (stride - 1)"}
END
expect 1 "shared_load_requests / (stride - 1) is no number: something is divided by zero" -- \
	check --no-recorded "$tmp/lessons/no-number"

make untimed <<'END'
question: {ask: How long?, metric: cycles}
END
expect 1 "there is no value for cycles: times are modelled where the step's metrics have one of them" -- \
	check --no-recorded "$tmp/lessons/untimed"

# What no launch can be made for is told once, with the step.
make arguments <<'END'
args: ["f32[1024]:iota", "f32[128]", "u32:{stride}"]
END
expect 1 "arguments/lesson.md:22:1: step step: the kernel takes 4 arguments, 3 given" -- check --no-recorded "$tmp/lessons/arguments"
n=$((n + 1))
[ "$(grep -c 'takes 4 arguments' "$tmp/out")" = 1 ] && echo "ok $n - and once" || echo "not ok $n - told more than once"

make endless <<'END'
args: ["f32[1024]:iota", "f32[128]", "u32:{stride}", "u32:2000000000"]
END
expect 1 "it may never end, line 21" "step step: its other launches are not tried" -- check --no-recorded "$tmp/lessons/endless"

make large-block <<'END'
launch: {grid: "2", block: "{2048 + 0 * stride}"}
END
expect 1 "blocks of 2048,1,1 threads cannot be: at most 2147483647,65535,65535 and 1024,1024,64, at least 1" -- \
	check --no-recorded "$tmp/lessons/large-block"

# edit NAME SED: the lesson, changed where make has nothing to say.
edit() { sed "$2" "$tmp/lessons/$1/lesson.md" > "$tmp/edited" && mv "$tmp/edited" "$tmp/lessons/$1/lesson.md"; }

make called-so <<'END'
question: {ask: Why?, metric: shared_load_requests}
END
edit called-so 's/name: stride/name: cycles/; s/{stride}/{cycles}/; s/32 \* stride/32 * cycles/'
expect 1 "'cycles' is a metric; a parameter must be called otherwise" -- check --no-recorded "$tmp/lessons/called-so"

make named-sweep <<'END'
sweep: {metric: shared_load_requests, parameter: how, values: [naive, tiled]}
END
edit named-sweep 's/default: 1}\]/default: 1}, {name: how, values: [naive, padded, tiled]}]/'
expect 0 "sweep of 2 values" -- check --no-recorded "$tmp/lessons/named-sweep"
edit named-sweep 's/values: \[naive, tiled\]/values: [naive, slow]/'
expect 1 "how cannot be 'slow'; it takes naive, padded, tiled" -- check --no-recorded "$tmp/lessons/named-sweep"

make wrong-right <<'END'
question: {ask: How many?, metric: shared_load_requests, wrong: {"4 * 2": It is not.}}
END
expect 1 "the wrong answer 4 * 2 is right" -- check --no-recorded "$tmp/lessons/wrong-right"

make no-defect <<'END'
defect: race
END
expect 1 "the lesson is a defect, race, but the machine finds none" -- check --no-recorded "$tmp/lessons/no-defect"

make shown-defect 40 <<'END'
defect: {kind: out of bounds, when: stride > 33}
END
expect 0 "41 launches" -- check --no-recorded "$tmp/lessons/shown-defect"

make other-defect 40 <<'END'
defect: {kind: out of bounds, when: stride > 34}
END
expect 1 "step step, stride 34: out of bounds, line 22: " -- check --no-recorded "$tmp/lessons/other-defect"

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
SIMTTUTOR_DATA=$tmp "$simttutor" record sound defective deadly --gpu "command:'$top_builddir/tests/fake-worker' ok" > "$tmp/out" 2>&1
expect 1 "step step, stride 33: smsp__inst_executed_op_shared_ld.sum: the model has 8, recorded is " -- check "$tmp/lessons/01-sound"
expect 0 " 1 launch" -- check "$tmp/lessons/02-defective"
# What would end on a GPU is neither launched nor missed.
expect 0 " 1 launch" -- check "$tmp/lessons/03-deadly"

# Spelling: of prose, not of code; each word told once for each time that it stands there, with its step.
make misspelt <<'END'
question: {ask: "A wrod of `tidd`, wavefront?", choices: [{text: this, when: "stride >= 0"}, {text: thsi, when: "stride < 0"}]}
END
if printf 'color\n' | hunspell -l -d en_US > "$tmp/out" 2> /dev/null && [ ! -s "$tmp/out" ]; then
	expect 1 "step step: the word 'wrod' is neither in the dictionary" "the word 'thsi'" -- check --no-recorded "$tmp/lessons/misspelt"
	grep -q tidd "$tmp/out" && echo "not ok $((n += 1)) - code is not spelt" || echo "ok $((n += 1)) - code is not spelt"
fi
HUNSPELL=: expect 0 "spelling is not checked: there is no hunspell" -- check --no-recorded "$tmp/lessons/misspelt"
HUNSPELL=/bin/false expect 0 "hunspell has no dictionary en_US" -- check --no-recorded "$tmp/lessons/misspelt"

# An exercise whose start, solution and wrong attempts are not what they must be.
make swapped <<'END'
launch: {kernel: row_sums, grid: "2", block: "128"}
args: ["f32[2048]:iota", "f32[64]", "u32:64"]
results: {1: "sum(k, 0, 32, arg0[i * 32 + k])"}
exercise: {goals: [shared_load_wavefronts_per_request == 1], hints: [one, two]}
END
mkdir -p "$tmp/lessons/swapped/exercise/wrong"
for file in "$top_srcdir"/lessons/10-banks/exercise/start.*; do
	cp "$file" "$tmp/lessons/swapped/exercise/solution.${file##*.}"
done
for file in "$top_srcdir"/lessons/10-banks/exercise/solution.*; do
	cp "$file" "$tmp/lessons/swapped/exercise/start.${file##*.}"
	cp "$file" "$tmp/lessons/swapped/exercise/wrong/right.${file##*.}"
done
expect 1 "an exercise has 3 hints, each telling more; here are 2" "exercise/start.cu passes, but it must not" \
	"exercise/solution.cu is none: shared_load_wavefronts_per_request == 1: " \
	"exercise/wrong/right.cu passes, but it must not" -- check --no-recorded "$tmp/lessons/swapped"
rm -r "$tmp/lessons/swapped/exercise/wrong"
expect 1 "there is no attempt in exercise/wrong that must be refused" -- check --no-recorded "$tmp/lessons/swapped"

after=nothing
make follows-nothing <<'END'
question: {ask: Why?, metric: shared_load_requests}
END
expect 1 "it comes after 'nothing', but there is no such lesson" -- check --no-recorded "$tmp/lessons/follows-nothing"
unset after

make long <<END
question: {ask: "$(seq -s ' words ' 1 250)", metric: shared_load_requests}
END
expect 1 "step step: the text takes 83 rows at 80x24, where 18 are seen at a time; it may take 36" -- \
	check --no-recorded "$tmp/lessons/long"

expect 3 "nowhere/lesson.md: cannot open" -- check --no-recorded "$tmp/nowhere"
expect 0 "T, 1 step" -- check --no-recorded "$tmp/lessons/fine/lesson.md"
expect 3 "T, 1 step" "nowhere/lesson.md: cannot open" -- check --no-recorded "$tmp/lessons/fine" "$tmp/nowhere"
expect 2 "It takes: check, new" --
expect 2 "It takes: check, new" -- chekc "$tmp/lessons/fine"
# A lesson to begin with, which is one.
expect 0 "lessons/20-mine/lesson.md" -- new "$tmp/lessons/20-mine"
expect 0 "A new lesson, 2 steps" "the answer is 4 (stride 4)" "the answer is 'stride 16'" -- \
	check --no-recorded "$tmp/lessons/20-mine"
expect 1 "there is a lesson already" -- new "$tmp/lessons/20-mine"
expect 2 "new takes one folder" -- new

expect 2 "check which folder?" -- check
echo "1..$n"
