#!/bin/sh
# simttutor-gpu.1 describes every error code with its remedy, every type of message and every option, and lints.
page=$top_srcdir/man/simttutor-gpu.1
n=0
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
# The page as running text, so that line breaks and quotes do not matter.
flat() { tr -d '`' | tr -s ' \n' '  '; }
text=$(flat < "$page")
codes=0
while IFS='|' read -r code remedy; do
	codes=$((codes + 1))
	case $text in
	*".It Cm $code $(printf '%s' "$remedy" | flat)"*) result 0 "$code" ;;
	*) result 1 "$code is described with its remedy" ;;
	esac
done << END
$(sed -n 's/^WIRE_ERROR([A-Z_]*, "\([a-z_]*\)", "\(.*\)")$/\1|\2/p' "$top_srcdir/src/wire/errors.def")
END
[ $codes -ge 20 ]; result $? "all $codes codes were looked for"
for type in $(sed -n 's/^\t\[WIRE_[A-Z_]*\] = {"\([a-z_]*\)".*/\1/p' "$top_srcdir/src/wire/wire.c"); do
	grep -q "^\.It Cm $type\$" "$page"
	result $? "message $type"
done
for option in $(grep -o '{"[a-z]*", [a-z]*_argument' "$top_srcdir/src/worker/main.c" | sed 's/{"\([a-z]*\)".*/\1/'); do
	grep -q "^\.It Fl . .*Fl -$option" "$page"
	result $? "option $option"
done
faults=
if command -v "$MANDOC" > /dev/null && [ "$MANDOC" != : ]; then
	# Whether our other pages are installed is not this page's fault.
	faults=$("$MANDOC" -Tlint "$page" | grep -v 'referenced manual not found')
	[ -z "$faults" ] || echo "$faults" | sed 's/^/# /'
fi
[ -z "$faults" ]; result $? lint
echo "1..$n"
