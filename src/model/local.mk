noinst_LIBRARIES += src/model/libmodel.a
src_model_libmodel_a_CFLAGS = $(AM_CFLAGS) -ftree-vectorize
src_model_libmodel_a_SOURCES = \
	src/model/access.c src/model/access.h \
	src/model/banks.c src/model/banks.h \
	src/model/blocks.c src/model/blocks.h \
	src/model/cache.c src/model/cache.h src/model/cache_set.c \
	src/model/engine.c src/model/engine.h src/model/engine_async.c src/model/engine_bound.c src/model/engine_cluster.c \
	src/model/engine_memory.c src/model/engine_order.c src/model/engine_state.h src/model/explain.c \
	src/model/hostlog.c src/model/hostlog.h src/model/hostlog.def src/model/hostcosts.def \
	src/model/linecounts.c src/model/linecounts.h src/model/linecounts.def \
	src/model/listing.c src/model/listing.h src/model/listing.def \
	src/model/metrics.c src/model/metrics.h src/model/counters.def src/model/errors.def src/model/metrics.def \
	src/model/absent.def src/model/chips.def src/model/groups.def src/model/instructions.def src/model/stalls.def \
	src/model/occupancy.c src/model/occupancy.h src/model/occupancy.def src/model/gpus.def \
	src/model/roofs.c src/model/roofs.h src/model/roofs.def src/model/roof_kinds.def \
	src/model/schedule.c src/model/schedule.h src/model/latencies.def \
	src/model/sectors.c src/model/sectors.h \
	src/model/sums.c src/model/sums.h \
	src/model/timing.c src/model/timing.h src/model/timings.def \
	src/model/timeline.c src/model/timeline.h src/model/phases.def \
	src/model/witness.c src/model/witness.h

EXTRA_DIST += src/model/README.md
unit_tests += tests/unit/test_model
unit_tests += tests/unit/test_occupancy
unit_tests += tests/unit/test_engine
unit_tests += tests/unit/test_schedule
unit_tests += tests/unit/test_timeline
unit_tests += tests/unit/test_hostlog

# The catalog as a man page, made from the tables and committed; man/metrics.sh says when it is stale.
check_PROGRAMS += man/metrics-man
man_metrics_man_SOURCES = man/metrics-man.c
dist_man_MANS += man/simttutor-metrics.7
TESTS += man/metrics.sh
EXTRA_DIST += man/metrics.sh

man-metrics: man/metrics-man
	man/metrics-man > $(srcdir)/man/simttutor-metrics.7.new
	mv $(srcdir)/man/simttutor-metrics.7.new $(srcdir)/man/simttutor-metrics.7
.PHONY: man-metrics
