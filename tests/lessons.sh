# Every lesson that ships, with its recording: `simttutor lesson check` over each of them, several at a time.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
# Exercises that are whole programs are compiled and run; not with sanitizers, which such a program would need, too.
SIMTTUTOR_PROGRAMS=yes
if grep -q '^#define SIMT_SANITIZED' "$top_builddir/config.h"; then
	NVCC=: CLANG=:
	export NVCC CLANG
fi
cd "$top_srcdir/lessons" || exit 99
export simttutor work SIMTTUTOR_PROGRAMS

# In a shell of its own: the report on lesson $1, and the exit status, into $work.
check='
	"$simttutor" lesson check "$1" > "$work/$1.out" 2>&1
	echo $? > "$work/$1.status"
'
printf '%s\n' */lesson.md | sed 's|/.*||' | xargs -P "$(nproc 2>/dev/null || echo 1)" -n 1 sh -c "$check" check

for lesson in */lesson.md; do
	lesson=${lesson%/lesson.md}
	cp "$work/$lesson.out" "$work/out"
	read -r status < "$work/$lesson.status"
	report "$status" "$lesson"
	[ "$status" != 0 ] || show_failure
done
[ "$tap_count" -gt 0 ] && finish
