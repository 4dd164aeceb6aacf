/* What the probes wrote, as a table and as JSON. */
#include "config.h"
#include "cmd/probe.h"

#include <inttypes.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/json.h"

#define ROWS_MAX 200 /* of a table; JSON has all */

static int event_line(const struct probing *p, const struct probe_event *e)
{
	const struct ptx_place *place = &e->site->place;
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

static uint64_t earliest(const struct probe_log *log)
{
	uint64_t time = UINT64_MAX;
	for (size_t i = 0; i < log->n; i++)
		time = log->events[i].time < time ? log->events[i].time : time;
	return time;
}

/* --- text ------------------------------------------------------------------------------------------------------------- */

static void note_rows_left(size_t n, struct buf *out)
{
	if (n > ROWS_MAX)
		buf_printf(out, "... and %zu more; --format json has them all, --blocks chooses\n", n - ROWS_MAX);
}

static void write_blocks(const struct probing *p, struct buf *out)
{
	const struct probe_log *log = probing_log(p);
	uint64_t begin = earliest(log);
	const char *ns = p->gpu_name ? "ns" : "steps", *cycles = p->gpu_name ? "cycles" : "steps";
	struct block_stay s;
	size_t n = 0;
	buf_printf(out, "%8s %5s %14s %14s %14s\n", "block", "SM", arena_printf(p->run.ctx->arena, "from %s", ns),
		arena_printf(p->run.ctx->arena, "to %s", ns), cycles);
	for (size_t at = 0; next_stay(log, at, &s); at += s.n)
		if (n++ < ROWS_MAX)
			buf_printf(out, "%8" PRIu64 " %5u %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", s.block, s.sm,
				s.begin - begin, s.end - begin, s.clock_end - s.clock);
	note_rows_left(n, out);
}

static void write_stamps(const struct probing *p, struct buf *out)
{
	const struct probe_log *log = probing_log(p);
	struct block_stay s;
	size_t n = 0;
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

static void write_accesses(const struct probing *p, struct buf *out)
{
	const struct probe_log *log = probing_log(p);
	buf_printf(out, "%8s %5s %6s  %-6s %-7s %5s  %-8s  %s\n", "block", "warp", "line", "op", "space", "bytes",
		"lanes", "addresses: the first, and the offsets of the others");
	for (size_t i = 0; i < log->n && i < ROWS_MAX; i++) {
		const struct probe_event *e = &log->events[i];
		uint64_t first = e->address[__builtin_ctz(e->lanes)];
		buf_printf(out, "%8" PRIu64 " %5u %6d  %-6s %-7s %5u  %08x  0x%" PRIx64, e->block, e->warp,
			event_line(p, e), warp_op_verb(e->site->op), warp_space_name(e->site->space), e->site->width,
			e->lanes, first);
		for (uint32_t lanes = e->lanes & (e->lanes - 1); lanes; lanes &= lanes - 1)
			buf_printf(out, " %+" PRId64, (int64_t)(e->address[__builtin_ctz(lanes)] - first));
		buf_putc(out, '\n');
	}
	note_rows_left(log->n, out);
}

static void write_verdict(const struct probing *p, struct buf *out)
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
}

void probing_write_text(const struct probing *p, struct buf *out)
{
	write_verdict(p, out);
	if (!probing_log(p)->n)
		return;
	if (p->request.what == PROBE_ACCESSES) {
		write_accesses(p, out);
		return;
	}
	write_blocks(p, out);
	write_stamps(p, out);
}

/* --- JSON ------------------------------------------------------------------------------------------------------------- */

static json_t *event_json(const struct probing *p, const struct probe_event *e)
{
	json_t *json = json_pack("{s:I, s:i, s:s, s:i, s:i, s:I, s:i, s:i, s:I, s:I}", "block", (json_int_t)e->block,
		"warp", (int)e->warp, "event", probe_event_name(e->site->kind), "line", event_line(p, e), "ptx_line",
		e->site->place.ptx_line, "lanes", (json_int_t)e->lanes, "sm", (int)e->sm, "slot", (int)e->slot, "clock",
		(json_int_t)e->clock, "time", (json_int_t)e->time);
	if (!e->address)
		return json;
	json_t *addresses = json_array();
	for (int lane = 0; lane < WARP_SIZE; lane++)
		json_array_append_new(
			addresses, e->lanes >> lane & 1 ? json_integer((json_int_t)e->address[lane]) : json_null());
	json_object_set_new(json, "op", json_string(warp_op_verb(e->site->op)));
	json_object_set_new(json, "space", json_string(warp_space_name(e->site->space)));
	json_object_set_new(json, "width", json_integer(e->site->width));
	json_object_set_new(json, "addresses", addresses);
	return json;
}

static json_t *blocks_json(const struct probe_log *log)
{
	json_t *all = json_array();
	struct block_stay s;
	for (size_t at = 0; next_stay(log, at, &s); at += s.n)
		json_array_append_new(all,
			json_pack("{s:I, s:i, s:I, s:I, s:I}", "block", (json_int_t)s.block, "sm", (int)s.sm, "begin",
				(json_int_t)s.begin, "end", (json_int_t)s.end, "cycles",
				(json_int_t)(s.clock_end - s.clock)));
	return all;
}

void probing_write_json(const struct probing *p, struct buf *out)
{
	const struct probe_log *log = probing_log(p);
	bool accesses = p->request.what == PROBE_ACCESSES;
	json_t *events = json_array();
	for (size_t i = 0; i < log->n; i++)
		json_array_append_new(events, event_json(p, &log->events[i]));
	json_t *json = json_pack("{s:o, s:s, s:s, s:I, s:b, s:o, s:I, s:i, s:o, s:o}", "kernel",
		cmd_json_text(p->launch.kernel), "witness", p->gpu_name ? "live" : "model", "records",
		accesses ? "accesses" : "stamps", "buffer_bytes", (json_int_t)p->probe->bytes, "same_results",
		p->changed < 0, "different_accesses",
		p->gpu_name && p->compared ? json_integer((json_int_t)p->differs) : json_null(), "lost",
		(json_int_t)log->lost, "left_out", p->probe->left_out, "blocks",
		accesses ? json_null() : blocks_json(log), "events", events);
	json_object_set_new(json, "implausible", json_integer((json_int_t)probe_implausible(log, p->sms)));
	json_object_set_new(json, "gpu", cmd_json_text(p->gpu_name));
	cmd_json_write(json, JSON_INDENT(0), out);
}
