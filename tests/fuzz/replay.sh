# tests/fuzz/replay.sh: replays inputs through a fuzz target, each also cut short at several places. Sourced by the tests beside
# it, which say what to replay: replay TARGET LEAST FILE..., where fewer files than LEAST are a failure.
. "${top_srcdir:=.}/tests/tap.sh"

replay() {
	target=$top_builddir/tests/fuzz/$1
	least=$2
	shift 2
	mkdir "$work/inputs"
	for file in "$@"; do
		size=$(wc -c < "$file")
		cp "$file" "$work/inputs/0"
		for part in 1 2 3 4 5 6 7; do
			head -c $((size * part / 8)) "$file" > "$work/inputs/$part"
		done
		"$target" "$work/inputs"/*
		report $? "${file#"$top_srcdir"/}"
	done
	finish
	[ "$tap_count" -ge "$least" ]
}
