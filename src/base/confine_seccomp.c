#include "config.h"
#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__ && !defined __AARCH64EB__
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH

#define LAST_CALL 462u /* mseal, Linux 6.10: what came later was not looked at */
#define FILTER_MAX 400 /* instructions: two for each call of the table, six for each argument */
#define BLOCK 12       /* of calls of the table */
#define ABI_SIZES 3    /* of Landlock: it looks at sizes of files */
#define ABI_SCOPES 6   /* it tells the processes that are confined with us from others */

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED true
#else
#define SANITIZED false
#endif

#define NEW_NAMESPACE                                                                                                  \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* Calls that are not on every architecture, and the numbers, alike on all, of those that headers may not know. */
#define ABSENT -1
#ifndef SYS_fork
#define SYS_fork ABSENT
#define SYS_vfork ABSENT
#define SYS_chmod ABSENT
#define SYS_chown ABSENT
#define SYS_lchown ABSENT
#define SYS_utime ABSENT
#define SYS_utimes ABSENT
#define SYS_futimesat ABSENT
#define SYS_mknod ABSENT
#define SYS_open ABSENT
#endif
#ifndef SYS_iopl
#define SYS_iopl ABSENT
#define SYS_ioperm ABSENT
#define SYS_modify_ldt ABSENT
#endif
#ifndef SYS_kexec_file_load
#define SYS_kexec_file_load ABSENT
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static const struct {
	enum when { ALWAYS, EXECUTE, FORK, FOREIGN } when;
	long number;
} calls[] = {
#define CALL(when, name) {when, SYS_##name},
#include "base/confine_calls.def"
#undef CALL
};

struct filter {
	struct sock_filter code[FILTER_MAX];
	unsigned short n;
};

static void add(struct filter *f, struct sock_filter instruction)
{
	if (f->n < FILTER_MAX)
		f->code[f->n++] = instruction;
}

static void load(struct filter *f, size_t offset)
{
	add(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void end_with(struct filter *f, int error)
{
	add(f,
		(struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | (uint32_t)error : SECCOMP_RET_ALLOW));
}

static void refuse_call(struct filter *f, long number, int error)
{
	if (number == ABSENT)
		return;
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1));
	end_with(f, error);
}

struct argument {
	long call;
	int index;
	uint32_t mask, value;
};

/* Where the masked lower half of the argument is that value, or where it is not. The kernel's functions take no more than that
 * half of those that are looked at here. */
static void refuse_argument(struct filter *f, struct argument a, bool equal)
{
	if (a.call == ABSENT)
		return;
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)a.call, 0, 5));
	load(f, offsetof(struct seccomp_data, args) + (size_t)a.index * sizeof(uint64_t));
	add(f, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, a.mask));
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, a.value, equal ? 0 : 1, equal ? 1 : 0));
	end_with(f, EPERM);
	load(f, offsetof(struct seccomp_data, nr));
}

static int ascending(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;
	return (x > y) - (x < y);
}

/* In blocks, so that a call passes few of its comparisons, and so that the kernel, which tries all numbers beforehand, is done soon. */
static void refuse_table(struct filter *f, unsigned liberties)
{
	long numbers[sizeof calls / sizeof *calls];
	size_t n = 0;
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].number != ABSENT &&
			(calls[i].when == ALWAYS || (calls[i].when == FOREIGN && !SANITIZED) ||
				(calls[i].when == EXECUTE && !(liberties & CONFINE_MAY_EXECUTE)) ||
				(calls[i].when == FORK && !(liberties & CONFINE_MAY_FORK))))
			numbers[n++] = calls[i].number;
	qsort(numbers, n, sizeof *numbers, ascending);
	for (size_t i = 0; i < n; i++) {
		size_t left = n - i < BLOCK ? n - i : BLOCK;
		if (i % BLOCK == 0)
			add(f,
				(struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)numbers[i + left - 1],
					(uint8_t)(2 * left), 0));
		refuse_call(f, numbers[i], EPERM);
	}
}

/* What Landlock does in later versions. A process may signal itself: raise() and abort() do. */
static void refuse_for_landlock(struct filter *f, unsigned liberties, int abi)
{
	const uint32_t all = UINT32_MAX, sizes = O_TRUNC | O_ACCMODE, self = (uint32_t)getpid();
	if (abi < ABI_SIZES) {
		refuse_argument(f, (struct argument){SYS_open, 1, sizes, O_TRUNC | O_RDONLY}, true);
		refuse_argument(f, (struct argument){SYS_openat, 2, sizes, O_TRUNC | O_RDONLY}, true);
		refuse_call(f, SYS_openat2, ENOSYS); /* its flags cannot be seen */
	}
	if (abi < ABI_SCOPES && !(liberties & CONFINE_MAY_SIGNAL)) {
		refuse_argument(f, (struct argument){SYS_kill, 0, all, self}, false);
		refuse_argument(f, (struct argument){SYS_tgkill, 0, all, self}, false);
		refuse_argument(f, (struct argument){SYS_rt_tgsigqueueinfo, 0, all, self}, false);
		refuse_call(f, SYS_tkill, EPERM);
		refuse_call(f, SYS_rt_sigqueueinfo, EPERM);
		refuse_call(f, SYS_pidfd_send_signal, EPERM);
	}
}

static void refuse_arguments(struct filter *f, unsigned liberties)
{
	const uint32_t all = UINT32_MAX;
	refuse_argument(f, (struct argument){SYS_ioctl, 1, all, TIOCSTI}, true);
	refuse_argument(f, (struct argument){SYS_ioctl, 1, all, TIOCLINUX}, true);
	refuse_argument(f, (struct argument){SYS_prlimit64, 0, all, 0}, false); /* another process's */
	refuse_argument(f, (struct argument){SYS_clone, 0, NEW_NAMESPACE, 0}, false);
	if (!(liberties & CONFINE_MAY_FORK) && !SANITIZED)
		refuse_argument(f, (struct argument){SYS_clone, 0, CLONE_THREAD, 0}, true);
	refuse_call(f, SYS_clone3, ENOSYS); /* its flags cannot be seen; the C library then takes clone */
}

static void fill(struct filter *f, unsigned liberties, int abi)
{
	load(f, offsetof(struct seccomp_data, arch));
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0));
	end_with(f, EPERM);
	load(f, offsetof(struct seccomp_data, nr));
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST_CALL, 0, 1)); /* and the x32 ones */
	end_with(f, ENOSYS);
	refuse_table(f, liberties);
	refuse_arguments(f, liberties);
	refuse_for_landlock(f, liberties, abi);
	end_with(f, 0);
}

bool confine_seccomp_offered(void)
{
	const uint32_t action = SECCOMP_RET_ERRNO;
	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0u, &action) == 0;
}

/* Without SPEC_ALLOW some kernels slow the process down, against attacks by code that it compiles for others: there is none. */
bool confine_seccomp(unsigned liberties, int abi)
{
	struct filter f = {.n = 0};
	fill(&f, liberties, abi);
	if (f.n == FILTER_MAX) {
		errno = E2BIG;
		return false;
	}
	const struct sock_fprog program = {f.n, f.code};
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		       &program) == 0;
}

#else

bool confine_seccomp_offered(void)
{
	return false; /* its numbers of calls are not known here */
}

bool confine_seccomp(unsigned liberties, int abi)
{
	(void)liberties, (void)abi;
	return true;
}

#endif
