/* The programs of the seccomp filter, for this machine and for aarch64, interpreted. What the kernel makes of one is in
 * tests/attack/confine.sh. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/sandbox/confine.h"
#include "unit/filter.h"

#define NEWEST_ABI 7

static struct sock_filter code[CONFINE_FILTER_MAX];
static unsigned short length;
static const struct filter_arch *arch;

static uint32_t jump(const struct sock_filter *at, uint32_t value)
{
	switch (BPF_OP(at->code)) {
	case BPF_JEQ: return value == at->k ? at->jt : at->jf;
	case BPF_JGT: return value > at->k ? at->jt : at->jf;
	case BPF_JGE: return value >= at->k ? at->jt : at->jf;
	}
	fail_msg("a jump that is not known: %#x", at->code);
	return 0;
}

/* What the filter returns for a call: 0, or an errno. */
static int interpret(const struct seccomp_data *data)
{
	uint32_t value = 0;
	for (unsigned i = 0; i < length; i++) {
		const struct sock_filter *at = &code[i];
		switch (BPF_CLASS(at->code)) {
		case BPF_LD:
			assert_int_equal(at->code, BPF_LD | BPF_W | BPF_ABS);
			assert_true(at->k + sizeof value <= sizeof *data);
			memcpy(&value, (const char *)data + at->k, sizeof value);
			break;
		case BPF_ALU:
			assert_int_equal(at->code, BPF_ALU | BPF_AND | BPF_K);
			value &= at->k;
			break;
		case BPF_JMP: i += jump(at, value); break;
		case BPF_RET:
			if (at->k == SECCOMP_RET_ALLOW)
				return 0;
			assert_int_equal(at->k & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_ERRNO);
			return (int)(at->k & SECCOMP_RET_DATA);
		default: fail_msg("an instruction that is not known: %#x", at->code);
		}
	}
	fail_msg("the program has no end");
	return -1;
}

static int ask(long number, uint64_t first, uint64_t second, uint64_t third)
{
	return interpret(
		&(struct seccomp_data){.nr = (int)number, .arch = arch->audit, .args = {first, second, third}});
}

static void build(unsigned liberties, int abi)
{
	length = arch->build(liberties, abi, code);
	assert_in_range(length, 1, CONFINE_FILTER_MAX);
}

static void expect(int got, int wanted, const char *call)
{
	if (got != wanted)
		fail_msg("%s: %s is %d, not %d", arch->name, call, got, wanted);
}

static void check_lists(void)
{
	for (size_t i = 0; i < arch->n_always; i++)
		if (arch->always[i].number >= 0)
			expect(ask(arch->always[i].number, 0, 0, 0), EPERM, arch->always[i].name);
	for (size_t i = 0; i < arch->n_free; i++)
		expect(ask(arch->free[i].number, UINT64_MAX, UINT64_MAX, UINT64_MAX), 0, arch->free[i].name);
	expect(ask(463, 0, 0, 0), ENOSYS, "a call younger than the filter");
	expect(ask(INT_MAX, 0, 0, 0), ENOSYS, "a call of no kernel");
	expect(ask(-1, 0, 0, 0), ENOSYS, "a negative one");
	expect(ask(0x40000000, 0, 0, 0), ENOSYS, "one of x32");
	expect(ask(arch->clone3, 0, 0, 0), ENOSYS, "clone3");
	expect(interpret(&(struct seccomp_data){.nr = (int)arch->free[0].number, .arch = AUDIT_ARCH_I386}), EPERM,
		"a call of another architecture");
}

static void check_arguments(unsigned liberties)
{
	const bool forks = liberties & CONFINE_MAY_FORK;
	expect(ask(arch->ioctl, 0, TIOCSTI, 0), EPERM, "TIOCSTI");
	expect(ask(arch->ioctl, 0, TIOCLINUX, 0), EPERM, "TIOCLINUX");
	expect(ask(arch->ioctl, 0, TIOCSTI | 1ull << 32, 0), EPERM, "TIOCSTI with other high bits");
	expect(ask(arch->ioctl, 0, TIOCGWINSZ, 0), 0, "TIOCGWINSZ");
	expect(ask(arch->fcntl, 0, F_SETOWN, 0), EPERM, "F_SETOWN");
	expect(ask(arch->fcntl, 0, F_SETOWN_EX, 0), EPERM, "F_SETOWN_EX");
	expect(ask(arch->fcntl, 0, F_SETFL, 0), 0, "F_SETFL");
	expect(ask(arch->prlimit, 0, 0, 0), 0, "one's own limits");
	expect(ask(arch->prlimit, 1, 0, 0), EPERM, "another's limits");
	expect(ask(arch->clone, CLONE_VM | CLONE_THREAD, 0, 0), 0, "a thread");
	expect(ask(arch->clone, CLONE_THREAD | CLONE_NEWUSER, 0, 0), EPERM, "a namespace");
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
	expect(ask(arch->clone, SIGCHLD, 0, 0), forks ? 0 : EPERM, "a process");
	expect(ask(arch->ptrace, 0, 0, 0), EPERM, "ptrace");
#endif
	expect(ask(arch->execve, 0, 0, 0), liberties & CONFINE_MAY_EXECUTE ? 0 : EPERM, "execve");
	(void)forks;
}

static long number_of(const char *name)
{
	for (size_t i = 0; i < arch->n_always; i++)
		if (strcmp(arch->always[i].name, name) == 0)
			return arch->always[i].number;
	fail_msg("%s is not in the table", name);
	return -1;
}

/* Who may accept can neither make a socket nor call; who may call makes sockets of this host alone, and serves
 * nobody. */
static void check_sockets(int abi)
{
	build(CONFINE_MAY_ACCEPT, abi);
	expect(ask((int)number_of("accept4"), 3, 0, 0), 0, "accept4");
	expect(ask((int)number_of("socket"), AF_UNIX, 0, 0), EPERM, "a socket, of who accepts");
	expect(ask((int)number_of("connect"), 3, 0, 0), EPERM, "connect, of who accepts");
	build(CONFINE_MAY_CALL, abi);
	expect(ask((int)number_of("socket"), AF_UNIX, 0, 0), 0, "a socket of this host");
	expect(ask((int)number_of("socket"), AF_INET, 0, 0), EPERM, "one of the net");
	expect(ask((int)number_of("connect"), 3, 0, 0), 0, "connect");
	expect(ask((int)number_of("accept4"), 3, 0, 0), EPERM, "accept4, of who calls");
	expect(ask((int)number_of("bind"), 3, 0, 0), EPERM, "bind");
}

static void check_abi(int abi)
{
	const uint64_t self = (uint64_t)getpid();
	const int signals = abi < 6 ? EPERM : 0, sizes = abi < 3;
	expect(ask(arch->kill, self, SIGTERM, 0), 0, "a signal to itself");
	expect(ask(arch->tgkill, self, self, SIGABRT), 0, "abort()");
	expect(ask(arch->kill, self + 1, SIGTERM, 0), signals, "kill");
	expect(ask(arch->kill, (uint64_t) - (int64_t)self, SIGTERM, 0), signals, "kill of a group");
	expect(ask(arch->kill, (uint64_t)-1, SIGTERM, 0), signals, "kill of all");
	expect(ask(arch->kill, 0, SIGTERM, 0), signals, "kill of one's group");
	expect(ask(arch->tgkill, self + 1, self + 1, SIGTERM), signals, "tgkill");
	expect(ask(arch->tkill, self, SIGTERM, 0), signals, "tkill");
	expect(ask(arch->pidfd_send_signal, 3, SIGTERM, 0), signals, "pidfd_send_signal");
	expect(ask(arch->openat, 0, 0, O_RDONLY | O_TRUNC), sizes ? EPERM : 0, "O_RDONLY | O_TRUNC");
	expect(ask(arch->openat, 0, 0, O_WRONLY | O_TRUNC), 0, "O_WRONLY | O_TRUNC");
	expect(ask(arch->openat2, 0, 0, 0), sizes ? ENOSYS : 0, "openat2");
}

static void check(const struct filter_arch *of)
{
	static const unsigned liberties[] = {0, CONFINE_MAY_FORK, CONFINE_MAY_EXECUTE | CONFINE_MAY_FORK};
	arch = of;
	for (int abi = 0; abi <= NEWEST_ABI; abi++)
		for (size_t i = 0; i < sizeof liberties / sizeof *liberties; i++) {
			build(liberties[i], abi);
			check_lists();
			check_arguments(liberties[i]);
			check_abi(abi);
		}
	for (int abi = 0; abi <= NEWEST_ABI; abi++)
		check_sockets(abi);
}

static void the_filter_of_this_machine_refuses_what_it_must(void **state)
{
	(void)state;
	if (!filter_native.build)
		skip();
	check(&filter_native);
}

static void so_does_that_of_aarch64(void **state)
{
	(void)state;
	check(&filter_aarch64);
}

/* They are alike but for numbers, as 198 for a socket and 41. */
static void its_numbers_are_those_of_aarch64(void **state)
{
	(void)state;
	assert_int_equal(filter_aarch64.openat, 56);
	assert_int_equal(filter_aarch64.clone, 220);
	assert_int_equal(filter_aarch64.execve, 221);
	assert_int_equal(filter_aarch64.kill, 129);
	assert_int_equal(filter_aarch64.prlimit, 261);
	for (size_t i = 0; i < filter_aarch64.n_always; i++)
		if (strcmp(filter_aarch64.always[i].name, "socket") == 0)
			assert_int_equal(filter_aarch64.always[i].number, 198);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_filter_of_this_machine_refuses_what_it_must),
		cmocka_unit_test(so_does_that_of_aarch64),
		cmocka_unit_test(its_numbers_are_those_of_aarch64),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
