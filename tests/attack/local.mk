# What a stranger's file, name or program must not do.
TESTS += tests/attack/compile.sh tests/attack/compile-terminal.sh
EXTRA_DIST += tests/attack/compile.sh tests/attack/compile-terminal.sh tests/attack/stand-in-nvcc
attack_tests += tests/attack/compile.sh

check_PROGRAMS += tests/attack/forbidden
tests_attack_forbidden_SOURCES = tests/attack/forbidden.c
tests_attack_forbidden_LDADD = src/tools/sandbox/libsandbox.a src/base/libbase.a $(UTF8PROC_LIBS)
TESTS += tests/attack/confine.sh
EXTRA_DIST += tests/attack/confine.sh
# A program to Automake, so that no libtool is needed; it has no part in sanitizers, whose malloc it would replace.
check_PROGRAMS += tests/attack/inject.so tests/attack/drive
tests_attack_inject_so_SOURCES = tests/attack/inject.c
tests_attack_inject_so_CFLAGS = -std=gnu11 $(SIMT_CFLAGS) -fPIC
tests_attack_inject_so_LDFLAGS = -shared
tests_attack_inject_so_LDADD =
tests_attack_drive_SOURCES = tests/attack/drive.c
tests_attack_drive_LDADD =
TESTS += tests/attack/inject.sh tests/attack/full.sh tests/attack/private.sh
EXTRA_DIST += tests/attack/inject.sh tests/attack/full.sh tests/attack/private.sh
TESTS += tests/attack/traced.sh
attack_tests += tests/attack/traced.sh tests/attack/as-user.sh tests/attack/inject.sh
EXTRA_DIST += tests/attack/traced.sh
TESTS += tests/attack/messages.sh
attack_tests += tests/attack/messages.sh tests/attack/class.sh
EXTRA_DIST += tests/attack/messages.sh tests/attack/hostile.sh
TESTS += tests/attack/tensors.sh
EXTRA_DIST += tests/attack/tensors.sh
attack_tests += tests/attack/tensors.sh
TESTS += tests/attack/programs.sh
EXTRA_DIST += tests/attack/programs.sh
