/* The basic blocks and loops of PTX and of machine code. */
#include "model/profile/machine_code_parts.h"

#include <stdlib.h>

#define LOOPS_MOST 256 /* larger kernels are not matched */

/* --- the PTX --------------------------------------------------------------------------------------------------------- */
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

bool profile_code_is_within(const struct code_loop *loop, int source)
{
	return source >= loop->first && source <= loop->last;
}

static int blocks_of_loop(const struct code_loop *loop)
{
	return loop->last - loop->first;
}

static void find_loops(struct code_match *m)
{
	for (int i = 0; i < m->n_loops; i++)
		for (int k = 0; k < m->n_loops; k++)
			if (i != k && profile_code_is_within(&m->loops[k], m->loops[i].first) &&
				profile_code_is_within(&m->loops[k], m->loops[i].last) &&
				(m->loops[i].parent < 0 ||
					blocks_of_loop(&m->loops[k]) < blocks_of_loop(&m->loops[m->loops[i].parent])))
				m->loops[i].parent = k;
	for (int s = 0; s < m->n_sources; s++) {
		struct code_source *source = &m->sources[s];
		source->loop = -1;
		for (int i = 0; i < m->n_loops; i++) {
			if (!profile_code_is_within(&m->loops[i], s))
				continue;
			source->depth++;
			if (source->loop < 0 || blocks_of_loop(&m->loops[i]) < blocks_of_loop(&m->loops[source->loop]))
				source->loop = i;
		}
	}
}

bool profile_code_stays(const struct ptx_instr *instr)
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
				source->has_accesses |= profile_code_stays(&part->code->instrs[i]);
			}
			for (int i = 0; i < block->n_succ; i++)
				if (block->succ[i] <= b)
					add_loop(m, before + block->succ[i], before + b);
		}
	}
}

/* --- machine code --------------------------------------------------------------------------------------------------- */
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
		lines[i] = (struct op_line){(uint32_t)ptx_instr_place(m->kernel, i).ptx_line, i};
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

static bool is_ptx_call(const struct code_match *m, int op)
{
	if (op < 0)
		return false;
	const struct ptx_part *part = &m->kernel->parts[m->sources[m->source_of[op]].part];
	return instr_kind(part->code->instrs[op - part->first].form) == PTX_KIND_CALL;
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
		block->calls |= m->cubin->instrs[i].flow == CUBIN_CALL && !is_ptx_call(m, m->op_of[i]);
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

/* From the beginning of the functions, not through calls of the compiler's own subroutines. */
static void reach_blocks(struct code_match *m)
{
	int *stack = arena_array(m->arena, int, (size_t)m->n_blocks + 1), n = 0;
	bool switches = false;
	for (int b = 0; b < m->n_blocks; b++) {
		if (m->cubin->instrs[m->blocks[b].first].begins)
			reach(m, b, stack, &n);
		switches |= m->cubin->instrs[m->blocks[b].last].flow == CUBIN_SWITCH;
	}
	reach_from_there(m, stack, n);
	if (!switches)
		return;
	/* where a switch goes to is not known: to all that those subroutines are not made of */
	bool *before = arena_array(m->arena, bool, (size_t)m->n_blocks + 1);
	for (int b = 0; b < m->n_blocks; b++)
		before[b] = m->blocks[b].reached;
	n = 0;
	for (int b = 0; b < m->n_blocks; b++) {
		const struct cubin_instr *last = &m->cubin->instrs[m->blocks[b].last];
		if (last->flow == CUBIN_CALL && last->target >= 0 && m->blocks[b].calls)
			reach(m, m->block_of[last->target], stack, &n);
	}
	reach_from_there(m, stack, n);
	for (int b = 0; b < m->n_blocks; b++)
		m->blocks[b].reached = before[b] || !m->blocks[b].reached;
}

/* Loops of machine code, by their first block. */
static void find_depths(struct code_match *m)
{
	int *ends = arena_array(m->arena, int, (size_t)m->n_blocks + 1);
	for (int b = 0; b < m->n_blocks; b++) {
		const struct cubin_instr *last = &m->cubin->instrs[m->blocks[b].last];
		int to = last->flow == CUBIN_BRANCH && last->target >= 0 ? m->block_of[last->target] : b + 1;
		if (m->blocks[b].reached && to <= b && ends[to] <= b)
			ends[to] = b + 1;
	}
	int *open = arena_array(m->arena, int, (size_t)m->n_blocks + 1), depth = 0;
	for (int b = 0; b < m->n_blocks; b++) {
		while (depth && ends[open[depth - 1]] <= b)
			depth--;
		if (ends[b])
			open[depth++] = b;
		m->blocks[b].depth = depth;
		m->blocks[b].loop = depth ? open[depth - 1] : -1;
	}
}

bool profile_code_find_blocks(struct code_match *m)
{
	find_sources(m);
	if (m->n_loops > LOOPS_MOST)
		return false;
	find_loops(m);
	find_ops(m);
	find_blocks(m);
	reach_blocks(m);
	find_depths(m);
	return true;
}
