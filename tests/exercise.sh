# `simttutor exercise`: the reader's way through one, in a shell.
simttutor=$top_builddir/simttutor
lesson=$top_srcdir/lessons/10-banks/exercise
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
XDG_DATA_HOME=$tmp/data
export XDG_DATA_HOME
n=0

# expect STATUS WORDS... -- ARGS...: the exit status, and words that the output has; a word after '!' it has not
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
	"$simttutor" exercise "$@" > "$tmp/out" 2>&1
	got=$?
	missing=
	while read -r word; do
		case $word in
		'') ;;
		!*) ! grep -qF -- "${word#!}" "$tmp/out" || missing=$word ;;
		*) grep -qF -- "$word" "$tmp/out" || missing=$word ;;
		esac
	done <<-END
		$words
	END
	if [ "$got" = "$status" ] && [ -z "$missing" ]; then
		echo "ok $n - exercise $*"
	else
		echo "not ok $n - exercise $*: status $got, not $status; missing: '$missing'"
		sed 's/^/# /' "$tmp/out"
	fi
}

same() {
	n=$((n + 1))
	cmp -s "$1" "$2" && echo "ok $n - $3" || echo "not ok $n - $3"
}

expect 0 "$tmp/data/simttutor/banks.cu" "one wavefront for a store" "for other sizes, too" -- banks
same "$lesson/start.cu" "$tmp/data/simttutor/banks.cu" "the start is copied"
expect 0 "$tmp/here/banks.cu" -- --dir "$tmp/here" banks
echo mine > "$tmp/here/banks.cu"
cp "$tmp/here/banks.cu" "$tmp/mine"
NVCC=: CLANG=: expect 3 "there is neither nvcc nor clang" -- --dir "$tmp/here" banks
same "$tmp/mine" "$tmp/here/banks.cu" "nothing is overwritten"

expect 1 "not solved yet" "FAILS  one wavefront for a load (wavefronts / request: 32)" \
	"holds  the results are right" "holds  there is no defect" "4 launches" -- --check "$lesson/start.ptx" banks
expect 0 "solved" "!FAILS" -- --check "$lesson/solution.ptx" banks
expect 0 "solved" -- --check "$lesson/solution.ptx" banks/exercise
expect 1 "FAILS  the results are right (argument 1, element 0: " -- --check "$lesson/wrong/nothing.ptx" banks
expect 1 "FAILS  one wavefront for a store (store wavefronts / request: 32)" "holds  one wavefront for a load" -- --check "$lesson/wrong/stores.ptx" banks
expect 1 "FAILS  there is no defect (race in line " "stored to it (line " -- --check "$lesson/wrong/race.ptx" banks
expect 1 "FAILS  there is no defect (with rows 1: out of bounds in line " -- --check "$lesson/wrong/tail.ptx" banks
expect 1 '"solved": false' '"holds": true' '"wrong": "argument 1, element 0: ' '"no_defect": true' -- \
	--format json --check "$lesson/wrong/sums.ptx" banks
expect 0 '"solved": true' '"defect": null' -- --format json --check "$lesson/solution.ptx" banks
expect 1 "no kernel 'row_sums'" -- --check "$top_srcdir/kernels/shared_stride.ptx" banks
echo 'not PTX' > "$tmp/bad.ptx"
expect 1 "no kernel 'row_sums' in $tmp/bad.ptx; it has none" -- --check "$tmp/bad.ptx" banks

expect 0 "How far apart" -- --hint 1 banks
expect 0 "33 words long" -- --hint 3 banks
expect 2 "there are 3 hints" -- --hint 4 banks
expect 2 "--hint" -- --hint x banks
expect 0 "#define PITCH (COLUMNS + 1)" -- --solution banks
expect 2 "in that step" -- banks/1
expect 2 "no lesson 'nowhere'" -- nowhere
expect 2 "which lesson?" --
expect 3 "cannot open" -- --check "$tmp/nothing.cu" banks

# No compiler, and nobody named a GPU: the worker here is asked. The fake one takes what stands in a comment for what came of it.
mkdir "$tmp/bin" "$tmp/own"
cp "$simttutor" "$tmp/bin/simttutor"
printf '#!/bin/sh\nexec %s/tests/fake-worker ok\n' "$(cd "$top_builddir" && pwd)" > "$tmp/bin/simttutor-gpu"
chmod +x "$tmp/bin/simttutor-gpu"
{ cat "$lesson/solution.cu"; printf '/*PTX\n'; cat "$lesson/solution.ptx"; echo '*/'; } > "$tmp/own/banks.cu"
here=$simttutor simttutor=$tmp/bin/simttutor
SIMTTUTOR_DATA=$(cd "$top_srcdir" && pwd) NVCC=: CLANG=: expect 0 "solved" -- --dir "$tmp/own" banks
simttutor=$here

# With a compiler, the source itself.
if [ "${NVCC:-:}" != : ] || [ "${CLANG:-:}" != : ]; then
	cp "$lesson/solution.cu" "$tmp/here/banks.cu"
	expect 0 "solved" -- --dir "$tmp/here" banks
	echo 'oops' >> "$tmp/here/banks.cu"
	expect 1 "makes no PTX of it" -- --dir "$tmp/here" banks
else
	n=$((n + 1))
	echo "ok $n - sources are compiled # SKIP no compiler"
fi
echo "1..$n"
