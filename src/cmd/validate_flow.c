#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"
#include "cmd/measure.h"
#include "cmd/validate.h"
#include "machine/simt/simt.h"
#include "model/validate/flow.h"
#include "tools/compile/compile.h"

/* Random control flow: programs whose results the reference of model/validate/flow.h knows, by every compiler that is
 * here, on the machine in several orders and on a GPU. */

#define FLOW_BATCH 50 /* programs of one file: a compiler's start takes as long as some twenty of them */
#define FLOW_ORDERS 4
#define FLOW_STEPS 4000000u
#define FLOW_MEMORY ((size_t)64 << 20)
#define FLOW_REPORTS 8
#define FLOW_SHOWN 8    /* programs that differ and are made smaller */
#define FLOW_LOST_MAX 5 /* in a row without results on the GPU, which then is given up */
#define FLOW_PTX_MAX ((size_t)64 << 20)
#define FLOW_MARK "// simttutor flow "

static const struct flow_compiler {
	const char *name, *variable;
} flow_compilers[] = {{"clang", "CLANG"}, {"nvcc", "NVCC"}};
#define FLOW_COMPILERS (sizeof flow_compilers / sizeof *flow_compilers)

struct flow_campaign {
	struct validation *v;
	struct agreement agreement;
	bool there[FLOW_COMPILERS];
	int machine[FLOW_COMPILERS], gpu[FLOW_COMPILERS]; /* rules */
	uint64_t shown;
	int lost; /* in a row without results on the GPU */
};

/* The programs of one file, and what a compiler made of them. */
struct flow_batch {
	struct arena *arena;
	uint64_t first;
	struct flow_program *flows[FLOW_BATCH];
	const char *names[FLOW_BATCH];
	int n;
	size_t compiler;
	struct buf ptx;
	struct ptx_module *module;
};

/* --- a batch ------------------------------------------------------------------------------------------------------ */

static void write_batch(const struct flow_batch *b, struct buf *out)
{
	validate_flow_write_head(out);
	for (int i = 0; i < b->n; i++)
		validate_flow_write(b->flows[i], b->names[i], out);
}

static void add_program(struct flow_batch *b, struct flow_program *flow, const char *name)
{
	b->names[b->n] = name;
	b->flows[b->n++] = flow;
}

static bool compile_batch(struct flow_campaign *c, struct flow_batch *b)
{
	struct buf source = {0};
	write_batch(b, &source);
	const struct compile_request request = {.path = "flow.cu",
		.text = buf_str(&source),
		.compiler = flow_compilers[b->compiler].variable,
		.least = VALIDATE_CC_FLOW,
		.cc = c->v->gpu && c->v->info.cc < VALIDATE_CC_LEAST ? c->v->info.cc : 0};
	buf_clear(&b->ptx);
	bool ok = compile_cuda(cmd_compile_ctx(c->v->ctx), &request, &b->ptx) == EXIT_OK;
	buf_free(&source);
	return ok;
}

static bool parse_batch(struct flow_campaign *c, struct flow_batch *b)
{
	const char *name = arena_printf(b->arena, "programs %" PRIu64 "-%" PRIu64 ", %s", b->first,
		b->first + (uint64_t)b->n - 1, flow_compilers[b->compiler].name);
	b->module = ptx_parse(b->arena, name, buf_str(&b->ptx), b->ptx.len, &c->v->ctx->diag);
	return b->module != NULL;
}

/* --- one program -------------------------------------------------------------------------------------------------- */

/* The first result that is not the reference's, as text; NULL: there is none. */
static const char *compare(
	struct arena *arena, const struct flow_program *flow, const uint32_t *results, const char *who)
{
	uint32_t n = flow->blocks * flow->threads, differ = 0, first = 0;
	for (uint32_t i = n; i-- > 0;)
		if (results[i] != flow->expected[i]) {
			first = i;
			differ++;
		}
	return differ ? arena_printf(arena,
				"%s: %" PRIu32 " of %" PRIu32 " results differ, the first of thread %" PRIu32
				" of block %" PRIu32 ": 0x%" PRIx32 ", and by the reference 0x%" PRIx32,
				who, differ, n, first % flow->threads, first / flow->threads, results[first],
				flow->expected[first])
		      : NULL;
}

/* The last order is another random one for each program. */
static uint32_t order_of(const struct flow_program *flow, uint32_t i)
{
	return i < FLOW_ORDERS - 1 ? i : SIMT_ORDER_RANDOM + 1 + (uint32_t)(flow->seed % 1000);
}

static const char *run_order(
	struct arena *arena, const struct ptx_kernel *kernel, const struct flow_program *flow, uint32_t order)
{
	struct simt_memory *memory = simt_memory_new(FLOW_MEMORY);
	struct simt_defect defects[FLOW_REPORTS];
	struct simt_report report = {defects, FLOW_REPORTS, 0};
	struct simt_result result;
	size_t all = (size_t)flow->blocks * flow->threads * sizeof(uint32_t),
	       masks = all * (flow->rows ? flow->rows : 1);
	uint64_t addresses[2] = {simt_memory_alloc(memory, all), simt_memory_alloc(memory, masks)};
	char *params = arena_alloc(arena, ptx_param_bytes(kernel) + sizeof addresses);
	char order_name[SIMT_ORDER_TEXT];
	const char *failure = NULL;
	for (int i = 0; i < 2 && i < ptx_param_count(kernel); i++)
		memcpy(params + ptx_kernel_param(kernel, i).offset, &addresses[i], sizeof addresses[i]);
	simt_memory_uninitialized(memory, addresses[0], all);
	memcpy(simt_memory_at(memory, addresses[1], masks), flow->table, masks);
	const struct simt_launch launch = {.kernel = kernel,
		.grid = {flow->blocks, 1, 1},
		.block = {flow->threads, 1, 1},
		.params = params,
		.limits = {.steps = FLOW_STEPS, .cores = 1},
		.order = order,
		.checks = SIMT_CHECK_ALL,
		.report = &report};
	simt_run(&launch, memory, &result);
	const char *who = arena_printf(arena, "on the machine, order %s", simt_order_name(order, order_name));
	if (report.n)
		failure = arena_printf(arena, "%s: it reports: %s (line %d of the PTX)", who, report.defects[0].message,
			report.defects[0].here.place.ptx_line);
	else if (result.outcome != SIMT_OK)
		failure = arena_printf(
			arena, "%s: %s (line %d of the PTX)", who, result.message, result.place.ptx_line);
	else
		failure = compare(arena, flow, simt_memory_at(memory, addresses[0], all), who);
	simt_memory_free(memory);
	return failure;
}

/* What is wrong with program `i` on the machine; NULL: nothing. */
static const char *run_on_machine(struct flow_campaign *c, struct flow_batch *b, int i)
{
	const struct ptx_kernel *kernel = ptx_find_kernel(b->module, b->names[i], &c->v->ctx->diag);
	if (!kernel)
		return "the machine cannot run it";
	const char *failure = NULL;
	for (uint32_t order = 0; order < FLOW_ORDERS && !failure; order++)
		failure = run_order(b->arena, kernel, b->flows[i], order_of(b->flows[i], order));
	return failure;
}

static const char *run_on_gpu(struct flow_campaign *c, struct flow_batch *b, int i)
{
	struct cmd_ctx *ctx = c->v->ctx;
	const struct flow_program *flow = b->flows[i];
	struct launch launch;
	validate_flow_launch(b->arena, flow, b->names[i], &launch);
	const struct measure_request request = {
		.ptx = buf_str(&b->ptx), .ptx_len = b->ptx.len, .launch = &launch, .buffers = true};
	const char *label = arena_printf(
		b->arena, "program %" PRIu64 " by %s, on the GPU", flow->seed, flow_compilers[b->compiler].name);
	const struct wire_measurement *m = measure_launch(ctx, c->v->gpu, label, &request);
	size_t bytes = (size_t)flow->blocks * flow->threads * sizeof(uint32_t);
	c->lost = m ? 0 : c->lost + 1;
	if (!m)
		return "it has no results on the GPU";
	if (m->n_buffers != 2 || m->buffer_bytes[0] != bytes || m->buffer_bytes[1] != launch_arg_bytes(&launch.args[1]))
		return "only part of its results came from the GPU";
	if (memcmp(m->buffers[1], launch.args[1].bytes, m->buffer_bytes[1]) != 0)
		return "on the GPU: its table of masks is not as it was";
	uint32_t *results = arena_alloc(b->arena, bytes);
	memcpy(results, m->buffers[0], bytes);
	return compare(b->arena, flow, results, arena_printf(b->arena, "on %s", c->v->gpu_name));
}

/* --- programs that differ are made smaller ------------------------------------------------------------------------ */

static void begin_again(struct flow_batch *b, const struct flow_program *flow)
{
	b->n = 0;
	b->first = flow->seed;
}

static bool is_made(struct flow_campaign *c, struct flow_batch *b)
{
	return compile_batch(c, b) && parse_batch(c, b);
}

/* The smallest of the programs that one cut makes of `flow` and that still fail, whatever of them fails then; NULL:
 * there is none. Many are compiled at a time. */
static struct flow_program *cut_once(
	struct flow_campaign *c, struct flow_batch *b, const struct flow_program *flow, bool gpu)
{
	struct flow_program *best = NULL;
	int number = 0;
	for (bool ended = false; !ended && !best && !cmd_validate_stopped();) {
		begin_again(b, flow);
		while (!ended && b->n < FLOW_BATCH) {
			struct flow_program *smaller = validate_flow_cut(b->arena, flow, number, &ended);
			if (smaller)
				add_program(
					b, smaller, arena_printf(b->arena, "flow_%" PRIu64 "_%d", flow->seed, number));
			number++;
		}
		bool made = b->n && is_made(c, b);
		for (int i = 0; made && i < b->n && !cmd_validate_stopped(); i++)
			if ((!best || validate_flow_size(b->flows[i]) < validate_flow_size(best)) &&
				(gpu ? run_on_gpu : run_on_machine)(c, b, i))
				best = b->flows[i];
	}
	return best;
}

/* Cuts as long as what is left fails, and keeps that. */
static void make_smaller(struct flow_campaign *c, size_t compiler, const struct flow_program *flow, bool gpu)
{
	struct flow_batch b = {.arena = arena_new(), .compiler = compiler};
	struct flow_program *best = arena_alloc(b.arena, sizeof *best);
	struct diag *diag = &c->v->ctx->diag, before = *diag; /* what compilers and GPU say of tries is of no use */
	*best = *flow;
	*diag = (struct diag){0};
	for (struct flow_program *next = best; next; next = cut_once(c, &b, best, gpu))
		best = next;
	begin_again(&b, best);
	add_program(&b, best, arena_printf(b.arena, "flow_%" PRIu64, flow->seed));
	const char *failure = is_made(c, &b) ? (gpu ? run_on_gpu : run_on_machine)(c, &b, 0) : NULL;
	diag_free(diag);
	*diag = before;
	if (failure) {
		struct validation *v = c->v;
		const char *stem = arena_printf(
			b.arena, "%" PRIu64 "-%s", b.flows[0]->seed, flow_compilers[b.compiler].name);
		struct buf source = {0}, ptx = {0};
		escape_line(&source, FLOW_MARK "%" PRIu64 ": %s", b.flows[0]->seed, failure);
		buf_append(&ptx, source.data, source.len);
		write_batch(&b, &source);
		buf_append(&ptx, b.ptx.data, b.ptx.len);
		output_write(v->ctx,
			&(struct output){"--keep", path_join(b.arena, v->keep, arena_printf(b.arena, "%s.cu", stem)),
				FLOW_MARK, v->force},
			&source);
		output_write(v->ctx,
			&(struct output){"--keep", path_join(b.arena, v->keep, arena_printf(b.arena, "%s.ptx", stem)),
				FLOW_MARK, v->force},
			&ptx);
		buf_free(&source);
		buf_free(&ptx);

		diag_note(diag, (struct diag_pos){0}, "program %" PRIu64 " by %s: %d of its %d statements are in %s",
			flow->seed, flow_compilers[compiler].name, validate_flow_size(best), validate_flow_size(flow),
			c->v->keep);
	}
	buf_free(&b.ptx);
	arena_free(b.arena);
}

/* --- the campaign ------------------------------------------------------------------------------------------------- */

static void judge(struct flow_campaign *c, struct flow_batch *b, int i, int rule, const char *failure)
{
	uint64_t seed = b->flows[i]->seed;
	bool gpu = rule == c->gpu[b->compiler];
	validate_agreement_add(&c->agreement, rule,
		failure ? arena_printf(b->arena, "program %" PRIu64 ": %s", seed, failure) : NULL,
		failure ? arena_printf(b->arena, "simttutor validate flow%s --seed %" PRIu64 " --count 1",
				  gpu ? " --live" : "", seed)
			: NULL);
	if (!failure)
		return;
	if (c->shown++ >= FLOW_SHOWN)
		return;
	diag_note(&c->v->ctx->diag, (struct diag_pos){0}, "program %" PRIu64 " by %s: %s", seed,
		flow_compilers[b->compiler].name, failure);
	if (c->v->keep)
		make_smaller(c, b->compiler, b->flows[i], gpu);
}

/* Where the PTX of a batch is, in the folder of --batches. */
static const char *batch_path(const struct flow_batch *b, const char *folder)
{
	return path_join(b->arena, folder,
		arena_printf(b->arena, "%" PRIu64 "-%d-%s.ptx", b->first, b->n, flow_compilers[b->compiler].name));
}

/* The PTX of a batch: compiled, and stored where that is asked for, or read from where it was. */
static bool get_batch(struct flow_campaign *c, struct flow_batch *b)
{
	struct validation *v = c->v;
	struct buf mark = {0};
	bool ok = true;
	buf_printf(&mark, FLOW_MARK "%d: programs %" PRIu64 " to %" PRIu64 " by %s\n", FLOW_FORMAT, b->first,
		b->first + (uint64_t)b->n - 1, flow_compilers[b->compiler].name);
	buf_clear(&b->ptx);
	if (v->from) {
		const char *path = batch_path(b, v->from);
		ok = file_read_text(path, FLOW_PTX_MAX, &b->ptx, &v->ctx->diag);
		if (ok && strncmp(buf_str(&b->ptx), mark.data, mark.len) != 0) {
			diag_error(&v->ctx->diag, (struct diag_pos){.file = path, .line = 1},
				"it is not of these programs: its first line is not '%.*s'", (int)mark.len - 1,
				mark.data);
			ok = false;
		}
	} else {
		ok = compile_batch(c, b);
		if (ok && v->batches) {
			struct buf text = {0};
			buf_append(&text, mark.data, mark.len);
			buf_append(&text, b->ptx.data, b->ptx.len);
			ok = output_write(v->ctx,
				&(struct output){"--batches", batch_path(b, v->batches), FLOW_MARK, v->force}, &text);
			buf_free(&text);
		}
	}
	buf_free(&mark);
	return ok && parse_batch(c, b);
}

/* Whether the campaign is to end before its time. */
static bool has_ended(const struct flow_campaign *c)
{
	return cmd_validate_stopped() || c->lost >= FLOW_LOST_MAX;
}

int cmd_validate_flow(struct validation *v)
{
	struct flow_campaign c = {.v = v,
		.agreement = validate_agreement_new(v->ctx->arena, "flow", "run of a program", "runs of programs")};
	c.agreement.model = "the reference";
	c.agreement.other = v->gpu_name ? arena_printf(v->ctx->arena, "the machine and %s", v->gpu_name)
					: "the machine";
	c.agreement.seed = v->seed;
	c.agreement.seeded = true;

	/* A compiler is used where it is here, or where its programs are in the folder of --from. */
	bool any = false;
	for (size_t i = 0; i < FLOW_COMPILERS; i++) {
		const char *name = flow_compilers[i].name;
		if (v->compiler && strcmp(v->compiler, name) != 0)
			continue;
		c.there[i] = v->from || compile_can_by(cmd_compile_ctx(v->ctx), flow_compilers[i].variable);
		any |= c.there[i];
		if (!c.there[i])
			continue;
		struct arena *arena = v->ctx->arena;
		c.machine[i] = validate_agreement_rule(
			&c.agreement, arena_printf(arena, "%s, on the machine", name), true);
		c.gpu[i] = -1;
		if (v->gpu)
			c.gpu[i] = validate_agreement_rule(
				&c.agreement, arena_printf(arena, "%s, on the GPU", name), true);
	}
	if (!any && !v->compiler)
		return compile_report_none(cmd_compile_ctx(v->ctx), "flow");
	if (!c.agreement.n) {
		diag_error(&v->ctx->diag, (struct diag_pos){0}, "there is no %s here", v->compiler);
		return EXIT_MISSING;
	}

	for (uint64_t i = 0; i < v->cases && !has_ended(&c); i += FLOW_BATCH) {
		struct flow_batch b = {.arena = arena_new(), .first = v->seed + i};
		for (uint64_t k = i; k < i + FLOW_BATCH && k < v->cases; k++) {
			uint64_t seed = v->seed + k;
			add_program(&b, validate_flow_generate(b.arena, seed),
				arena_printf(b.arena, "flow_%" PRIu64, seed));
		}
		for (b.compiler = 0; b.compiler < FLOW_COMPILERS; b.compiler++)
			if (c.there[b.compiler] && !has_ended(&c)) {
				if (!get_batch(&c, &b)) {
					c.agreement.failed += (uint64_t)b.n;
					continue;
				}
				for (int j = 0; j < b.n && !has_ended(&c); j++) {
					cmd_validate_progress(c.v, "flow", i + (uint64_t)j,
						validate_agreement_violations(&c.agreement));
					judge(&c, &b, j, c.machine[b.compiler], run_on_machine(&c, &b, j));
					if (c.v->gpu)
						judge(&c, &b, j, c.gpu[b.compiler], run_on_gpu(&c, &b, j));
				}
			}
		buf_free(&b.ptx);
		arena_free(b.arena);
	}
	c.agreement.stopped = has_ended(&c);
	if (c.lost >= FLOW_LOST_MAX)
		diag_error(&v->ctx->diag, (struct diag_pos){0}, "%d programs in a row gave no results; stopped",
			FLOW_LOST_MAX);
	return cmd_validate_report_agreement(v, &c.agreement);
}
