#!/bin/sh
# The launches that the model of time is fitted to and judged by: their PTX is current, their kernels exist and take their arguments
# (here on the stand-in of tests/fake-cuda), and no launch is in both sets. Prints TAP.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
cd "$top_srcdir" || exit 99
times=$top_builddir/tests/gpu/times
table() { grep -v '^#' "tests/time/$1"; }

for cu in tests/time/*.cu; do
	grep -qF "// from: $cu kernels/simt.h (cksum $(cat "$cu" kernels/simt.h | cksum))" "${cu%.cu}.ptx"
	report $? "${cu%.cu}.ptx was made from the source as it is"
done
for name in fit caches atomics async remote roofs judge final second third fourth fifth; do
	table $name | sort | uniq -d > "$work/out"
	[ ! -s "$work/out" ]
	report $? "no launch is in tests/time/$name twice"
	report_none "every launch of tests/time/$name names a kernel of its file" \
		"$(table $name | cut -d ' ' -f 2,3 | sort -u | while read -r file kernel; do
			grep -q "\.entry $kernel\>" "$file" || echo "$file $kernel"
		done)"
done
report_none "no kernel is in two tables" "$(for name in fit caches atomics async remote roofs judge final second third fourth fifth; do
	table $name | cut -d ' ' -f 2,3 | sort -u
done | sort | uniq -d)"
[ "$(table final | cut -d ' ' -f 3 | sort -u | wc -l)" -ge 20 ] && [ "$(table second | cut -d ' ' -f 3 | sort -u | wc -l)" -ge 20 ] &&
	[ "$(table third | cut -d ' ' -f 3 | sort -u | wc -l)" -ge 20 ] && [ "$(table fourth | cut -d ' ' -f 3 | sort -u | wc -l)" -ge 20 ] && [ "$(table fifth | cut -d " " -f 3 | sort -u | wc -l)" -ge 20 ]
report $? "the last launches, of each round, are of 20 kernels"
[ "$(table judge | grep -c '^own ')" -ge 30 ] && [ "$(table judge | wc -l)" -ge 60 ]
report $? "the launches to judge by are 60 and more, 30 and more of them written for it"

LC_ALL=C awk -f tests/time/timings.awk tests/time/h200/micro.tsv tests/time/h200/pipes.tsv tests/time/h200/caches.tsv tests/time/h200/remote.tsv tests/time/h200/fit.tsv \
	tests/time/h100/atomics.tsv tests/time/h100/tlb.tsv tests/time/h100/pipes.tsv tests/time/h100/async.tsv | cmp -s - src/model/hardware/timings.def
report $? "the parameters of the model are those that the tables have (make timings)"

LC_ALL=C awk -f tests/time/roofs.awk tests/time/h200/roofs.tsv | cmp -s - src/model/hardware/roofs.def
report $? "the roofs are those that the tables have (make roofs)"

# One round of counting, of launches whose buffers are small.
if [ ! -x "$times" ] || [ ! -e "$top_builddir/tests/fake-cuda/lib/libcuda.so.1" ]; then
	skip "launches are counted, and every number has its column" "no worker was built"
else
	LC_ALL=C table judge | grep -vE '\[[0-9]{6,}\]' | awk '!seen[$2, $3]++' > "$work/table"
	SIMTTUTOR_QUEUE_DIR=$work LD_LIBRARY_PATH=$top_builddir/tests/fake-cuda/lib "$times" --source . --worker "$worker" --rounds 2 \
		"$work/table" "$work/counts" > "$work/out" 2>&1 &&
		awk -F '\t' -v launches="$(wc -l < "$work/table")" '
			/^#/ { next }
			!columns { columns = NF; next }
			NF != columns { exit bad = 1 }
			{ rows++; filled[$1] = 0; for (i = 4; i <= NF; i++) filled[$1] += $i != "" }
			END { exit bad || rows != 2 * launches || filled[0] < 60 || filled[1] != 4 }' "$work/counts"
	report $? "launches are counted, and every number has its column"
fi
finish
