# The memory of a worker does not grow with what it measures: over the GPU that is not there, so that what grows is ours.
if [ ! -x "$top_builddir/simttutor-gpu" ]; then
	echo "1..0 # SKIP this build has no simttutor-gpu"
	exit 0
fi
LD_LIBRARY_PATH=$top_builddir/tests/fake-cuda/lib SIMTTUTOR_QUEUE_DIR=$(mktemp -d)
export LD_LIBRARY_PATH SIMTTUTOR_QUEUE_DIR
trap 'rm -rf "$SIMTTUTOR_QUEUE_DIR"' EXIT
"$top_builddir/tests/gpu/faults" --worker "$top_builddir/simttutor-gpu" --source "$top_srcdir" --memory 2000
