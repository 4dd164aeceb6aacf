# The libraries of the CUDA runtime export what its table names, and nothing else; and the manual page has all of it.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
library=$top_builddir/src/runtime
table=$top_srcdir/src/runtime/functions.def
rows() { # VERSION: the names of the table that it has, with their variants
	awk -F'[(), ]+' -v other="CUDA$((25 - $1))" '/^FUNCTION\(/ && $4 != other {
		print $2
		if ($3 != "NONE")
			print $2 "_" tolower($3)
	}' "$table" | sort
}
for version in 12 13; do
	rows $version > "$work/rows"
	nm -D --defined-only "$library/libcudart.so.$version" | sed -n "s/.* [TWi] \(.*\)@@libcudart\.so\.$version\$/\1/p" |
		sort > "$work/exported"
	report_none "libcudart.so.$version exports each row of functions.def" "$(comm -23 "$work/rows" "$work/exported")"
	report_none "libcudart.so.$version exports nothing that has no row" "$(comm -13 "$work/rows" "$work/exported")"
	nm -D --defined-only "$library/libcudart.so.$version" | grep -v "@@libcudart\.so\.$version\$" |
		grep -v " A libcudart\.so\.$version\$" > "$work/out"
	[ ! -s "$work/out" ]
	report $? "libcudart.so.$version has one version of each"
done
report_none "no row is there twice" "$(awk -F'[(), ]+' '/^FUNCTION\(/ { print $2 }' "$table" | sort | uniq -d)"
report_none "simttutor-runtime(7) has each row" "$({ rows 12; rows 13; } | grep -v '_pt[sd][sz]$' | sort -u | while read -r name; do
	grep -q "^\.It Fn $name\$" "$top_srcdir/man/simttutor-runtime.7" || echo "$name"
done)"
finish
