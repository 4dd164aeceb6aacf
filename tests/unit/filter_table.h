/* What follows src/tools/sandbox/confine_seccomp.c in a file: the numbers of calls that it was built with. */
#include "unit/filter.h"

static const struct filter_call always[] = {
#define ALWAYS_CALL(name) {#name, SYS_##name},
#define FOREIGN_CALL(name)
#define EXECUTE_CALL(name)
#define FORK_CALL(name)
#define ACCEPT_CALL(name) ALWAYS_CALL(name) /* without that liberty */
#define DIAL_CALL(name) ALWAYS_CALL(name)
#define CALL(when, name) when##_CALL(name)
#include "tools/sandbox/confine_calls.def"
#undef CALL
};

static const struct filter_call free_calls[] = {{"read", SYS_read}, {"write", SYS_write}, {"close", SYS_close},
	{"mmap", SYS_mmap}, {"munmap", SYS_munmap}, {"mprotect", SYS_mprotect}, {"brk", SYS_brk}, {"futex", SYS_futex},
	{"ppoll", SYS_ppoll}, {"pselect6", SYS_pselect6}, {"epoll_pwait", SYS_epoll_pwait},
	{"renameat2", SYS_renameat2}, {"unlinkat", SYS_unlinkat}, {"mkdirat", SYS_mkdirat},
	{"ftruncate", SYS_ftruncate}, {"fchmod", SYS_fchmod}, {"fsync", SYS_fsync}, {"getdents64", SYS_getdents64},
	{"readlinkat", SYS_readlinkat}, {"sendmsg", SYS_sendmsg}, {"recvmsg", SYS_recvmsg}, {"wait4", SYS_wait4},
	{"waitid", SYS_waitid}, {"rt_sigaction", SYS_rt_sigaction}, {"rt_sigprocmask", SYS_rt_sigprocmask},
	{"clock_nanosleep", SYS_clock_nanosleep}, {"getrandom", SYS_getrandom}, {"exit_group", SYS_exit_group},
	{"pidfd_open", SYS_pidfd_open}, {"close_range", SYS_close_range}};

#define FILTER_ARCH(title, build_it)                                                                                   \
	{                                                                                                              \
		.name = title, .audit = ARCH, .build = build_it, .always = always,                                     \
		.n_always = sizeof always / sizeof *always, .free = free_calls,                                        \
		.n_free = sizeof free_calls / sizeof *free_calls, .ioctl = SYS_ioctl, .fcntl = SYS_fcntl,              \
		.prlimit = SYS_prlimit64, .clone = SYS_clone, .clone3 = SYS_clone3, .kill = SYS_kill,                  \
		.tgkill = SYS_tgkill, .tkill = SYS_tkill, .pidfd_send_signal = SYS_pidfd_send_signal,                  \
		.openat = SYS_openat, .openat2 = SYS_openat2, .execve = SYS_execve, .ptrace = SYS_ptrace               \
	}
