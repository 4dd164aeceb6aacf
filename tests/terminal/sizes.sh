#!/bin/sh
# The terminal changes its size while the program runs; odd keys come in.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99

term_open 80 24
learn banks/2
shows "started" '2 wavefronts, ideal 1'
for size in 160x50 60x16 100x30 61x17 200x60 80x24; do
	resize "${size%x*}" "${size#*x}"
	case $size in
	6*) expect "$size: text alone, the view on z" 'z: banks' ;;
	*) expect "$size: the panes" '─ banks · line' ;;
	esac
	columns_are() { [ "$(screen | sed -n 2p | tr -d '\n' | wc -m)" -eq "${size%x*}" ]; }
	until_ columns_are
	report $? "$size: the frame is as wide as the terminal"
done
resize 40 10
expect "too small: it says so" 'has 40 columns and 10'
keys Right
resize 1 1
resize 3 2
resize 80 24
expect "too small: keys work all the same" 'stride ◂ 3'

# Unknown sequences do nothing; nor do their letters.
keys -H 1b 5b 39 39 7e
keys -H 1b 4f 71
keys -H 1b 5b 32 39 39 7e
keys -H c3 a9 e2 82 ac
keys F5 IC
keys Right
expect "unknown keys do nothing" 'stride ◂ 4'
keys Right Right Right Right Right Right Right Right Right Right Left
expect "many keys at once all count" 'stride ◂ 13'
keys C-l
expect "^L draws afresh" 'stride ◂ 13'

# The mouse: a press and its release at a column and row (from 1), as xterm reports them in the form that its entry names.
case $(infocmp xterm-256color 2>/dev/null | grep -o 'kmous=[^,]*') in
'kmous=\E[<') click() { keys -l "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$1" "$2" "$1" "$2")"; } ;;
*) click() { # button, column and row as characters, 32 added
	at=$(printf '%02x %02x' $(($1 + 32)) $(($2 + 32)))
	keys -H 1b 5b 4d 20 $at 1b 5b 4d 23 $at
} ;;
esac
# Column and row of the last character of the text.
place() {
	line=$(screen | grep -n -m 1 -F -e "$1")
	row=${line%%:*}
	line=${line#*:}
	echo "$(printf %s "${line%%"$1"*}$1" | LC_ALL=C.UTF-8 wc -m)" "$row"
}
term_open 80 24 TERM=xterm-256color
learn banks/2
shows "started" 'stride ◂ 2'
set -- $(place '◂ 2 words ▸')
click "$1" "$2"
expect "a click on the arrow turns the parameter" 'stride ◂ 3'
set -- $(place '─ source')
click "$1" "$2"
expect "a click on a view shows it" '┬─ source'
keys Q
expect_terminal_back "after the mouse"
finish
