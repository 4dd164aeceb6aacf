# The worker's numbers against Nsight Compute's, for the lesson's kernel at strides 0 to 33 and for kernels with every kind of
# traffic: every count must be equal; the achieved occupancy of the lesson's kernel within 2 %. (Kernels of 3 us that do little
# else than wait for memory differ by more from one run to the next.) Prints TAP, and times. Needs a GPU and ncu.
# Usage: ncu.sh [SOURCE [BUILD]]
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=${2:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99
command -v ncu > /dev/null || skip_all "there is no ncu here"
dir=$work

# --- what is compared ---------------------------------------------------------------------------------------------------
counters=$(sed -n 's/^COUNTER([A-Z0-9_]*, "\([^"]*\)".*/\1/p' "$top_srcdir/src/model/hardware/counters.def" | grep -v '^CU_')
# Times, and what depends on what the caches hold, are never the same twice; L1 counts a lookup that has to wait again.
varies='^l1tex__t_sectors\.sum|^gpu__time|^gpc__|^sm__cycles|^dram__|^lts__|_lookup_hit|^smsp__warps_eligible|^smsp__issue|^sm__warps_active|^sm__pipe_|^sm__inst_executed_pipe_'
counts=$(printf '%s\n' $counters | grep -Ev "$varies")
occupancy=sm__warps_active.avg.pct_of_peak_sustained_active
lesson=$(printf '%s\n' $counters | head -16)
# "ID METRIC RELATION": what is counted per machine instruction.
quick=$(sed -n 's/^PER_INSTRUCTION(\([A-Z0-9_]*\), "\([^"]*\)", \([A-Z]*\))$/\1 \2 \3/p' "$top_srcdir/src/model/hardware/instructions.def")
counter() { # ID: its name
	sed -n "s/^COUNTER($1, \"\([^\"]*\)\".*/\1/p" "$top_srcdir/src/model/hardware/counters.def"
}
quoted() { q=$(printf '"%s",' $*); printf '%s' "${q%,}"; }
listed() { l=$(printf '%s,' $*); printf '%s' "${l%,}"; }

# --- the launches -------------------------------------------------------------------------------------------------------
launches=0
: > "$dir/names"
launch() { # FILE KERNEL GRID BLOCK ARG...: adds a request to $dir/requests, with METRICS where its metrics belong
	launches=$((launches + 1))
	echo "$launches $2" >> "$dir/names"
	ptx=$(awk '{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); gsub(/\t/, "\\t"); printf "%s\\n", $0 }' "$top_srcdir/$1")
	kernel=$2 grid=$3 block=$4
	shift 4
	printf '{"type":"measure","id":%d,"launch":{"kernel":"%s","grid":[%s],"block":[%s],"shared":0,"args":[%s]},"metrics":[METRICS],"buffers":false,"ptx":"' \
		$launches "$kernel" "$grid" "$block" "$(quoted "$@")" >> "$dir/requests"
	printf '%s"}\n' "$ptx" >> "$dir/requests"
}
stride=0
while [ $stride -le 33 ]; do
	launch kernels/shared_stride.ptx shared_stride 132,1,1 256,1,1 "f32[1024]:iota" "f32[33792]" u32:$stride u32:64
	stride=$((stride + 1))
done
lesson_launches=$launches
# One block on each SM: where shared atomics of several blocks collide, a few wavefronts more are counted, another number in each run.
for stride in 1 2 32; do
	launch tests/run/traffic.ptx shared_atomics 132,1,1 128,1,1 "u32[16896]" u32:$stride
	launch tests/run/traffic.ptx global_atomics 132,1,1 128,1,1 "u32[1024]" "u32[16896]" u32:$stride
	launch tests/run/traffic.ptx global_reductions 132,1,1 128,1,1 "u32[1024]" u32:$stride
done
launch tests/run/traffic.ptx local_array 264,1,1 128,1,1 "u32[1024]:random@1" "u32[33792]"
launch tests/run/traffic.ptx stream 1056,1,1 256,1,1 "f32[16777216]:iota" "f32[16777216]" u32:16777216
for kind in shift fma fp64 power matrix store; do
	launch tests/run/pipes.ptx $kind 132,1,1 256,1,1 "u32[67584]" u32:16
done
launch tests/run/divergent.ptx divergent 132,1,1 256,1,1 "u32[33792]:iota" "u32[33792]" u32:33000
launch tests/run/calls.ptx calls 132,1,1 64,1,1 "s32[8448]"
launch tests/run/histogram.ptx _Z9histogramPKjiPj 1,1,1 128,1,1 "u32[1000]:iota" s32:1000 "u32[4]"
launch tests/run/matmul.ptx matmul 16,16,1 16,16,1 s32:256 "s32[65536]:iota" "s32[65536]:iota" "s32[65536]"
launch tests/run/scan.ptx _Z4scanPKiPi 1,1,1 128,1,1 "s32[128]:iota" "s32[128]"
launch tests/run/softmax.ptx _Z7softmaxPKfPKiPf 1,1,1 32,4,1 "f32[128]:random@3" "s32[]:32,7,20,1" "f32[128]"
launch tests/run/stencil.ptx _Z7stencilPKiPii 132,1,1 64,1,1 "s32[8448]:iota" "s32[8448]" s32:8448
launch tests/run/phases.ptx phases 132,1,1 128,1,1 "f32[16896]:iota" "f32[16896]" u32:30
launch tests/run/uneven.ptx uneven 1100,1,1 256,1,1 "f32[281600]" u32:50

# --- both count -----------------------------------------------------------------------------------------------------------
now() { date +%s%N; }
sed "s/METRICS/$(quoted $counters $(echo "$quick" | cut -d ' ' -f 2))/" "$dir/requests" > "$dir/counted.in"
sed 's/METRICS//' "$dir/requests" > "$dir/plain.in"
start=$(now)
"$worker" < "$dir/counted.in" > "$dir/counted.out"
middle=$(now)
ncu --clock-control none --cache-control none --metrics "$(listed $counters)" --csv --print-units base --log-file "$dir/ncu.csv" \
	"$worker" < "$dir/plain.in" > "$dir/plain.out"
end=$(now)
echo "# $launches launches, all $(echo $counters | wc -w) counters: simttutor-gpu $(((middle - start) / 1000000)) ms, ncu $(((end - middle) / 1000000)) ms"

# Lines "LAUNCH METRIC VALUE".
answers() {
	sed -n 's/^{"type":"measurement","id":\([0-9]*\),/\1 /p' "$1" | awk '{
		n = split($0, part, /\{"name":"/)
		for (i = 2; i <= n; i++) {
			split(part[i], field, /"/)
			value = part[i]; sub(/.*"value":/, "", value); sub(/[^0-9.e+-].*/, "", value)
			printf "%d %s %.12g\n", $1, field[1], value
		}
	}'
}
answers "$dir/counted.out" | sort > "$dir/counted"
awk -F '","' 'NR > 1 && /^"[0-9]+"/ {
	value = $NF; gsub(/[",]/, "", value)
	id = $1; gsub(/"/, "", id)
	printf "%d %s %.12g\n", id + 1, $(NF - 2), value
}' "$dir/ncu.csv" | sort > "$dir/ncu"

# --- equal, or nearly ------------------------------------------------------------------------------------------------------
failed=0
check() { # NAME STATUS
	report "$2" "$1"
	[ "$2" = 0 ] || failed=1
}
for metric in $counts; do
	grep -F " $metric " "$dir/counted" > "$dir/a"
	grep -F " $metric " "$dir/ncu" > "$dir/b"
	[ "$(wc -l < "$dir/a")" = $launches ] && cmp -s "$dir/a" "$dir/b"
	status=$?
	check "$metric is what ncu counts, at all $launches launches; at most $(awk '$3 > m { m = $3 } END { print m + 0 }' "$dir/a")" $status
	[ $status = 0 ] || diff "$dir/a" "$dir/b" | head -8 | sed 's/^/# /'
done
# What stands for a counter on the screen has the counter's number in ncu; what only comes first may have another, which is printed.
echo "$quick" > "$dir/quick"
while read -r id metric relation; do
	grep -F " $metric " "$dir/counted" | cut -d ' ' -f 1,3 > "$dir/a"
	grep -F " $(counter "$id") " "$dir/ncu" | cut -d ' ' -f 1,3 > "$dir/b"
	[ "$(wc -l < "$dir/a")" = $launches ] && cmp -s "$dir/a" "$dir/b"
	status=$?
	if [ "$relation" = SAME ]; then
		check "$metric is ncu's $(counter "$id"), at all $launches launches" $status
	else
		echo "# $metric differs from ncu's $(counter "$id") in $(join "$dir/a" "$dir/b" | awk '$2 != $3 { n++ } END { print n + 0 }') of $launches launches"
	fi
done < "$dir/quick"
# METRIC [FIRST LAST]: the largest relative difference, the launch it is of, and both values.
apart() {
	for who in counted ncu; do
		grep -F " $1 " "$dir/$who" | awk -v a="${2:-1}" -v b="${3:-$launches}" '$1 >= a && $1 <= b { print $1, $3 }' | sort -k 1,1 > "$dir/$who.one"
	done
	join "$dir/counted.one" "$dir/ncu.one" |
		awk '{ d = $2 > $3 ? $2 - $3 : $3 - $2; if ($3 > 0 && d / $3 >= most) { most = d / $3; at = $0 } } END { printf "%.4f %s\n", most, at }'
}
set -- $(apart $occupancy $((lesson_launches + 1)))
echo "# $occupancy: at most $1 apart in other kernels (launch $2, $(sed -n "${2:-1}p" "$dir/names" | cut -d ' ' -f 2): $3 and $4)"
set -- $(apart $occupancy 1 $lesson_launches)
[ -n "${2-}" ] && awk -v d="$1" 'BEGIN { exit d > 0.02 }'
check "achieved occupancy of the lesson's kernel is ncu's, at most $1 of it apart (launch $2: $3, ncu $4)" $?
for metric in $(printf '%s\n' $counters | grep -E "$varies" | grep -vF $occupancy); do
	set -- $(apart $metric)
	echo "# $metric: at most $1 apart (launch ${2:-none}: ${3:-} and ${4:-})"
done

# --- times -----------------------------------------------------------------------------------------------------------------
median() { sed -n 's/.*"ms":\([0-9.e+-]*\).*/\1/p' | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
timed() { # NAME METRICS...: the worker warm, and ncu for one launch, as a process and once it runs
	what=$1
	shift
	i=0
	while [ $i -lt 24 ]; do
		sed -n 8p "$dir/requests" | sed "s/METRICS/$(quoted "$@")/"
		i=$((i + 1))
	done > "$dir/warm.in"
	"$worker" < "$dir/warm.in" | grep '"type":"measurement"' | tail -n 16 > "$dir/warm.out"
	warm=$(median < "$dir/warm.out")
	passes=$(sed -n '1s/.*"passes":\([0-9]*\).*/\1/p' "$dir/warm.out")
	sed -n 8p "$dir/plain.in" > "$dir/one.in"
	for k in 1 2 3 4 5 6 7 8 9 10 11; do cat "$dir/one.in"; done > "$dir/eleven.in"
	start=$(now)
	ncu --clock-control none --cache-control none --metrics "$(listed "$@")" --csv --log-file "$dir/one.csv" "$worker" < "$dir/one.in" > /dev/null
	middle=$(now)
	ncu --clock-control none --cache-control none --metrics "$(listed "$@")" --csv --log-file "$dir/one.csv" "$worker" < "$dir/eleven.in" > /dev/null
	end=$(now)
	one=$(((middle - start) / 1000000)) more=$((((end - middle) - (middle - start)) / 10000000))
	ratio=$(awk -v a="$one" -v b="$warm" 'BEGIN { printf "%.0f", a / b }')
	echo "# $what: $passes passes, worker warm $warm ms; ncu $one ms for a launch (${ratio} times), $more ms for each more in one process"
}
timed "the shared-memory counters of the lesson" $(printf '%s\n' $lesson | head -6)
[ "$(awk -v w="$warm" 'BEGIN { print w <= 5 }')" = 1 ]
check "one pass within 5 ms in the worker: $warm" $?
[ "$ratio" -ge 50 ]
check "ncu takes 50 times as long and more: $ratio" $?
timed "all counters of the lesson" $lesson
[ "$(awk -v w="$warm" 'BEGIN { print w <= 60 }')" = 1 ]
check "all counters of the lesson within 60 ms in the worker: $warm" $?
[ "$ratio" -ge 50 ]
check "ncu takes 50 times as long and more: $ratio" $?
timed "the whole catalog" $counters

# The same as learn asks for them: what is counted per machine instruction comes first, and stands for sectors.
asked() { # METRIC...: what learn asks for these
	for relation in all rest; do
		for metric in "$@"; do
			id=$(sed -n "s/^COUNTER(\([A-Z0-9_]*\), \"$metric\".*/\1/p" "$top_srcdir/src/model/hardware/counters.def")
			grep "^$id " "$dir/quick" > "$dir/one" || echo "$id - -" > "$dir/one"
			read -r id name how < "$dir/one"
			if [ $relation = rest ]; then
				[ "$how" = SAME ] || echo "$metric"
			elif [ "$name" != - ]; then
				echo "$name"
			fi
		done
	done
}
first() { # NAME METRICS...: ms to the first numbers, and to the last, in $first and $all
	what=$1
	shift
	sed -n 8p "$dir/requests" | sed "s/METRICS/$(quoted "$@")/" > "$dir/first.in"
	set -- $("$top_builddir/tests/gpu/first" "$worker" "$dir/first.in" 40)
	first=$1 all=$2
	echo "# $what: the first $4 numbers after $first ms, all after $all, in $3 passes; ncu takes $(awk -v a="$one" -v b="$all" 'BEGIN { printf "%.0f", a / b }') times as long"
}
timed "all counters of the lesson" $lesson
first "all counters of the lesson, as learn asks for them" $(asked $lesson)
[ "$(awk -v f="$first" 'BEGIN { print (f > 0 && f <= 2) }')" = 1 ]
check "the first numbers of a lesson within 2 ms: $first" $?
[ "$(awk -v a="$one" -v b="$all" 'BEGIN { print (b > 0 && a >= 60 * b) }')" = 1 ]
check "all of them 60 times sooner than ncu, $one ms: $all" $?
first "what is counted per machine instruction" $(cut -d ' ' -f 2 "$dir/quick")
[ "$(awk -v b="$all" 'BEGIN { print (b > 0 && b <= 5) }')" = 1 ]
check "all that is counted per machine instruction within 5 ms: $all" $?
timed "the same by ncu" $(cut -d ' ' -f 2 "$dir/quick")
[ "$(awk -v a="$one" -v b="$all" 'BEGIN { print (b > 0 && a >= 100 * b) }')" = 1 ]
check "100 times sooner than ncu, $one ms: $all" $?
finish
[ -s "$dir/ncu" ] || sed 's/^/# /' "$dir/ncu.csv" | head -20
exit $failed
