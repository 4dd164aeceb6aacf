/* What threads know, and how it passes from one to the other. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "race/detector.h"

#define FULL UINT32_MAX
#define FOR_EACH(lane, lanes)                                                                                          \
	for (uint32_t left_ = (lanes), lane; left_ && (lane = (uint32_t)__builtin_ctz(left_), true); left_ &= left_ - 1)

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* What happens from here on comes later than what it returns. */
static uint32_t tick(struct check *k)
{
	return k->now++;
}

/* --- states ------------------------------------------------------------------------------------------------------- */

static void view_set(struct view *view, struct view value)
{
	struct known kept = known_keep(value.more);
	known_drop(&view->more);
	*view = value;
	view->more = kept;
}

static void state_set(struct lane_state *s, const struct lane_state *value)
{
	view_set(&s->live, value->live);
	for (int scope = 0; scope < CHECK_SCOPES; scope++) {
		struct known heard = known_keep(value->heard[scope]);
		view_set(&s->fenced[scope], value->fenced[scope]);
		known_drop(&s->heard[scope]);
		s->heard[scope] = heard;
	}
	struct known drawn = known_keep(value->drawn);
	known_drop(&s->drawn);
	s->drawn = drawn;
	s->passed = 0;
	s->has_news = true;
}

static void state_clear(struct lane_state *s)
{
	static const struct lane_state nothing;
	state_set(s, &nothing);
}

struct lane_state *check_lane(struct check *k, uint32_t warp, int lane)
{
	struct warp_state *w = &k->warps[warp];
	return w->split ? &w->each[lane] : &w->all;
}

static void split(struct warp_state *w)
{
	if (w->split)
		return;
	if (!w->each)
		w->each = base_calloc(WARP_SIZE, sizeof *w->each);
	for (int lane = 0; lane < WARP_SIZE; lane++)
		state_set(&w->each[lane], &w->all);
	w->split = true;
	state_clear(&w->all);
}

/* All lanes know what `state` says. */
static void unite(struct warp_state *w, const struct lane_state *state)
{
	state_set(&w->all, state);
	for (int lane = 0; w->split && lane < WARP_SIZE; lane++)
		state_clear(&w->each[lane]);
	w->split = false;
}

void check_threads_start(struct check *k)
{
	struct lane_state fresh = {.live.base = k->floor};
	for (uint32_t i = 0; i < k->n_warps; i++) {
		uint32_t threads = k->setup.threads - i * WARP_SIZE;
		struct warp_state *w = &k->warps[i];
		unite(w, &fresh);
		w->lanes = threads >= WARP_SIZE ? FULL : (1u << threads) - 1;
		w->stamp = k->now;
	}
}

static void gathering_clear(struct gathering *g)
{
	known_drop(&g->more);
	for (int scope = 0; scope < CHECK_SCOPES; scope++) {
		known_drop(&g->fenced[scope]);
		known_drop(&g->heard[scope]);
	}
	memset(g, 0, sizeof *g);
}

void check_threads_free(struct check *k)
{
	for (uint32_t i = 0; i < BLOCK_WARPS_MAX; i++) {
		static const struct lane_state nothing;
		unite(&k->warps[i], &nothing);
		free(k->warps[i].each);
	}
	for (int id = 0; id < CHECK_BARRIERS; id++) {
		if (k->gathered[id])
			gathering_clear(k->gathered[id]);
		free(k->gathered[id]);
	}
}

/* --- knowledge ---------------------------------------------------------------------------------------------------- */

static void know_past(struct known *known, uint32_t all, struct cover cover)
{
	struct known more = {.own = past_new(all, cover)};
	known_add(known, more);
	past_drop(more.own);
}

/* Adds what a view knows as seen from outside of the warp; it is the view of `lanes`. */
static void know_view(struct known *known, const struct view *v, uint32_t warp, uint32_t lanes)
{
	if (v->base || v->warp)
		know_past(known, v->base, (struct cover){1u << warp, FULL, v->warp});
	if (v->self)
		know_past(known, v->base, (struct cover){1u << warp, lanes, v->self});
	if (v->more.own || v->more.others)
		known_add(known, v->more);
}

/* What was heard becomes known. Others may know things of this block that this thread does not. */
static void take_in(const struct check *k, struct known *more, struct known *heard)
{
	struct known own = {.own = (struct past *)world_past(heard->others, k->block)};
	known_add(more, *heard);
	known_add(more, own);
	known_drop(heard);
}

static struct strangers of_warp(const struct view *v, uint32_t warp, int lane, const struct record *r, uint32_t other)
{
	uint32_t lanes = r->lanes;
	if (other == warp)
		lanes &= r->time <= v->warp ? 0 : ~(1u << lane);
	if (lanes)
		lanes = past_misses(v->more.own, other, lanes, r->time);
	return (struct strangers){other, lanes};
}

struct strangers check_unordered(const struct check *k, uint32_t warp, int lane, const struct record *r)
{
	const struct warp_state *w = &k->warps[warp];
	const struct view *v = w->split ? &w->each[lane].live : &w->all.live;
	struct strangers found = {0};
	for (uint32_t left = r->time > v->base ? r->warps : 0; left && !found.lanes; left &= left - 1)
		found = of_warp(v, warp, lane, r, (uint32_t)__builtin_ctz(left));
	return found;
}

/* --- fences ------------------------------------------------------------------------------------------------------- */

static void fence(struct check *k, struct lane_state *s, enum check_scope scope, uint32_t time)
{
	for (int i = 0; i <= (int)scope; i++)
		take_in(k, &s->live.more, &s->heard[i]);
	struct view now = s->live;
	now.self = time;
	for (int i = 0; i <= (int)scope; i++)
		view_set(&s->fenced[i], now);
	s->has_news = true;
}

void check_fence(struct check *k, uint32_t warp, uint32_t lanes, enum check_scope scope)
{
	struct warp_state *w = &k->warps[warp];
	uint32_t time = tick(k);

	if (!w->split && lanes == w->lanes) {
		fence(k, &w->all, scope, time);
	} else {
		split(w);
		FOR_EACH(lane, lanes)
		fence(k, &w->each[lane], scope, time);
	}
	w->stamp = k->now;
	k->epoch += scope == CHECK_GPU;
}

void check_fence_by(struct check *k, int instr, uint32_t warp, uint32_t lanes)
{
	check_fence(k, warp, lanes, (enum check_scope)k->setup.how[instr].scope);
}

/* --- bar.warp.sync ------------------------------------------------------------------------------------------------ */

/* The whole warp knows of itself; what each lane had fenced, all have, and so it is with what was heard. */
static void meet_whole(struct warp_state *w, uint32_t time)
{
	w->all.live.warp = time;
	for (int scope = 0; scope < CHECK_SCOPES; scope++)
		w->all.fenced[scope].warp = later(w->all.fenced[scope].warp, w->all.fenced[scope].self);
}

/* What the lanes know together. */
static struct lane_state gather_lanes(struct check *k, uint32_t warp, uint32_t lanes)
{
	struct warp_state *w = &k->warps[warp];
	struct lane_state sum = {0};
	FOR_EACH(lane, lanes)
	{
		struct lane_state *s = &w->each[lane];
		sum.live.base = later(sum.live.base, s->live.base);
		sum.live.warp = later(sum.live.warp, s->live.warp);
		known_add(&sum.live.more, s->live.more);
		for (int scope = 0; scope < CHECK_SCOPES; scope++) {
			know_view(&sum.fenced[scope].more, &s->fenced[scope], warp, 1u << lane);
			known_add(&sum.heard[scope], s->heard[scope]);
		}
		known_add(&sum.drawn, s->drawn);
	}
	return sum;
}

static void meet_split(struct check *k, uint32_t warp, uint32_t lanes, uint32_t live, uint32_t time)
{
	struct warp_state *w = &k->warps[warp];
	split(w);
	struct lane_state sum = gather_lanes(k, warp, lanes);
	if (!(live & ~lanes)) {
		sum.live.warp = time;
		unite(w, &sum);
	} else {
		know_past(&sum.live.more, sum.live.base, (struct cover){1u << warp, lanes, time});
		FOR_EACH(lane, lanes)
		state_set(&w->each[lane], &sum);
	}
	state_clear(&sum);
}

void check_warp_sync(struct check *k, uint32_t warp, uint32_t lanes, uint32_t live)
{
	struct warp_state *w = &k->warps[warp];
	uint32_t time = tick(k);

	if (!w->split && !(live & ~lanes))
		meet_whole(w, time);
	else
		meet_split(k, warp, lanes, live, time);
	w->stamp = k->now;
}

/* --- barriers of the block ---------------------------------------------------------------------------------------- */

static void gather(const struct check *k, struct gathering *g, uint32_t warp, struct lane_state *s, uint32_t lanes)
{
	take_in(k, &s->live.more, &s->drawn);
	g->base = later(g->base, s->live.base);
	known_add(&g->more, s->live.more);
	for (int scope = 0; scope < CHECK_SCOPES; scope++) {
		know_view(&g->fenced[scope], &s->fenced[scope], warp, lanes);
		known_add(&g->heard[scope], s->heard[scope]);
	}
}

void check_barrier_come(struct check *k, uint32_t id, uint32_t warp, uint32_t lanes)
{
	struct warp_state *w = &k->warps[warp];
	struct gathering *g = k->gathered[id];

	if (!g)
		g = k->gathered[id] = base_calloc(1, sizeof *g);
	g->lanes[warp] |= lanes;
	g->time[warp] = tick(k);
	w->stamp = k->now;
	if (!w->split) {
		gather(k, g, warp, &w->all, lanes);
		return;
	}
	FOR_EACH(lane, lanes)
	gather(k, g, warp, &w->each[lane], 1u << lane);
}

/* Whether all threads of the block that have not ended came and waited. */
static bool is_full(const struct check *k, const struct gathering *g, const uint32_t *released, const uint32_t *live)
{
	for (uint32_t i = 0; i < k->n_warps; i++)
		if (live[i] & ~(g->lanes[i] & released[i]))
			return false;
	return true;
}

static void release_all(struct check *k, struct gathering *g)
{
	struct lane_state sum = {.live.base = tick(k), .live.more.others = g->more.others};
	for (int scope = 0; scope < CHECK_SCOPES; scope++) {
		sum.fenced[scope].more = g->fenced[scope];
		sum.heard[scope] = g->heard[scope];
	}
	k->floor = sum.live.base;
	k->n_links = 0;
	for (uint32_t i = 0; i < k->n_warps; i++) {
		unite(&k->warps[i], &sum);
		k->warps[i].stamp = k->now;
	}
}

static void release_lanes(struct check *k, const struct gathering *g, uint32_t warp, uint32_t lanes)
{
	struct warp_state *w = &k->warps[warp];
	if (lanes != w->lanes)
		split(w);
	FOR_EACH(lane, w->split ? lanes : 1u)
	{
		struct lane_state *s = w->split ? &w->each[lane] : &w->all;
		s->live.base = later(s->live.base, g->base);
		known_add(&s->live.more, g->more);
		for (int scope = 0; scope < CHECK_SCOPES; scope++) {
			struct known fenced = known_keep(g->fenced[scope]);
			know_view(&fenced, &s->fenced[scope], warp, w->split ? 1u << lane : w->lanes);
			view_set(&s->fenced[scope], (struct view){.more = fenced});
			known_drop(&fenced);
			known_add(&s->heard[scope], g->heard[scope]);
		}
		s->has_news = true;
	}
	w->stamp = k->now;
}

static void release_some(struct check *k, struct gathering *g, const uint32_t *released)
{
	for (uint32_t i = 0; i < k->n_warps; i++)
		if (g->lanes[i])
			know_past(&g->more, g->base, (struct cover){1u << i, g->lanes[i], g->time[i]});
	tick(k);
	for (uint32_t i = 0; i < k->n_warps; i++)
		if (released[i])
			release_lanes(k, g, i, released[i]);
}

void check_barrier_done(struct check *k, uint32_t id, const uint32_t *released, const uint32_t *live)
{
	struct gathering *g = k->gathered[id];
	if (!g)
		return;
	if (is_full(k, g, released, live))
		release_all(k, g);
	else
		release_some(k, g, released);
	gathering_clear(g);
}

/* --- places ------------------------------------------------------------------------------------------------------- */

/* A place that another block wrote last: what that knew of itself is, from now on, something of another block. Scope .cta
 * ends here. */
static void change_hands(const struct check *k, struct place *p)
{
	struct known *far = &p->reach[CHECK_GPU];
	struct world *others = world_with(far->others, k->grid->level, p->block, far->own);
	for (int scope = 0; scope < CHECK_SCOPES; scope++) {
		known_drop(&p->reach[scope]);
		p->reach[scope].others = world_keep(others);
	}
	world_drop(others);
	p->block = k->block;
}

static void leave(struct check *k, struct place *p, const struct lane_state *s, uint32_t warp, int lane, bool adds,
	enum check_scope scope)
{
	p->version++;
	if (p->block != k->block && adds)
		change_hands(k, p);
	for (int i = 0; i < CHECK_SCOPES && !adds; i++)
		known_drop(&p->reach[i]);
	p->block = k->block;
	for (int i = 0; i <= (int)scope; i++)
		know_view(&p->reach[i], &s->fenced[i], warp, 1u << lane);
}

/* What there is to find at a place, and the scope of the fence that makes it known. */
static struct known at_place(
	const struct check *k, const struct place *p, enum check_scope scope, enum check_scope *needs)
{
	const struct known *far = &p->reach[CHECK_GPU];
	struct known found = {0};
	*needs = p->block == k->block ? CHECK_CTA : CHECK_GPU;
	if (p->block != k->block && scope == CHECK_GPU)
		found.others = world_with(far->others, k->grid->level, p->block, far->own);
	for (int i = 0; p->block == k->block && i < CHECK_SCOPES; i++)
		known_add(&found, p->reach[i]);
	return found;
}

static void hear(
	const struct check *k, const struct place *p, struct lane_state *s, enum access_op op, enum check_scope scope)
{
	enum check_scope needs;
	struct known found = at_place(k, p, scope, &needs);
	known_add(&s->heard[needs], found);
	if (op == ACCESS_ATOMIC)
		known_add(&s->drawn, found);
	known_drop(&found);
}

static bool has_fenced(const struct lane_state *s)
{
	const struct view *v = &s->fenced[CHECK_CTA];
	return v->self || v->more.own || v->more.others;
}

/* The access finds the place as the lane left it, and has nothing to add. */
static bool is_stale(const struct lane_state *s, const struct place *p, uint64_t key, enum access_op op)
{
	return s->passed == key + 1 && s->passed_version == p->version &&
		(op == ACCESS_LOAD || (op == ACCESS_ATOMIC && !s->has_news));
}

static void pass_on(struct check *k, struct places *places, uint32_t warp, int lane, const struct simt_access *a,
	const struct check_how *how)
{
	enum check_scope scope = (enum check_scope)how->scope;
	uint64_t address = a->address[lane], key = address << 2 | (uint64_t)(a->space == SPACE_SHARED) << 1 | scope;
	struct place *p = places_find(places, address);

	if (!p && (a->op == ACCESS_LOAD || !has_fenced(check_lane(k, warp, lane))))
		return;
	split(&k->warps[warp]);
	struct lane_state *s = &k->warps[warp].each[lane];
	if (p && is_stale(s, p, key, a->op))
		return;
	if (p && a->op != ACCESS_STORE)
		hear(k, p, s, a->op, scope);
	if (!p)
		p = places_add(places, address);
	if (a->op == ACCESS_STORE || (a->op == ACCESS_ATOMIC && has_fenced(s)))
		leave(k, p, s, warp, lane, a->op == ACCESS_ATOMIC, scope);
	s->has_news = a->op == ACCESS_LOAD && s->has_news;
	s->passed = key + 1; /* 0 is none */
	s->passed_version = p->version;
}

void check_pass_on(struct check *k, uint32_t warp, int lane, const struct simt_access *a, const struct check_how *how)
{
	if (a->space == SPACE_SHARED) {
		pass_on(k, &k->places, warp, lane, a, how);
		return;
	}
	pthread_mutex_lock(&k->grid->lock);
	pass_on(k, &k->grid->places, warp, lane, a, how);
	pthread_mutex_unlock(&k->grid->lock);
}
