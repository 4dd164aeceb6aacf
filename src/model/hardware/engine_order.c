#include <stdlib.h>

#include "model/hardware/engine_state.h"

/* Of the steps from `from` on those that the compiler made one piece of code of: a run through a basic block, and of a loop that it unrolled
 * several. */
static uint32_t end_of_piece(const struct engine_input *in, const struct schedule_warp *t, uint32_t from)
{
	const struct schedule_op *first = &in->ops[t->steps[from].op];
	uint32_t to = from + 1, times = 1;
	for (; to < t->n; to++) {
		uint32_t op = t->steps[to].op;
		if (op > t->steps[to - 1].op && in->ops[op].basic_block == first->basic_block)
			continue;
		if (!first->unrolled || op != t->steps[from].op || ++times > first->unrolled)
			break;
	}
	return to;
}

/* What the place of a step depends on; in a loop that was unrolled, whose times are counted by `time`. */
struct place {
	uint32_t group, time, rank;
};

static bool comes_before(struct place a, struct place b)
{
	if (a.group != b.group)
		return a.group < b.group;
	return a.time != b.time ? a.time < b.time : a.rank < b.rank;
}

/* Puts the steps of a piece into the compiler's order, at the end of the warp's. */
static void order_piece(
	const struct engine_input *in, struct engine_warp *w, struct place *places, uint32_t from, uint32_t to)
{
	const struct schedule_step *steps = w->trace->steps;
	uint32_t begin = w->n, times = 0, time = 0;
	for (uint32_t i = from; i < to; i++)
		times += steps[i].op == steps[from].op;
	for (uint32_t i = from; i < to; i++) {
		const struct schedule_op *op = &in->ops[steps[i].op];
		time += i > from && steps[i].op == steps[from].op;
		if (op->once && time + 1 < times && !in->slots)
			continue;
		struct place place = {op->mixes ? op->once ? UINT32_MAX : op->depth : 0, time, op->rank};
		uint32_t at = w->n++;
		for (; at > begin && comes_before(place, places[at - 1]); at--) {
			w->order[at] = w->order[at - 1];
			places[at] = places[at - 1];
		}
		w->order[at] = i;
		places[at] = place;
	}
}

void engine_order(const struct engine_input *in, struct engine_warp *w)
{
	struct place *places = base_calloc((size_t)w->trace->n + 1, sizeof *places);
	w->order = base_calloc((size_t)w->trace->n + 1, sizeof *w->order);
	w->n = 0;
	for (uint32_t from = 0, to; from < w->trace->n; from = to) {
		to = end_of_piece(in, w->trace, from);
		order_piece(in, w, places, from, to);
	}
	free(places);
}
