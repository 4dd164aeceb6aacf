# Lines of the protocol, good and bad, through their fuzz target.
. "$top_srcdir/tests/fuzz/replay.sh"
replay fuzz_wire 1 "$top_srcdir"/tests/fuzz/corpus/wire/*
