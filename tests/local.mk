TESTS += tests/house.sh tests/format.sh
EXTRA_DIST += tests/tap.sh tests/unit/run tests/outputs.sh tests/house.sh tests/format.sh tests/unit/side_by_side.h
TESTS += tests/tensor.sh
EXTRA_DIST += tests/tensor.sh
# The labeled kernels for the checks of run.
TESTS += tests/defects.sh
EXTRA_DIST += tests/defects tests/defects.sh
TESTS += tests/completion.sh tests/text.sh tests/linear.sh tests/explore.sh tests/play.sh
EXTRA_DIST += tests/completion.sh tests/text.sh tests/linear.sh tests/explore.sh tests/play.sh
TESTS += tests/book.sh
EXTRA_DIST += tests/book.sh
TESTS += tests/progress.sh tests/course-pack.sh tests/class.sh
EXTRA_DIST += tests/progress.sh tests/course-pack.sh tests/class.sh
defects-ptx:
	cd $(srcdir) && for cu in tests/defects/*.cu; do \
		NVCC='$(NVCC)' kernels/make-ptx $$cu > $${cu%.cu}.new && mv $${cu%.cu}.new $${cu%.cu}.ptx || exit; done
# The kernels that the model of time is fitted to and judged by, and the tables of their launches.
TESTS += tests/time.sh
EXTRA_DIST += tests/time tests/time.sh
time-ptx:
	cd $(srcdir) && for cu in tests/time/*.cu; do \
		NVCC='$(NVCC)' kernels/make-ptx $$cu > $${cu%.cu}.new && mv $${cu%.cu}.new $${cu%.cu}.ptx || exit; done
.PHONY: defects-ptx time-ptx
# Whole programs, built by nvcc once, as the tests' own programs are: some twenty starts of it would be a fifth of the time of `make
# check`. Where it fails its messages are in PROGRAM.log, and the script reports that.
program_sources = $(filter-out %-part.cu,$(sort $(wildcard $(srcdir)/tests/programs/*.cu)))
whole_programs = $(program_sources:$(srcdir)/%.cu=%)
# The same by clang alone, but for what that lacks.
clang_programs = $(patsubst $(srcdir)/%.cu,%.clang,$(shell grep -L '^// clang-lacks:' $(program_sources)))
# The same, as nvcc compresses the PTX, or without any.
program_variants = tests/programs/vector-add.none tests/programs/vector-add.speed tests/programs/vector-add.size \
	tests/programs/vector-add.sass
variant_none = -arch=compute_80 -compress-mode=none
variant_speed = -arch=compute_80 -compress-mode=speed
variant_size = -arch=compute_80 -compress-mode=size
variant_sass = -gencode arch=compute_90,code=sm_90
# A library with sanitizers needs a program with them. PROGRAM=NAME: that program alone, here and in tests/programs.sh.
tested_programs = $(if $(filter-out :,$(NVCC)),$(whole_programs) $(program_variants)) $(if $(filter-out :,$(CLANG)),$(clang_programs))
check_DATA = $(if $(SIMT_SANITIZE_FLAGS),,$(if $(filter tests/programs.sh,$(TESTS)),\
	$(if $(PROGRAM),$(filter $(PROGRAM:%=tests/programs/%) $(PROGRAM:%=tests/programs/%.clang),$(tested_programs)),$(tested_programs))))
$(whole_programs): %: $(srcdir)/%.cu
	$(AM_V_at)mkdir -p $(@D); $(NVCC) -std=c++17 -arch=compute_75 -lineinfo $$(sed -n 's|^// nvcc: ||p' $<) -cudart shared -o $@ $< \
		$$(sed -n 's|^// with: \(.*\)|$(srcdir)/tests/programs/\1|p' $<) > $@.log 2>&1 || rm -f $@
$(clang_programs): %.clang: $(srcdir)/%.cu | simttutor$(EXEEXT) src/runtime/libcudart.so.13
	$(AM_V_at)mkdir -p $(@D); NVCC=: CLANG='$(CLANG)' ./simttutor cc $$(sed -n 's|^// clang: ||p' $<) -o $@ $< \
		$$(sed -n 's|^// with: \(.*\)|$(srcdir)/tests/programs/\1|p' $<) > $@.log 2>&1 || rm -f $@
$(program_variants): tests/programs/vector-add.cu
	$(AM_V_at)mkdir -p $(@D); $(NVCC) $(variant_$(subst .,,$(suffix $@))) -cudart shared -o $@ $< > $@.log 2>&1 || rm -f $@
CLEANFILES += $(whole_programs) $(clang_programs) $(program_variants) tests/programs/*.log
# Those that tests/faulty.sh builds.
faulty_programs = $(patsubst $(srcdir)/%.cu,%,$(wildcard $(srcdir)/tests/programs/faulty/*.cu))
CLEANFILES += $(faulty_programs) $(faulty_programs:=.clang)
TESTS += tests/kept.sh tests/faulty.sh tests/programs.sh tests/linked.sh tests/cc.sh tests/env.sh tests/runtime.sh tests/driver.sh
EXTRA_DIST += tests/kept.sh tests/faulty.sh tests/programs.sh tests/linked.sh tests/cc.sh tests/env.sh tests/runtime.sh tests/driver.sh
TESTS += tests/clang.sh
EXTRA_DIST += tests/clang.sh
EXTRA_DIST += $(wildcard $(addprefix $(srcdir)/tests/driver/,*.c *.h *.py))
# Not the folder: what is built of it, in a folder of the same name, would be distributed, too.
EXTRA_DIST += $(wildcard $(addprefix $(srcdir)/tests/programs/,README *.cu *.h faulty/README faulty/*.cu))
# What takes long, and programs that are ended.
TESTS += tests/long.sh
EXTRA_DIST += tests/long.sh
# The examples of the help, and its length.
TESTS += tests/examples.sh
EXTRA_DIST += tests/examples.sh $(wildcard $(addprefix $(srcdir)/tests/examples/,*.cu *.txt))
# The host and streams that do not wait for each other.
TESTS += tests/waits.sh
EXTRA_DIST += tests/waits.sh tests/waits/pairs.cu
TESTS += tests/parting.sh
EXTRA_DIST += tests/parting.sh $(wildcard $(srcdir)/tests/parting/*.cu)
# What is said to who writes a launch.
TESTS += tests/talking.sh
EXTRA_DIST += tests/talking.sh
# Real connections; skipped without sshd and Slurm, whose scheduler looks once in a second.
TESTS += tests/ssh.sh
attack_tests += tests/slurm.sh
EXTRA_DIST += tests/ssh.sh
# What strangers write, on every output.
check_PROGRAMS += tests/attack/hostile
tests_attack_hostile_SOURCES = tests/attack/hostile.c
tests_attack_hostile_LDADD = $(JANSSON_LIBS)
TESTS += tests/attack/escapes.sh tests/attack/floods.sh tests/attack/courses.sh
EXTRA_DIST += tests/attack/escapes.sh tests/attack/floods.sh tests/attack/courses.sh
check_PROGRAMS += tests/attack/courses
if HAVE_WORKER
include tests/fake-cuda/local.mk
endif
check_PROGRAMS += tests/gpu/faults
TESTS += tests/faults.sh tests/memory.sh tests/share.sh
EXTRA_DIST += tests/worker-causes.sh tests/share.sh tests/faults.sh tests/memory.sh tests/fake-cuda/README.md
# The reader's way through an exercise.
TESTS += tests/exercise.sh
EXTRA_DIST += tests/exercise.sh
# The same for one that is a whole program.
TESTS += tests/exercise-program.sh
attack_tests += tests/exercise-program.sh
EXTRA_DIST += tests/exercise-program.sh
# What strangers' files could do.
TESTS += tests/attack/files.sh
attack_tests += tests/attack/files.sh tests/attack/escapes.sh tests/attack/floods.sh tests/attack/courses.sh
EXTRA_DIST += tests/attack/files.sh
# What the errors of the model's estimates are.
check_PROGRAMS += tests/estimates
course_tests += tests/estimates.sh
# How far the model of time is from a GPU, and the parameters that it is made of.
check_PROGRAMS += tests/timing
course_tests += tests/timing.sh
judge-time: tests/timing
	top_srcdir=$(srcdir) tests/timing $(srcdir)/tests/time/h200/judge.tsv
timing_tables = tests/time/h200/micro.tsv tests/time/h200/pipes.tsv \
	tests/time/h200/caches.tsv tests/time/h200/remote.tsv tests/time/h200/fit.tsv \
	tests/time/h100/atomics.tsv tests/time/h100/tlb.tsv tests/time/h100/pipes.tsv tests/time/h100/async.tsv
timings:
	cd $(srcdir) && awk -f tests/time/timings.awk $(timing_tables) > src/model/hardware/timings.def.new
	mv $(srcdir)/src/model/hardware/timings.def.new $(srcdir)/src/model/hardware/timings.def
roof_tables = tests/time/h200/roofs.tsv
roofs:
	cd $(srcdir) && LC_ALL=C awk -f tests/time/roofs.awk $(roof_tables) > src/model/hardware/roofs.def.new
	mv $(srcdir)/src/model/hardware/roofs.def.new $(srcdir)/src/model/hardware/roofs.def
.PHONY: judge-time timings roofs
# All lessons, with all that lesson check knows.
course_tests += tests/lessons.sh

# Static analysis of the program, by the checks of .clang-tidy.
lint:
	@test "$(CLANG_TIDY)" != : || { echo "make lint needs clang-tidy" >&2; exit 1; }
	@cd $(srcdir) && find src -name '*.c' $(if $(worker_cppflags),,-not -path 'src/gpu/worker/*') | sort | \
		xargs -P "$$(nproc 2> /dev/null || echo 1)" -I SOURCE $(CLANG_TIDY) --quiet SOURCE -- -std=gnu11 $(DEFS) \
			-I$(abs_top_builddir) -I$(abs_top_srcdir)/src $(AM_CPPFLAGS) $(worker_cppflags) \
			2> $(abs_top_builddir)/lint.log || { grep -v 'warnings\? generated' $(abs_top_builddir)/lint.log >&2; exit 1; }
CLEANFILES += lint.log
.PHONY: lint

# What tests that read lessons leave of progress, in XDG_STATE_HOME.
clean-local-state:
	-rm -rf tests/state

# Folders beside a script of their name: of a script newer than the folder, make's own rule for .sh would make a file in its place.
tests/course tests/dap tests/defects tests/driver tests/lessons tests/programs tests/time tests/validate doc/examples doc/pictures: ;

# Small faults, one after the other, in a copy of the tree, and the tests that must see each: tests/mutants/README. MUTANTS: names of
# some. mutants-today: ten, others each day.
mutants: all
	$(srcdir)/tests/mutants/run $(srcdir) . $(or $(MUTANTS),all)
mutants-today: all
	$(srcdir)/tests/mutants/run $(srcdir) . today
EXTRA_DIST += tests/mutants
.PHONY: mutants mutants-today
