/* Threads that went past a __syncthreads() at which others of their block waited.
 *
 * CUDA allows it in a condition that is the same for the whole block. A GPU counts the threads that have not ended, so
 * a block goes on where those to whom the condition did not apply end later; compute-sanitizer reports that, and so
 * does this. A thread that returned early is something else: since Volta a barrier is of those that have not ended.
 *
 * A condition is a branch one of whose sides leads to a barrier before its immediate post-dominator, and the other does
 * not. Between two barriers each lane counts how often it came to each condition, and notes which way it took last.
 * When a barrier is complete, a lane that has ended went past it if it took the other way at a condition around the
 * barrier, when it was there as often as those that waited, and did something after that (CODE_ACTS, or another round
 * of a loop): a compiler may let a return out of a loop take the way of those that stay. */
#include <string.h>

#include "base/arena.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"

#define CONDITIONS_MAX 64
#define BLOCKS_MAX 2048 /* of the control-flow graph: larger kernels are not looked at, as that would take long */

/* One branch. Blocks are those of its control-flow graph. */
struct condition {
	uint64_t *inside;        /* a bit for each block between the branch and its post-dominator */
	bool leads[2];           /* to a barrier: where it is taken, where it falls through */
	const struct code *code; /* the branch */
};

struct conditions {
	const struct ptx_kernel *kernel;
	struct condition at[CONDITIONS_MAX];
	uint32_t n;
	uint32_t *block_of; /* of an instruction of the kernel */
};

/* What a warp's lanes did at one condition since the last barrier. */
struct condition_seen {
	uint16_t visits[WARP_SIZE];
	uint32_t past; /* lanes that last took the way without a barrier */
};

static bool is_around(const struct condition *x, uint32_t block)
{
	return x->inside[block / 64] >> block % 64 & 1;
}

/* --- finding them ------------------------------------------------------------------------------------------------- */

static bool is_syncthreads(const struct ptx_instr *instr)
{
	return instr_kind(instr->form) == PTX_KIND_BARRIER;
}

static bool has_barrier(const struct ptx_kernel *k, int first, int last)
{
	bool has = false;
	for (int i = first; i <= last; i++)
		has |= is_syncthreads(&k->instrs[i]);
	return has;
}

/* Adds what can be reached from `from` before `end` to the blocks inside; whether there is a barrier among them. */
static bool follow(const struct ptx_kernel *k, int from, int end, const bool *barrier, int *stack, struct condition *x)
{
	bool found = false;
	int depth = 0;
	uint64_t seen[BLOCKS_MAX / 64 + 1] = {0};
	stack[depth++] = from;
	while (depth) {
		int b = stack[--depth];
		if (b == end || seen[b / 64] >> b % 64 & 1)
			continue;
		seen[b / 64] |= (uint64_t)1 << b % 64;
		found |= barrier[b];
		for (int i = 0; i < k->blocks[b].n_succ; i++)
			stack[depth++] = k->blocks[b].succ[i];
	}
	for (int i = 0; i <= k->n_blocks / 64; i++)
		x->inside[i] |= seen[i];
	return found;
}

static int block_at(const struct ptx_kernel *k, uint32_t instr)
{
	int b = 0;
	while (b < k->n_blocks && (uint32_t)k->blocks[b].last < instr)
		b++;
	return b;
}

/* The instruction of the kernel at which a warp waits: the barrier, or the call on the way to it. */
static const struct code *in_kernel(const struct warp *w, const struct code *at, uint32_t frame)
{
	for (; frame; frame = w->frames.at[frame].caller)
		at = w->frames.at[frame].call;
	return at;
}

bool simt_passed_rejoins(const struct warp *w, const struct path *p, uint32_t pc)
{
	const struct ptx_kernel *k = w->m->program.kernel;
	int end = block_at(k, pc), from = block_at(k, in_kernel(w, p->at, p->frame)->index);
	if (k->n_blocks > BLOCKS_MAX || end >= k->n_blocks || from >= k->n_blocks)
		return true;
	if (!k->blocks[end].exits && !k->blocks[from].exits) /* which may happen often */
		return true;

	/* Each block enters the list once. */
	int list[BLOCKS_MAX], n = 0;
	uint64_t seen[BLOCKS_MAX / 64 + 1] = {0};
	list[n++] = from;
	seen[from / 64] |= (uint64_t)1 << from % 64;
	for (int i = 0; i < n; i++) {
		const struct ptx_block *b = &k->blocks[list[i]];
		if (list[i] == end)
			continue;
		if (b->exits && instr_kind(k->instrs[b->last].form) != PTX_KIND_TRAP)
			return false;
		for (int s = 0; s < b->n_succ; s++) {
			int to = b->succ[s];
			if (!(seen[to / 64] >> to % 64 & 1))
				list[n++] = to;
			seen[to / 64] |= (uint64_t)1 << to % 64;
		}
	}
	return true;
}

/* The branch that parted a lane from others, the last one that did. */
static const struct code *find_parting(const struct warp *w, uint32_t lane, uint32_t others)
{
	for (uint32_t i = w->partings.n; i-- > 0;) {
		const struct parting *p = &w->partings.at[i];
		for (int side = 0; side < 2; side++)
			if (p->lanes[side] & lane && p->lanes[!side] & others)
				return p->by;
	}
	return NULL;
}

/* Marks the blocks from which `at` is reached before `end`. */
static void mark_leading(const struct ptx_kernel *k, int at, int end, bool *leads)
{
	memset(leads, 0, (size_t)k->n_blocks * sizeof *leads);
	leads[at] = true;
	for (bool changed = true; changed;) {
		changed = false;
		for (int b = k->n_blocks - 1; b >= 0; b--)
			for (int i = 0; i < k->blocks[b].n_succ && !leads[b] && b != end; i++)
				changed |= leads[b] = leads[k->blocks[b].succ[i]];
	}
}

/* Whether the last instruction of a block decides on coming to what `leads` was made for. */
static bool is_decisive(const struct ptx_block *b, const bool *leads)
{
	bool some = false, all = true;
	for (int i = 0; i < b->n_succ; i++) {
		some |= leads[b->succ[i]];
		all &= leads[b->succ[i]];
	}
	return some && !all;
}

uint32_t simt_passed_beside(const struct warp *w, const struct path *p, uint32_t lanes, uint32_t pc)
{
	const struct ptx_kernel *k = w->m->program.kernel;
	int at = (int)in_kernel(w, p->at, p->frame)->index, end = block_at(k, pc), from = block_at(k, (uint32_t)at);
	bool leads[BLOCKS_MAX], asked = false, some = false;
	uint32_t beside = 0;
	if (k->n_blocks > BLOCKS_MAX || end >= k->n_blocks || from >= k->n_blocks)
		return 0;
	mark_leading(k, from, end, leads);

	for (; lanes; lanes &= lanes - 1) {
		const struct code *by = find_parting(w, lanes & -lanes, p->mask);
		int b = by ? block_at(k, by->index) : k->n_blocks;
		if (b < k->n_blocks && is_decisive(&k->blocks[b], leads)) {
			beside |= ptx_may_enclose(k, (int)by->index, at) ? 0 : lanes & -lanes;
			continue;
		}

		/* Others may yet have come to it by another way than these lanes, which went past it further on. */
		for (b = 0; b < k->n_blocks && !asked; b++)
			some |= is_decisive(&k->blocks[b], leads) && !ptx_may_enclose(k, k->blocks[b].last, at);
		asked = true;
		beside |= some ? lanes & -lanes : 0;
	}
	return beside;
}

void simt_passed_find(struct machine *m)
{
	struct program *p = &m->program;
	const struct ptx_kernel *k = p->kernel;
	bool in_function = false, any = false;
	if (!(m->checks & SIMT_CHECK_SYNC) || !k->n_blocks || k->n_blocks > BLOCKS_MAX)
		return;
	for (int i = 1; i < k->n_parts; i++)
		in_function |= has_barrier(k->parts[i].code, 0, k->parts[i].code->n_instrs - 1);

	bool *barrier = arena_array(m->arena, bool, (size_t)k->n_blocks);
	int edges = 1;
	for (int b = 0; b < k->n_blocks; b++) {
		barrier[b] = has_barrier(k, k->blocks[b].first, k->blocks[b].last);
		for (int i = k->blocks[b].first; in_function && i <= k->blocks[b].last; i++)
			barrier[b] |= instr_kind(k->instrs[i].form) == PTX_KIND_CALL;
		any |= barrier[b];
		edges += k->blocks[b].n_succ;
	}
	if (!any)
		return;

	struct conditions *all = p->conditions = arena_array(m->arena, struct conditions, 1);
	int *stack = arena_array(m->arena, int, (size_t)edges);
	all->kernel = k;
	all->block_of = arena_array(m->arena, uint32_t, (size_t)k->n_instrs);
	for (int b = 0; b < k->n_blocks; b++)
		for (int i = k->blocks[b].first; i <= k->blocks[b].last; i++)
			all->block_of[i] = (uint32_t)b;
	for (int b = 0; b < k->n_blocks && all->n < CONDITIONS_MAX; b++) {
		const struct ptx_block *block = &k->blocks[b];
		struct code *c = &p->code[block->last];
		if (instr_kind(c->instr->form) != PTX_KIND_BRANCH || c->guard < 0 || block->ipdom < 0 ||
			block->n_succ != 2 || c->target >= (uint32_t)k->n_instrs || c->next >= (uint32_t)k->n_instrs)
			continue;
		struct condition *x = &all->at[all->n];
		x->code = c;
		x->inside = arena_array(m->arena, uint64_t, (size_t)k->n_blocks / 64 + 1);
		x->leads[0] = follow(k, (int)all->block_of[c->target], block->ipdom, barrier, stack, x);
		x->leads[1] = follow(k, (int)all->block_of[c->next], block->ipdom, barrier, stack, x);
		if (x->leads[0] != x->leads[1])
			c->condition = (uint8_t)++all->n;
	}
}

void simt_passed_prepare(struct warp *w)
{
	const struct conditions *all = w->m->program.conditions;
	w->conditions = all ? arena_array(w->m->arena, struct condition_seen, all->n) : NULL;
}

void simt_passed_begin(struct warp *w)
{
	const struct conditions *all = w->m->program.conditions;
	if (w->conditions)
		memset(w->conditions, 0, all->n * sizeof *w->conditions);
}

/* --- going -------------------------------------------------------------------------------------------------------- */

void simt_passed_branch(struct warp *w, const struct code *c, uint32_t taken)
{
	const struct condition *x = &w->m->program.conditions->at[c->condition - 1];
	struct condition_seen *seen = &w->conditions[c->condition - 1];
	uint32_t past = x->leads[0] ? w->active & ~taken : taken;
	for (int i = 0; i < WARP_SIZE; i++)
		seen->visits[i] = (uint16_t)(seen->visits[i] + (w->active >> i & 1));
	seen->past = (seen->past & ~w->active) | past;
	w->past = (w->past & ~w->active) | past;
}

void simt_passed_act(struct warp *w, const struct code *c, uint32_t lanes)
{
	const struct conditions *all = w->m->program.conditions;

	/* clang gives no line to what it makes of two ends of the source, perhaps one of them a return. */
	struct ptx_location place = ptx_instr_location(w->m->program.kernel, (int)c->index);
	if (!place.line && w->m->program.kernel->module->n_files)
		return;
	w->let_go &= ~lanes;

	/* Lanes on one side of the branch are not past it yet. */
	for (uint32_t i = 0; all && w->conditions && !w->frame && i < all->n; i++)
		if (is_around(&all->at[i], all->block_of[c->index]))
			lanes &= ~w->conditions[i].past;
	w->past &= ~lanes;
}

/* Whether `a` is further down in the source. */
static bool is_after(const struct ptx_location *a, const struct ptx_location *b)
{
	bool one_file = a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file));
	return a->line && b->line && one_file && a->line > b->line;
}

void simt_passed_decide(struct warp *w, const struct code *c, uint32_t taken)
{
	uint32_t acting = c->target <= c->index ? taken : 0; /* another round of a loop */
	struct ptx_location here = ptx_instr_location(w->m->program.kernel, (int)c->index);
	for (uint32_t i = 0; i < w->paths.n && c->guard >= 0; i++) {
		const struct path *p = &w->paths.at[i];
		if (!(p->passed & w->active))
			continue;
		struct ptx_location waits = ptx_instr_location(w->m->program.kernel, (int)p->at->index);
		acting |= is_after(&here, &waits) ? p->passed & w->active & w->let_go : 0;
	}
	if (acting)
		simt_passed_act(w, c, acting);
}

/* --- the barrier is complete -------------------------------------------------------------------------------------- */

void simt_passed_check(struct machine *m, const struct code *barrier, struct warp *first)
{
	const struct conditions *all = m->program.conditions;
	const struct code *at = NULL;
	uint32_t lanes = 0;
	if (!all || !first->conditions)
		return;

	/* Where those wait that came first, and which lanes of the warp they are. */
	if (first->waits_at == barrier) {
		at = in_kernel(first, barrier, first->frame);
		lanes = first->active;
	}
	for (uint32_t i = 0; i < first->paths.n && !lanes; i++) {
		const struct path *p = &first->paths.at[i];
		if (p->state != PATH_AT_BARRIER || p->at != barrier)
			continue;
		at = in_kernel(first, barrier, p->frame);
		lanes = p->mask;
	}
	for (uint32_t k = 0; lanes && k < all->n; k++) {
		const struct condition *x = &all->at[k];
		const struct condition_seen *here = &first->conditions[k];
		int lane = __builtin_ctz(lanes);
		if (here->past >> lane & 1 || !here->visits[lane] || !is_around(x, all->block_of[at->index]))
			continue;
		bool may = true, asked = false; /* it takes long, and most often there are none */
		for (uint32_t i = 0; i < m->n_warps; i++) {
			struct warp *w = &m->warps[i];
			const struct condition_seen *seen = &w->conditions[k];
			uint32_t past = 0;
			for (int l = 0; l < WARP_SIZE; l++)
				past |= (uint32_t)(seen->visits[l] == here->visits[lane]) << l;
			past &= seen->past & ~w->live & ~w->past;
			if (past && !asked)
				may = ptx_may_enclose(all->kernel, (int)x->code->index, (int)at->index);
			asked |= past != 0;
			if (past && may)
				simt_barriers_passed(w, barrier, past, &m->warps[first->index], x->code);
		}
	}
}
