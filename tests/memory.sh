# The memory of a worker does not grow with what it measures: over the GPU that is not there, so that what grows is ours.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
needs_worker
LD_LIBRARY_PATH=$top_builddir/tests/fake-cuda/lib SIMTTUTOR_QUEUE_DIR=$work
export LD_LIBRARY_PATH SIMTTUTOR_QUEUE_DIR
"$top_builddir/tests/gpu/faults" --worker "$worker" --source "$top_srcdir" --memory 2000
