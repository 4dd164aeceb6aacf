#include "config.h"
#include "tools/sandbox/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined CONFINE_TEST_ARCH /* with that one's numbers of calls: tests/unit/filter_aarch64.c */
#define ARCH CONFINE_TEST_ARCH
#elif defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__ && !defined __AARCH64EB__
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH

#define LAST_CALL 462u /* mseal, Linux 6.10: what came later was not looked at */
#define ARGUMENTS_MAX 16
#define ABI_SIZES 3  /* of Landlock: it looks at sizes of files */
#define ABI_SCOPES 6 /* it tells the processes that are confined with us from others */

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
	enum when { ALWAYS, EXECUTE, FORK, ACCEPT, DIAL, FOREIGN } when;
	long number;
} calls[] = {
#define CALL(when, name) {when, SYS_##name},
#include "tools/sandbox/confine_calls.def"
#undef CALL
};

/* What becomes of a call: the values are errnos, or these. */
enum { ALLOWED = 0, LOOKED_AT = UINT8_MAX };

/* A call whose argument decides: it is refused where the masked lower half of that is the value, or where it is not.
 * The kernel's functions take no more than that half of those that are looked at here. */
struct argument {
	long call;
	int index;
	uint32_t mask, value;
	bool equal;
};

/* Where a comparison decides: the instruction, and whether it holds. */
struct leaf {
	unsigned short at;
	bool yes;
	uint8_t fate;
};

struct filter {
	uint8_t fate[LAST_CALL + 1]; /* of each number */
	struct argument arguments[ARGUMENTS_MAX];
	int n_arguments;
	struct sock_filter *code;
	unsigned short n;
	struct leaf leaves[CONFINE_FILTER_MAX];
	int n_leaves;
	bool full;
};

/* --- what is refused ---------------------------------------------------------------------------------------------- */

static void refuse_call(struct filter *f, long number, uint8_t error)
{
	if (number != ABSENT && number <= (long)LAST_CALL) /* later ones are refused anyway */
		f->fate[number] = error;
}

static void refuse_argument(struct filter *f, struct argument a)
{
	refuse_call(f, a.call, LOOKED_AT);
	if (f->n_arguments == ARGUMENTS_MAX)
		f->full = true;
	else if (a.call != ABSENT)
		f->arguments[f->n_arguments++] = a;
}

/* --- the filter's code -------------------------------------------------------------------------------------------- */

static void add(struct filter *f, struct sock_filter instruction)
{
	if (f->n == CONFINE_FILTER_MAX)
		f->full = true;
	else
		f->code[f->n++] = instruction;
}

static void load(struct filter *f, size_t offset)
{
	add(f, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void jump_if(struct filter *f, uint16_t relation, uint32_t value, uint8_t yes, uint8_t no)
{
	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | relation | BPF_K, value, yes, no));
}

static void end_with(struct filter *f, uint8_t error)
{
	add(f,
		(struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | (uint32_t)error : SECCOMP_RET_ALLOW));
}

/* Sets where one branch of a comparison goes: to the next instruction that is added. */
static void land(struct filter *f, unsigned short at, bool yes)
{
	int offset = f->n - at - 1;
	*(yes ? &f->code[at].jt : &f->code[at].jf) = (uint8_t)offset;
	f->full |= offset > UINT8_MAX;
}

static void add_tree(struct filter *f, const uint16_t *starts, int n);

static void add_branch(struct filter *f, struct leaf leaf, const uint16_t *starts, int n)
{
	if (n > 1) {
		land(f, leaf.at, leaf.yes);
		add_tree(f, starts, n);
	} else if (f->n_leaves == CONFINE_FILTER_MAX) {
		f->full = true;
	} else {
		leaf.fate = f->fate[starts[0]];
		f->leaves[f->n_leaves++] = leaf;
	}
}

/* For the numbers from the first start on: a tree of comparisons, so that a call passes few of them, and the kernel,
 * which tries all numbers beforehand and translates the code, is done soon. Each start of the program waits for
 * that. */
static void add_tree(struct filter *f, const uint16_t *starts, int n)
{
	unsigned short at = f->n;
	jump_if(f, BPF_JGE, starts[n / 2], 0, 0);
	add_branch(f, (struct leaf){.at = at, .yes = false}, starts, n / 2);
	add_branch(f, (struct leaf){.at = at, .yes = true}, starts + n / 2, n - n / 2);
}

static void land_leaves(struct filter *f, uint8_t fate)
{
	for (int i = 0; i < f->n_leaves; i++)
		if (f->leaves[i].fate == fate)
			land(f, f->leaves[i].at, f->leaves[i].yes);
}

static void add_calls(struct filter *f)
{
	static const uint8_t ends[] = {ALLOWED, EPERM, ENOSYS};
	uint16_t starts[LAST_CALL + 1]; /* of numbers that follow one another and have the same fate */
	int n = 0;
	for (unsigned i = 0; i <= LAST_CALL; i++)
		if (i == 0 || f->fate[i] != f->fate[i - 1])
			starts[n++] = (uint16_t)i;
	add_tree(f, starts, n);
	for (size_t i = 0; i < sizeof ends; i++) {
		land_leaves(f, ends[i]);
		end_with(f, ends[i]);
	}
	land_leaves(f, LOOKED_AT);
}

bool confine_seccomp_offered(void)
{
	const uint32_t action = SECCOMP_RET_ERRNO;
	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0u, &action) == 0;
}

unsigned short confine_filter(unsigned liberties, int abi, struct sock_filter *code)
{
	struct filter f = {.code = code};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].when == ALWAYS || (calls[i].when == FOREIGN && !SANITIZED) ||
			(calls[i].when == EXECUTE && !(liberties & CONFINE_MAY_EXECUTE)) ||
			(calls[i].when == FORK && !(liberties & CONFINE_MAY_FORK)) ||
			(calls[i].when == ACCEPT && !(liberties & CONFINE_MAY_ACCEPT)) ||
			(calls[i].when == DIAL && !(liberties & CONFINE_MAY_CALL)))
			refuse_call(&f, calls[i].number, EPERM);

	const uint32_t all = UINT32_MAX, sizes = O_TRUNC | O_ACCMODE, self = (uint32_t)getpid();
	if (liberties & CONFINE_MAY_CALL)
		refuse_argument(&f, (struct argument){SYS_socket, 0, all, AF_UNIX, false});
	refuse_argument(&f, (struct argument){SYS_ioctl, 1, all, TIOCSTI, true});
	refuse_argument(&f, (struct argument){SYS_ioctl, 1, all, TIOCLINUX, true});
	refuse_argument(&f, (struct argument){SYS_prlimit64, 0, all, 0, false}); /* another process's */
	/* who gets a signal when a descriptor is ready, and which one: any process, and also SIGKILL */
	refuse_argument(&f, (struct argument){SYS_fcntl, 1, all, F_SETOWN, true});
	refuse_argument(&f, (struct argument){SYS_fcntl, 1, all, F_SETOWN_EX, true});
	refuse_argument(&f, (struct argument){SYS_ioctl, 1, all, FIOSETOWN, true});
	refuse_argument(&f, (struct argument){SYS_ioctl, 1, all, SIOCSPGRP, true});
	refuse_argument(&f, (struct argument){SYS_clone, 0, NEW_NAMESPACE, 0, false});
	if (!(liberties & CONFINE_MAY_FORK) && !SANITIZED)
		refuse_argument(&f, (struct argument){SYS_clone, 0, CLONE_THREAD, 0, true});
	refuse_call(&f, SYS_clone3, ENOSYS); /* its flags cannot be seen; the C library then takes clone */

	/* What Landlock does in later versions. A process may signal itself: raise() and abort() do. */
	if (abi < ABI_SIZES) {
		refuse_argument(&f, (struct argument){SYS_open, 1, sizes, O_TRUNC | O_RDONLY, true});
		refuse_argument(&f, (struct argument){SYS_openat, 2, sizes, O_TRUNC | O_RDONLY, true});
		refuse_call(&f, SYS_openat2, ENOSYS); /* its flags cannot be seen */
	}
	if (abi < ABI_SCOPES) {
		refuse_argument(&f, (struct argument){SYS_kill, 0, all, self, false});
		refuse_argument(&f, (struct argument){SYS_tgkill, 0, all, self, false});
		refuse_argument(&f, (struct argument){SYS_rt_tgsigqueueinfo, 0, all, self, false});
		refuse_call(&f, SYS_tkill, EPERM);
		refuse_call(&f, SYS_rt_sigqueueinfo, EPERM);
		refuse_call(&f, SYS_pidfd_send_signal, EPERM);
	}

	load(&f, offsetof(struct seccomp_data, arch));
	jump_if(&f, BPF_JEQ, ARCH, 1, 0);
	end_with(&f, EPERM);
	load(&f, offsetof(struct seccomp_data, nr));
	jump_if(&f, BPF_JGT, LAST_CALL, 0, 1); /* and the x32 ones */
	end_with(&f, ENOSYS);
	add_calls(&f);
	for (int i = 0; i < f.n_arguments; i++) {
		const struct argument *a = &f.arguments[i];
		jump_if(&f, BPF_JEQ, (uint32_t)a->call, 0, 5);
		load(&f, offsetof(struct seccomp_data, args) + (size_t)a->index * sizeof(uint64_t));
		add(&f, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, a->mask));
		jump_if(&f, BPF_JEQ, a->value, a->equal ? 0 : 1, a->equal ? 1 : 0);
		end_with(&f, EPERM);
		load(&f, offsetof(struct seccomp_data, nr));
	}
	end_with(&f, ALLOWED);

	return f.full ? 0 : f.n;
}

/* Without SPEC_ALLOW some kernels slow the process down, against attacks by code that it compiles for others: there is
 * none. */
bool confine_seccomp(unsigned liberties, int abi)
{
	struct sock_filter code[CONFINE_FILTER_MAX];
	const struct sock_fprog program = {confine_filter(liberties, abi, code), code};
	if (!program.len) {
		errno = E2BIG;
		return false;
	}
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		       &program) == 0;
}

#else

unsigned short confine_filter(unsigned liberties, int abi, struct sock_filter *code)
{
	(void)liberties, (void)abi, (void)code;
	return 0;
}

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
