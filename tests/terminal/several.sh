#!/bin/sh
# A lesson that is recorded on two GPUs: their numbers beside each other where there is room, else one after the other.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
ln -s "$top_srcdir/lessons/091-bandwidth" "$course/lessons/091-bandwidth"

wide() {
	term_open 160 50
	learn bandwidth/5
	expect "160x50: both GPUs over their columns" 'predicted (model) *H200 *H100 '
	expect "160x50: numbers that are unequal" '│ time  *≈[0-9.]* [=≠] *[0-9.]* ≠ *[0-9.]*  us'
	keys W
	expect "160x50: W exchanges them" 'predicted (model) *H100 *H200 '
	keys Q
}

narrow() {
	term_open 80 24
	learn bandwidth/5
	expect "80x24: the first GPU, and what W shows" 'H200, recorded (W: H100)'
	keys W
	keys x
	expect "80x24: then the other" 'H100, recorded (W: H200)'
	keys Q
}

wide
narrow
finish
