EXTRA_DIST += src/worker/cupti-c/string tests/worker.sh
TESTS += tests/worker.sh

if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_turn
TESTS += tests/unit/test_turn
tests_unit_test_turn_SOURCES = tests/unit/test_turn.c src/worker/turn.c
tests_unit_test_turn_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_turn_LDADD = src/base/libbase.a $(UTF8PROC_LIBS) $(CMOCKA_LIBS)
endif

if HAVE_WORKER
bin_PROGRAMS += simttutor-gpu
simttutor_gpu_SOURCES = \
	src/worker/cause.c src/worker/cause.h \
	src/worker/compile.c \
	src/worker/cupti.c src/worker/cupti.h \
	src/worker/driver.c src/worker/driver.h \
	src/worker/facts.c src/worker/facts.h \
	src/worker/input.c src/worker/input.h \
	src/worker/job.c src/worker/job.h \
	src/worker/library.c src/worker/library.h \
	src/worker/lines.c \
	src/worker/main.c \
	src/worker/nvrtc.c src/worker/nvrtc.h src/worker/nvrtc_headers.c \
	src/worker/measure.c \
	src/worker/plan.c src/worker/plan.h \
	src/worker/profiler.c src/worker/profiler.h \
	src/worker/sample.c \
	src/worker/sampler.c src/worker/sampler.h \
	src/worker/sass.c src/worker/sass.h \
	src/worker/serve.c src/worker/serve.h \
	src/worker/session.c src/worker/session.h \
	src/worker/stamp.c \
	src/worker/surroundings.c src/worker/surroundings.h \
	src/worker/turn.c src/worker/turn.h
# cupti-c: see src/worker/cupti.h
simttutor_gpu_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS) -I$(top_srcdir)/src/worker/cupti-c
simttutor_gpu_LDADD = src/wire/libwire.a src/launch/liblaunch.a src/base/libbase.a $(JANSSON_LIBS) $(UTF8PROC_LIBS)
if HAVE_CMOCKA
worker_cupti = src/worker/cause.c src/worker/cupti.c src/worker/library.c src/worker/driver.c src/worker/surroundings.c
check_PROGRAMS += tests/unit/test_plan tests/unit/test_profiler tests/unit/test_sampler
TESTS += tests/unit/test_plan tests/unit/test_profiler tests/unit/test_sampler
tests_unit_test_plan_SOURCES = tests/unit/test_plan.c src/worker/plan.c $(worker_cupti)
tests_unit_test_plan_CPPFLAGS = $(simttutor_gpu_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_unit_test_plan_LDADD = src/model/libmodel.a src/base/libbase.a $(UTF8PROC_LIBS) $(CMOCKA_LIBS)
tests_unit_test_profiler_SOURCES = tests/unit/test_profiler.c src/worker/profiler.c src/worker/plan.c \
	$(worker_cupti)
tests_unit_test_profiler_CPPFLAGS = $(tests_unit_test_plan_CPPFLAGS)
tests_unit_test_profiler_LDADD = $(tests_unit_test_plan_LDADD)
tests_unit_test_sampler_SOURCES = tests/unit/test_sampler.c src/worker/sampler.c src/worker/profiler.c src/worker/plan.c \
	$(worker_cupti)
tests_unit_test_sampler_CPPFLAGS = $(tests_unit_test_plan_CPPFLAGS)
tests_unit_test_sampler_LDADD = $(tests_unit_test_plan_LDADD)
endif
endif

# Needs a GPU: `make check-gpu` there. Built by make check everywhere, so that it stays compilable.
check_PROGRAMS += tests/gpu/check_gpu
tests_gpu_check_gpu_SOURCES = tests/gpu/check_gpu.c
tests_gpu_check_gpu_LDADD = src/gpu/libgpu.a src/wire/libwire.a src/launch/liblaunch.a src/model/libmodel.a \
	src/base/libbase.a $(JANSSON_LIBS) $(UTF8PROC_LIBS)
check_PROGRAMS += tests/gpu/turns
tests_gpu_turns_SOURCES = tests/gpu/turns.c
tests_gpu_turns_LDADD = $(tests_gpu_check_gpu_LDADD)
EXTRA_DIST += tests/gpu/turns.sh
check_PROGRAMS += tests/gpu/timeline
tests_gpu_timeline_SOURCES = tests/gpu/timeline.c
tests_gpu_timeline_LDADD = src/gpu/libgpu.a src/live/liblive.a src/wire/libwire.a src/probe/libprobe.a \
	src/profile/libprofile.a src/simt/libsimt.a src/ptx/libptx.a src/launch/liblaunch.a src/model/libmodel.a \
	src/base/libbase.a $(JANSSON_LIBS) $(UTF8PROC_LIBS)
check_PROGRAMS += tests/gpu/check_lines
tests_gpu_check_lines_SOURCES = tests/gpu/check_lines.c
tests_gpu_check_lines_LDADD = $(tutor_libs)
EXTRA_DIST += tests/gpu/all.sh tests/gpu/pack.sh tests/gpu/lines.sh tests/gpu/timeline.sh tests/gpu/ncu.sh tests/gpu/front.sh tests/gpu/fixtures.sh tests/gpu/occupancy.sh \
	tests/gpu/probe.sh tests/gpu/validate.sh

if HAVE_WORKER
check_PROGRAMS += tests/gpu/occupancy
tests_gpu_occupancy_SOURCES = tests/gpu/occupancy.c
tests_gpu_occupancy_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
tests_gpu_occupancy_LDADD = src/model/libmodel.a src/base/libbase.a $(UTF8PROC_LIBS)
check_PROGRAMS += tests/gpu/latency
tests_gpu_latency_SOURCES = tests/gpu/latency.c
tests_gpu_latency_CPPFLAGS = $(AM_CPPFLAGS) $(CUDA_CPPFLAGS)
tests_gpu_latency_LDADD = src/model/libmodel.a src/base/libbase.a $(UTF8PROC_LIBS)

gpu_programs = simttutor simttutor-gpu tests/json-get tests/gpu/check_gpu tests/gpu/check_lines tests/gpu/faults \
	tests/gpu/latency tests/gpu/occupancy tests/gpu/timeline tests/gpu/turns

check-gpu-programs: $(gpu_programs)
check-gpu: $(gpu_programs)
	$(SHELL) $(srcdir)/tests/gpu/all.sh $(srcdir) . gpu-logs
endif
.PHONY: check-gpu check-gpu-programs

dist_man_MANS += man/simttutor-gpu.1
TESTS += man/gpu.sh
EXTRA_DIST += man/gpu.sh
