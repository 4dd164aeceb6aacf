# Replays PTX, good and bad, through the fuzz target, each file also cut short at several places.
n=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
for file in "$top_srcdir"/tests/fuzz/corpus/ptx/* "$top_srcdir"/tests/ptx/*.ptx "$top_srcdir"/tests/ptx/corpus/*.ptx \
	"$top_srcdir"/kernels/*.ptx; do
	n=$((n + 1))
	size=$(wc -c < "$file")
	cp "$file" "$dir/0"
	for part in 1 2 3 4 5 6 7; do
		head -c $((size * part / 8)) "$file" > "$dir/$part"
	done
	if "$top_builddir/tests/fuzz/fuzz_ptx" "$dir"/*; then
		echo "ok $n - ${file#"$top_srcdir"/}"
	else
		echo "not ok $n - ${file#"$top_srcdir"/}"
	fi
done
echo "1..$n"
[ "$n" -gt 80 ]
