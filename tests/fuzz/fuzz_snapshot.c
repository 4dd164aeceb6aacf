/* Fuzz target of launches that were kept in files. The input is a file without its checksum, which is put in place: a
 * stranger can do that, too. What is read is launched over the memory that it has, for a few steps, and compared. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "machine/snapshot/format.h"
#include "machine/snapshot/snapshot.h"
#include "model/profile/profile.h"

#define STEPS 2000
#define MEMORY_MOST ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(struct arena *arena, const struct snapshot *s, struct diag *diag)
{
	struct launch launch;
	struct ptx_module *module = ptx_parse(arena, "fuzz.launch", s->ptx, s->ptx_len, diag);
	struct profile_watch watch = {.steps = STEPS, .cores = 1, .checks = SIMT_CHECK_ALL, .quiet_ms = 200};
	snapshot_launch(s, &launch);
	struct profile_device *device = module && s->memory <= MEMORY_MOST
		? profile_device_open(module, &launch, NULL, diag)
		: NULL;
	const struct profile *p = device ? profile_run_on(arena, device, &launch, watch, diag) : NULL;
	if (p && p->result.ended)
		snapshot_compare(s, device->memory);
	profile_device_free(device);
}

static void put(uint8_t *at, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	size_t len = size + SNAPSHOT_CHECKSUM_BYTES;
	uint8_t *file = base_calloc(len, 1); /* exactly as long */
	if (size)
		memcpy(file, data, size);
	if (size >= SNAPSHOT_MARK_BYTES + 8)
		put(file + SNAPSHOT_MARK_BYTES, len);
	put(file + size, hash_bytes(HASH_START, file, size));
	const struct snapshot *s = snapshot_parse(arena, "fuzz.launch", file, len, &diag);
	if ((s == NULL) != (diag.errors > 0))
		abort();
	if (s)
		run(arena, s, &diag);
	diag_free(&diag);
	arena_free(arena);
	free(file);
	return 0;
}

#include "replay.h"
