# PTX, good and bad, through its fuzz target.
. "$top_srcdir/tests/fuzz/replay.sh"
replay fuzz_ptx 81 "$top_srcdir"/tests/fuzz/corpus/ptx/* "$top_srcdir"/tests/ptx/*.ptx "$top_srcdir"/tests/ptx/corpus/*.ptx \
	"$top_srcdir"/kernels/*.ptx
