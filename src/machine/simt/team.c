#include "machine/simt/run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/portable.h"
#include "machine/race/race.h"
#include "machine/simt/code.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory.h"
#include "machine/simt/memory_order.h"
#include "machine/simt/warp_state.h"

#define CORES_MAX 64u
#define CHUNK_MAX 16u                    /* blocks that a worker takes at once */
#define SNAPSHOT_MAX ((size_t)256 << 20) /* bytes of memory that are copied to be restored */

struct worker {
	struct team *team;
	struct machine *machine;
	struct simt_listener listener; /* its own part of the launch's */
	struct simt_result result;     /* discarded, and so is the report */
	struct simt_report report;
	struct simt_defect defect;
	_Atomic uint64_t block; /* that it runs; UINT64_MAX: it has no more */
	bool waits;             /* in simt_team_wait; under the lock */
	uint32_t looked;        /* the last look that it has answered; under the lock */
	pthread_t thread;
	bool started;
};

struct team {
	const struct machine *model;
	uint64_t next, end; /* under the lock */
	uint32_t n;
	struct worker *workers;
	pthread_mutex_t lock;
	pthread_cond_t moved; /* a worker has gone on to another block, or the team gives up */
	atomic_bool gives_up;
	atomic_bool stopped;           /* by simt_progress.stop */
	struct simt_standing standing; /* then, or for a look; under the lock */
	uint32_t look;                 /* that it is for */
	uint64_t first;                /* of its blocks */
	_Atomic uint64_t steps, ended; /* of all workers, in blocks that are over; those blocks */
};

/* --- progress --------------------------------------------------------------------------------------------------- */

static void give_up(struct team *team)
{
	pthread_mutex_lock(&team->lock);
	team->gives_up = true;
	pthread_cond_broadcast(&team->moved);
	pthread_mutex_unlock(&team->lock);
}

static bool all_before_ended(const struct team *team, uint64_t block)
{
	for (uint32_t i = 0; i < team->n; i++)
		if (team->workers[i].block < block)
			return false;
	return true;
}

bool simt_team_wait(struct machine *m)
{
	struct team *team = m->worker ? m->worker->team : NULL;
	if (!team || all_before_ended(team, m->block))
		return true;
	pthread_mutex_lock(&team->lock);
	m->worker->waits = true;
	while (!team->gives_up && !team->stopped && !all_before_ended(team, m->block))
		pthread_cond_wait(&team->moved, &team->lock);
	m->worker->waits = false;
	pthread_mutex_unlock(&team->lock);
	m->stop |= simt_team_is_over(m);
	return !m->stop;
}

bool simt_team_is_over(const struct machine *m)
{
	return m->worker->team->gives_up || m->worker->team->stopped;
}

bool simt_team_alone(struct machine *m)
{
	m->stop |= m->worker != NULL;
	return !m->worker;
}

void simt_team_block_end(struct machine *m)
{
	const struct timespec little = {0, 100000};
	uint32_t thread = (uint32_t)(m->worker - m->worker->team->workers);
	while (!m->stop && !race_block_leave(m->detector)) {
		m->stop |= race_grid_compare(m->race_grid, thread) || simt_team_is_over(m);
		nanosleep(&little, NULL);
	}
	m->stop |= race_grid_compare(m->race_grid, thread);
}

/* Blocks [first, *last), none when there are no more; the worker is at the first. */
static uint64_t take_blocks(struct worker *w, uint64_t *last)
{
	struct team *team = w->team;
	pthread_mutex_lock(&team->lock);
	uint64_t first = team->next, left = team->end - first, share = left / (team->n * 8) + 1;
	team->next += share < CHUNK_MAX ? (share < left ? share : left) : CHUNK_MAX;
	*last = team->next;
	w->block = left ? first : UINT64_MAX;
	pthread_cond_broadcast(&team->moved);
	pthread_mutex_unlock(&team->lock);
	return first;
}

/* --- workers
 * ------------------------------------------------------------------------------------------------------- */

static bool run_one(struct worker *w, uint64_t block)
{
	struct machine *m = w->machine;
	m->quiet.since = clock_thread_ms();
	simt_block_start(m, (uint32_t)block);
	simt_steps_allow(m, simt_steps_left(w->team->model));
	simt_block_run(m);
	w->team->steps += m->steps.taken;
	w->team->ended += m->state == BLOCK_ENDED;
	if (m->state == BLOCK_ENDED)
		simt_block_count(m);
	return !m->stop && m->state == BLOCK_ENDED && w->team->steps <= simt_steps_left(w->team->model);
}

static bool is_asked_to_stop(const struct team *team)
{
	const struct simt_progress *progress = team->model->launch->limits.progress;
	return progress && progress->stop;
}

/* --- where its warps are */

/* Under the lock. */
static void add_standing(struct team *team, const struct worker *w)
{
	team->standing.resident++;
	simt_standing_add(&team->standing, w->machine);
}

static void count_standing(struct team *team)
{
	struct simt_standing *s = &team->standing;
	s->most = team->model->launch->resident;
	s->ended = team->first + team->ended;
	s->waiting = team->end > s->ended + s->resident ? team->end - s->ended - s->resident : 0;
}

/* The worker ends, and others with it; its block, unless it is over, is where it is. */
static void stop_team(struct worker *w, bool in_block)
{
	struct team *team = w->team;
	pthread_mutex_lock(&team->lock);
	if (!team->stopped)
		team->standing = (struct simt_standing){0}; /* perhaps of a look that had no answer yet */
	team->stopped = true;
	if (in_block)
		add_standing(team, w);
	w->block = UINT64_MAX;
	pthread_cond_broadcast(&team->moved);
	pthread_mutex_unlock(&team->lock);
}

void simt_team_look(struct machine *m)
{
	struct team *team = m->worker->team;
	struct simt_progress *progress = m->launch->limits.progress;
	uint32_t look = progress->look;
	bool all = true;

	pthread_mutex_lock(&team->lock);
	if (team->look != look && !team->stopped)
		team->standing = (struct simt_standing){0};
	team->look = look;
	if (m->worker->looked != look && !team->stopped)
		add_standing(team, m->worker);
	m->worker->looked = look;
	for (uint32_t i = 0; i < team->n; i++)
		all &= team->workers[i].looked == look || team->workers[i].waits ||
			team->workers[i].block == UINT64_MAX;
	if (all && progress->seen != look && !team->stopped) {
		/* Those that wait stay where they are as long as we have the lock. */
		for (uint32_t i = 0; i < team->n; i++)
			if (team->workers[i].looked != look && team->workers[i].waits)
				add_standing(team, &team->workers[i]);
		count_standing(team);
		progress->standing = team->standing;
		progress->seen = look;
	}
	pthread_mutex_unlock(&team->lock);
}

/* --- what a worker does */

static void *work(void *arg)
{
	struct worker *w = arg;
	uint64_t last;

	for (uint64_t block = take_blocks(w, &last); block < last; block = take_blocks(w, &last)) {
		for (; block < last; block++) {
			if (w->block != block) {
				pthread_mutex_lock(&w->team->lock);
				w->block = block;
				pthread_cond_broadcast(&w->team->moved);
				pthread_mutex_unlock(&w->team->lock);
			}
			if (is_asked_to_stop(w->team)) {
				stop_team(w, false);
				return NULL;
			}
			if (w->team->gives_up || !run_one(w, block)) {
				if (!w->team->gives_up && is_asked_to_stop(w->team))
					stop_team(w, w->machine->state != BLOCK_ENDED);
				else
					give_up(w->team);
				return NULL;
			}
		}
	}
	return NULL;
}

/* --- memory as it was
 * ---------------------------------------------------------------------------------------------- */

/* Of the bits that say which bytes of a region were written. */
static size_t written_bytes(const struct region *r)
{
	return r->written ? r->size / 8 + 2 : 0;
}

static size_t memory_bytes(const struct machine *m)
{
	size_t bytes = m->variables.globals.size;
	for (int i = 0; i < m->memory->n; i++)
		bytes += m->memory->regions[i].size + written_bytes(&m->memory->regions[i]);
	return bytes;
}

enum direction { SAVE, RESTORE };

static void copy_bytes(uint8_t *bytes, size_t n, uint8_t **at, enum direction direction)
{
	if (direction == RESTORE && n)
		memcpy(bytes, *at, n);
	else if (n)
		memcpy(*at, bytes, n);
	*at += n;
}

static void copy_region(const struct region *r, uint8_t **at, enum direction direction)
{
	copy_bytes(r->bytes, r->size, at, direction);
	copy_bytes(r->written, written_bytes(r), at, direction);
}

/* To `kept`, or back from there. */
static void copy_memory(const struct machine *m, uint8_t *kept, enum direction direction)
{
	for (int i = 0; i < m->memory->n; i++)
		copy_region(&m->memory->regions[i], &kept, direction);
	if (m->variables.globals.size)
		copy_region(&m->variables.globals, &kept, direction);
}

/* --- the team
 * ------------------------------------------------------------------------------------------------------ */

static uint32_t count_cores(const struct machine *model)
{
	uint32_t asked = model->launch->limits.cores, n = portable_processors();
	uint64_t room = RESIDENT_BYTES / simt_resident_bytes(model);
	n = asked ? asked : n;
	n = n < room ? n : (uint32_t)room;
	return n < CORES_MAX ? n : CORES_MAX;
}

bool simt_team_possible(const struct machine *model)
{
	const struct simt_listener *l = model->listener;
	if (model->memory->n_mapped && simt_synchronizes(model->launch->kernel))
		return false; /* memory that the host writes meanwhile cannot be restored */

	/* Which bytes were written is one array for all blocks. A block that finds bytes of a later one written would
	 * not on one core, where it is reported; but such blocks race, if that is looked for, and then one core does
	 * it again. */
	for (int i = 0; model->race_grid && !(model->checks & SIMT_CHECK_RACE) && i < model->memory->n; i++)
		if (model->memory->regions[i].written)
			return false;
	return model->cluster_shape.n == 1 && count_cores(model) > 1 && memory_bytes(model) <= SNAPSHOT_MAX &&
		(l->fork || !(l->access || l->branch || l->shuffle || l->step));
}

enum simt_team_end simt_team_run(struct machine *model, uint64_t first, uint64_t *steps)
{
	const struct simt_listener *listener = model->listener;
	struct team team = {.model = model,
		.next = first,
		.first = first,
		.end = warp_dim_volume(model->launch->grid),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.moved = PTHREAD_COND_INITIALIZER};
	uint32_t cores = count_cores(model);
	size_t bytes = memory_bytes(model);
	uint8_t *kept = malloc(bytes ? bytes : 1);

	if (!kept)
		return TEAM_GAVE_UP;
	copy_memory(model, kept, SAVE);
	if (model->race_grid)
		race_grid_gather(model->race_grid, first);
	team.workers = base_calloc(cores, sizeof *team.workers);
	while (team.n < cores && team.n < team.end - first) {
		struct worker *w = &team.workers[team.n++];
		w->team = &team;
		w->block = UINT64_MAX;
		w->listener = *listener;
		if (listener->fork)
			w->listener.ctx = listener->fork(listener->ctx);

		struct machine *m = base_malloc(sizeof *m);
		*m = *model;
		m->arena = arena_new();
		m->worker = w;
		m->locks = NULL;
		m->result = &w->result;
		w->report = (struct simt_report){.defects = &w->defect, .cap = 1};
		m->report = &w->report;
		m->listener = &w->listener;
		simt_block_prepare(m);
		w->machine = m;
	}

	bool all = true;
	for (uint32_t i = 0; i < team.n; i++) {
		struct worker *w = &team.workers[i];
		w->started = pthread_create(&w->thread, NULL, work, w) == 0;
		all &= w->started;
	}
	if (!all)
		give_up(&team);
	for (uint32_t i = 0; i < team.n; i++)
		if (team.workers[i].started)
			pthread_join(team.workers[i].thread, NULL);
	bool good = !team.gives_up;
	if (good && model->race_grid && race_grid_compare(model->race_grid, 0))
		good = team.stopped;
	struct simt_progress *progress = model->launch->limits.progress;
	*steps = team.steps;
	for (uint32_t i = 0; i < team.n; i++) {
		struct worker *w = &team.workers[i];
		if (listener->fork && good)
			listener->join(listener->ctx, w->listener.ctx);
		else if (listener->fork)
			listener->drop(listener->ctx, w->listener.ctx);
		simt_block_free(w->machine);
		arena_free(w->machine->arena);
		free(w->machine);
	}
	if (!good) {
		copy_memory(model, kept, RESTORE);
		if (progress)
			progress->blocks -= team.ended;
	}
	if (good && team.stopped) {
		count_standing(&team);
		model->result->standing = team.standing;
	}
	free(team.workers);
	free(kept);
	pthread_mutex_destroy(&team.lock);
	pthread_cond_destroy(&team.moved);
	return !good ? TEAM_GAVE_UP : team.stopped ? TEAM_STOPPED : TEAM_ENDED;
}

/* --- which instructions see in which order blocks run ------------------------------------------------------------- */

/* Weak accesses do not, unless blocks race, and then nothing is promised. Strong accesses to global memory do. Integer
 * atomics whose old value is not read give the same sum in any order; they need not wait either, as long as no other
 * instruction of the launch could see the sum grow. */

static bool commutes(const struct ptx_instr *instr, const bool *read)
{
	uint8_t op = instr->form->mod[PTX_MOD_ATOM];
	char kind = ptx_type_kind((enum ptx_type)instr->form->type);
	bool sums = op == PTX_ATOM_ADD || op == PTX_ATOM_MIN || op == PTX_ATOM_MAX || op == PTX_ATOM_AND ||
		op == PTX_ATOM_OR || op == PTX_ATOM_XOR;
	if (!sums || kind == 'F' || ptx_type_bytes((enum ptx_type)instr->form->type) < 4)
		return false;
	const struct ptx_operand *old = &instr->operands[0];
	return instr_kind(instr->form) == PTX_KIND_REDUCTION || old->kind == PTX_SINK ||
		(old->kind == PTX_REG && !read[old->index]);
}

static bool is_of_all(const struct code *c)
{
	return c->space == SPACE_GLOBAL || c->space == SPACE_GENERIC;
}

static bool reaches_others(const struct code *c)
{
	return c->flags & CODE_STRONG && is_of_all(c);
}

void simt_order_find(struct machine *m)
{
	struct program *program = &m->program;
	/* What the detector learns at an atomic operation does not commute, if it learns anything. */
	bool all_commute = !m->race_grid || race_grid_is_blind(m->race_grid),
	     *commuting = arena_array(m->arena, bool, program->n + 1);
	bool guesses = false, polls = false, tells = false; /* by instructions that are strong to the detector alone */

	for (uint32_t u = 0; u < program->n_units; u++) {
		const struct code_unit *unit = &program->units[u];
		const bool *read = simt_registers_read(m->arena, unit->code);
		for (int i = 0; i < unit->code->n_instrs; i++) {
			uint32_t index = unit->first + (uint32_t)i;
			const struct ptx_instr *instr = program->code[index].instr;
			commuting[index] = instr_is_atomic(instr->form) && commutes(instr, read);
			all_commute &= commuting[index] || !reaches_others(&program->code[index]);
			if (!is_of_all(&program->code[index]))
				continue;
			bool reads_only = instr_kind(instr->form) == PTX_KIND_LOAD;
			bool cached = simt_is_past_first_cache(instr->form);
			guesses |= instr_is_swap(instr->form);
			polls |= cached && reads_only;
			tells |= !reads_only && (cached || program->code[index].flags & CODE_STRONG);
		}
	}
	for (uint32_t i = 0; i < program->n; i++) {
		struct code *c = &program->code[i];
		if (reaches_others(c))
			c->flags |= all_commute ? CODE_COMMUTES : CODE_ORDERED;
	}

	/* A guess at what a swap will find decides how often that is tried; a load past the first cache decides how
	 * often a flag is looked at. */
	const struct race_order *order = NULL;
	if (guesses || (polls && tells))
		order = simt_memory_order(m->arena, program->kernel, false);
	for (uint32_t i = 0; order && i < program->n; i++)
		if (order[i].strong && is_of_all(&program->code[i]))
			program->code[i].flags |= CODE_ORDERED;
}
