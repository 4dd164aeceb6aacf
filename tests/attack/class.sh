# Hostile submissions: each gets a fitting verdict, none reads what is another's, nothing hangs and nothing is left.
# SIMTTUTOR_TEST_SUBMISSIONS=1000 makes so many of the kinds below; each kind once by default.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
[ -n "${CLANG-}" ] && [ "$CLANG" != : ] && command -v "${CLANG%% *}" > /dev/null || CLANG=$(command -v clang) || skip_all "no clang"
NVCC=: # clang is ten times as fast
mkdir "$work/tmp"
TMPDIR=$work/tmp XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data SIMTTUTOR_COMPILER_SECONDS=20
export CLANG NVCC TMPDIR XDG_STATE_HOME XDG_DATA_HOME SIMTTUTOR_COMPILER_SECONDS
cd "$work" || exit 99
clean_up() {

	chmod -R u+rwx "$work" 2> /dev/null
	rm -rf "$work"
}
echo 'int secret_of_the_instructor;' > secret.h
solution=$top_srcdir/lessons/10-banks/exercise/solution.cu
stem=$(sed -n '/^extern/,/^{/p' "$solution") # the entry with its parameters, to the brace
mkdir class

# kernel BODY: a kernel of the right name and parameters
kernel() { printf '#include "simt.h"\n%s\n%s\n}\n' "$stem" "$1"; }

# Writes submission $1 of kind $2 into class/$1; prints the verdict that fits.
kinds=36
submit() {
	folder=class/$1 file=class/$1/banks.cu
	mkdir -p "$folder"
	case $2 in
	0) cp "$solution" "$file" && echo solved ;;
	1) kernel 'while (true) in = 0;' > "$file" && echo 'not solved' ;;
	2) kernel 'if (threadIdx.x == 0) while (true) __syncthreads();' > "$file" && echo 'not solved|over its limits' ;;
	3) { kernel ''; awk 'BEGIN { for (i = 0; i < 200000; i++) print "// filling filling filling filling" }'; } > "$file" && echo 'not solved' ;;
	4) { printf '#include "%s/secret.h"\n' "$work"; kernel ''; } > "$file" && echo 'not compiled' ;;
	5) { printf '#include "../%s/banks.cu"\n' s0000; kernel ''; } > "$file" && echo 'not compiled' ;;
	6) printf '#include "/etc/shadow"\n' > "$file" && echo 'not compiled' ;;
	7) printf '#include "/dev/zero"\n' > "$file" && echo 'not compiled' ;;
	8) printf '#include "/proc/self/environ"\n' > "$file" && echo 'not compiled' ;;
	9) printf '#include "banks.cu"\n' > "$file" && echo 'not compiled' ;;
	10) { printf 'template <int N> struct T { static const int v = T<N + 1>::v + T<N + 2>::v; };\nint x = T<0>::v;\n'; kernel ''; } > "$file" && echo 'not compiled' ;;
	11) { printf 'constexpr int f() { int i = 0; while (true) i ^= 1; return i; }\nconstexpr int x = f();\n'; kernel ''; } > "$file" && echo 'not compiled' ;;
	12) awk 'BEGIN { print "#define a0 x"; for (i = 1; i < 40; i++) print "#define a" i " a" i-1 " a" i-1; print "a39" }' > "$file" && echo 'over its limits|not compiled' ;;
	13) printf 'int a\000b;\n' > "$file" && echo 'not compiled' ;;
	14) { printf '// \377\376\200\n'; cat "$solution"; } > "$file" && echo 'not compiled|solved' ;;
	15) printf '\377\376i\000n\000t\000' > "$file" && echo 'not compiled' ;;
	16) : > "$file" && echo 'not compiled' ;;
	17) mkdir "$file" && echo 'not graded' ;;
	18) ln -s "$work/secret.h" "$file" && echo 'not graded' ;;
	19) mkfifo "$file" && echo 'not graded' ;;
	20) rmdir "$folder" && ln -s "$work/class/s0000" "$folder" && echo 'not graded' ;;
	21) file=$folder/banks.ptx && printf '.version 6.3\n.target sm_75\n.address_size 64\n.visible .entry row_sums() { .reg .b32 %%r<2147483647>; ret; }\n' > "$file" && echo 'not compiled|not solved' ;;
	22) file=$folder/banks.ptx && head -c 100000 /dev/urandom > "$file" && echo 'not compiled' ;;
	23) file=$folder/banks.ptx && awk 'BEGIN { while (i++ < 100000) printf "{" }' > "$file" && echo 'not compiled' ;;
	24) { echo '/*'; cat "$solution"; } > "$file" && echo 'not compiled' ;;
	25) sed 's/extern "C"//' "$solution" > "$file" && echo 'not compiled' ;;
	26) printf '#error \033]0;owned\007\n' > "$file" && echo 'not compiled' ;;
	27) { printf '__attribute__((constructor)) static void begin() { }\n'; cat "$solution"; } > "$file" && echo 'not compiled|solved' ;;
	28) kernel '*(volatile int *)0x123456789abcull = 1;' > "$file" && echo 'not solved' ;;
	29) kernel 'volatile char waste[1 << 26]; waste[threadIdx.x] = 1;' > "$file" && echo 'not solved|not compiled' ;;
	30) { awk 'BEGIN { printf "int x = "; while (i++ < 200000) printf "("; }'; kernel ''; } > "$file" && echo 'not compiled' ;;
	31) kernel 'asm volatile("trap;");' > "$file" && echo 'not solved' ;;
	32) truncate -s 4G "$file" && echo 'not compiled' ;;
	33) printf '#pragma clang module import secret\n#include_next "banks.cu"\n.incbin "/etc/passwd"\n' > "$file" && echo 'not compiled' ;;
	34) kernel 'asm volatile(".file 1 \\"/etc/passwd\\"");' > "$file" && echo 'not compiled|not solved' ;;
	35) printf '#pragma GCC system_header\n#define extern static\n' > "$file" && cat "$solution" >> "$file" && echo 'not compiled|solved' ;;
	esac
}

total=${SIMTTUTOR_TEST_SUBMISSIONS:-$kinds} i=0
while [ $i -lt "$total" ]; do
	name=$(printf 's%04d' $i)
	printf '%s\t%s\t%s\n' "$name" "$((i % kinds))" "$(submit "$name" $((i % kinds)))"
	i=$((i + 1))
done > expected
capture timeout $((total * 30 + 60)) "$simttutor" class collect --format json class
report "$([ $status -eq 0 ]; echo $?)" "hostile submissions are graded to the end"
"$top_builddir/tests/json-get" kernels student verdict < "$work/out" | tr -d '"' > verdicts
awk -F'\t' 'NR == FNR { is[$1] = is[$1] $2; next }
	{ n = split($3, fits, "|"); ok = 0
		for (k = 1; k <= n; k++) ok = ok || is[$1] == fits[k]
		if (!ok) print $1 ", kind " $2 ": " (is[$1] == "" ? "none" : is[$1]) ", not " $3 }' verdicts expected > unfitting
report_none "each has a fitting verdict" "$(head -n 20 unfitting)"
! grep -q 'secret_of_the_instructor' "$work/out"
report $? "nothing of a file elsewhere is in the report"
! LC_ALL=C grep -q "$(printf '\033')" "$work/out"
report $? "no submission controls a terminal"
eventually 10 test -z "$(ls -A "$TMPDIR")"
report $? "no folder is left"
finish
