# What a stranger's file, name or program must not do.
TESTS += tests/attack/compile.sh tests/attack/compile-terminal.sh
EXTRA_DIST += tests/attack/compile.sh tests/attack/compile-terminal.sh tests/attack/stand-in-nvcc
