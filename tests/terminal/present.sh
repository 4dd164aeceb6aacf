# A talk on two terminals: slides on one, the speaker's notes on the other; both are killed and started again, and so is the worker.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99

runtime=$work/runtime
mkdir -m 700 "$runtime"
# The second terminal of the same server, and what it shows.
notes_open() { tm new-session -d -s notes -x 100 -y 30 /bin/sh "$work/shell" && tm set -t notes status off; }
notes_keys() { tm send-keys -t notes "$@"; }
# A line feed, since a program that was killed leaves a terminal on which Enter is none.
notes_run() { tm send-keys -t notes -l "$1" && tm send-keys -t notes C-j; }
notes_show() { tm capture-pane -t notes -p 2>/dev/null | grep -q -e "$1"; }
expect_notes() {
	if until_ notes_show "$2"; then pass "$1"; else fail "$1" && tm capture-pane -t notes -p | sed 's/^/#  notes|/'; fi
}
kill_in() { pkill -KILL -P "$(tm display -t "$1" -p '#{pane_pid}')"; }

term_open 100 30 "XDG_RUNTIME_DIR='$runtime'"
first=slides
tm rename-session "$first"
notes_open
screen() { tm capture-pane -t "$first" -p 2>/dev/null; }
keys() { tm send-keys -t "$first" "$@"; }
run() { tm send-keys -t "$first" -l "$1" && tm send-keys -t "$first" C-j; }
resize() { tm resize-window -t "$first" -x "$1" -y "$2"; }

notes_run 'simttutor notes'
expect_notes "notes wait for a presentation" 'Nobody presents yet'
run "simttutor --gpu none present banks --minutes 45"
expect "the first slide" 'Bank conflicts 1/7'
expect_notes "its notes" 'Bank conflicts 1/7 .* of 45:00'
expect_notes "what the next key shows" 'Next key: a paragraph'
keys PPage
keys NPage NPage NPage
expect "the vote" 'Which bank holds word 37'
expect_notes "is in the notes, with its answer" 'Answer: bank 5'
keys 1 2 Down 9
expect "hands are counted" ' 12'
expect_notes "there, too" '9  bank 5'
notes_keys NPage
expect "the notes go on: the answer" '✓ bank 5'
notes_keys b
expect_gone "and blank the screen" 'Bank conflicts'
expect_notes "which they say" 'The screen is blank'
keys b
expect "it comes back" 'Bank conflicts 1/7'
resize 160 50
expect "it follows another size" 'wavefronts / request'
resize 100 30

kill_in notes
until_ notes_show 'shell>'
notes_run 'stty sane; clear; echo cleared' # of the notes that were there before
until_ notes_show '^cleared'
notes_run 'simttutor notes'
expect_notes "notes that were killed come again" 'Next key: the next slide'
kill_in "$first"
expect_notes "they say that the presentation has ended" 'The presentation has ended'
run "stty sane; clear; simttutor --gpu none present banks/2"
expect "it is started again" 'Bank conflicts 2/7'
expect_notes "and the notes follow" 'Bank conflicts 2/7'
keys q q
expect "two keys end it" '^shell>'
expect_notes "and the notes wait" 'The presentation has ended'
[ -z "$(find "$runtime/simttutor" -type s)" ]
report $? "the socket is gone"
notes_keys q

# A talk by a script, in time; the worker is killed in the middle.
cat > "$work/talk" <<END
wait 20
next 3
wait 20
count B 12
wait 20
reveal
wait 20
goto 2
set stride=4
measure
measured 20
wait 40
reveal
wait 100
quit
END
worker=$top_builddir/tests/fake-worker
# A child of the talk, not its starter, whose arguments are those of the talk.
kill_worker() {
	worker_pid=$(pgrep -P "$(pgrep -P "$(tm display -t "$first" -p "#{pane_pid}")" | tail -n 1)" -x fake-worker) &&
		kill -KILL "$worker_pid"
}
run "clear; simttutor --gpu 'command:exec $worker' present banks --commands $work/talk --speed 20 --record $work/talk.cast"
notes_run 'clear; simttutor notes'
expect "the script asks" 'Which bank holds word 37'
expect_notes "beside it, the notes" 'vote'
expect "counts" ' 12'
expect "reveals" '✓ bank 5'
expect "goes to a slide" 'Bank conflicts 2/7'
until_ kill_worker
report $? "its worker is killed"
expect "goes on although the worker was killed" '✓ 4'
deadline=$((4 * deadline)) # the rest of the talk
expect "and ends" '^shell>'
deadline=$((deadline / 4))
# What was recorded: a header, events, and a marker for each slide that was shown.
head -n 1 "$work/talk.cast" | grep -q '^{"version": 2, "width": 100, "height": 30' &&
	[ "$(grep -c '^\[[0-9.]*, "m", "Bank conflicts [12]/7' "$work/talk.cast")" = 2 ] && [ "$(grep -c '"o", ' "$work/talk.cast")" -gt 5 ]
report $? "the recording has its slides"
grep -v '^{' "$work/talk.cast" | sed 's/^\[\([0-9]*\)[.]\([0-9]*\),.*/\1\2/' | sort -nc
report $? "in the order of time"

# The talk of ten minutes, sixty times as fast, with notes beside it; the worker is killed when it has measured.
talk=$top_srcdir/doc/examples/banks.talk cast=$work/banks.cast
run "clear; simttutor --gpu 'command:exec $worker' present banks --minutes 10 --commands $talk --speed 60 --record $cast"
deadline=$((4 * deadline))
expect_notes "the long talk's notes" 'Bank conflicts 2/7 .* of 10:00'
until_ kill_worker
report $? "its worker is killed"
expect_notes "it goes on to the worst case" 'Bank conflicts 5/7'
expect_notes "and to what is to be done at home" 'Bank conflicts 7/7'
expect "to its end" '^shell>'
deadline=$((deadline / 4))
[ "$(grep -o '"m", "Bank conflicts ./7' "$cast" | sort -u | wc -l)" = 7 ]
report $? "the recording has all seven slides"
# Played on a third terminal, until the last slide is there.
sed -n '/"m", "Bank conflicts 7/q; s/^\[[0-9.]*, "o", "\(.*\)"\]$/\1/; t event
	d
	:event
	s/\\u00\(0[0-7]\)/\\00\1/g; s/\\u000e/\\0016/g; s/\\u000f/\\0017/g; s/\\u001b/\\0033/g; s/\\"/"/g; p' "$cast" |
	while IFS= read -r event; do printf '%b' "$event"; done > "$work/played"
tm new-session -d -s played -x 100 -y 30 "stty -opost; cat '$work/played'; sleep 1000"
first=played
expect "played again it shows the talk" 'Bank conflicts 7/7'
expect "as it was" 'Exercise: sums of rows'
tm kill-session -t played
first=slides

run "clear; simttutor --gpu none learn --record $work banks; echo status=\$?"
expect "what is no file is refused" 'status=3'
finish
