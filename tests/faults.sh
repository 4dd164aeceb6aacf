# The front end and simttutor-gpu under faults of every kind, over the GPU that is not there (tests/fake-cuda); on a real one
# tests/gpu/faults does the same, more often.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
needs_worker
LD_LIBRARY_PATH=$top_builddir/tests/fake-cuda/lib SIMTTUTOR_QUEUE_DIR=$work
export LD_LIBRARY_PATH SIMTTUTOR_QUEUE_DIR
"$top_builddir/tests/gpu/faults" --worker "$worker" --source "$top_srcdir" --count 60
