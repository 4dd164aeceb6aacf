#!/bin/sh
# Random programs on the GPU and on the machine: every result equal bit for bit, approximate ones within the manual's bound; then
# the other campaigns of validate.
# A fresh seed each time, which is printed; 100,000 instances at the least. Prints the table, then TAP. Needs a GPU.
# Usage: validate.sh BUILD [FOLDER]: programs that differ or fail are kept in FOLDER, the recording and the JSON too.
top_srcdir=${top_srcdir:-$(dirname "$0")/../..} top_builddir=${1:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99
folder=${2:-$(mktemp -d)}
mkdir -p "$folder" || exit 99
count=${SIMTTUTOR_VALIDATE_COUNT:-400}
show_failure() { :; } # everything is printed

capture "$simttutor" validate --live --count "$count" --record "$folder/recording.txt" --keep "$folder/programs" --format json
cp "$work/out" "$folder/validate.json"
note "$(cat "$work/err")"
note "$(at compared_with), seed $(at seed): $(at programs) programs, $(at instructions) instructions, $(at instances) instances"
[ "$status" -eq 0 ] || note "kept in $folder; again with: simttutor validate --live --seed $(at seed) --count $count"
[ "$(at instances)" -ge 100000 ]
report $? "at least 100,000 instances"
report "$status" "all agree"
[ "$status" -eq 0 ] || note "$(at different) instances differ, $(at failed) programs failed"

# compare FILE NAME ARGUMENTS...: one more run of validate, whose output is shown, and kept in the folder.
compare() {
	file=$1 name=$2
	shift 2
	capture_all "$simttutor" validate "$@"
	report "$status" "$name"
	cp "$work/out" "$folder/$file"
	note "$(cat "$work/out")"
}
compare table "the recording replays" --expect "$folder/recording.txt"
compare every "every form of every instruction" --live --every --keep "$folder/programs"
for campaign in patterns occupancy lessons addresses; do
	compare "$campaign" "$campaign" "$campaign" --live
done
finish
