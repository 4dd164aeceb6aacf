# tests/terminal/lib.sh: a program on a terminal, driven and watched through tmux. Sourced by the tests beside it.
#
# Nothing here waits for a fixed time: a test waits until the screen shows (or no longer shows) something, or until the
# deadline, and then says what the screen did show.

: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}" "${top_builddir:=.}"
top_builddir=$(cd "$top_builddir" && pwd)
simttutor=$top_builddir/simttutor
deadline=${SIMTTUTOR_TERMINAL_DEADLINE:-20} # seconds

count=0
skip_all() { echo "1..0 # SKIP $1"; exit 0; }
pass() { count=$((count + 1)); echo "ok $count - $1"; }
fail() {
	count=$((count + 1))
	echo "not ok $count - $1"
	screen | sed 's/^/#  |/'
}
finish() { echo "1..$count"; }

command -v tmux >/dev/null 2>&1 || skip_all "tmux is not installed"
[ -x "$simttutor" ] || skip_all "simttutor is not built"

socket=simttutor-test-$$
work=$(mktemp -d)
tm() { tmux -L "$socket" -f /dev/null "$@"; }
clean_up() {
	tm kill-server 2>/dev/null
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# term_open COLS ROWS [NAME=VALUE]...: a shell on a fresh terminal; its prompt is "shell> ".
term_open() {
	cols=$1 rows=$2
	shift 2
	tm kill-server 2>/dev/null
	rm -rf "$work/state"
	tm new-session -d -x "$cols" -y "$rows" "env -u NO_COLOR LC_ALL=C.UTF-8 TERM=screen-256color PS1='shell> ' ENV= \
		XDG_STATE_HOME='$work/state' PATH='$PATH' $* /bin/sh"
	tm set -g status off
	tm resize-window -x "$cols" -y "$rows" 2>/dev/null
	shows "the shell" 'shell> '
}

screen() { tm capture-pane -p 2>/dev/null; }
keys() { tm send-keys "$@"; }
run() { tm send-keys -l "$1" && tm send-keys Enter; }

# until CONDITION...: runs it again and again; false at the deadline.
until_() {
	end=$(($(date +%s) + deadline))
	while ! "$@"; do
		[ "$(date +%s)" -lt "$end" ] || return 1
		sleep 0.05
	done
}
on_screen() { screen | grep -q -e "$1"; }
off_screen() { ! on_screen "$1"; }

# shows NAME PATTERN: passes when the screen comes to show the pattern; the silent form says nothing when it does.
shows() { until_ on_screen "$2" || fail "$1: no '$2'"; }
expect() { if until_ on_screen "$2"; then pass "$1"; else fail "$1: no '$2'"; fi; }
expect_gone() { if until_ off_screen "$2"; then pass "$1"; else fail "$1: still '$2'"; fi; }

process() { pgrep -P "$(tm display -p '#{pane_pid}')" "$@"; }

# The terminal is the shell's again: main screen, echo, line mode, visible cursor.
terminal_is_back() {
	[ "$(tm display -p '#{alternate_on}')" = 0 ] && [ "$(tm display -p '#{cursor_flag}')" = 1 ] &&
		[ "$(tm display -p '#{mouse_any_flag}')" = 0 ] && [ "$(tm display -p '#{keypad_cursor_flag}')" = 0 ]
}
expect_terminal_back() {
	shows "$1" 'shell> '
	if until_ terminal_is_back; then pass "$1"; else fail "$1: alternate screen, cursor, mouse or keypad"; fi
	run 'stty -a | tr " ;" "\n\n" | grep -x -e -\\?icanon -e -\\?echo -e -\\?isig | tr "\n" +; echo done'
	expect "$1: line mode and echo" '+*isig+icanon+echo+done'
}
