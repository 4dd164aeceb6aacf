#!/bin/sh
# simttutor explore without a terminal: what it takes, what it prints, and its pictures, tests/golden/explore, at two sizes.
# SIMTTUTOR_UPDATE_GOLDEN=1 rewrites them.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
PTXAS=: LC_ALL=C.UTF-8 # how many registers a kernel has depends on it
export PTXAS LC_ALL
exercise=$top_srcdir/lessons/10-banks/exercise

# Copies with names and sources of their own: what is printed does not depend on where they are.
mkdir "$work/own"
cp "$exercise/start.ptx" "$exercise/start.cu" "$exercise/solution.ptx" "$exercise/solution.cu" "$work/own"
cd "$work/own" || exit 99

explore() { capture "$simttutor" --gpu none explore "$@"; }
rows() {
	file=$1
	shift
	explore "$file" --grid '{(rows+31)/32}' --block 128 --arg 'f32[{rows*32}]:iota' --arg 'f32[{rows}]' --arg 'u32:{rows}' \
		--sweep rows=32..128+32@64 "$@"
}

# --- in words ----------------------------------------------------------------------------------------------------------
rows start.ptx
ends 0 && has '^row_sums, in start\.cu\.$' && has '^rows is 64\.$' && has '^warp is 0\.$' && has '^line is 23\.$'
report $? "what is explored, and its parameters"
has '^Line 23, which is watched: 64 memory requests, each 32 wavefronts; ' && has '^  sum += tile\[row \* COLUMNS + column\];$'
report $? "lines with their numbers and text"
has '^shared load bank conflicts: predicted 1984 wavefronts, measured: no GPU\.$'
report $? "the numbers"
has '^banks, line 23 · warp 0:0 · 1 of 32:$' && has '^The request takes 32 wavefronts; the fewest it could take are 1\.$'
report $? "the picture of the line"
rows start.ptx --line 24 --warp 1:0
ends 0 && has '^line is 24\.$' && has '^block is 1\.$' && has '^sectors, line 24 · warp 1:0'
report $? "--line and --warp"
rows start.ptx --view sweep
ends 0 && has '^128: predicted 32, measured: '
report $? "--view"
rows start.ptx --view sweep --metric instructions
ends 0 && has '^warp instructions, against rows:$'
report $? "--metric"
rows start.ptx --compare solution.ptx
ends 0 && has '^shared load bank conflicts: start\.ptx 1984, solution\.ptx 0\.$' && has '^solution\.ptx, line 24: sum += tile\[row \* PITCH'
report $? "two versions"
printf '%s\n' 'set rows=128' 'set line=24' numbers 'picture sectors' back next 'picture compare' quit >"$work/said"
"$simttutor" --gpu none explore start.ptx --grid '{(rows+31)/32}' --block 128 --arg 'f32[{rows*32}]:iota' --arg 'f32[{rows}]' \
	--arg 'u32:{rows}' --sweep rows=32..128+32 --compare solution.ptx --linear <"$work/said" >"$work/out" 2>"$work/err"
status=$?
ends 0 && has '^shared load bank conflicts: predicted 3968' && has '^sectors, line 24 ' && has ', the second of two versions\.$'
report $? "line by line"

# --- pictures ----------------------------------------------------------------------------------------------------------
golden=$(cd "$OLDPWD" && cd "$top_srcdir" && pwd)/tests/golden/explore
# picture NAME ARGUMENT...
picture() {
	name=$1
	shift
	: >"$work/picture"
	for size in 80x24 160x50; do
		rows "$@" --size "$size" --format text
		[ "$status" -eq 0 ] || break
		{ echo "=== $size" && cat "$work/out"; } >>"$work/picture"
	done
	[ -z "${SIMTTUTOR_UPDATE_GOLDEN-}" ] || cp "$work/picture" "$golden/$name.txt"
	diff "$golden/$name.txt" "$work/picture" >"$work/out" 2>&1
	report $? "the screen: $name"
}
picture first start.ptx
picture other-line start.ptx --line 14 --warp 1:2
picture sweep start.ptx --view sweep
picture schedule start.ptx --view schedule
picture compare start.ptx --compare solution.ptx
explore start.ptx --kernel row_sums --grid 1 --block 128 --arg 'f32[512]' --arg 'f32[32]' --arg u32:32 --view defect --format svg
ends 0 && has '<svg' && has 'out of bounds'
report $? "a defect, as SVG"

# --- what cannot be ----------------------------------------------------------------------------------------------------
refused() { # STATUS NAME WORDS ARGUMENT...
	want=$1 name=$2 words=$3
	shift 3
	explore "$@"
	ends "$want" && said err "$words" && [ ! -s "$work/out" ]
	report $? "refused: $name"
}
refused 2 "no file" 'which file?'
refused 2 "two files" '--compare takes another' start.ptx solution.ptx
refused 3 "no such file" 'none.ptx' none.ptx --grid 1 --block 1
refused 2 "no launch" '--grid is missing' start.ptx
refused 2 "arguments that do not fit" 'the kernel takes 3 arguments' start.ptx --grid 1 --block 32
refused 2 "no such name" 'unknown' start.ptx --grid '{cols}' --block 32 --sweep rows=1,2
refused 2 "a name that is taken" 'none of line, block' start.ptx --grid 1 --block 32 --sweep warp=1,2
refused 2 "no values" 'expected' start.ptx --grid 1 --block 32 --sweep rows=2..1
refused 2 "no such view" 'banks, sectors' start.ptx --grid 1 --block 32 --view none
refused 2 "no such metric" 'simttutor metrics' start.ptx --grid 1 --block 32 --metric none
refused 2 "no room" 'at least 60x16' start.ptx --grid 1 --block 32 --arg 'f32[1024]' --arg 'f32[32]' --arg u32:32 --size 40x10 --format text
echo 'no PTX' >broken.ptx
refused 2 "a file that is no PTX" 'broken.ptx' broken.ptx --grid 1 --block 32
refused 2 "no such other kernel" 'none' start.ptx --grid 1 --block 32 --arg 'f32[1024]' --arg 'f32[32]' --arg u32:32 --compare none
printf 'x\033]0;title\007y\n' >"$work/own/evil.cu"
sed 's|"[^"]*start.cu"|"evil.cu"|' start.ptx >evil.ptx
for form in '' '--format text' '--format svg' '--linear'; do
	# shellcheck disable=SC2086
	explore evil.ptx --grid 1 --block 128 --arg 'f32[1024]' --arg 'f32[32]' --arg u32:32 $form
	ends 0 && ! LC_ALL=C grep -q "$(printf '[\033\007]')" "$work/out"
	report $? "a source with control characters ${form:-in words}"
done
finish
