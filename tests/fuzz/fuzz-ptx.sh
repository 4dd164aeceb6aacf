#!/bin/sh
# Fuzzes the PTX parser and the machine under ASan and UBSan, from all PTX there is in the tree. Needs clang with libFuzzer.
# Usage: fuzz-ptx.sh SOURCE FOLDER [SECONDS [OPTION...]]: FOLDER keeps the fuzzer, its corpus and what it finds.
set -eu
source=$(cd "$1" && pwd)
folder=$2
seconds=${3:-1800}
[ $# -lt 3 ] || shift
shift 2
: "${CLANG:=clang}"
mkdir -p "$folder/seeds" "$folder/corpus"
: > "$folder/config.h"
find "$source/tests" "$source/kernels" -name '*.ptx' -size -40k -exec cp {} "$folder/seeds" \;
"$CLANG" -g -O1 -std=gnu11 -D_GNU_SOURCE -ffp-contract=off -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	-DFUZZING -DSIMT_PKGDATADIR='""' -DSIMT_PKGLIBEXECDIR='""' -DSIMT_BINDIR='""' -DPACKAGE='"simttutor"' -I"$folder" -I"$source/src" \
	-o "$folder/fuzz_ptx" "$source/tests/fuzz/fuzz_ptx.c" "$source"/src/profile/*.c "$source"/src/model/*.c "$source"/src/launch/*.c "$source"/src/simt/*.c "$source"/src/probe/*.c "$source"/src/ptx/*.c "$source"/src/base/*.c \
	-Wno-everything -lm -lutf8proc -lpthread
cd "$folder"
exec ./fuzz_ptx -max_total_time="$seconds" -max_len=20000 -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 "$@" corpus seeds
