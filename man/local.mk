
dist_man_MANS += man/simttutor-lesson.5
TESTS += man/lesson.sh
EXTRA_DIST += man/lesson.sh
# simttutor.1 is made from its prose and the program's tables, and committed; tests/man.sh says when it is stale.
dist_man_MANS += man/simttutor.1
EXTRA_DIST += man/simttutor.1.in man/make-man

man: simttutor man-metrics
	$(SHELL) $(srcdir)/man/make-man ./simttutor $(srcdir)/man/simttutor.1.in > $(srcdir)/man/simttutor.1.new
	mv $(srcdir)/man/simttutor.1.new $(srcdir)/man/simttutor.1
.PHONY: man

TESTS += man/man.sh
EXTRA_DIST += man/man.sh
