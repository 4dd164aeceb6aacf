/* Basic blocks and immediate post-dominators, after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm",
 * on the reversed graph.
 *
 * Lanes that end never reach a reconvergence point, so paths to an exit do not count where another path goes on. The
 * exits are taken from the last in the text to the first, those that return before others, which the source has put in
 * the way, and those that trap after all; the region of an exit is the blocks that can reach it and no exit before.
 * Inside a region, edges that leave it are ignored: they lead to other exits only. */

#include "machine/ptx/instr.h"
#include "machine/ptx/parse.h"

/* The algorithm is quadratic at worst, so its work has a limit; what compilers write takes a few steps per block. */
#define WORK_MAX ((uint64_t)1 << 27)

#define ENDLESS (-1)

struct cfg {
	struct arena *arena; /* of the work, freed afterwards */
	struct ptx_kernel *k;
	int *block_of;           /* instruction -> block */
	int *pred_start, *preds; /* predecessors of block b: preds[pred_start[b] .. pred_start[b+1]) */
	int *number;             /* post-order number of a block on the reversed graph; the end has the highest */
	int *order;              /* number -> block */
	int *idom;               /* by number */
	int *region;             /* of a block: its exit's block; ENDLESS: it reaches none */
	bool *to_end;            /* block has an edge to the end */
	int *stack, *at;         /* of number_from: blocks on the way; predecessors looked at */
	uint64_t work;           /* steps along the tree so far */
};

static void add_edge(struct ptx_block *block, int to)
{
	if (to < 0) {
		block->exits = true;
		return;
	}
	for (int i = 0; i < block->n_succ && i < 2; i++) { /* both edges to one block; lists of brx may repeat labels */
		if (block->succ[i] == to)
			return;
	}
	block->succ[block->n_succ++] = to;
}

enum way_out { RETURNS, LEAVES, FAULTS, LOOPS };

static enum way_out way_out_of(const struct ptx_kernel *k, const struct ptx_block *b)
{
	if (!b->exits)
		return LOOPS;
	enum ptx_kind kind = instr_kind(k->instrs[b->last].form);
	return kind == PTX_KIND_TRAP ? FAULTS : kind == PTX_KIND_RETURN ? RETURNS : LEAVES;
}

static int intersect(struct cfg *c, int a, int b)
{
	while (a != b) {
		for (; a < b; c->work++)
			a = c->idom[a];
		for (; b < a; c->work++)
			b = c->idom[b];
	}
	return a;
}

static bool find_post_dominators(struct cfg *c)
{
	int end = c->k->n_blocks;
	for (int i = 0; i < end; i++)
		c->idom[i] = -1;
	c->idom[end] = end;
	for (bool changed = true; changed;) {
		changed = false;
		for (int i = end - 1; i >= 0; i--) {
			/* The common post-dominator of the block's successors, as a number; -1 while none has one.
			 * Lanes in an endless loop may reach barriers there, so they do not end: the others reconverge
			 * with them nowhere. */
			int b = c->order[i];
			int found = c->to_end[b] ? end : -1;
			for (int j = 0; j < c->k->blocks[b].n_succ; j++) {
				int to = c->k->blocks[b].succ[j], succ = c->number[to];
				if (c->idom[succ] < 0 || (c->region[to] != c->region[b] && c->region[to] != ENDLESS))
					continue;
				found = found < 0 ? succ : intersect(c, found, succ);
			}

			changed |= found != c->idom[i];
			c->idom[i] = found;
			if (c->work > WORK_MAX)
				return false;
		}
	}
	for (int b = 0; b < end; b++) {
		int dom = c->idom[c->number[b]];
		c->k->blocks[b].ipdom = dom == end || dom < 0 ? -1 : c->order[dom];
	}
	return true;
}

bool ptx_build_cfg(struct arena *arena, struct ptx_kernel *kernel)
{
	struct cfg c = {.arena = arena_new(), .k = kernel};
	bool found = true;
	if (kernel->n_instrs) {
		/* Blocks begin at labels and after what ends one. */
		bool *leader = arena_array(c.arena, bool, (size_t)kernel->n_instrs + 1);
		const struct ptx_operand *labels = NULL;

		leader[0] = true;
		for (int i = 0; i < kernel->n_instrs; i++) {
			if (!instr_ends_block(kernel->instrs[i].form))
				continue;
			leader[i + 1] = true;
			for (int t = instr_is_branch(kernel->instrs[i].form)
					? instr_targets(&kernel->instrs[i], &labels)
					: 0;
				t > 0; t--)
				leader[labels[t - 1].index] = true;
		}
		for (int i = 0; i < kernel->n_instrs; i++)
			kernel->n_blocks += leader[i];
		kernel->blocks = arena_array(arena, struct ptx_block, (size_t)kernel->n_blocks);
		c.block_of = arena_array(c.arena, int, (size_t)kernel->n_instrs + 1);
		for (int i = 0, b = -1; i < kernel->n_instrs; i++) {
			b += leader[i];
			if (leader[i])
				kernel->blocks[b].first = i;
			kernel->blocks[b].last = i;
			c.block_of[i] = b;
		}
		c.block_of[kernel->n_instrs] = -1;

		/* Edges: to the labels of a branch, and to the next block where control may go on. */
		for (int b = 0; b < kernel->n_blocks; b++) {
			struct ptx_block *block = &kernel->blocks[b];
			const struct ptx_instr *last = &kernel->instrs[block->last];
			int n = instr_is_branch(last->form) ? instr_targets(last, &labels) : 0;

			block->succ = arena_array(arena, int, (size_t)n + 1);
			for (int i = 0; i < n; i++)
				add_edge(block, c.block_of[labels[i].index]);
			if (instr_ends_block(last->form) && !instr_is_branch(last->form))
				block->exits = true;
			if (!instr_ends_block(last->form) || last->guard >= 0)
				add_edge(block, c.block_of[block->last + 1]);
		}

		/* Predecessors, side by side. */
		int total = 0;

		c.pred_start = arena_array(c.arena, int, (size_t)kernel->n_blocks + 2);
		for (int b = 0; b < kernel->n_blocks; b++) {
			for (int i = 0; i < kernel->blocks[b].n_succ; i++)
				c.pred_start[kernel->blocks[b].succ[i] + 1]++;
			total += kernel->blocks[b].n_succ;
		}
		c.preds = arena_array(c.arena, int, (size_t)total + 1);
		for (int b = 0; b < kernel->n_blocks; b++)
			c.pred_start[b + 1] += c.pred_start[b];
		int *fill = arena_array(c.arena, int, (size_t)kernel->n_blocks + 1);
		for (int b = 0; b < kernel->n_blocks; b++) {
			for (int i = 0; i < kernel->blocks[b].n_succ; i++) {
				int to = kernel->blocks[b].succ[i];
				c.preds[c.pred_start[to] + fill[to]++] = b;
			}
		}

		size_t room = (size_t)kernel->n_blocks + 1;
		c.number = arena_array(c.arena, int, room);
		c.order = arena_array(c.arena, int, room);
		c.idom = arena_array(c.arena, int, room);
		c.region = arena_array(c.arena, int, room);
		c.stack = arena_array(c.arena, int, room);
		c.at = arena_array(c.arena, int, room);
		c.to_end = arena_array(c.arena, bool, room);

		/* A block that may leave and has a number already has a way on that counts. Blocks from which no exit
		 * can be reached (an endless loop) are given an edge to the end, so that all have a number. */
		int n = kernel->n_blocks, next = 0;
		for (int b = 0; b < n; b++)
			c.number[b] = -1;
		for (enum way_out way = RETURNS; way <= LOOPS; way++) {
			for (int b = n - 1; b >= 0; b--) {
				if (c.number[b] != -1)
					continue;
				if (way != way_out_of(kernel, &kernel->blocks[b]))
					continue;
				c.to_end[b] = true;

				/* Numbers in post-order, from `next` on, for what can reach `b` and has none yet. */
				int depth = 0;
				c.number[b] = -2; /* seen */
				c.stack[depth++] = b;
				while (depth) {
					int top = c.stack[depth - 1];
					if (c.at[top] < c.pred_start[top + 1] - c.pred_start[top]) {
						int pred = c.preds[c.pred_start[top] + c.at[top]++];
						if (c.number[pred] == -1) {
							c.number[pred] = -2;
							c.stack[depth++] = pred;
						}
						continue;
					}
					c.order[next] = top;
					c.region[top] = way == LOOPS ? ENDLESS : b;
					c.number[top] = next++;
					depth--;
				}
			}
		}

		found = find_post_dominators(&c);
	}
	for (int b = 0; found && b < kernel->n_blocks; b++) {
		struct ptx_instr *last = &kernel->instrs[kernel->blocks[b].last];
		int ipdom = kernel->blocks[b].ipdom;
		if (instr_is_branch(last->form))
			last->reconverge = ipdom < 0 ? -1 : kernel->blocks[ipdom].first;
	}
	arena_free(c.arena);
	return found;
}
