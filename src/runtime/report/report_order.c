#include "runtime/report/report_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/program.h"
#include "runtime/report/report_parts.h"

#define STREAMS_MOST 1024 /* at a time; more are not followed */
#define MERGED_MOST 4096  /* operations in one record */
#define PAIRS_MOST 256    /* that were reported */

/* --- clocks -------------------------------------------------------------------------------------------------------
 *
 * Streams have slots, those of the host's waits the first: slot 0 is the number up to which everything is known to have
 * ended. Clocks that are the same are one. */

struct clock {
	int refs, n;
	uint64_t of[];
};

struct order_entry {
	uint64_t number;
	struct clock *before;
};

/* Operations of one kernel (or of one copy) in a row, from one place, which nothing comes between. */
struct order_record {
	const struct cuda_stream *stream;
	int slot;
	uint64_t first, last;
	struct clock *before;
	struct cuda_work work; /* whose words are used in reports: it owns nothing */
	uint64_t graph;        /* the launch of a graph; 0: none */
	uint64_t known_at;     /* what was asked for when the host knew that it had ended; 0: it does not */
	int pending;           /* operations that have not ended */
	int merged;
	bool sealed;
	struct report_footprint *found, *own; /* of those that have ended; of the one that ends now */
};

/* Work of one stream that has told work of another, by a flag. */
struct order_told {
	int slot, to_slot;
	uint64_t number, to_number;
};

struct track {
	const struct cuda_stream *stream;
	struct order_entry *entries; /* by number */
	int n, cap;
	struct order_record *open;
};

static struct {
	struct track tracks[STREAMS_MOST]; /* from 1 */
	int n;
	uint64_t host[STREAMS_MOST], scratch[STREAMS_MOST];
	struct order_record **records;
	int n_records, records_cap;
	struct order_told *told;
	int n_told, told_cap;
	uint64_t graphs, graph;
	struct {
		const struct report_site *a, *b;
		const void *a_kernel, *b_kernel;
	} pairs[PAIRS_MOST];
	int n_pairs;
} order;

static void drop_clock(struct clock *c)
{
	if (c && --c->refs == 0)
		free(c);
}

static uint64_t clock_at(const struct clock *c, int slot)
{
	return c && slot < c->n ? c->of[slot] : 0;
}

static bool is_known(const struct clock *c, int slot, uint64_t number)
{
	return number <= clock_at(c, 0) || number <= clock_at(c, slot);
}

static bool host_knows(int slot, uint64_t number)
{
	return number <= order.host[0] || number <= order.host[slot];
}

static void raise_to(uint64_t *to, uint64_t number)
{
	*to = number > *to ? number : *to;
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

static int slot_of(const struct cuda_stream *stream)
{
	struct cuda_stream *s = (struct cuda_stream *)stream;
	if (s->order && order.tracks[s->order].stream == s)
		return s->order;
	int slot = 0;
	for (int i = 1; i <= order.n && !slot; i++) {
		const struct cuda_stream *of = order.tracks[i].stream;
		if (order.tracks[i].n)
			continue;
		if (!of || (of->mark != STREAM_MARK && of->mark != LANE_MARK && !of->first))
			slot = i;
	}
	if (!slot && order.n == STREAMS_MOST - 1)
		return 0;
	slot = slot ? slot : ++order.n;
	order.tracks[slot].stream = s;
	order.tracks[slot].open = NULL;
	s->order = slot;
	return slot;
}

/* The last one with this number or one before; NULL: the host knows of all of them. */
static const struct order_entry *entry_at(const struct track *t, uint64_t number)
{
	int low = 0, high = t->n;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (t->entries[middle].number <= number)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &t->entries[low - 1] : NULL;
}

/* What a stream did up to a number is before something else: nothing more is added to its record. */
static void join_entry(uint64_t *clock, int slot, uint64_t number)
{
	struct track *t = &order.tracks[slot];
	const struct order_entry *e = entry_at(t, number);
	if (t->open)
		t->open->sealed = true;
	if (t->stream)
		report_use_seal(t->stream);
	if (!e)
		return;
	for (int i = 0; e->before && i < e->before->n; i++)
		raise_to(&clock[i], e->before->of[i]);
	raise_to(&clock[slot], e->number);
}

static void join_blocking(uint64_t *clock, const struct cuda_stream *legacy, uint64_t number)
{
	for (int i = 1; i <= order.n; i++) {
		const struct cuda_stream *s = order.tracks[i].stream;
		if (s && s != legacy && s->blocking && s->device == legacy->device && s->mark != LANE_MARK)
			join_entry(clock, i, number);
	}
}

void report_order_forget(struct cuda_stream *lane)
{
	if (lane->order)
		order.tracks[lane->order].stream = NULL;
	lane->order = 0;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static struct order_record *new_record(
	const struct cuda_stream *stream, uint64_t number, struct clock *before, const struct cuda_work *work)
{
	struct order_record *record = base_calloc(1, sizeof *record);
	*record = (struct order_record){.stream = stream,
		.slot = stream ? stream->order : 0,
		.first = number,
		.last = number,
		.before = before,
		.graph = order.graph,
		.merged = 1,
		.found = report_footprint_new()};
	record->work = *work;
	if (before)
		before->refs++;
	*(struct order_record **)vec_push(order.records, order.n_records, order.records_cap) = record;
	return record;
}

static void drop_record(struct order_record *record)
{
	for (int i = 1; i <= order.n; i++)
		if (order.tracks[i].open == record)
			order.tracks[i].open = NULL;
	report_footprint_free(record->found);
	report_footprint_free(record->own);
	drop_clock(record->before);
	free(record);
}

/* What is not to be compared with anything any more: the host knew that it had ended before all that there is was asked
 * for. */
static void prune(const struct runtime *r)
{
	uint64_t oldest = UINT64_MAX;
	for (int i = 0; i < r->queue->n; i++)
		if (r->queue->streams[i]->first && r->queue->streams[i]->first->number < oldest)
			oldest = r->queue->streams[i]->first->number;
	int n = 0;
	for (int i = 0; i < order.n_records; i++) {
		struct order_record *record = order.records[i];
		if (!record->known_at && host_knows(record->slot, record->last))
			record->known_at = r->queue->numbers + 1;
		if (!record->pending && record->known_at && oldest >= record->known_at)
			drop_record(record);
		else
			order.records[n++] = record;
	}
	order.n_records = n;
	if (!n)
		order.n_told = 0;
	for (int slot = 1; slot <= order.n; slot++) {
		struct track *t = &order.tracks[slot];
		int known = 0;
		while (known < t->n && host_knows(slot, t->entries[known].number))
			drop_clock(t->entries[known++].before);
		if (!known)
			continue;
		memmove(t->entries, t->entries + known, (size_t)(t->n - known) * sizeof *t->entries);
		t->n -= known;
	}
}

/* Whether this may be one more of what the record has. */
static bool is_more_of(const struct order_record *record, const struct clock *before, const struct cuda_work *work)
{
	const struct cuda_work *w = &record->work;
	if (record->sealed || record->before != before || record->graph != order.graph || w->kind != work->kind ||
		record->merged >= MERGED_MOST || !report_site_is(w->site, work->site))
		return false;
	return work->kind == WORK_COPY || work->kind == WORK_FILL ||
		(work->kind == WORK_LAUNCH && w->launch.kernel == work->launch.kernel);
}

void report_order_submitted(struct runtime *r, struct cuda_operation *o)
{
	o->work.order = NULL;
	int slot = report_is_on() ? slot_of(o->stream) : 0;
	if (!slot)
		return;
	struct track *t = &order.tracks[slot];
	uint64_t *clock = order.scratch;
	memcpy(clock, order.host, ((size_t)order.n + 1) * sizeof *clock);
	const struct order_entry *previous = t->n ? &t->entries[t->n - 1] : NULL;
	for (int i = 0; previous && previous->before && i < previous->before->n; i++)
		raise_to(&clock[i], previous->before->of[i]);

	const struct cuda_stream *legacy = r->queue->legacy[o->stream->device];
	if (o->stream->is_legacy)
		join_blocking(clock, o->stream, o->number);
	else if (o->stream->blocking && o->stream->mark != LANE_MARK && legacy && legacy->order)
		join_entry(clock, legacy->order, o->number);
	if (o->work.kind == WORK_AWAIT && o->work.event.stream->order)
		join_entry(clock, o->work.event.stream->order, o->work.event.serial);
	clock[slot] = 0; /* the order in a stream needs no clock, which thus stays the same */

	struct clock *before = previous ? previous->before : NULL;
	int n = order.n + 1;
	bool same = before != NULL;
	for (int i = 0; same && i < n; i++)
		same = clock_at(before, i) == clock[i];
	if (same) {
		before->refs++;
	} else {
		before = base_malloc(sizeof *before + (size_t)n * sizeof *before->of);
		*before = (struct clock){.refs = 1, .n = n};
		memcpy(before->of, clock, (size_t)n * sizeof *before->of);
	}
	if (o->work.kind == WORK_RECORD && t->open)
		t->open->sealed = true;
	*(struct order_entry *)vec_push(t->entries, t->n, t->cap) = (struct order_entry){o->number, before};

	bool accesses = o->work.kind == WORK_LAUNCH || o->work.kind == WORK_COPY || o->work.kind == WORK_FILL ||
		o->work.kind == WORK_FREE || o->work.kind == WORK_BRANCH;
	if (!accesses)
		return;
	if (t->open && is_more_of(t->open, before, &o->work)) {
		t->open->last = o->number;
		t->open->merged++;
	} else {
		t->open = new_record(o->stream, o->number, before, &o->work);
	}
	t->open->pending++;
	o->work.order = t->open;
}

struct order_record *report_order_part(struct order_record *whole, const struct cuda_work *work)
{
	if (!whole)
		return NULL;
	struct order_record *part = new_record(whole->stream, whole->last, whole->before, work);
	part->graph = whole->graph;
	part->sealed = true;
	part->pending = 1;
	return part;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

void report_put_work(const struct cuda_work *work, struct buf *out)
{
	struct buf at = {0};
	if (work->kind == WORK_LAUNCH)
		runtime_put_launch(work->launch.kernel, &work->launch.config, out);
	else
		buf_puts(out,
			work->kind == WORK_COPY           ? "a copy"
				: work->kind == WORK_FILL ? "a fill (cudaMemset)"
				: work->kind == WORK_FREE ? "cudaFreeAsync"
							  : "cudaMallocAsync");
	const struct report_site *site = work->made ? work->made : work->site;
	if (site && report_site_text(site, &at))
		buf_printf(out, ", %s at %s,", work->made ? "a node made" : "asked for", buf_str(&at));
	buf_free(&at);
}

static const char *verb(const struct order_record *record, bool writes)
{
	return record->work.kind == WORK_FREE       ? "frees"
		: record->work.kind == WORK_NOTHING ? "allocates"
		: writes                            ? "writes to"
						    : "reads";
}

static void put_actor(const struct order_record *record, struct buf *out)
{
	const struct cuda_work *w = &record->work;
	if (w->kind == WORK_LAUNCH)
		runtime_put_launch(w->launch.kernel, &w->launch.config, out);
	else
		buf_puts(out,
			w->kind == WORK_COPY                              ? "a copy"
				: w->kind == WORK_FILL                    ? "a fill (cudaMemset)"
				: w->kind == WORK_FREE && !record->stream ? "cudaFree"
				: w->kind == WORK_FREE                    ? "cudaFreeAsync"
									  : "cudaMallocAsync");
	if (record->stream) {
		buf_puts(out, " in ");
		report_put_stream(record->stream, out);
	}
}

static void put_missing(const struct order_record *first, const struct order_record *second, struct buf *out)
{
	const struct cuda_stream *a = first->stream, *b = second->stream;
	if (!b) {
		buf_puts(out,
			"cudaFree does not wait for memory of cudaMallocAsync: a cudaDeviceSynchronize() is missing before, "
			"or cudaFreeAsync in the same stream");
		return;
	}
	if (first->graph && first->graph == second->graph) {
		buf_puts(out,
			"an edge between the two nodes of the graph is missing (cudaGraphAddDependencies; where a "
			"stream is captured, an event of the first branch that the second awaits)");
		return;
	}
	if ((a->is_legacy && !b->blocking) || (b->is_legacy && !a->blocking))
		buf_puts(out, "a stream of cudaStreamNonBlocking and the default stream do not wait for each other; ");
	if (second->work.blocks)
		buf_puts(out, "a cudaStreamSynchronize() of the first's stream is missing before");
	else
		buf_puts(out,
			"an event recorded after the first (cudaEventRecord) that the second's stream awaits "
			"(cudaStreamWaitEvent) is missing between");
}

/* --- judging ------------------------------------------------------------------------------------------------------ */

/* Whether all of `a` is before all of `b`: also where something that is before `b` saw a flag that `a` had set. */
static bool is_before(const struct order_record *a, const struct order_record *b)
{
	if (a->slot == b->slot || is_known(b->before, a->slot, a->last))
		return true;
	for (int i = 0; i < order.n_told; i++) {
		const struct order_told *t = &order.told[i];
		if (t->slot == a->slot && a->last <= t->number && is_known(b->before, t->to_slot, t->to_number))
			return true;
	}
	return false;
}

static bool is_reported(const struct order_record *a, const struct order_record *b)
{
	const void *x = a->work.kind == WORK_LAUNCH ? (const void *)a->work.launch.kernel : NULL;
	const void *y = b->work.kind == WORK_LAUNCH ? (const void *)b->work.launch.kernel : NULL;
	for (int i = 0; i < order.n_pairs; i++)
		if (report_site_is(order.pairs[i].a, a->work.site) && report_site_is(order.pairs[i].b, b->work.site) &&
			order.pairs[i].a_kernel == x && order.pairs[i].b_kernel == y)
			return true;
	if (order.n_pairs < PAIRS_MOST) {
		order.pairs[order.n_pairs].a = a->work.site;
		order.pairs[order.n_pairs].b = b->work.site;
		order.pairs[order.n_pairs].a_kernel = x;
		order.pairs[order.n_pairs++].b_kernel = y;
	}
	return false;
}

/* Whether kernels may tell each other when they may go on. */
static bool have_fences(const struct order_record *a, const struct order_record *b)
{
	return a->work.kind == WORK_LAUNCH && b->work.kind == WORK_LAUNCH &&
		a->work.launch.kernel->orders_all & ORDER_FENCE && b->work.launch.kernel->orders_all & ORDER_FENCE;
}

/* Flags that one sets and the other looks at. */
static void find_told(const struct order_record *a, const struct report_footprint *of_a, const struct order_record *b,
	const struct report_footprint *of_b)
{
	if (a->slot == b->slot || !report_footprint_tells(of_a, of_b, have_fences(a, b)))
		return;
	for (int i = 0; i < order.n_told; i++)
		if (order.told[i].slot == a->slot && order.told[i].number == a->last &&
			order.told[i].to_slot == b->slot && order.told[i].to_number == b->last)
			return;
	*(struct order_told *)vec_push(order.told, order.n_told, order.told_cap) = (struct order_told){
		a->slot, b->slot, a->last, b->last};
}

/* Whether they race. */
static bool judge_pair(struct runtime *r, const struct order_record *a, const struct report_footprint *of_a,
	const struct order_record *b, const struct report_footprint *of_b)
{
	struct footprint_meeting m;
	if (!report_footprint_meet(of_a, of_b, &m))
		return false;
	if (have_fences(a, b) && (report_footprint_tells(of_a, of_b, true) || report_footprint_tells(of_b, of_a, true)))
		return false;
	if (a->first > b->first) {
		const struct order_record *c = a;
		bool writes = m.a_writes;
		a = b;
		b = c;
		m.a_writes = m.b_writes;
		m.b_writes = writes;
	}
	if (is_reported(a, b))
		return true;

	struct buf first = {0}, second = {0}, stream = {0}, what = {0}, missing = {0};
	report_put_work(&a->work, &first);
	put_actor(b, &second);
	report_put_stream(a->stream, &stream);
	put_missing(a, b, &missing);
	bool known = report_address(r, m.address, &what);
	report_problem(r, REPORT_UNORDERED, b->work.made ? b->work.made : b->work.site,
		"%s %s memory that %s in %s %s, and nothing orders the two: %s%s%s", buf_str(&second),
		verb(b, m.b_writes), buf_str(&first), buf_str(&stream), verb(a, m.a_writes), buf_str(&missing),
		known ? "; " : "", known ? buf_str(&what) : "");
	buf_free(&first);
	buf_free(&second);
	buf_free(&stream);
	buf_free(&what);
	buf_free(&missing);
	return true;
}

/* Compares what `record` has accessed with all that has ended and may come before or after it. What only made the
 * memory is said where nothing else is. */
static void judge(struct runtime *r, const struct order_record *record, const struct report_footprint *f)
{
	bool found = false;
	for (int i = 0; i < order.n_records; i++) {
		const struct order_record *other = order.records[i];
		if (other == record || is_before(other, record) || is_before(record, other))
			continue;
		find_told(other, other->found, record, f);
		find_told(record, f, other, other->found);
	}
	for (int makers = 0; makers < 2 && !found; makers++)
		for (int i = 0; i < order.n_records; i++) {
			const struct order_record *other = order.records[i];
			bool ordered = record->stream ? is_before(other, record) || is_before(record, other)
						      : host_knows(other->slot, other->last);
			if (other != record && !ordered && (other->work.kind == WORK_NOTHING) == (makers == 1))
				found |= judge_pair(r, other, other->found, record, f);
		}
}

void report_order_launch_accessed(const struct cuda_work *work, struct report_footprint *f)
{
	struct order_record *record = work->order;
	if (!record) {
		report_footprint_free(f);
		return;
	}
	report_footprint_free(record->own);
	record->own = f;
}

static void add_rows(
	struct report_footprint *f, enum access_kind kind, uint64_t address, const struct footprint_box *box)
{
	struct footprint_box at = *box;
	at.address = address;
	if (address)
		report_footprint_add_box(f, kind, &at);
}

void report_order_completed(struct runtime *r, struct cuda_operation *o)
{
	struct order_record *record = o->work.order;
	const struct cuda_work *w = &o->work;
	if (w->kind == WORK_HOST)
		report_order_called(o);
	if (!record)
		return;
	struct report_footprint *f = record->own ? record->own : report_footprint_new();
	record->own = NULL;
	if (w->kind == WORK_COPY && !r->failed) {
		const struct copy_end *ends[] = {&w->copy.from, &w->copy.to};
		for (int i = 0; i < 2; i++)
			add_rows(f, i ? ACCESS_WRITES : ACCESS_READS, ends[i]->address,
				&(struct footprint_box){.width = w->copy.width,
					.pitch = ends[i]->pitch,
					.height = w->copy.height,
					.slice = ends[i]->slice,
					.depth = w->copy.depth});
	} else if (w->kind == WORK_FILL && !r->failed) {
		add_rows(f, ACCESS_WRITES, w->fill.address,
			&(struct footprint_box){
				.width = w->fill.width, .pitch = w->fill.pitch, .height = w->fill.height, .depth = 1});
	}
	judge(r, record, f);
	report_footprint_merge(record->found, f);
	report_footprint_free(f);
	record->pending--;
	if (record->known_at)
		prune(r);
	o->work.order = NULL;
}

bool report_order_may_come_before(const struct cuda_operation *o)
{
	const struct order_record *record = o->work.order;
	for (int i = 0; record && i < order.n_records; i++) {
		const struct order_record *other = order.records[i];
		if (other->pending && other->first < record->first && !is_before(other, record))
			return true;
	}
	return false;
}

void report_order_frees(struct runtime *r, const struct cuda_work *work, const struct cuda_allocation *a)
{
	struct order_record *record = work ? work->order : NULL;
	const struct cuda_work by_host = {.kind = WORK_FREE, .site = report_here()};
	if (!report_is_on() || (work && !record))
		return;
	struct order_record host = {.last = r->queue->numbers, .first = r->queue->numbers + 1};
	struct report_footprint *f = report_footprint_new();
	report_footprint_add_box(f, ACCESS_WRITES,
		&(struct footprint_box){
			.address = a->address, .width = a->bytes, .height = 1, .depth = 1, .pitch = a->bytes});
	host.work = by_host;
	judge(r, record ? record : &host, f);
	report_footprint_free(f);
}

void report_order_freed(uint64_t address, size_t bytes)
{
	for (int i = 0; i < order.n_records; i++)
		report_footprint_erase(order.records[i]->found, address, bytes);
}

void report_order_made(struct runtime *r, struct cuda_stream *stream, uint64_t address, size_t bytes)
{
	struct cuda_work work = {.kind = WORK_NOTHING};
	const struct report_site *site = report_here();
	if (!report_is_on() || queue_submit(r, stream, &work) != CUDA_Success || !stream->order)
		return;
	struct track *t = &order.tracks[stream->order];
	const struct order_entry *e = &t->entries[t->n - 1];
	work.site = site;
	struct order_record *record = new_record(stream, e->number, e->before, &work);
	record->sealed = true;
	report_footprint_add_box(record->found, ACCESS_WRITES,
		&(struct footprint_box){.address = address, .width = bytes, .height = 1, .depth = 1, .pitch = bytes});
}

/* --- the host ----------------------------------------------------------------------------------------------------- */

void report_order_waited(struct runtime *r, const struct cuda_stream *stream, uint64_t number)
{
	if (!report_is_on())
		return;
	if (!stream) {
		raise_to(&order.host[0], number);
	} else if (stream->order) {
		join_entry(order.host, stream->order, number);
		if (stream->is_legacy)
			join_blocking(order.host, stream, number);
	}
	prune(r);
}

void report_order_called(const struct cuda_operation *o)
{
	if (report_is_on() && o->stream->order)
		join_entry(order.host, o->stream->order, o->number);
}

bool report_order_host_knows(const struct cuda_stream *stream, uint64_t number)
{
	if (!stream->order)
		return stream->done >= number;
	for (int i = 0; i < order.n_told; i++) {
		const struct order_told *t = &order.told[i];
		if (t->slot == stream->order && number <= t->number && host_knows(t->to_slot, t->to_number))
			return true;
	}
	return host_knows(stream->order, number);
}

void report_order_graph_begin(void)
{
	order.graph = ++order.graphs;
}

void report_order_graph_end(void)
{
	order.graph = 0;
}

/* --- instructions ------------------------------------------------------------------------------------------------- */

static bool has(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

static uint8_t order_of_text(const char *line)
{
	bool system = has(line, ".sys") || has(line, ".mmio");
	bool orders = has(line, ".acquire") || has(line, ".release") || has(line, ".acq_rel");
	bool is_volatile = has(line, ".volatile"), is_atomic = has(line, "atom.") || has(line, "red.");
	uint8_t out = 0;
	if (has(line, "membar.") || has(line, "fence."))
		return has(line, ".cta") ? 0 : system ? ORDER_FENCE | ORDER_FENCE_SYSTEM : ORDER_FENCE;
	if (has(line, ".shared") || has(line, ".cta"))
		return 0;
	if (is_volatile || is_atomic || orders || has(line, ".relaxed") || has(line, ".mmio"))
		out |= ORDER_STRONG;
	if (is_volatile || (out && system))
		out |= ORDER_STRONG_SYSTEM;
	if (orders)
		out |= ORDER_FENCE;
	if (orders && system && !has(line, ".acquire"))
		out |= ORDER_RELEASE_SYSTEM | ORDER_FENCE_SYSTEM;
	return out;
}

const uint8_t *report_order_of_instructions(struct cuda_kernel *kernel)
{
	if (kernel->orders)
		return kernel->orders;
	int n = ptx_instr_count(kernel->ptx);
	uint8_t *orders = base_calloc((size_t)n + 1, 1);
	struct buf text = {0};
	kernel->orders_all = 0;
	for (int i = 0; i < n; i++) {
		buf_clear(&text);
		ptx_instr_print(kernel->ptx, i, &text);
		orders[i] = order_of_text(buf_str(&text));
		kernel->orders_all |= orders[i];
	}
	buf_free(&text);
	/* Atomic operations that no scope is said of are the device's; where the kernel fences for the host, too, they
	 * are meant as flags for it. */
	for (int i = 0; i < n && kernel->orders_all & ORDER_FENCE_SYSTEM; i++)
		if (orders[i] & ORDER_STRONG)
			orders[i] |= ORDER_STRONG_SYSTEM;
	if (kernel->orders_all & ORDER_FENCE_SYSTEM && kernel->orders_all & ORDER_STRONG)
		kernel->orders_all |= ORDER_STRONG_SYSTEM;
	return kernel->orders = orders;
}
