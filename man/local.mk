
dist_man_MANS += man/simttutor-lesson.5
TESTS += man/lesson.sh
EXTRA_DIST += man/lesson.sh
