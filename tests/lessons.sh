# Every lesson that ships, checked: `simttutor lesson check` over all of them, with their recordings.
simttutor=$top_builddir/simttutor
out=$("$simttutor" lesson check "$top_srcdir"/lessons/*/ 2>&1)
status=$?
printf '%s\n' "$out" | sed 's/^/# /'
[ $status = 0 ] && echo "ok 1 - all lessons" || echo "not ok 1 - all lessons: status $status"
echo "1..1"
