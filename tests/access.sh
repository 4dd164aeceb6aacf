#!/bin/sh
# simttutor access: what it prints, and what it refuses where.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99

access() { capture "$simttutor" access "$@"; }

# json EXPECTED ARGUMENTS...: the numbers of the answer, as written there.
json() {
	expected=$1
	shift
	access --format json "$@"
	[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && [ "$(wc -l < "$work/out")" -eq 1 ] && grep -qF -e "$expected" "$work/out"
	report $? "$*"
}

# says TEXT ARGUMENTS...: the text holds it.
says() {
	expected=$1
	shift
	access "$@"
	[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && tr '\n' ' ' < "$work/out" | grep -qF -e "$expected"
	report $? "$* says \"$expected\""
}

# refuses COLUMN MESSAGE ARGUMENTS...: usage error; COLUMN is where the caret stands, 0 when there is none.
refuses() {
	column=$1
	expected=$2
	shift 2
	access "$@"
	caret=$(awk '/^ *\^$/ { print length($0) - 4; exit }' "$work/err")
	[ "$status" -eq 2 ] && [ ! -s "$work/out" ] && grep -qF -e "$expected" "$work/err" && [ "${caret:-0}" -eq "$column" ]
	report $? "refused: $expected"
}

offsets() {
	seq -s, 0 "$1" "$((31 * $1))"
}

shared="--space shared --op ld"
global="--space global --op ld"

json '{"space": "shared", "op": "ld", "width": 4, "active_lanes": 32, "requests": 1, "wavefronts": 2, "ideal_wavefronts": 1, "bank_conflicts": 1, "witness": "model", "cc": 90, "verified": true}' \
	$shared 'lane*2'
json '{"space": "global", "op": "st", "width": 4, "active_lanes": 32, "requests": 1, "sectors": 12, "ideal_sectors": 4, "bytes_used": 128, "bytes_moved": 384, "witness": "model", "cc": 90, "verified": true}' \
	--space global --op st 'lane*3'
json '"wavefronts": 1, "ideal_wavefronts": 1, "bank_conflicts": 0' $shared 'lane*33'
json '"wavefronts": 32, "ideal_wavefronts": 1, "bank_conflicts": 31' $shared 'lane*32'
json '"wavefronts": 1, "ideal_wavefronts": 1, "bank_conflicts": 0' $shared '(lane*32 + (lane^7)) % 1024'
json '"wavefronts": 1, "ideal_wavefronts": 1, "bank_conflicts": 0' $shared 0
json '"wavefronts": 2, "ideal_wavefronts": 2, "bank_conflicts": 0' --space shared --op st --width 8 lane
json '"wavefronts": 4, "ideal_wavefronts": 4, "bank_conflicts": 0' --space shared --op st --width 16 lane
json '"wavefronts": 2, "ideal_wavefronts": 2, "bank_conflicts": 0' --space shared --op ld --width 16 lane/2
json '"wavefronts": 32, "ideal_wavefronts": 1, "bank_conflicts": 31' --space shared --op atom 0
json '"verified": false' --space shared --op atom --width 8 lane
json '"cc": 75, "verified": false' $shared --cc 7.5 lane
json '"cc": 90, "verified": true' $shared --cc 90 lane
json '"sectors": 16' $global --width 16 lane
json '"sectors": 1, "ideal_sectors": 1, "bytes_used": 4' $global 7
json '"active_lanes": 32' $shared --offsets "$(offsets 4)"
json '"active_lanes": 31, "requests": 1, "wavefronts": 1' $shared --offsets "-,$(offsets 4 | cut -d, -f2-)"
json '"active_lanes": 2' $global --offsets "0x20, 64 $(printf ' -%.0s' $(seq 30))"
json '"active_lanes": 0, "requests": 1, "wavefronts": 0, "ideal_wavefronts": 0, "bank_conflicts": 0' \
	$shared --offsets "$(printf -- '- %.0s' $(seq 32))"
json '"wavefronts": 1' --space=shared --op=ld -- '-lane + 31'

says 'predicts 1 request of 2 wavefronts, where 1 would be the fewest: 1 bank conflict.' $shared 'lane*2'
says 'no bank conflict' $shared lane
says 'in 4 groups, one after the other' --space shared --op st --width 16 lane
says 'Lanes of an atomic share nothing' --space shared --op atom 0
says '12 sectors: 384 bytes moved, 128 used (33%). Next to each other, these bytes would fit in 4.' $global 'lane*3'
says 'No lane is active: the request takes no wavefront.' $shared --offsets "$(printf -- '- %.0s' $(seq 32))"
says 'On compute capability 7.5 this rule is documented, not verified here.' $shared --cc 7.5 lane
says 'On compute capability 8.6 this rule is documented, not verified here.' $global --cc 8.6 lane
says 'On compute capability 8.9 this rule was verified on CC 9.0 alone.' --space shared --op ld --width 16 --cc 8.9 lane
says 'On compute capability 9.0 this rule was not verified on hardware.' --space shared --op atom --width 8 lane
says 'wavefront   bank' $shared 'lane*2'
says 'sector' $global lane

access $shared 'lane*32'
[ "$(grep -c '^ \{4,5\}[0-9]\{1,2\}  ' "$work/out")" -eq 32 ]
report $? "all 32 wavefronts are drawn"
access $shared 'lane*2'
! grep -q '[[:blank:]]$' "$work/out" && [ -n "$(tail -n 1 "$work/out")" ] && [ "$(wc -L < "$work/out")" -le 80 ]
report $? "text fits 80 columns, without trailing blanks or rows"
LC_ALL=C access $shared 'lane*2'
! LC_ALL=C grep -q '[^ -~]' "$work/out" && grep -q '^     2  ' "$work/out"
report $? "the C locale gets ASCII"
access $shared --format ansi 'lane*2'
grep -q "$(printf '\033\\[')" "$work/out" && grep -q 'wavefront   bank' "$work/out"
report $? "--format ansi styles"
for format in svg html; do
	access $global --format "$format" 'lane < 3'
	[ "$status" -eq 0 ] && grep -q "</$format>" "$work/out" && grep -q 'lane &lt; 3' "$work/out"
	report $? "--format $format is a whole document, escaped"
done
access $shared --size 40x10 'lane*8'
[ "$status" -eq 0 ] && [ "$(wc -l < "$work/out")" -le 10 ] && [ "$(wc -L < "$work/out")" -le 40 ]
report $? "--size 40x10 keeps to it"

refuses 0 '--space is missing' --op ld lane
refuses 0 '--op is missing' --space shared lane
refuses 0 'which addresses?' $shared
refuses 0 'not both' $shared --offsets 0 lane
refuses 0 'is a second one' $shared lane '* 2'
refuses 1 'expected shared, global, local or const' --space texture --op ld lane
refuses 1 'expected ld, st, atom, red, exch, cas, fadd, count, ldmatrix, stmatrix, cp.async or cp.async.cg' --space shared --op load lane
refuses 1 'expected 1, 2, 4, 8 or 16' $shared --width 3 lane
refuses 1 'expected 1, 2, 4, 8 or 16' $shared --width '' lane
refuses 1 'expected 2, 4, 8 or 16: the bytes per lane that atom has' --space shared --op atom --width 1 lane
refuses 0 '--op ldmatrix needs --width 16' --space shared --op ldmatrix 'lane*4'
refuses 1 'expected 4, 8 or 16: the bytes per lane that cp.async has' --space global --op cp.async --width 2 lane
refuses 1 'expected text, ansi, svg, html or json' $shared --format pdf lane
refuses 1 'a compute capability from 5.0 to 19.9' $shared --cc 9.x lane
refuses 1 'a compute capability from 5.0 to 19.9' $shared --cc 4.0 lane
refuses 1 'expected COLSxROWS' $shared --size 80 lane
refuses 0 'unknown or ambiguous option' $shared --no-such lane
refuses 6 'EXPR:1:6: ' $shared 'lane*'
refuses 1 "unknown name 'thread'" $shared 'thread'
refuses 1 'lane 0: element -1 is before the start of memory' $shared 'lane-1'
refuses 1 'lane 0: division by zero' $shared '1/lane'
refuses 1 'lane 1: shift count outside 0..63' $shared '1 << lane*64'
refuses 1 'lane 29: bytes from 237568 on are past the 227 KiB' $shared 'lane*2048'
refuses 1 'past the 2^48' $global '1 << (lane + 60 - (lane > 2) * 40)'
refuses 1 'past the 2^48' $global '0x7FFFFFFFFFFFFFFF'
refuses 10 '3 offsets; a warp has 32 lanes' $shared --offsets '0, 4, -  '
refuses 1 '0 offsets; a warp has 32 lanes' $shared --offsets ''
refuses 149 'more than 32 offsets' $shared --offsets "$(offsets 100) 1"
refuses 5 'lane 2: byte 6 is not a multiple of the width, 4 bytes' $shared --offsets 0,4,6
refuses 3 "lane 1: an offset is 0 or more; an inactive lane is a lone '-'" $shared --offsets 0,-4
refuses 3 "lane 1: expected a byte offset, or '-'" $shared --offsets 0,x
refuses 3 "lane 1: expected a byte offset, or '-'" $shared --offsets 0,,4
refuses 3 "lane 1: expected a byte offset, or '-'" $shared --offsets 0,4k
refuses 1 'lane 0: bytes from 232448 on are past' $shared --offsets 232448
refuses 1 'past the 2^48' $global --offsets 99999999999999999999

refuses 1 'expected an access that const memory has' --space const --op st lane
says 'The model predicts 2 requests of 8 sectors in all' --space local --op ld --width 8 'lane/16'
says '1 request and 7 replays: one more pass for each further address.' --space const --op ld lane/4
says 'to compare and to swap: the busiest bank takes 4. So the model predicts 1 request of 4 wavefronts' --space shared --op cas 'lane*2'
says 'The loads make 8 requests of 8 wavefronts in all.' --space shared --op fadd lane%4
says 'Lanes of an atomic with the same address take turns' --space global --op red lane/4
json '"requests": 4, "replays": 124, "witness": "model", "cc": 90, "verified": true' --space const --op ld --width 16 lane
json '"wavefronts": 16, "ideal_wavefronts": 4, "bank_conflicts": 12' --space shared --op ldmatrix --width 16 'lane*4'
json '"sectors": 16, "ideal_sectors": 1' --space global --op atom --width 4 'lane%2'

access --help
[ "$status" -eq 0 ] && grep -q 'usage: simttutor access --space' "$work/out" && grep -q -- '--offsets LIST' "$work/out"
report $? "--help shows usage and options"

finish
