#include <inttypes.h>
#include <string.h>

#include "model/probe/private.h"
#include "model/probe/probe.h"

static const char *const event_names[PROBE_EVENT_KINDS] = {
	[PROBE_ENTRY] = "entry",
	[PROBE_EXIT] = "exit",
	[PROBE_ARRIVE] = "arrive",
	[PROBE_LEAVE] = "leave",
	[PROBE_LINE] = "line",
	[PROBE_ACCESS] = "access",
};

const char *probe_event_name(enum probe_event_kind kind)
{
	return event_names[kind];
}

struct log_reader {
	struct arena *arena;
	const struct probe *probe;
	const uint8_t *bytes;
	uint64_t record_bytes, part_bytes;
	struct probe_log *log;
	struct diag *diag;
};

/* Buffers are little endian, as everything the machine runs on. */
static uint32_t get32(const uint8_t *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof value);
	return value;
}

static uint64_t get64(const uint8_t *at)
{
	uint64_t value;
	memcpy(&value, at, sizeof value);
	return value;
}

static bool corrupt(const struct log_reader *r, const struct probe_event *where, uint32_t record, const char *what)
{
	diag_error(r->diag, (struct diag_pos){0}, "the probe's buffer: block %" PRIu64 ", warp %u, record %u: %s",
		where->block, where->warp, record, what);
	return false;
}

/* Of warp `index` of the watched: how many records it has. */
static uint32_t count_records(const struct log_reader *r, uint64_t index, uint64_t *lost)
{
	uint32_t wanted = get32(r->bytes + index * r->part_bytes), room = r->probe->request.capacity;
	*lost = wanted > room ? wanted - room : 0;
	return wanted < room ? wanted : room;
}

static bool read_part(struct log_reader *r, uint64_t index)
{
	const struct probe_request *request = &r->probe->request;
	struct probe_event where = {.block = request->first_block + index / request->n_warps,
		.warp = request->first_warp + (uint32_t)(index % request->n_warps)};
	const uint8_t *part = r->bytes + index * r->part_bytes;
	uint64_t lost;
	uint32_t n = count_records(r, index, &lost);

	if (get32(part + 4) || get64(part + 8))
		return corrupt(r, &where, 0, "what is before it is not a count");
	r->log->lost += lost;
	r->log->warps_lost += lost > 0;
	for (uint32_t i = 0; i < n; i++) {
		struct probe_event *e = &r->log->events[r->log->n];
		*e = where;

		const uint8_t *at = part + PART_HEAD + i * r->record_bytes;
		uint32_t site = get32(at + AT_SITE);
		if (!site)
			return corrupt(r, e, i, "it was begun and not written");
		if (site > (uint32_t)r->probe->n_sites)
			return corrupt(r, e, i, "there is no such site");
		e->site = &r->probe->sites[site - 1];
		e->lanes = get32(at + AT_LANES);
		if (!e->lanes)
			return corrupt(r, e, i, "no lane was there");
		e->sm = get32(at + AT_SM);
		e->slot = get32(at + AT_SLOT);
		e->clock = get64(at + AT_CLOCK);
		e->time = get64(at + AT_TIME);
		if (e->site->kind == PROBE_ACCESS)
			e->address = memcpy(arena_alloc(r->arena, WARP_SIZE * 8), at + AT_ADDRESS, WARP_SIZE * 8);

		r->log->n++;
	}
	return true;
}

bool probe_read(struct arena *arena, const struct probe *probe, struct probe_bytes buffer, struct probe_log *log,
	struct diag *diag)
{
	const struct probe_request *request = &probe->request;
	uint64_t warps = request->n_blocks * request->n_warps, records = 0, lost;
	struct log_reader r = {.arena = arena, .probe = probe, .bytes = buffer.at, .log = log, .diag = diag};

	*log = (struct probe_log){0};
	if (buffer.n != probe->bytes) {
		diag_error(diag, (struct diag_pos){0}, "the probe's buffer has %zu bytes, not %" PRIu64, buffer.n,
			probe->bytes);
		return false;
	}
	r.record_bytes = request->what == PROBE_ACCESSES ? ACCESS_BYTES : STAMP_BYTES;
	r.part_bytes = PART_HEAD + r.record_bytes * request->capacity;
	for (uint64_t i = 0; i < warps; i++)
		records += count_records(&r, i, &lost);
	log->events = arena_array(arena, struct probe_event, records);
	for (uint64_t i = 0; i < warps; i++)
		if (!read_part(&r, i))
			return false;
	return true;
}

size_t probe_implausible(const struct probe_log *log, uint32_t sms)
{
	size_t n = 0;
	for (size_t i = 0; i < log->n; i++) {
		const struct probe_event *e = &log->events[i], *before = i && e[-1].block == e->block ? e - 1 : NULL;
		bool follows = before && before->warp == e->warp && before->lanes & e->lanes;
		n += (sms && e->sm >= sms) || (before && before->sm != e->sm) || (follows && before->clock >= e->clock);
	}
	return n;
}
