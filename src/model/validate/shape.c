#include "model/validate/pattern.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/warp/warp.h"
#include "model/validate/trial.h"

#define STATIC_MAX 49152
#define STAY 150000 /* cycles: some 0.1 ms, in which 132 SMs are filled many times over */

static uint32_t between(uint64_t *random, uint32_t first, uint32_t last)
{
	return first + validate_values_below(random, last - first + 1);
}

struct shape validate_shape_generate(uint64_t seed)
{
	uint64_t random = seed;
	struct shape s = {.seed = seed, .barriers = 1};
	uint32_t warps = validate_values_below(&random, 2) ? between(&random, 1, 8)
							   : between(&random, 1, BLOCK_WARPS_MAX);
	s.threads = warps * WARP_SIZE;
	if (!validate_values_below(&random, 4))
		s.threads -= validate_values_below(&random, WARP_SIZE - 1);
	/* A thread of a large block cannot have more than its part of 65,536 registers; warps get theirs by fours. */
	uint32_t part = 60000 / (WARP_SIZE * ((warps + 3) / 4 * 4)), most = part < 200 ? part - 16 : 184;
	s.values = validate_values_below(&random, 2) ? between(&random, 1, most) : 4;
	if (!validate_values_below(&random, 4))
		s.limit = between(&random, 24, most < 24 ? 24 : most);
	uint32_t has = validate_values_below(&random, 4);
	s.fixed = has & 1 ? between(&random, 1, STATIC_MAX) : 0;
	s.dynamic = has & 2 ? between(&random, 1, 200u * 1024 - s.fixed) : 0;
	if (!validate_values_below(&random, 4))
		s.barriers = between(&random, 2, 16);
	return s;
}

void validate_shape_fit(struct shape *shape, int cc)
{
	const struct occupancy_sm *sm = occupancy_sm(cc);
	if (sm && shape->fixed + shape->dynamic > sm->block_shared)
		shape->dynamic %= sm->block_shared - shape->fixed + 1;
}

const char *validate_shape_ptx(struct arena *arena, const struct shape *s)
{
	struct buf out = {0};
	buf_puts(&out,
		".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry resident(.param .u64 inside, .param .u64 most, "
		".param .u64 scratch)\n");
	if (s->limit)
		buf_printf(&out, ".maxnreg %" PRIu32 "\n", s->limit);
	buf_printf(&out,
		"{\n.reg .pred %%p<3>;\n.reg .b16 %%h<2>;\n.reg .b32 %%r<8>;\n.reg .b32 %%v<%" PRIu32
		">;\n.reg .b64 %%rd<8>;\n",
		s->values + 1);
	if (s->fixed)
		buf_printf(&out, ".shared .align 1 .b8 fixed[%" PRIu32 "];\n", s->fixed);
	buf_puts(&out,
		"ld.param.u64 %rd1, [inside];\nld.param.u64 %rd2, [most];\nld.param.u64 %rd3, [scratch];\n"
		"mov.u32 %r1, %tid.x;\nmov.u32 %r2, %smid;\nmul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd1, %rd1, %rd4;\nadd.s64 %rd2, %rd2, %rd4;\n"
		"cvt.u16.u32 %h1, %r1;\nsetp.ne.u32 %p1, %r1, 0;\nmov.u64 %rd5, %clock64;\n@%p1 bra together;\n"
		"atom.global.add.u32 %r3, [%rd1], 1;\nadd.u32 %r3, %r3, 1;\natom.global.max.u32 %r4, [%rd2], %r3;\ntogether:\n");

	/* All values are read before the first is written, and volatile accesses keep their order: so many are alive at
	 * a time. */
	for (uint32_t i = 0; i < s->values; i++)
		buf_printf(&out, "ld.volatile.global.u32 %%v%" PRIu32 ", [%%rd3+%" PRIu32 "];\n", i, 4 * i);
	for (uint32_t i = s->values; i-- > 0;)
		buf_printf(
			&out, "st.volatile.global.u32 [%%rd3+%" PRIu32 "], %%v%" PRIu32 ";\n", 4 * (s->values - i), i);
	for (uint32_t i = 1; i < s->barriers; i++)
		buf_printf(&out, "bar.sync %" PRIu32 ";\n", i);
	if (s->fixed)
		buf_printf(&out,
			"st.volatile.shared.u8 [fixed], %%h1;\nst.volatile.shared.u8 [fixed+%" PRIu32 "], %%h1;\n",
			s->fixed - 1);

	buf_puts(&out, "bar.sync 0;\nagain:\nmov.u64 %rd6, %clock64;\nsub.s64 %rd6, %rd6, %rd5;\n");
	buf_printf(&out,
		"setp.lt.u64 %%p2, %%rd6, %d;\n@%%p2 bra again;\nbar.sync 0;\n@%%p1 bra end;\n"
		"atom.global.add.u32 %%r3, [%%rd1], -1;\nend:\nret;\n}\n",
		STAY);
	char *ptx = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return ptx;
}

struct occupancy validate_shape_occupancy(const struct shape *s, int cc, int registers)
{
	const struct occupancy_block block = {.threads = s->threads,
		.registers = (uint32_t)registers,
		.shared = s->fixed + s->dynamic,
		.barriers = s->barriers};
	return occupancy(cc, &block);
}

struct launch *validate_shape_launch(struct arena *arena, const struct shape *s, int cc, int sms)
{
	struct launch *launch = arena_alloc(arena, sizeof *launch);
	struct occupancy most = validate_shape_occupancy(s, cc, 0);
	struct diag diag = {0};
	char per_sm[24];
	uint32_t blocks = 2 * (most.blocks ? most.blocks : 1) * (uint32_t)(sms > 0 ? sms : 1);
	snprintf(per_sm, sizeof per_sm, "u32[%d]", sms > 0 ? sms : 1);
	*launch = (struct launch){.kernel = "resident",
		.grid = {blocks, 1, 1},
		.block = {s->threads, 1, 1},
		.shared = s->dynamic,
		.n_args = 3};
	launch->args = arena_array(arena, struct launch_arg, 3);
	launch_arg_parse(arena, NULL, per_sm, &launch->args[0], &diag);
	launch_arg_parse(arena, NULL, per_sm, &launch->args[SHAPE_RESULT], &diag);
	launch_arg_parse(arena, NULL, "u32[256]", &launch->args[2], &diag);
	diag_free(&diag);
	return launch;
}

void validate_shape_describe(const struct shape *s, int registers, struct buf *out)
{
	buf_printf(out,
		"%" PRIu32 " threads, %d registers, %" PRIu32 " + %" PRIu32 " bytes of shared memory, %" PRIu32
		" barrier%s",
		s->threads, registers, s->fixed, s->dynamic, s->barriers, s->barriers == 1 ? "" : "s");
}
