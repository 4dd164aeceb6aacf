# tests/fuzz/replay.sh: replays inputs through a fuzz target, each also cut short at several places. Sourced by the tests beside
# it, which say what to replay: replay TARGET LEAST FILE..., where fewer files than LEAST are a failure.
replay() {
	target=$top_builddir/tests/fuzz/$1
	least=$2
	shift 2
	n=0
	dir=$(mktemp -d) || exit 1
	trap 'rm -rf "$dir"' EXIT
	for file in "$@"; do
		n=$((n + 1))
		size=$(wc -c < "$file")
		cp "$file" "$dir/0"
		for part in 1 2 3 4 5 6 7; do
			head -c $((size * part / 8)) "$file" > "$dir/$part"
		done
		if "$target" "$dir"/*; then
			echo "ok $n - ${file#"$top_srcdir"/}"
		else
			echo "not ok $n - ${file#"$top_srcdir"/}"
		fi
	done
	echo "1..$n"
	[ "$n" -ge "$least" ]
}
