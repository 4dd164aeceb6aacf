# simttutor doctor against fake workers: what it finds, what it says is missing, and its exit status.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8; TERM=xterm; export LC_ALL TERM

capture_all "$simttutor" doctor --gpu "command:'$fake' ok"
[ $? = 0 ] && has '^gpu  *Fake GPU (FAKE), compute capability 9.0, 132 SMs$' && has '^driver  *0.0, CUDA 13.0$' &&
	has '^counters  *can be read$' && has '^model of time  *that of an NVIDIA H200, not of this GPU$' && has '^Live measuring works.$' && ! grep -v '^ *without ' "$work/out" | grep -q ': '
report $? "with a GPU all is well, exit 0"
if has '^confinement  *none$'; then
	has '^  *without Landlock: ' && has '^  *without seccomp: '
else
	has '^confinement .*\(Landlock\|seccomp\)'
fi
report $? "what is confined is said, and what is not"

capture_all "$simttutor" doctor --gpu "command:'$fake' --cc 86 ok"
[ $? = 0 ] && has 'compute capability 8.6' && has '^model  *limits and rules of CC 8.6: documented, not verified here$'
report $? "what the model has from documents alone is said"
capture_all "$simttutor" doctor --json --gpu "command:'$fake' --cc 86 ok"
has '"cc": 86' && has '"verified": false'
report $? "and in JSON"

capture_all "$simttutor" doctor --gpu "command:'$fake' no-counters"
[ $? = 3 ] && has '^no_permission: as the test asked$' && has 'NVreg_RestrictProfilingToAdminUsers=0' &&
	has '^counters  *cannot be read$' && has '^Live measuring does not work.$'
report $? "locked counters are reported with the remedy, exit 3"

for code in $(sed -n 's/^WIRE_ERROR([A-Z_]*, "\([a-z_]*\)".*/\1/p' "$top_srcdir/src/gpu/wire/errors.def"); do
	capture_all "$simttutor" doctor --gpu "command:'$fake' probe-error:$code"
	remedy=$(sed -n "s/^WIRE_ERROR([A-Z_]*, \"$code\", \"\(.*\)\")/\1/p" "$top_srcdir/src/gpu/wire/errors.def")
	[ $status = 3 ] && has "^$code: as the test asked\$" && grep -qxF "  $remedy" "$work/out"
	report $? "$code is reported with its remedy"
done

# Whoever starts us may ignore the death of children; we must not inherit that.
if env --ignore-signal=CHLD true 2>/dev/null; then
	capture_all env --ignore-signal=CHLD "$simttutor" doctor --gpu "command:exit 3"
	has '^worker_died: the worker ended with exit status 3$'
	report $? "how a worker ended is reported where SIGCHLD was ignored"
fi

capture_all "$simttutor" doctor --gpu none
[ $? = 3 ] && has '^switched_off: '
report $? "--gpu none is reported"

capture_all "$simttutor" doctor --gpu nonsense; [ $? = 2 ] && has 'ssh:HOST'
report $? "a wrong --gpu is wrong usage"

capture_all "$simttutor" doctor surplus; [ $? = 2 ] && has 'surplus'
report $? "an argument is wrong usage"

LC_ALL=C TERM=dumb SIMTTUTOR_DATA=/nonexistent XDG_STATE_HOME=/dev/null/state capture_all "$simttutor" doctor \
	--gpu "command:'$fake' ok"
[ $? = 0 ] && has '^terminal: TERM is dumb$' && has '^locale: ' && has '^lessons: there are no lessons in /nonexistent$' &&
	has '^state: /dev/null/state/simttutor cannot be written$'
report $? "terminal, locale, lessons and state are looked at"

capture_all "$simttutor" doctor --json --gpu "command:'$fake' no-counters"
[ $? = 3 ] && has '"live": false' && has '"name": "Fake GPU"' && has '"counters": false' && has '"code": "no_permission"' &&
	has '"remedy": "Counters are locked'
report $? "--json has the same"
capture_all "$simttutor" doctor --format json --gpu "command:'$fake' probe-error:no_permission"
first=$(sed -n 's/.*"place": "\([a-z]*\)".*/\1/p' "$work/out" | tr '\n' ' ')
[ "$first" = "host container wsl " ]
report $? "--format json: what helps on a host comes first on a host"
capture_all "$simttutor" doctor --format yaml; [ $? = 2 ] && has yaml
report $? "an unknown format is wrong usage"
printf '# of the class\ncommand:exit 127\n\ncommand:exec %s ok\n' "'$fake'" > "$work/pool"
capture_all "$simttutor" doctor --gpu "pool:$work/pool"
[ $status = 0 ] && has '^measuring by .*fake-worker.* ok$' && has 'Fake GPU'
report $? "of a pool the one that can be used is"
capture_all "$simttutor" doctor --gpu "command:exit 127" --gpu "command:exit 3"
[ $status = 3 ] && has 'none of 2 GPUs can be used: command:exit [0-9]*: .*; command:exit [0-9]*: '
report $? "several that cannot be used are named"
echo nowhere >> "$work/pool"
capture_all "$simttutor" doctor --gpu "pool:$work/pool"
[ $status = 2 ] && has "$work/pool:5: .*\"nowhere\" names no GPU"
report $? "a pool's fault is shown with its line"
capture_all "$simttutor" doctor --gpu "pool:$work/none"
[ $status = 2 ] && has "$work/none: cannot open"
report $? "a pool that is not there is an error"
capture_all "$simttutor" doctor --gpu pool:
[ $status = 2 ] && has 'pool:FILE needs a file'
report $? "a pool without a file is, too"
finish
