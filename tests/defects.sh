#!/bin/sh
# The labeled kernels of tests/defects: every one with a fault is found at the lines it names, no other is accused, and those
# without a fault compute what they should. tests/defects/README says how a kernel is labeled. Prints TAP.
#
# DEFECTS_CHECK=none runs them without looking for defects: whether those without a fault end well, with the right results.
# DEFECTS_ONLY=PATTERN runs only kernels whose name FILE:KERNEL has it.
#
# What is found does not depend on the number of cores: each runs on DEFECTS_CORES, too, and prints the same.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
: "${DEFECTS_CHECK:=all}" "${DEFECTS_ONLY:=}"
if long; then : "${DEFECTS_CORES=1 2 7 16}"; else : "${DEFECTS_CORES=7}"; fi
get=$top_builddir/tests/json-get
cd "$top_srcdir" || exit 99
todo=
PTXAS=:
export PTXAS
set -f # launches have [ and *

# judged STATUS NAME: reports it, as expected to fail where the kernel has a todo.
show_failure() { cat "$work/found" "$work/err" | head -n 12 | sed 's/^/# /'; }
judged() { report "$1" "$2${todo:+ # TODO $todo}"; }

# For awk: two lines, each after a blank, the smaller first; '' for one that is not known.
in_order='function in_order(a, b) {
	if (b == "" || (a != "" && a + 0 <= b + 0))
		return (a == "" ? "" : " " a) (b == "" ? "" : " " b)
	return " " b (a == "" ? "" : " " a)
}
'

# The kernels of a file, each as lines "kernel NAME", "launch ...", "expect KIND [SPACE] [LINE [LINE]]", "also ...", "result ...",
# "todo ...", "end". Labels are in the program's words, their lines in order.
kernels() {
	awk "$in_order"'
	BEGIN {
		kinds["misaligned"] = "misaligned-address"
		kinds["uninitialized"] = "uninitialized-read"
		alone["barrier-divergent"] = "divergent-barrier"
		alone["barrier-missing"] = "missing-barrier"
		alone["barrier-pending"] = "pending-barrier"
		alone["barrier-mismatched"] = "mismatched-barrier"
		alone["limit"] = "limit - -"
		alone["trap"] = "trap"
	}
	function mark(name) { return name in here ? here[name] : name in everywhere ? everywhere[name] : "unmarked:" name }
	function label(text,   word, count, first, second) {
		count = split(text, word, " ")
		if (word[1] in alone)
			return alone[word[1]]
		first = count > 2 ? mark(word[3]) : ""
		second = count > 3 ? mark(word[4]) : ""
		if (word[1] == "uninitialized")
			return kinds[word[1]] " " word[2] (first == "" ? "" : " " first) (second == "" ? "" : " " second)
		return (word[1] in kinds ? kinds[word[1]] : word[1]) (count > 1 ? " " word[2] : "") in_order(first, second)
	}
	/^\/\/ (launch|expect|also|result|todo|missing|says): / {
		if ($2 == "launch:") { split("", here); lines = 0; name = "" }
		key[lines] = substr($2, 1, length($2) - 1)
		sub(/^\/\/ [a-z]*: /, "")
		value[lines++] = $0
		next
	}
	/^__global__ / { name = $0; sub(/^__global__ void /, "", name); sub(/\(.*/, "", name) }
	/\/\/ \[[a-z0-9 ]*\]$/ {
		text = $0
		sub(/.*\/\/ \[/, "", text)
		sub(/\]$/, "", text)
		count = split(text, marks, " ")
		for (i = 1; i <= count; i++)
			if (name != "") here[marks[i]] = NR; else everywhere[marks[i]] = NR
	}
	/^}/ && name != "" {
		print "kernel " name
		for (i = 0; i < lines; i++)
			print key[i] " " (key[i] == "expect" || key[i] == "also" ? label(value[i]) : value[i])
		print "end"
		name = ""
		lines = 0
	}' "$1"
}

# The defects of the last run as lines "KIND SPACE LINE [LINE]", blanks of the kind as -, the smaller line first, a line that is
# not known left out.
defects() {
	"$get" defects kind space line other.line < "$work/out" 2> /dev/null | awk -F '\t' "$in_order"'
		{
			gsub(/"/, "")
			gsub(/ /, "-", $1)
			if ($1 == "uninitialized-read") # where it is used, then where it was loaded
				print $1 " " $2 " " $3 ($4 == "null" ? "" : " " $4)
			else
				print $1 " " $2 in_order($3 == "null" ? "" : $3, $4 == "null" ? "" : $4)
		}'
	[ "$outcome" != '"limit"' ] || echo "limit - -"
}

# matches FOUND LABEL: barriers and masks are labeled by their line at most, the others by everything.
matches() {
	case $2 in
	divergent-barrier | missing-barrier | mismatched-barrier | trap) [ "${1%% *}" = "$2" ] ;;
	pending-barrier) [ "${1%% *}" = pending-barrier ] || [ "${1%% *}" = missing-barrier ] ;;
	wrong-mask*) [ "${1%% *}" = wrong-mask ] && [ "${1##* }" = "${2##* }" ] ;;
	limit*) [ "${1%% *}" = limit ] ;;
	uninitialized-read*) [ "$1" = "$2" ] || [ "${1% *}" = "$2" ] ;;
	*) [ "$1" = "$2" ] ;;
	esac
}

# any FOUND FILE: the defect found is one of the labels in the file.
any() {
	while IFS= read -r label; do
		matches "$1" "$label" && return 0
	done < "$2"
	return 1
}

# Every label that is expected is found, and nothing that has no label.
judge() {
	while IFS= read -r label; do
		hit=1
		while IFS= read -r found; do
			matches "$found" "$label" && hit=0
		done < "$work/found"
		[ $hit -eq 0 ] || { echo "missed: $label" >> "$work/err"; return 1; }
	done < "$work/expected"
	while IFS= read -r found; do
		any "$found" "$work/expected" || any "$found" "$work/also" || { echo "accused: $found" >> "$work/err"; return 1; }
	done < "$work/found"
}

# The buffers begin as the results say: lines "N: VALUES".
computed() {
	while IFS= read -r result; do
		argument=${result%%:*}
		# shellcheck disable=SC2086
		expected=$(set -- ${result#*:} && IFS=, && echo "$*")
		buffer=$("$get" "buffers.$argument" < "$work/out" 2> /dev/null)
		case $buffer in
		"[$expected]" | "[$expected,"*) ;;
		*) echo "argument $argument is not $expected but $(echo "$buffer" | cut -c 1-80)" >> "$work/err"; return 1 ;;
		esac
	done < "$work/results"
}

# What is said of the first defect.
advised() {
	"$get" defects.0.message < "$work/out" > "$work/message"
	[ -z "$missing" ] || [ "$("$get" defects.0.missing < "$work/out")" = "\"$missing\"" ] || { echo "not missing: $missing" >> "$work/err"; return 1; }
	[ -z "$says" ] || grep -qF -e "$says" "$work/message" || { echo "does not say: $says" | cat - "$work/message" >> "$work/err"; return 1; }
}

clean() { [ ! -s "$work/expected" ]; }

# run KERNEL: with the launch in $launch, the arguments to print in $prints and the labels in $work.
run() {
	check="--check $DEFECTS_CHECK --on-error continue"
	[ "$DEFECTS_CHECK" != none ] || "$simttutor" run --help | grep -q -e --check || check=
	case $launch in *--steps*) ;; *) launch="$launch --steps 1000000" ;; esac
	# shellcheck disable=SC2086
	"$simttutor" run "$ptx" --kernel "$1" $launch $check $prints --format json > "$work/out" 2> "$work/err"
	status=$?
	sed '/"[a-z_]*ms":/d' "$work/out" > "$work/once"
	differs=
	outcome=$("$get" outcome < "$work/out" 2> /dev/null)
	for cores in $DEFECTS_CORES; do
		[ "$outcome" != '"limit"' ] || break # by time
		# shellcheck disable=SC2086
		"$simttutor" run "$ptx" --kernel "$1" $launch $check $prints --format json --cores "$cores" 2> "$work/again.err" |
			sed '/"[a-z_]*ms":/d' > "$work/again"
		cmp -s "$work/once" "$work/again" && cmp -s "$work/err" "$work/again.err" || differs="$differs $cores"
	done
	outcome=$("$get" outcome < "$work/out" 2>> "$work/err")
	defects > "$work/found"
}

examine() {
	case $ptx:$1 in *"$DEFECTS_ONLY"*) ;; *) return ;; esac
	run "$1"
	if [ -n "$differs" ]; then
		diff "$work/once" "$work/again" | head -n 5 >> "$work/err"
		judged 1 "$cu: $1 on$differs cores as by itself"
	elif [ -s "$work/err" ] && grep -q unsupported "$work/err"; then
		skip "$cu: $1" "$(grep -m 1 -o 'unsupported.*' "$work/err")"
	elif [ "$DEFECTS_CHECK" = none ] && ! clean; then
		[ -n "$outcome" ] && [ "$outcome" != '"error"' ]
		judged $? "$cu: $1 runs"
	elif clean; then
		{ [ "$DEFECTS_CHECK" = none ] || judge; } && { [ -s "$work/found" ] || [ "$outcome" = '"ok"' ]; } && computed
		judged $? "$cu: $1 is clean"
	else
		judge && advised
		judged $? "$cu: $1: $expects${missing:+, missing: $missing}"
	fi
}

set +f
set -- tests/defects/*.cu
set -f
for cu in "$@"; do
	ptx=${cu%.cu}.ptx
	: > "$work/found" > "$work/err"
	grep -qF "// from: $cu kernels/simt.h (cksum $(cat "$cu" kernels/simt.h | cksum))" "$ptx" 2> "$work/err"
	judged $? "$ptx was made from the source as it is"
	kernels "$cu" > "$work/kernels"
	grep unmarked: "$work/kernels" > "$work/err"
	[ ! -s "$work/err" ] && grep -q '^end' "$work/kernels"
	judged $? "$cu has the lines that its labels name"
	exec 3< "$work/kernels"
	while read -r key value <&3; do
		case $key in
		kernel) name=$value && : > "$work/expected" > "$work/also" > "$work/results" && launch= expects= prints= todo= missing= says= ;;
		launch) launch=$value ;;
		expect) [ "$value" = clean ] || { echo "$value" >> "$work/expected" && expects="$expects${expects:+, }$value"; } ;;
		also) echo "$value" >> "$work/also" ;;
		missing) missing=$value ;;
		says) says=$value ;;
		todo) [ "$DEFECTS_CHECK" = none ] || todo=$value ;;
		result) echo "$value" >> "$work/results" && prints="$prints --print ${value%%:*}" ;;
		end)
			examine "$name"
			todo= ;;
		esac
	done
	exec 3<&-
done
finish
