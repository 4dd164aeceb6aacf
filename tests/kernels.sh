#!/bin/sh
# Is the PTX beside each kernel the one its source makes?
. "${top_srcdir:=.}/tests/tap.sh"
cd "$top_srcdir" || exit 99
: "${NVCC:=:}" "${CLANG:=:}"

set -- kernels/*.cu lessons/*/exercise/*.cu lessons/*/exercise/wrong/*.cu
for cu in "$@"; do
	ptx=${cu%.cu}.ptx

	grep -qF "// from: $cu kernels/simt.h (cksum $(cat "$cu" kernels/simt.h | cksum))" "$ptx"
	report $? "$ptx was made from the sources as they are"

	made_by=$(sed -n '3s|^// by: ||p' "$ptx")
	if [ "$NVCC" = : ]; then
		skip "$cu gives $ptx" "no nvcc"
	elif [ "$("$NVCC" --version | sed -n 's/^.*release/nvcc release/p')" != "$made_by" ]; then
		skip "$cu gives $ptx" "made by $made_by, which is not the nvcc here"
	else
		NVCC=$NVCC kernels/make-ptx "$cu" > "$work/nvcc.ptx" && diff "$ptx" "$work/nvcc.ptx" | sed 's/^/# /' &&
			cmp -s "$ptx" "$work/nvcc.ptx"
		report $? "$cu gives $ptx, byte for byte"
	fi

	if [ "$CLANG" = : ]; then
		skip "$cu compiles with clang alone" "no clang"
	else
		CLANG=$CLANG kernels/make-ptx --clang "$cu" > "$work/clang.ptx" 2> "$work/errors"
		status=$?
		sed 's/^/# /' "$work/errors"
		report $status "$cu compiles with clang, without NVIDIA's headers"
	fi

	# Those of exercises are not in the corpus.
	case $cu in
	lessons/*) skip "$cu is kept as clang compiles it" "of an exercise"; continue ;;
	esac

	# What clang makes of it is kept too, for the test that both run alike (tests/unit/test_corpus.c).
	kept=tests/ptx/corpus/$(basename "$cu" .cu)-clang14.ptx
	if [ "$(sed -n 3p "$kept")" = "$(sed -n 3p "$work/clang.ptx" 2> /dev/null)" ]; then
		cmp -s "$kept" "$work/clang.ptx"
		report $? "$cu gives $kept, byte for byte"
	else
		skip "$cu gives $kept" "made by another clang, or none is here"
	fi
done
finish
