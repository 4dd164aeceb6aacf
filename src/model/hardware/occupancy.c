#include "model/hardware/occupancy.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "model/hardware/access.h"

#define KIB 1024u

static const struct occupancy_sm sms[] = {
#define OCCUPANCY_CC(cc, verified, warps, blocks, registers, block_registers, thread_registers, register_unit,         \
	warp_unit, barriers, shared, block_shared, reserved, shared_unit, ...)                                         \
	{cc, verified[0] ? verified : NULL, warps, blocks, registers, block_registers, thread_registers,               \
		register_unit, warp_unit, barriers, (shared)*KIB, (block_shared)*KIB, reserved, shared_unit,           \
		{__VA_ARGS__}},
#include "model/hardware/occupancy.def"
#undef OCCUPANCY_CC
};
#define N_SMS ((int)(sizeof sms / sizeof *sms))

const struct occupancy_sm *occupancy_sm(int cc)
{
	for (int i = 0; i < N_SMS; i++)
		if (sms[i].cc == cc)
			return &sms[i];
	return NULL;
}

const char *occupancy_doubt(int cc)
{
	const struct occupancy_sm *sm = occupancy_sm(cc);
	return sm && sm->verified ? NULL
		: sm              ? _("documented, not verified here")
				  : _("not documented here, not verified");
}

const struct occupancy_gpu *occupancy_gpu(int cc)
{
	static const struct {
		int cc;
		struct occupancy_gpu gpu;
	} gpus[] = {
#define GPU(cc, sms, memory, clock, l2, persisting, window, name)                                                      \
	{cc, {sms, memory, clock, l2, persisting, window, name}},
#include "model/hardware/gpus.def"
#undef GPU
	};
	for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
		if (gpus[i].cc == cc)
			return &gpus[i].gpu;
	return NULL;
}

uint32_t occupancy_sms(int cc, const char **name)
{
	const struct occupancy_gpu *gpu = occupancy_gpu(cc);
	if (gpu && name)
		*name = gpu->name;
	return gpu ? gpu->sms : 0;
}

int occupancy_cc(int index)
{
	return index >= 0 && index < N_SMS ? sms[index].cc : 0;
}

const char *occupancy_resource_name(enum occupancy_resource resource)
{
	static const char *const names[] = {
#define LIMIT(id, name) [OCCUPANCY_##id] = name,
		OCCUPANCY_RESOURCES(LIMIT)
#undef LIMIT
	};
	return names[resource];
}

static uint64_t round_up(uint64_t n, uint32_t unit)
{
	return (n + unit - 1) / unit * unit;
}

static uint64_t warp_registers(const struct occupancy_sm *sm, const struct occupancy_block *block)
{
	return round_up((uint64_t)block->registers * WARP_SIZE, sm->register_unit);
}

static uint64_t block_shared(const struct occupancy_sm *sm, const struct occupancy_block *block)
{
	return round_up((uint64_t)block->shared + sm->reserved, sm->shared_unit);
}

/* Registers are allocated per warp, from the SM sub-partition that the warp runs on. Whether a block fits at all is
 * decided as though each sub-partition had the same number of its warps. */
static uint32_t blocks_by_registers(const struct occupancy_sm *sm, const struct occupancy_block *block)
{
	if (!block->registers)
		return OCCUPANCY_UNLIMITED;
	uint64_t warp = warp_registers(sm, block);
	if (block->registers > sm->thread_registers ||
		warp * round_up((uint32_t)warp_count(block->threads), sm->warp_unit) > sm->block_registers)
		return 0;
	uint64_t warps = sm->registers / sm->warp_unit / warp * sm->warp_unit;
	return (uint32_t)(warps / (uint32_t)warp_count(block->threads));
}

/* The shared memory of the SM when `requested` bytes of it are asked for and a block takes `least`. */
static uint32_t carve_out(const struct occupancy_sm *sm, uint32_t requested, uint64_t least)
{
	if (!requested)
		return sm->shared;
	for (int i = 0; i < OCCUPANCY_CARVEOUTS_MAX && sm->carveouts[i]; i++) {
		uint32_t size = sm->carveouts[i] * KIB;
		if (size >= requested && size >= least)
			return size;
	}
	return sm->shared;
}

struct occupancy_use occupancy_use(int cc, const struct occupancy_block *block, enum occupancy_resource resource)
{
	const struct occupancy_sm *sm = occupancy_sm(cc);
	if (!sm)
		return (struct occupancy_use){0};
	uint64_t warps = (uint64_t)warp_count(block->threads), shared = block_shared(sm, block);
	const struct occupancy_use uses[OCCUPANCY_N] = {
		[OCCUPANCY_WARPS] = {warps, sm->warps},
		[OCCUPANCY_BLOCKS] = {1, sm->blocks},
		[OCCUPANCY_REGISTERS] = {warp_registers(sm, block) * warps, sm->registers},
		[OCCUPANCY_SHARED] = {shared, carve_out(sm, block->carveout, shared)},
		[OCCUPANCY_BARRIERS] = {block->barriers, sm->barriers},
	};
	return uses[resource].block ? uses[resource] : (struct occupancy_use){0};
}

struct occupancy occupancy(int cc, const struct occupancy_block *block)
{
	const struct occupancy_sm *sm = occupancy_sm(cc);
	struct occupancy o = {.state = OCCUPANCY_UNKNOWN_CC};
	if (!sm)
		return o;
	bool has_warps = block->threads && block->threads <= BLOCK_THREADS_MAX;
	uint64_t shared = block_shared(sm, block);
	o.by[OCCUPANCY_WARPS] = has_warps ? sm->warps / (uint32_t)warp_count(block->threads) : 0;
	o.by[OCCUPANCY_BLOCKS] = sm->blocks;
	o.by[OCCUPANCY_REGISTERS] = blocks_by_registers(sm, block);
	o.by[OCCUPANCY_SHARED] = OCCUPANCY_UNLIMITED;
	if (block->shared > sm->block_shared)
		o.by[OCCUPANCY_SHARED] = 0;
	else if (shared)
		o.by[OCCUPANCY_SHARED] = (uint32_t)(carve_out(sm, block->carveout, shared) / shared);
	o.by[OCCUPANCY_BARRIERS] = block->barriers ? sm->barriers / block->barriers : OCCUPANCY_UNLIMITED;

	o.blocks = OCCUPANCY_UNLIMITED;
	for (int r = 0; r < OCCUPANCY_N; r++)
		o.blocks = o.by[r] < o.blocks ? o.by[r] : o.blocks;
	for (int r = 0; r < OCCUPANCY_N; r++)
		o.limits |= (o.by[r] == o.blocks) << r;
	o.state = o.blocks ? OCCUPANCY_OK : OCCUPANCY_IMPOSSIBLE;
	o.warps = o.blocks * (uint32_t)warp_count(block->threads);
	o.max_warps = sm->warps;
	o.percent = 100.0 * o.warps / sm->warps;
	return o;
}

uint32_t occupancy_free_registers(int cc, const struct occupancy_block *block)
{
	const struct occupancy_sm *sm = occupancy_sm(cc);
	struct occupancy_block with = *block;
	with.registers = 0;
	struct occupancy without = occupancy(cc, &with);
	if (without.state != OCCUPANCY_OK)
		return 0;
	for (with.registers = sm->thread_registers; with.registers; with.registers--)
		if (blocks_by_registers(sm, &with) >= without.blocks)
			break;
	return with.registers;
}
