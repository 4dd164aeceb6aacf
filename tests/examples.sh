# The examples with which the help of long commands begins: each is run, and prints what the help says. And that help fits three screens.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
commands=$("$simttutor" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -gt 20 ]
report $? "commands are listed"
long=$(for command in $commands; do
	lines=$("$simttutor" help "$command" | sed 's/[^ -~]/x/g' | fold -s -w 80 | wc -l)
	if "$simttutor" help "$command" | grep -q '^  simttutor '; then most=72; else most=48; fi
	[ "$lines" -le "$most" ] || echo "$command has $lines lines, not $most at most"
done)
report_none "help without examples has two screens at most, with them three" "$long"
report_none "there are five examples, or none" "$(for command in $commands; do
	n=$("$simttutor" help "$command" | grep -c '^  simttutor ')
	[ "$n" = 0 ] || [ "$n" = 5 ] || echo "$command has $n"
done)"
if nm "$top_builddir/src/runtime/libcudart.so.13" 2> /dev/null | grep -q '__asan_init\|__tsan_init'; then
	skip "examples" "a library with sanitizers needs a program with them"
	finish
	exit 0
fi
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) NVCC=: ;;
*)
	skip "examples" "needs clang"
	finish
	exit 0
	;;
esac
SIMTTUTOR_PROGRAMS=yes PATH=$(cd "$top_builddir" && pwd):$PATH LC_ALL=C.UTF-8
export NVCC SIMTTUTOR_PROGRAMS PATH LC_ALL
unset SIMTTUTOR_PROGRESS SIMTTUTOR_TIMEOUT
mkdir "$work/examples" && cp "$top_srcdir"/tests/examples/* "$top_srcdir"/tests/validate/h200*.txt "$work/examples" && cd "$work/examples" || exit 99
for command in run explore cc debug probe validate; do
	"$simttutor" help "$command" | sed -n '/^usage:/q; /^  simttutor /{N; s/^  \(.*\)\n      \(.*\)$/\1\
\2/; p}' > "$work/lines"
	while read -r line && read -r prints; do
		case $prints in *" ...") prints=${prints% ...} ;; esac
		capture_all timeout 120 sh -c "$line" < /dev/null
		[ -n "$prints" ] && printed out "$prints"
		report $? "$line"
	done < "$work/lines"
done
finish
