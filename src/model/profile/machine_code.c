#include "model/profile/machine_code_parts.h"

#include <stdlib.h>

#define INSTRS_MOST (1 << 17) /* PTX or machine: larger kernels are not matched */
#define VERSIONS_MOST 64

/* --- which is which --------------------------------------------------------------------------------------------------- */
static const struct ptx_instr *instr_of(const struct code_match *m, int op)
{
	const struct ptx_part *part = &m->kernel->parts[m->sources[m->source_of[op]].part];
	return &part->code->instrs[op - part->first];
}

/* How often each PTX instruction is in a block of machine code; those with a guard are not counted, unless there are no others. */
struct block_uses {
	int *uses;      /* by PTX instruction */
	double *weight; /* by source */
};

/* Whether a machine instruction is the access that the PTX instruction is for, not what leads there. */
static bool is_what_it_is_for(const struct code_match *m, int at, int op)
{
	const struct ptx_instr *instr = instr_of(m, op);
	uint8_t pipe = m->cubin->instrs[at].pipe;
	if (!profile_code_stays(instr))
		return pipe != PIPE_NONE;
	return instr_accesses_memory(instr->form) || instr_is_atomic(instr->form) ? pipe == PIPE_LSU : true;
}

static void weigh(const struct code_match *m, const struct code_block *block, bool guarded, struct block_uses *u)
{
	for (int i = block->first; i <= block->last; i++) {
		int op = m->op_of[i];
		bool branch = m->cubin->instrs[i].flow == CUBIN_BRANCH;
		if (op < 0 || (m->cubin->instrs[i].is_conditional && !guarded && !branch))
			continue;
		u->uses[op] += is_what_it_is_for(m, i, op);
		u->weight[m->source_of[op]] += 1;
	}
}

static void forget(const struct code_match *m, const struct code_block *block, struct block_uses *u)
{
	for (int i = block->first; i <= block->last; i++) {
		if (m->op_of[i] < 0)
			continue;
		u->uses[m->op_of[i]] = 0;
		u->weight[m->source_of[m->op_of[i]]] = 0;
	}
}

static int heaviest(const struct code_match *m, const struct code_block *block, const struct block_uses *u)
{
	int most = -1;
	for (int i = block->first; i <= block->last; i++) {
		int source = m->op_of[i] < 0 ? -1 : m->source_of[m->op_of[i]];
		if (source >= 0 && u->weight[source] > 0 && (most < 0 || u->weight[source] > u->weight[most]))
			most = source;
	}
	return most;
}

static int compare_ints(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* How well the number of machine instructions that a PTX instruction became says how often it is there: one each. */
enum { TELLS_NOTHING, TELLS_LITTLE, TELLS_MORE, TELLS_MOST };

static int tells(const struct code_match *m, int op)
{
	const struct schedule_op *cost = &m->trace->program->ops[op];
	const struct ptx_instr *instr = instr_of(m, op);
	if (profile_code_stays(instr))
		return instr_is_atomic(instr->form) ? TELLS_NOTHING : TELLS_MOST;
	if (cost->issues != 1 || instr_kind(instr->form) == PTX_KIND_BRANCH || instr_ends_block(instr->form))
		return TELLS_NOTHING;
	return cost->latency == LATENCY_FMA || cost->latency == LATENCY_DOUBLE || cost->latency == LATENCY_HALF
		? TELLS_MORE
		: TELLS_LITTLE;
}

#define TELLING_MOST 256

/* How often the source is in the block, by those of its instructions that tell it best; 0: it is not known. */
static int times_in(const struct code_match *m, struct code_block *block, const struct block_uses *u)
{
	const struct code_source *source = &m->sources[block->source];
	int counts[TELLING_MOST], n = 0, best = TELLS_LITTLE;
	for (int op = source->first; op <= source->last; op++) {
		int certainty = u->uses[op] ? tells(m, op) : TELLS_NOTHING;
		if (certainty < best || certainty == TELLS_NOTHING)
			continue;
		n = certainty > best ? 0 : n;
		best = certainty;
		if (n < TELLING_MOST)
			counts[n++] = u->uses[op];
	}
	if (source->loop < 0 && !source->part)
		return 1;
	block->certainty = n ? 1000 * best + n : 0;
	qsort(counts, (size_t)n, sizeof *counts, compare_ints);
	return !n ? 0 : best == TELLS_LITTLE ? counts[0] : counts[n / 2];
}

/* Whether the block is not the source, but what the compiler has put in front of the loop that this is in. */
static bool is_in_front(const struct code_match *m, const struct code_block *block, const struct block_uses *u)
{
	const struct code_source *source = &m->sources[block->source];
	int present = 0, all = 0;
	bool accesses = false;
	if (block->depth >= source->depth)
		return false;
	for (int op = source->first; op <= source->last; op++) {
		present += u->uses[op] > 0;
		all += m->trace->program->ops[op].issues > 0;
		accesses |= u->uses[op] && profile_code_stays(instr_of(m, op));
	}
	return source->has_accesses ? !accesses : 2 * present < all;
}

static void match_block(struct code_match *m, struct code_block *block, struct block_uses *u)
{
	weigh(m, block, false, u);
	block->source = heaviest(m, block, u);
	if (block->source < 0) {
		weigh(m, block, true, u);
		block->source = heaviest(m, block, u);
	}
	if (block->source >= 0) {
		block->in_front = is_in_front(m, block, u);
		block->times = times_in(m, block, u);
	}
	forget(m, block, u);
}

/* What is in one loop is one piece of code, so often there as the block that tells it best. */
static bool is_one_piece(const struct code_match *m, const struct code_block *a, const struct code_block *b)
{
	return a->source == b->source && a->depth == b->depth && a->loop == b->loop &&
		(a->source < 0 || a->depth >= m->sources[a->source].depth);
}

static void settle_times(struct code_match *m)
{
	for (int from = 0, to; from < m->n_blocks; from = to) {
		int best = from;
		for (to = from + 1; to < m->n_blocks && is_one_piece(m, &m->blocks[from], &m->blocks[to]); to++)
			best = m->blocks[to].certainty > m->blocks[best].certainty ? to : best;
		int times = m->blocks[best].times ? m->blocks[best].times : 1;
		for (int b = from; b < to; b++)
			m->blocks[b].times = times;
	}
}

/* Whether two blocks have instructions of one source in common. */
static bool overlap(
	const struct code_match *m, const struct code_block *a, const struct code_block *b, struct block_uses *u)
{
	int in_both = 0, in_b = 0;
	weigh(m, a, true, u);
	for (int i = b->first; i <= b->last; i++) {
		if (m->op_of[i] < 0 || m->source_of[m->op_of[i]] != b->source || !tells(m, m->op_of[i]))
			continue;
		in_b++;
		in_both += u->uses[m->op_of[i]] > 0;
	}
	forget(m, a, u);
	return in_b && 4 * in_both > in_b;
}

static int compare_copies(const void *a, const void *b)
{
	const struct code_copy *x = a, *y = b;
	if (x->times != y->times)
		return y->times - x->times;
	return x->depth != y->depth ? y->depth - x->depth : x->block - y->block;
}

static bool is_copy(const struct code_block *block)
{
	return block->reached && block->source >= 0 && !block->in_front && !block->calls;
}

/* Numbers the versions of a source. */
static void find_versions(const struct code_match *m, const struct code_source *source, struct block_uses *u)
{
	const struct code_copy *copies = &m->copies[source->copies];
	for (int i = 1, version = 0; i < source->n_copies; i++) {
		struct code_block *block = &m->blocks[copies[i].block];
		bool begins = copies[i].times != copies[i - 1].times || copies[i].depth != copies[i - 1].depth ||
			i > VERSIONS_MOST;
		if (!begins && is_one_piece(m, block, &m->blocks[copies[i - 1].block]) && block->loop >= 0) {
			block->version = version;
			continue;
		}
		for (int k = i - 1; k >= 0 && !begins && m->blocks[copies[k].block].version == version; k--)
			begins = overlap(m, &m->blocks[copies[k].block], block, u);
		version += begins;
		block->version = version;
	}
}

static void find_copies(struct code_match *m, struct block_uses *u)
{
	int at = 0;
	m->copies = arena_array(m->arena, struct code_copy, (size_t)m->n_blocks + 1);
	for (int b = 0; b < m->n_blocks; b++)
		if (is_copy(&m->blocks[b]))
			m->sources[m->blocks[b].source].n_copies++;
	for (int s = 0; s < m->n_sources; s++) {
		m->sources[s].copies = at;
		at += m->sources[s].n_copies;
		m->sources[s].n_copies = 0;
	}
	for (int b = 0; b < m->n_blocks; b++) {
		const struct code_block *block = &m->blocks[b];
		if (!is_copy(block))
			continue;
		struct code_source *source = &m->sources[block->source];
		m->copies[source->copies + source->n_copies++] = (struct code_copy){b, block->times, block->depth};
	}
	for (int s = 0; s < m->n_sources; s++) {
		qsort(&m->copies[m->sources[s].copies], (size_t)m->sources[s].n_copies, sizeof *m->copies,
			compare_copies);
		find_versions(m, &m->sources[s], u);
	}
}

/* --- how often -------------------------------------------------------------------------------------------------------- */
static void add_to_version(struct code_match *m, const struct code_source *source, int version, double n)
{
	for (int i = 0; i < source->n_copies; i++) {
		struct code_block *block = &m->blocks[m->copies[source->copies + i].block];
		if (block->version == version)
			block->executed += n;
	}
}

/* Gives the times that a source was executed in a row to the machine code that has it. */
static void give(struct code_match *m, struct code_source *source)
{
	double left = source->run;
	source->run = 0;
	for (int i = 0, next; i < source->n_copies && left > 0; i = next) {
		const struct code_block *block = &m->blocks[m->copies[source->copies + i].block];
		int last = block->version;
		for (next = i + 1; next < source->n_copies; next++) {
			const struct code_block *other = &m->blocks[m->copies[source->copies + next].block];
			if (other->times != block->times || other->depth != block->depth)
				break;
			last = other->version;
		}
		int versions = last - block->version + 1;
		double fit = (double)(int64_t)(left / block->times);
		if (block->depth < source->depth && fit > versions)
			fit = versions;
		if (next == source->n_copies)
			fit = left / block->times;
		for (int v = block->version; v <= last; v++)
			add_to_version(m, source, v, fit / versions);
		left -= fit * block->times;
	}
}

static void end_loop(struct code_match *m, int loop)
{
	for (int s = m->loops[loop].first; s <= m->loops[loop].last; s++)
		if (m->sources[s].loop == loop && m->sources[s].run > 0)
			give(m, &m->sources[s]);
	m->loops[loop].open = false;
}

static void enter(struct code_match *m, int source, int before)
{
	for (int i = 0; i < m->n_loops; i++) {
		struct code_loop *loop = &m->loops[i];
		bool within = profile_code_is_within(loop, source);
		if (loop->open && !within && (before < 0 || m->sources[source].part == m->sources[before].part))
			end_loop(m, i);
		if (within && !loop->open) {
			loop->open = true;
			loop->begun++;
		}
	}
	m->sources[source].executed++;
	m->sources[source].run++;
	if (m->sources[source].loop < 0)
		give(m, &m->sources[source]);
}

static void follow_warps(struct code_match *m)
{
	m->executed = arena_array(m->arena, double, (size_t)m->trace->program->n_ops + 1);
	for (int w = 0; w < m->trace->n_kept; w++) {
		const struct schedule_warp *warp = &m->trace->warps[w];
		int before = -1;
		for (uint32_t i = 0; i < warp->n; i++) {
			int op = (int)warp->steps[i].op, source = m->source_of[op];
			m->executed[op]++;
			if (op == m->sources[source].first)
				enter(m, source, before);
			before = source;
		}
		for (int i = 0; i < m->n_loops; i++)
			if (m->loops[i].open)
				end_loop(m, i);
	}
}

/* What stands in front of loops: once for each time that the one begins which it is not in. */
static void count_fronts(struct code_match *m)
{
	for (int b = 0; b < m->n_blocks; b++) {
		struct code_block *block = &m->blocks[b];
		if (!block->reached || is_copy(block))
			continue;
		if (block->calls)
			continue;
		if (block->source < 0) {
			bool goes_on = b && m->cubin->instrs[m->blocks[b - 1].last].flow == CUBIN_NEXT;
			block->executed = goes_on ? m->blocks[b - 1].executed : 0;
			continue;
		}
		const struct code_source *source = &m->sources[block->source];
		int loop = source->loop;
		for (int d = source->depth - 1; d > block->depth && loop >= 0; d--)
			loop = m->loops[loop].parent;
		block->executed = loop >= 0 ? m->loops[loop].begun : source->executed;
	}
}

/* The PTX instruction that is executed when the machine instruction is: its own, else the next one of the block's. */
static int bearer(const struct code_match *m, const struct code_block *block, int op)
{
	if (op >= 0 && m->executed[op] > 0)
		return op;
	if (block->source < 0)
		return -1;
	const struct code_source *source = &m->sources[block->source];
	return m->executed[source->first] > 0 ? source->first : -1;
}

/* --- the sums --------------------------------------------------------------------------------------------------------- */
static const struct machine_code *sum(struct code_match *m)
{
	struct machine_code *out = arena_alloc(m->arena, sizeof *out);
	size_t n = (size_t)m->trace->program->n_ops;
	float *of_op = arena_array(m->arena, float, n + 1);
	double *all = arena_array(m->arena, double, n + 1);
	for (int i = 0; i < m->cubin->n; i++) {
		const struct code_block *block = &m->blocks[m->block_of[i]];
		int op = bearer(m, block, m->op_of[i]);
		out->instructions += block->executed;
		if (op < 0)
			continue;
		all[op] += block->executed;
	}
	for (size_t op = 0; op < n; op++)
		of_op[op] = m->executed[op] > 0 ? (float)(all[op] / m->executed[op]) : 0;
	out->of_op = of_op;
	return out->instructions > 0 ? out : NULL;
}

const struct machine_code *profile_machine_code(
	struct arena *arena, const struct ptx_kernel *kernel, const struct cubin *cubin, const struct trace *trace)
{
	struct code_match m = {.arena = arena, .kernel = kernel, .cubin = cubin, .trace = trace};
	if (trace->program->n_ops > INSTRS_MOST || cubin->n > INSTRS_MOST)
		return NULL;
	if (!profile_code_find_blocks(&m))
		return NULL;
	struct block_uses u = {arena_array(arena, int, (size_t)trace->program->n_ops + 1),
		arena_array(arena, double, (size_t)m.n_sources + 1)};
	for (int b = 0; b < m.n_blocks; b++)
		match_block(&m, &m.blocks[b], &u);
	settle_times(&m);
	find_copies(&m, &u);
	follow_warps(&m);
	count_fronts(&m);
	return sum(&m);
}
