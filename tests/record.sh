# simttutor record against a fake worker, whose numbers cannot be the model's: what is measured, compared and written.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
dir=$work/recorded
NVDISASM=: # what is stored depends on it
export NVDISASM
mkdir "$dir"

capture_all "$simttutor" record banks --gpu "command:'$fake' ok" --output "$dir"
file=$dir/10-banks/recorded.json
[ $status = 1 ] && has 'stride 7 .*predicted .*, measured ' && has '^the model and this GPU disagree$' && [ -s "$file" ]
report $? "a disagreement is shown, exit 1, and what was measured is written"
launches=42
[ "$(grep -c '"kernel": ' "$file")" = $launches ] && [ "$(grep -c '"kernel": "shared_stride"' "$file")" = 34 ] && [ "$(grep -c 'u32:33' "$file")" = 1 ]
report $? "every stride from 0 to 33 is there, once"
counters=$("$simttutor" metrics --format json | sed -n '/"counters"/,/]/s/.*"name": "\([^"]*\)".*/\1/p' | grep -v "^ptx__" | sort -u | wc -l)
[ "$counters" -gt 60 ] && [ "$(sed -n '/"metrics"/,/}/p' "$file" | grep -c '^[^"]*"[A-Za-z0-9_.]*": [0-9]')" = $((launches * counters)) ]
report $? "each with all counters"
grep -q '"gpu": "Fake GPU", "cc": 90, "sms": 132, "driver": "0.0", "cuda": "13.0", "cupti": "0.0", "date": "20[0-9-]*"' "$file"
report $? "with GPU, versions and date"

[ "$(grep -c '"line_metrics": ' "$file")" = $launches ] &&
	[ "$(grep -c '"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"' "$file")" = $launches ] &&
	grep -q '"22": \[' "$file"
report $? "and with the counters of its lines"
cp "$file" "$dir/first.json"
capture_all "$simttutor" record 1 --gpu "command:'$fake' ok" --output "$dir"
cmp -s "$file" "$dir/first.json"
report $? "recording again gives the same file"

capture_all "$simttutor" record banks --resume --gpu "command:'$fake' error:kernel_fault" --output "$dir"; [ $? = 0 ] && has "banks: $launches launches, $launches of them recorded before" && cmp -s "$file" "$dir/first.json"
report $? "--resume measures nothing again"
sed 's/"u32:7", "u32:64"\]/"u32:7", "u32:65"]/' "$dir/first.json" > "$file"
capture_all "$simttutor" record banks --resume --gpu "command:'$fake' error:kernel_fault" --output "$dir"; [ $? = 1 ] && has 'stride 7: as the test asked' && has ", $((launches - 1)) of them recorded before" &&
	[ "$(grep -c '"kernel"' "$file")" = $((launches - 1)) ]
report $? "a failure keeps what there is"
capture_all "$simttutor" record banks --resume --gpu "command:'$fake' ok" --output "$dir"; has ", $((launches - 1)) of them recorded before" && cmp -s "$file" "$dir/first.json"
report $? "what is missing is measured, what belongs to nothing is dropped"
capture_all "$simttutor" record banks --gpu "command:'$fake' ok" --output "$dir"; has 'stride 7 .*wrong results: '
report $? "results of the GPU are compared"

capture_all "$simttutor" record sass --gpu "command:'$fake' ok" --output "$dir"
[ "$(grep -c '"executed": {"[0-9]*": [0-9]' "$dir/226-sass/recorded.json")" -gt 5 ] && ! grep -q '"executed"' "$file"
report $? "steps that show machine code have how often that was executed"
[ "$(grep -c '"instr_code": "0123456789abcdef"' "$dir/226-sass/recorded.json")" -gt 5 ] && ! grep -q '"instr_' "$file"
report $? "and how often each machine instruction was"

capture_all "$simttutor" record banks --check --gpu "command:'$fake' ok"; [ $? = 1 ] && ! has 'written'
report $? "--check writes nothing"

capture_all "$simttutor" record padding --check --gpu "command:'$fake' waits"
[ $? = 0 ] && has '\([0-9]*\) of \1 exact counters agree, 4 of them but for accesses that waited$' && ! has disagree
report $? "a shared access that is counted again while it waits is no disagreement"

capture_all "$simttutor" record barriers --gpu "command:'$fake' ok" --output "$dir"
has 'place inside, count 48 *not launched, it would end or hang on a GPU: 16 lanes' && has 'place inside, count 64 .*measured' &&
	grep -q '"u32:64"' "$dir/19-barriers/recorded.json" && [ "$(grep -c 'fold_inside' "$dir/19-barriers/recorded.json")" = 1 ]
report $? "a divergent barrier that is the lesson is not put to the GPU, the others are"

capture_all "$simttutor" record indexing --gpu "command:'$fake' ok" --output "$dir"
has '^  n 200 *measured; the machine leaves out what is defective: out of bounds' && has '^  n 192 .*predicted .*, measured '
report $? "counters of a launch that is defective on purpose are not compared"

mkdir -p "$work/several/10-banks"
cp "$top_srcdir/lessons/10-banks/recorded.json" "$work/several/10-banks/recorded.json"
chmod u+w "$work/several/10-banks/recorded.json"
capture_all "$simttutor" record banks --gpu "command:'$fake' count" --output "$work/several"
[ $? = 0 ] && [ "$(grep '"gpu": ' "$work/several/10-banks/recorded.json" | sed 's/.*"gpu": "\([^"]*\)".*/\1/' | uniq | tr '\n' ,)" = "NVIDIA H200,Fake GPU," ] &&
	[ "$(grep -c '"kernel": ' "$work/several/10-banks/recorded.json")" = $((2 * launches)) ]
report $? "what another GPU said is kept, first in the file"
capture_all "$simttutor" record banks --gpu "command:'$fake' count" --output "$work/several" --resume
[ $? = 0 ] && has "banks: $launches launches, $launches of them recorded before"
report $? "--resume is of this GPU"

capture_all "$simttutor" record clusters --gpu "command:'$fake' --cc 86 ok" --output "$dir"
[ $? = 0 ] && has 'not launched: it needs compute capability 9.0$' && [ ! -e "$dir/224-clusters/recorded.json" ]
report $? "what needs another GPU is not put to this one, and said"

mkdir -p "$work/two/lessons/01-two" && ln -s "$top_srcdir/kernels" "$work/two/kernels"
cat > "$work/two/lessons/01-two/lesson.md" <<'END'
---
format: 1
title: T
track: K
summary: S
takeaway: W
kernel: transposes
parameters: [{name: stage, values: [1, 2]}]
experiment:
  launch:
    - {kernel: turn_direct, grid: "2,2", block: "32,8", args: ["f32[4096]:iota", "middle=f32[4096]", "u32:64"]}
    - {kernel: copy, grid: "2,2", block: "32,8", args: [middle, "f32[4096]", "u32:64"]}
  watch: {launch: "{stage}"}
  results: {1: i % 64 * 64 + i / 64}
  views: [numbers]
---
## Step

Words.

```simt
set: {stage: 1}
```
END
capture_all "$simttutor" record --course "$work/two" two --gpu "command:'$fake' count" --output "$dir"
[ $status = 0 ] && has '^  stage 1 .*exact counters agree' && has '^  stage 2 .*exact counters agree' && ! has 'wrong results' &&
	[ "$(grep -c '"before": ' "$dir/01-two/recorded.json")" = 1 ]
report $? "of several launches a GPU is given the one that is watched, with what the others left"
cp "$dir/01-two/recorded.json" "$work/two/lessons/01-two"
capture_all "$simttutor" show --course "$work/two" two --set stage=2 --format json
[ $status = 0 ] && has '"recorded"'
report $? "and what was recorded of it is found"
sed -i 's/"middle=f32\[4096\]"/"middle=f32[4097]"/' "$work/two/lessons/01-two/lesson.md"
capture_all "$simttutor" show --course "$work/two" two --set stage=2 --format json
[ $status = 0 ] && ! has '"recorded"'
report $? "but not after another launch"
sed -i 's/copy, grid/turn_direct, grid/; s/args: \[middle, "f32\[4096\]"/args: [middle, middle/; s/^  results.*//' "$work/two/lessons/01-two/lesson.md"
capture_all "$simttutor" record --course "$work/two" two --gpu "command:'$fake' ok" --output "$dir"
has '^  stage 2 *not launched: a GPU cannot be given what the launches before it leave'
report $? "nor can two arguments that are one buffer be given"
capture_all env SIMTTUTOR_DATA="$work/two" "$simttutor" course launches
[ "$status" = 0 ] && [ "$(grep -c '"kernel":"turn_direct"' "$work/out")" = 2 ] && ! grep -q '"kernel":"copy"' "$work/out"
report $? "and a server for many readers is told of it alone"

# An exercise is recorded at the size that its lesson says, its start and its solution; what the model has is stored with it, and with
# launches that take long.
stored() { # FILE: how many results have what the model has
	grep -c '"model": \[' "$1"
}
[ "$(grep -c '"f32\[4194304\]:random@7"' "$dir/first.json")" = 2 ] && [ "$(stored "$dir/first.json")" = 2 ]
report $? "the start and the solution of an exercise, with what the model has of them"
capture_all "$simttutor" record waves --no-model --gpu "command:'$fake' ok" --output "$dir"
waves=$dir/18-waves/recorded.json
has '^  exercise: exercise/start *measured$' && has '^  exercise: exercise/solution *measured$' && ! has predicted && ! has 'counters agree' &&
	[ "$(stored "$waves")" = 0 ]
report $? "--no-model only measures"
measured=$(grep -c '"kernel"' "$waves")
capture_all "$simttutor" record waves --model --gpu "command:false" --output "$dir"
[ $? = 1 ] && has '^  blocks 66 .*predicted .*, measured ' && ! has '^  exercise: .*predicted ' && has "waves: $measured launches, $measured of them recorded before" &&
	[ "$(stored "$waves")" = "$measured" ] && [ "$(grep -c '"kernel"' "$waves")" = "$measured" ]
report $? "--model predicts, compares and stores without a GPU"
capture_all "$simttutor" record waves --code --gpu "command:false" --output "$dir"
[ $? = 0 ] && has 'no machine code is stored: there is no ' && has "waves: [0-9]* launches, $measured of them recorded before" &&
	[ "$(stored "$waves")" = "$measured" ]
report $? "--code keeps what is recorded, and says where there is no tool"
capture_all env NVCC=: CLANG=: "$simttutor" record streams --model --check --gpu "command:false"
[ $? = 0 ] && has 'streams: \([0-9]*\) launches, \1 of them recorded before'
report $? "and keeps what programs asked for, where no compiler is"
capture_all "$simttutor" record waves --model --no-model
[ $? = 2 ] && has '--model, --no-model and --code exclude each other'
report $? "--model with --no-model is wrong usage"

rm -r "$dir/10-banks"
capture_all "$simttutor" record banks --output "$dir" --gpu "command:'$fake' error:kernel_fault"
[ $? = 1 ] && has 'stride 1: as the test asked' && has 'The machine finds nothing wrong: ' && [ ! -e "$file" ]
report $? "a failed measurement is reported, exit 1, and nothing is written"

capture_all "$simttutor" record banks --output "$dir" --gpu "command:'$fake' probe-error:no_driver"
[ $? = 3 ] && has 'as the test asked' && has 'install the NVIDIA driver' && [ ! -e "$file" ]
report $? "no GPU is reported with the remedy, exit 3"

capture_all "$simttutor" record banks --output "$dir" --gpu none; [ $? = 3 ] && [ ! -e "$file" ]
report $? "--gpu none, exit 3"
capture_all "$simttutor" record nowhere --gpu "command:'$fake' ok"; [ $? = 2 ] && has 'nowhere'
report $? "an unknown lesson is named, exit 2"
capture_all "$simttutor" record; [ $? = 2 ] && has 'name a lesson'
report $? "no lesson is wrong usage"
capture_all "$simttutor" record --check --output "$dir" banks; [ $? = 2 ]
report $? "--check with --output is wrong usage"
finish
