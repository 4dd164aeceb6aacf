# Every lesson ships with measured numbers of its present kernel, and for what the model predicts exactly they are the
# model's: checked for all strides of the lesson on bank conflicts, as a reader without a GPU sees them.
simttutor=$top_builddir/simttutor
n=0
for lesson in "$top_srcdir"/lessons/*/lesson.md; do
	n=$((n + 1))
	name=$(basename "$(dirname "$lesson")")
	out=$("$simttutor" show "$name/1" --gpu none --format json 2>&1)
	if printf '%s\n' "$out" | grep -q '"witness": "recorded"' && ! printf '%s\n' "$out" | grep -qi 'stale'; then
		echo "ok $n - $name has recorded numbers of its kernel as it is"
	else
		echo "not ok $n - $name has recorded numbers of its kernel as it is: record it again"
	fi
done
stride=0
wrong=
while [ $stride -le 33 ]; do
	"$simttutor" show banks/1 --gpu none --set stride=$stride --format json | awk '
		/"name":/ { exact = /"shared_load_(requests|wavefronts_per_request|conflicts_per_request)"/ }
		/"predicted":/ { which = "predicted" }
		/"measured":/ { which = "measured" }
		/"value":/ && exact { value = $0; gsub(/.*: |,.*/, "", value); v[which] = value
			if (which == "measured") { compared++; if (v["predicted"] != v["measured"]) bad++ } }
		END { exit !(compared == 3 && !bad) }' || wrong="$wrong $stride"
	stride=$((stride + 1))
done
n=$((n + 1))
if [ -z "$wrong" ]; then
	echo "ok $n - predicted is recorded at strides 0 to 33"
else
	echo "not ok $n - predicted is recorded at strides 0 to 33, but not at$wrong"
fi
echo "1..$n"
