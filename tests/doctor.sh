# simttutor doctor against fake workers: what it finds, what it says is missing, and its exit status.
simttutor=$top_builddir/simttutor
fake=$top_builddir/tests/fake-worker
n=0
check() { # NAME STATUS
	n=$((n + 1))
	if [ "$2" = 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf '%s\n' "$out" | sed 's/^/# /'
	fi
}
has() { printf '%s\n' "$out" | grep -q -e "$1"; }
LC_ALL=C.UTF-8; TERM=xterm; export LC_ALL TERM

out=$("$simttutor" doctor --gpu "command:'$fake' ok" 2>&1)
[ $? = 0 ] && has '^gpu  *Fake GPU (FAKE), compute capability 9.0, 132 SMs$' && has '^driver  *0.0, CUDA 13.0$' &&
	has '^counters  *can be read$' && has '^Live measuring works.$' && ! has ': '
check "with a GPU all is well, exit 0" $?

out=$("$simttutor" doctor --gpu "command:'$fake' no-counters" 2>&1)
[ $? = 3 ] && has '^no_permission: as the test asked$' && has 'NVreg_RestrictProfilingToAdminUsers=0' &&
	has '^counters  *cannot be read$' && has '^Live measuring does not work.$'
check "locked counters are told with the remedy, exit 3" $?

for code in $(sed -n 's/^WIRE_ERROR([A-Z_]*, "\([a-z_]*\)".*/\1/p' "$top_srcdir/src/wire/errors.def"); do
	out=$("$simttutor" doctor --gpu "command:'$fake' probe-error:$code" 2>&1)
	status=$?
	remedy=$(sed -n "s/^WIRE_ERROR([A-Z_]*, \"$code\", \"\(.*\)\")/\1/p" "$top_srcdir/src/wire/errors.def")
	[ $status = 3 ] && has "^$code: as the test asked\$" && printf '%s\n' "$out" | grep -qxF "  $remedy"
	check "$code is told with its remedy" $?
done

# Whoever starts us may ignore the death of children; we must not inherit that.
if env --ignore-signal=CHLD true 2>/dev/null; then
	out=$(env --ignore-signal=CHLD "$simttutor" doctor --gpu "command:exit 3" 2>&1)
	has '^worker_died: the worker ended with exit status 3$'
	check "how a worker ended is told where SIGCHLD was ignored" $?
fi

out=$("$simttutor" doctor --gpu none 2>&1)
[ $? = 3 ] && has '^switched_off: '
check "--gpu none is told" $?

out=$("$simttutor" doctor --gpu nonsense 2>&1); [ $? = 2 ] && has 'ssh:HOST'
check "a wrong --gpu is wrong usage" $?

out=$("$simttutor" doctor surplus 2>&1); [ $? = 2 ] && has 'surplus'
check "an argument is wrong usage" $?

out=$(LC_ALL=C TERM=dumb SIMTTUTOR_DATA=/nonexistent XDG_STATE_HOME=/dev/null/state "$simttutor" doctor \
	--gpu "command:'$fake' ok" 2>&1)
[ $? = 0 ] && has '^terminal: TERM is dumb$' && has '^locale: ' && has '^lessons: there are no lessons in /nonexistent$' &&
	has '^state: /dev/null/state/simttutor cannot be written$'
check "terminal, locale, lessons and state are looked at" $?

out=$("$simttutor" doctor --json --gpu "command:'$fake' no-counters" 2>&1)
[ $? = 3 ] && has '"live": false' && has '"name": "Fake GPU"' && has '"counters": false' && has '"code": "no_permission"' &&
	has '"remedy": "Counters are locked'
check "--json tells the same" $?
out=$("$simttutor" doctor --format json --gpu "command:'$fake' probe-error:no_permission" 2>&1)
first=$(printf '%s\n' "$out" | sed -n 's/.*"place": "\([a-z]*\)".*/\1/p' | tr '\n' ' ')
[ "$first" = "host container wsl " ]
check "--format json: what helps on a host comes first on a host" $?
out=$("$simttutor" doctor --format yaml 2>&1); [ $? = 2 ] && has yaml
check "an unknown format is wrong usage" $?
echo "1..$n"
