#include "model/validate/pattern.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/validate/trial.h"

#define LIST_SECTORS 4 /* of the list of offsets, 32 words */
#define GLOBAL_WORDS 65536
#define NO_LANE 0xFFFFFFFFu /* in the list: the lane takes no part */

/* --- what is counted ---------------------------------------------------------------------------------------------- */

#define FIELD(name)                                                                                                    \
	static int get_##name(const struct access_cost *cost)                                                          \
	{                                                                                                              \
		return cost->name;                                                                                     \
	}
FIELD(requests)
FIELD(wavefronts)
FIELD(bank_conflicts)
FIELD(sectors)
FIELD(replays)
FIELD(loop_loads)
FIELD(loop_load_wavefronts)
FIELD(loop_load_conflicts)
#undef FIELD

#define COUNT(hw, field, own)                                                                                          \
	{                                                                                                              \
		hw ".sum", #field, get_##field, own                                                                    \
	}
#define INSTRUCTIONS(op) "smsp__inst_executed_op_" op
#define WAVEFRONTS(op) "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" op
#define CONFLICTS(op) "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" op
#define SHARED_COUNTS(inst, op)                                                                                        \
	{                                                                                                              \
		COUNT(INSTRUCTIONS(inst), requests, 0), COUNT(WAVEFRONTS(op), wavefronts, 0),                          \
			COUNT(CONFLICTS(op), bank_conflicts, 0)                                                        \
	}

static const struct pattern_counter shared_ld[] = SHARED_COUNTS("shared_ld", "ld");
static const struct pattern_counter shared_st[] = SHARED_COUNTS("shared_st", "st");
static const struct pattern_counter shared_atom[] = SHARED_COUNTS("shared_atom", "atom");
static const struct pattern_counter ldmatrix[] = SHARED_COUNTS("ldsm", "ld");
static const struct pattern_counter stmatrix[] = SHARED_COUNTS("shared_stsm", "st");
static const struct pattern_counter loop_ld[] = {COUNT(INSTRUCTIONS("shared_ld"), loop_loads, 0),
	COUNT(WAVEFRONTS("ld"), loop_load_wavefronts, 0), COUNT(CONFLICTS("ld"), loop_load_conflicts, 0)};

/* Requests and sectors together take two passes, which cost more than two measurements of one. */
#define REQUESTS(what) "l1tex__t_requests_pipe_lsu_mem_" what
#define SECTORS(what) "l1tex__t_sectors_pipe_lsu_mem_" what
static const struct pattern_counter global_ld_requests[] = {COUNT(REQUESTS("global_op_ld"), requests, 1)};
static const struct pattern_counter global_ld_sectors[] = {COUNT(SECTORS("global_op_ld"), sectors, LIST_SECTORS)};
static const struct pattern_counter global_st_requests[] = {COUNT(REQUESTS("global_op_st"), requests, 0)};
static const struct pattern_counter global_st_sectors[] = {COUNT(SECTORS("global_op_st"), sectors, 0)};
static const struct pattern_counter global_atom_requests[] = {COUNT(REQUESTS("global_op_atom"), requests, 0)};
static const struct pattern_counter global_atom_sectors[] = {COUNT(SECTORS("global_op_atom"), sectors, 0)};
static const struct pattern_counter global_red_requests[] = {COUNT(REQUESTS("global_op_red"), requests, 0)};
static const struct pattern_counter global_red_sectors[] = {COUNT(SECTORS("global_op_red"), sectors, 0)};
static const struct pattern_counter local_ld_requests[] = {COUNT(REQUESTS("local_op_ld"), requests, 0)};
static const struct pattern_counter local_ld_sectors[] = {COUNT(SECTORS("local_op_ld"), sectors, 0)};
static const struct pattern_counter local_st_requests[] = {COUNT(REQUESTS("local_op_st"), requests, 0)};
static const struct pattern_counter local_st_sectors[] = {COUNT(SECTORS("local_op_st"), sectors, 0)};
static const struct pattern_counter const_ld[] = {COUNT("sm__idc_divergent_instruction_replays", replays, 0)};

/* By the word in patterns.def. */
#define SET(counters)                                                                                                  \
	{                                                                                                              \
		counters, sizeof counters / sizeof *counters                                                           \
	}
#define SETS_SHARED_LD {SET(shared_ld)}, 1
#define SETS_SHARED_ST {SET(shared_st)}, 1
#define SETS_SHARED_ATOM {SET(shared_atom)}, 1
#define SETS_SHARED_ADD_FLOAT {SET(shared_atom), SET(loop_ld)}, 2
#define SETS_LDMATRIX {SET(ldmatrix)}, 1
#define SETS_STMATRIX {SET(stmatrix)}, 1
#define SETS_GLOBAL_LD {SET(global_ld_sectors), SET(global_ld_requests)}, 2
#define SETS_GLOBAL_ST {SET(global_st_sectors), SET(global_st_requests)}, 2
#define SETS_GLOBAL_ATOM {SET(global_atom_sectors), SET(global_atom_requests)}, 2
#define SETS_GLOBAL_RED {SET(global_red_sectors), SET(global_red_requests)}, 2
#define SETS_LOCAL_LD {SET(local_ld_sectors), SET(local_ld_requests)}, 2
#define SETS_LOCAL_ST {SET(local_st_sectors), SET(local_st_requests)}, 2
#define SETS_CONST_LD {SET(const_ld)}, 1

static const struct pattern_kind kinds[] = {
#define PATTERN(name, space, op, width, lanes, counted, declares, does)                                                \
	{name, SPACE_##space, ACCESS_##op, width, lanes, SETS_##counted, declares, does},
#include "model/validate/patterns.def"
#undef PATTERN
};
#define KINDS ((int)(sizeof kinds / sizeof *kinds))

/* Bytes that the kernel of a pattern has in each space: s, the buffer, l, and table. */
static uint32_t bytes_of(enum mem_space space)
{
	static const uint32_t bytes[] = {
		[SPACE_SHARED] = 32768, [SPACE_GLOBAL] = 4 * GLOBAL_WORDS, [SPACE_LOCAL] = 512, [SPACE_CONST] = 65536};
	return bytes[space];
}

int validate_pattern_kinds(void)
{
	return KINDS;
}

const struct pattern_kind *validate_pattern_kind(int index)
{
	return &kinds[index];
}

int validate_pattern_kind_find(const char *name)
{
	int i = 0;
	while (i < KINDS && strcmp(kinds[i].name, name) != 0)
		i++;
	return i < KINDS ? i : -1;
}

bool validate_pattern_is_exact(const struct pattern_kind *kind, int cc)
{
	const struct warp_access access = {.space = kind->space, .op = kind->op, .width = kind->width};
	return access_cost(&access, cc).exact;
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

struct address_shape {
	uint64_t random;   /* state of the sequence */
	uint32_t start;    /* element */
	uint32_t *element; /* of each lane */
};

static uint32_t pick(struct address_shape *s, const uint32_t *of, uint32_t n)
{
	return of[validate_values_below(&s->random, n)];
}
#define PICK(s, ...) pick(s, (const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

static void stride(struct address_shape *s)
{
	uint32_t by = validate_values_below(&s->random, 66);
	for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
		s->element[lane] = lane * by;
}

static void window(struct address_shape *s)
{
	uint32_t size = PICK(s, 1, 2, 3, 4, 8, 16, 32, 33, 64, 100, 1000, 11000, 100000);
	for (int lane = 0; lane < WARP_SIZE; lane++)
		s->element[lane] = validate_values_below(&s->random, size);
}

static void permutation(struct address_shape *s)
{
	uint32_t by = PICK(s, 1, 1, 2, 4, 32);
	for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
		uint32_t other = validate_values_below(&s->random, lane + 1);
		s->element[lane] = s->element[other];
		s->element[other] = lane * by;
	}
}

static void swizzle(struct address_shape *s)
{
	uint32_t with = validate_values_below(&s->random, WARP_SIZE), by = PICK(s, 1, 2, 8, 16, 32, 33);
	for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
		s->element[lane] = lane * by + (lane ^ with);
}

static void broadcast(struct address_shape *s)
{
	uint32_t lanes = PICK(s, 2, 4, 8, 16, 32), by = PICK(s, 1, 2, 5, 32);
	for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
		s->element[lane] = lane / lanes * by;
}

/* Lanes i and i^1, or i and i^2, have one address, but one lane sometimes not. */
static void pairs(struct address_shape *s)
{
	uint32_t apart = PICK(s, 1, 2), size = PICK(s, 16, 64, 1000);
	for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
		s->element[lane] = lane & apart ? s->element[lane ^ apart] : validate_values_below(&s->random, size);
	if (validate_values_below(&s->random, 5) < 2)
		s->element[validate_values_below(&s->random, WARP_SIZE)]++;
}

static void one_bank(struct address_shape *s)
{
	for (int lane = 0; lane < WARP_SIZE; lane++)
		s->element[lane] = PICK(s, 0, 32, 64, 1, 33);
}

static void (*const shapes[])(struct address_shape *s) = {
	stride, window, permutation, swizzle, broadcast, pairs, one_bank};
#define SHAPES (sizeof shapes / sizeof *shapes)

struct pattern validate_pattern_generate(uint64_t seed)
{
	const struct pattern_kind *kind = &kinds[seed % (uint64_t)KINDS];
	struct pattern p = {
		kind, seed, {.space = kind->space, .op = kind->op, .width = kind->width, .active = kind->lanes}};
	uint32_t element[WARP_SIZE] = {0}, elements = bytes_of(kind->space) / kind->width;
	struct address_shape shape = {.random = seed, .element = element};
	if (!kind->lanes) {
		/* all lanes in half of the cases; none, one, the first few, or any */
		uint32_t of = validate_values_below(&shape.random, 20),
			 any = (uint32_t)validate_values_random(&shape.random);
		p.access.active = of < 10 ? WARP_FULL_MASK
			: of == 10        ? 0
			: of == 11        ? 1u << any % WARP_SIZE
			: of < 15         ? WARP_FULL_MASK >> any % WARP_SIZE
					  : any;
	}
	shape.start = validate_values_below(&shape.random, validate_values_below(&shape.random, 2) ? 64 : elements);
	shapes[validate_values_below(&shape.random, SHAPES)](&shape);
	for (int lane = 0; lane < WARP_SIZE; lane++)
		if (p.access.active >> lane & 1)
			p.access.address[lane] = (uint64_t)((shape.start + element[lane]) % elements) * kind->width;
	return p;
}

/* --- the kernel --------------------------------------------------------------------------------------------------- */

const char *validate_pattern_ptx(struct arena *arena, const struct pattern_kind *kind)
{
	struct buf out = {0};
	buf_puts(&out, ".version 7.8\n.target sm_90\n.address_size 64\n");
	if (kind->space == SPACE_CONST)
		buf_puts(&out, ".const .align 16 .b8 table[65536];\n");
	buf_puts(&out,
		".visible .entry access(.param .u64 list, .param .u64 buffer, .param .u64 out)\n{\n"
		".reg .pred %p;\n.reg .b16 %h<3>;\n.reg .b32 %r<10>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<3>;\n.reg .f64 %fd<3>;\n");
	buf_puts(&out, kind->declares);
	buf_puts(&out,
		"ld.param.u64 %rd1, [list];\nld.param.u64 %rd3, [buffer];\nld.param.u64 %rd4, [out];\n"
		"cvta.to.global.u64 %rd1, %rd1;\ncvta.to.global.u64 %rd3, %rd3;\ncvta.to.global.u64 %rd4, %rd4;\n"
		"mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd5, %r1, 4;\nadd.s64 %rd1, %rd1, %rd5;\n"
		"mul.wide.u32 %rd5, %r1, 16;\nadd.s64 %rd4, %rd4, %rd5;\n"
		"ld.volatile.global.u32 %r2, [%rd1];\nsetp.ne.u32 %p, %r2, 0xFFFFFFFF;\n"
		"cvt.u16.u32 %h2, %r1;\ncvt.rn.f32.u32 %f1, %r1;\ncvt.rn.f64.u32 %fd1, %r1;\n");
	buf_puts(&out, kind->does);
	buf_puts(&out, "ret;\n}\n");
	char *ptx = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return ptx;
}

struct launch *validate_pattern_launch(struct arena *arena, const struct pattern *pattern)
{
	struct launch *launch = arena_alloc(arena, sizeof *launch);
	struct diag diag = {0};
	struct buf list = {0};
	char buffer[32], out[32];

	/* A lane whose row a matrix instruction does not read still needs an address. */
	buf_puts(&list, "u32[]:");
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		bool takes_part = pattern->access.active >> lane & 1;
		uint32_t offset = takes_part   ? (uint32_t)pattern->access.address[lane]
			: pattern->kind->lanes ? 0
					       : NO_LANE;
		buf_printf(&list, "%s%" PRIu32, lane ? "," : "", offset);
	}

	snprintf(buffer, sizeof buffer, "u32[%d]", pattern->kind->space == SPACE_GLOBAL ? GLOBAL_WORDS : 1);
	snprintf(out, sizeof out, "u32[%d]", 4 * WARP_SIZE);
	*launch = (struct launch){.kernel = "access", .grid = {1, 1, 1}, .block = {WARP_SIZE, 1, 1}, .n_args = 3};
	launch->args = arena_array(arena, struct launch_arg, 3);
	launch_arg_parse(arena, NULL, buf_str(&list), &launch->args[0], &diag);
	launch_arg_parse(arena, NULL, buffer, &launch->args[1], &diag);
	launch_arg_parse(arena, NULL, out, &launch->args[2], &diag);
	buf_free(&list);
	diag_free(&diag);
	return launch;
}

bool validate_pattern_measures(const struct pattern *pattern, int set)
{
	return set == 0 || pattern->seed / (uint64_t)KINDS % 4 == 0;
}

double validate_pattern_predict(const struct pattern *pattern, int set, int index, int cc)
{
	const struct pattern_counter *counter = &pattern->kind->sets[set].counters[index];
	struct access_cost cost = access_cost(&pattern->access, cc);
	return counter->predict(&cost) + counter->own;
}

/* --- as text ------------------------------------------------------------------------------------------------------ */

static void write_offsets(const struct pattern *p, struct buf *out)
{
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		if (lane)
			buf_putc(out, ',');
		if (p->access.active >> lane & 1)
			buf_printf(out, "%" PRIu64, p->access.address[lane]);
		else
			buf_putc(out, '-');
	}
}

void validate_pattern_command(const struct pattern *pattern, struct buf *out)
{
	const struct warp_access *a = &pattern->access;
	buf_printf(out, "simttutor access --space %s --op %s --width %d --offsets ", warp_space_name(a->space),
		warp_op_name(a->op), a->width);
	write_offsets(pattern, out);
}

void validate_pattern_record(const struct pattern *pattern, const double *counts, struct buf *out)
{
	buf_printf(out, "%s ", pattern->kind->name);
	write_offsets(pattern, out);
	for (int set = 0, at = 0; set < pattern->kind->n_sets; set++)
		for (int i = 0; i < pattern->kind->sets[set].n; i++)
			if (isnan(counts[at]))
				buf_puts(out, " -"), at++;
			else
				buf_printf(out, " %.17g", counts[at++]);
	buf_putc(out, '\n');
}

static bool report_fault(struct diag *diag, struct diag_pos pos, const char *what)
{
	diag_error(diag, pos, "%s", what);
	return false;
}

/* "0,4,-,..." up to a blank; NULL when it is something else. */
static const char *read_offsets(const char *text, struct pattern *out)
{
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		char *end;
		if (lane && *text++ != ',')
			return NULL;
		if (*text == '-') {
			text++;
			continue;
		}
		uint64_t offset = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : UINT64_MAX;
		if (offset > bytes_of(out->kind->space) - out->kind->width || offset % out->kind->width)
			return NULL;
		out->access.active |= 1u << lane;
		out->access.address[lane] = offset;
		text = end;
	}
	return text;
}

bool validate_pattern_read(
	const char *line, struct diag_pos pos, struct pattern *out, double *counts, struct diag *diag)
{
	char name[64];
	size_t n = strcspn(line, " ");
	int kind = -1, at = 0;
	if (n < sizeof name) {
		memcpy(name, line, n);
		name[n] = '\0';
		kind = validate_pattern_kind_find(name);
	}
	if (kind < 0 || line[n] != ' ')
		return report_fault(diag, pos, "it does not begin with a kind of access that there is");
	*out = (struct pattern){
		&kinds[kind], 0, {.space = kinds[kind].space, .op = kinds[kind].op, .width = kinds[kind].width}};
	line = read_offsets(line + n + 1, out);
	if (!line || (out->kind->lanes && out->access.active != out->kind->lanes))
		return report_fault(
			diag, pos, "expected 32 offsets of such an access, '-' for a lane that takes no part");
	for (int set = 0; set < out->kind->n_sets && line; set++)
		for (int i = 0; i < out->kind->sets[set].n && line; i++) {
			/* a blank and a number, or '-' */
			char *end = NULL;
			bool is_none = line[0] == ' ' && line[1] == '-';
			bool is_number = line[0] == ' ' && line[1] >= '0' && line[1] <= '9';
			counts[at] = is_none ? NAN : strtod(line, &end);
			line = is_none ? line + 2 : is_number ? end : NULL;
			at++;
		}
	if (!line)
		return report_fault(
			diag, pos, "expected a count for each of its counters, '-' for one that was not counted");
	return !*line || report_fault(diag, pos, "there is more than its counts");
}
