#include "config.h"
#include "cmd/probe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "cmd/json.h"
#include "cmd/measure.h"
#include "cmd/picture.h"
#include "front/view/views.h"
#include "model/profile/profile.h"

/* --- timelines of a GPU ------------------------------------------------------------------------------------------- */

#define COLS 80

/* --- what probes recorded ----------------------------------------------------------------------------------------- */

/* What the probes wrote, as a table and as JSON. */

#define ROWS_MAX 200 /* of a table; JSON has all */

static int event_line(const struct probing *p, const struct probe_event *e)
{
	const struct ptx_location *place = &e->site->place;
	return p->request.file ? place->line : place->ptx_line;
}

/* A block according to its stamps: where it ran, from its first stamp to its last. */
struct block_stay {
	uint64_t block;
	uint32_t sm;
	uint64_t begin, end; /* %globaltimer, nanoseconds */
	uint64_t clock, clock_end;
	size_t first, n; /* events */
};

/* The next block's events from `first` on; false at the end. */
static bool next_stay(const struct probe_log *log, size_t first, struct block_stay *out)
{
	if (first >= log->n)
		return false;
	const struct probe_event *e = &log->events[first];
	*out = (struct block_stay){e->block, e->sm, e->time, e->time, e->clock, e->clock, first, 0};
	for (; first < log->n && log->events[first].block == out->block; first++, out->n++) {
		e = &log->events[first];
		out->begin = e->time < out->begin ? e->time : out->begin;
		out->end = e->time > out->end ? e->time : out->end;
		out->clock = e->clock < out->clock ? e->clock : out->clock;
		out->clock_end = e->clock > out->clock_end ? e->clock : out->clock_end;
	}
	return true;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void note_rows_left(size_t n, struct buf *out)
{
	if (n > ROWS_MAX)
		buf_printf(out, "... and %zu more; --format json has them all, --blocks chooses\n", n - ROWS_MAX);
}

/* The log to show: the GPU's when there is one. */
static const struct probe_log *probing_log(const struct probing *p)
{
	return p->gpu_name ? &p->gpu : &p->machine;
}

static void probing_write_text(const struct probing *p, struct buf *out)
{
	const struct probe_log *log = probing_log(p);
	escape_line(out, "%s with probes, on %s: %zu record%s; the buffer is the last argument, b8[%" PRIu64 "]",
		p->launch.kernel, p->gpu_name ? p->gpu_name : "the machine", log->n, log->n == 1 ? "" : "s",
		p->probe->bytes);
	if (p->changed >= 0)
		buf_printf(out, "argument %d is NOT the same as without probes\n", p->changed);
	else
		buf_puts(out, "the results are the same as without probes, bit for bit\n");
	if (p->gpu_name && p->compared)
		buf_printf(out,
			p->differs == 1      ? "%zu record does NOT agree with the machine's\n"
				: p->differs ? "%zu records do NOT agree with the machine's\n"
					     : "all addresses agree with the machine's\n",
			p->differs);
	if (probe_implausible(log, p->sms))
		buf_printf(out,
			text_plural("%zu record is NOT plausible: SM, or clock\n",
				"%zu records are NOT plausible: SM, or clock\n", probe_implausible(log, p->sms)),
			probe_implausible(log, p->sms));
	if (log->lost)
		buf_printf(out,
			"no room for %" PRIu64 " record%s of %" PRIu64 " warp%s: --records makes room for more\n",
			log->lost, log->lost == 1 ? "" : "s", log->warps_lost, log->warps_lost == 1 ? "" : "s");
	if (p->probe->left_out)
		buf_printf(out,
			text_plural(
				"%d instruction of the watched lines accesses memory in a way that is not recorded\n",
				"%d instructions of the watched lines access memory in ways that are not recorded\n",
				(unsigned)p->probe->left_out),
			p->probe->left_out);
	buf_putc(out, '\n');

	if (!log->n)
		return;
	if (p->request.what == PROBE_ACCESSES) {
		buf_printf(out, "%8s %5s %6s  %-6s %-7s %5s  %-8s  %s\n", "block", "warp", "line", "op", "space",
			"bytes", "lanes", "addresses: the first, and the offsets of the others");
		for (size_t i = 0; i < log->n && i < ROWS_MAX; i++) {
			const struct probe_event *e = &log->events[i];
			uint64_t first = e->address[__builtin_ctz(e->lanes)];
			buf_printf(out, "%8" PRIu64 " %5u %6d  %-6s %-7s %5u  %08x  0x%" PRIx64, e->block, e->warp,
				event_line(p, e), warp_op_verb(e->site->op), warp_space_name(e->site->space),
				e->site->width, e->lanes, first);
			for (uint32_t lanes = e->lanes & (e->lanes - 1); lanes; lanes &= lanes - 1)
				buf_printf(out, " %+" PRId64, (int64_t)(e->address[__builtin_ctz(lanes)] - first));
			buf_putc(out, '\n');
		}
		note_rows_left(log->n, out);

		return;
	}

	uint64_t begin = UINT64_MAX;
	for (size_t i = 0; i < log->n; i++)
		begin = log->events[i].time < begin ? log->events[i].time : begin;

	const char *ns = p->gpu_name ? "ns" : "steps", *cycles = p->gpu_name ? "cycles" : "steps";
	struct block_stay s;
	size_t n_blocks = 0, n = 0;
	buf_printf(out, "%8s %5s %14s %14s %14s\n", "block", "SM", arena_printf(p->run.ctx->arena, "from %s", ns),
		arena_printf(p->run.ctx->arena, "to %s", ns), cycles);
	for (size_t at = 0; next_stay(log, at, &s); at += s.n)
		if (n_blocks++ < ROWS_MAX)
			buf_printf(out, "%8" PRIu64 " %5u %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", s.block, s.sm,
				s.begin - begin, s.end - begin, s.clock_end - s.clock);
	note_rows_left(n_blocks, out);

	buf_printf(out, "\n%8s %5s %5s %12s  %-7s %6s  %s\n", "block", "warp", "slot", p->gpu_name ? "cycle" : "step",
		"event", "line", "lanes");
	for (size_t at = 0; next_stay(log, at, &s); at += s.n)
		for (size_t i = at; i < at + s.n && n++ < ROWS_MAX; i++) {
			const struct probe_event *e = &log->events[i];
			buf_printf(out, "%8" PRIu64 " %5u %5u %12" PRIu64 "  %-7s %6d  %08x\n", e->block, e->warp,
				e->slot, e->clock - s.clock, probe_event_name(e->site->kind), event_line(p, e),
				e->lanes);
		}
	note_rows_left(log->n, out);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void probing_write_json(const struct probing *p, struct buf *out)
{
	const struct probe_log *log = probing_log(p);
	bool accesses = p->request.what == PROBE_ACCESSES;
	json_t *events = json_array();
	for (size_t i = 0; i < log->n; i++) {
		const struct probe_event *e = &log->events[i];
		json_t *event = json_pack("{s:I, s:i, s:s, s:i, s:i, s:I, s:i, s:i, s:I, s:I}", "block",
			(json_int_t)e->block, "warp", (int)e->warp, "event", probe_event_name(e->site->kind), "line",
			event_line(p, e), "ptx_line", e->site->place.ptx_line, "lanes", (json_int_t)e->lanes, "sm",
			(int)e->sm, "slot", (int)e->slot, "clock", (json_int_t)e->clock, "time", (json_int_t)e->time);
		if (e->address) {
			json_t *addresses = json_array();
			for (int lane = 0; lane < WARP_SIZE; lane++)
				json_array_append_new(addresses,
					e->lanes >> lane & 1 ? json_integer((json_int_t)e->address[lane])
							     : json_null());
			json_object_set_new(event, "op", json_string(warp_op_verb(e->site->op)));
			json_object_set_new(event, "space", json_string(warp_space_name(e->site->space)));
			json_object_set_new(event, "width", json_integer(e->site->width));
			json_object_set_new(event, "addresses", addresses);
		}
		json_array_append_new(events, event);
	}

	json_t *blocks = accesses ? json_null() : json_array();
	struct block_stay s;
	for (size_t at = 0; !accesses && next_stay(log, at, &s); at += s.n)
		json_array_append_new(blocks,
			json_pack("{s:I, s:i, s:I, s:I, s:I}", "block", (json_int_t)s.block, "sm", (int)s.sm, "begin",
				(json_int_t)s.begin, "end", (json_int_t)s.end, "cycles",
				(json_int_t)(s.clock_end - s.clock)));

	json_t *json = json_pack("{s:o, s:s, s:s, s:I, s:b, s:o, s:I, s:i, s:o, s:o}", "kernel",
		cmd_json_text(p->launch.kernel), "witness", p->gpu_name ? "live" : "model", "records",
		accesses ? "accesses" : "stamps", "buffer_bytes", (json_int_t)p->probe->bytes, "same_results",
		p->changed < 0, "different_accesses",
		p->gpu_name && p->compared ? json_integer((json_int_t)p->differs) : json_null(), "lost",
		(json_int_t)log->lost, "left_out", p->probe->left_out, "blocks", blocks, "events", events);
	json_object_set_new(json, "implausible", json_integer((json_int_t)probe_implausible(log, p->sms)));
	json_object_set_new(json, "gpu", cmd_json_text(p->gpu_name));
	cmd_json_write(json, JSON_INDENT(0), out);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

#define OUTPUT_MARK "// PTX with probes, written by simttutor probe\n"
#define RECORDS_DEFAULT 64
#define RECORDS_MAX 1000000

static int run_probe(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	RUN_LAUNCH_OPTIONS{"line", 'l', "N",
		N_("watch this line of the source (of the PTX when it has no source lines); may be repeated")},
	{"accesses", 0, NULL, N_("record the addresses of the watched lines instead of stamps")},
	{"blocks", 0, "FIRST[:COUNT]", N_("only these blocks, by linear index; all by default")},
	{"records", 0, "N", N_("room for N records per warp; 64 by default. Records that do not fit are counted")},
	{"steps", 0, "N", N_("stop the machine after N warp instructions; 200000000 by default")},
	{"output", 'o', "FILE", N_("write the PTX with the probes to FILE")},
	{"force", 0, NULL, N_("let --output overwrite a file that the command did not write")},
	{"live", 0, NULL, N_("run it on the GPU. --gpu SPEC means the same")},
	{"view", 0, "NAME",
		N_("draw a timeline of the GPU's stamps instead of listing them: blocks, schedule or mask; may be repeated")},
	{"warp", 'w', "B:W",
		N_("the warp whose masks --view mask draws, and whose SM --view schedule draws; 0:0 by default")},
	{"format", 0, "FORMAT", N_("text or json")},
	{0},
};

static void needs_of_probe(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	cmd_needs_launch(needs, args, n);
	for (int i = 0; i < n; i++)
		if (cmd_is(&args[i], "output"))
			cmd_needs_output(needs, args[i].value);
}

const struct cmd_entry cmd_probe_entry = {
	.name = "probe",
	.usage =
		"FILE.ptx|FILE.cu [--kernel NAME] --grid X[,Y[,Z]] --block X[,Y[,Z]] [--cluster X[,Y[,Z]]] [--shared BYTES] [--cooperative] [--arg ARG]... [--source DIR]... [--define NAME[=VALUE]]... "
		"[--line N]... [--accesses] [--blocks FIRST[:COUNT]] [--records N] [--steps N] [--output FILE [--force]] [--live] [--view NAME]... [--warp B:W] "
		"[--format text|json]",
	.summary = N_("let a kernel record which warps ran where and when"),
	.details = N_(
		"Adds instructions to the kernel's PTX that write records into a separate buffer, and runs it on the "
		"SIMT machine, or with --live on the GPU. A record is a stamp: SM, warp slot, the SM's clock, the "
		"global timer, and the active lanes, at a warp's entry, where lanes end, before and after barriers, "
		"and at watched lines. With --accesses a record holds the addresses of all lanes for each load, "
		"store, atomic operation, cp.async, ldmatrix, stmatrix and mbarrier of the watched lines (but not its "
		"waits, which poll); on a GPU they are compared with the machine's, each relative to the "
		"instruction's lowest address. The kernel's results with and without probes are compared bit for bit; "
		"exit status 1 says that they, or the addresses, differ.\n"
		"With --view, stamps are chosen and drawn as a timeline: the blocks of all SMs by the global timer, "
		"which on an H200 moves in steps of 32 ns, with samples of the SMs' activity; the warps of one SM, or "
		"the masks of one warp at every line, by that SM's own clock. Clocks of different SMs are not "
		"synchronized. Stamps take time themselves: for a kernel of 132 blocks on an H200 a tenth for the "
		"blocks, a quarter and more for a schedule with barriers, several times the kernel's for masks. When "
		"a launch is too large to be watched completely, the picture says what is left out.\n"
		"File, launch and arguments are as for `simttutor run`. The kernel of --output takes one more "
		"argument, the last: a buffer of zeros whose size the report names."),
	.options = options,
	.examples = (const struct cmd_example[]){{"probe twice.cu -g 4 -b 128 -a 'u32[512]:iota' -a 'u32[512]'",
							 "the results are the same as without probes, bit for bit"},
		{"probe twice.cu -g 4 -b 128 -a 'u32[512]:iota' -a 'u32[512]' --line 4 --accesses",
			"4  load   global      4  ffffffff  0x7f0000000000 +4 +8 +12 +16"},
		{"probe twice.cu -g 4 -b 128 -a 'u32[512]:iota' -a 'u32[512]' --blocks 1:2",
			"with probes, on the machine: 16 records"},
		{"probe twice.cu -g 4 -b 128 -a 'u32[512]:iota' -a 'u32[512]' --output probed.ptx",
			"with probes, on the machine: 32 records"},
		{"probe transpose.cu -k transpose -g 1 -b 32,32 -a 'f32[1024]' -a 'f32[1024]' --line 5",
			"arrive       5  ffffffff"},
		{0}},
	.groups = (const struct cmd_group[]){{N_("the launch"), "kernel grid block shared arg"},
		{N_("what is recorded"), "line accesses blocks records"},
		{N_("where it runs, and what comes of it"), "live view warp format output"},
		{N_("the compiler"), "define source"}, {0}},
	.run = run_probe,
	.needs = needs_of_probe,
};

/* --- arguments ---------------------------------------------------------------------------------------------------- */

static bool read_probe_option(struct probing *p, const struct cmd_parsed *arg)
{
	uint64_t number = 0;
	if (!arg->option)
		return run_read_file(&p->run, arg->value);
	if (cmd_is(arg, "line")) {
		uint64_t line;
		if (p->request.n_lines == PROBE_LINES_MAX)
			return cmd_bad_value(p->run.ctx, "--line", arg->value, "at most 64 lines");
		if (!cmd_whole(p->run.ctx, arg, 1, INT32_MAX, &line))
			return false;
		p->lines[p->request.n_lines++] = (int)line;
		return true;
	}
	if (cmd_is(arg, "blocks")) {
		char *colon, *end = NULL;
		struct probe_request *r = &p->request;
		errno = 0;
		r->first_block = strtoull(arg->value, &colon, 10);
		r->n_blocks = *colon == ':' ? strtoull(colon + 1, &end, 10) : 1;
		p->some_blocks = true;
		bool digits = *arg->value && strspn(arg->value, "0123456789:") == strlen(arg->value) &&
			colon > arg->value;
		return (digits && !errno && r->n_blocks && (end ? !*end : !*colon)) ||
			cmd_bad_value(p->run.ctx, "--blocks", arg->value, "FIRST:COUNT, as in 0:8");
	}
	if (cmd_is(arg, "records")) {
		bool ok = cmd_whole(p->run.ctx, arg, 1, RECORDS_MAX, &number);
		p->request.capacity = (uint32_t)number;
		return ok;
	}
	if (cmd_is(arg, "accesses"))
		return p->request.what = PROBE_ACCESSES, true;
	if (cmd_is(arg, "output"))
		return p->output.path = arg->value, true;
	if (cmd_is(arg, "force"))
		return p->output.force = true;
	return run_read_option(&p->run, arg);
}

static bool read_probe_args(struct probing *p, const struct cmd_parsed *args, int n)
{
	struct run *run = &p->run;
	struct probe_request *r = &p->request;
	run->launch.args = run->args;
	for (int i = 0; i < n; i++)
		if (!read_probe_option(p, &args[i]))
			return false;
	if (!run_check(run))
		return false;
	if (launch_is_for_machine(&run->launch))
		return cmd_usage(run->ctx, run->entry,
			       "one launch, with arguments that have no addresses in them, and no --set: these are for run and debug"),
		       false;
	if (run->shows_code)
		return cmd_bad_value(run->ctx, "--view", view_table[VIEW_SASS].name, "schedule, blocks or mask"), false;
	if (run->views && (!run->live || r->what == PROBE_ACCESSES))
		return cmd_usage(run->ctx, run->entry, "--view draws stamps of a GPU: --live, and not --accesses"),
		       false;
	if (!p->some_blocks)
		r->n_blocks = warp_dim_volume(run->launch.grid);
	r->n_warps = (uint32_t)warp_count(warp_dim_volume(run->launch.block));
	r->lines = p->lines;
	if (r->first_block >= warp_dim_volume(run->launch.grid) ||
		r->n_blocks > warp_dim_volume(run->launch.grid) - r->first_block)
		return cmd_usage(run->ctx, run->entry, "--blocks: the launch has blocks 0 to %" PRIu64,
			       warp_dim_volume(run->launch.grid) - 1),
		       false;
	if (r->what == PROBE_ACCESSES && !r->n_lines)
		cmd_usage(run->ctx, run->entry, "--accesses of which line? --line is missing");
	else if (run->launch.n_args == LAUNCH_ARGS_MAX)
		cmd_usage(run->ctx, run->entry, "at most 63 arguments: the probes' buffer is one more");
	else
		return true;
	return false;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

/* The kernel as it is, on the machine. */
static int run_original(struct probing *p)
{
	struct run *run = &p->run;
	run->watch.cc = run->cc;
	run->profile = profile_run(run->ctx->arena, run->module, &run->launch, run->watch, &run->ctx->diag);
	if (!run->profile)
		return EXIT_USAGE;
	run_find_source(run, run->profile->file);
	if (run->profile->result.outcome == SIMT_OK)
		return EXIT_OK;
	run_report_defects(run);
	return run->profile->result.outcome == SIMT_ERROR ? EXIT_USAGE : EXIT_FAILED;
}

static int weave_probes(struct probing *p)
{
	struct cmd_ctx *ctx = p->run.ctx;
	p->request.file = profile_file(ptx_find_kernel(p->run.module, p->run.launch.kernel, &ctx->diag));
	p->probe = probe_write(ctx->arena, p->run.module, &p->request, &p->ptx, &ctx->diag);
	if (!p->probe)
		return EXIT_USAGE;
	for (int i = 0; i < p->request.n_lines; i++)
		if (!p->probe->line_found[i]) {
			const char *file = p->request.file ? p->request.file : p->run.ptx_name;
			diag_warn(&p->run.ctx->diag, (struct diag_pos){.file = file, .line = p->lines[i]},
				"the PTX has no instruction of this line, so nothing is recorded there");
		}
	if (p->request.what == PROBE_ACCESSES && !p->probe->n_sites) {
		diag_error(&ctx->diag,
			(struct diag_pos){
				.file = p->request.file ? p->request.file : p->run.ptx_name, .line = p->lines[0]},
			"no instruction of the watched lines has an access that can be recorded");
		return EXIT_USAGE;
	}

	if (p->output.path) {
		struct buf text = {0};
		buf_puts(&text, OUTPUT_MARK);
		buf_append(&text, buf_str(&p->ptx), p->ptx.len);
		bool ok = output_write(p->run.ctx, &p->output, &text);
		buf_free(&text);
		if (!ok)
			return EXIT_FAILED;
	}

	memcpy(p->args, p->run.args, sizeof p->run.args);
	p->launch = p->run.launch;
	p->launch.args = p->args;
	const char *buffer = arena_printf(ctx->arena, "b8[%" PRIu64 "]", p->probe->bytes);
	return launch_arg_parse(ctx->arena, "the probes' buffer", buffer, &p->args[p->launch.n_args++], &ctx->diag)
		? EXIT_OK
		: EXIT_FAILED;
}

/* Compares the kernel's own buffers, and reads the last. */
static bool read_results(struct probing *p, void *const *plain, void *const *probed, struct probe_log *log)
{
	int own = p->run.launch.n_args;
	for (int i = own; i-- > 0;)
		if (p->args[i].buffer && memcmp(plain[i], probed[i], launch_arg_bytes(&p->args[i])) != 0)
			p->changed = i;
	return probe_read(p->run.ctx->arena, p->probe, (struct probe_bytes){probed[own], p->probe->bytes}, log,
		&p->run.ctx->diag);
}

static int run_on_machine(struct probing *p)
{
	struct run *run = &p->run;
	struct cmd_ctx *ctx = run->ctx;
	if (run->live && p->request.what == PROBE_STAMPS)
		return EXIT_OK; /* times are the GPU's own */
	struct ptx_module *module = ptx_parse(
		ctx->arena, "the PTX with probes", buf_str(&p->ptx), p->ptx.len, &ctx->diag);
	struct profile *profile = module ? profile_run(ctx->arena, module, &p->launch, run->watch, &ctx->diag) : NULL;
	if (!profile)
		return EXIT_FAILED;
	if (profile->result.outcome == SIMT_LIMIT && run->live) {
		diag_warn(&ctx->diag, (struct diag_pos){0}, "nothing to compare with: on the machine, with probes, %s",
			profile->result.message);
		return EXIT_OK;
	}
	if (profile->result.outcome != SIMT_OK) {
		diag_error(&ctx->diag,
			(struct diag_pos){.file = "the PTX with probes", .line = profile->result.place.ptx_line}, "%s",
			profile->result.message);
		return EXIT_FAILED;
	}
	p->compared = p->request.what == PROBE_ACCESSES;
	return read_results(p, run->profile->buffers, profile->buffers, &p->machine) ? EXIT_OK : EXIT_FAILED;
}

/* Launches on the GPU and copies the buffers, which live only until the next launch there. NULL with an error. */
static void **launch_live(
	struct probing *p, struct gpu *gpu, const char *label, const struct buf *ptx, const struct launch *launch)
{
	struct cmd_ctx *ctx = p->run.ctx;
	struct measure_request request = {buf_str(ptx), ptx->len, launch, NULL, 0, true, NULL};
	const struct wire_measurement *m = measure_launch(ctx, gpu, label, &request);
	void **copies = arena_array(ctx->arena, void *, (size_t)launch->n_args);
	for (int i = 0; m && i < launch->n_args; i++) {
		size_t bytes = launch_arg_bytes(&launch->args[i]);
		if (!launch->args[i].buffer)
			continue;
		if (i >= m->n_buffers || !m->buffers[i] || m->buffer_bytes[i] != bytes) {
			diag_error(&ctx->diag, (struct diag_pos){0},
				"the GPU's worker returned only part of argument %d", i);
			return NULL;
		}
		copies[i] = memcpy(arena_alloc(ctx->arena, bytes), m->buffers[i], bytes);
	}
	return m ? copies : NULL;
}

/* The lowest address of each site: buffers have other addresses on the GPU. */
static uint64_t *find_bases(struct probing *p, const struct probe_log *log)
{
	uint64_t *bases = arena_array(p->run.ctx->arena, uint64_t, (size_t)p->probe->n_sites);
	memset(bases, 0xFF, (size_t)p->probe->n_sites * sizeof *bases);
	for (size_t i = 0; i < log->n; i++) {
		uint64_t *base = &bases[log->events[i].site - p->probe->sites];
		for (uint32_t lanes = log->events[i].lanes; lanes; lanes &= lanes - 1) {
			uint64_t address = log->events[i].address[__builtin_ctz(lanes)];
			*base = address < *base ? address : *base;
		}
	}
	return bases;
}

static bool same_access(const struct probe_event *a, uint64_t base_a, const struct probe_event *b, uint64_t base_b)
{
	if (a->block != b->block || a->warp != b->warp || a->site != b->site || a->lanes != b->lanes)
		return false;
	for (uint32_t lanes = a->lanes; lanes; lanes &= lanes - 1) {
		int lane = __builtin_ctz(lanes);
		if (a->address[lane] - base_a != b->address[lane] - base_b)
			return false;
	}
	return true;
}

static int run_on_gpu(struct probing *p, struct gpu *gpu)
{
	struct run *run = &p->run;
	const struct wire_gpu *info = measure_find(run->ctx, gpu);
	if (!info)
		return EXIT_MISSING;
	const char *name = arena_strdup(run->ctx->arena, info->name);
	p->sms = info->sms > 0 ? (uint32_t)info->sms : 0;
	void **plain = launch_live(p, gpu, "on the GPU", &run->ptx, &run->launch);
	void **probed = plain ? launch_live(p, gpu, "with probes, on the GPU", &p->ptx, &p->launch) : NULL;
	if (!probed || !read_results(p, plain, probed, &p->gpu))
		return EXIT_FAILED;
	p->gpu_name = name;
	if (p->compared) {
		const struct probe_log *a = &p->machine, *b = &p->gpu;
		const uint64_t *base_a = find_bases(p, a), *base_b = find_bases(p, b);
		size_t n = a->n < b->n ? a->n : b->n;
		p->differs = (a->n > b->n ? a->n : b->n) - n;
		for (size_t i = 0; i < n; i++)
			p->differs += !same_access(&a->events[i], base_a[a->events[i].site - p->probe->sites],
				&b->events[i], base_b[b->events[i].site - p->probe->sites]);
	}
	return EXIT_OK;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int prepare_probes(struct probing *p)
{
	static int (*const steps[])(struct probing *) = {weave_probes, run_original, run_on_machine};
	int status = EXIT_OK;
	for (size_t i = 0; status == EXIT_OK && i < sizeof steps / sizeof *steps; i++)
		status = steps[i](p);
	return status;
}

int probing_compare(struct probing *p, struct gpu *gpu)
{
	int status = prepare_probes(p);
	return status == EXIT_OK ? run_on_gpu(p, gpu) : status;
}

static int run_probing(struct probing *p)
{
	int status = run_load(&p->run);
	if (status == EXIT_OK && p->run.views) {
		/* The timelines alone, as the GPU has them. */
		struct run *run = &p->run;
		struct cmd_ctx *ctx = run->ctx;
		run_find_source(run, profile_file(ptx_find_kernel(run->module, run->launch.kernel, &ctx->diag)));
		status = run_time_live(run, p->request.n_lines ? p->lines[0] : 0, &p->changed);
		if (status != EXIT_OK)
			return status;
		struct buf out = {0};
		if (run->format == PICTURE_JSON) {
			json_t *json = run_times_json(run);
			json_object_set_new(json, "kernel", cmd_json_text(run->launch.kernel));
			json_object_set_new(json, "same_results", json_boolean(p->changed < 0));
			cmd_json_write(json, JSON_INDENT(0), &out);
		} else {
			struct picture_page page = {ctx, COLS, picture_choose(ctx, run->format), &out};
			int rows;
			picture_size(&page.cols, &rows);
			if (p->changed >= 0)
				picture_printf(&page, "argument %d is NOT the same as without stamps\n\n", p->changed);
			run_write_times(run, &page);
		}
		status = cmd_print_colored(ctx, &out) && p->changed < 0 ? EXIT_OK : EXIT_FAILED;
		buf_free(&out);
		return status;
	}
	if (status == EXIT_OK)
		status = prepare_probes(p);
	if (status == EXIT_OK && p->run.live) {
		struct gpu *gpu = run_gpu(&p->run);
		status = gpu ? run_on_gpu(p, gpu) : EXIT_USAGE;
	}
	if (status != EXIT_OK)
		return status;

	struct buf out = {0};
	(p->run.format == PICTURE_JSON ? probing_write_json : probing_write_text)(p, &out);
	if (!cmd_print(p->run.ctx, &out) || p->changed >= 0 || p->differs)
		status = EXIT_FAILED;
	buf_free(&out);
	return status;
}

static int run_probe(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct probing p = {
		.run = {.ctx = ctx, .entry = &cmd_probe_entry, .cc = MODEL_CC_DEFAULT, .format = PICTURE_DEFAULT},
		.request = {.capacity = RECORDS_DEFAULT},
		.output = {.option = "--output", .mark = OUTPUT_MARK},
		.changed = -1};
	p.run.live = ctx->gpu && strcmp(ctx->gpu, "none") != 0;
	p.run.watch.steps = SIMT_STEPS_DEFAULT;
	if (!read_probe_args(&p, args, n))
		return p.run.missing ? EXIT_MISSING : EXIT_USAGE;
	if (p.output.path && !output_check(ctx, &p.output))
		return EXIT_USAGE;
	int status = run_probing(&p);
	run_free(&p.run);
	buf_free(&p.ptx);
	return status;
}
