#!/bin/sh
# Every key of the tables, pressed on a terminal: tests/terminal/keys.tab. KEYS=PATTERN: only such rows.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
[ -x "$fake" ] || skip_all "tests/fake-worker is not built"
table=$top_srcdir/tests/terminal/keys.tab
for lesson in 02-indexing 05-sectors 11-padding 17-latency; do
	ln -s "$top_srcdir/lessons/$lesson" "$course/lessons/$lesson"
done
times=$work/times
mkdir -p "$times/lessons"
cp -r "$top_srcdir/lessons/10-banks" "$times/lessons/"
rm -f "$times/lessons/10-banks/recorded.json"
ln -s "$top_srcdir/kernels" "$times/kernels"
sed -i 's/^  views: \[banks, source, numbers\]/  views: [blocks, mask, schedule]/' "$times/lessons/10-banks/lesson.md"

rows_of=$top_srcdir/lessons/10-banks/exercise

# --- the tables --------------------------------------------------------------------------------------------------------
# "MODE KEY" of each row, the key by its name.
sed -n 's/^KEYC(\([A-Z_]*\), [^,]*, "\([^"]*\)".*/s|KEYC_\1$|\2|/p' "$top_srcdir/src/base/keys.def" > "$work/names"
keys_of_tables() {
	{
		sed -n 's/^KEY(\([A-Z]*\), \([A-Z_]*\|'"'.'"'\),.*/\1 \2/p' "$top_srcdir/src/front/tutor/keys.def"
		sed -n 's/^KEY(\([A-Z_]*\|'"'.'"'\),.*/DEBUG \1/p' "$top_srcdir/src/front/debug/keys.def"
	} | sed -f "$work/names" | tr -d "'"
}
rows() { grep -v -e '^#' -e '^$' "$table"; }
keys_of_tables | sort > "$work/keys"
rows | awk '{ print $1, $2 }' | sort > "$work/rows"
[ "$(wc -l < "$work/keys")" -gt 90 ]
report $? "the tables of keys can be read"
report_none "every key has a row in tests/terminal/keys.tab" "$(comm -23 "$work/keys" "$work/rows")"
report_none "every row of it has a key" "$(comm -13 "$work/keys" "$work/rows")"

# --- a row -------------------------------------------------------------------------------------------------------------
is_another() { [ "$(screen_attributes)" != "$before" ]; }

# press NAME...: keys by the tables' names.
press() {
	for name in "$@"; do
		case $name in
		Esc)
			before=$(screen_attributes)
			keys Escape
			eventually 3 is_another # what came at once with it would be a key with Alt
			;;
		PgUp) keys PPage ;;
		PgDn) keys NPage ;;
		^L) keys C-l ;;
		^R) keys C-r ;;
		^U) keys C-u ;;
		Del) keys DC ;;
		Backspace) keys BSpace ;;
		garble) printf '\033[5;5HGARBLE' > "$(tm display -p '#{pane_tty}')" && until_ on_screen GARBLE ;;
		[0-9]*'*'*) keys -N "${name%%'*'*}" -- "${name#*'*'}" ;;
		*) keys -- "$name" ;;
		esac
	done
}

# The program afresh, with nothing remembered, in the place named.
begin() {
	rm -rf "$work/state-$server/simttutor" "$work/data"
	mkdir -p "$work/state-$server/simttutor"
	echo '{"format": 1, "lessons": {}}' > "$work/state-$server/simttutor/progress.json"
	case $1 in
	list) run "clear; simttutor --gpu none learn; echo status=\$?" && until_ on_screen '10  Bank' ;;
	times)
		run "clear; SIMTTUTOR_DATA='$times' simttutor --gpu \"command:exec '$fake' ok\" learn banks/2; echo status=\$?"
		until_ on_screen 'live: 2 blocks on'
		;;
	explore | compare | explored)
		measured=none view=banks
		[ "$1" != compare ] || set -- compare "--compare solution.ptx"
		[ "$1" != explored ] || measured="command:exec '$fake' ok" view=blocks
		run "clear; cd '$rows_of'; simttutor --gpu \"$measured\" explore start.ptx --grid '{(rows+31)/32}' --block 128 \\
--arg 'f32[{rows*32}]' --arg 'f32[{rows}]' --arg 'u32:{rows}' --sweep rows=32..128+32@64 --view $view ${2-}; echo status=\$?"
		until_ on_screen '? help' && { [ "$1" != explored ] || until_ on_screen 'live: 2 blocks on'; }
		;;
	play | kernel)
		run "clear; simttutor --gpu none play; echo status=\$?" && until_ on_screen 'Tab space, op' || return
		[ "$1" != kernel ] || { press Esc && until_ on_screen 'e type' && press P && until_ on_screen '│ *1 // Try'; }
		;;
	debug)
		run "clear; simttutor debug $top_srcdir/tests/run/softmax.ptx --grid 2 --block 32,4 --arg 'f32[256]:random@5' \\
--arg 's32[]:32,20,7,1,32,20,7,1' --arg 'f32[256]'; echo status=\$?"
		until_ on_screen 'warp 0 of 4  step 0'
		;;
	present) run "clear; simttutor --gpu none present banks/2; echo status=\$?" && until_ on_screen '● ○' ;;
	slide:*) run "clear; simttutor --gpu none present ${1#slide:}; echo status=\$?" && until_ on_screen '● ○' ;;
	vote)
		run "clear; simttutor --gpu none present banks/1; echo status=\$?" && until_ on_screen '● ○' || return
		press n n n && until_ on_screen 'bank 37'
		;;
	live)
		run "clear; SIMTTUTOR_DATA='$times' simttutor --gpu \"command:exec '$fake' ok\" present banks/2; echo status=\$?"
		until_ on_screen '● ○' && press m && until_ on_screen 'live: 2 blocks on'
		;;
	*) run "clear; simttutor --gpu none learn $1; echo status=\$?" && until_ on_screen '? help' ;;
	esac
}

# What the program drew so far is on the screen: the same twice.
settled() {
	now=$(screen_attributes)
	[ "$now" = "${last_screen-}" ] && return
	last_screen=$now
	return 1
}
settle() { last_screen= && until_ settled; }

is_there() {
	case $1 in
	-*) off_screen "${1#-}" ;;
	*) on_screen "$1" ;;
	esac
}

is_not_there() { ! is_there "$1"; }

# Whether the screen becomes as the pattern says by this key, and was not before.
try_row() { # KEY PATTERN WHERE KEYS...
	key=$1 pattern=$2
	begin "$3" || return
	shift 3
	while [ $# -gt 0 ] && [ "$1" != then ]; do
		press "$1"
		shift
	done
	settle
	until_ is_not_there "$pattern" || return
	press "$key"
	while [ $# -gt 1 ]; do
		shift
		settle
		press "$1"
	done
	until_ is_there "$pattern"
}

set -f # rows have stars
for size in 80x24 160x50; do
	term_open "${size%x*}" "${size#*x}" NVCC=: CLANG=: EDITOR=false "XDG_DATA_HOME='$work/data'" "XDG_CONFIG_HOME='$work/config-$size'"
	while IFS= read -r row <&3; do
		before=${row%%|*} pattern=$(printf '%s\n' "${row#*| }" | sed 's/ $//')
		# shellcheck disable=SC2086 # words
		set -- $before
		mode=$1 key=$2
		shift 2
		try_row "$key" "$pattern" "$@"
		report $? "$size: $mode $key"
		# the end of it, whatever it is in
		running=$(program)
		[ -z "$running" ] || kill "$running" 2> /dev/null
		until_ on_screen 'status='
	done 3<< END
$(rows | grep -e "${KEYS:-}")
END
done
finish
