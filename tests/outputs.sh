#!/bin/sh
# outputs.sh PROGRAM SOURCE FOLDER: writes what a built simttutor prints into FOLDER, a file for each command, so that two
# builds can be compared with diff -r: `show` of every step, `run` and `debug` of every labeled kernel and example, and
# `access` of 1,000 patterns. Inputs come from the source folder SOURCE, so that both builds are given the same. Not a
# test: which differences are meant, a person says.
set -u
program=$(realpath "$1") source=$(realpath "$2") out=$3
mkdir -p "$out" && out=$(realpath "$out") || exit 1
unset CLICOLOR_FORCE NO_COLOR
export PTXAS=: XDG_STATE_HOME="$out/.state" XDG_CACHE_HOME="$out/.cache" LC_ALL=C.UTF-8
set -f # launches have [ and *
cd "$source" || exit 1

take() { # NAME ARGUMENTS...: standard output, errors and status of one command
	name=$1
	shift
	"$program" "$@" >"$out/$name" 2>&1 </dev/null
	echo "status $?" >>"$out/$name"
}

steps() { # LESSON/STEP of every step
	for lesson in $("$program" list --json | sed -n 's/^    "id": "\(.*\)",$/\1/p'); do
		"$program" list --json | awk -v want="$lesson" -F'"' '/^    "id"/ { on = $4 == want } on && /^        "id"/ { print want "/" ++n }'
	done
}

for step in $(steps); do
	name=$(echo "$step" | tr / -)
	take "show-$name-80" show "$step" --size 80x24
	take "show-$name-160" show "$step" --size 160x50
	take "show-$name.json" show "$step" --format json
done

# Launches are written beside the kernels: in tests/defects as options, in tests/ptx as a comment of their own grammar.
launched() { # NAME FILE OPTIONS...
	launch=$1
	shift
	take "run-$launch" run "$@"
	take "run-$launch.json" run "$@" --format json
	printf 'show\nstep 20\nshow\nc\nshow\n' >"$out/.commands"
	take "debug-$launch" debug "$@" --commands "$out/.commands"
}

for cu in $(cd "$source" && set +f && ls tests/defects/*.cu); do
	awk '/^\/\/ launch: / { sub(/^\/\/ launch: /, ""); launch = $0 }
		/^__global__ / { name = $0; sub(/^__global__ void /, "", name); sub(/\(.*/, "", name)
			if (launch != "") print name, launch; launch = "" }' "$cu" >"$out/.launches"
	while read -r kernel options; do
		# shellcheck disable=SC2086 # options are words
		launched "$(basename "$cu" .cu)-$kernel" "${cu%.cu}.ptx" --kernel "$kernel" $options
	done <"$out/.launches"
done

for ptx in $(cd "$source" && set +f && ls tests/ptx/*.ptx); do
	options=$(sed -n 's/^\/\/ launch: //p' "$ptx" | head -n 1 | awk -F'; *' '{ for (i = 1; i <= NF; i++) {
		n = split($i, word, " ")
		if (word[1] == "arg") printf " --arg %s", word[2]
		else for (j = 1; j + 1 <= n; j += 2) printf " --%s %s", word[j], word[j + 1] } }')
	[ -n "$options" ] || continue
	prints=$(sed -n 's/^\/\/ expect \([0-9]*\):.*/ --print \1/p' "$ptx" | tr -d '\n')
	# shellcheck disable=SC2086
	take "ptx-$(basename "$ptx" .ptx)" run "$ptx" $options $prints --format json
done

i=0
awk 'BEGIN { srand(20261122)
	split("shared global local const", space, " ")
	split("ld st ld st atom red exch cas fadd count ldmatrix stmatrix", op, " ")
	split("12 6 2 1", ops, " ") # of each space, from the front
	for (i = 0; i < 1000; i++) {
		which = 1 + int(rand() * 4)
		what = op[1 + int(rand() * ops[which])]
		width = what ~ /matrix/ ? 16 : what == "ld" || what == "st" ? 2 ^ int(rand() * 5) : what == "count" ? 4 : 4 * 2 ^ int(rand() * 2)
		printf "%s %s %d ", space[which], what, width
		for (lane = 0; lane < 32; lane++)
			printf "%s%s", lane ? "," : "", rand() < 0.1 ? "-" : 16 * int(rand() * (i % 3 ? 64 : 600))
		print "" } }' >"$out/.patterns"
while read -r space op width offsets; do
	i=$((i + 1))
	take "access-$i.json" access --space "$space" --op "$op" --width "$width" --offsets "$offsets" --format json
	[ $((i % 10)) -ne 0 ] || take "access-$i" access --space "$space" --op "$op" --width "$width" --offsets "$offsets"
done <"$out/.patterns"

take metrics metrics
take list list
rm -rf "$out/.state" "$out/.cache" "$out/.commands" "$out/.launches" "$out/.patterns"
