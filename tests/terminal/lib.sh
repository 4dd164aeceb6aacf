# tests/terminal/lib.sh: a program on a terminal, driven and watched through tmux. Sourced by the tests beside it.
#
# Nothing here waits for a fixed time: a test waits until the screen shows (or no longer shows) something, or until the
# deadline, and then prints what the screen did show.

. "${top_srcdir:=$(dirname "$0")/../..}/tests/tap.sh" || exit 99
deadline=${SIMTTUTOR_TERMINAL_DEADLINE:-30} # seconds
LC_ALL=C.UTF-8 # of the tools used here; the program gets its own from term_open
export LC_ALL

show_screen() {
	screen | sed 's/^/#  |/'
	deadline=3 # what follows is likely to fail too
}
show_failure() { show_screen; }

command -v tmux >/dev/null 2>&1 || skip_all "tmux is not installed"
[ -x "$top_builddir/simttutor" ] || skip_all "simttutor is not built"

# Of the course, only the lesson that is walked through here: the others come and go.
course=$work/course
mkdir -p "$course/lessons"
ln -s "$top_srcdir/kernels" "$course/kernels"
ln -s "$top_srcdir/lessons/10-banks" "$course/lessons/10-banks"
# A server for each terminal: a new one could still see the end of the one before.
server=0
tm() { tmux -S "$work/tmux-$server" -f /dev/null "$@"; }
close_terminals() {
	tm kill-server 2>/dev/null
	# a program that is just ending may still write its progress
	until_ rm -rf "$work" 2>/dev/null
}
clean_up() { close_terminals; }

# term_open COLS ROWS [NAME=VALUE]...: a fresh terminal with a shell whose prompt is "shell>" and whose settings are as
# the tests expect, but for those given.
term_open() {
	cols=$1 rows=$2
	shift 2
	tm kill-server 2>/dev/null
	server=$((server + 1))
	# not the first start, but for the test of that
	mkdir -p "$work/state-$server/simttutor"
	[ -n "${first_start:-}" ] || echo '{"format": 1, "lessons": {}}' >"$work/state-$server/simttutor/progress.json"
	cat >"$work/shell" <<-END
		unset NO_COLOR CLICOLOR_FORCE ENV SIMTTUTOR_UPDATE_GOLDEN
		exec env LC_ALL=C.UTF-8 TERM=screen-256color PS1='shell> ' XDG_STATE_HOME='$work/state-$server' \\
			VISUAL= EDITOR=true PATH='$top_builddir:$PATH' SIMTTUTOR_DATA='$course' $* /bin/sh -i
	END
	# In two words tmux executes it itself; one it gives to the user's shell, which may refuse (nologin) or stay as its parent.
	tm new-session -d -x "$cols" -y "$rows" /bin/sh "$work/shell"
	tm set -g status off
	tm resize-window -x "$cols" -y "$rows"
	until_ on_screen '^shell>' && return
	fail "tmux gives no terminal"
	finish
	exit 1
}

resize() { tm resize-window -x "$1" -y "$2"; }
screen() { tm capture-pane -p 2>/dev/null; }
# The same with colors and attributes as escape sequences.
screen_attributes() { tm capture-pane -p -e 2>/dev/null; }
keys() { tm send-keys "$@"; }
run() { tm send-keys -l "$1" && tm send-keys Enter; }

until_() { eventually "$deadline" "$@"; }
on_screen() { screen | grep -q -e "$1"; }
off_screen() { ! on_screen "$1"; }

# expect NAME PATTERN: passes when the screen comes to show the pattern. shows: the same, silent when it does.
expect() { if until_ on_screen "$2"; then pass "$1"; else fail "$1" && note "no '$2'"; fi; }
expect_gone() { if until_ off_screen "$2"; then pass "$1"; else fail "$1" && note "still '$2'"; fi; }
shows() { until_ on_screen "$2" || fail "$1: no '$2'"; }

# The process that the shell runs.
program() { pgrep -P "$(tm display -p '#{pane_pid}')" | tail -n 1; }

# learn [ARGUMENT]...: starts the program, with the GPU of $gpu, and leaves its exit status on the screen when it ends.
gpu=none
learn() { run "clear; simttutor learn --gpu \"$gpu\" $*; echo status=\$?"; }

terminal_flags() { tm display -p '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag}'; }
terminal_is_back() { [ "$(terminal_flags)" = "0 1 0 0" ]; }

# The terminal is the shell's again: first screen, cursor, no mouse, echo and line mode.
expect_terminal_back() {
	shows "$1" '^shell>'
	until_ terminal_is_back
	report $? "$1: the terminal is back"
	terminal_is_back || note "screen, cursor, mouse, keypad are $(terminal_flags)"
	run "clear; stty -a | tr ' ;' '\\n\\n' | grep -x -e -icanon -e -echo -e -isig -e -icrnl -e -opost; echo modes=\$?"
	expect "$1: line mode and echo are back" '^modes=1$'
}
