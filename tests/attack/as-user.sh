# The other scripts of this folder once more, in their short form, as a user: what root may do hides what a user meets, and the other way
# round.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
[ "$(id -u)" -eq 0 ] || skip_all "only root can become somebody else; the other scripts have run as a user"
chmod 711 "$work"
TMPDIR=$work/tmp HOME=$work/home XDG_STATE_HOME=$work/home/state
export TMPDIR HOME XDG_STATE_HOME
mkdir "$TMPDIR" "$HOME" && chown 65534:65534 "$TMPDIR" "$HOME"
$as_user sh -c 'cat "$0" && "$1" --version && : > "$TMPDIR/it" && rm "$TMPDIR/it"' "$top_srcdir/tests/tap.sh" "$simttutor" \
	> "$work/out" 2> "$work/err" || skip_all "the build cannot be read by a user"

# Without SHELL, as such a user's is often one that refuses. files.sh does it itself. Tests of a script may be skipped, but each says so,
# and the plan comes last.
for script in "$top_srcdir"/tests/attack/*.sh; do
	name=${script##*/}
	case $name in as-user.sh | files.sh | hostile.sh) continue ;; esac
	capture_all $as_user env -u SIMTTUTOR_TEST_LONG -u SHELL N=100 top_srcdir="$top_srcdir" top_builddir="$top_builddir" timeout 600 sh "$script"
	results=$(grep -c '^\(not \)\?ok ' "$work/out")
	wrong=$(grep -A 8 '^not ok' "$work/out")
	if [ "$status" -ne 0 ]; then
		wrong="$wrong
status $status: $(tail -n 3 "$work/out")"
	elif ! grep -q "^1\.\.$results\( \|\$\)" "$work/out"; then
		wrong="$wrong
$results results of $(tail -n 1 "$work/out")"
	fi
	report_none "$name as a user" "$wrong"
	note "$results results, $(grep -c '# SKIP' "$work/out") skipped"
done
finish
