# simttutor record against a fake worker, whose numbers cannot be the model's: what is measured, compared and written.
simttutor=$top_builddir/simttutor
fake=$top_builddir/tests/fake-worker
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
n=0
check() { # NAME STATUS
	n=$((n + 1))
	if [ "$2" = 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$out" | head -20 | sed 's/^/# /'
	fi
}
has() { printf '%s\n' "$out" | grep -q -e "$1"; }

out=$("$simttutor" record banks --gpu "command:'$fake' ok" --output "$dir" 2>&1); status=$?
file=$dir/10-banks/recorded.json
[ $status = 1 ] && has 'stride 7 .*predicted .*, measured ' && has '^the model and this GPU disagree$' && [ -s "$file" ]
check "a disagreement is shown, exit 1, and what was measured is written" $?
launches=40
[ "$(grep -c '"kernel": ' "$file")" = $launches ] && [ "$(grep -c '"kernel": "shared_stride"' "$file")" = 34 ] && [ "$(grep -c 'u32:33' "$file")" = 1 ]
check "every stride from 0 to 33 is there, once" $?
counters=$("$simttutor" metrics --format json | sed -n '/"counters"/,/]/s/.*"name": "\([^"]*\)".*/\1/p' | sort -u | wc -l)
[ "$counters" -gt 60 ] && [ "$(sed -n '/"metrics"/,/}}/p' "$file" | grep -c '^[^"]*"[A-Za-z0-9_.]*": [0-9]')" = $((launches * counters)) ]
check "each with all counters" $?
grep -q '"gpu": "Fake GPU", "cc": 90, "sms": 132, "driver": "0.0", "cuda": "13.0", "cupti": "0.0", "date": "20[0-9-]*"' "$file"
check "with GPU, versions and date" $?

[ "$(grep -c '"line_metrics": ' "$file")" = $launches ] &&
	[ "$(grep -c '"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"' "$file")" = $launches ] &&
	grep -q '"22": \[' "$file"
check "and with the counters of its lines" $?
cp "$file" "$dir/first.json"
out=$("$simttutor" record 1 --gpu "command:'$fake' ok" --output "$dir" 2>&1)
cmp -s "$file" "$dir/first.json"
check "recording again gives the same file" $?

out=$("$simttutor" record banks --resume --gpu "command:'$fake' error:kernel_fault" --output "$dir" 2>&1); [ $? = 0 ] && has "banks: $launches launches, $launches of them recorded before" && cmp -s "$file" "$dir/first.json"
check "--resume measures nothing again" $?
sed 's/"u32:7", "u32:64"\]/"u32:7", "u32:65"]/' "$dir/first.json" > "$file"
out=$("$simttutor" record banks --resume --gpu "command:'$fake' error:kernel_fault" --output "$dir" 2>&1); [ $? = 1 ] && has 'stride 7: as the test asked' && has ", $((launches - 1)) of them recorded before" &&
	[ "$(grep -c '"kernel"' "$file")" = $((launches - 1)) ]
check "a failure keeps what there is" $?
out=$("$simttutor" record banks --resume --gpu "command:'$fake' ok" --output "$dir" 2>&1); has ", $((launches - 1)) of them recorded before" && cmp -s "$file" "$dir/first.json"
check "what is missing is measured, what belongs to nothing is dropped" $?
out=$("$simttutor" record banks --gpu "command:'$fake' ok" --output "$dir" 2>&1); has 'stride 7 .*wrong results: '
check "results of the GPU are compared" $?

out=$("$simttutor" record banks --check --gpu "command:'$fake' ok" 2>&1); [ $? = 1 ] && ! has 'written'
check "--check writes nothing" $?

out=$("$simttutor" record padding --check --gpu "command:'$fake' waits" 2>&1)
[ $? = 0 ] && has '\([0-9]*\) of \1 exact counters agree, 4 of them but for accesses that waited$' && ! has disagree
check "a shared access that is counted again while it waits is no disagreement" $?

out=$("$simttutor" record barriers --gpu "command:'$fake' ok" --output "$dir" 2>&1)
has 'place inside, count 48 *not launched, it would end or hang on a GPU: 16 lanes' && has 'place inside, count 64 .*measured' &&
	grep -q '"u32:64"' "$dir/19-barriers/recorded.json" && [ "$(grep -c 'fold_inside' "$dir/19-barriers/recorded.json")" = 1 ]
check "a divergent barrier that is the lesson is not put to the GPU, the others are" $?

out=$("$simttutor" record indexing --gpu "command:'$fake' ok" --output "$dir" 2>&1)
has '^  n 200 *measured; the machine leaves out what is defective: out of bounds' && has '^  n 192 .*predicted .*, measured '
check "counters of a launch that is defective on purpose are not compared" $?

rm -r "$dir/10-banks"
out=$("$simttutor" record banks --output "$dir" --gpu "command:'$fake' error:kernel_fault" 2>&1)
[ $? = 1 ] && has 'stride 1: as the test asked' && has 'The machine finds nothing wrong: ' && [ ! -e "$file" ]
check "a failed measurement is told, exit 1, and nothing is written" $?

out=$("$simttutor" record banks --output "$dir" --gpu "command:'$fake' probe-error:no_driver" 2>&1)
[ $? = 3 ] && has 'as the test asked' && has 'install the NVIDIA driver' && [ ! -e "$file" ]
check "no GPU is told with the remedy, exit 3" $?

out=$("$simttutor" record banks --output "$dir" --gpu none 2>&1); [ $? = 3 ] && [ ! -e "$file" ]
check "--gpu none, exit 3" $?
out=$("$simttutor" record nowhere --gpu "command:'$fake' ok" 2>&1); [ $? = 3 ] && has 'nowhere'
check "an unknown lesson is named, exit 3" $?
out=$("$simttutor" record 2>&1); [ $? = 2 ] && has 'name a lesson'
check "no lesson is wrong usage" $?
out=$("$simttutor" record --check --output "$dir" banks 2>&1); [ $? = 2 ]
check "--check with --output is wrong usage" $?
echo "1..$n"
