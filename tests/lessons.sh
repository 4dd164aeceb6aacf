# Every lesson that ships, with its recording: `simttutor lesson check` over each of them, several at a time.
simttutor=$(cd "$top_builddir" && pwd)/simttutor
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$top_srcdir/lessons" || exit 99
export simttutor tmp

# In a shell of its own: what is said of lesson $1, and the exit status, into $tmp.
check='
	"$simttutor" lesson check "$1" > "$tmp/$1.out" 2>&1
	echo $? > "$tmp/$1.status"
'
printf '%s\n' */lesson.md | sed 's|/.*||' | xargs -P "$(nproc 2>/dev/null || echo 1)" -n 1 sh -c "$check" check

n=0
for lesson in */lesson.md; do
	lesson=${lesson%/lesson.md}
	n=$((n + 1))
	sed 's/^/# /' "$tmp/$lesson.out"
	read -r status < "$tmp/$lesson.status"
	[ "$status" = 0 ] && echo "ok $n - $lesson" || echo "not ok $n - $lesson: status $status"
done
[ "$n" -gt 0 ] && echo "1..$n"
