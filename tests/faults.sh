# The front end and simttutor-gpu under faults of every kind, over the GPU that is not there (tests/fake-cuda); on a real one
# tests/gpu/faults does the same, more often.
if [ ! -x "$top_builddir/simttutor-gpu" ]; then
	echo "1..0 # SKIP this build has no simttutor-gpu"
	exit 0
fi
LD_LIBRARY_PATH=$top_builddir/tests/fake-cuda/lib SIMTTUTOR_QUEUE_DIR=$(mktemp -d)
export LD_LIBRARY_PATH SIMTTUTOR_QUEUE_DIR
trap 'rm -rf "$SIMTTUTOR_QUEUE_DIR"' EXIT
"$top_builddir/tests/gpu/faults" --worker "$top_builddir/simttutor-gpu" --source "$top_srcdir" --count 60
