#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/arena.h"
#include "machine/ptx/program.h"
#include "runtime/report/report.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

#define USES_MAX 16  /* of a range, that nothing has waited for; a 17th is not followed */
#define OF_WORK 8    /* uses of a launch */
#define TOUCHES 4096 /* of a range; after these it can be touched freely until it is waited for */
#define SITES 16     /* of the host, of a range */
#define PAGE 4096u
#define WORD 4u
#define TRAP_FLAG 0x100 /* of x86-64: a signal after the next instruction */
#ifdef __x86_64__
#define CAN_STEP true
#else
#define CAN_STEP false /* there is no finding, as one would not know when to close what was opened */
#endif

/* What work of one stream does with a range. Bits of words. */
struct report_use {
	struct report_range *range;
	const struct cuda_stream *stream;
	uint64_t last; /* operation */
	uint64_t *reads, *writes;
	const struct cuda_kernel *kernel; /* that wrote last, or was asked for last; NULL: a copy */
	struct cuda_config config;
	const struct report_site *site;
	bool open, sealed; /* sealed: something may be between this and what comes next */
};

struct report_uses {
	int n;
	struct report_use *of[OF_WORK];
};

struct host_touch {
	uint64_t address;
	uint16_t uses, site;
	bool writes;
};

struct host_place {
	void *instruction;
	struct report_site site;
};

/* Memory with two addresses. */
struct report_range {
	uint64_t address;
	size_t bytes;
	bool closed; /* its pages are not the host's now */
	struct report_use uses[USES_MAX];
	struct host_touch *touches;
	int n_touches, n_sites;
	struct host_place sites[SITES];
};

/* What a stream awaited of another. */
struct stream_awaited {
	const struct cuda_stream *stream, *of;
	uint64_t number, serial;
};

static struct {
	struct report_range **of;
	int n, cap;
	struct stream_awaited *awaited;
	int n_awaited, awaited_cap;
	pthread_spinlock_t lock; /* of the ranges, for handlers; nothing that is closed is touched under it */
	bool ready;
} ranges;

static _Thread_local struct report_range *stepping;

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* The memory is mapped shared, since mremap makes a second mapping of shared memory alone. Addresses as state.c has
 * those of devices: the same in each process, and each once; after them, whatever there is. */
#define SHARED_BEGIN ((uintptr_t)0x510000000000)
#define SHARED_END ((uintptr_t)0x550000000000)
#define SHARED_APART ((size_t)1 << 16)

static void *next_shared(size_t bytes)
{
	static uintptr_t next = SHARED_BEGIN;
	if (bytes > SHARED_END - next || SHARED_END - next - bytes < 2 * SHARED_APART)
		return NULL;
	uintptr_t at = next;
	next += (bytes / SHARED_APART + 2) * SHARED_APART;
	return (void *)at;
}

void *report_share(size_t bytes, void **machine)
{
	int kind = report_is_on() && CAN_STEP ? MAP_SHARED : MAP_PRIVATE;
	void *host = mmap(next_shared(bytes), bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
	if (host == MAP_FAILED)
		return NULL;
	*machine = host;
	void *other = kind == MAP_SHARED ? mremap(host, 0, bytes, MREMAP_MAYMOVE) : MAP_FAILED;
	if (other != MAP_FAILED) {
		*machine = other;

		struct report_range *range = base_calloc(1, sizeof *range);
		if (!ranges.ready)
			pthread_spin_init(&ranges.lock, PTHREAD_PROCESS_PRIVATE);
		ranges.ready = true;
		*range = (struct report_range){.address = (uintptr_t)host, .bytes = bytes};
		pthread_spin_lock(&ranges.lock);
		*(struct report_range **)vec_push(ranges.of, ranges.n, ranges.cap) = range;
		pthread_spin_unlock(&ranges.lock);
	}
	return host;
}

static void drop_use(struct report_use *use)
{
	free(use->reads);
	free(use->writes);
	*use = (struct report_use){0};
}

void report_share_free(void *host, void *machine, size_t bytes)
{
	struct report_range *range = NULL;
	for (int i = 0; i < ranges.n; i++)
		if (ranges.of[i]->address == (uintptr_t)host) {
			range = ranges.of[i];
			pthread_spin_lock(&ranges.lock);
			ranges.of[i] = ranges.of[--ranges.n];
			pthread_spin_unlock(&ranges.lock);
			break;
		}
	for (int i = 0; range && i < USES_MAX; i++)
		drop_use(&range->uses[i]);
	if (range)
		free(range->touches);
	free(range);
	munmap(host, bytes);
	if (machine != host)
		munmap(machine, bytes);
}

static struct report_range *range_of(uint64_t address)
{
	for (int i = 0; i < ranges.n; i++)
		if (address - ranges.of[i]->address < (ranges.of[i]->bytes + PAGE - 1) / PAGE * PAGE)
			return ranges.of[i];
	return NULL;
}

static void set_closed(struct report_range *range, bool closed)
{
	range->closed = closed;
	mprotect((void *)(uintptr_t)range->address, range->bytes, closed ? PROT_NONE : PROT_READ | PROT_WRITE);
}

/* --- the host touches it ------------------------------------------------------------------------------------------ */

static void step(ucontext_t *context, bool on)
{
#ifdef __x86_64__
	greg_t *flags = &context->uc_mcontext.gregs[REG_EFL];
	*flags = on ? *flags | TRAP_FLAG : *flags & ~(greg_t)TRAP_FLAG;
#else
	(void)context, (void)on;
#endif
}

static void *instruction_of(const ucontext_t *context)
{
#ifdef __x86_64__
	return (void *)context->uc_mcontext.gregs[REG_RIP];
#else
	(void)context;
	return NULL;
#endif
}

static bool is_write(const ucontext_t *context)
{
#ifdef __x86_64__
	return context->uc_mcontext.gregs[REG_ERR] & 2;
#else
	(void)context;
	return false;
#endif
}

static int site_of(struct report_range *range, const ucontext_t *context)
{
	void *at = instruction_of(context);
	for (int i = 0; i < range->n_sites; i++)
		if (range->sites[i].instruction == at)
			return i;
	if (range->n_sites == SITES)
		return SITES - 1;
	range->sites[range->n_sites] = (struct host_place){at, report_site_of_signal(context)};
	return range->n_sites++;
}

/* A function of the program that a stream calls comes after what was before it there. */
bool report_touched(const siginfo_t *info, void *context)
{
	uint64_t address = (uintptr_t)info->si_addr;
	if (!ranges.ready)
		return false;
	pthread_spin_lock(&ranges.lock);
	struct report_range *range = range_of(address);
	if (range && range->closed) {
		if (!queue_is_callback() && range->touches) {
			unsigned uses = 0;
			for (int i = 0; i < USES_MAX; i++)
				if (range->uses[i].open) {
					uses |= 1u << i;
					range->uses[i].sealed = true;
				}
			range->touches[range->n_touches++] = (struct host_touch){
				address, (uint16_t)uses, (uint16_t)site_of(range, context), is_write(context)};
		}
		bool follow = range->n_touches < TOUCHES;
		if (!follow)
			set_closed(range, false);
		else
			mprotect((void *)(uintptr_t)(address & ~(uint64_t)(PAGE - 1)), PAGE, PROT_READ | PROT_WRITE);
		stepping = follow ? range : NULL;
		step(context, follow);
	}
	pthread_spin_unlock(&ranges.lock);
	return range != NULL;
}

bool report_stepped(void *context)
{
	if (!stepping)
		return false;
	pthread_spin_lock(&ranges.lock);
	for (int i = 0; i < ranges.n; i++)
		if (ranges.of[i] == stepping && stepping->closed)
			set_closed(stepping, true);
	pthread_spin_unlock(&ranges.lock);
	stepping = NULL;
	step(context, false);
	return true;
}

/* --- work uses it ------------------------------------------------------------------------------------------------- */

static uint64_t *new_bits(const struct report_range *range)
{
	return base_calloc(range->bytes / WORD / 64 + 1, sizeof(uint64_t));
}

static struct report_use *use_in(struct report_range *range, const struct cuda_operation *o)
{
	struct report_use *use = NULL;
	for (int i = 0; i < USES_MAX; i++) {
		struct report_use *u = &range->uses[i];
		if (u->open && !u->sealed && u->stream == o->stream)
			use = u;
	}
	for (int i = 0; i < USES_MAX && !use; i++)
		if (!range->uses[i].open) {
			use = &range->uses[i];
			*use = (struct report_use){.range = range,
				.stream = o->stream,
				.reads = new_bits(range),
				.writes = new_bits(range)};
		}
	if (!use)
		return NULL;
	if (!range->touches)
		range->touches = base_calloc(TOUCHES, sizeof *range->touches);
	use->last = o->number;
	use->site = o->work.site;
	use->kernel = o->work.kind == WORK_LAUNCH ? o->work.launch.kernel : NULL;
	if (use->kernel)
		use->config = o->work.launch.config;
	use->open = true;
	return use;
}

/* The range, when the host may not touch it from now on. */
static struct report_use *begin_use(const struct cuda_operation *o, uint64_t address)
{
	pthread_spin_lock(&ranges.lock);
	struct report_range *range = range_of(address);
	pthread_spin_unlock(&ranges.lock);
	bool enough = range && range->n_touches == TOUCHES;
	struct report_use *use = range && !enough ? use_in(range, o) : NULL;
	if (!use)
		return NULL;
	pthread_spin_lock(&ranges.lock);
	if (!range->closed)
		set_closed(range, true);
	pthread_spin_unlock(&ranges.lock);
	return use;
}

static void set_bits(const struct report_use *use, uint64_t *bits, uint64_t address, size_t bytes)
{
	const struct report_range *range = use->range;
	if (address < range->address || address - range->address >= range->bytes || !bytes)
		return;
	uint64_t first = (address - range->address) / WORD, end = address - range->address + bytes;
	end = end < range->bytes ? end : range->bytes;
	for (uint64_t word = first; word <= (end - 1) / WORD; word++)
		__atomic_fetch_or(&bits[word / 64], (uint64_t)1 << word % 64, __ATOMIC_RELAXED);
}

void report_use(const struct report_uses *uses, const struct warp_access *access)
{
	for (int i = 0; uses && i < uses->n; i++)
		for (uint32_t lanes = access->active; lanes; lanes &= lanes - 1) {
			const struct report_use *use = uses->of[i];
			uint64_t address = access->address[__builtin_ctz(lanes)];
			if (access->op == ACCESS_LOAD || warp_op_is_atomic(access->op))
				set_bits(use, use->reads, address, access->width);
			if (access->op != ACCESS_LOAD)
				set_bits(use, use->writes, address, access->width);
		}
}

/* Whether it may tell the host something while it runs, or hear from it. */
static bool talks(struct cuda_kernel *kernel)
{
	struct buf text = {0};
	if (kernel->talks)
		return kernel->talks == KERNEL_TALKS;
	kernel->talks = KERNEL_IS_SILENT;
	for (int i = 0; i < ptx_instr_count(kernel->ptx) && kernel->talks == KERNEL_IS_SILENT; i++) {
		buf_clear(&text);
		ptx_instr_print(kernel->ptx, i, &text);
		const char *line = buf_str(&text);
		if (strstr(line, ".sys") || strstr(line, ".mmio") ||
			(strstr(line, ".volatile") && !strstr(line, ".shared")))
			kernel->talks = KERNEL_TALKS;
	}
	buf_free(&text);
	return kernel->talks == KERNEL_TALKS;
}

static void begin_copy(const struct cuda_operation *o, const struct copy_end *end, bool writes)
{
	struct report_use *use = end->address && end->where != COPY_HOST ? begin_use(o, end->address) : NULL;
	for (size_t z = 0; use && z < o->work.copy.depth; z++)
		for (size_t y = 0; y < o->work.copy.height; y++)
			set_bits(use, writes ? use->writes : use->reads, end->address + z * end->slice + y * end->pitch,
				o->work.copy.width);
}

static void seal(const struct cuda_stream *stream)
{
	for (int i = 0; i < ranges.n; i++)
		for (int k = 0; k < USES_MAX; k++)
			if (ranges.of[i]->uses[k].stream == stream)
				ranges.of[i]->uses[k].sealed = true;
}

void report_submitted(struct runtime *r, struct cuda_operation *o)
{
	if (!report_is_on() || !ranges.n || !report_signals_are_ours())
		return;
	if (o->work.kind == WORK_LAUNCH) {
		struct cuda_kernel *kernel = o->work.launch.kernel;
		struct report_uses uses = {0};
		for (size_t at = 0; at + 8 <= ptx_param_bytes(kernel->ptx); at += 8) {
			uint64_t value;
			memcpy(&value, o->work.launch.params + at, sizeof value);
			const struct cuda_allocation *a = value ? runtime_allocation(r, value, 1) : NULL;
			if (!a || a->host == (char *)(uintptr_t)a->address || uses.n == OF_WORK || talks(kernel))
				continue;
			struct report_use *use = begin_use(o, value);
			bool known = !use;
			for (int i = 0; i < uses.n; i++)
				known = known || uses.of[i] == use;
			if (!known)
				uses.of[uses.n++] = use;
		}
		if (!uses.n)
			return;
		o->work.launch.uses = base_calloc(1, sizeof uses);
		*o->work.launch.uses = uses;
	} else if (o->work.kind == WORK_COPY) {
		begin_copy(o, &o->work.copy.from, false);
		begin_copy(o, &o->work.copy.to, true);
	} else if (o->work.kind == WORK_RECORD) {
		seal(o->stream);
	} else if (o->work.kind == WORK_AWAIT) {
		if (!o->work.event.event)
			seal(o->work.event.stream);
		*(struct stream_awaited *)vec_push(
			ranges.awaited, ranges.n_awaited, ranges.awaited_cap) = (struct stream_awaited){
			o->stream, o->work.event.stream, o->number, o->work.event.serial};
	}
}

/* --- the host has waited ------------------------------------------------------------------------------------------ */

static bool has_bit(const struct report_range *range, const uint64_t *bits, uint64_t address)
{
	uint64_t word = (address - range->address) / WORD;
	return address - range->address < range->bytes && bits[word / 64] >> word % 64 & 1;
}

static void end_use(struct runtime *r, struct report_use *use)
{
	struct report_range *range = use->range;
	unsigned bit = 1u << (use - range->uses);
	bool reported[SITES] = {false};
	for (int i = 0; i < range->n_touches; i++) {
		struct host_touch *t = &range->touches[i];
		if (!(t->uses & bit))
			continue;
		t->uses &= (uint16_t)~bit;
		bool written = has_bit(range, use->writes, t->address);
		if (reported[t->site] || !(written || (t->writes && has_bit(range, use->reads, t->address))))
			continue;
		reported[t->site] = true;

		struct buf work = {0}, at = {0}, what = {0};
		if (use->kernel)
			runtime_put_launch(use->kernel, &use->config, &work);
		else
			buf_puts(&work, "a copy");
		if (use->site && report_site_text(use->site, &at))
			buf_printf(&work, ", asked for at %s,", buf_str(&at));
		report_address(r, t->address, &what);
		report_problem(r, REPORT_UNSYNCHRONIZED, &use->range->sites[t->site].site,
			"the host %s memory that %s %s, and has not waited for it: a cudaDeviceSynchronize() is missing before; %s",
			t->writes ? "writes to" : "reads", buf_str(&work), written ? "writes to" : "reads",
			buf_str(&what));
		buf_free(&what);
		buf_free(&work);
		buf_free(&at);
	}
	drop_use(use);
}

/* Opens a range that no work uses any more. */
static void open_unused(struct report_range *range)
{
	for (int i = 0; i < USES_MAX; i++)
		if (range->uses[i].open)
			return;
	pthread_spin_lock(&ranges.lock);
	if (range->closed)
		set_closed(range, false);
	range->n_touches = range->n_sites = 0;
	pthread_spin_unlock(&ranges.lock);
}

/* Whether what the stream did up to `last` was before something of `of` up to `number`. */
static bool is_before(const struct runtime *r, const struct cuda_stream *stream, uint64_t last,
	const struct cuda_stream *of, uint64_t number, int depth)
{
	const struct cuda_stream *legacy = r->queue->legacy[of->device];
	if (last > number || depth > 8)
		return false;
	if (stream == of || (stream->is_legacy && of->blocking && stream->device == of->device) ||
		(of->is_legacy && stream->blocking && stream->device == of->device))
		return true;
	if (of->blocking && legacy && stream->blocking && legacy->asked > last && legacy->asked < number)
		return true;
	for (int i = 0; i < ranges.n_awaited; i++) {
		const struct stream_awaited *a = &ranges.awaited[i];
		if (a->stream == of && a->number <= number && is_before(r, stream, last, a->of, a->serial, depth + 1))
			return true;
	}
	return false;
}

void report_waited(struct runtime *r, const struct cuda_stream *stream, uint64_t number)
{
	bool any = false;
	for (int i = 0; i < ranges.n; i++) {
		struct report_range *range = ranges.of[i];
		bool used = false, ended = false;
		for (int k = 0; k < USES_MAX; k++) {
			struct report_use *use = &range->uses[k];
			bool done = use->open && use->stream->done >= use->last &&
				(!stream || is_before(r, use->stream, use->last, stream, number, 0));
			if (done)
				end_use(r, use);
			ended = ended || done;
			used = used || use->open;
		}
		if (ended && !used)
			open_unused(range);
		any = any || used;
	}
	if (!any)
		ranges.n_awaited = 0;
}

void report_unsynced_end(struct runtime *r)
{
	for (int i = 0; i < ranges.n; i++) {
		for (int k = 0; k < USES_MAX; k++)
			if (ranges.of[i]->uses[k].open)
				end_use(r, &ranges.of[i]->uses[k]);
		open_unused(ranges.of[i]);
	}
}

/* --- signals ---------------------------------------------------------------------------------------------------------
 *
 * A host that touches memory of the device: it gets a signal, as with a GPU, and here a sentence, too. */

static struct runtime *watched;

#define FRAMES 24

/* The program's calls: from the instruction that was interrupted, which the frames after that of the signal begin
 * with. */
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

/* What it is told of is the program's end: the instruction is executed again, without us. A signal that somebody sent
 * (si_code, see sigaction(2)) has no instruction, and is sent again. */
static void on_fault(int number, siginfo_t *info, void *context)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	if (info->si_code > 0 && report_touched(info, context))
		return;
	sigaction(number, &plain, NULL);
	if (info->si_code <= 0) {
		raise(number);
	} else if (runtime_is_of_device(watched, info->si_addr)) {
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
