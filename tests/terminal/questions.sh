# The kinds of question on a terminal: several right choices, an order, and something to point at.
. "${top_srcdir:=$(dirname "$0")/../..}/tests/terminal/lib.sh" || exit 99

# The lesson of banks with questions of these kinds.
rm "$course/lessons/10-banks"
mkdir "$course/lessons/10-banks"
sed '/^## One word for each lane/,$d' "$top_srcdir/lessons/10-banks/lesson.md" >"$course/lessons/10-banks/lesson.md"
cat >>"$course/lessons/10-banks/lesson.md" <<'END'
## Several

Some are right.

```simt
set: {stride: 1}
question:
  ask: Which strides take one wavefront?
  several:
    - {text: "1", when: "shared_load_wavefronts_per_request[stride=1] == 1"}
    - {text: "2", when: "shared_load_wavefronts_per_request[stride=2] == 1", why: Two words in each even bank.}
    - {text: "3", when: "shared_load_wavefronts_per_request[stride=3] == 1"}
  explain: Odd strides do.
```

## In order

From the fewest.

```simt
set: {stride: 1}
question:
  ask: From the fewest wavefronts to the most?
  order:
    - {text: "stride 8", by: "shared_load_wavefronts_per_request[stride=8]"}
    - {text: "stride 1", by: "shared_load_wavefronts_per_request[stride=1]"}
    - {text: "stride 4", by: "shared_load_wavefronts_per_request[stride=4]", why: Stride 4 has another place.}
  explain: 1, 4 and 8.
```

## At a lane

Look at the picture.

```simt
set: {stride: 2}
question:
  ask: Which lane reads word 6?
  point: lane
  answer: "6 / 2 + 0 * shared_load_requests[stride=2]"
  wrong: {6: That is the word.}
  explain: Lane 3 reads word 6.
```
END

for size in 80x24 160x50; do
	term_open "${size%x*}" "${size#*x}"
	keys 'simttutor learn banks' Enter
	expect "$size: several" 'Type the numbers of all'
	keys 1 2
	expect "$size: what is typed is marked" '▸ 2  2'
	keys Enter
	expect "$size: one that is wrong" '✗ 12 is not it'
	expect "$size: and why" 'Two words in each even bank'
	keys 1 3 Enter
	expect "$size: all of them" '✓ 13 is right'
	expect "$size: those are ticked" '✓ 3  3'
	keys n
	expect "$size: an order" 'Type all numbers of'
	keys 2 Enter
	expect "$size: not all of them" 'Type all numbers of the list, each'
	keys 1 3 Enter
	expect "$size: another order" '✗ 213 is not it'
	keys 2 3 1 Enter
	expect "$size: the right one" '✓ 231 is right'
	keys n
	expect "$size: something to point at" 'Point at it in the picture'
	keys 6 Enter
	expect "$size: a number that is wrong" 'That is the word'
	keys x Right Enter
	expect "$size: what is pointed at is something else" 'The question asks for a lane'
	keys Escape
	expect "$size: at nothing" 'change  n p step'
	keys x Right Right Right Right Right Right Enter
	expect "$size: what is pointed at" '✓ 3 is right'
	keys Escape
	expect "$size: and at nothing" 'change  n p step'
	keys q q
	expect "$size: left" '^shell>'
done
finish
