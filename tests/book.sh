#!/bin/sh
# simttutor book: documents of lessons that are well formed, whole in themselves, and the same whatever the reader has done; what an
# edition must not have is not in it. Prints TAP.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99

# check FILE: every tag is closed in its turn, no id twice, and every link leads somewhere. Prints what is not so.
check() {
	tr '\n' ' ' < "$1" | sed 's/<script>.*<\/script>//; s/<style>[^<]*<\/style>//' | sed 's/</\n</g' | awk '
		/^<!DOCTYPE/ || /^$/ { next }
		/^<\// {
			tag = $0; sub(/^<\//, "", tag); sub(/[ >].*/, "", tag)
			if (n == 0 || open[n] != tag) { print "</" tag "> closes <" open[n] ">"; exit }
			n--
			next
		}
		/^</ {
			tag = $0; sub(/^</, "", tag); sub(/[ \/>].*/, "", tag)
			if (match($0, / id="[^"]*"/)) { id = substr($0, RSTART + 5, RLENGTH - 6); if (seen[id]++) print "id " id " twice" }
			if (match($0, / href="#[^"]*"/)) wanted[substr($0, RSTART + 8, RLENGTH - 9)] = 1
			if ($0 ~ / (src|href)="[^#]/) print "leads outside: " substr($0, 1, 80)
			if (tag !~ /^(meta|hr|br)$/ && $0 !~ /\/> *$/) open[++n] = tag
		}
		END { if (n) print "<" open[n] "> is not closed"; for (id in wanted) if (!(id in seen)) print "nothing is called " id }'
}

capture_all "$simttutor" book banks --output "$work/banks.html"
report "$status" "a lesson as HTML"
report_none "it is well formed, and whole in itself" "$(check "$work/banks.html")"
report_none "it is printed as well as written" "$("$simttutor" book banks | cmp - "$work/banks.html" 2>&1)"
grep -q '<svg ' "$work/banks.html" && grep -q '<details><summary>Answer' "$work/banks.html"
report $? "pictures, and folded answers"
grep -q 'data-parameter="stride" data-value="32 words" hidden' "$work/banks.html"
report $? "pictures for other values of a parameter, hidden where no script shows them"

"$simttutor" book transpose > "$work/transpose.html" && "$simttutor" book transpose --format md > "$work/transpose.md"
grep -q '>turn_tile<br>Predicted</th>.*>turn_direct<br>Predicted</th>' "$work/transpose.html"
report $? "two settings side by side"
report_none "in HTML that is well formed" "$(check "$work/transpose.html")"
grep -q '| turn\\*_tile: Predicted | turn\\*_tile: NVIDIA .* | turn\\*_direct: Predicted | turn\\*_direct: NVIDIA .* | Unit |' "$work/transpose.md"
report $? "and in Markdown"
"$simttutor" book bandwidth > "$work/bandwidth.html" && "$simttutor" book bandwidth --format md > "$work/bandwidth.md"
grep -q 'NVIDIA H200, recorded [^<]*</th><th[^>]*>NVIDIA H100 80GB HBM3, recorded ' "$work/bandwidth.html"
report $? "recordings of two GPUs side by side"
report_none "in HTML that is well formed, too" "$(check "$work/bandwidth.html")"
grep -q '| NVIDIA H200, .* | NVIDIA H100 80GB HBM3, .* | Unit |' "$work/bandwidth.md"
report $? "and those in Markdown"

capture_all "$simttutor" book --output "$work/course.html"
report "$status" "the course as HTML"
report_none "it is well formed, too" "$(check "$work/course.html")"
[ "$(wc -c < "$work/course.html")" -le $((520000 * $(ls -d "$top_srcdir"/lessons/[0-9]*/ | wc -l))) ]
report $? "and has at most 520 KB for each lesson"
grep -q 'id="glossary"' "$work/course.html" && grep -q 'id="index"' "$work/course.html"
report $? "with a glossary and an index"
[ "$(grep -c '<h1 id="lesson-' "$work/course.html")" -eq "$(ls -d "$top_srcdir"/lessons/[0-9]*/ | wc -l)" ]
report $? "every lesson is in it"

# --- editions ------------------------------------------------------------------------------------------------------------
for edition in reader handout instructor; do
	for format in html md pdf-ready; do
		"$simttutor" book banks --edition $edition --format $format > "$work/$edition.$format" 2> "$work/err" || fail "$edition, $format"
	done
	report_none "$edition, for paper: well formed" "$(check "$work/$edition.pdf-ready")"
done
report_none "a handout has no answers and no notes" "$(grep -nE 'class="part (answer|notes)"|<summary>(Answer|Hint)|>Answer:<' \
	"$work/handout.html" "$work/handout.pdf-ready"; grep -nE 'summary>(Answer|Hint)|Answer:|For the speaker' "$work/handout.md")"
grep -q 'class="part notes"' "$work/instructor.html" && grep -q 'class="part answer"' "$work/instructor.html"
report $? "the instructor's edition has both"
report_none "a reader's has no notes" "$(grep -n 'class="part notes"' "$work/reader.html")"
report_none "nothing is folded on paper, and nothing runs" "$(grep -nE '<details|<script|<select| hidden>' "$work"/*.pdf-ready)"
grep -q '<h2>Answers</h2>' "$work/reader.pdf-ready"
report $? "answers are at the end of a reader's lesson on paper"

# --- the reader's progress ---------------------------------------------------------------------------------------------
XDG_STATE_HOME=$work/state "$simttutor" book banks > "$work/without"
mkdir -p "$work/state/simttutor" && chmod 700 "$work/state/simttutor"
printf 'open banks/1\n2\nnext\n4\nquit\n' | XDG_STATE_HOME=$work/state "$simttutor" learn --linear > "$work/learned" 2>&1
[ -s "$work/state/simttutor/progress.json" ]
report $? "a reader has answered something"
XDG_STATE_HOME=$work/state "$simttutor" book banks > "$work/with"
report_none "and the document stays the same" "$(cmp "$work/without" "$work/with" 2>&1)"
XDG_STATE_HOME=$work/state "$simttutor" show banks/1 --size 80x24 > "$work/with"
XDG_STATE_HOME=$work/none "$simttutor" show banks/1 --size 80x24 > "$work/without"
report_none "so does what show prints" "$(cmp "$work/without" "$work/with" 2>&1)"
capture "$simttutor" show banks/1 --size 160x60 --answered
printed out "Right."
report $? "unless it is asked for with --answered"
capture "$simttutor" show banks/1 --size 80x24 --notes
printed out "For the speaker: "
report $? "and --notes adds the speaker's notes"

capture "$simttutor" show vote/6 --size 80x24
report_none "what ended a launch is said once beside the picture of the defect" "$(grep 'named and' "$work/out" | sed 1d)"

# --- strangers' words --------------------------------------------------------------------------------------------------
mkdir -p "$work/data/lessons/01-evil" "$work/data/kernels"
cat > "$work/data/lessons/01-evil/lesson.md" << 'END'
---
format: 1
title: "<script>alert(1)</script> & \"quotes\""
track: Evil
summary: "</title><img src=x onerror=alert(1)>"
needs: Nothing.
takeaway: "`</code><b>` and [a link](javascript:alert(1))"
---

# \<script>alert(1)\</script> & "quotes"

## One \<i>step\</i>

Text with `</pre><script>` and *&lt;b&gt;* in it.
END
capture env SIMTTUTOR_DATA="$work/data" "$simttutor" book evil
if [ "$status" -eq 0 ]; then
	cp "$work/out" "$work/evil.html"
	report_none "what others wrote is no markup" "$(check "$work/evil.html"; grep -nE '<(img|i|b|script)>?[ >]' "$work/evil.html" |
		grep -vE '^[0-9]+:<script>$')"
	capture env SIMTTUTOR_DATA="$work/data" "$simttutor" book evil --format md
	report_none "nor in Markdown" "$(sed 's/`[^`]*`//g' "$work/out" | grep -nE '(^|[^\\])(<script|<img|\]\(javascript)')"
else
	fail "a lesson of a stranger becomes a document"
fi

# --- what is refused ---------------------------------------------------------------------------------------------------
answers 2 "html, md or pdf-ready" -- book banks --format pdf
answers 2 "reader, handout or instructor" -- book banks --edition secret
answers 2 "nothing" -- book nothing
answers 2 "banks is named twice" -- book banks banks
answers 1 "simttutor:" -- book banks --output /dev/full
finish
