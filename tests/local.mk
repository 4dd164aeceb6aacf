TESTS += tests/house.sh tests/format.sh
EXTRA_DIST += tests/tap.sh tests/house.sh tests/format.sh
# The labelled kernels for the checks of run.
TESTS += tests/defects.sh
EXTRA_DIST += tests/defects tests/defects.sh
defects-ptx:
	cd $(srcdir) && for cu in tests/defects/*.cu; do \
		NVCC='$(NVCC)' kernels/make-ptx $$cu > $${cu%.cu}.new && mv $${cu%.cu}.new $${cu%.cu}.ptx || exit; done
.PHONY: defects-ptx
# Connections that are real, with what is there: skipped without sshd.
TESTS += tests/ssh.sh tests/slurm.sh
EXTRA_DIST += tests/ssh.sh tests/slurm.sh
if HAVE_WORKER
include tests/fake-cuda/local.mk
endif
check_PROGRAMS += tests/gpu/faults
TESTS += tests/faults.sh tests/memory.sh
EXTRA_DIST += tests/worker-causes.sh tests/faults.sh tests/memory.sh tests/fake-cuda/README.md
# The reader's way through an exercise.
TESTS += tests/exercise.sh
EXTRA_DIST += tests/exercise.sh
# All lessons, with all that lesson check knows.
course_tests += tests/lessons.sh
