noinst_LIBRARIES += src/model/hardware/libhardware.a
src_model_hardware_libhardware_a_CFLAGS = $(AM_CFLAGS) -ftree-vectorize
src_model_hardware_libhardware_a_SOURCES = \
	src/model/hardware/access.c src/model/hardware/access.h \
	src/model/hardware/banks.c \
	src/model/hardware/blocks.c \
	src/model/hardware/cache.c src/model/hardware/cache.h src/model/hardware/cache_set.c \
	src/model/hardware/engine.c src/model/hardware/engine.h src/model/hardware/engine_memory.c \
	src/model/hardware/engine_state.h src/model/hardware/explain.c \
	src/model/hardware/hostlog.c src/model/hardware/hostlog.h src/model/hardware/hostlog.def src/model/hardware/hostcosts.def \
	src/model/hardware/counters.c src/model/hardware/counters.h src/model/hardware/counters.def src/model/hardware/linecounts.def \
	src/model/hardware/listing.c src/model/hardware/listing.h src/model/hardware/listing.def \
	src/model/hardware/metrics.c src/model/hardware/metrics.h src/model/hardware/errors.def src/model/hardware/metrics.def \
	src/model/hardware/absent.def src/model/hardware/chips.def src/model/hardware/groups.def src/model/hardware/instructions.def src/model/hardware/stalls.def \
	src/model/hardware/occupancy.c src/model/hardware/occupancy.h src/model/hardware/occupancy.def src/model/hardware/gpus.def \
	src/model/hardware/roofs.c src/model/hardware/roofs.h src/model/hardware/roofs.def src/model/hardware/roof_kinds.def \
	src/model/hardware/schedule.c src/model/hardware/schedule.h src/model/hardware/latencies.def src/model/hardware/timings.def \
	src/model/hardware/sectors.c \
	src/model/hardware/sums.c src/model/hardware/sums.h \
	src/model/hardware/timeline.c src/model/hardware/timeline.h src/model/hardware/phases.def src/model/hardware/value.h

EXTRA_DIST += src/model/hardware/README.md
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
