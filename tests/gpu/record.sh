#!/bin/sh
# Measures what the lessons lack: launches that are new or whose kernels have changed, and exercises. What the model has for them is
# added later, by `simttutor record --model` on a machine without a GPU. The recordings are in OUT/recorded.tar.gz, to be unpacked in
# the source folder.
# Usage: record.sh SOURCE BUILD OUT [LESSON]... (all lessons by default). Needs a GPU.
[ $# -ge 3 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
source=$(cd "$1" && pwd) build=$2 out=$3
shift 3
mkdir -p "$out" || exit 99
[ $# -gt 0 ] || set -- $(cd "$source/lessons" && ls -d [0-9]*)
failed=0
for lesson; do
	echo "# $lesson, $(date +%T)"
	"$build/simttutor" record --resume --no-model "$lesson" || failed=$((failed + 1))
done
(cd "$source" && tar czf - lessons/*/recorded.json) >"$out/recorded.tar.gz"
[ $failed -eq 0 ]
