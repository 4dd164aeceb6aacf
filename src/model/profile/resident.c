#include "model/profile/resident.h"

#include "base/buf.h"
#include "model/hardware/access.h"
#include "model/hardware/occupancy.h"

static const char *describe(
	struct arena *arena, const struct occupancy *o, const struct resident_gpu *gpu, uint32_t sms, const char *name)
{
	struct buf text = {0};
	const char *doubt = occupancy_doubt(gpu->cc);
	buf_printf(&text, "%u on each of %u SMs of CC %d.%d (%s), limited by ", o->blocks, sms, gpu->cc / 10,
		gpu->cc % 10, name);
	for (int r = 0, n = 0; r < OCCUPANCY_N; r++)
		if (o->limits >> r & 1)
			buf_printf(
				&text, "%s%s", n++ ? " and " : "", occupancy_resource_name((enum occupancy_resource)r));
	if (!gpu->registers)
		buf_puts(&text, "; fewer if registers limit them, which are not known");
	if (doubt)
		buf_printf(&text, " (%s)", doubt);
	const char *out = arena_strdup(arena, buf_str(&text));
	buf_free(&text);
	return out;
}

struct simt_resident profile_resident(struct arena *arena, const struct ptx_kernel *kernel, const struct launch *launch,
	const struct resident_gpu *gpu)
{
	struct resident_gpu known = *gpu;
	known.cc = gpu->cc ? gpu->cc : MODEL_CC_DEFAULT;
	struct occupancy_block block = {.threads = (uint32_t)warp_dim_volume(launch->block),
		.registers = gpu->registers,
		.shared = ptx_shared_bytes(kernel) + launch->shared,
		.barriers = gpu->barriers};
	struct occupancy o = occupancy(known.cc, &block);
	const char *name = NULL;
	uint32_t sms = occupancy_sms(known.cc, &name);
	if (o.state != OCCUPANCY_OK || !sms)
		return (struct simt_resident){0};
	return (struct simt_resident){.blocks = sms * o.blocks, .why = describe(arena, &o, &known, sms, name)};
}
