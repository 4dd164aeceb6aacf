# simttutor-gpu --serve: one GPU for many readers, over the GPU that is not there (tests/fake-cuda). tests/gpu/readers.sh does it on a
# real one.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
needs_worker
LD_LIBRARY_PATH=$top_builddir/tests/fake-cuda/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} SIMTTUTOR_QUEUE_DIR=$work
export LD_LIBRARY_PATH SIMTTUTOR_QUEUE_DIR
unset SIMTTUTOR_FAKE_CUDA
server=
clean_up() {
	[ -z "$server" ] || kill -KILL "$server" 2> /dev/null
	rm -rf "$work"
}

# --- what is asked -----------------------------------------------------------------------------------------------------
request() { # ID KERNEL-COMMENT BLOCK: a measurement
	printf '{"type":"measure","id":%d,"ptx":".version 7.0\\n.target sm_70\\n.address_size 64\\n%s\\n.visible .entry k(.param .u64 p)\\n{\\n\\tret;\\n}\\n",' "$1" "$2"
	printf '"launch":{"kernel":"k","grid":[2,1,1],"block":[%d,1,1],"shared":0,"args":["u32[4]"]},"metrics":["smsp__inst_executed.sum"],"buffers":true}\n' "$3"
}
own='// of one reader alone'
known='// of all'
{
	request 1 "$known" 64
	request 1 "$known" 96
	request 1 "$known // fake: sync=700" 64
	request 1 "$known // fake: kill" 64
} > "$work/known"
connect() { "$worker" --connect "$work/s"; }

# --- the server ---------------------------------------------------------------------------------------------------------
within() { # SECONDS COMMAND...: whether it succeeds within so many
	until=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt "$until" ] || return 1
		sleep 0.05
	done
}
serve() { # OPTION...
	"$worker" --serve "$work/s" "$@" 2> "$work/served" &
	server=$!
	within 60 test -S "$work/s"
}
end_server() {
	kill "$server" 2> /dev/null
	wait "$server"
	ended=$?
	server=
}
workers() { pgrep -c -P "$server" -f -- --device; }
has_workers() { [ "$(workers)" = "$1" ]; }
numbers() { grep -c '"type":"measurement".*"value":'"$1" "$work/out"; }

serve --known "$work/known"
report $? "it listens"
request 7 "$known" 64 | capture connect
[ "$(head -n 1 "$work/out" | cut -c 1-16)" = '{"type":"hello",' ] && [ "$(numbers 128)" = 1 ] && has '"id":7,' && has_workers 1
report $? "a launch that is known is measured, under the number of its request"
request 8 "$known" 96 | capture connect
[ "$(numbers 192)" = 1 ] && has_workers 1
report $? "the next reader has the same worker"
{ echo '{"type":"probe","id":1}'; request 2 "$own" 64; echo nonsense; request 3 "$own" 96; request 4 "$known" 64; echo '{"type":"quit"}'; } | capture connect
has '"type":"gpu","id":1,' && has '"type":"error","code":"bad_request"' && [ "$(numbers 192)" = 1 ] && [ "$(numbers 128)" = 2 ] &&
	[ "$(sed -n 's/.*"type":"\(gpu\|measurement\|error\)",\("id":[0-9]\)*.*/\2/p' "$work/out" | tr -d '\n')" = '"id":1"id":2"id":3"id":4' ]
report $? "requests of a reader are answered in their order, whatever worker does them"
within 60 has_workers 1
report $? "a worker of one reader ends with the connection"

shared=$(pgrep -P "$server" -f -- --device)
# Two readers who stay: one holds its worker, and the other has another.
mkfifo "$work/hold"
"$worker" --connect "$work/s" < "$work/hold" > "$work/held" &
held=$!
exec 9> "$work/hold"
request 1 "$own" 64 >&9
within 60 grep -q '"measurement","id":1' "$work/held" && request 2 "$own" 64 | capture connect && [ "$(numbers 128)" = 1 ] && within 60 has_workers 2
report $? "each reader has a worker of its own for kernels of its own"
kept=$(pgrep -P "$server" -f -- --device | grep -vx "$shared")

# --- what goes wrong --------------------------------------------------------------------------------------------------------
{ request 5 "$own // fake: sync=700" 64; request 6 "$own" 64; } | capture connect
has '"id":5,"code":"kernel_fault"' && has '"type":"measurement","id":6'
report $? "a kernel that faults is an error, and the same reader goes on"
request 2 "$own" 96 >&9
within 60 grep -q '"measurement","id":2' "$work/held"
report $? "and another's worker does not notice"
{ request 5 "$known // fake: sync=700" 64; request 6 "$known" 64; } | capture connect
has '"id":5,"code":"kernel_fault"' && has '"type":"measurement","id":6'
report $? "one that faults in the shared worker costs that reader one answer"
{ request 5 "$known // fake: kill" 64; request 6 "$known" 64; } | capture connect
has '"id":5,"code":"internal","message":"the worker was ended by signal 9' && has '"type":"measurement","id":6'
report $? "a worker that is killed twice by the same request is an error, and the next request is answered"
{ request 5 "$own // fake: kill" 64; request 6 "$own" 64; } | capture connect
has '"id":5,"code":"internal","message":"the worker was ended by signal 9' && has '"type":"measurement","id":6'
report $? "so is a worker of one reader"
kill -KILL "$(pgrep -P "$server" -f -- --device | grep -vx "$kept")"
request 7 "$known" 64 | capture connect
[ "$(numbers 128)" = 1 ]
report $? "a shared worker that is killed meanwhile is replaced"

# A kernel that never ends has the GPU's turn; the reader goes, and with it the kernel.
mkfifo "$work/endless"
"$worker" --connect "$work/s" < "$work/endless" > "$work/endless.out" &
endless=$!
exec 8> "$work/endless"
request 1 "$own // fake: hang" 64 >&8
within 60 has_workers 3
kill -KILL "$endless"
exec 8>&-
request 7 "$known" 64 | capture connect
[ "$(numbers 128)" = 1 ] && within 60 has_workers 2
report $? "a kernel without an end goes with its reader"

i=0
while [ $i -lt 60 ]; do
	i=$((i + 1))
	{ request $i "$known" 64; request $i "$known" 96; } | connect > "$work/of.$i" &
	echo $! >> "$work/pids"
done
# shellcheck disable=SC2046
wait $(cat "$work/pids")
cat "$work"/of.* > "$work/out"
: > "$work/err"
[ "$(numbers 128)" = 60 ] && [ "$(numbers 192)" = 60 ] && ! has '"type":"error"'
report $? "60 readers at once all get their numbers"
i=0 mixed=0
while [ $i -lt 60 ]; do
	i=$((i + 1))
	[ "$(grep -c "\"id\":$i," "$work/of.$i")" = "$(grep -c '"id":' "$work/of.$i")" ] || mixed=1
done
report $mixed "and nobody another's"
exec 9>&-
wait "$held"
within 60 has_workers 1
report $? "a reader who only stops sending is let go"
end_server
[ "$ended" = 0 ] && [ ! -e "$work/s" ] && ! pgrep -f "^$worker --device" > /dev/null
report $? "SIGTERM ends it with its workers, and takes the socket away"

# --- canceled -------------------------------------------------------------------------------------------------------------
SIMTTUTOR_FAKE_CUDA='passes=3'
export SIMTTUTOR_FAKE_CUDA
serve --known "$work/known"
{ request 5 "$known" 64; echo '{"type":"cancel","id":5}'; request 6 "$known" 64; } | capture connect
[ "$(grep -c '"type":"\(measurement\|error\)","id":5' "$work/out")" = 1 ] && has '"type":"measurement","id":6'
report $? "what is canceled is answered once, and the next is measured"
end_server
unset SIMTTUTOR_FAKE_CUDA

# --- without a list ---------------------------------------------------------------------------------------------------------
serve
request 7 "$known" 64 | capture connect
[ "$(numbers 128)" = 1 ] && within 60 has_workers 0
report $? "without --known no worker is shared"
capture "$worker" --serve "$work/s"
[ "$status" -eq 1 ] && said err 'another server listens at'
report $? "a second server at the same place is refused"
kill -KILL "$server"
wait "$server" 2> /dev/null
server=
capture "$worker" --connect "$work/s"
[ "$status" -eq 1 ] && said err "no server answers at $work/s"
report $? "nobody answers: an error"
serve
answers_there() { request 7 "$known" 64 | capture connect && [ "$(numbers 128)" = 1 ]; }
within 60 answers_there # the old socket is there from the first
report $? "the socket of a server that was killed is taken over"
end_server

# --- options ----------------------------------------------------------------------------------------------------------------
printf '%s\n\n{"type":"probe","id":1}\n' "$(request 1 "$known" 64)" > "$work/odd"
capture "$worker" --serve "$work/s" --known "$work/odd"
[ "$status" -eq 1 ] && said err 'odd:3: this is no request to measure a launch'
report $? "a list with another line names it"
capture "$worker" --serve "$work/s" --known "$work/nothing"
[ "$status" -eq 1 ] && said err 'nothing'
report $? "so does one that is not there"
long=$work/$(printf '%0120d' 0)
capture "$worker" --serve "$long"
[ "$status" -eq 1 ] && said err 'too long'
report $? "a name that is too long for a socket"
capture "$worker" --connect "$long"
[ "$status" -eq 1 ] && said err 'too long'
report $? "likewise"
capture "$worker" --known "$work/known"
[ "$status" -eq 2 ] && said err '--known goes with --serve'
report $? "--known alone"
capture "$worker" --serve "$work/s" --connect "$work/s"
[ "$status" -eq 2 ] && said err 'exclude each other'
report $? "two ways at once"

# --- what the course may share -------------------------------------------------------------------------------------------------
SIMTTUTOR_DATA=$work/course
export SIMTTUTOR_DATA
mkdir -p "$SIMTTUTOR_DATA/lessons"
ln -s "$top_srcdir/kernels" "$SIMTTUTOR_DATA/kernels"
for lesson in 10-banks 19-barriers; do
	ln -s "$top_srcdir/lessons/$lesson" "$SIMTTUTOR_DATA/lessons/$lesson"
done
capture "$simttutor" course launches
[ "$status" -eq 0 ] && [ "$(grep -vc '^{"type":"\(measure\|lines\)","id":1,' "$work/out")" = 0 ] && has '"kernel":"shared_stride"'
report $? "course launches prints requests"
capture "$simttutor" course launches "$work/nowhere"
[ "$status" -eq 3 ] && said err 'nowhere: this is no folder with lessons'
report $? "of what is no course there are none"
capture "$simttutor" course launches "$top_srcdir/tests/course"
[ "$status" -eq 0 ] && ! has '"kernel":"shared_stride"' && [ "$(wc -l < "$work/out")" -gt 2 ]
report $? "a folder names another course"
capture "$simttutor" course launches a b
[ "$status" -eq 2 ] && said err 'at most the folder of one course'
report $? "it takes one folder"
"$simttutor" course launches > "$work/course.known"
serve --known "$work/course.known"
LC_ALL=C.UTF-8 TERM=xterm capture "$simttutor" show banks --gpu "command:'$worker' --connect '$work/s'"
[ "$status" -eq 0 ] && said out 'Fake GPU' && has_workers 1
report $? "the front end reaches it, and what a lesson asks is known"
end_server
finish
