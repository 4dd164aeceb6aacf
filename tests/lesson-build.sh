# `simttutor lesson build`: PTX beside the kernels of a course, from their sources as they are.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
: "${NVCC:=:}" "${CLANG:=:}"
[ "$NVCC$CLANG" != :: ] || skip_all "neither nvcc nor clang"
export NVCC CLANG
release=
[ "$NVCC" = : ] || release=$("$NVCC" --version | sed -n 's/^.*release/nvcc release/p')
course="$work/a course" # its name reaches no shell
mkdir -p "$course/kernels" "$course/lessons/01-first/exercise/wrong"
sed -n '/^A lesson of one step:/,/^\.Ed/p' "$top_srcdir/man/simttutor-lesson.5" | sed '1,2d; $d; s/^\\&//' > "$course/lessons/01-first/lesson.md"

# take FILE TO: a copy that can be changed.
take() { cp -f "$1" "$2" && chmod -R u+w "$course" "$work"/alone* 2> /dev/null || :; }

# body FILE: without the lines that say by whom.
body() { sed '/^\/\/ Made by /d; /^\/\/ from: /d; /^\/\/ by: /d' "$1"; }

# --- as the maintainers' script does it ---------------------------------------------------------------------------------
for kernel in shared_stride shuffle atomics barriers latency; do
	take "$top_srcdir/kernels/$kernel.cu" "$course/kernels"
done
answers 0 "kernels/shared_stride.ptx: made" "kernels/atomics.ptx: made" -- lesson build "$course/lessons/01-first"
for kernel in shared_stride shuffle atomics barriers latency; do
	if [ -z "$release" ] || ! grep -qF "// by: $release" "$top_srcdir/kernels/$kernel.ptx"; then
		skip "$kernel.ptx is what make-ptx makes" "made by another compiler than the one here"
		continue
	fi
	body "$top_srcdir/kernels/$kernel.ptx" > "$work/expected"
	body "$course/kernels/$kernel.ptx" | diff "$work/expected" - > "$work/out"
	report $? "$kernel.ptx is what make-ptx makes"
done
! grep -rF "$work" "$course" --include='*.ptx' > "$work/out"
report $? "no name of a folder of this machine"
answers 0 "kernels/shared_stride.ptx: current" "!made" -- lesson build "$course/lessons/01-first/lesson.md"
answers 0 "kernels/shared_stride.ptx: made" "!current" -- lesson build --force "$course/lessons/01-first"
answers 0 "the answer is 2 (stride 6)" -- lesson check --no-recorded "$course/lessons/01-first"

# --- what makes it stale ------------------------------------------------------------------------------------------------
rm "$course"/kernels/shuffle.* "$course"/kernels/atomics.* "$course"/kernels/barriers.* "$course"/kernels/latency.*
printf '\n' >> "$course/kernels/shared_stride.cu"
answers 1 "it was not made from what is now in" -- lesson check --no-recorded "$course/lessons/01-first"
answers 0 "kernels/shared_stride.ptx: made" -- lesson build "$course/lessons/01-first"
answers 0 "1 lesson: 1 step" -- lesson check --no-recorded "$course/lessons/01-first"
printf '#define OWN 1\n' > "$course/kernels/own.h"
sed -i '1i#include "own.h"' "$course/kernels/shared_stride.cu"
"$simttutor" lesson build "$course/lessons/01-first" > "$work/out" 2>&1
sum=$(cat "$course/kernels/shared_stride.cu" "$course/kernels/own.h" | cksum)
grep -qF "// from: kernels/shared_stride.cu kernels/own.h (cksum $sum)" "$course/kernels/shared_stride.ptx"
report $? "headers of the course count, by cksum(1)"
printf '#define OWN 2\n' > "$course/kernels/own.h"
answers 1 "it was not made from what is now in" -- lesson check --no-recorded "$course/lessons/01-first"
rm "$course/kernels/own.h"
answers 1 "it was not made from what is now in" -- lesson check --no-recorded "$course/lessons/01-first"
take "$top_srcdir/kernels/shared_stride.cu" "$course/kernels"

# --- targets, exercises, faults -----------------------------------------------------------------------------------------
sed -i '1i// needs: sm_80, PTX 7.0' "$course/kernels/shared_stride.cu"
"$simttutor" lesson build "$course/lessons/01-first" > "$work/out" 2>&1
grep -q '^\.version 7\.0$' "$course/kernels/shared_stride.ptx" && grep -q '^\.target sm_80' "$course/kernels/shared_stride.ptx"
report $? "what the source needs is the target"
if [ -n "$release" ]; then
	sed -i '1s/.*/\/\/ needs: sm_90a, PTX 8.0/' "$course/kernels/shared_stride.cu"
	"$simttutor" lesson build "$course/lessons/01-first" > "$work/out" 2>&1
	grep -q '^\.target sm_90a' "$course/kernels/shared_stride.ptx"
	report $? "with what one GPU alone has"
else
	skip "with what one GPU alone has" "no nvcc"
fi
take "$top_srcdir/kernels/shared_stride.cu" "$course/kernels"
for file in start solution wrong/race; do
	take "$top_srcdir/lessons/10-banks/exercise/$file.cu" "$course/lessons/01-first/exercise/$file.cu"
done
answers 0 "exercise/start.ptx: made" "exercise/solution.ptx: made" "exercise/wrong/race.ptx: made" -- lesson build "$course/lessons/01-first"
cp "$course/kernels/shared_stride.ptx" "$work/before"
echo 'error' >> "$course/kernels/shared_stride.cu"
answers 1 "cannot compile it" "kernels/shared_stride.ptx: not made" -- lesson build "$course/lessons/01-first"
cmp -s "$work/before" "$course/kernels/shared_stride.ptx"
report $? "what cannot be compiled leaves the old PTX"
ln -s /etc/passwd "$course/kernels/passwd.cu"
"$simttutor" lesson build "$course/lessons/01-first" > "$work/out" 2>&1
[ $? != 0 ] && [ ! -e "$course/kernels/passwd.ptx" ] && ! printed out root:
report $? "a link to elsewhere is no kernel"
rm "$course/kernels/passwd.cu"

# --- a lesson that is in no course --------------------------------------------------------------------------------------
mkdir -p "$work/alone/kernels"
sed 's/shared_stride$/mine/; s/launch: {/launch: {kernel: shared_stride, /' "$course/lessons/01-first/lesson.md" > "$work/alone/lesson.md"
take "$top_srcdir/kernels/shared_stride.cu" "$work/alone/kernels/mine.cu"
answers 1 "mine.ptx: cannot open" -- lesson check --no-recorded "$work/alone"
answers 0 "alone/kernels/mine.ptx: made" -- lesson build "$work/alone"
answers 0 "the answer is 2 (stride 6)" -- lesson check --no-recorded "$work/alone"
grep -q '^// from: kernels/mine\.cu' "$work/alone/kernels/mine.ptx"
report $? "names begin at the lesson's folder"
answers 2 "build the kernels of which folder?" -- lesson build
answers 3 "there is no lesson.md" -- lesson build "$work/nowhere"
finish
