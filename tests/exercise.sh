# `simttutor exercise`: the reader's way through one, in a shell.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
lesson=$top_srcdir/lessons/10-banks/exercise
XDG_DATA_HOME=$work/data
export XDG_DATA_HOME

same() { cmp -s "$1" "$2"; report $? "$3"; }

answers 0 "$work/data/simttutor/banks.cu" "no bank conflicts" "also for other sizes" -- exercise banks
same "$lesson/start.cu" "$work/data/simttutor/banks.cu" "the start is copied"
answers 0 "$work/here/banks.cu" -- exercise --dir "$work/here" banks
echo mine > "$work/here/banks.cu"
cp "$work/here/banks.cu" "$work/mine"
NVCC=: CLANG=: answers 3 "there is neither nvcc nor clang" -- exercise --dir "$work/here" banks
same "$work/mine" "$work/here/banks.cu" "nothing is overwritten"

answers 1 "not solved yet" "FAILS  no bank conflicts (with rows 64: shared bank conflicts: 1984)" \
	"holds  the results are right" "holds  there is no defect" "4 launches" -- exercise --check "$lesson/start.ptx" banks
answers 0 "solved" "!FAILS" -- exercise --check "$lesson/solution.ptx" banks
answers 0 "solved" -- exercise --check "$lesson/solution.ptx" banks/exercise
answers 1 "FAILS  the results are right (with rows 64: argument 1, element 0 is " -- exercise --check "$lesson/wrong/nothing.ptx" banks
answers 1 "FAILS  no bank conflicts (with rows 64: shared bank conflicts: 1984)" "holds  global loads as before" -- exercise --check "$lesson/wrong/stores.ptx" banks
answers 1 "FAILS  no bank conflicts (with rows 100: shared bank conflicts: 3072)" "holds  global loads as before" \
	"holds  the results are right" -- exercise --check "$lesson/wrong/one_size.ptx" banks
answers 1 "FAILS  there is no defect (with rows 64: race in line " "loaded it (line " -- exercise --check "$lesson/wrong/race.ptx" banks
answers 1 "FAILS  there is no defect (with rows 1: out of bounds in line " -- exercise --check "$lesson/wrong/tail.ptx" banks
answers 1 '"solved": false' '"holds": true' '"wrong": "with rows 64: argument 1, element 0 is ' '"no_defect": true' -- \
	exercise --format json --check "$lesson/wrong/sums.ptx" banks
answers 0 '"solved": true' '"defect": null' -- exercise --format json --check "$lesson/solution.ptx" banks
answers 1 "no kernel 'row_sums'" -- exercise --check "$top_srcdir/kernels/shared_stride.ptx" banks
sed 's/row_sums/_Z8row_sumsPKfPfj/g' "$lesson/solution.ptx" > "$work/cplusplus.ptx"
answers 1 "no kernel 'row_sums' in $work/cplusplus.ptx: extern \"C\" is missing before its __global__" "_Z8row_sumsPKfPfj" -- \
	exercise --check "$work/cplusplus.ptx" banks
echo 'not PTX' > "$work/bad.ptx"
answers 1 "no kernel 'row_sums' in $work/bad.ptx; it has none" -- exercise --check "$work/bad.ptx" banks

answers 0 "How far apart" -- exercise --hint 1 banks
answers 0 "33 words long" -- exercise --hint 3 banks
answers 2 "there are 3 hints" -- exercise --hint 4 banks
answers 2 "--hint" -- exercise --hint x banks
answers 0 "#define PITCH (COLUMNS + 1)" -- exercise --solution banks
answers 2 "in that step" -- exercise banks/1
answers 2 "no lesson 'nowhere'" -- exercise nowhere
answers 2 "which lesson?" -- exercise
answers 3 "cannot open" -- exercise --check "$work/nothing.cu" banks

# No compiler, and no --gpu: the worker here compiles. The fake one answers with the PTX that a comment holds.
mkdir "$work/bin" "$work/own"
cp "$simttutor" "$work/bin/simttutor"
printf '#!/bin/sh\nexec %s ok\n' "$fake" > "$work/bin/simttutor-gpu"
chmod +x "$work/bin/simttutor-gpu"
{ cat "$lesson/solution.cu"; printf '/*PTX\n'; cat "$lesson/solution.ptx"; echo '*/'; } > "$work/own/banks.cu"
here=$simttutor simttutor=$work/bin/simttutor
SIMTTUTOR_DATA=$top_srcdir NVCC=: CLANG=: answers 0 "solved" -- exercise --dir "$work/own" banks
simttutor=$here

# A kernel that needs a newer GPU than there is is compiled for that one, and judged on the machine.
{ echo '// needs: sm_90, PTX 8.0'; echo 'code'; } > "$work/newer.cu"
answers 1 "cc 90, " -- exercise --check "$work/newer.cu" --gpu "command:'$fake' --cc 86 echo" banks
echo 'code' > "$work/newer.cu"
answers 1 "cc 86, " -- exercise --check "$work/newer.cu" --gpu "command:'$fake' --cc 86 echo" banks

# With a compiler, the source itself.
if [ "${NVCC:-:}" != : ] || [ "${CLANG:-:}" != : ]; then
	cp "$lesson/solution.cu" "$work/here/banks.cu"
	answers 0 "solved" -- exercise --dir "$work/here" banks
	echo 'oops' >> "$work/here/banks.cu"
	answers 1 "cannot compile it" -- exercise --dir "$work/here" banks
else
	skip "sources are compiled" "no compiler"
fi
finish
