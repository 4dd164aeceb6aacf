#!/bin/sh
# Random programs on the GPU and on the machine: every result equal bit for bit, approximate ones within the manual's bound; then
# the other campaigns of validate.
# A fresh seed each time, which is printed; 100,000 instances at the least. Prints the table, then TAP. Needs a GPU.
# Usage: validate.sh BUILD [FOLDER]: programs that differ or fail are kept in FOLDER, the recording and the JSON too.
build=${1:-${top_builddir:-.}}
folder=${2:-$(mktemp -d)}
mkdir -p "$folder" || exit 99
count=${SIMTTUTOR_VALIDATE_COUNT:-400}
"$build/simttutor" validate --live --count "$count" --record "$folder/recording.txt" --keep "$folder/programs" --format json \
	> "$folder/validate.json" 2> "$folder/errors"
status=$?
sed 's/^/# /' "$folder/errors"
get() { "$build/tests/json-get" "$1" < "$folder/validate.json"; }
echo "# $(get compared_with), seed $(get seed): $(get programs) programs, $(get instructions) instructions, $(get instances) instances"
[ "$status" -eq 0 ] || echo "# kept in $folder; again with: simttutor validate --live --seed $(get seed) --count $count"
if [ "$(get instances)" -ge 100000 ]; then echo "ok 1 - at least 100,000 instances"; else echo "not ok 1 - at least 100,000 instances"; fi
if [ "$status" -eq 0 ]; then echo "ok 2 - all agree"; else echo "not ok 2 - $(get different) instances differ, $(get failed) programs failed"; fi
if "$build/simttutor" validate --expect "$folder/recording.txt" > "$folder/table"; then echo "ok 3 - the recording replays"; else
	echo "not ok 3 - the recording replays"
fi
sed 's/^/# /' "$folder/table"
if "$build/simttutor" validate --live --every --keep "$folder/programs" >"$folder/every" 2>&1; then echo "ok 4 - every form of every instruction"; else
	echo "not ok 4 - every form of every instruction"
fi
sed 's/^/# /' "$folder/every"
n=4
for campaign in patterns occupancy lessons addresses; do
	n=$((n + 1))
	if "$build/simttutor" validate "$campaign" --live >"$folder/$campaign" 2>&1; then echo "ok $n - $campaign"; else
		echo "not ok $n - $campaign"
	fi
	sed 's/^/# /' "$folder/$campaign"
done
echo "1..$n"
