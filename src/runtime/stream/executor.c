/* The two threads that do the work of streams: one runs kernels and copies, with others beside it for some, the other
 * calls the program's functions. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/portable.h"
#include "runtime/report/report.h"
#include "runtime/report/report_order.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/graph.h"
#include "runtime/stream/queue.h"

#define TURNS_ALONE 64     /* of a kernel, after which others run beside it although it does not wait */
#define PAUSE_NS 50000     /* when all that there is waits */
#define STUCK_ROUNDS 20    /* in vain, after which nothing comes of what is there */
#define LATE_MS 10.0       /* after what was asked for last, until work begins where it begins late */
#define END_WAIT_MS 5000.0 /* for work that a program leaves behind */

static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;  /* work, or an end */
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;  /* an operation */
static pthread_cond_t paused = PTHREAD_COND_INITIALIZER; /* no kernel has its turn */
static pthread_cond_t resumed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t to_call = PTHREAD_COND_INITIALIZER;
static pthread_t worker, caller;
static bool last_first, late; /* SIMTTUTOR_ORDER */
static int waiting;           /* threads of the program, for the end of an operation */
static double woken_at;       /* by clock_ms */
static _Thread_local bool is_caller;

bool queue_is_callback(void)
{
	return is_caller;
}

void executor_wake(void)
{
	woken_at = late ? clock_ms() : 0;
	pthread_cond_signal(&woken);
}

void executor_wait(void)
{
	report_let_go();
	waiting++;
	pthread_cond_signal(&woken);
	runtime_sleep(&ended);
	waiting--;
}

void runtime_pause(struct runtime *r)
{
	struct runtime_queue *q = r->queue;
	q->pausing++;
	while (q->running)
		runtime_sleep(&paused);
	q->pausing--;
	pthread_cond_broadcast(&resumed);
}

/* --- what is no launch -------------------------------------------------------------------------------------------- */

static void note_written(struct runtime *r, uint64_t address)
{
	struct cuda_allocation *a = address ? runtime_allocation(r, address, 1) : NULL;
	if (a)
		a->written = true;
}

void executor_perform(struct runtime *r, struct cuda_work *w)
{
	if (graph_memory_is_away(r, w))
		return;
	if (w->kind == WORK_COPY) {
		/* What nothing has written is not worth copying to the host. */
		uint64_t from = w->copy.from.address;
		struct cuda_allocation *a = from ? runtime_allocation(r, from, 1) : NULL;
		note_written(r, w->copy.to.address);
		if (report_is_on() && a && !a->written && a->kind == MEMORY_DEVICE && w->copy.to.where != COPY_DEVICE) {
			struct buf what = {0};
			report_address(r, from, &what);
			report_problem(r, REPORT_UNWRITTEN, w->site,
				"it copies %zu bytes back to the host that nothing has written: %s",
				w->copy.width * w->copy.height * w->copy.depth, buf_str(&what));
			buf_free(&what);
			a->written = true; /* once is enough */
		}

		const struct copy_end *to = &w->copy.to, *source = &w->copy.from;
		if (w->copy.staged) {
			memcpy(to->at, w->copy.staged, w->copy.width);
		} else {
			for (size_t z = 0; z < w->copy.depth; z++)
				for (size_t y = 0; y < w->copy.height; y++)
					memmove(to->at + z * to->slice + y * to->pitch,
						source->at + z * source->slice + y * source->pitch, w->copy.width);
		}
	} else if (w->kind == WORK_FILL) {
		note_written(r, w->fill.address);

		for (size_t y = 0; y < w->fill.height; y++) {
			char *row = w->fill.at + y * w->fill.pitch;
			if (w->fill.element == 1)
				memset(row, (int)w->fill.value, w->fill.width);
			for (size_t x = 0; w->fill.element > 1 && x < w->fill.width; x += w->fill.element)
				memcpy(row + x, &w->fill.value, w->fill.element); /* little endian */
		}
	}
	if (w->kind == WORK_FREE) {
		const struct cuda_allocation *a = runtime_allocation(r, w->free.address, 0);
		if (a)
			report_order_frees(r, w, a);
		runtime_release(r, w->free.address);
	} else if (w->kind == WORK_ALLOC) {
		graph_memory_make(r, w);
	}
}

/* --- functions of the program ------------------------------------------------------------------------------------- */

static void *call_functions(void *arg)
{
	struct runtime *r = arg;
	struct runtime_queue *q = r->queue;
	is_caller = true;
	runtime_lock();
	for (;;) {
		struct cuda_operation *o = q->calls;
		if (!o && q->ending)
			break;
		if (!o) {
			runtime_sleep(&to_call);
			continue;
		}
		q->calls = NULL;
		struct cuda_work w = o->work;
		int error = r->failed;
		q->in_call = true;
		runtime_print(r);
		runtime_unlock();
		if (w.host.callback)
			w.host.callback(o->stream, error, w.host.data);
		else if (error == CUDA_Success)
			w.host.function(w.host.data);
		runtime_lock();
		q->in_call = false;
		queue_complete(r, o);
		pthread_cond_broadcast(&ended);
		executor_wake();
	}
	runtime_unlock();
	return NULL;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static void begin_launch(struct runtime *r, struct cuda_operation *o, uint32_t cores)
{
	o->run = running_begin(r, &o->work, cores);
	r->queue->open++;
}

/* Others may want a pause between two turns. */
static void let_pause(struct runtime_queue *q)
{
	if (!q->pausing)
		return;
	q->running = false;
	pthread_cond_broadcast(&paused);
	while (q->pausing)
		runtime_sleep(&resumed);
	q->running = true;
}

/* --- groups ----------------------------------------------------------------------------------------------------------
 *
 * Launches of independent streams that take their turns at the same time, each on a core of its own.
 *
 * They are those that leave cores free, as they have few blocks, and that others cannot disturb: their kernels neither
 * synchronize through memory nor have atomics. All others have turns one after the other, on one core or on all
 * (machine/simt/team.c, which puts all memory back when blocks depended on each other, and so must be alone). What
 * comes of a launch is taken in the order in which that would be without: only turns are taken here. So reports, output
 * and times are the same. */

#define EXECUTOR_GROUP_MAX 16
struct executor_group {
	struct cuda_operation *of[EXECUTOR_GROUP_MAX];
	struct executor_turn {
		struct running *run;
		enum simt_turn turn;
	} turns[EXECUTOR_GROUP_MAX];
	int n;
};

/* Cores of the host, 1 to EXECUTOR_GROUP_MAX. */
static int count_cores(void)
{
	static int cores;
	if (!cores) {
		int there = (int)portable_processors();
		cores = there < EXECUTOR_GROUP_MAX ? there : EXECUTOR_GROUP_MAX;
	}
	return cores;
}

/* Whether it may be one of a group. */
static bool may_join(const struct runtime *r, const struct cuda_operation *o)
{
	const struct cuda_work *w = &o->work;

	if (w->kind != WORK_LAUNCH || o->run || !queue_is_ready(r, o) || w->launch.uses ||
		w->launch.config.cooperative || w->launch.config.cluster.x > 1)
		return false;
	const struct cuda_config *c = &w->launch.config;
	uint64_t blocks = (uint64_t)c->grid.x * c->grid.y * c->grid.z;
	if (blocks > 2 && 2 * blocks > (uint64_t)count_cores())
		return false;

	struct cuda_kernel *kernel = w->launch.kernel;
	if (kernel->apart == KERNEL_APART_UNKNOWN)
		kernel->apart = simt_is_apart(kernel->ptx) ? KERNEL_IS_APART : KERNEL_IS_NOT_APART;
	return kernel->apart == KERNEL_IS_APART;
}

static void *take_one_turn(void *arg)
{
	struct executor_turn *t = arg;
	t->turn = running_continue(t->run);
	return NULL;
}

/* Whether there is another turn to take. */
static bool group_goes_on(const struct executor_group *g)
{
	bool runs = false;
	for (int i = 0; i < g->n; i++) {
		if (g->turns[i].turn == SIMT_TURN_WAITS)
			return false;
		runs |= g->turns[i].turn == SIMT_TURN_RAN;
	}
	return runs;
}

/* --- operations --------------------------------------------------------------------------------------------------- */

/* False: nothing has come of it. */
static bool do_operation(struct runtime *r, struct cuda_operation *o)
{
	struct runtime_queue *q = r->queue;
	if (o->work.kind == WORK_HOST && (!r->failed || o->work.host.callback)) {
		o->called = true;
		q->calls = o;
		pthread_cond_signal(&to_call);
		return true;
	}
	if (o->work.kind == WORK_LAUNCH && (!r->failed || o->run)) {
		if (r->failed && o->run)
			running_stop(o->run);

		/* Turns, with the lock open. */
		enum simt_turn turn = SIMT_TURN_RAN;
		struct executor_group group = {.n = 0};
		while (q->pausing)
			runtime_sleep(&resumed);
		q->stuck = false;
		bool grouped = !o->run;
		if (grouped) {
			/* Whether others can begin with this one, which has not begun. */
			group = (struct executor_group){.of = {o}, .n = 1};
			if (count_cores() == 1 || r->failed || r->discards || report_keeps() ||
				simt_memory_is_crowded(r->memory) || !may_join(r, o)) {
				grouped = false;
			} else {
				/* In the order of pick: those that come after the first, and could begin with it. */
				for (int i = 0; i < q->n && group.n < count_cores(); i++) {
					struct cuda_operation *other = q->streams[i]->first;
					if (other && other != group.of[0] && may_join(r, other))
						group.of[group.n++] = other;
				}
				grouped = group.n > 1;
			}
		}
		if (!o->run)
			begin_launch(r, o, grouped ? 1 : 0);
		q->running = true;
		for (int i = 0; i < TURNS_ALONE && turn == SIMT_TURN_RAN; i++) {
			runtime_unlock();
			turn = running_continue(o->run);
			runtime_lock();
			let_pause(q);
			if (grouped && turn == SIMT_TURN_RAN && !r->failed) {
				/* At most so many turns as it has alone. The first is its own, as most launches end by
				 * then. */
				for (int j = 1; j < group.n; j++)
					begin_launch(r, group.of[j], 1);
				for (int k = 0; k < group.n; k++)
					group.turns[k] = (struct executor_turn){group.of[k]->run, SIMT_TURN_RAN};
				for (int turns = 1; turns < TURNS_ALONE && group_goes_on(&group); turns++) {
					runtime_unlock();

					/* A turn of each that has not ended, with the lock open. */
					pthread_t threads[EXECUTOR_GROUP_MAX];
					bool started[EXECUTOR_GROUP_MAX] = {false};
					int mine = -1;
					for (int j = 0; j < group.n; j++) {
						if (group.turns[j].turn != SIMT_TURN_RAN)
							continue;
						if (mine >= 0)
							started[j] = pthread_create(&threads[j], NULL, take_one_turn,
									     &group.turns[j]) == 0;
						mine = mine < 0 ? j : mine;
					}
					if (mine >= 0)
						take_one_turn(&group.turns[mine]);
					for (int k = 0; k < group.n; k++)
						if (started[k])
							pthread_join(threads[k], NULL);

					runtime_lock();
					let_pause(q);
				}

				turn = group.turns[0].turn;
				break;
			}
		}
		q->running = false;
		pthread_cond_broadcast(&paused);
		if (turn != SIMT_TURN_ENDED) {
			o->round = q->rounds;
			return turn == SIMT_TURN_RAN;
		}
		struct launch_time time = running_end(r, o->run);
		o->duration = time.ms;
		o->share = time.share;
		q->open--;
		queue_complete(r, o);
		report_long_ended();
		pthread_cond_broadcast(&ended);
		return true;
	}
	if (o->work.kind == WORK_BRANCH && !r->failed) {
		enum graph_turn turn = graph_branch(r, o);
		o->round = turn == GRAPH_NOTHING ? q->rounds : o->round;
		if (turn != GRAPH_GOES_ON)
			return turn == GRAPH_BODY;
	}
	if (!r->failed)
		executor_perform(r, &o->work);
	queue_complete(r, o);
	pthread_cond_broadcast(&ended);
	return true;
}

static bool is_better(const struct cuda_operation *o, const struct cuda_operation *than)
{
	if (!than || o->stream->priority != than->stream->priority)
		return !than || o->stream->priority < than->stream->priority;
	return last_first ? o->number > than->number : o->number < than->number;
}

/* What comes next; NULL: nothing can be done, or all waits, and `*waits` is true, or something is held back for a
 * moment. */
static struct cuda_operation *pick(const struct runtime *r, bool *waits, bool *held)
{
	const struct runtime_queue *q = r->queue;
	struct cuda_operation *best = NULL, *frees = NULL;
	*waits = *held = false;
	for (int i = 0; i < q->n; i++) {
		struct cuda_operation *o = q->streams[i]->first;
		if (!o || !queue_is_ready(r, o) || (o->work.kind == WORK_HOST && q->calls))
			continue;
		if (report_is_ending() && !o->run)
			continue;
		bool is_early = late && !o->run && !waiting && !q->ending && clock_ms() - woken_at < LATE_MS;
		if (is_early || report_holds(o)) {
			*held = true;
			continue;
		}
		if (o->work.kind == WORK_LAUNCH && !o->run && q->open && simt_memory_is_crowded(r->memory))
			continue;
		if (o->work.kind == WORK_FREE && report_order_may_come_before(o)) {
			frees = is_better(o, frees) ? o : frees;
			continue;
		}
		if (o->round == q->rounds)
			*waits = true;
		else if (is_better(o, best))
			best = o;
	}
	/* What else is there may use the memory, if the program has not ordered the two: so that is found each time. */
	return best || *held ? best : frees;
}

static void rest(void)
{
	struct timespec time = {0, PAUSE_NS};
	runtime_unlock();
	nanosleep(&time, NULL);
	runtime_lock();
}

static void *work(void *arg)
{
	struct runtime *r = arg;
	struct runtime_queue *q = r->queue;
	int done = 0, vain = 0;
	runtime_lock();
	for (;;) {
		bool waits, held;
		struct cuda_operation *o = pick(r, &waits, &held);
		if (o) {
			done += do_operation(r, o);
		} else if (held) {
			rest();
		} else if (waits) {
			vain = done || q->calls || q->in_call ? 0 : vain + 1;
			q->stuck = vain > STUCK_ROUNDS;
			q->rounds++;
			if (!done)
				rest();
			done = 0;
		} else if (q->ending) {
			break;
		} else {
			runtime_sleep(&woken);
		}
	}
	runtime_unlock();
	return NULL;
}

/* --- beginning and end -------------------------------------------------------------------------------------------- */

/* The program's signals are for the program's threads, but for those that an instruction raises. */
static bool start_thread(pthread_t *thread, void *(*function)(void *), struct runtime *r)
{
	sigset_t all, before;
	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGTRAP);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool started = pthread_create(thread, NULL, function, r) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!started) {
		runtime_warn("no thread can be started for the work of streams");
		abort();
	}
	return started;
}

void executor_start(struct runtime *r)
{
	const char *order = r->queue->working ? NULL : getenv("SIMTTUTOR_ORDER");
	last_first |= order && strcmp(order, "last") == 0;
	late |= order && strcmp(order, "late") == 0;
	if (!r->queue->working)
		r->queue->working = start_thread(&worker, work, r);
	if (!r->queue->calling)
		r->queue->calling = start_thread(&caller, call_functions, r);
	report_long_start();
}

void executor_end(struct runtime *r)
{
	struct runtime_queue *q = r->queue;
	if (!q->working || is_caller)
		return;

	report_let_go();

	/* Work that nobody has waited for is done, unless it waits for the program, or takes long. */
	double began = clock_ms();
	while (!queue_all_idle(r) && !q->stuck && clock_ms() - began < END_WAIT_MS)
		rest();
	report_stay_if_ending();
	for (int i = 0; i < q->n; i++) {
		struct cuda_operation *o = q->streams[i]->first;
		if (o && o->run)
			running_stop(o->run);
	}
	r->failed = r->failed ? r->failed : queue_all_idle(r) ? CUDA_Success : CUDA_ErrorCudartUnloading;

	q->ending = true;
	executor_wake();
	pthread_cond_signal(&to_call);
	bool in_call = q->in_call;
	runtime_unlock();
	pthread_join(worker, NULL);
	if (!in_call)
		pthread_join(caller, NULL);
	runtime_lock();
	q->working = q->calling = q->ending = false;
}
