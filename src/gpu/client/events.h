/* gpu/client/events.h: events not yet taken, in order, with all that they point to. {0} is an empty queue.
 * Inside the folder only. */
#pragma once
#include "gpu/client/gpu.h"

struct events {
	struct event_node *first, *last;
	struct event_node *taken; /* the one handed out last: what it points to is still in use */
};

void gpu_events_free(struct events *events);

void gpu_events_push_probed(struct events *events, double ms);

/* Copies the message. */
void gpu_events_push_error(
	struct events *events, int64_t id, enum wire_error_code code, const char *message, double ms);

/* Replaces a report on the same measurement that was not taken yet. Takes over the arena, in which its values lie. */
void gpu_events_push_progress(
	struct events *events, int64_t id, const struct wire_progress *progress, struct arena *arena, double ms);

/* Takes over the arena, in which the answer lies. */
void gpu_events_push_answer(struct events *events, const struct wire_message *answer, struct arena *arena, double ms);

/* The next event, GPU_EVENT_NONE when there is none. It is valid until the next call. */
struct gpu_event gpu_events_take(struct events *events);
