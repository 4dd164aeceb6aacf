#!/bin/sh
# The front end on a machine with a GPU: doctor, a step measured live, the lesson's exact counters against the model, and the
# lesson on a terminal with live numbers at two sizes. Prints TAP. Needs a GPU; the terminal part needs tmux.
# Usage: front.sh BUILD [OUT]; the screens seen are kept in OUT.
top_srcdir=${top_srcdir:-$(dirname "$0")/../..} top_builddir=${1:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99
out=${2:-$(mktemp -d)}
mkdir -p "$out" || exit 99
export LC_ALL=C.UTF-8 XDG_STATE_HOME="$out/state"
check() { # NAME COMMAND...
	name=$1
	shift
	"$@"
	report $? "$name"
}

"$simttutor" doctor >"$out/doctor.txt" 2>&1
report $? "doctor: live measuring works"
sed 's/^/# /' "$out/doctor.txt"

"$simttutor" --gpu local show banks/2 --format json >"$out/show.json" 2>"$out/show.err"
check "show --gpu: the step measured live" grep -q '"witness": "live"' "$out/show.json"
"$simttutor" --gpu local show banks/5 --size 120x40 >"$out/show.txt" 2>>"$out/show.err"
check "show --gpu: on the screen" grep -q 'live' "$out/show.txt"

"$simttutor" record --check banks >"$out/record.txt" 2>&1
report $? "record --check: every exact counter is the model's"
tail -n 3 "$out/record.txt" | sed 's/^/# /'

if ! command -v tmux >/dev/null; then
	finish
	exit
fi
tm() { tmux -L "simttutor-gpu-$$" -f /dev/null "$@"; }
wait_for() { # PATTERN
	i=0
	while [ $i -lt 100 ]; do
		tm capture-pane -p | grep -q -e "$1" && return 0
		i=$((i + 1))
		sleep 0.1
	done
	return 1
}
for size in 80x24 160x50; do
	tm new-session -d -x "${size%x*}" -y "${size#*x}" "$simttutor learn banks/1"
	check "$size: live numbers of the first step" wait_for 'live: '
	tm capture-pane -p >"$out/$size-1.txt"
	for step in 2 3 4 5 6 7; do
		tm send-keys n
		check "$size: step $step" wait_for "$step/7"
		check "$size: step $step, live" wait_for 'live: '
		tm capture-pane -p >"$out/$size-$step.txt"
	done
	tm send-keys p Right
	tm send-keys p
	i=0
	while [ $i -lt 33 ]; do
		tm send-keys Right
		i=$((i + 1))
	done
	check "$size: live after every stride" wait_for 'live: '
	tm capture-pane -p >"$out/$size-last.txt"
	pkill -9 simttutor-gpu
	tm send-keys m
	check "$size: live again after the worker was killed" wait_for 'live: '
	tm send-keys Q
	tm kill-server 2>/dev/null
done
finish
