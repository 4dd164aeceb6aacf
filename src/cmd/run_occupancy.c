#include "config.h"
#include "cmd/run.h"

#include "cmd/json.h"
#include "tools/compile/ptxas.h"

/* The registers per thread, from the command line, the GPU that ran it, or ptxas. */
static void find_registers(struct run *run, struct run_occupancy *o)
{
	if (run->registers) {
		o->block.registers = run->registers;
		o->from = "--registers";
		return;
	}
	if (run->measured.registers && run->measured.cc == o->cc) {
		o->block.registers = (uint32_t)run->measured.registers;
		o->from = run->measured.gpu;
		return;
	}
	struct ptxas_usage usage = ptxas_usage(cmd_compile_ctx(run->ctx), &run->ptx, run->launch.kernel, o->cc);
	o->unknown = usage.why;
	if (usage.why)
		return;
	o->block.registers = (uint32_t)usage.registers;
	o->block.barriers = (uint32_t)usage.barriers;
	o->from = "ptxas";
	o->code = usage.code;
}

void run_find_registers(struct run *run)
{
	struct run_occupancy *o = &run->occupancy;
	o->cc = run->cc;
	if (occupancy(o->cc, &o->block).state != OCCUPANCY_UNKNOWN_CC)
		find_registers(run, o);
	run->watch.registers = o->block.registers;
	run->watch.barriers = o->block.barriers;
}

/* The GPU may know them better. */
static void find_registers_again(struct run *run, struct run_occupancy *o)
{
	*o = (struct run_occupancy){.cc = run->cc_given ? run->cc : run->measured.cc};
	if (occupancy(o->cc, &o->block).state != OCCUPANCY_UNKNOWN_CC)
		find_registers(run, o);
}

void run_occupy(struct run *run)
{
	struct run_occupancy *o = &run->occupancy;
	const uint32_t *block = run->launch.block;
	if (run->measured.cc)
		find_registers_again(run, o);
	o->block.threads = (uint32_t)warp_dim_volume(block);
	o->block.shared = ptx_shared_bytes(ptx_find_kernel(run->module, run->launch.kernel, &run->ctx->diag)) +
		run->launch.shared;
	o->result = occupancy(o->cc, &o->block);
	o->free_registers = occupancy_free_registers(o->cc, &o->block);
	if (o->result.state == OCCUPANCY_OK)
		run->profile->counts.c[COUNTER_OCCUPANCY_LIMIT] = value_ok(o->result.percent);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* What a block takes of the resource, in words; empty where that is not known. */
static void write_use(const struct run_occupancy *o, enum occupancy_resource resource, struct buf *out)
{
	switch (resource) {
	case OCCUPANCY_WARPS:
		buf_printf(out, "%u thread%s, %u warp%s per block", o->block.threads, o->block.threads == 1 ? "" : "s",
			(uint32_t)warp_count(o->block.threads), o->block.threads > WARP_SIZE ? "s" : "");
		break;
	case OCCUPANCY_REGISTERS:
		if (o->from)
			buf_printf(out, "%u per thread (%s)", o->block.registers, o->from);
		else
			buf_printf(out, "not known: %s", o->unknown);
		break;
	case OCCUPANCY_SHARED: buf_printf(out, "%u bytes per block", o->block.shared); break;
	case OCCUPANCY_BARRIERS:
		if (o->block.barriers)
			buf_printf(out, "%u per block", o->block.barriers);
		break;
	case OCCUPANCY_BLOCKS:
	case OCCUPANCY_N: break;
	}
}

static void write_limiting(const struct occupancy *result, struct buf *out)
{
	const char *between = "; limited by ";
	for (int r = 0; r < OCCUPANCY_N; r++) {
		if (!(result->limits >> r & 1))
			continue;
		buf_printf(out, "%s%s", between, occupancy_resource_name((enum occupancy_resource)r));
		between = ", ";
	}
	buf_puts(out, "\n");
}

static void write_resource(const struct run_occupancy *o, enum occupancy_resource resource, struct buf *out)
{
	uint32_t by = o->result.by[resource];
	struct buf use = {0};
	write_use(o, resource, &use);
	if (use.len || by != OCCUPANCY_UNLIMITED)
		buf_printf(out, "    %-10s", occupancy_resource_name(resource));
	if (by != OCCUPANCY_UNLIMITED)
		buf_printf(out, " %3u block%s", by, by == 1 ? use.len ? " " : "" : "s");
	else if (use.len)
		buf_puts(out, "         - ");
	if (use.len)
		buf_printf(out, "  %s", buf_str(&use));
	if (use.len || by != OCCUPANCY_UNLIMITED)
		buf_puts(out, "\n");
	buf_free(&use);
}

static void write_unknown(int cc, struct buf *out)
{
	buf_printf(out, "occupancy: not known for CC %d.%d; for", cc / 10, cc % 10);
	for (int i = 0; occupancy_cc(i); i++)
		buf_printf(out, "%s %d.%d%s", i ? "," : "", occupancy_cc(i) / 10, occupancy_cc(i) % 10,
			occupancy_doubt(occupancy_cc(i)) ? "" : " (verified)");
	buf_puts(out, "\n\n");
}

void run_write_occupancy(const struct run *run, struct buf *out)
{
	const struct run_occupancy *o = &run->occupancy;
	const struct occupancy *result = &o->result;
	if (result->state == OCCUPANCY_UNKNOWN_CC) {
		write_unknown(o->cc, out);
		return;
	}
	buf_printf(out, "occupancy on CC %d.%d: ", o->cc / 10, o->cc % 10);
	if (result->state == OCCUPANCY_IMPOSSIBLE)
		buf_puts(out, "no block fits on an SM");
	else
		buf_printf(out, "%.4g %%, %u of %u warps: %u block%s on an SM", result->percent, result->warps,
			result->max_warps, result->blocks, result->blocks == 1 ? "" : "s");
	write_limiting(result, out);
	for (int r = 0; r < OCCUPANCY_N; r++)
		write_resource(o, (enum occupancy_resource)r, out);
	if (occupancy_doubt(o->cc))
		buf_printf(out, _("    the limits of CC %d.%d: %s\n"), o->cc / 10, o->cc % 10, occupancy_doubt(o->cc));
	if (o->free_registers)
		buf_printf(out, "    more than %u registers per thread %s it\n", o->free_registers,
			o->from && o->block.registers > o->free_registers ? "lower" : "would lower");
	buf_puts(out, "\n");
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *number_or_null(uint32_t number)
{
	return number ? json_integer(number) : json_null();
}

static json_t *limits_json(const struct occupancy *result)
{
	json_t *all = json_array();
	for (int r = 0; r < OCCUPANCY_N; r++)
		if (result->limits >> r & 1)
			json_array_append_new(all, json_string(occupancy_resource_name((enum occupancy_resource)r)));
	return all;
}

/* The blocks that each resource admits; null where it sets no limit. */
static json_t *admitted_json(const struct occupancy *result)
{
	json_t *all = json_object();
	for (int r = 0; r < OCCUPANCY_N; r++)
		json_object_set_new(all, occupancy_resource_name((enum occupancy_resource)r),
			result->by[r] == OCCUPANCY_UNLIMITED ? json_null() : json_integer(result->by[r]));
	return all;
}

json_t *run_occupancy_json(const struct run *run)
{
	const struct run_occupancy *o = &run->occupancy;
	static const char *const states[] = {[OCCUPANCY_OK] = "ok",
		[OCCUPANCY_IMPOSSIBLE] = "impossible",
		[OCCUPANCY_UNKNOWN_CC] = "unknown compute capability"};
	const char *cc = arena_printf(run->ctx->arena, "%d.%d", o->cc / 10, o->cc % 10);
	json_t *json = json_pack("{s:s, s:s, s:I, s:I, s:o, s:o, s:o}", "state", states[o->result.state], "cc", cc,
		"threads", (json_int_t)o->block.threads, "shared", (json_int_t)o->block.shared, "registers",
		number_or_null(o->block.registers), "registers_from", cmd_json_text(o->from), "registers_unknown",
		cmd_json_text(o->unknown));
	if (o->result.state == OCCUPANCY_UNKNOWN_CC)
		return json;
	json_object_set_new(json, "verified", json_boolean(!occupancy_doubt(o->cc)));
	json_object_set_new(json, "free_registers", number_or_null(o->free_registers));
	json_object_set_new(json, "blocks", json_integer(o->result.blocks));
	json_object_set_new(json, "warps", json_integer(o->result.warps));
	json_object_set_new(json, "max_warps", json_integer(o->result.max_warps));
	json_object_set_new(json, "percent", json_real(o->result.percent));
	json_object_set_new(json, "limited_by", limits_json(&o->result));
	json_object_set_new(json, "admitted", admitted_json(&o->result));
	return json;
}
