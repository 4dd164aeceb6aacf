/* tests/unit/filter.h: the filter of seccomp for an architecture, and numbers of its calls. filter_native.c and
 * filter_aarch64.c have one each, from the same source with other numbers. */
#pragma once
#include <stddef.h>
#include <stdint.h>

struct sock_filter;

struct filter_call {
	const char *name;
	long number; /* -1: it has none */
};

struct filter_arch {
	const char *name;
	uint32_t audit; /* its AUDIT_ARCH_ */
	unsigned short (*build)(unsigned liberties, int abi, struct sock_filter *code);
	const struct filter_call *always; /* that are refused to everybody */
	size_t n_always;
	const struct filter_call *free; /* that nobody is refused */
	size_t n_free;
	/* those whose arguments count, and some that depend on liberties */
	long ioctl, fcntl, prlimit, clone, clone3, kill, tgkill, tkill, pidfd_send_signal, openat, openat2, execve,
		ptrace;
};

extern const struct filter_arch filter_native, filter_aarch64;
