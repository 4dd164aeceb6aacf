#include "machine/simt/sentence.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/simt/defect.h"

static const char *const present[] = {
	[ACCESS_LOAD] = "loads",
	[ACCESS_STORE] = "stores to",
	[ACCESS_ATOMIC] = "atomically changes",
};
static const char *const past[] = {
	[ACCESS_LOAD] = "loaded it",
	[ACCESS_STORE] = "stored to it",
	[ACCESS_ATOMIC] = "atomically changed it",
};

static const char *const advice[] = {
	[RACE_MISSING_SYNCWARP] = "nothing orders the two: a __syncwarp() is missing between them",
	[RACE_MISSING_BARRIER] = "nothing orders the two: a __syncthreads() is missing between them",
	[RACE_MISSING_ORDER] =
		"no barrier orders blocks: an atomic, a flag with __threadfence() on both sides, another launch or grid.sync() does",
	[RACE_MISSING_CLUSTER] =
		"nothing orders the two: the cluster's barrier, cluster.sync(), is missing between them",
	[RACE_MISSING_FENCE] = "a __threadfence() is missing after the flag was read",
	[RACE_MISSING_ATOMIC] = "only one of the two is atomic",
	[RACE_MISSING_SCOPE] = "a scope of one block does not reach another, nor that of a cluster another cluster",
	[RACE_MISSING_SAME_SIZE] = "atomic accesses of different sizes are not atomic to each other",
	[RACE_MISSING_WAIT] = "the copy has not been waited for",
	[RACE_MISSING_WAIT_READ] =
		"the wgmma that reads it has not been waited for: a wgmma.wait_group is missing before",
	[RACE_MISSING_PROXY_FENCE] =
		"a fence.proxy.async is missing between them: what accesses it asynchronously goes another way than stores",
	[RACE_MISSING_UPDATE] =
		"the line loads, changes and stores one place: several threads need an atomic for that, such as atomicAdd()",
	[RACE_MISSING_ONE_VALUE] =
		"by the same instruction, with another value, or one that data can make so; either may remain",
};

static uint32_t thread_of(const struct simt_side *side)
{
	return side->warp * WARP_SIZE + (uint32_t)side->lane;
}

void simt_word_race(struct simt_defect *d, int64_t owner)
{
	char here[PTX_PLACE_TEXT], other[PTX_PLACE_TEXT], whose[32] = "", memory[32] = "";
	if (d->other.block != d->here.block)
		snprintf(whose, sizeof whose, " of block %u", d->other.block);
	if (owner >= 0)
		snprintf(memory, sizeof memory, " of block %u", (uint32_t)owner);
	snprintf(d->message, sizeof d->message,
		"thread %u of block %u %s %s memory%s at 0x%" PRIx64 " (%s), and thread %u%s %s (%s); %s",
		thread_of(&d->here), d->here.block, present[d->here.op], warp_space_name(d->space), memory, d->address,
		ptx_place_text(&d->here.place, here), thread_of(&d->other), whose, past[d->other.op],
		ptx_place_text(&d->other.place, other), advice[d->missing]);
}

/* --- uninitialized memory ----------------------------------------------------------------------------------------- */

/* Before and after what is used. */
static const struct {
	const char *does, *where;
} uses[] = {
	[UNDEFINED_BRANCH] = {"branches on", ""},
	[UNDEFINED_ADDRESS] = {"takes", " as an address"},
	[UNDEFINED_STORED] = {"stores", " to global memory"},
	[UNDEFINED_OPERAND] = {"uses", ""},
	[UNDEFINED_PRINTED] = {"prints", ""},
};

void simt_word_undefined(struct simt_defect *d, enum undefined_use use, const struct simt_side *leaves)
{
	char value[PTX_PLACE_TEXT + 96], text[PTX_PLACE_TEXT + 128], place[PTX_PLACE_TEXT];
	bool loaded = use == UNDEFINED_LOADED, apart = d->other.instr >= 0;
	if (d->kind == SIMT_BAD_MASK)
		snprintf(value, sizeof value, "an undefined value, from a lane that takes no part in the shuffle%s%s%s",
			apart ? " (" : "", apart ? ptx_place_text(&d->other.place, place) : "", apart ? ")" : "");
	else
		snprintf(value, sizeof value, "%suninitialized %s memory at 0x%" PRIx64 "%s%s%s",
			loaded ? "" : "a value from ", warp_space_name(d->space), d->address,
			apart ? " (loaded at " : "", apart ? ptx_place_text(&d->other.place, place) : "",
			apart ? ")" : "");
	if (loaded)
		snprintf(text, sizeof text, "%s %s", present[d->here.op], value);
	else if (leaves)
		snprintf(text, sizeof text, "computes with %s", value);
	else
		snprintf(text, sizeof text, "%s %s%s", uses[use].does, value, uses[use].where);
	int n = snprintf(
		d->message, sizeof d->message, "thread %u of block %u %s", thread_of(&d->here), d->here.block, text);
	if (!leaves || n < 0 || (size_t)n >= sizeof d->message)
		return;
	bool there = !simt_same_place(&d->here, leaves);
	snprintf(d->message + n, sizeof d->message - (size_t)n, ", and %s the result%s%s%s", uses[use].does,
		uses[use].where, there ? " at " : "", there ? ptx_place_text(&leaves->place, place) : "");
}
