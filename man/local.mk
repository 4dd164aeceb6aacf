
dist_man_MANS += man/simttutor-lesson.5
TESTS += man/lesson.sh
EXTRA_DIST += man/lesson.sh
# These are made from their prose and the program's tables, and committed; man/man.sh says when one is stale.
made_pages = man/simttutor.1 man/simttutor-gpu.1 man/simttutor-runtime.7
dist_man_MANS += man/simttutor.1 man/simttutor-runtime.7
EXTRA_DIST += man/simttutor.1.in man/simttutor-gpu.1.in man/simttutor-runtime.7.in man/make-man

man: simttutor man-metrics
	for page in $(made_pages); do \
		$(SHELL) $(srcdir)/man/make-man ./simttutor $(srcdir)/$$page.in > $(srcdir)/$$page.new && \
		mv $(srcdir)/$$page.new $(srcdir)/$$page || exit; \
	done
.PHONY: man

TESTS += man/man.sh
EXTRA_DIST += man/man.sh
