#!/bin/sh
# A worker 200 ms away in each direction: the model's picture and the keys do not wait for it.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
[ -x "$fake" ] || skip_all "tests/fake-worker is not built"
cat > "$work/far" << END
#!/bin/sh
slowly() { while IFS= read -r line; do sleep 0.2; printf '%s\n' "\$line"; done; }
slowly | '$fake' "\$@" | slowly
END
chmod +x "$work/far"

ms() { date +%s%3N; }
term_open 80 24
gpu="command:'$work/far'"
begun=$(ms)
learn banks/2
until_ on_screen '2 wavefronts, ideal 1'
first=$(screen)
seen=$(($(ms) - begun))
# hello, probe and its answer, question and answer: five ways of 200 ms
echo "$first" | grep -q '2 wavefronts, ideal 1' && ! echo "$first" | grep -q 'live: Fake GPU'
report $? "the first picture is there before the worker"
note "after $seen ms"
expect "the worker's numbers come later" 'measured: Fake GPU, live'
seen=$(($(ms) - begun))
[ $seen -ge 1000 ]
report $? "by the five ways they go"
note "after $seen ms"

# A key's picture: the model's number is seen, and the one measured there is not yet. One sight of it in some tries proves
# it; on a busy machine a look may come too late. A try takes longer than half a second.
at=2 early= slowest=0
for try in 1 2 3 4 5; do
	at=$((at + 1))
	begun=$(ms)
	keys Right
	until_ on_screen "stride ◂ $at"
	picture=$(screen)
	took=$(($(ms) - begun))
	[ $took -le $slowest ] || slowest=$took
	echo "$picture" | grep -q 'measured: Fake GPU, live' || early=$try
	until_ on_screen 'measured: Fake GPU, live' || fail "value $at is not measured"
	if [ -n "$early" ] && ! long; then break; fi
done
[ -n "$early" ]
report $? "a key's picture comes before its measurement"
note "within $slowest ms"
keys Right Right Right Left Left Right Right
expect "many keys at once are not held up either" "stride ◂ $((at + 3))"
expect "and what is shown in the end is measured" 'measured: Fake GPU, live'
keys Q
expect_terminal_back "quit while a worker is far away"
finish
