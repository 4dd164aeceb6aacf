#!/bin/sh
# Who may include whom (HACKING.md): a folder of src/ includes itself and what stands after its name here, nothing else; and
# only tui/ sees curses, only worker/ sees CUDA.
. "${top_srcdir:=.}/tests/tap.sh"
cd "$top_srcdir/src" || exit 99
rules='
base:
warp: base
launch: base
ptx: warp base
race: warp base
simt: race ptx warp base
probe: ptx wire launch model warp base
model: warp base
profile: simt ptx model launch warp base
validate: ptx model launch warp base
lesson: launch warp base
canvas: base
view: canvas model warp base
wire: launch base
gpu: wire launch base
experiment: lesson profile simt ptx model probe wire launch warp base
tutor: experiment lesson profile probe simt ptx model view canvas gpu wire launch warp base
debug: lesson profile simt ptx model launch warp base
screen: tutor debug ptx view canvas gpu wire lesson model warp base
tui: screen tutor debug canvas gpu base
worker: wire launch warp base
cmd: *
'
for dir in */; do
	dir=${dir%/}
	if ! printf '%s\n' "$rules" | grep -q "^$dir:"; then
		fail "$dir is in the list of folders"
		continue
	fi
	allowed=$(printf '%s\n' "$rules" | sed -n "s/^$dir://p")
	wrong=$(grep -nE '^#include "[a-z]+/' "$dir"/*.[ch] 2> /dev/null | while IFS= read -r line; do
		other=$(printf '%s\n' "$line" | sed 's/.*#include "\([a-z]*\)\/.*/\1/')
		[ "$other" = "$dir" ] && continue
		case " $allowed " in
		*" * "*) case $other in tui) printf '%s\n' "$line" | grep -v 'tui/tui.h"' ;; esac ;;
		*" $other "*) ;;
		*) printf '%s\n' "$line" ;;
		esac
	done)
	report_none "$dir includes only what it may" "$wrong"
done
only() { # FOLDER PATTERN WHAT
	report_none "only $1 includes $3" "$(grep -rlE "^#include [<\"]$2" . | grep -v "^./$1/")"
}
only tui '(n?curses|term)' curses
only worker '(cuda|cupti|nvperf)' "CUDA and CUPTI"
report_none "every source is in a Makefile fragment" "$(for file in */*.[ch] */*.def; do
	grep -qF "src/$file" ../src/*/local.mk || echo "$file"
done)"
finish
