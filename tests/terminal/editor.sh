#!/bin/sh
# e: the reader's editor has the terminal, whatever it does to it, and gives it back.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99

own=$work/data/simttutor/banks.cu
exercise=$top_srcdir/lessons/10-banks/exercise

# An editor that says what it was given, and does what the file $work/do says.
cat >"$work/ed it" <<END
#!/bin/sh
printf '%s\n' "\$@" >"$work/given"
tty >"$work/tty" 2>&1
echo "editor \$\$ of \$(ps -o pgid= -p \$\$) is open"
eval "\$(cat "$work/do")"
END
chmod +x "$work/ed it"
for name in nano code kate hx; do cp "$work/ed it" "$work/$name"; done

expect_equal() { # NAME GOT WANTED
	[ "$2" = "$3" ]
	report $? "$1"
	[ "$2" = "$3" ] || note "'$2', not '$3'"
}

do_() { printf '%s\n' "$*" >"$work/do"; }
given() { tr '\n' '|' <"$work/given"; }

# start VISUAL [ARGUMENT]...: the exercise, with that editor.
start() {
	visual=$1
	shift
	rm -f "$own" "$work/given"
	term_open 80 64 NVCC=: CLANG=: "XDG_DATA_HOME='${own%/*/*}'" "VISUAL=\"$visual\"" EDITOR=false "TMOUT=" "PATH='$work:$top_builddir:$PATH'"
	run "clear; simttutor --gpu none learn $* banks/exercise; echo status=\$?"
	shows "started" "${begins:-Press e to edit}"
}
back() { expect "$1: the screen is back" 'banks.cu'; expect "$1: whole" '─ exercise ─'; }

# --- how it is started -------------------------------------------------------------------------------------------------
do_ 'read -r line; echo "$line" >>"$2"'
start "'$work/ed it' -w"
keys e
expect "the editor has the terminal" 'editor [0-9]* of'
[ "$(terminal_flags)" = "0 1 0 0" ]
report $? "as the shell has it"
expect_equal "its arguments, and the file" "$(given)" "-w|$own|"
expect_equal "on the terminal that we have" "$(cat "$work/tty")" "$(tm display -p '#{pane_tty}')"
keys '// ^z q x' Enter
back "after it"
tail -n 1 "$own" | grep -q '^// ^z q x$'
report $? "what was typed was for the editor"
keys Q
expect "a clean end" 'status=0'
expect_terminal_back "after an editor"

# The line, as each editor takes it; a path never looks like an option.
do_ :
mkdir -p "$work/x"
cp "$exercise/start.ptx" "$exercise/start.cu" "$work/x/"
cp "$exercise/start.ptx" "$work/x/-c.ptx"
cp "$exercise/start.cu" "$work/x/+q.cu"
sed 's/start\.cu/+q.cu/' "$exercise/start.ptx" >"$work/x/q.ptx"
explore() { # VISUAL FILE
	term_open 80 24 NVCC=: CLANG=: "VISUAL=\"$1\"" "PATH='$work:$top_builddir:$PATH'"
	run "clear; cd '$work/x'; simttutor --gpu none explore --grid 1 --block 32 --arg 'f32[4096]' --arg 'f32[4096]' --arg u32:32 --line 23 -- $2; echo status=\$?"
	shows "explored" '23 ▸'
	rm -f "$work/given"
	keys e
	until_ test -s "$work/given"
	back_there() { on_screen '23 ▸'; }
	until_ back_there
	keys Q
	shows "explored" 'status='
}
explore nano start.ptx
expect_equal "nano: +LINE" "$(given)" "+23|./start.cu|"
explore 'code -w' start.ptx
expect_equal "code: -g FILE:LINE" "$(given)" "-w|-g|./start.cu:23|"
explore hx start.ptx
expect_equal "hx: FILE:LINE" "$(given)" "./start.cu:23|"
explore kate start.ptx
expect_equal "kate: -l LINE" "$(given)" "-l|23|./start.cu|"
explore "'$work/ed it'" start.ptx
expect_equal "others: the file" "$(given)" "./start.cu|"

# --- what it may do to us ----------------------------------------------------------------------------------------------
do_ 'exit 7'
start "'$work/ed it'"
keys e
expect "an editor that fails" 'The editor ended with exit status 7'
back "after a failure"

do_ "stty raw -echo; printf '\\033[?1049h\\033[?1000h\\033[?25l'; kill -9 \$\$"
keys e
expect "an editor that is killed" 'The editor was ended by signal 9'
back "after a kill"
keys n
expect "keys arrive" 'Good work\|has no more steps\|Next\|ending\|lesson' 
keys Q
expect "a clean end after that" 'status=0'
expect_terminal_back "raw, in the other screen, with a mouse"

# Where nothing is confined, the folder of the file was made too late.
do_ :
rm -rf "${own%/*}"
term_open 80 64 NVCC=: CLANG=: SIMTTUTOR_CONFINE=no "XDG_DATA_HOME='${own%/*/*}'" "VISUAL=\"'$work/ed it'\"" "PATH='$work:$top_builddir:$PATH'"
run "clear; simttutor --gpu none learn banks/exercise; echo status=\$?"
shows "started" 'Press e to edit'
rm -f "$work/given"
keys e
until_ test -s "$work/given"
expect_equal "where nothing is confined, too" "$(given)" "$own|"
keys Q

start "'$work/no such editor'"
keys e
expect "one that is not there" 'The editor cannot be started: No such file'
back "without an editor"
keys Q
expect_terminal_back "without an editor"

start "'unfinished"
keys e
expect "one that cannot be read" 'VISUAL cannot be used: a quotation mark'
keys Q

term_open 80 64 NVCC=: CLANG=: "XDG_DATA_HOME='$work/data'" VISUAL= EDITOR= PATH="'$top_builddir'"
rm -f "$own"
run "clear; simttutor --gpu none learn banks/exercise; echo status=\$?"
shows "started" 'Press e'
keys e
expect "none anywhere" 'VISUAL and EDITOR name no editor'
keys Q

# ^Z: both stop, and both go on.
do_ "kill -s TSTP 0; read -r line"
start "'$work/ed it'"
keys e
expect "stopped by its ^Z: the shell has the terminal" '^shell>'
run 'clear; echo here; fg'
shows "fg" 'here'
keys Enter
back "after a stop"
# and one that stops alone
do_ "kill -s STOP \$\$; read -r line"
keys e
expect "an editor that stops by itself: the shell has the terminal" '^shell>'
run 'clear; echo here; fg'
shows "fg" 'here'
keys Enter
back "after a stop of its own"
keys C-z
shows "stopped" '^shell>'
run 'clear; fg'
back "after ^Z of ours"
keys Q
expect_terminal_back "after stops"

# ^C is for the editor, a resize for both.
do_ "trap 'echo interrupted' INT; read -r line; read -r line"
start "'$work/ed it'"
keys e
shows "open" 'is open'
resize 100 60
keys C-c
expect "^C is the editor's" 'interrupted'
keys Enter
back "after ^C"
expect "the new width is used" '─ banks · .*─────────────┐$'
keys Q
expect_terminal_back "after ^C and a resize"

# SIGTERM ends both.
do_ "trap 'echo term >>\"$work/ended\"; exit 0' TERM; while :; do sleep 0.1; done"
start "'$work/ed it'"
keys e
shows "open" 'is open'
kill -s TERM "$(program)"
expect "SIGTERM: it ends" 'status=143'
[ "$(cat "$work/ended")" = term ]
report $? "the editor was asked to end first"
expect_terminal_back "SIGTERM while editing"

# However it ends, the editor goes, too.
do_ "while :; do sleep 0.1; done"
start "'$work/ed it'"
keys e
shows "open" 'is open'
editor=$(screen | sed -n 's/^editor \([0-9]*\) of.*/\1/p')
kill -s KILL "$(program)"
gone() { ! kill -s 0 "$editor" 2>/dev/null; }
until_ gone
report $? "SIGKILL: no editor is left behind"

# --- watch-only --------------------------------------------------------------------------------------------------------
do_ :
own=$work/a/folder/that/takes/much/more/than/one/row/of/the/screen/simttutor/banks.cu
begins="Press e, then"
start "'$work/ed it'" --watch-only
keys e
expect "the path, in the place of the screen" "Enter: back to the screen"
one_line() { tm capture-pane -p -J | grep -qx " *$own *"; }
until_ one_line
report $? "whole, on one line"
keys Enter
expect "and back" '─ exercise ─'
resize 200 60
keys e
until_ on_screen "^ $own *$"
report $? "with room: in the line of notices, alone"
[ ! -e "$work/given" ]
report $? "no editor was started"
keys Q
shows "left" 'status='

# Typed before the first frame is drawn.
run "clear; sleep 2; simttutor --gpu none learn banks/exercise --watch-only; echo status=\$?"
keys e
until_ on_screen "^ $own *$"
report $? "with room, and typed ahead: likewise"
keys Q
finish
