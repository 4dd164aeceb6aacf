#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/arena.h"
#include "machine/ptx/program.h"
#include "base/portable.h"
#include "runtime/report/report.h"
#include "runtime/report/report_order.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

#define USES_MAX 16  /* of a range, that nothing has waited for; a 17th is not followed */
#define OF_WORK 8    /* uses of a launch */
#define TOUCHES 4096 /* of a range; after these it can be touched freely until it is waited for */
#define SITES 16     /* of the host, of a range */
#define PAGE 4096u
#define WORD 4u
#define STACK_NEAR ((uint64_t)1 << 20)  /* bytes from here on that may be this thread's stack */
#define SAME_SEARCHED 64                /* newest touches among which one is looked for that is the same */
#define FLAGS_MOST 64                   /* words of the host's that a kernel looks at again and again */
#define TALKING_MOST ((size_t)16 << 20) /* bytes of a range; larger ones are not followed word by word */
#define HOLD_MS 10.0                    /* of the processor, until the host looks; */
#define HOLD_MOST_MS 300.0              /* and at most */
#define TRAP_FLAG 0x100                 /* of x86-64: a signal after the next instruction */
#ifdef __x86_64__
#define CAN_STEP true
#else
#define CAN_STEP false /* there is no finding, as one would not know when to close what was opened */
#endif

/* --- kernels that talk to the host -----------------------------------------------------------------------------------
 *
 * A kernel may tell the host something while it runs, by a flag: a word that it accesses strongly (volatile, atomic,
 * or with the scope of the system). What it had written before a system-wide fence that came before it set the flag
 * can be read by a host that has seen the flag; and the other way round. All that happens has a number, and the host
 * and each stream know of the other's up to one. */

struct talker { /* a stream */
	const struct cuda_stream *stream;
	uint32_t fence;             /* when its kernels last fenced for the system */
	uint32_t told;              /* what the host knows of */
	uint32_t knows;             /* of the host's touches */
	uint64_t flags[FLAGS_MOST]; /* of the host, that it has looked at */
	int n_flags;
	bool lost;  /* no more can be said of what comes */
	bool blind; /* it has flags that are not followed: nothing can be said of it */
};

/* What the kernels of a use did with a word, and when. */
struct talk_word {
	uint32_t wrote, read;        /* weakly */
	uint32_t set, tells;         /* strongly; the fence before that */
	uint32_t late_from, late_to; /* it did not know of touches after the one when it accessed it at the other */
	bool late_write, late_read;
};

/* What the host did with it. */
struct host_word {
	uint32_t wrote, read;
};

/* What work of one stream does with a range. Bits of bytes. */
struct report_use {
	struct report_range *range;
	const struct cuda_stream *stream;
	uint64_t last; /* operation */
	uint64_t *reads, *writes;
	const struct cuda_kernel *kernel; /* that wrote last, or was asked for last; NULL: a copy */
	struct cuda_config config;
	const struct report_site *site;
	enum work_kind work;
	bool open, sealed;       /* sealed: something may be between this and what comes next */
	struct talker *talker;   /* NULL: it does not talk */
	struct talk_word *words; /* of it */
};

struct report_uses {
	int n;
	struct report_use *of[OF_WORK];
	struct talker *talker;
	struct runtime *r;
	uint64_t number;
	double since, since_used; /* it was asked for, by clock_ms and by used_ms */
};

struct host_touch {
	uint64_t address;
	uint32_t when;
	uint16_t uses, site, wrong; /* uses of which it is wrong whatever they do later */
	bool writes, again;         /* again: not once only */
	bool stale;                 /* no strong store had come before */
};

struct host_place {
	void *instruction;
	struct report_site site;
};

/* Memory with two addresses. */
struct report_range {
	uint64_t address;
	size_t bytes;
	bool closed; /* its pages are not the host's now: those from `first` to before `end`, that work uses */
	uint64_t first, end;
	struct { /* registered memory: the pages that hold it, and their second address */
		uint64_t address;
		size_t bytes;
		char *machine; /* NULL: it is not registered */
		bool moved;    /* they were the program's own, and get so again */
	} pages;
	struct host_word *host; /* NULL: nothing that talks has used it */
	struct report_use uses[USES_MAX];
	struct host_touch *touches;
	int n_touches, n_sites;
	struct host_place sites[SITES];
};

static struct {
	struct report_range **of;
	int n, cap;
	struct talker **talkers;
	int n_talkers, talkers_cap;
	uint32_t when;                /* of the last thing that happened */
	double touched, touched_used; /* last, likewise */
	uint64_t asked, go;           /* number of the last launch that talks; those up to the other may begin */
	pthread_spinlock_t lock;      /* of the ranges, for handlers; nothing that is closed is touched under it */
	bool ready;
} ranges;

static _Thread_local struct report_range *stepping;
static _Thread_local int stepping_touch; /* index, -1: none */

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

static void add_range(const struct report_range *new)
{
	struct report_range *range = base_calloc(1, sizeof *range);
	if (!ranges.ready)
		pthread_spin_init(&ranges.lock, PTHREAD_PROCESS_PRIVATE);
	ranges.ready = true;
	*range = *new;
	pthread_spin_lock(&ranges.lock);
	*(struct report_range **)vec_push(ranges.of, ranges.n, ranges.cap) = range;
	pthread_spin_unlock(&ranges.lock);
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
		add_range(&(struct report_range){.address = (uintptr_t)host, .bytes = bytes});
	}
	return host;
}

static void drop_use(struct report_use *use)
{
	free(use->reads);
	free(use->writes);
	free(use->words);
	*use = (struct report_use){0};
}

/* No longer one of them; the caller's. */
static struct report_range *take_range(int i)
{
	struct report_range *range = ranges.of[i];
	pthread_spin_lock(&ranges.lock);
	ranges.of[i] = ranges.of[--ranges.n];
	pthread_spin_unlock(&ranges.lock);
	return range;
}

static void drop_range(struct report_range *range)
{
	for (int i = 0; range && i < USES_MAX; i++)
		drop_use(&range->uses[i]);
	if (range) {
		free(range->touches);
		free(range->host);
	}
	free(range);
}

void report_share_free(void *host, void *machine, size_t bytes)
{
	struct report_range *range = NULL;
	for (int i = 0; i < ranges.n && !range; i++)
		if (ranges.of[i]->address == (uintptr_t)host)
			range = take_range(i);
	drop_range(range);
	munmap(host, bytes);
	if (machine != host)
		munmap(machine, bytes);
}

static struct report_range *range_of(uint64_t address)
{
	for (int i = 0; i < ranges.n; i++) {
		const struct report_range *range = ranges.of[i];
		size_t bytes = range->pages.machine ? range->bytes : (range->bytes + PAGE - 1) / PAGE * PAGE;
		if (address - range->address < bytes)
			return ranges.of[i];
	}
	return NULL;
}

static void set_closed(struct report_range *range, bool closed)
{
	range->closed = closed;
	mprotect((void *)(uintptr_t)range->first, range->end - range->first,
		closed ? PROT_NONE : PROT_READ | PROT_WRITE);
}

/* --- registered memory -----------------------------------------------------------------------------------------------
 *
 * It is the program's own, and has other things beside it in its first and last page. Its pages get a second address
 * for the machine; those that nothing else is in can be closed. */

static struct {
	uint64_t begin, end; /* pages that are being replaced: whoever writes to them waits */
} moving;

/* Puts pages of another kind in the place of these, with the same bytes. */
static bool replace_pages(uint64_t address, size_t bytes, void *fresh)
{
	void *at = (void *)(uintptr_t)address;
	moving.end = address + bytes;
	__atomic_store_n(&moving.begin, address, __ATOMIC_SEQ_CST);
	bool good = mprotect(at, bytes, PROT_READ) == 0;
	if (good) {
		memcpy(fresh, at, bytes);
		good = mremap(fresh, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) != MAP_FAILED;
		if (!good)
			mprotect(at, bytes, PROT_READ | PROT_WRITE);
	}
	__atomic_store_n(&moving.begin, 0, __ATOMIC_SEQ_CST);
	return good;
}

static bool waits_for_move(uint64_t address)
{
	uint64_t begin = __atomic_load_n(&moving.begin, __ATOMIC_SEQ_CST);
	return begin && address >= begin && address < moving.end;
}

/* A second mapping of shared pages, where no hole that the program left among its own is filled; MAP_FAILED. */
static void *map_again(void *pages, size_t bytes)
{
	void *at = mmap(next_shared(bytes), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	void *second = at != MAP_FAILED ? mremap(pages, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) : MAP_FAILED;
	if (at != MAP_FAILED && second == MAP_FAILED)
		munmap(at, bytes);
	return second;
}

bool report_share_registered(void *pointer, size_t bytes, void **machine)
{
	uint64_t address = (uintptr_t)pointer, here = (uintptr_t)&address;
	uint64_t begin = address / PAGE * PAGE, end = (address + bytes + PAGE - 1) / PAGE * PAGE;
	uint64_t first = (address + PAGE - 1) / PAGE * PAGE, last = (address + bytes) / PAGE * PAGE;
	bool is_stack = here + STACK_NEAR >= begin && here < end + STACK_NEAR;
	if (!report_is_on() || !CAN_STEP || first >= last || is_stack || !report_signals_are_ours())
		return false;
	for (int i = 0; i < ranges.n; i++)
		if (ranges.of[i]->pages.machine && begin < ranges.of[i]->pages.address + ranges.of[i]->pages.bytes &&
			ranges.of[i]->pages.address < end)
			return false;
	struct report_range range = {.address = address, .bytes = bytes};
	range.pages.address = begin;
	range.pages.bytes = end - begin;
	void *second = map_again((void *)(uintptr_t)begin, end - begin); /* if they are shared already */
	if (second == MAP_FAILED) {
		void *fresh = mmap(next_shared(end - begin), end - begin, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		second = fresh != MAP_FAILED ? map_again(fresh, end - begin) : MAP_FAILED;
		range.pages.moved = second != MAP_FAILED && replace_pages(begin, end - begin, fresh);
		if (!range.pages.moved) {
			if (fresh != MAP_FAILED)
				munmap(fresh, end - begin);
			if (second != MAP_FAILED)
				munmap(second, end - begin);
			return false;
		}
	}
	range.pages.machine = second;
	add_range(&range);
	*machine = (char *)second + (address - begin);
	return true;
}

void report_unshare_registered(const void *pointer)
{
	for (int i = 0; i < ranges.n; i++)
		if (ranges.of[i]->address == (uintptr_t)pointer && ranges.of[i]->pages.machine) {
			struct report_range *range = take_range(i);
			size_t bytes = range->pages.bytes;
			if (range->closed)
				set_closed(range, false);
			if (range->pages.moved) {
				void *own = mmap(
					NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
				if (own != MAP_FAILED && !replace_pages(range->pages.address, bytes, own))
					munmap(own, bytes);
			}
			munmap(range->pages.machine, bytes);
			drop_range(range);
			return;
		}
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

/* Time that this process has had of processors: others may keep it from them. */
static double used_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static uint32_t happens(void)
{
	return __atomic_add_fetch(&ranges.when, 1, __ATOMIC_SEQ_CST);
}

static size_t word_of(const struct report_range *range, uint64_t address)
{
	return (address - range->address) / WORD;
}

/* One more of the same; NULL: there is none. */
static struct host_touch *find_same(struct report_range *range, const struct host_touch *touch)
{
	for (int i = range->n_touches; i-- > 0 && i + SAME_SEARCHED >= range->n_touches;) {
		struct host_touch *t = &range->touches[i];
		if (t->address == touch->address && t->site == touch->site && t->writes == touch->writes &&
			t->uses == touch->uses)
			return t;
	}
	return NULL;
}

/* The range is closed, and the lock of all is held. The touch; NULL: it is not followed. */
static struct host_touch *note_touch(struct report_range *range, uint64_t address, const ucontext_t *context)
{
	ranges.touched = clock_ms();
	ranges.touched_used = used_ms();
	struct host_touch touch = {.address = address,
		.when = happens(),
		.site = (uint16_t)site_of(range, context),
		.writes = is_write(context),
		.stale = !is_write(context)};
	size_t word = word_of(range, address);
	for (int i = 0; i < USES_MAX; i++) {
		struct report_use *use = &range->uses[i];
		if (!use->open)
			continue;
		touch.uses |= (uint16_t)(1u << i);
		use->sealed = true;
		if (!use->talker)
			continue;
		const struct talk_word *w = &use->words[word];
		uint32_t knows = use->talker->told;
		if ((w->wrote > knows || (touch.writes && w->read > knows)) && !use->talker->lost)
			touch.wrong |= (uint16_t)(1u << i);
	}
	if (range->host && touch.writes)
		range->host[word].wrote = touch.when;
	else if (range->host)
		range->host[word].read = touch.when;

	struct host_touch *same = find_same(range, &touch);
	if (same) {
		same->again = true;
		same->when = touch.when;
		same->wrong |= touch.wrong;
		__atomic_store_n(&ranges.go, ranges.asked, __ATOMIC_RELAXED);
		return same;
	}
	if (range->n_touches == TOUCHES)
		return NULL;
	range->touches[range->n_touches] = touch;
	return &range->touches[range->n_touches++];
}

/* A function of the program that a stream calls comes after what was before it there. */
bool report_touched(const siginfo_t *info, void *context)
{
	uint64_t address = (uintptr_t)info->si_addr;
	if (waits_for_move(address))
		return true; /* again, until it can be written to */
	if (!ranges.ready)
		return false;
	pthread_spin_lock(&ranges.lock);
	struct report_range *range = range_of(address);
	if (range && range->closed && (address < range->first || address >= range->end))
		range = NULL;
	if (range && range->closed) {
		struct host_touch *touch = NULL;
		bool inside = address - range->address < range->bytes;
		bool follow = true;
		if (!queue_is_callback() && range->touches && inside) {
			touch = note_touch(range, address, context);
			follow = touch != NULL;
		}
		if (!follow) {
			for (int i = 0; i < ranges.n_talkers; i++)
				ranges.talkers[i]->lost = true;
			set_closed(range, false);
		} else {
			mprotect((void *)(uintptr_t)(address & ~(uint64_t)(PAGE - 1)), PAGE, PROT_READ | PROT_WRITE);
		}
		stepping = follow ? range : NULL;
		stepping_touch = touch ? (int)(touch - range->touches) : -1;
		step(context, follow);
	}
	pthread_spin_unlock(&ranges.lock);
	return range != NULL;
}

/* What the host has read now it knows, and all that the flag stands for. */
static void end_touch(struct report_range *range, int index)
{
	struct host_touch *touch = index >= 0 && index < range->n_touches ? &range->touches[index] : NULL;
	for (int i = 0; touch && !touch->writes && i < USES_MAX; i++) {
		struct report_use *use = &range->uses[i];
		if (!use->open || !use->talker)
			continue;
		const struct talk_word *w = &use->words[word_of(range, touch->address)];
		if (w->tells > use->talker->told)
			use->talker->told = w->tells;
		touch->stale &= w->set == 0;
	}
}

bool report_stepped(void *context)
{
	if (!stepping)
		return false;
	pthread_spin_lock(&ranges.lock);
	for (int i = 0; i < ranges.n; i++)
		if (ranges.of[i] == stepping) {
			end_touch(stepping, stepping_touch);
			if (stepping->closed)
				set_closed(stepping, true);
		}
	pthread_spin_unlock(&ranges.lock);
	stepping = NULL;
	step(context, false);
	return true;
}

/* --- work uses it ------------------------------------------------------------------------------------------------- */

static uint64_t *new_bits(const struct report_range *range)
{
	return base_calloc(range->bytes / 64 + 1, sizeof(uint64_t));
}

static struct report_use *use_in(struct report_range *range, const struct cuda_operation *o, struct talker *talker)
{
	struct report_use *use = NULL;
	for (int i = 0; i < USES_MAX; i++) {
		struct report_use *u = &range->uses[i];
		if (u->open && !u->sealed && u->stream == o->stream && u->talker == talker)
			use = u;
	}
	for (int i = 0; i < USES_MAX && !use; i++)
		if (!range->uses[i].open) {
			use = &range->uses[i];
			*use = (struct report_use){.range = range,
				.stream = o->stream,
				.reads = new_bits(range),
				.writes = new_bits(range),
				.talker = talker};
			if (talker)
				use->words = base_calloc(range->bytes / WORD + 1, sizeof *use->words);
		}
	if (!use)
		return NULL;
	if (!range->touches)
		range->touches = base_calloc(TOUCHES, sizeof *range->touches);
	if (talker && !range->host)
		range->host = base_calloc(range->bytes / WORD + 1, sizeof *range->host);
	use->last = o->number;
	use->site = o->work.site;
	use->work = o->work.kind;
	use->kernel = o->work.kind == WORK_LAUNCH ? o->work.launch.kernel : NULL;
	if (use->kernel)
		use->config = o->work.launch.config;
	use->open = true;
	return use;
}

/* The pages of some bytes of a range, without those that registered memory shares with other things. */
static void close_more(struct report_range *range, uint64_t address, size_t bytes)
{
	uint64_t first = address / PAGE * PAGE, end = (address + bytes + PAGE - 1) / PAGE * PAGE;
	uint64_t least = range->address, most = range->address + range->bytes;
	if (range->pages.machine) {
		least = (least + PAGE - 1) / PAGE * PAGE;
		most = most / PAGE * PAGE;
	} else {
		most = (most + PAGE - 1) / PAGE * PAGE;
	}
	first = first > least ? first : least;
	end = end < most ? end : most;
	if (first >= end)
		return;
	if (!range->closed) {
		range->first = first;
		range->end = end;
	} else {
		range->first = first < range->first ? first : range->first;
		range->end = end > range->end ? end : range->end;
	}
	set_closed(range, true);
}

/* The use of the range that has the address, of which the host may not touch these bytes from now on (0: any). */
static struct report_use *begin_use(
	const struct cuda_operation *o, uint64_t address, size_t bytes, struct talker *talker)
{
	pthread_spin_lock(&ranges.lock);
	struct report_range *range = range_of(address);
	pthread_spin_unlock(&ranges.lock);
	bool enough = range && (range->n_touches == TOUCHES || (talker && range->bytes > TALKING_MOST));
	if (talker && enough)
		talker->lost = talker->blind = true;
	struct report_use *use = range && !enough ? use_in(range, o, talker) : NULL;
	if (!use)
		return NULL;
	pthread_spin_lock(&ranges.lock);
	close_more(range, bytes ? address : range->address, bytes ? bytes : range->bytes);
	pthread_spin_unlock(&ranges.lock);
	return use;
}

static void set_bits(const struct report_use *use, uint64_t *bits, uint64_t address, size_t bytes)
{
	const struct report_range *range = use->range;
	if (address < range->address || address - range->address >= range->bytes || !bytes)
		return;
	uint64_t at = address - range->address, end = at + bytes;
	end = end < range->bytes ? end : range->bytes;
	while (at < end) {
		uint64_t bit = at % 64, n = 64 - bit < end - at ? 64 - bit : end - at;
		uint64_t mask = n == 64 ? ~(uint64_t)0 : (((uint64_t)1 << n) - 1) << bit;
		__atomic_fetch_or(&bits[at / 64], mask, __ATOMIC_RELAXED);
		at += n;
	}
}

/* --- talking ------------------------------------------------------------------------------------------------------ */

static struct talker *talker_of(const struct cuda_stream *stream)
{
	for (int i = 0; i < ranges.n_talkers; i++)
		if (ranges.talkers[i]->stream == stream)
			return ranges.talkers[i];
	struct talker *t = base_calloc(1, sizeof *t);
	t->stream = stream;
	pthread_spin_lock(&ranges.lock);
	*(struct talker **)vec_push(ranges.talkers, ranges.n_talkers, ranges.talkers_cap) = t;
	pthread_spin_unlock(&ranges.lock);
	return t;
}

/* What the host has done to the flags that it looks at is known to it. */
static void look_at_flags(struct talker *t)
{
	for (int i = 0; i < t->n_flags; i++) {
		const struct report_range *range = range_of(t->flags[i]);
		if (!range || !range->host)
			continue;
		uint32_t wrote = range->host[word_of(range, t->flags[i])].wrote;
		t->knows = wrote > t->knows ? wrote : t->knows;
	}
}

static void look_at(struct talker *t, uint64_t address)
{
	for (int i = 0; i < t->n_flags; i++)
		if (t->flags[i] == address)
			return;
	if (t->n_flags == FLAGS_MOST)
		t->lost = t->blind = true;
	else
		t->flags[t->n_flags++] = address;
}

/* The lock is held. */
static void talk_word(struct report_use *use, uint64_t address, enum access_op op, uint8_t order)
{
	struct report_range *range = use->range;
	struct talker *t = use->talker;
	size_t word = word_of(range, address);
	struct talk_word *w = &use->words[word];
	bool reads = op == ACCESS_LOAD || warp_op_is_atomic(op), writes = op != ACCESS_LOAD;
	uint32_t now = happens();
	if (order & ORDER_STRONG_SYSTEM) {
		if (reads)
			look_at(t, address);
		if (writes && order & ORDER_RELEASE_SYSTEM)
			t->fence = now;
		if (writes) {
			w->set = now;
			w->tells = t->fence;
		}
		return;
	}
	w->wrote = writes ? now : w->wrote;
	w->read = reads ? now : w->read;
	const struct host_word *host = &range->host[word];
	uint32_t touched = writes && host->read > host->wrote ? host->read : host->wrote;
	if (touched <= t->knows || t->lost)
		return;
	look_at_flags(t);
	if (touched <= t->knows)
		return;
	if (!w->late_to || t->knows < w->late_from)
		w->late_from = t->knows;
	w->late_to = now;
	w->late_write |= writes;
	w->late_read |= reads;
}

/* A flag of memory that both have and that is not followed. */
static bool is_elsewhere(const struct report_uses *uses, uint64_t address)
{
	for (int i = 0; i < uses->n; i++)
		if (address - uses->of[i]->range->address < uses->of[i]->range->bytes)
			return false;
	const struct cuda_allocation *a = runtime_allocation(uses->r, address, 1);
	return a && (a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED || a->kind == MEMORY_MANAGED);
}

void report_use(const struct report_uses *uses, const struct warp_access *access, uint8_t order)
{
	bool reads = access->op == ACCESS_LOAD || warp_op_is_atomic(access->op);
	for (int i = 0; uses && i < uses->n; i++) {
		struct report_use *use = uses->of[i];
		for (uint32_t lanes = access->active; lanes; lanes &= lanes - 1) {
			uint64_t address = access->address[__builtin_ctz(lanes)];
			if (address - use->range->address >= use->range->bytes)
				continue;
			if (reads)
				set_bits(use, use->reads, address, access->width);
			if (access->op != ACCESS_LOAD)
				set_bits(use, use->writes, address, access->width);
			if (!use->talker)
				continue;
			pthread_spin_lock(&ranges.lock);
			for (unsigned at = 0; at < access->width; at += WORD)
				talk_word(use, address + at, access->op, order);
			pthread_spin_unlock(&ranges.lock);
		}
	}
	if (uses->talker && order & ORDER_STRONG_SYSTEM && access->active && !uses->talker->blind &&
		is_elsewhere(uses, access->address[__builtin_ctz(access->active)]))
		uses->talker->lost = uses->talker->blind = true;
}

bool report_use_talks(const struct report_uses *uses)
{
	return uses->talker != NULL;
}

void report_use_fence(const struct report_uses *uses)
{
	pthread_spin_lock(&ranges.lock);
	uses->talker->fence = happens();
	pthread_spin_unlock(&ranges.lock);
}

bool report_holds(const struct cuda_operation *o)
{
	const struct report_uses *uses = o->work.kind == WORK_LAUNCH && !o->run ? o->work.launch.uses : NULL;
	if (!uses || !uses->talker || uses->number <= __atomic_load_n(&ranges.go, __ATOMIC_RELAXED))
		return false;
	double since = ranges.touched > uses->since ? ranges.touched : uses->since;
	double used = ranges.touched_used > uses->since_used ? ranges.touched_used : uses->since_used;
	return clock_ms() - since < HOLD_MOST_MS && used_ms() - used < HOLD_MS;
}

void report_let_go(void)
{
	__atomic_store_n(&ranges.go, ranges.asked, __ATOMIC_RELAXED);
}

/* --- what streams are asked for ----------------------------------------------------------------------------------- */

static void begin_copy(const struct cuda_operation *o, const struct copy_end *end, bool writes)
{
	const struct cuda_work *w = &o->work;
	size_t span = (w->copy.depth - 1) * end->slice + (w->copy.height - 1) * end->pitch + w->copy.width;
	struct report_use *use = end->address && end->where != COPY_HOST ? begin_use(o, end->address, span, NULL)
									 : NULL;
	for (size_t z = 0; use && z < o->work.copy.depth; z++)
		for (size_t y = 0; y < o->work.copy.height; y++)
			set_bits(use, writes ? use->writes : use->reads, end->address + z * end->slice + y * end->pitch,
				o->work.copy.width);
}

void report_use_seal(const struct cuda_stream *stream)
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
		struct report_uses uses = {.r = r, .number = o->number};
		report_order_of_instructions(kernel);
		bool talks = kernel->orders_all & ORDER_STRONG_SYSTEM;
		for (size_t at = 0; at + 8 <= ptx_param_bytes(kernel->ptx); at += 8) {
			uint64_t value;
			memcpy(&value, o->work.launch.params + at, sizeof value);
			const struct cuda_allocation *a = value ? runtime_allocation(r, value, 1) : NULL;
			if (!a || a->host == (char *)(uintptr_t)a->address || uses.n == OF_WORK)
				continue;
			if (talks && !uses.talker)
				uses.talker = talker_of(o->stream);
			struct report_use *use = begin_use(o, value, 0, uses.talker);
			bool known = !use;
			for (int i = 0; i < uses.n; i++)
				known = known || uses.of[i] == use;
			if (!known)
				uses.of[uses.n++] = use;
		}
		/* Managed variables of its source file, which it may name. */
		for (int i = 0; i < r->n_variables && uses.n < OF_WORK; i++) {
			const struct cuda_variable *v = &r->variables[i];
			if (v->module != kernel->module || !v->shared)
				continue;
			if (talks && !uses.talker)
				uses.talker = talker_of(o->stream);
			struct report_use *use = begin_use(o, (uintptr_t)v->shared_host, 0, uses.talker);
			bool known = !use;
			for (int k = 0; k < uses.n; k++)
				known = known || uses.of[k] == use;
			if (!known)
				uses.of[uses.n++] = use;
		}
		if (!uses.n)
			return;
		if (uses.talker) {
			/* What the host has done until now is before it. */
			pthread_spin_lock(&ranges.lock);
			uses.talker->knows = happens();
			pthread_spin_unlock(&ranges.lock);
			uses.since = clock_ms();
			uses.since_used = used_ms();
			ranges.asked = o->number;
		}
		o->work.launch.uses = base_calloc(1, sizeof uses);
		*o->work.launch.uses = uses;
	} else if (o->work.kind == WORK_COPY) {
		begin_copy(o, &o->work.copy.from, false);
		begin_copy(o, &o->work.copy.to, true);
	} else if (o->work.kind == WORK_FILL && o->work.fill.address) {
		struct report_use *use = begin_use(o, o->work.fill.address,
			(o->work.fill.height - 1) * o->work.fill.pitch + o->work.fill.width, NULL);
		for (size_t y = 0; use && y < o->work.fill.height; y++)
			set_bits(use, use->writes, o->work.fill.address + y * o->work.fill.pitch, o->work.fill.width);
	} else if (o->work.kind == WORK_RECORD) {
		report_use_seal(o->stream);
	}
}

/* --- the host has waited ------------------------------------------------------------------------------------------ */

static bool has_bit(const struct report_range *range, const uint64_t *bits, uint64_t address)
{
	uint64_t at = address - range->address;
	return at < range->bytes && bits[at / 64] >> at % 64 & 1;
}

/* Whether the touch is wrong, when all that the use does has been done. */
static bool is_wrong(const struct report_use *use, const struct host_touch *t)
{
	bool written = has_bit(use->range, use->writes, t->address);
	bool matters = written || (t->writes && has_bit(use->range, use->reads, t->address));
	if (!use->talker)
		return matters;
	const struct talk_word *w = &use->words[word_of(use->range, t->address)];
	bool late = (w->late_write || (t->writes && w->late_read)) && t->when > w->late_from && t->when <= w->late_to;
	/* A flag is looked at until it is set. What is looked at once, before it was, is none. */
	bool stale = t->stale && !t->again && w->set && !use->talker->told;
	return matters && !use->talker->blind && (t->wrong >> (use - use->range->uses) & 1 || late || stale);
}

static void put_use(const struct report_use *use, struct buf *out)
{
	struct buf at = {0};
	if (use->kernel)
		runtime_put_launch(use->kernel, &use->config, out);
	else
		buf_puts(out, use->work == WORK_FILL ? "a fill (cudaMemset)" : "a copy");
	if (use->site && report_site_text(use->site, &at))
		buf_printf(out, ", asked for at %s,", buf_str(&at));
	buf_free(&at);
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
		if (reported[t->site] || !is_wrong(use, t))
			continue;
		reported[t->site] = true;

		struct buf work = {0}, stream = {0}, what = {0};
		bool written = has_bit(range, use->writes, t->address);
		put_use(use, &work);
		report_put_stream(use->stream, &stream);
		report_address(r, t->address, &what);
		report_problem(r, REPORT_UNSYNCHRONIZED, &use->range->sites[t->site].site,
			"the host %s memory that %s %s, and has not waited for it: a cudaDeviceSynchronize() is missing "
			"before, or a cudaStreamSynchronize() of %s%s; %s",
			t->writes ? "writes to" : "reads", buf_str(&work), written ? "writes to" : "reads",
			buf_str(&stream),
			use->kernel && use->kernel->orders_all & ORDER_FENCE_SYSTEM
				? ", as a fence (__threadfence_system) waits for nothing"
				: "",
			buf_str(&what));
		buf_free(&what);
		buf_free(&work);
		buf_free(&stream);
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

void report_waited(struct runtime *r, const struct cuda_stream *stream, uint64_t number)
{
	report_order_waited(r, stream, number);
	for (int i = 0; i < ranges.n; i++) {
		struct report_range *range = ranges.of[i];
		bool used = false, ended = false;
		for (int k = 0; k < USES_MAX; k++) {
			struct report_use *use = &range->uses[k];
			bool done = use->open && use->stream->done >= use->last &&
				report_order_host_knows(use->stream, use->last);
			if (done)
				end_use(r, use);
			ended = ended || done;
			used = used || use->open;
		}
		if (ended && !used)
			open_unused(range);
	}
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
