TESTS += tests/house.sh
EXTRA_DIST += tests/house.sh
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
TESTS += tests/worker-causes.sh
EXTRA_DIST += tests/worker-causes.sh tests/fake-cuda/README.md
# The reader's way through an exercise.
TESTS += tests/exercise.sh
EXTRA_DIST += tests/exercise.sh
