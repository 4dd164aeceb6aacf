#!/bin/sh
# Is the PTX beside each kernel the one its source makes?
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
cd "$top_srcdir" || exit 99
: "${NVCC:=:}" "${CLANG:=:}"
export NVCC CLANG work

# Exercises that are whole programs have no PTX.
# shellcheck disable=SC2046
set -- kernels/*.cu $(grep -LE '^int main\(' lessons/*/exercise/*.cu lessons/*/exercise/wrong/*.cu lessons/*/exercise/right/*.cu)
release=
[ "$NVCC" = : ] || release=$("$NVCC" --version | sed -n 's/^.*release/nvcc release/p')
made_by() { sed -n '3s|^// by: ||p' "$1"; }

# Compilers take nearly all the time: as many at once as there are cores. What they make of a kernel is in $work/KERNEL.nvcc.ptx
# and .clang.ptx.
for cu; do
	mkdir -p "$work/${cu%/*}"
	[ -z "$release" ] || [ "$release" != "$(made_by "${cu%.cu}.ptx")" ] || echo "nvcc $cu"
	case $cu in */wrong/*) continue ;; esac # nobody is given those to compile
	[ "$CLANG" = : ] || echo "clang $cu"
done > "$work/jobs"
xargs -P "$(nproc 2> /dev/null || echo 1)" -L 1 sh -c '
	case $1 in clang) option=--clang ;; *) option= ;; esac
	kernels/make-ptx $option "$2" > "$work/${2%.cu}.$1.ptx" 2> "$work/${2%.cu}.$1.err"
	echo $? > "$work/${2%.cu}.$1.status"' job < "$work/jobs"

# compiled COMPILER CU: how that ended; its errors are in $work/err.
compiled() {
	cp "$work/${2%.cu}.$1.err" "$work/err"
	return "$(cat "$work/${2%.cu}.$1.status")"
}

# clang_knows CU: whether it compiles for the GPU that the kernel asks for.
known=$("$CLANG" --target=nvptx64 -print-supported-cpus 2>&1)
clang_knows() {
	needs=$(sed -n 's|^// needs: \(sm_[0-9]*a*\), .*|\1|p' "$1")
	[ -z "$needs" ] || echo "$known" | grep -qw "$needs"
}

for cu; do
	ptx=${cu%.cu}.ptx
	: > "$work/out"

	grep -qF "// from: $cu kernels/simt.h (cksum $(cat "$cu" kernels/simt.h | cksum))" "$ptx"
	report $? "$ptx was made from the sources as they are"

	if [ "$NVCC" = : ]; then
		skip "$cu gives $ptx, byte for byte" "no nvcc"
	elif [ "$release" != "$(made_by "$ptx")" ]; then
		skip "$cu gives $ptx, byte for byte" "made by $(made_by "$ptx"), which is not the nvcc here"
	else
		compiled nvcc "$cu" && diff "$ptx" "$work/${cu%.cu}.nvcc.ptx" > "$work/out"
		report $? "$cu gives $ptx, byte for byte"
	fi

	case $cu in */wrong/*) continue ;; esac
	if [ "$CLANG" = : ]; then
		skip "$cu compiles with clang, without NVIDIA's headers" "no clang"
	elif ! clang_knows "$cu"; then
		skip "$cu compiles with clang, without NVIDIA's headers" "this clang does not know its GPU"
	else
		compiled clang "$cu"
		report $? "$cu compiles with clang, without NVIDIA's headers"
	fi

	# Those of exercises are not in the corpus.
	case $cu in
	lessons/*) continue ;;
	esac
	if ! clang_knows "$cu"; then
		skip "$cu is kept as clang compiles it" "this clang does not know its GPU"
		continue
	fi

	# What clang makes of it is kept too, for the test that both run alike (tests/unit/test_corpus.c).
	kept=tests/ptx/corpus/$(basename "$cu" .cu)-clang14.ptx
	if [ "$(sed -n 3p "$kept")" = "$(sed -n 3p "$work/${cu%.cu}.clang.ptx" 2> /dev/null)" ]; then
		diff "$kept" "$work/${cu%.cu}.clang.ptx" > "$work/out"
		report $? "$cu gives $kept, byte for byte"
	else
		skip "$cu gives $kept, byte for byte" "made by another clang, or none is here"
	fi
done
finish
