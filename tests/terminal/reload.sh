# A lesson is written while it is open: it is shown as it is now, where the reader is, and a fault leaves what was shown.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
cp -R "$top_srcdir/tests/course" "$work/written" && chmod -R u+w "$work/written"
lesson=$work/written/lessons/01-spalten/lesson.md
term_open 80 24
learn --course "$work/written" 1/1
expect "the lesson" 'Liest jeder Thread'
keys Right
expect "with another value" 'Schritt ◂ 2 Zahlen'
sed 's/^Liest jeder Thread/Neu: liest jeder Thread/' "$lesson" > "$work/new" && mv "$work/new" "$lesson"
expect "is read again" 'Neu: liest jeder'
expect "which is said" 'has changed, and was read again'
expect "the value stays" 'Schritt ◂ 2 Zahlen'
cp "$lesson" "$work/good"
{ echo nonsense && cat "$work/good"; } > "$lesson"
expect "a fault is shown with its place" 'lesson.md:1: '
expect "and the lesson as it was" 'Neu: liest jeder'
cp "$work/good" "$lesson"
expect "until it is repaired" 'was read again'
echo '// changed' >> "$work/written/kernels/spalten.cu"
expect "a kernel has to be built" 'lesson build'
keys q q
expect "and it ends" 'status=0'
finish
