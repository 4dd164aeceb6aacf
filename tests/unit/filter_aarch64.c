/* The filter for aarch64, whatever this is built for: that one's numbers are the kernel's generic ones. */
#define _ASM_X86_UNISTD_H 1 /* instead of x86-64's */
#define __ARCH_WANT_RENAMEAT
#define __ARCH_WANT_NEW_STAT
#define __ARCH_WANT_SET_GET_RLIMIT
#define __ARCH_WANT_SYS_CLONE3
#define __ARCH_WANT_MEMFD_SECRET
#include <asm-generic/unistd.h>

#include <linux/audit.h>

#define CONFINE_TEST_ARCH AUDIT_ARCH_AARCH64
#define confine_filter filter_aarch64_build
#define confine_seccomp filter_aarch64_seccomp
#define confine_seccomp_offered filter_aarch64_offered
#include "tools/sandbox/confine_seccomp.c"

#include "unit/filter_table.h"
const struct filter_arch filter_aarch64 = FILTER_ARCH("aarch64", filter_aarch64_build);
