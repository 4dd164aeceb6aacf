# What the model of time is made from and judged by: micro-kernels (tests/gpu/micro.c), and counters of the launches of tests/time/fit
# and tests/time/judge. Writes OUT/micro.tsv, OUT/fit.tsv and OUT/judge.tsv; with "pipes" only the pipes of the first, to OUT/pipes.tsv;
# with "final" or "second" counters of tests/time/final or second, to OUT/final.tsv or OUT/second.tsv; with "caches" of tests/time/caches, to OUT/caches.tsv.
# Prints TAP. Needs a GPU.
# Usage: time.sh SOURCE BUILD OUT [pipes|final|second|caches]
case $#:$4 in 3: | 4:pipes | 4:final | 4:second | 4:caches) ;; *) sed -n 's/^# \(Usage: \)/\1/p' "$0" >&2; exit 2 ;; esac
source=$1 build=$2 out=$3
mkdir -p "$out" || exit 99
failed=0
if [ "$4" = final ] || [ "$4" = second ]; then
	exec "$build/tests/gpu/times" --source "$source" --worker "$build/simttutor-gpu" --seconds 20 "$source/tests/time/$4" \
		"$out/$4.tsv"
elif [ "$4" = caches ]; then
	exec "$build/tests/gpu/times" --source "$source" --worker "$build/simttutor-gpu" --rounds 1 "$source/tests/time/caches" \
		"$out/caches.tsv"
elif [ "$4" ]; then
	exec "$build/tests/gpu/micro" "$source/tests/time/micro.ptx" "$out/pipes.tsv" pipes
fi
"$build/tests/gpu/micro" "$source/tests/time/micro.ptx" "$out/micro.tsv" || failed=1
for set in fit:40 judge:90; do
	"$build/tests/gpu/times" --source "$source" --worker "$build/simttutor-gpu" --seconds "${set#*:}" \
		"$source/tests/time/${set%:*}" "$out/${set%:*}.tsv" || failed=1
done
exit $failed
