/* A host that touches memory of the device: it gets a signal, as with a GPU, and here a sentence, too. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "runtime/report/backtrace.h"
#include "runtime/report/report_parts.h"
#include "runtime/report/report_unsynced.h"

static struct runtime *watched;

#define FRAMES 24

/* The program's calls: from the instruction that was interrupted, which the frames after that of the signal begin with. */
struct report_site report_site_of_signal(const void *signal_context)
{
	void *frames[FRAMES], *at = NULL;
	const ucontext_t *context = signal_context;
#ifdef __x86_64__
	at = (void *)context->uc_mcontext.gregs[REG_RIP];
#endif
	int n = backtrace(frames, FRAMES), first = 0;
	while (first < n && frames[first] != at)
		first++;
	if (first == n)
		return report_site_of(&at, 1);
	frames[first] = (char *)at + 1; /* others are where a call returns to */
	return report_site_of(frames + first, n - first);
}

static void tell(const siginfo_t *info, const ucontext_t *context)
{
	struct runtime *r = watched;
	struct report_site site = report_site_of_signal(context);
	struct buf where = {0};
	uint64_t address = (uintptr_t)info->si_addr;
	runtime_lock();
	report_address(r, address, &where);
	report_problem(r, REPORT_HOST_ACCESS, &site,
		"the host uses the address %p, which is memory of the device%s%s; only kernels and copies can use it",
		info->si_addr, where.len ? ": " : "", where.len ? buf_str(&where) : "");
	report_write(r);
	runtime_unlock();
	buf_free(&where);
}

/* What it is told of is the program's end: the instruction is executed again, without us. A signal that somebody sent (si_code, see
 * sigaction(2)) has no instruction, and is sent again. */
static void on_fault(int number, siginfo_t *info, void *context)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	if (info->si_code > 0 && report_touched(info, context))
		return;
	sigaction(number, &plain, NULL);
	if (info->si_code <= 0)
		raise(number);
	else if (runtime_is_of_device(watched, info->si_addr))
		tell(info, context);
}

/* One instruction of the host was let through. */
static void on_step(int number, siginfo_t *info, void *context)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	(void)info;
	if (report_stepped(context))
		return;
	sigaction(number, &plain, NULL);
	raise(number);
}

static void catch_signal(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction before, ours = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER};
	if (sigaction(number, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
		sigaction(number, &ours, NULL);
}

bool report_signals_are_ours(void)
{
	struct sigaction now;
	return sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fault &&
		sigaction(SIGTRAP, NULL, &now) == 0 && now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_step;
}

void report_signals_begin(struct runtime *r)
{
	void *frame;
	watched = r;
	backtrace(&frame, 1); /* it loads what it needs now, and not in a handler */
	catch_signal(SIGSEGV, on_fault);
	catch_signal(SIGBUS, on_fault);
	catch_signal(SIGTRAP, on_step);
}
