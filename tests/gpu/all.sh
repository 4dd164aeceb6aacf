#!/bin/sh
# Everything that must hold on a machine with a GPU, one check after the other: `make check-gpu`. For each a line with what came
# of it and its seconds, its output in OUT/NAME.tap. Exit 1 when anything failed.
# Usage: all.sh SOURCE BUILD OUT [NAME]...: only the checks named. Needs a GPU.
[ $# -ge 3 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
source=$1 build=$2 out=$3
shift 3
gpu=$source/tests/gpu
mkdir -p "$out" || exit 99

# name: command, from the quickest to what takes minutes
checks() {
	cat <<-END
		counters: $build/tests/gpu/check_gpu --source $source --worker $build/simttutor-gpu
		latency: $build/tests/gpu/latency
		fragments: $build/tests/gpu/fragments
		objects: $build/tests/gpu/objects $source/tests/ptx
		copies: sh $gpu/copies.sh $source $build
		time: sh $gpu/time.sh $source $build $out/time
		timeline: sh $gpu/timeline.sh $source $build
		lines: sh $gpu/lines.sh $source $build
		turns: sh $gpu/turns.sh $source $build
		readers: sh $gpu/readers.sh $source $build
		ncu: sh $gpu/ncu.sh $source $build
		front: sh $gpu/front.sh $build $out/front
		probe: sh $gpu/probe.sh $source $build
		cooperative: sh $gpu/cooperative.sh $source $build
		occupancy: sh $gpu/occupancy.sh $source $build
		tensor: sh $gpu/tensor.sh $source $build $out/tensor
		flow: sh $gpu/flow.sh $source $build
		validate: sh $gpu/validate.sh $build $out/validate
		faults: $build/tests/gpu/faults --source $source --worker $build/simttutor-gpu
		memory: $build/tests/gpu/faults --source $source --worker $build/simttutor-gpu --memory 10000
		programs: sh $gpu/programs.sh $source
		live: sh $gpu/live.sh $source $build
		fixtures: sh $gpu/fixtures.sh $source $build
	END
}

wanted() { # NAME: among the names given, or none was given
	one=$1
	shift
	[ $# -gt 0 ] || return 0
	for name; do [ "$name" != "$one" ] || return 0; done
	return 1
}

failed=0 made=0
while IFS=: read -r name command; do
	wanted "$name" "$@" || continue
	made=$((made + 1)) start=$(date +%s)
	$command >"$out/$name.tap" 2>&1 </dev/null
	status=$?
	bad=$(grep -cE '^(not ok|Bail out)' "$out/$name.tap")
	good=$(grep -c '^ok ' "$out/$name.tap")
	word=ok
	if [ $status -ne 0 ] || [ "$bad" -gt 0 ] || [ "$good" -eq 0 ]; then
		failed=$((failed + 1)) word='NOT OK'
		grep -E '^(not ok|Bail out)' "$out/$name.tap" | head -n 20 | sed 's/^/    /'
	fi
	echo "$word  $name: $good ok, $bad not ok, status $status, $(($(date +%s) - start)) s"
done <<END
$(checks)
END
[ $made -gt 0 ] || { echo "all.sh: no such check: $*" >&2; exit 2; }
[ $failed -eq 0 ]
