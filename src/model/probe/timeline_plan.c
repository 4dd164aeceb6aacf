/* Which warps and lines to stamp, so that the buffer stays small. */
#include "model/probe/timeline.h"

#include <inttypes.h>
#include <stdlib.h>

#include "machine/ptx/program.h"

#define BYTES_USUAL ((uint64_t)512 << 10) /* that travel in a few milliseconds */
#define BYTES_MOST ((uint64_t)1 << 20)    /* 25 ms from a GPU of this host */
#define STAMP_BYTES 32u                   /* probe.h */
#define WARP_BYTES 16u
#define ENDS_RECORDS 6u /* an entry, and lanes that end apart */
#define PHASES_LEAST 16u
#define PHASES_MOST 256u
#define MASK_RECORDS 4096u

static uint64_t part_bytes(uint32_t records)
{
	return WARP_BYTES + (uint64_t)STAMP_BYTES * records;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

struct plan_lines {
	int *at;
	int n;
};

static int compare_lines(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

/* --- warps -------------------------------------------------------------------------------------------------------- */

static const char *some_blocks(struct arena *arena, uint64_t n, uint64_t blocks)
{
	return arena_printf(arena, "%" PRIu64 " of %" PRIu64 " blocks", n, blocks);
}

/* --- the plan ----------------------------------------------------------------------------------------------------- */

struct probe_timeline_plan *probe_timeline_plan(struct arena *arena, enum probe_timeline_kind what,
	const struct probe_timeline_request *request, struct diag *diag)
{
	struct probe_timeline_plan *p = arena_alloc(arena, sizeof *p);
	struct buf ptx = {0};
	uint64_t warps = warp_count(warp_dim_volume(request->launch->block));
	if (request->launch->n_args >= LAUNCH_ARGS_MAX) {
		diag_error(diag, (struct diag_pos){0},
			"the kernel has %d arguments, and the buffer of the stamps is one more than can be",
			request->launch->n_args);
		return NULL;
	}
	if (request->block >= warp_dim_volume(request->launch->grid) || request->warp >= warps) {
		diag_error(diag, (struct diag_pos){0}, "the launch has no warp %u of block %u", request->warp,
			request->block);
		return NULL;
	}
	*p = (struct probe_timeline_plan){.what = what, .request = *request};
	struct probe_request stamps = {.what = PROBE_STAMPS,
		.file = request->file,
		.n_blocks = warp_dim_volume(request->launch->grid),
		.n_warps = (uint32_t)warps};
	if (what == PROBE_TIMELINE_BLOCKS) {
		uint64_t blocks = warp_dim_volume(p->request.launch->grid);
		stamps.omit = 1u << PROBE_ARRIVE | 1u << PROBE_LEAVE;
		stamps.capacity = ENDS_RECORDS;
		if (blocks > BYTES_USUAL / part_bytes(stamps.capacity) / stamps.n_warps && stamps.n_warps > 1) {
			stamps.n_warps = 1;
			p->cut = "stamps of the first warp of each block alone";
		}
		if (blocks > BYTES_MOST / part_bytes(stamps.capacity)) {
			stamps.n_blocks = BYTES_MOST / part_bytes(stamps.capacity);
			p->cut = arena_printf(arena, "the first %s", some_blocks(arena, stamps.n_blocks, blocks));
		}
	} else if (what == PROBE_TIMELINE_SCHEDULE) {
		/* Blocks around the watched one, as many as there is room for. */
		uint64_t blocks = stamps.n_blocks, room = BYTES_MOST / (stamps.n_warps * part_bytes(PHASES_LEAST));
		if (blocks > room) {
			uint64_t before = room / 2;
			stamps.n_blocks = room ? room : 1;
			stamps.first_block = p->request.block < before ? 0 : p->request.block - before;
			if (stamps.first_block > blocks - stamps.n_blocks)
				stamps.first_block = blocks - stamps.n_blocks;
			p->cut = arena_printf(arena, "stamps of %s", some_blocks(arena, stamps.n_blocks, blocks));
		}
		uint64_t each = BYTES_USUAL / (stamps.n_blocks * stamps.n_warps);
		stamps.capacity = each <= part_bytes(PHASES_LEAST) ? PHASES_LEAST
			: each >= part_bytes(PHASES_MOST)          ? PHASES_MOST
								   : (uint32_t)((each - WARP_BYTES) / STAMP_BYTES);
		stamps.lines = &p->request.line;
		stamps.n_lines = p->request.line > 0;
	} else {
		/* every line that an instruction is of, once; the probe leaves out those of other files */
		const struct ptx_module *m = p->request.module;
		size_t most = 0;
		for (int i = 0; i < m->n_kernels; i++)
			most += (size_t)m->kernels[i]->n_instrs;
		struct plan_lines lines = {arena_array(arena, int, most + 1), 0};
		for (int i = 0; i < m->n_kernels; i++)
			for (int k = 0; k < m->kernels[i]->n_instrs; k++) {
				struct ptx_location place = ptx_location_of(m, &m->kernels[i]->instrs[k]);
				int line = p->request.file ? place.line : place.ptx_line;
				if (line > 0 && (!lines.n || lines.at[lines.n - 1] != line))
					lines.at[lines.n++] = line;
			}
		qsort(lines.at, (size_t)lines.n, sizeof *lines.at, compare_lines);
		int n = 0;
		for (int i = 0; i < lines.n; i++)
			if (!n || lines.at[n - 1] != lines.at[i])
				lines.at[n++] = lines.at[i];
		lines.n = n;

		stamps.first_block = p->request.block;
		stamps.first_warp = p->request.warp;
		stamps.n_blocks = stamps.n_warps = 1;
		stamps.capacity = MASK_RECORDS;
		stamps.lines = lines.at;
		stamps.n_lines = lines.n;
	}
	p->probe = probe_write(arena, request->module, &stamps, &ptx, diag);
	if (p->probe) {
		p->ptx_len = ptx.len;
		p->ptx = arena_strndup(arena, buf_str(&ptx), ptx.len);
	}
	buf_free(&ptx);
	if (!p->probe)
		return NULL;

	/* the launch with one argument more */
	int n = request->launch->n_args;
	struct launch_arg *args = arena_array(arena, struct launch_arg, (size_t)n + 1);
	for (int i = 0; i < n; i++)
		args[i] = request->launch->args[i];
	p->launch = *request->launch;
	p->launch.args = args;
	p->launch.n_args = n + 1;
	const char *text = arena_printf(arena, "b8[%" PRIu64 "]", p->probe->bytes);
	return launch_arg_parse(arena, NULL, text, &args[n], diag) ? p : NULL;
}

struct wire_message probe_timeline_message(const struct probe_timeline_plan *plan)
{
	struct wire_message m = {.kind = WIRE_STAMP};
	m.stamp.job = (struct wire_job){plan->ptx, plan->ptx_len, plan->launch};
	m.stamp.plain = plan->request.module->text;
	m.stamp.plain_len = plan->request.module->text_len;
	return m;
}
