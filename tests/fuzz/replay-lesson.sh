# Lessons, good and bad, through their fuzz target.
. "$top_srcdir/tests/fuzz/replay.sh"
replay fuzz_lesson 51 "$top_srcdir"/tests/fuzz/corpus/lesson/* "$top_srcdir"/tests/lessons/bad/*.md \
	"$top_srcdir"/tests/lessons/data/lessons/*/lesson.md "$top_srcdir"/lessons/*/lesson.md
