dnl SIMT_WARNINGS: the warnings this house keeps quiet under, as far as the compiler knows them.
AC_DEFUN([SIMT_WARNINGS], [
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [treat warnings as errors])], [], [enable_werror=no])
SIMT_CFLAGS=
for simt_flag in -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wconversion -Wno-sign-conversion \
		-Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wno-pass-failed; do
	AC_MSG_CHECKING([whether $CC takes $simt_flag])
	simt_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror $simt_flag"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
		[AC_MSG_RESULT([yes]); SIMT_CFLAGS="$SIMT_CFLAGS $simt_flag"], [AC_MSG_RESULT([no])])
	CFLAGS=$simt_saved_CFLAGS
done
AS_IF([test "$enable_werror" = yes], [SIMT_CFLAGS="$SIMT_CFLAGS -Werror"])
AC_SUBST([SIMT_CFLAGS])
])

dnl SIMT_SANITIZE: --enable-sanitize builds everything under AddressSanitizer and UndefinedBehaviorSanitizer,
dnl --enable-sanitize=thread under ThreadSanitizer, --enable-sanitize=fuzz as yes with the fuzz targets as fuzzers.
AC_DEFUN([SIMT_SANITIZE], [
AC_ARG_ENABLE([sanitize], [AS_HELP_STRING([--enable-sanitize@<:@=thread|fuzz@:>@],
	[build with ASan and UBSan, with TSan, or tests/fuzz as fuzzers (clang)])], [], [enable_sanitize=no])
AS_CASE([$enable_sanitize],
	[no], [simt_sanitizers=],
	[yes], [simt_sanitizers=address,undefined],
	[thread], [simt_sanitizers=thread],
	[fuzz], [simt_sanitizers=fuzzer-no-link,address,undefined],
	[AC_MSG_ERROR([--enable-sanitize=$enable_sanitize: it takes yes, no, thread or fuzz])])
AS_IF([test -n "$simt_sanitizers"], [
	SIMT_SANITIZE_FLAGS="-fsanitize=$simt_sanitizers -fno-sanitize-recover=all -fno-omit-frame-pointer -fPIC"
	AS_IF([test "$enable_sanitize" = fuzz], [SIMT_FUZZ_CPPFLAGS=-DFUZZING SIMT_FUZZ_LDFLAGS=-fsanitize=fuzzer])
	AC_MSG_CHECKING([whether $CC takes -fsanitize=$simt_sanitizers])
	simt_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $SIMT_SANITIZE_FLAGS"
	AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no]); AC_MSG_ERROR([--enable-sanitize=$enable_sanitize needs another compiler: CC=clang])])
	CFLAGS=$simt_saved_CFLAGS
	AC_DEFINE([SIMT_SANITIZED], [1], [Define to 1 when built under sanitizers.])
])
AC_SUBST([SIMT_SANITIZE_FLAGS])
AC_SUBST([SIMT_FUZZ_CPPFLAGS])
AC_SUBST([SIMT_FUZZ_LDFLAGS])
])

dnl SIMT_SYSTEM: what Linux has and other systems lack, each with another way where it is not there (src/base/portable.h, signals.h).
dnl --enable-portable leaves out all of it, so that the other ways can be tried on Linux.
AC_DEFUN([SIMT_SYSTEM], [
AC_ARG_ENABLE([portable], [AS_HELP_STRING([--enable-portable],
	[do without what Linux has and other systems lack, to try the other ways])], [], [enable_portable=no])
AS_IF([test "$enable_portable" = yes], [
	for simt_name in accept4 close_range getrandom madvise memfd_create pipe2 renameat2 sched_getaffinity; do
		eval "ac_cv_func_$simt_name=no"
	done
	for simt_name in elf_h linux_magic_h linux_openat2_h linux_seccomp_h sys_epoll_h sys_prctl_h sys_signalfd_h; do
		eval "ac_cv_header_$simt_name=no"
	done
	for simt_name in O_PATH POSIX_SPAWN_SETSID SYS_pidfd_open; do
		eval "ac_cv_have_decl_$simt_name=no"
	done
	AC_DEFINE([SIMT_PORTABLE], [1], [Define to 1 to do without what Linux has and other systems lack.])
])
AC_CHECK_FUNCS([accept4 close_range getentropy getpeereid getrandom madvise memfd_create pipe2 renameat2 sched_getaffinity])
AC_CHECK_HEADERS([elf.h linux/magic.h linux/openat2.h linux/seccomp.h malloc.h sys/epoll.h sys/prctl.h sys/random.h sys/signalfd.h])
dnl musl has no such header.
AC_CHECK_HEADERS([execinfo.h])
AC_CHECK_DECLS([environ], [], [], [[#include <unistd.h>]])
AC_CHECK_DECLS([O_PATH], [], [], [[#include <fcntl.h>]])
AC_CHECK_DECLS([POSIX_SPAWN_SETSID], [], [], [[#include <spawn.h>]])
AC_CHECK_DECLS([SO_PEERCRED], [], [], [[#include <sys/socket.h>]])
AC_CHECK_DECLS([SYS_pidfd_open], [], [], [[#include <sys/syscall.h>]])
AC_CHECK_MEMBERS([struct stat.st_mtim], [], [], [[#include <sys/stat.h>]])
dnl Without seccomp's header there is no confinement at all, and so nothing that starts programs for what is confined.
AS_IF([test "$ac_cv_header_linux_seccomp_h" = yes],
	[AC_DEFINE([SIMT_CONFINES], [1], [Define to 1 where Landlock and seccomp can be asked for.])])
AM_CONDITIONAL([CONFINES], [test "$ac_cv_header_linux_seccomp_h" = yes])

dnl The runtime of whole programs is made of shared libraries as Linux has them, with memory mapped twice. --enable-portable keeps it.
AC_CHECK_FUNCS([mremap dl_iterate_phdr])
AC_CHECK_DECLS([LAV_CURRENT], [], [], [[#include <link.h>]])
AM_CONDITIONAL([HAVE_AUDIT], [test "$ac_cv_have_decl_LAV_CURRENT" = yes])
AM_CONDITIONAL([HAVE_RUNTIME], [test "$ac_cv_func_mremap$ac_cv_func_dl_iterate_phdr" = yesyes])

AC_MSG_CHECKING([whether the linker takes --as-needed])
simt_saved_LDFLAGS=$LDFLAGS
LDFLAGS="$LDFLAGS -Wl,--as-needed"
AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes]); SIMT_LDFLAGS=-Wl,--as-needed], [AC_MSG_RESULT([no]); SIMT_LDFLAGS=])
LDFLAGS=$simt_saved_LDFLAGS
AC_SUBST([SIMT_LDFLAGS])
])

dnl SIMT_COVERAGE: --enable-coverage instruments for gcov.
AC_DEFUN([SIMT_COVERAGE], [
AC_ARG_ENABLE([coverage], [AS_HELP_STRING([--enable-coverage], [instrument for gcov])], [], [enable_coverage=no])
AS_IF([test "$enable_coverage" = yes], [SIMT_COVERAGE_FLAGS="--coverage -O0 -DSIMT_COVERAGE_FOLDER='\"$PWD\"'"])
AC_SUBST([SIMT_COVERAGE_FLAGS])
])

dnl SIMT_CUDA: finds the headers of the CUDA driver API and of CUPTI, in an installer's toolkit (DIR/include and
dnl DIR/extras/CUPTI/include) or a pip-style one (DIR/include alone). Not finding them is an error only where
dnl they were asked for. Sets CUDA_CPPFLAGS and the conditional HAVE_WORKER.
AC_DEFUN([SIMT_CUDA], [
AC_ARG_WITH([cuda], [AS_HELP_STRING([--with-cuda=guess|yes|no|DIR], [where the CUDA toolkit is @<:@guess@:>@])],
	[], [with_cuda=guess])
AC_ARG_WITH([cupti], [AS_HELP_STRING([--with-cupti=DIR], [where CUPTI is, when it is not in the toolkit])],
	[], [with_cupti=guess])
AS_CASE([$with_cupti], [yes], [with_cupti=guess],
	[no], [AS_IF([test "$with_cuda" != guess && test "$with_cuda" != no],
		[AC_MSG_ERROR([--with-cuda asks for the worker, which needs CUPTI, and --without-cupti refuses it])])
		with_cuda=no])

simt_cuda_dir=
simt_cupti_inc=
simt_cuda_why="not asked for"
AS_IF([test "$with_cuda" != no], [
	AS_CASE([$with_cuda],
		[guess|yes], [simt_places="$CUDA_HOME $CUDA_PATH /usr/local/cuda /opt/cuda /usr/lib/cuda /usr"],
		[simt_places=$with_cuda])
	AC_MSG_CHECKING([for cuda.h])
	for simt_dir in $simt_places; do
		AS_IF([test -z "$simt_cuda_dir" && test -f "$simt_dir/include/cuda.h"], [simt_cuda_dir=$simt_dir])
	done
	AC_MSG_RESULT([${simt_cuda_dir:-no}])
	AS_IF([test -n "$simt_cuda_dir"], [
		AS_CASE([$with_cupti],
			[guess], [simt_places="$simt_cuda_dir/extras/CUPTI $simt_cuda_dir"],
			[simt_places="$with_cupti $with_cupti/extras/CUPTI"])
		AC_MSG_CHECKING([for cupti_range_profiler.h])
		for simt_dir in $simt_places; do
			AS_IF([test -z "$simt_cupti_inc" && test -f "$simt_dir/include/cupti_range_profiler.h"],
				[simt_cupti_inc=$simt_dir/include])
		done
		AC_MSG_RESULT([${simt_cupti_inc:-no}])
		simt_cuda_why="no CUPTI range profiler (CUDA 12.6 or later) in $simt_places"
	], [simt_cuda_why="no cuda.h in $simt_places"])
])
AS_IF([test -n "$simt_cupti_inc"], [
	CUDA_CPPFLAGS="-isystem $simt_cuda_dir/include"
	AS_IF([test "$simt_cupti_inc" != "$simt_cuda_dir/include"],
		[CUDA_CPPFLAGS="$CUDA_CPPFLAGS -isystem $simt_cupti_inc"])
	AC_DEFINE([HAVE_WORKER], [1], [Define to 1 when simttutor-gpu is built.])
	simt_cuda_summary="yes, from $simt_cuda_dir"
], [
	AS_CASE([$with_cuda], [guess|no], [], [AC_MSG_ERROR([--with-cuda=$with_cuda: $simt_cuda_why])])
	AS_CASE([$with_cupti], [guess|no], [], [AC_MSG_ERROR([--with-cupti=$with_cupti: $simt_cuda_why])])
	simt_cuda_summary="no: $simt_cuda_why"
])
AC_SUBST([CUDA_CPPFLAGS])
AM_CONDITIONAL([HAVE_WORKER], [test -n "$simt_cupti_inc"])
])

dnl SIMT_WORKER_LIBS: the worker is carried to other machines as one file, so what it needs beside the C library is linked into it
dnl where its archives are there. Sets WORKER_LIBS; WORKER_ONE_FILE in config.h says whether they were.
AC_DEFUN([SIMT_WORKER_LIBS], [
WORKER_LIBS="-Wl,-Bstatic $JANSSON_LIBS $UTF8PROC_LIBS -Wl,-Bdynamic"
AC_MSG_CHECKING([for archives of the worker's libraries])
simt_libs=$LIBS simt_flags=$CPPFLAGS simt_found=yes
LIBS="$WORKER_LIBS $LIBS" CPPFLAGS="$CPPFLAGS $JANSSON_CFLAGS $UTF8PROC_CFLAGS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <jansson.h>
#include <utf8proc.h>]], [[json_decref(json_integer(utf8proc_charwidth(32)));]])],
	[AC_DEFINE([WORKER_ONE_FILE], [1], [Define to 1 when simttutor-gpu needs no library but those of C.])],
	[simt_found=no])
LIBS=$simt_libs CPPFLAGS=$simt_flags
AS_IF([test "$simt_found" = no], [WORKER_LIBS="$JANSSON_LIBS $UTF8PROC_LIBS"])
AC_MSG_RESULT([$simt_found])
AC_SUBST([WORKER_LIBS])
])
