# The worker's counts against Nsight Compute's, for the lesson's kernel at strides 0 to 33. Prints TAP. Needs a GPU and ncu.
# Usage: ncu.sh [SOURCE [BUILD]]
source=${1:-${top_srcdir:-.}}
build=${2:-${top_builddir:-.}}
worker=$build/simttutor-gpu
if ! command -v ncu > /dev/null; then
	echo "1..0 # SKIP there is no ncu here"
	exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# Everything that is not a time or a rate over time.
metrics=$(sed -n 's/^COUNTER([A-Z_]*, "\([^"]*\.sum\)".*/\1/p' "$source/src/model/counters.def" | grep -v gpu__time)
ptx=$(awk '{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); gsub(/\t/, "\\t"); printf "%s\\n", $0 }' "$source/kernels/shared_stride.ptx")

# requests METRICS: one measurement for each stride
requests() {
	stride=0
	while [ $stride -le 33 ]; do
		printf '{"type":"measure","id":%d,"launch":{"kernel":"shared_stride","grid":[132,1,1],"block":[256,1,1],"shared":0,' \
			$((stride + 1))
		printf '"args":["f32[1024]:iota","f32[33792]","u32:%d","u32:64"]},"metrics":[%s],"buffers":false,"ptx":"' $stride "$1"
		printf '%s"}\n' "$ptx"
		stride=$((stride + 1))
	done
}

quoted=$(printf '"%s",' $metrics)
requests "${quoted%,}" > "$dir/counted.in"
requests "" > "$dir/plain.in"

now() { date +%s%N; }
start=$(now)
"$worker" < "$dir/counted.in" > "$dir/counted.out"
middle=$(now)
ncu --clock-control none --metrics "$(printf '%s,' $metrics)" --csv --print-units base --log-file "$dir/ncu.csv" "$worker" \
	< "$dir/plain.in" > "$dir/plain.out"
end=$(now)
echo "# 34 launches, process start included: simttutor-gpu $(((middle - start) / 1000000)) ms, ncu $(((end - middle) / 1000000)) ms"
requests "" | sed -n 8p > "$dir/one.in"
start=$(now)
ncu --clock-control none --metrics "$(printf '%s,' $metrics)" --csv --log-file "$dir/one.csv" "$worker" < "$dir/one.in" > /dev/null
echo "# one launch with ncu: $((($(now) - start) / 1000000)) ms"

# Lines "STRIDE METRIC VALUE", sorted.
sed -n 's/^{"type":"measurement","id":\([0-9]*\),/\1 /p' "$dir/counted.out" | awk '{
	id = $1 - 1
	n = split($0, part, /\{"name":"/)
	for (i = 2; i <= n; i++) {
		split(part[i], field, /"/)
		value = part[i]; sub(/.*"value":/, "", value); sub(/[^0-9.e+-].*/, "", value)
		print id, field[1], value + 0
	}
}' | sort > "$dir/counted"
awk -F '","' 'NR > 1 && /shared_stride/ {
	value = $NF; gsub(/[",]/, "", value)
	metric = $(NF - 2)
	id = $1; gsub(/"/, "", id)
	print id, metric, value + 0
}' "$dir/ncu.csv" | sort > "$dir/ncu"

n=0
for metric in $metrics; do
	n=$((n + 1))
	grep -F " $metric " "$dir/counted" > "$dir/a"
	grep -F " $metric " "$dir/ncu" > "$dir/b"
	if [ "$(wc -l < "$dir/a")" = 34 ] && cmp -s "$dir/a" "$dir/b"; then
		echo "ok $n - $metric is what ncu counts, at all 34 strides"
	else
		echo "not ok $n - $metric is what ncu counts, at all 34 strides"
		diff "$dir/a" "$dir/b" | head -6 | sed 's/^/# /'
	fi
done
echo "1..$n"
[ -s "$dir/ncu" ] || sed 's/^/# /' "$dir/ncu.csv" | head -20
