EXTRA_DIST += src/gpu/README.md src/gpu/worker/cupti-c/string tests/worker.sh
TESTS += tests/worker.sh

# What its sources and headers need; empty where the toolkit's headers are not.
worker_cppflags =
if HAVE_WORKER
worker_cppflags += $(CUDA_CPPFLAGS) -I$(abs_top_srcdir)/src/gpu/worker/cupti-c
noinst_LIBRARIES += src/gpu/worker/libworker.a
src_gpu_worker_libworker_a_SOURCES = \
	src/gpu/worker/cause.c src/gpu/worker/cause.h \
	src/gpu/worker/compile.c \
	src/gpu/worker/cupti.c src/gpu/worker/cupti.h \
	src/gpu/worker/driver.c src/gpu/worker/driver.h \
	src/gpu/worker/facts.c \
	src/gpu/worker/input.c \
	src/gpu/worker/job.c \
	src/gpu/worker/sass_worker.c \
	src/gpu/worker/lines.c \
	src/gpu/worker/nvrtc.c src/gpu/worker/nvrtc.h \
	src/gpu/worker/measure.c \
	src/gpu/worker/plan.c \
	src/gpu/worker/profiler.c src/gpu/worker/profiler.h \
	src/gpu/worker/relay.c \
	src/gpu/worker/sample.c \
	src/gpu/worker/sampler.c src/gpu/worker/sampler.h \
	src/gpu/worker/sass.c src/gpu/worker/sass.h \
	src/gpu/worker/serve.c src/gpu/worker/serve.h \
	src/gpu/worker/session.c src/gpu/worker/session.h \
	src/gpu/worker/tensor.c \
	src/gpu/worker/share.c src/gpu/worker/share.h src/gpu/worker/share_known.c \
	src/gpu/worker/stamp.c \
	src/gpu/worker/surroundings.c src/gpu/worker/surroundings.h \
	src/gpu/worker/turn.c src/gpu/worker/turn.h
# cupti-c: see src/gpu/worker/cupti.h
src_gpu_worker_libworker_a_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS) -I$(top_srcdir)/src/gpu/worker/cupti-c

bin_PROGRAMS += simttutor-gpu
simttutor_gpu_SOURCES = src/gpu/worker/main.c
simttutor_gpu_CPPFLAGS = $(src_gpu_worker_libworker_a_CPPFLAGS)
simttutor_gpu_LDADD = src/gpu/worker/libworker.a $(house) $(WORKER_LIBS)

worker_unit_tests = tests/unit/test_turn tests/unit/test_plan tests/unit/test_profiler tests/unit/test_sampler \
	tests/unit/test_cause tests/unit/test_worker tests/unit/test_sass_worker
unit_tests += $(worker_unit_tests)
tests_unit_test_turn_LDADD = src/gpu/worker/libworker.a $(LDADD)
tests_unit_test_cause_CPPFLAGS = $(src_gpu_worker_libworker_a_CPPFLAGS)
tests_unit_test_cause_LDADD = src/gpu/worker/libworker.a $(LDADD)
tests_unit_test_worker_CPPFLAGS = $(src_gpu_worker_libworker_a_CPPFLAGS)
tests_unit_test_worker_LDADD = src/gpu/worker/libworker.a $(LDADD)
tests_unit_test_sass_worker_CPPFLAGS = $(src_gpu_worker_libworker_a_CPPFLAGS)
tests_unit_test_sass_worker_LDADD = src/gpu/worker/libworker.a $(LDADD)
tests_unit_test_plan_CPPFLAGS = $(src_gpu_worker_libworker_a_CPPFLAGS)
tests_unit_test_plan_LDADD = src/gpu/worker/libworker.a $(LDADD)
tests_unit_test_profiler_CPPFLAGS = $(src_gpu_worker_libworker_a_CPPFLAGS)
tests_unit_test_profiler_LDADD = src/gpu/worker/libworker.a $(LDADD)
tests_unit_test_sampler_CPPFLAGS = $(src_gpu_worker_libworker_a_CPPFLAGS)
tests_unit_test_sampler_LDADD = src/gpu/worker/libworker.a $(LDADD)
endif

# Needs a GPU: `make check-gpu` there. Built by make check everywhere, so that it stays compilable.
check_PROGRAMS += tests/gpu/check_gpu
check_PROGRAMS += tests/gpu/turns
EXTRA_DIST += tests/gpu/turns.sh tests/gpu/driver.h
check_PROGRAMS += tests/gpu/timeline
check_PROGRAMS += tests/gpu/check_lines
check_PROGRAMS += tests/gpu/times
check_PROGRAMS += tests/gpu/first
check_PROGRAMS += tests/gpu/readers
EXTRA_DIST += tests/gpu/readers.sh tests/gpu/tensor.cu tests/gpu/tensor.sh
EXTRA_DIST += tests/gpu/copies.cu tests/gpu/copies.sh
EXTRA_DIST += tests/gpu/all.sh tests/gpu/pack.sh tests/gpu/lines.sh tests/gpu/timeline.sh tests/gpu/flow.sh tests/gpu/ncu.sh tests/gpu/front.sh tests/gpu/fixtures.sh tests/gpu/occupancy.sh tests/gpu/cooperative.sh \
	tests/gpu/live.sh tests/gpu/probe.sh tests/gpu/programs.sh tests/gpu/record.sh tests/gpu/time.sh tests/gpu/validate.sh

if HAVE_WORKER
check_PROGRAMS += tests/gpu/occupancy
tests_gpu_occupancy_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
check_PROGRAMS += tests/gpu/fragments
tests_gpu_fragments_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
check_PROGRAMS += tests/gpu/micro
tests_gpu_micro_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
check_PROGRAMS += tests/gpu/latency
tests_gpu_latency_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
check_PROGRAMS += tests/gpu/flow
tests_gpu_flow_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
check_PROGRAMS += tests/gpu/objects
tests_gpu_objects_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)

gpu_programs = simttutor simttutor-gpu tests/json-get tests/gpu/check_gpu tests/gpu/check_lines tests/gpu/faults \
	tests/gpu/first tests/gpu/flow tests/gpu/fragments tests/gpu/latency tests/gpu/micro tests/gpu/occupancy tests/gpu/objects tests/gpu/readers tests/gpu/timeline \
	tests/gpu/times tests/gpu/turns

check-gpu-programs: $(gpu_programs)
check-gpu: $(gpu_programs)
	$(SHELL) $(srcdir)/tests/gpu/all.sh $(srcdir) . gpu-logs
endif
.PHONY: check-gpu check-gpu-programs

dist_man_MANS += man/simttutor-gpu.1
TESTS += man/gpu.sh
EXTRA_DIST += man/gpu.sh
