#include "model/profile/private.h"

#include <stdlib.h>

#include "machine/ptx/instr.h"

#define LOOPS_MOST 256        /* larger kernels are not matched */
#define INSTRS_MOST (1 << 17) /* PTX or machine: larger kernels are not matched */
#define VERSIONS_MOST 64

/* A basic block of the PTX; those of all parts are numbered one after the other. */
struct code_source {
	int first, last, part; /* instructions, as ptx_instr_count numbers them */
	int loop;              /* the innermost around it; -1: none */
	int depth;             /* loops around it */
	double executed, left; /* by the warps of the trace; of them, not given to machine code yet */
	double run;            /* so often since its loop began */
	int n_copies, copies;  /* basic blocks of machine code that it is in: of code_match.copies, from `copies` on */
	bool has_accesses;     /* to memory, or barriers: what the compiler does not move to elsewhere */
};

struct code_loop {
	int first, last; /* blocks of the PTX */
	int parent;
	double begun;
	bool open;
};

/* A basic block of machine code. */
struct code_block {
	int first, last;
	int depth, loop; /* loops around it; the first block of the innermost, -1: none */
	int source;      /* that most of it was made from; -1: none */
	int times;       /* that the source is in it */
	int certainty;   /* of that, as certainty_of() ranks it */
	bool in_front;   /* of the loop of its source */
	int version; /* of its source: those of one have different instructions of it, those of others the same ones */
	double executed;
	bool reached, calls;
};

struct code_copy {
	int block, times, depth;
};

struct code_match {
	struct arena *arena;
	const struct ptx_kernel *kernel;
	const struct cubin *cubin;
	const struct trace *trace;
	int *op_of;       /* by machine instruction: the PTX instruction that it was made from; -1: none */
	int *source_of;   /* by PTX instruction */
	int *block_of;    /* by machine instruction */
	double *executed; /* by PTX instruction */
	struct code_source *sources;
	int n_sources;
	struct code_loop *loops;
	int n_loops;
	struct code_block *blocks;
	int n_blocks;
	struct code_copy *copies;
};

static const struct ptx_instr *instr_of(const struct code_match *m, int op)
{
	const struct ptx_part *part = &m->kernel->parts[m->sources[m->source_of[op]].part];
	return &part->code->instrs[op - part->first];
}

/* --- the PTX ------------------------------------------------------------------------------------------------------ */

static void add_loop(struct code_match *m, int first, int last)
{
	for (int i = 0; i < m->n_loops && i <= LOOPS_MOST; i++) {
		if (m->loops[i].first != first)
			continue;
		m->loops[i].last = last > m->loops[i].last ? last : m->loops[i].last;
		return;
	}
	m->loops[m->n_loops++] = (struct code_loop){.first = first, .last = last, .parent = -1};
}

/* Whether the basic block of PTX is of the loop. */
static bool is_within(const struct code_loop *loop, int source)
{
	return source >= loop->first && source <= loop->last;
}

static int blocks_of_loop(const struct code_loop *loop)
{
	return loop->last - loop->first;
}

/* What has an effect, or waits: it is executed where it stands, and as often. */
static bool stays_in_place(const struct ptx_instr *instr)
{
	return (instr_accesses_memory(instr->form) && ptx_form_space(instr->form) != SPACE_PARAM &&
		       ptx_form_space(instr->form) != SPACE_CONST) ||
		instr_is_barrier(instr->form) || instr_is_atomic(instr->form) ||
		instr_kind(instr->form) == PTX_KIND_EXCHANGE || instr_kind(instr->form) == PTX_KIND_MMA;
}

static void find_sources(struct code_match *m)
{
	int n = 0;
	for (int p = 0; p < m->kernel->n_parts; p++)
		n += m->kernel->parts[p].code->n_blocks;
	m->sources = arena_array(m->arena, struct code_source, (size_t)n + 1);
	m->loops = arena_array(m->arena, struct code_loop, (size_t)n + 1);
	m->source_of = arena_array(m->arena, int, (size_t)m->trace->program->n_ops + 1);
	for (int p = 0; p < m->kernel->n_parts; p++) {
		const struct ptx_part *part = &m->kernel->parts[p];
		int before = m->n_sources;
		for (int b = 0; b < part->code->n_blocks; b++) {
			const struct ptx_block *block = &part->code->blocks[b];
			struct code_source *source = &m->sources[m->n_sources++];
			*source = (struct code_source){
				.first = part->first + block->first, .last = part->first + block->last, .part = p};
			for (int i = block->first; i <= block->last; i++) {
				m->source_of[part->first + i] = before + b;
				source->has_accesses |= stays_in_place(&part->code->instrs[i]);
			}
			for (int i = 0; i < block->n_succ; i++)
				if (block->succ[i] <= b)
					add_loop(m, before + block->succ[i], before + b);
		}
	}
}

/* --- machine code ------------------------------------------------------------------------------------------------- */

struct op_line {
	uint32_t line;
	int op;
};

static int compare_op_lines(const void *a, const void *b)
{
	const struct op_line *x = a, *y = b;
	return x->line != y->line ? (x->line > y->line) - (x->line < y->line) : x->op - y->op;
}

/* Of each machine instruction the first PTX instruction of its line. */
static void find_ops(struct code_match *m)
{
	int n = m->trace->program->n_ops;
	struct op_line *lines = arena_array(m->arena, struct op_line, (size_t)n + 1);
	for (int i = 0; i < n; i++)
		lines[i] = (struct op_line){(uint32_t)ptx_instr_location(m->kernel, i).ptx_line, i};
	qsort(lines, (size_t)n, sizeof *lines, compare_op_lines);
	m->op_of = arena_array(m->arena, int, (size_t)m->cubin->n + 1);
	for (int i = 0; i < m->cubin->n; i++) {
		uint32_t line = m->cubin->instrs[i].ptx_line;
		int from = 0, to = n;
		while (from < to) {
			int middle = from + (to - from) / 2;
			if (lines[middle].line < line)
				from = middle + 1;
			else
				to = middle;
		}
		m->op_of[i] = line && from < n && lines[from].line == line ? lines[from].op : -1;
	}
}

static void find_blocks(struct code_match *m)
{
	int n = m->cubin->n;
	bool *begins = arena_array(m->arena, bool, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		const struct cubin_instr *instr = &m->cubin->instrs[i];
		begins[i] |= instr->begins || i == 0;
		if (instr->target >= 0)
			begins[instr->target] = true;
		if (instr->flow != CUBIN_NEXT)
			begins[i + 1] = true;
	}
	m->blocks = arena_array(m->arena, struct code_block, (size_t)n + 1);
	m->block_of = arena_array(m->arena, int, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		if (begins[i])
			m->blocks[m->n_blocks++] = (struct code_block){.first = i, .source = -1};
		m->block_of[i] = m->n_blocks - 1;
		struct code_block *block = &m->blocks[m->n_blocks - 1];
		block->last = i;
		bool of_ptx = m->op_of[i] >= 0 && instr_kind(instr_of(m, m->op_of[i])->form) == PTX_KIND_CALL;
		block->calls |= m->cubin->instrs[i].flow == CUBIN_CALL && !of_ptx;
	}
}

static void reach(struct code_match *m, int block, int *stack, int *n)
{
	if (m->blocks[block].reached)
		return;
	m->blocks[block].reached = true;
	stack[(*n)++] = block;
}

static void reach_from_there(struct code_match *m, int *stack, int n)
{
	while (n) {
		int b = stack[--n];
		const struct cubin_instr *last = &m->cubin->instrs[m->blocks[b].last];
		bool goes_on = last->flow == CUBIN_NEXT || last->is_conditional ||
			(last->flow == CUBIN_CALL && !m->blocks[b].calls);
		if (last->flow == CUBIN_BRANCH && last->target >= 0)
			reach(m, m->block_of[last->target], stack, &n);
		if (goes_on && b + 1 < m->n_blocks && !m->cubin->instrs[m->blocks[b + 1].first].begins)
			reach(m, b + 1, stack, &n);
	}
}

/* How often each PTX instruction is in a block of machine code; those with a guard are not counted, unless there are no
 * others. */
struct block_uses {
	int *uses;      /* by PTX instruction */
	double *weight; /* by source */
};

static void weigh(const struct code_match *m, const struct code_block *block, bool guarded, struct block_uses *u)
{
	for (int i = block->first; i <= block->last; i++) {
		int op = m->op_of[i];
		bool branch = m->cubin->instrs[i].flow == CUBIN_BRANCH;
		if (op < 0 || (m->cubin->instrs[i].is_conditional && !guarded && !branch))
			continue;
		/* whether it is the access that the PTX instruction is for, not what leads there */
		const struct ptx_instr *instr = instr_of(m, op);
		uint8_t pipe = m->cubin->instrs[i].pipe;
		bool counts = pipe != PIPE_NONE;
		if (stays_in_place(instr))
			counts = pipe == PIPE_LSU ||
				!(instr_accesses_memory(instr->form) || instr_is_atomic(instr->form));
		u->uses[op] += counts;
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
enum { CERTAINTY_NONE, CERTAINTY_LOW, CERTAINTY_MORE, CERTAINTY_MOST };

static int certainty_of(const struct code_match *m, int op)
{
	const struct schedule_op *cost = &m->trace->program->ops[op];
	const struct ptx_instr *instr = instr_of(m, op);
	if (stays_in_place(instr))
		return instr_is_atomic(instr->form) ? CERTAINTY_NONE : CERTAINTY_MOST;
	if (cost->issues != 1 || instr_kind(instr->form) == PTX_KIND_BRANCH || instr_ends_block(instr->form))
		return CERTAINTY_NONE;
	return cost->latency == LATENCY_FMA || cost->latency == LATENCY_DOUBLE || cost->latency == LATENCY_HALF
		? CERTAINTY_MORE
		: CERTAINTY_LOW;
}

#define COUNTS_MOST 256

/* What is in one loop is one piece of code, so often there as the block that tells it best. */
static bool is_one_piece(const struct code_match *m, const struct code_block *a, const struct code_block *b)
{
	return a->source == b->source && a->depth == b->depth && a->loop == b->loop &&
		(a->source < 0 || a->depth >= m->sources[a->source].depth);
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

		/* the versions of the source */
		const struct code_source *source = &m->sources[s];
		const struct code_copy *copies = &m->copies[source->copies];
		for (int i = 1, version = 0; i < source->n_copies; i++) {
			struct code_block *block = &m->blocks[copies[i].block];
			bool begins = copies[i].times != copies[i - 1].times ||
				copies[i].depth != copies[i - 1].depth || i > VERSIONS_MOST;
			if (!begins && is_one_piece(m, block, &m->blocks[copies[i - 1].block]) && block->loop >= 0) {
				block->version = version;
				continue;
			}
			for (int k = i - 1; k >= 0 && !begins && m->blocks[copies[k].block].version == version; k--) {
				/* whether the two blocks have instructions of the source in common */
				const struct code_block *a = &m->blocks[copies[k].block];
				int in_both = 0, in_b = 0;
				weigh(m, a, true, u);
				for (int j = block->first; j <= block->last; j++) {
					if (m->op_of[j] < 0 || m->source_of[m->op_of[j]] != block->source ||
						!certainty_of(m, m->op_of[j]))
						continue;
					in_b++;
					in_both += u->uses[m->op_of[j]] > 0;
				}
				forget(m, a, u);
				begins = in_b && 4 * in_both > in_b;
			}
			version += begins;
			block->version = version;
		}
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
		for (int k = 0; k < source->n_copies; k++) {
			struct code_block *other = &m->blocks[m->copies[source->copies + k].block];
			if (other->version >= block->version && other->version <= last)
				other->executed += fit / versions;
		}
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

static void follow_warps(struct code_match *m)
{
	m->executed = arena_array(m->arena, double, (size_t)m->trace->program->n_ops + 1);
	for (int w = 0; w < m->trace->n_kept; w++) {
		const struct schedule_warp *warp = &m->trace->warps[w];
		int before = -1;
		for (uint32_t i = 0; i < warp->n; i++) {
			int op = (int)warp->steps[i].op, source = m->source_of[op];
			m->executed[op]++;
			if (op != m->sources[source].first) {
				before = source;
				continue;
			}

			/* a basic block begins: loops that it is not in end, those that it is in go on or begin */
			struct code_source *begun = &m->sources[source];
			for (int k = 0; k < m->n_loops; k++) {
				struct code_loop *loop = &m->loops[k];
				bool within = is_within(loop, source);
				if (loop->open && !within && (before < 0 || begun->part == m->sources[before].part))
					end_loop(m, k);
				if (within && !loop->open) {
					loop->open = true;
					loop->begun++;
				}
			}
			begun->executed++;
			begun->run++;
			if (begun->loop < 0)
				give(m, begun);
			before = source;
		}
		for (int i = 0; i < m->n_loops; i++)
			if (m->loops[i].open)
				end_loop(m, i);
	}
}

const struct machine_code *profile_machine_code(
	struct arena *arena, const struct ptx_kernel *kernel, const struct cubin *cubin, const struct trace *trace)
{
	struct code_match m = {.arena = arena, .kernel = kernel, .cubin = cubin, .trace = trace};
	if (trace->program->n_ops > INSTRS_MOST || cubin->n > INSTRS_MOST)
		return NULL;

	find_sources(&m);
	if (m.n_loops > LOOPS_MOST)
		return NULL;

	/* the loop around each loop and each basic block of the PTX */
	for (int i = 0; i < m.n_loops; i++)
		for (int k = 0; k < m.n_loops; k++)
			if (i != k && is_within(&m.loops[k], m.loops[i].first) &&
				is_within(&m.loops[k], m.loops[i].last) &&
				(m.loops[i].parent < 0 ||
					blocks_of_loop(&m.loops[k]) < blocks_of_loop(&m.loops[m.loops[i].parent])))
				m.loops[i].parent = k;
	for (int s = 0; s < m.n_sources; s++) {
		struct code_source *source = &m.sources[s];
		source->loop = -1;
		for (int i = 0; i < m.n_loops; i++) {
			if (!is_within(&m.loops[i], s))
				continue;
			source->depth++;
			if (source->loop < 0 || blocks_of_loop(&m.loops[i]) < blocks_of_loop(&m.loops[source->loop]))
				source->loop = i;
		}
	}

	find_ops(&m);
	find_blocks(&m);

	/* From the beginning of the functions, not through calls of the compiler's own subroutines. */
	int *stack = arena_array(m.arena, int, (size_t)m.n_blocks + 1), on_stack = 0;
	bool switches = false;
	for (int b = 0; b < m.n_blocks; b++) {
		if (m.cubin->instrs[m.blocks[b].first].begins)
			reach(&m, b, stack, &on_stack);
		switches |= m.cubin->instrs[m.blocks[b].last].flow == CUBIN_SWITCH;
	}
	reach_from_there(&m, stack, on_stack);
	if (switches) {
		/* where a switch goes to is not known: to all that those subroutines are not made of */
		bool *before = arena_array(m.arena, bool, (size_t)m.n_blocks + 1);
		for (int b = 0; b < m.n_blocks; b++)
			before[b] = m.blocks[b].reached;
		on_stack = 0;
		for (int b = 0; b < m.n_blocks; b++) {
			const struct cubin_instr *last = &m.cubin->instrs[m.blocks[b].last];
			if (last->flow == CUBIN_CALL && last->target >= 0 && m.blocks[b].calls)
				reach(&m, m.block_of[last->target], stack, &on_stack);
		}
		reach_from_there(&m, stack, on_stack);
		for (int b = 0; b < m.n_blocks; b++)
			m.blocks[b].reached = before[b] || !m.blocks[b].reached;
	}

	/* Loops of machine code, by their first block. */
	int *ends = arena_array(m.arena, int, (size_t)m.n_blocks + 1);
	for (int b = 0; b < m.n_blocks; b++) {
		const struct cubin_instr *last = &m.cubin->instrs[m.blocks[b].last];
		int to = last->flow == CUBIN_BRANCH && last->target >= 0 ? m.block_of[last->target] : b + 1;
		if (m.blocks[b].reached && to <= b && ends[to] <= b)
			ends[to] = b + 1;
	}
	int *open = arena_array(m.arena, int, (size_t)m.n_blocks + 1), depth = 0;
	for (int b = 0; b < m.n_blocks; b++) {
		while (depth && ends[open[depth - 1]] <= b)
			depth--;
		if (ends[b])
			open[depth++] = b;
		m.blocks[b].depth = depth;
		m.blocks[b].loop = depth ? open[depth - 1] : -1;
	}

	/* which PTX each basic block of machine code was made from */
	struct block_uses u = {arena_array(arena, int, (size_t)trace->program->n_ops + 1),
		arena_array(arena, double, (size_t)m.n_sources + 1)};
	for (int b = 0; b < m.n_blocks; b++) {
		struct code_block *block = &m.blocks[b];
		weigh(&m, block, false, &u);
		block->source = heaviest(&m, block, &u);
		if (block->source < 0) {
			weigh(&m, block, true, &u);
			block->source = heaviest(&m, block, &u);
		}
		if (block->source >= 0) {
			/* Whether the block is not the source, but what the compiler has put in front of the loop that
			 * this is in. */
			const struct code_source *source = &m.sources[block->source];
			int present = 0, all = 0;
			bool accesses = false;
			for (int op = source->first; op <= source->last; op++) {
				present += u.uses[op] > 0;
				all += m.trace->program->ops[op].issues > 0;
				accesses |= u.uses[op] && stays_in_place(instr_of(&m, op));
			}
			block->in_front = block->depth < source->depth &&
				(source->has_accesses ? !accesses : 2 * present < all);

			/* How often the source is in the block, by those of its instructions that tell it best; 0: it
			 * is not known. */
			int counts[COUNTS_MOST], n = 0, best = CERTAINTY_LOW;
			for (int op = source->first; op <= source->last; op++) {
				int certainty = u.uses[op] ? certainty_of(&m, op) : CERTAINTY_NONE;
				if (certainty < best || certainty == CERTAINTY_NONE)
					continue;
				n = certainty > best ? 0 : n;
				best = certainty;
				if (n < COUNTS_MOST)
					counts[n++] = u.uses[op];
			}
			if (source->loop < 0 && !source->part) {
				block->times = 1;
			} else {
				block->certainty = n ? 1000 * best + n : 0;
				qsort(counts, (size_t)n, sizeof *counts, compare_ints);
				block->times = !n ? 0 : best == CERTAINTY_LOW ? counts[0] : counts[n / 2];
			}
		}
		forget(&m, block, &u);
	}

	for (int from = 0, to; from < m.n_blocks; from = to) {
		int best = from;
		for (to = from + 1; to < m.n_blocks && is_one_piece(&m, &m.blocks[from], &m.blocks[to]); to++)
			best = m.blocks[to].certainty > m.blocks[best].certainty ? to : best;
		int times = m.blocks[best].times ? m.blocks[best].times : 1;
		for (int b = from; b < to; b++)
			m.blocks[b].times = times;
	}

	find_copies(&m, &u);
	follow_warps(&m);

	/* what is in front of a loop is executed once for each time that the loop begins */
	for (int b = 0; b < m.n_blocks; b++) {
		struct code_block *block = &m.blocks[b];
		if (!block->reached || is_copy(block))
			continue;
		if (block->calls)
			continue;
		if (block->source < 0) {
			bool goes_on = b && m.cubin->instrs[m.blocks[b - 1].last].flow == CUBIN_NEXT;
			block->executed = goes_on ? m.blocks[b - 1].executed : 0;
			continue;
		}
		const struct code_source *source = &m.sources[block->source];
		int loop = source->loop;
		for (int d = source->depth - 1; d > block->depth && loop >= 0; d--)
			loop = m.loops[loop].parent;
		block->executed = loop >= 0 ? m.loops[loop].begun : source->executed;
	}

	/* what is executed with each PTX instruction: what was made from it; what bears none that is, with the
	 * block's */
	struct machine_code *out = arena_alloc(arena, sizeof *out);
	size_t n = (size_t)trace->program->n_ops;
	float *of_op = arena_array(arena, float, n + 1);
	double *all = arena_array(arena, double, n + 1);
	for (int i = 0; i < cubin->n; i++) {
		const struct code_block *block = &m.blocks[m.block_of[i]];
		int op = m.op_of[i];
		out->instructions += block->executed;
		if (op < 0 || m.executed[op] <= 0)
			op = block->source < 0 ? -1 : m.sources[block->source].first;
		if (op >= 0 && m.executed[op] > 0)
			all[op] += block->executed;
	}
	for (size_t op = 0; op < n; op++)
		of_op[op] = m.executed[op] > 0 ? (float)(all[op] / m.executed[op]) : 0;
	out->of_op = of_op;
	return out->instructions > 0 ? out : NULL;
}
