# What the model of time is made from and judged by: micro-kernels (tests/gpu/micro.c), and counters of the launches of tests/time/fit
# and tests/time/judge. Writes OUT/micro.tsv, OUT/fit.tsv and OUT/judge.tsv; with "pipes" only the pipes of the first, to OUT/pipes.tsv;
# with "tlb" the reach of translations, to OUT/tlb.tsv; with "final" to "fifth" counters of tests/time/final and so on, to
# OUT/final.tsv; with "caches", "atomics", "async" or "remote" of tests/time/caches and so on, to OUT/caches.tsv and so on; with "roofs" of
# tests/time/roofs, the most that the GPU can do, to OUT/roofs.tsv. Prints TAP. Needs a GPU.
# Usage: time.sh SOURCE BUILD OUT [pipes|tlb|final|second|third|fourth|fifth|caches|atomics|async|remote|roofs]
case $#:$4 in 3: | 4:pipes | 4:tlb | 4:final | 4:second | 4:third | 4:fourth | 4:fifth | 4:caches | 4:atomics | 4:async | 4:remote | 4:roofs) ;; *) sed -n 's/^# \(Usage: \)/\1/p' "$0" >&2; exit 2 ;; esac
source=$1 build=$2 out=$3
mkdir -p "$out" || exit 99
failed=0
case $4 in
final | second | third | fourth | fifth)
	exec "$build/tests/gpu/times" --source "$source" --worker "$build/simttutor-gpu" --seconds 20 "$source/tests/time/$4" \
		"$out/$4.tsv" ;;
roofs)
	exec "$build/tests/gpu/times" --source "$source" --worker "$build/simttutor-gpu" --rounds 9 --seconds 60 "$source/tests/time/$4" \
		"$out/$4.tsv" ;;
caches | atomics | async | remote)
	exec "$build/tests/gpu/times" --source "$source" --worker "$build/simttutor-gpu" --rounds 1 "$source/tests/time/$4" \
		"$out/$4.tsv" ;;
pipes | tlb)
	exec "$build/tests/gpu/micro" "$source/tests/time/micro.ptx" "$out/$4.tsv" "$4" ;;
esac
"$build/tests/gpu/micro" "$source/tests/time/micro.ptx" "$out/micro.tsv" || failed=1
for set in fit:40 judge:90; do
	"$build/tests/gpu/times" --source "$source" --worker "$build/simttutor-gpu" --seconds "${set#*:}" \
		"$source/tests/time/${set%:*}" "$out/${set%:*}.tsv" || failed=1
done
exit $failed
