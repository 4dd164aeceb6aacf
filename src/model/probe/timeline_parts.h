/* model/probe/timeline_parts.h: what the files that make timelines of a log share. For this folder only. */
#pragma once
#include "model/probe/timeline.h"

/* A log, and what is needed to make a timeline of it. */
struct probe_reading {
	struct arena *arena, *scratch; /* for what stays, and for what does not */
	const struct probe_timeline_plan *plan;
	const struct probe_log *log;
	struct timeline_origin origin; /* but for its unit and resolution */
	uint32_t sms, resident;        /* 0: not known */
};

/* Each NULL when the log has nothing of it. */
struct blocks_timeline *probe_read_blocks(const struct probe_reading *r);
struct schedule_timeline *probe_read_schedule(const struct probe_reading *r);
struct mask_timeline *probe_read_mask(const struct probe_reading *r);

/* The line of an event in the request's terms. */
int probe_event_line(const struct probe_timeline_plan *plan, const struct probe_event *event);

/* Copies of the events, ordered by clock; those of one clock stay as they were written. */
struct probe_event *probe_events_by_clock(struct arena *arena, const struct probe_event *events, size_t n);
