# `simttutor lesson check`: what it prints, tells and answers with.
simttutor=$top_builddir/simttutor
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/kernels"
cp "$top_srcdir"/kernels/shared_stride.* "$tmp/kernels"
n=0

# make NAME: a lesson of one step, its experiment from standard input
make() {
	mkdir -p "$tmp/lessons/$1"
	{
		cat <<-'END'
			---
			format: 1
			title: T
			track: K
			summary: S
			takeaway: W
			kernel: shared_stride
			parameters: [{name: stride, range: [0, 40], default: 1}]
			experiment:
			  launch: {grid: "2", block: "64"}
			  args: ["f32[1024]:iota", "f32[128]", "u32:{stride}", "u32:2"]
			  watch: read
			  views: [banks]
			---
			## Step

			Words.

			```simt
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
expect 0 "Bank conflicts, 7 steps" "the answer is 'bank 5'" "the answer is 4 (stride 4)" "the answer is 2 (stride 6)" \
	"the answer is 15 (stride 16)" "sweep of 33 values; the answer is 8 (stride 24)" -- check "$top_srcdir/lessons/01-banks"

make fine <<'END'
question: {ask: Why?, metric: shared_load_requests}
END
# 2 blocks of 2 warps, 2 rounds each
expect 0 "the answer is 8 (stride 1)" -- check "$tmp/lessons/fine"
expect 0 "T, 1 step" -- check "$tmp/lessons/fine/"

make unknown <<'END'
metrics: [shared_load_request]
END
expect 1 "unknown/lesson.md:20:11: unknown metric 'shared_load_request'; there is shared_load_requests," -- \
	check "$tmp/lessons/unknown"

make unmodelled <<'END'
question: {ask: How long?, metric: time}
END
expect 1 "unmodelled/lesson.md:19:1: step step, stride 1: the model has no value for time" -- \
	check "$tmp/lessons/unmodelled"

make outside <<'END'
set: {stride: 40}
END
expect 1 "outside/lesson.md:19:1: step step, stride 40: " -- check "$tmp/lessons/outside"

make sweep-outside <<'END'
sweep: {metric: shared_load_wavefronts_per_request, parameter: stride}
END
expect 1 "step step, stride 34: " -- check "$tmp/lessons/sweep-outside"

make no-access <<'END'
watch: 8
END
expect 1 "line 8, which is watched, makes no memory access in block 0, warp 0" -- check "$tmp/lessons/no-access"

make launch <<'END'
launch: {grid: "{40 / (20 - stride)}"}
END
expect 1 "stride 20: grid: in {40 / (20 - stride)}: division by zero" -- check "$tmp/lessons/launch"

expect 3 "nowhere/lesson.md: cannot open" -- check "$tmp/nowhere"
expect 0 "T, 1 step" -- check "$tmp/lessons/fine/lesson.md"
expect 3 "T, 1 step" "nowhere/lesson.md: cannot open" -- check "$tmp/lessons/fine" "$tmp/nowhere"
expect 2 "It takes: check" --
expect 2 "It takes: check" -- chekc "$tmp/lessons/fine"
expect 2 "check which folder?" -- check
echo "1..$n"
