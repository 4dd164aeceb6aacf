#include "machine/simt/wgmma.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"

/* What was last done to a register. */
struct used {
	uint32_t fences;            /* executed before it */
	uint32_t group;             /* of the last product that has it; 0: none */
	const struct code *product; /* that one, */
	uint32_t product_fences;    /* and the fences before it */
};

/* Of a warp. */
struct wgmma_state {
	uint32_t fences, committed, completed; /* groups: counted from 1 on */
	struct used *of_register;
	uint32_t n_steps; /* wgmma instructions executed */
	struct {
		struct wgmma_step *at;
		uint32_t n, cap;
	} steps;          /* of the group, in its first warp: all but those that every warp has executed, */
	uint32_t dropped; /* so many */
};

static struct wgmma_state *state_of(struct warp *w)
{
	if (w->wgmma)
		return w->wgmma;
	w->wgmma = base_calloc(1, sizeof *w->wgmma);
	w->wgmma->of_register = base_calloc(w->m->program.n_regs + 1u, sizeof *w->wgmma->of_register);
	return w->wgmma;
}

void simt_wgmma_free(struct warp *w)
{
	if (!w->wgmma)
		return;
	free(w->wgmma->of_register);
	free(w->wgmma->steps.at);
	free(w->wgmma);
	w->wgmma = NULL;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

static bool is_product(const struct code *c)
{
	return instr_kind(c->instr->form) == PTX_KIND_GROUP_MMA;
}

static uint32_t first_register(const struct warp *w)
{
	return w->frames.at[w->frame].unit->first_reg;
}

struct touch {
	struct wgmma_state *p;
	struct used *first;         /* of the frame's registers */
	const struct code *pending; /* the product of one that is used too early */
};

static void touch_register(void *ctx, int32_t reg, enum instr_use use)
{
	struct touch *t = ctx;
	struct used *u = &t->first[reg];
	(void)use;
	if (u->group > t->p->completed && !t->pending)
		t->pending = u->product;
	u->fences = t->p->fences;
	u->group = 0;
}

/* In the place of an executor. */
static void guarded(struct warp *w, const struct code *c, uint32_t mask)
{
	struct touch t = {.p = state_of(w)};
	char text[PTX_LOCATION_TEXT];
	t.first = t.p->of_register + first_register(w);
	instr_each_register(c->instr, touch_register, &t);
	if (t.pending) {
		struct ptx_location place = ptx_reported_location(w->m->program.kernel, (int)t.pending->index);
		simt_fault(w, c,
			(struct fault){.kind = SIMT_BAD_PRODUCT,
				.lanes = mask,
				.other = t.pending,
				.other_warp = w,
				.passes = true},
			"it uses a register of the wgmma.mma_async of %s, and no wgmma.wait_group has waited for that: its value is undefined",
			ptx_location_text(&place, text));
		if (w->m->stop)
			return;
	}
	w->m->program.unguarded[c->index](w, c, mask);
}

static void mark_register(void *marked, int32_t reg, enum instr_use use)
{
	(void)use;
	((bool *)marked)[reg] = true;
}

struct mark_search {
	const bool *marked;
	bool found;
};

static void find_marked(void *ctx, int32_t reg, enum instr_use use)
{
	struct mark_search *s = ctx;
	(void)use;
	s->found |= s->marked[reg];
}

/* Those of the accumulator and of A, but not descriptors and predicates. */
static void each_of_matrices(const struct ptx_instr *instr, instr_register_fn *each, void *ctx)
{
	for (int o = 0; o < 2; o++)
		for (int i = 0; instr->operands[o].kind == PTX_VECTOR && i < instr->operands[o].count; i++)
			if (instr->operands[o].elements[i].kind == PTX_REG)
				each(ctx, instr->operands[o].elements[i].index, INSTR_READS);
}

void simt_wgmma_guard(struct program *p, struct arena *arena)
{
	bool found = false;
	for (uint32_t i = 0; i < p->n; i++)
		found |= is_product(&p->code[i]);
	if (!found)
		return;
	p->unguarded = arena_array(arena, exec_fn *, p->n);
	for (uint32_t i = 0; i < p->n_units; i++) {
		const struct code_unit *unit = &p->units[i];
		struct mark_search s = {0};
		bool *marked = arena_array(arena, bool, (size_t)unit->code->n_regs + 1);
		struct code *code = p->code + unit->first;
		for (int j = 0; j < unit->code->n_instrs; j++)
			if (is_product(&code[j]))
				each_of_matrices(code[j].instr, mark_register, marked);
		s.marked = marked;
		for (int k = 0; k < unit->code->n_instrs; k++) {
			s.found = false;
			if (!is_product(&code[k]))
				instr_each_register(code[k].instr, find_marked, &s);
			if (!s.found)
				continue;
			p->unguarded[code[k].index] = code[k].run;
			code[k].run = guarded;
		}
	}
}

/* --- products ----------------------------------------------------------------------------------------------------- */

struct issue {
	struct wgmma_state *p;
	struct used *first;
	const struct code *c;
	bool unfenced;
};

static bool same_shape(const struct code *a, const struct code *b)
{
	const struct ptx_form *f = a->instr->form, *g = b->instr->form;
	return f->columns == g->columns && f->mod[PTX_MOD_DEPTH] == g->mod[PTX_MOD_DEPTH] && f->type == g->type;
}

static void issue_register(void *ctx, int32_t reg, enum instr_use use)
{
	struct issue *i = ctx;
	struct used *u = &i->first[reg];
	(void)use;
	bool other = u->group && u->product_fences == i->p->fences && !same_shape(u->product, i->c);
	i->unfenced |= u->fences == i->p->fences || other;
	*u = (struct used){
		.fences = u->fences, .group = i->p->committed + 1, .product = i->c, .product_fences = i->p->fences};
}

bool simt_wgmma_issue(struct warp *w, const struct code *c)
{
	struct wgmma_state *p = state_of(w);
	struct issue i = {.p = p, .first = p->of_register + first_register(w), .c = c};
	each_of_matrices(c->instr, issue_register, &i);
	if (i.unfenced)
		simt_fault(w, c, (struct fault){.kind = SIMT_BAD_PRODUCT, .lanes = WARP_FULL_MASK, .passes = true},
			p->fences
				? "a register of its accumulator or of A was used since the last wgmma.fence: another one is missing before it"
				: "no wgmma.fence is before the first wgmma.mma_async of the warp");
	return !w->m->stop;
}

uint32_t simt_wgmma_group(const struct warp *w)
{
	return w->wgmma ? w->wgmma->committed + 1 : 1;
}

void simt_wgmma_fence(struct warp *w)
{
	state_of(w)->fences++;
}

void simt_wgmma_commit(struct warp *w)
{
	state_of(w)->committed++;
}

void simt_wgmma_wait(struct warp *w, uint32_t kept)
{
	struct wgmma_state *p = state_of(w);
	uint32_t completed = p->committed > kept ? p->committed - kept : 0;
	p->completed = completed > p->completed ? completed : p->completed;
	if (w->m->detector)
		simt_watch_wgmma_done(w, p->completed);
}

/* --- the group ---------------------------------------------------------------------------------------------------- */

bool simt_wgmma_step(struct warp *w, const struct code *c, uint32_t mask, struct wgmma_step step)
{
	if (mask != WARP_FULL_MASK || w->index - w->index % GROUP_WARPS + GROUP_WARPS > w->m->n_warps) {
		simt_fault(w, c, (struct fault){.kind = SIMT_BAD_PRODUCT, .lanes = ~mask},
			"a wgmma instruction takes all 128 threads of a warpgroup: four warps, from a multiple of four on");
		return !w->m->stop;
	}
	struct warp *leader = &w->m->warps[w->index - w->index % GROUP_WARPS];
	struct wgmma_state *p = state_of(w), *group = state_of(leader);
	uint32_t at = p->n_steps++ - group->dropped;
	step.c = c;
	if (at >= group->steps.n) {
		*vec_push(group->steps.at, group->steps.n, group->steps.cap) = step;
	} else {
		const struct wgmma_step *first = &group->steps.at[at];
		if (first->c != c || first->a != step.a || first->b != step.b) {
			char text[PTX_LOCATION_TEXT];
			struct ptx_location place = ptx_reported_location(w->m->program.kernel, (int)first->c->index);
			struct fault fault = {.kind = SIMT_BAD_PRODUCT,
				.lanes = WARP_FULL_MASK,
				.other = first->c,
				.other_warp = leader};
			if (first->c == c)
				simt_fault(w, c, fault,
					"warp %u of the warpgroup has other descriptors than the warps before it",
					w->index % GROUP_WARPS);
			else
				simt_fault(w, c, fault,
					"warp %u of the warpgroup comes here where another one executed the wgmma instruction of %s",
					w->index % GROUP_WARPS, ptx_location_text(&place, text));
		}
	}

	/* Steps that all warps of the group have executed are forgotten. */
	uint32_t done = UINT32_MAX;
	for (uint32_t i = 0; i < GROUP_WARPS; i++) {
		uint32_t n = leader[i].wgmma ? leader[i].wgmma->n_steps : 0;
		done = n < done ? n : done;
	}
	if (done - group->dropped >= 64) {
		group->steps.n -= done - group->dropped;
		memmove(group->steps.at, group->steps.at + (done - group->dropped),
			group->steps.n * sizeof *group->steps.at);
		group->dropped = done;
	}
	return !w->m->stop;
}

bool simt_wgmma_report_descriptors(struct warp *w, const struct code *c, uint32_t others)
{
	simt_fault(w, c, (struct fault){.kind = SIMT_BAD_PRODUCT, .lanes = others},
		"lanes of the warp have other descriptors than lane 0");
	return !w->m->stop;
}

void simt_wgmma_end(struct machine *m)
{
	for (uint32_t i = 0; i + GROUP_WARPS <= m->n_warps; i += GROUP_WARPS)
		for (uint32_t k = 0; k < GROUP_WARPS && m->warps[i].wgmma && !m->stop; k++) {
			/* A warp that has executed fewer of them than its group. */
			struct warp *w = &m->warps[i + k];
			struct wgmma_state *p = state_of(w), *group = m->warps[i].wgmma;
			if (p->n_steps - group->dropped >= group->steps.n)
				continue;
			const struct code *c = group->steps.at[p->n_steps - group->dropped].c;
			simt_fault(w, c, (struct fault){.kind = SIMT_BAD_PRODUCT, .lanes = WARP_FULL_MASK},
				"warp %u of the warpgroup ended and did not execute it, as others of the group did",
				w->index % GROUP_WARPS);
		}
}
