# tests/tap.sh: what test scripts share. Sourced first: . "${top_srcdir:=.}/tests/tap.sh"
#
# A script reports each test once (report, pass, fail, skip) and ends with `finish`, which prints the plan. $work is a folder
# of its own that is removed at the end. Commands under test run through `capture`, so that every question afterwards (ends,
# said, printed, has, at) and the diagnostics of a failure look at the same: $status, $work/out and $work/err.
#
# A test's name is the same in every build and in every run, since .ci/run counts by it: no paths, times or numbers that vary.
# What varies goes into a `note`.

top_srcdir=$(cd "${top_srcdir:-.}" && pwd) && top_builddir=$(cd "${top_builddir:-.}" && pwd) && work=$(mktemp -d) || exit 99
simttutor=$top_builddir/simttutor
worker=$top_builddir/simttutor-gpu
fake=$top_builddir/tests/fake-worker
unset CLICOLOR_FORCE NO_COLOR
XDG_CONFIG_HOME=$work/config # not the settings of who runs the tests
export XDG_CONFIG_HOME

# A script that starts something that must end with it redefines clean_up.
clean_up() { rm -rf "$work"; }
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# --- tests -----------------------------------------------------------------------------------------------------------

tap_count=0
tap_result() { # WORD NAME
	tap_count=$((tap_count + 1))
	echo "$1 $tap_count - $2"
}
note() { printf '%s\n' "$*" | sed 's/^/# /'; }

# What helps after a failure, as TAP comments.
show_failure() { cat "$work/out" "$work/err" 2> /dev/null | head -n 40 | cut -c 1-200 | sed 's/^/# /'; }

pass() { tap_result ok "$1"; }
fail() {
	tap_result 'not ok' "$1"
	show_failure
}
skip() { tap_result ok "$1 # SKIP $2"; }

# report STATUS NAME: passes when the status is 0, as in: ends 0 && said out 'a word'; report $? "the name of the test"
report() { if [ "$1" -eq 0 ]; then pass "$2"; else fail "$2"; fi; }

# report_none NAME FOUND: passes when nothing was found; what was found is shown.
report_none() {
	if [ -z "$2" ]; then
		pass "$1"
	else
		tap_result 'not ok' "$1"
		note "$2"
	fi
}

# long: whether all cases are to run, as in `make check-attack`, and not only those that `make check` has time for.
long() { [ "${SIMTTUTOR_TEST_LONG-}" = 1 ]; }

finish() { echo "1..$tap_count"; }
skip_all() { # REASON
	echo "1..0 # SKIP $1"
	exit 0
}
# built_with NAME: whether configure found it.
built_with() { grep -q "^#define $1 1\$" "$top_builddir/config.h"; }
# confines: whether this system can confine what runs strangers' code.
confines() { ! "$simttutor" doctor --gpu none 2> /dev/null | grep -q '^ *without \(Landlock\|seccomp\|confinement\):'; }
needs_worker() { [ -x "$worker" ] || skip_all "this build has no simttutor-gpu"; }

# --- commands under test ---------------------------------------------------------------------------------------------

# capture COMMAND...: runs it; its exit status is in $status, what it printed in $work/out and $work/err. capture_all: both in
# $work/out. The status is also what they return.
capture() {
	"$@" > "$work/out" 2> "$work/err"
	status=$?
	return $status
}
capture_all() {
	: > "$work/err"
	"$@" > "$work/out" 2>&1
	status=$?
	return $status
}

# ends STATUS: so did the last command, with something on standard error if and only if it failed.
ends() {
	[ "$status" -eq "$1" ] || return 1
	if [ "$1" -eq 0 ]; then [ ! -s "$work/err" ]; else [ -s "$work/err" ]; fi
}

# said out|err TEXT: the text is there, wherever lines break. printed out|err TEXT: in one line, blanks as they are.
said() { tr '\n' ' ' < "$work/$1" | tr -s ' ' | grep -qF -e "$2"; }
printed() { grep -qF -e "$2" "$work/$1"; }

# has PATTERN: standard output has a line that matches the regular expression.
has() { grep -q -e "$1" "$work/out"; }

# at PATH: the value there in the JSON of standard output.
at() { "$top_builddir/tests/json-get" "$1" < "$work/out" 2>> "$work/err"; }

# eventually SECONDS COMMAND...: again and again until it succeeds; fails when it has not for so long.
eventually() {
	eventually_end=$(($(date +%s) + $1))
	shift
	while ! "$@"; do
		[ "$(date +%s)" -lt "$eventually_end" ] || return 1
		sleep 0.01
	done
}

# answers STATUS TEXT... -- ARGUMENTS...: a test that simttutor, with these arguments, ends with the status and prints every
# text (on either output), but none that follows a '!'.
answers() {
	answers_status=$1 answers_texts=
	shift
	while [ "$1" != -- ]; do
		answers_texts="$answers_texts$1
"
		shift
	done
	shift
	capture_all "$simttutor" "$@"
	answers_wrong=
	[ "$status" -eq "$answers_status" ] || answers_wrong="status $status, not $answers_status"
	while IFS= read -r text; do
		case $text in
		'') ;;
		!*) ! printed out "${text#!}" || answers_wrong="$answers_wrong; there is '${text#!}'" ;;
		*) printed out "$text" || answers_wrong="$answers_wrong; missing: '$text'" ;;
		esac
	done <<-END
		$answers_texts
	END
	report "$([ -z "$answers_wrong" ]; echo $?)" "$(printf '%s' "$*" | sed "s|$work/||g; s|$top_srcdir/||g")"
	[ -z "$answers_wrong" ] || note "$answers_wrong"
}
