# What a stranger's file, name or program must not do.
TESTS += tests/attack/compile.sh tests/attack/compile-terminal.sh
EXTRA_DIST += tests/attack/compile.sh tests/attack/compile-terminal.sh tests/attack/stand-in-nvcc

check_PROGRAMS += tests/attack/forbidden
tests_attack_forbidden_SOURCES = tests/attack/forbidden.c
tests_attack_forbidden_LDADD = src/base/libbase.a
TESTS += tests/attack/confine.sh
EXTRA_DIST += tests/attack/confine.sh
