noinst_LIBRARIES += src/model/libmodel.a
src_model_libmodel_a_CFLAGS = $(AM_CFLAGS) -ftree-vectorize
src_model_libmodel_a_SOURCES = \
	src/model/access.c src/model/access.h \
	src/model/banks.c src/model/banks.h \
	src/model/blocks.c src/model/blocks.h \
	src/model/linecounts.c src/model/linecounts.h src/model/linecounts.def \
	src/model/metrics.c src/model/metrics.h src/model/counters.def src/model/metrics.def \
	src/model/absent.def src/model/chips.def src/model/groups.def src/model/stalls.def \
	src/model/occupancy.c src/model/occupancy.h src/model/occupancy.def \
	src/model/schedule.c src/model/schedule.h src/model/latencies.def \
	src/model/sectors.c src/model/sectors.h \
	src/model/shuffle.h \
	src/model/sums.c src/model/sums.h \
	src/model/timeline.c src/model/timeline.h src/model/phases.def src/model/witness.h

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_model
TESTS += tests/unit/test_model
tests_unit_test_model_SOURCES = tests/unit/test_model.c
tests_unit_test_model_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_model_LDADD = src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test_occupancy
TESTS += tests/unit/test_occupancy
tests_unit_test_occupancy_SOURCES = tests/unit/test_occupancy.c
tests_unit_test_occupancy_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_occupancy_LDADD = src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test_schedule
TESTS += tests/unit/test_schedule
tests_unit_test_schedule_SOURCES = tests/unit/test_schedule.c
tests_unit_test_schedule_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_schedule_LDADD = src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS)
check_PROGRAMS += tests/unit/test_timeline
TESTS += tests/unit/test_timeline
tests_unit_test_timeline_SOURCES = tests/unit/test_timeline.c
tests_unit_test_timeline_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_timeline_LDADD = src/model/libmodel.a src/base/libbase.a $(CMOCKA_LIBS)
endif

# The catalogue as a man page, made from the tables and committed; man/metrics.sh says when it is stale.
check_PROGRAMS += man/metrics-man
man_metrics_man_SOURCES = man/metrics-man.c
man_metrics_man_LDADD = src/model/libmodel.a src/base/libbase.a
dist_man_MANS += man/simttutor-metrics.7
TESTS += man/metrics.sh
EXTRA_DIST += man/metrics.sh

man-metrics: man/metrics-man
	man/metrics-man > $(srcdir)/man/simttutor-metrics.7.new
	mv $(srcdir)/man/simttutor-metrics.7.new $(srcdir)/man/simttutor-metrics.7
.PHONY: man-metrics
