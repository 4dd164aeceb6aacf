/* While a picture is played, the count so far in the place of what is predicted. */
#include "base/utf8.h"
#include "front/view/numbers.h"
#include "front/view/times.h"
#include "front/view/views.h"

/* So far, of all there are. */
struct so_far {
	uint64_t now, all;
};

static bool is_one_of(enum metric_id metric, enum access_op op, const enum metric_id of[3])
{
	return metric == of[warp_op_is_atomic(op) ? 2 : op == ACCESS_STORE];
}

/* Wavefronts, conflicts and sectors of the request that is played, cycles of the launch; all 0: of another metric. */
static struct so_far count_so_far(const struct view_input *input, enum metric_id metric)
{
	static const enum metric_id waves[] = {METRIC_SHARED_LD_WAVES_PER_REQUEST, METRIC_SHARED_ST_WAVES_PER_REQUEST,
		METRIC_SHARED_ATOM_WAVES_PER_REQUEST};
	static const enum metric_id conflicts[] = {METRIC_SHARED_LD_CONFLICTS_PER_REQUEST,
		METRIC_SHARED_ST_CONFLICTS_PER_REQUEST, METRIC_SHARED_ATOM_CONFLICTS_PER_REQUEST};
	static const enum metric_id sectors[] = {METRIC_GLOBAL_LD_SECTORS_PER_REQUEST,
		METRIC_GLOBAL_ST_SECTORS_PER_REQUEST, METRIC_GLOBAL_ATOM_SECTORS_PER_REQUEST};
	const struct warp_access *access = input->access;
	const struct schedule_timeline *t = input->times.schedule;
	int now = input->moment, all = now > 0 ? view_moments(input->played, input) : 0;
	if (now <= 0 || now > all)
		return (struct so_far){0};
	if (input->played == VIEW_BANKS && is_one_of(metric, access->op, waves))
		return (struct so_far){(uint64_t)now, (uint64_t)all};
	if (input->played == VIEW_BANKS && is_one_of(metric, access->op, conflicts)) {
		int ideal = access_cost(access, input->cc).ideal_wavefronts;
		return (struct so_far){(uint64_t)(now > ideal ? now - ideal : 0), (uint64_t)(all - ideal)};
	}
	if (input->played == VIEW_SECTORS && is_one_of(metric, access->op, sectors))
		return (struct so_far){(uint64_t)now, (uint64_t)all};
	if (input->played == VIEW_SCHEDULE && metric == METRIC_CYCLES_ACTIVE_MAX && t->origin.unit == TIMELINE_CYCLES)
		return (struct so_far){view_times_until(input, t->end), t->end};
	return (struct so_far){0};
}

void view_number_replace_by_so_far(
	struct view_number_cells *r, const struct view_input *input, enum metric_id metric, int room)
{
	struct so_far n = count_so_far(input, metric);
	if (!n.all)
		return;
	for (int narrow = 0; narrow < 2; narrow++) {
		buf_clear(&r->predicted);
		buf_printf(&r->predicted, narrow ? "%llu/%llu" : "%llu of %llu", (unsigned long long)n.now,
			(unsigned long long)n.all);
		if (utf8_columns(buf_str(&r->predicted)) <= room)
			break;
	}
	r->predicted_role = ROLE_WATCHED;
	r->relation = ' ';
}
