# A kernel of the reader's on the terminal: its lines, what is turned, another version beside it, and its file that changes.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99

# A compiler that knows some kernels by their text, after the line that names the reader's file.
cat >"$work/nvcc" <<END
#!/bin/sh
[ "\$1" != --list-gpu-arch ] || { echo compute_75; exit 0; }
while [ \$# -gt 1 ]; do
	[ "\$1" != -o ] || output=\$2
	shift
done
for cu in $top_srcdir/lessons/10-banks/exercise/*.cu; do
	if tail -n +2 "\$1" | cmp -s - "\$cu"; then
		name=\$(sed -n '1s/^#line 1 "\\(.*\\)"\$/\\1/p' "\$1")
		sed "s|^\([[:space:]]*[.]file[^\"]*\)\".*\"|\1\"\$name\"|" "\${cu%.cu}.ptx" >"\$output"
		exit 0
	fi
done
echo "\$1(7): error: this is no CUDA" >&2
exit 2
END
chmod +x "$work/nvcc"
kernels=$top_srcdir/lessons/10-banks/exercise
mkdir "$work/own"
own=$work/own/mine.cu

put() { cp "$kernels/$1.cu" "$work/own/new" && mv "$work/own/new" "$own"; }
put start
cp "$kernels/solution.cu" "$work/own/other.cu"
launch="--grid '{(rows+31)/32}' --block 128 --arg 'f32[{rows*32}]:iota' --arg 'f32[{rows}]' --arg 'u32:{rows}' --sweep rows=32..128+32"

session() {
	term_open "$1" "$2" "NVCC='$work/nvcc'" "SIMTTUTOR_COMPILER_READS='$kernels'" "CLANG=:"
	run "simttutor --gpu none explore $own $launch"
}
walk() {
	session "$1" "$2"
	expect "$1x$2: the kernel and its file" 'row_sums  *mine.cu'
	expect "the costliest line is watched" '23 ▸'
	expect "its picture" 'banks · line 23 · warp 0:0'
	expect "what can be turned" 'rows ◂ 32 ▸.*warp ◂ 0 ▸'
	keys Right
	expect "the launch's parameter" 'rows ◂ 64 ▸'
	keys Tab Right
	expect "a block that it now has" 'block ◂ 1 ▸'
	expect "the picture is of it" 'line 23 · warp 1:0'
	keys Tab Tab Right
	expect "one of the accesses" 'line 23 · warp 1:0 · 2 of 32'
	keys Up
	expect "the line above" '22 ▸'
	keys Down Down
	expect "the line below" '24 ▸'
	expect "has accesses of its own, to global memory" 'sectors · line 24 · warp 1:0'
	keys v
	expect "another picture" 'numbers'
	keys x Tab Up Up
	expect "a line that is pointed at" 'Line [0-9]*: '
	keys Enter
	expect_gone "Enter watches it" '24 ▸'
	keys z z
	expect "the source alone" 'lane = 0\|sum += tile\[row \* COLUMNS + column\]; //\|sum += tile\[row \* COLUMNS + column\];'
	keys z
	keys q
	expect_terminal_back "$1x$2"
}
walk 80 24
walk 160 50

# The file changes.
session 160 50
shows "shown" '23 ▸'
keys Right v v
shows "at other values" 'rows ◂ 64 ▸'
put solution
expect "the new version" 'tile\[row \* PITCH + column\]'
expect "the line is followed by its text or number" '2[34] ▸'
expect "values are kept" 'rows ◂ 64 ▸'
echo 'no CUDA' >"$work/own/new" && mv "$work/own/new" "$own"
expect "what the compiler says" 'mine.cu(7): error: this is no CUDA\|error: this is no CUDA'
expect "in the title, too" 'mine.cu, has errors'
expect "the last good version stays" 'tile\[row \* PITCH + column\]'
keys Down
expect "and is alive" '2[45] ▸'
put start
expect "it is mended" 'tile\[row \* COLUMNS + column\]'
expect_gone "nothing is said of errors" 'has errors'
rm "$own"
keys Up
expect "a file that is gone stays shown" 'tile\[row \* COLUMNS + column\]'
put start

# Two versions.
keys q
shows "left" '^shell>'
run "clear; simttutor --gpu none explore $own $launch --compare $work/own/other.cu"
expect "a comparison comes first" 'compare'
expect "with what differs most above" 'shared load bank conflicts.*992.*0\|bank conflicts'
expect "lines beside each other" 'sum += tile\[row \* COLUM.*~.*sum += tile\[row \* PITCH'
expect "marked in the source, too" '23 ▸~'
keys n
expect "the other version" 'row_sums  *other.cu'
expect "at the line that stands beside it" '24 ▸~'
keys p
expect "and back" '23 ▸~'
keys q
expect_terminal_back "after the comparison"

# Line by line.
run "clear; simttutor --gpu none explore $own $launch --linear"
expect "what is explored, in words" '^row_sums, in .*mine.cu'
run "set line=24"
run "picture sectors"
expect "the picture of a line" 'sectors, line 24'
run quit
shows "the end" '^shell>'
finish
