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
report_none "simttutor_per_thread.h has each row with a second name, of CUDA 13" "$({
	awk -F'[(), ]+' '/^FUNCTION\(cuda/ && $3 != "NONE" && $4 != "CUDA12" { print $2, $2 "_" tolower($3) }' "$table"
	sed -n 's/^#define //p' "$top_srcdir/include/simttutor_per_thread.h"
} | sort | uniq -u)"
drivers=$top_srcdir/src/runtime/driver/drivers.def
driver_rows() { # the names of that table, with their variants
	awk -F'[(),]' '/^DRIVER\(/ {
		gsub(/ /, "")
		print $2 $3
		if ($5 != "NONE")
			print $2 $3 "_" tolower($5)
	}' "$drivers" | sort
}
driver_rows > "$work/rows"
nm -D --defined-only "$library/libcuda.so.1" | sed -n 's/.* [TWi] \(.*\)/\1/p' | sort > "$work/exported"
report_none "libcuda.so.1 exports the rows of drivers.def" "$(comm -3 "$work/rows" "$work/exported")"
report_none "no row of drivers.def is there twice" "$(uniq -d "$work/rows")"
report_none "functions that do what rows say have the name of the row, or are the runtime's" "$(awk -F'[(),]' '/^DRIVER\(/ {
	gsub(/ /, "")
	if ($8 !~ /^cuda/ && $8 != $2 $3 && $8 != $2 "_v2") print $2 $3 ": " $8
}' "$drivers")"
report_none "simttutor-runtime(7) has each row of drivers.def" "$(driver_rows | grep -v '_pt[sd][sz]$' | while read -r name; do
	grep -q "^\.It Fn $name\$" "$top_srcdir/man/simttutor-runtime.7" || echo "$name"
done)"
for version in 12 13; do
	sed -n 's/^NVRTC(\([A-Za-z]*\),.*/\1/p' "$top_srcdir/src/runtime/driver/nvrtc.def" | sort > "$work/rows"
	nm -D --defined-only "$library/libnvrtc.so.$version" | sed -n "s/.* [TWi] \(.*\)@@libnvrtc\.so\.$version\$/\1/p" |
		sort > "$work/exported"
	report_none "libnvrtc.so.$version exports the rows of nvrtc.def" "$(comm -3 "$work/rows" "$work/exported")"
done
report_none "no row is there twice" "$(awk -F'[(), ]+' '/^FUNCTION\(/ { print $2 }' "$table" | sort | uniq -d)"
report_none "simttutor-runtime(7) has each row (make man)" "$({ rows 12; rows 13; } | grep -v '_pt[sd][sz]$' | sort -u | while read -r name; do
	grep -q "^\.It Fn $name\$" "$top_srcdir/man/simttutor-runtime.7" || echo "$name"
done)"
finish
