# What answers an open question cannot be read off the screen: tests/unit/test_cover.c, which asks every question of the course.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
[ -x "$top_builddir/tests/unit/test_cover" ] || skip_all "tests/unit/test_cover is not built: cmocka is not there"
"$top_builddir/tests/unit/test_cover"
