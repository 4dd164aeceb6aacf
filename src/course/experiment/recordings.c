#include "config.h"
#include "course/experiment/recordings_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/elf.h"
#include "base/hash.h"
#include "base/portable.h"
#include "course/experiment/recordings.h"
#include "model/hardware/counters.h"

struct experiment_recordings *experiment_recordings_new(struct arena *arena)
{
	struct experiment_recordings *r = arena_alloc(arena, sizeof *r);
	r->arena = arena;
	return r;
}

int experiment_recordings_count(const struct experiment_recordings *recorded)
{
	return recorded->n + recorded->n_programs;
}

/* --- the fingerprint ---------------------------------------------------------------------------------------------- */

void experiment_fingerprint(const char *ptx, size_t len, char out[17])
{
	uint64_t hash = HASH_START;
	const char *end = ptx + len;
	char last = ' ';
	bool quoted = false;
	for (const char *p = ptx; p < end;) {
		if (!quoted && *p == '/' && p + 1 < end && (p[1] == '/' || p[1] == '*')) {
			const char *body = p + 2;
			if (p[1] == '/')
				while (p < end && *p != '\n')
					p++;
			else
				for (p = body; p < end && !(p - body >= 2 && p[-1] == '/' && p[-2] == '*'); p++)
					continue;

			continue;
		}
		char c = *p++;
		quoted ^= c == '"';
		/* any run of blanks and newlines counts as one blank */
		if (!quoted && strchr(" \t\r\n", c)) {
			if (last == ' ')
				continue;
			c = ' ';
		}
		hash = hash_step(hash, (unsigned char)c);
		last = c;
	}
	if (last != ' ')
		hash = hash_step(hash, ' ');
	for (int i = 15; i >= 0; i--, hash >>= 4)
		out[i] = "0123456789abcdef"[hash & 15];
	out[16] = '\0';
}

void experiment_fingerprint_source(const char *text, size_t len, char out[17])
{
	uint64_t hash = hash_bytes(HASH_START, text, len);
	for (int i = 15; i >= 0; i--, hash >>= 4)
		out[i] = "0123456789abcdef"[hash & 15];
	out[16] = '\0';
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

static bool is_same_run(const struct experiment_program *a, const struct experiment_program *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->arguments, b->arguments) == 0;
}

void experiment_recordings_put_program(struct experiment_recordings *recorded, const struct experiment_program *program)
{
	for (int i = 0; i < recorded->n_programs; i++)
		if (is_same_run(&recorded->programs[i], program)) {
			recorded->programs[i] = *program;
			return;
		}
	*vec_push_in(recorded->arena, recorded->programs, recorded->n_programs, recorded->programs_cap) = *program;
}

enum experiment_recorded experiment_recordings_find_program(const struct experiment_recordings *recorded,
	const struct experiment_program *wanted, const struct experiment_program **out)
{
	*out = NULL;
	for (int i = 0; i < recorded->n_programs; i++)
		if (is_same_run(&recorded->programs[i], wanted)) {
			*out = &recorded->programs[i];
			return strcmp((*out)->source, wanted->source) == 0 ? RECORDED_OK : RECORDED_STALE;
		}
	return RECORDED_NONE;
}

/* --- looking up --------------------------------------------------------------------------------------------------- */

static int compare_numbers(const uint32_t *a, const uint32_t *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

int experiment_recordings_compare(const struct launch *a, const struct launch *b)
{
	int order = strcmp(a->kernel, b->kernel);
	order = order ? order : compare_numbers(a->grid, b->grid, 3);
	order = order ? order : compare_numbers(a->block, b->block, 3);
	order = order ? order : compare_numbers(&a->shared, &b->shared, 1);
	order = order ? order : compare_numbers(a->cluster, b->cluster, 3);
	order = order ? order : a->cooperative - b->cooperative;
	for (int i = 0; !order && i < a->n_args && i < b->n_args; i++)
		order = portable_compare_versions(a->args[i].text, b->args[i].text);
	order = order ? order : a->n_args - b->n_args;
	if (order || !a->before || !b->before)
		return order ? order : (a->before != NULL) - (b->before != NULL);
	return experiment_recordings_compare(a->before, b->before);
}

bool experiment_same_launch(const struct launch *a, const struct launch *b)
{
	return experiment_recordings_compare(a, b) == 0;
}

bool experiment_same_gpu(const struct experiment_provenance *a, const struct experiment_provenance *b)
{
	return a == b || (a && b && a->cc == b->cc && !strcmp(a->gpu, b->gpu));
}

int experiment_recordings_rank(struct experiment_recordings *r, const struct experiment_provenance *from)
{
	int i = 0;
	while (i < r->n_gpus && !experiment_same_gpu(r->gpus[i], from))
		i++;
	if (i == r->n_gpus && from)
		*vec_push_in(r->arena, r->gpus, r->n_gpus, r->cap_gpus) = from;
	return i;
}

const struct experiment_provenance *experiment_recordings_gpu(const struct experiment_recordings *recorded, int index)
{
	return index >= 0 && index < recorded->n_gpus ? recorded->gpus[index] : NULL;
}

void experiment_recordings_prefer(struct experiment_recordings *recorded, int index)
{
	recorded->preferred = index;
}

void experiment_recordings_order_as(struct experiment_recordings *recorded, const struct experiment_recordings *other)
{
	for (int i = 0; i < other->n_gpus; i++)
		experiment_recordings_rank(recorded, other->gpus[i]);
}

static bool is_of(const struct recorded_launch *e, const char *fingerprint, const struct launch *launch)
{
	return experiment_same_launch(&e->launch, launch) && !strcmp(e->ptx, fingerprint);
}

/* That of the GPU; `gpu` NULL: of the preferred one, or else of the first in the order. */
static struct recorded_launch *find_result(const struct experiment_recordings *r, const char *fingerprint,
	const struct launch *launch, const struct experiment_provenance *gpu)
{
	const struct experiment_provenance *preferred = experiment_recordings_gpu(r, r->preferred);
	struct recorded_launch *best = NULL;
	int best_rank = r->n_gpus;
	for (int i = 0; i < r->n; i++) {
		struct recorded_launch *e = &r->entries[i];
		if ((gpu && !experiment_same_gpu(e->from, gpu)) || !is_of(e, fingerprint, launch))
			continue;
		if (gpu || experiment_same_gpu(e->from, preferred))
			return e;
		int rank = 0;
		while (rank < r->n_gpus && !experiment_same_gpu(r->gpus[rank], e->from))
			rank++;
		if (!best || rank < best_rank) {
			best = e;
			best_rank = rank;
		}
	}
	return best;
}

/* What is added to is the one that was put last, of several GPUs' results. */
static struct recorded_launch *find_put(
	const struct experiment_recordings *r, const char *fingerprint, const struct launch *launch)
{
	if (r->last < r->n && is_of(&r->entries[r->last], fingerprint, launch))
		return &r->entries[r->last];
	return find_result(r, fingerprint, launch, NULL);
}

bool experiment_recordings_has(const struct experiment_recordings *recorded, const char *fingerprint,
	const struct launch *launch, const struct experiment_provenance *gpu)
{
	return find_result(recorded, fingerprint, launch, gpu) != NULL;
}

enum experiment_recorded experiment_recordings_find(const struct experiment_recordings *recorded,
	const char *fingerprint, const struct launch *launch, struct experiment_recorded_result *out)
{
	const struct recorded_launch *e = find_result(recorded, fingerprint, launch, NULL);
	*out = (struct experiment_recorded_result){0};
	if (!e) {
		for (int i = 0; i < recorded->n; i++)
			if (experiment_same_launch(&recorded->entries[i].launch, launch))
				return RECORDED_STALE;
		return RECORDED_NONE;
	}
	*out = (struct experiment_recorded_result){e->from, e->metrics, e->values, e->n, e->model_metrics,
		e->model_values, e->n_model, e->modeled, &e->lines, e->executed, e->n_executed, &e->instrs};
	return RECORDED_OK;
}

/* --- adding ------------------------------------------------------------------------------------------------------- */

static struct launch keep_launch(struct arena *arena, const struct launch *launch)
{
	struct launch copy = *launch;
	copy.kernel = arena_strdup(arena, launch->kernel);
	copy.args = arena_array(arena, struct launch_arg, (size_t)launch->n_args + 1);
	for (int i = 0; i < launch->n_args; i++)
		copy.args[i].text = arena_strdup(arena, launch->args[i].text);
	if (launch->before) {
		struct launch *before = arena_alloc(arena, sizeof *before);
		*before = keep_launch(arena, launch->before);
		copy.before = before;
	}
	return copy;
}

struct recorded_launch *experiment_recordings_add(struct experiment_recordings *r, const char *fingerprint,
	const struct launch *launch, const struct experiment_provenance *from)
{
	struct recorded_launch *e = from ? find_result(r, fingerprint, launch, from) : NULL;
	if (!e)
		e = vec_push_in(r->arena, r->entries, r->n, r->cap);
	r->last = (int)(e - r->entries);
	experiment_recordings_rank(r, from);
	*e = (struct recorded_launch){
		.from = from, .launch = keep_launch(r->arena, launch), .ptx = arena_strdup(r->arena, fingerprint)};
	return e;
}

bool experiment_recordings_same_provenance(const struct experiment_provenance *a, const struct experiment_provenance *b)
{
	return a->cc == b->cc && a->sms == b->sms && !strcmp(a->gpu, b->gpu) && !strcmp(a->driver, b->driver) &&
		!strcmp(a->cuda, b->cuda) && !strcmp(a->cupti, b->cupti) && !strcmp(a->date, b->date);
}

static const struct experiment_provenance *keep_provenance(
	struct experiment_recordings *r, const struct experiment_provenance *from)
{
	for (int i = 0; i < r->n; i++)
		if (r->entries[i].from && experiment_recordings_same_provenance(r->entries[i].from, from))
			return r->entries[i].from;
	struct experiment_provenance *copy = arena_alloc(r->arena, sizeof *copy);
	*copy = (struct experiment_provenance){arena_strdup(r->arena, from->gpu), arena_strdup(r->arena, from->driver),
		arena_strdup(r->arena, from->cuda), arena_strdup(r->arena, from->cupti),
		arena_strdup(r->arena, from->date), from->cc, from->sms};
	return copy;
}

void experiment_recordings_put(struct experiment_recordings *recorded, const struct experiment_provenance *provenance,
	const char *fingerprint, const struct launch *launch, const struct wire_measurement *measurement)
{
	struct arena *arena = recorded->arena;
	struct recorded_launch *e = experiment_recordings_add(
		recorded, fingerprint, launch, keep_provenance(recorded, provenance));
	e->metrics = arena_array(arena, const char *, (size_t)measurement->n + 1);
	e->values = arena_array(arena, double, (size_t)measurement->n + 1);
	for (int i = 0; i < measurement->n; i++) {
		if (!measurement->available[i] || !isfinite(measurement->values[i]))
			continue;
		e->metrics[e->n] = arena_strdup(arena, measurement->metrics[i]);
		e->values[e->n++] = measurement->values[i];
	}
}

struct wire_line *experiment_recordings_make_lines(
	struct arena *arena, struct wire_line_counts *out, int n, int n_lines)
{
	struct wire_line *lines = arena_array(arena, struct wire_line, (size_t)n_lines + 1);
	bool *available = arena_array(arena, bool, (size_t)n + 1);
	for (int i = 0; i < n; i++)
		available[i] = true;
	for (int i = 0; i < n_lines; i++)
		lines[i].values = arena_array(arena, double, (size_t)n + 1);
	out->available = available;
	out->lines = lines;
	out->n_lines = n_lines;
	return lines;
}

/* Those that are available. */
static void keep_lines(struct arena *arena, const struct wire_line_counts *counts, struct wire_line_counts *out)
{
	const char **names = arena_array(arena, const char *, (size_t)counts->n + 1);
	struct wire_line *lines = experiment_recordings_make_lines(arena, out, counts->n, counts->n_lines);
	out->metrics = names;
	out->n = 0;
	for (int i = 0; i < counts->n; i++) {
		if (!counts->available[i])
			continue;
		names[out->n] = arena_strdup(arena, counts->metrics[i]);
		for (int k = 0; k < counts->n_lines; k++)
			((double *)lines[k].values)[out->n] = counts->lines[k].values[i];
		out->n++;
	}
	for (int k = 0; k < counts->n_lines; k++)
		lines[k].line = counts->lines[k].line;
}

void experiment_recordings_put_lines(struct experiment_recordings *recorded, const char *fingerprint,
	const struct launch *launch, const struct wire_line_counts *counts)
{
	struct recorded_launch *e = find_put(recorded, fingerprint, launch);
	if (e)
		keep_lines(recorded->arena, counts, &e->lines);
}

int experiment_executed_of(const struct wire_line_counts *counts, struct experiment_executed *out)
{
	int metric = 0, n = 0;
	while (metric < counts->n && strcmp(counts->metrics[metric], line_count_table[LINE_COUNT_INSTRUCTIONS].hw) != 0)
		metric++;
	if (metric == counts->n || !counts->available[metric])
		return 0;
	for (int i = 0; i < counts->n_lines; i++)
		if (counts->lines[i].line > 0 && isfinite(counts->lines[i].values[metric]))
			out[n++] = (struct experiment_executed){counts->lines[i].line, counts->lines[i].values[metric]};
	return n;
}

void experiment_recordings_put_executed(struct experiment_recordings *recorded, const char *fingerprint,
	const struct launch *launch, const struct wire_line_counts *counts)
{
	struct recorded_launch *e = find_put(recorded, fingerprint, launch);
	if (!e)
		return;
	e->executed = arena_array(recorded->arena, struct experiment_executed, (size_t)counts->n_lines + 1);
	e->n_executed = experiment_executed_of(counts, e->executed);
	e->instrs = (struct wire_line_counts){0};
	const struct wire_line_counts instrs = experiment_lines_of_instrs(counts);

	/* What a file may hold: a stranger's GPU may have said other things. */
	bool whole = experiment_recordings_is_code(instrs.code) && instrs.n_lines > 0 &&
		instrs.n_lines <= LISTING_INSTRS_MAX;
	for (int i = 0; i < instrs.n_lines && whole; i++)
		for (int k = 0; k < instrs.n; k++)
			whole &= !instrs.available[k] ||
				(isfinite(instrs.lines[i].values[k]) && instrs.lines[i].values[k] >= 0);
	if (!whole)
		return;

	keep_lines(recorded->arena, &instrs, &e->instrs);
	e->instrs.code = arena_strdup(recorded->arena, instrs.code);
}

void experiment_recordings_put_model(struct experiment_recordings *recorded, const char *fingerprint,
	const struct launch *launch, const struct counts *model, const struct experiment_modeled *modeled)
{
	for (int i = 0; i < recorded->n; i++)
		if (is_of(&recorded->entries[i], fingerprint, launch) && !recorded->entries[i].leaves_model) {
			struct recorded_launch *e = &recorded->entries[i];
			struct experiment_line *lines = arena_array(
				recorded->arena, struct experiment_line, (size_t)modeled->n_lines + 1);
			uint64_t *executed = arena_array(recorded->arena, uint64_t, (size_t)modeled->n_executed + 1);
			if (modeled->n_lines)
				memcpy(lines, modeled->lines, (size_t)modeled->n_lines * sizeof *lines);
			if (modeled->n_executed)
				memcpy(executed, modeled->executed, (size_t)modeled->n_executed * sizeof *executed);
			e->modeled = *modeled;
			e->modeled.lines = lines;
			e->modeled.executed = executed;

			e->model_metrics = arena_array(recorded->arena, const char *, COUNTERS);
			e->model_values = arena_array(recorded->arena, double, COUNTERS);
			e->n_model = 0;
			for (int j = 0; j < COUNTERS; j++) {
				if (model->c[j].state != VALUE_OK)
					continue;
				e->model_metrics[e->n_model] = counter_table[j].hw;
				e->model_values[e->n_model++] = model->c[j].v;
			}
		}
}

void experiment_recordings_leave_model(
	struct experiment_recordings *recorded, const char *fingerprint, const struct launch *launch)
{
	for (int i = 0; i < recorded->n; i++) {
		struct recorded_launch *e = &recorded->entries[i];
		if (!is_of(e, fingerprint, launch))
			continue;
		e->n_model = 0;
		e->modeled = (struct experiment_modeled){0};
		e->leaves_model = true;
	}
}

/* --- machine code ------------------------------------------------------------------------------------------------- */

bool experiment_recordings_is_code(const char *fingerprint)
{
	size_t len = fingerprint ? strspn(fingerprint, "0123456789abcdef") : 0;
	return len == ELF_CODE_PRINT - 1 && !fingerprint[len];
}

int experiment_recordings_compare_codes(const struct recorded_code *a, const struct recorded_code *b)
{
	int order = strcmp(a->kernel, b->kernel);
	order = order ? order : strcmp(a->listing.target, b->listing.target);
	return order ? order : strcmp(a->ptx, b->ptx);
}

struct recorded_code *experiment_recordings_add_code(
	struct experiment_recordings *r, const char *fingerprint, const char *kernel, const char *target)
{
	const struct recorded_code key = {fingerprint, kernel, {.target = target}};
	struct recorded_code *code = NULL;
	for (int i = 0; i < r->n_codes && !code; i++)
		if (experiment_recordings_compare_codes(&r->codes[i], &key) == 0)
			code = &r->codes[i];
	if (!code)
		code = vec_push_in(r->arena, r->codes, r->n_codes, r->cap_codes);
	*code = (struct recorded_code){arena_strdup(r->arena, fingerprint), arena_strdup(r->arena, kernel),
		{.target = arena_strdup(r->arena, target)}};
	return code;
}

void experiment_recordings_put_code(struct experiment_recordings *recorded, const char *fingerprint, const char *kernel,
	const struct code_listing *listing)
{
	struct arena *arena = recorded->arena;
	struct recorded_code *code = experiment_recordings_add_code(recorded, fingerprint, kernel, listing->target);
	const char *target = code->listing.target;
	struct listing_instr *instrs = arena_array(arena, struct listing_instr, (size_t)listing->n + 1);
	for (int i = 0; i < listing->n; i++)
		instrs[i] = (struct listing_instr){listing->instrs[i].ptx_line, listing->instrs[i].address,
			arena_strdup(arena, listing->instrs[i].text)};
	code->listing = *listing;
	code->listing.target = target;
	code->listing.compiler = arena_strdup(arena, listing->compiler);
	code->listing.code = listing->code ? arena_strdup(arena, listing->code) : NULL;
	code->listing.instrs = instrs;
}

const struct code_listing *experiment_recordings_find_code(
	const struct experiment_recordings *recorded, const char *fingerprint, const char *kernel, int cc)
{
	const struct code_listing *found = NULL;
	for (int i = 0; recorded && i < recorded->n_codes; i++) {
		const struct recorded_code *code = &recorded->codes[i];
		if (strcmp(code->ptx, fingerprint) != 0 || strcmp(code->kernel, kernel) != 0)
			continue;

		/* "sm_90a" is of compute capability 9.0. */
		const struct code_listing *for_listing = &code->listing;
		char name[16];
		int len = snprintf(name, sizeof name, "sm_%d", cc);
		if (strncmp(for_listing->target, name, (size_t)len) == 0 &&
			(for_listing->target[len] < '0' || for_listing->target[len] > '9'))
			return &code->listing;

		found = found ? found : &code->listing;
	}
	return found;
}

bool experiment_recordings_take(struct experiment_recordings *recorded, const struct experiment_recordings *from,
	const char *fingerprint, const struct launch *launch, const struct experiment_provenance *but)
{
	bool any = false;
	for (int i = 0; i < from->n; i++) {
		const struct recorded_launch *e = &from->entries[i];
		if (!is_of(e, fingerprint, launch) || (but && experiment_same_gpu(e->from, but)))
			continue;
		*experiment_recordings_add(recorded, fingerprint, launch, e->from) = *e;
		any = true;
	}
	return any;
}
