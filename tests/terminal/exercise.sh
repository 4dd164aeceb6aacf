# An exercise on the terminal: the kernel is taken, edited, compiled, judged and shown, whatever the compiler is.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99

# A compiler that knows the kernels of the exercise by their text, after the line that names the reader's file.
cat >"$work/nvcc" <<END
#!/bin/sh
[ "\$1" != --list-gpu-arch ] || { echo compute_75; exit 0; }
while [ \$# -gt 1 ]; do
	[ "\$1" != -o ] || output=\$2
	shift
done
for cu in $top_srcdir/lessons/10-banks/exercise/*.cu $top_srcdir/lessons/10-banks/exercise/wrong/*.cu; do
	if tail -n +2 "\$1" | cmp -s - "\$cu"; then
		cp "\${cu%.cu}.ptx" "\$output"
		exit 0
	fi
done
echo "\$1(7): error: this is no CUDA" >&2
exit 2
END
chmod +x "$work/nvcc"
own=$work/data/simttutor/banks.cu
exercise=$top_srcdir/lessons/10-banks/exercise

put() { cp "$exercise/$1.cu" "$work/new" && mv "$work/new" "$own"; }

term_open 80 64 "NVCC='$work/nvcc'" "SIMTTUTOR_COMPILER_READS='$exercise'" "CLANG=:" "XDG_DATA_HOME='$work/data'"
run "simttutor --gpu none learn --watch-only banks/exercise"
expect "the goals" '○ no bank conflicts'
expect "how to begin" 'Press e, then edit the kernel'
keys e
expect "the start fails" '✗ no bank conflicts'
expect "and says by how much, and with which size" 'with rows 64: shared bank'
expect "it computes rightly" '✓ right results'
cmp -s "$own" "$exercise/start.cu"
report $? "the start is in the folder"
keys h
expect "a hint" 'Hint: How far apart'
keys h
expect "a second one" 'Hint: The distance is'
expect "where to edit it" 'in another terminal'
put wrong/stores
expect "a fault moved elsewhere is seen" '✗ no bank conflicts'
expect "where it was, there is none" '1 wavefront, ideal 1: no bank conflict'
put wrong/race
expect "a race is seen" '✗ no race, no other defect'
expect "both lines are reported" 'race in line 14'
echo 'this is not CUDA' >"$own"
expect "what the compiler says" 'error: this is no'
expect "the lesson's kernel is shown again" 'banks · line 23'
put solution
expect "the solution is" 'Solved. The views'
expect "the view has the new kernel" 'banks · line 24'
expect "its explanation" '33 and 32 have no common'
expect_gone "hints are gone" 'Hint:'
screen | grep -A1 '─ exercise ─' | grep -q '✓ Solved'
report $? "the verdict comes first"
keys q
expect "the list knows it" '✓ 7  Exercise: sums of rows'
expect "a solved exercise is no answered question" '1/7 steps  0/6 answered'
keys Enter
expect "going back checks it again" 'Solved. The views'
rm "$own"
expect "a file that is gone is no attempt" 'Press e, then edit the kernel'
keys Q
expect "a clean end" 'shell>'

# On a small terminal it is in sight as soon as it is solved, and the path can be copied.
small=$work/share
term_open 80 24 "NVCC='$work/nvcc'" "SIMTTUTOR_COMPILER_READS='$exercise'" CLANG=: "XDG_DATA_HOME='$small'"
run "simttutor --gpu none learn banks/exercise"
keys e
own=$small/simttutor/banks.cu
expect "small: graded" 'e edits it, and so does'
expect "small: the path is broken after a slash" 'simttutor/\(banks.cu\)\? '
put solution
expect "small: the verdict is in sight" '✓ Solved. The views'
keys Q

term_open 80 64 NVCC=: CLANG=: "XDG_DATA_HOME='$work/data2'"
run "simttutor --gpu none learn banks/exercise"
keys e
expect "without a compiler, why" 'there is neither nvcc'
expect "and what helps" 'install clang'
keys Q

# Compiled far away, by the worker: the fake one takes what stands in a comment for what came of it.
put_far() { { cat "$exercise/$1.cu"; printf '/*PTX\n'; cat "$exercise/$1.ptx"; echo '*/'; } >"$work/new" && mv "$work/new" "$own"; }
own=$work/data3/simttutor/banks.cu
mkdir -p "$work/data3/simttutor"
put_far start
term_open 80 64 NVCC=: CLANG=: "XDG_DATA_HOME='$work/data3'"
run "simttutor --gpu \"command:'$fake' ok\" learn banks/exercise"
expect "far: what lies there already is compiled and judged" 'with rows 64: shared bank'
put_far wrong/race
expect "far: a race is seen" '✗ no race, no other defect'
{ cat "$exercise/start.cu"; printf '/*LOG\n%s(9): error: the far compiler does not like it\n*/\n' banks.cu; } >"$work/new" && mv "$work/new" "$own"
expect "far: what that compiler says" 'compiler does not like it'
expect "far: the lesson's kernel is shown again" 'banks · line 23'
put_far solution
expect "far: the solution is" 'Solved. The views'
expect "far: the view has the new kernel" 'banks · line 24'
expect "far: and it is measured" 'measured: Fake GPU'
keys Q
expect "far: a clean end" 'shell>'

put_far start
term_open 80 64 NVCC=: CLANG=: "XDG_DATA_HOME='$work/data3'"
run "simttutor --gpu \"command:'$fake' no-nvrtc\" learn banks/exercise"
expect "far, without NVRTC: why" 'compiled by the GPU.s worker'
expect "and that nothing here does" 'there is neither nvcc'
keys Q
expect "a clean end" 'shell>'
term_open 80 64 "NVCC='$work/nvcc'" "SIMTTUTOR_COMPILER_READS='$exercise'" CLANG=: "XDG_DATA_HOME='$work/data3'"
put wrong/stores
run "simttutor --gpu \"command:'$fake' no-nvrtc\" learn banks/exercise"
expect "a compiler here does instead" '✗ no bank conflicts'
keys Q
expect "a clean end" 'shell>'
term_open 80 64 NVCC=: CLANG=: "XDG_DATA_HOME='$work/data3'"
run "simttutor --gpu 'command:exit 3' learn banks/exercise"
expect "a far worker that does not start leaves the session" 'there is neither nvcc'
keys Q
finish
