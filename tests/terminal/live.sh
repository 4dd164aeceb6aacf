#!/bin/sh
# Numbers measured live, by a stand-in for the worker that behaves and misbehaves as its arguments say.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
[ -x "$fake" ] || skip_all "tests/fake-worker is not built"

open() {
	term_open 80 24
	gpu="command:exec '$fake' $1"
	learn banks/2
}
worker() { pgrep -P "$(program)" fake-worker; }

open ok
expect "the GPU is named" 'live: Fake GPU'
expect "its numbers are shown" 'measured: Fake GPU, live'
first=$(screen | grep 'shared load requests')
keys Right
expect "another value" 'stride ◂ 3'
changed() { now=$(screen | grep 'shared load requests'); [ "$now" != "$first" ] && echo "$now" | grep -q '[0-9] *requests'; }
until_ changed
report $? "is measured too"
keys Left
same() { [ "$(screen | grep 'shared load requests')" = "$first" ]; }
until_ same
report $? "a value seen before has its number"
worker=$(worker)
kill -s KILL $worker
keys Right Right Right m
expect "a killed worker is started again" 'stride ◂ 5'
again() { [ -n "$(worker)" ] && [ "$(worker)" != "$worker" ]; }
until_ again
report $? "by another process"
keys m
expect "and measures" 'measured: Fake GPU, live'
new=$(worker)
keys Q
expect_terminal_back "quit with a worker"
ended() { ! kill -s 0 $new 2>/dev/null; }
until_ ended
report $? "the worker ends with the program"
ended || kill $new

open error:kernel_fault
expect "a fault is reported" 'The kernel did something illegal'
keys Right
expect "and the lesson goes on" 'stride ◂ 3'
keys Q

open no-counters
expect "locked counters are reported with the remedy" 'NVreg_RestrictProfilingToAdminUsers'
keys Q

open garbage-hello
expect "garbage is reported" 'no hello of a worker'
expect "and the model's numbers are there" '2 wavefronts, ideal 1'
keys Q

open silent
expect "a silent worker does not hold up the lesson" '2 wavefronts, ideal 1'
keys Right
expect "nor the keys" 'stride ◂ 3'
keys Q
expect_terminal_back "quit while measuring"

# The views of time, with a GPU's stamps.
data=$work/data
mkdir -p "$data/lessons"
cp -r "$top_srcdir/lessons/10-banks" "$data/lessons/"
rm -f "$data/lessons/10-banks/recorded.json"
ln -s "$top_srcdir/kernels" "$data/kernels"
sed -i 's/^  views: \[banks, source, numbers\]/  views: [blocks, mask, schedule]/' "$data/lessons/10-banks/lesson.md"
open_times() {
	term_open "$2" "$3" SIMTTUTOR_DATA="'$data'"
	gpu="command:exec '$fake' $1"
	learn banks/2
}
open_times ok 80 24
expect "the GPU's blocks take the model's place" 'live: 2 blocks on 132 SMs'
expect "the key that switches between them is shown" 'w model/GPU'
keys w
expect "the model's can be had again" 'model: 2 blocks on 132 SMs'
keys w v
expect "masks of the GPU's warp" 'live: block 0 warp 0'
expect "never diverged" 'the warp never diverged'
keys v
expect "and an SM's warps" 'live: SM 0'
keys Right
expect "another value" 'stride ◂ 3'
expect "has a timeline of its own" 'live: SM 0'
keys Q
expect_terminal_back "quit with timelines"

open_times stamps-garbage 160 50
expect "impossible stamps are reported" "probe's buffer: block 0, warp 0"
expect "and the model's picture stays" 'model: 2 blocks on 132 SMs'
keys Right
expect "and the lesson goes on" 'stride ◂ 3'
keys Q
finish
