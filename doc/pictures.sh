#!/bin/sh
# The pictures of README.md are those that the program draws now, and make-pictures has a step for every view.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
[ -x "$simttutor" ] || skip_all "simttutor is not built"
capture "$top_srcdir/doc/make-pictures" "$simttutor" readme "$work/pictures"
ends 0
report $? "the pictures can be made"
for picture in "$top_srcdir"/doc/pictures/*.svg; do
	name=${picture##*/}
	cmp -s "$picture" "$work/pictures/$name"
	report $? "doc/pictures/$name is current (else: make pictures)"
	grep -q "doc/pictures/$name" "$top_srcdir/README.md"
	report $? "README.md shows $name"
done
sed -n 's/^VIEW([A-Z]*, "\([a-z]*\)".*/\1/p' "$top_srcdir/src/front/view/views.def" > "$work/views"
[ -s "$work/views" ]
report $? "the views can be read"
report_none "every view but that of two kernels has a step to be pictured with" "$(while read -r view; do
	[ "$view" = compare ] || grep -q "^$view [a-z]*/[0-9]" "$top_srcdir/doc/make-pictures" || echo "$view"
done < "$work/views")"
# The picture that moves, and the talk that it was recorded from: present banks/2 --commands, --record, on a terminal of 100x30.
if command -v python3 > /dev/null; then
	"$top_srcdir/doc/cast-to-svg" "$top_srcdir/doc/animation/present.cast" > "$work/present.svg" && cmp -s "$work/present.svg" "$top_srcdir/doc/animation/present.svg"
	report $? "doc/animation/present.svg is current (else: make animation)"
else
	skip "doc/animation/present.svg is current (else: make animation)" "no python3"
fi
sed '/^wait/d' "$top_srcdir/doc/animation/present.commands" > "$work/commands"
capture "$simttutor" --gpu none present banks/2 --commands "$work/commands"
ends 0
report $? "the talk of doc/animation can be given"
if long; then
	capture "$top_srcdir/doc/make-pictures" "$simttutor" views "$work/views.d"
	ends 0 && [ "$(ls "$work/views.d" | grep -c 'svg$')" -eq $((9 * $(grep -vc "^compare$" "$work/views"))) ]
	report $? "all views in three sizes and three themes"
fi
finish
