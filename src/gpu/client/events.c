#include "gpu/client/private.h"

#include <stdlib.h>

#include "base/portable.h"

struct event_node {
	struct gpu_event event;
	struct wire_error error;
	struct wire_message answer;
	struct arena *arena; /* holds what the above point to; may be NULL */
	struct event_node *next;
};

static void node_free(struct event_node *node)
{
	if (node)
		arena_free(node->arena);
	free(node);
}

void gpu_events_free(struct events *events)
{
	node_free(events->taken);
	while (events->first) {
		struct event_node *node = events->first;
		events->first = node->next;
		node_free(node);
	}
	*events = (struct events){0};
}

struct event_node *gpu_events_push(struct events *events, enum gpu_event_kind kind, int64_t id, double ms)
{
	struct event_node *node = base_calloc(1, sizeof *node);
	node->event = (struct gpu_event){.kind = kind, .id = id, .ms = ms};
	if (events->last)
		events->last->next = node;
	else
		events->first = node;
	return events->last = node;
}

void gpu_report_error(struct gpu *gpu, int64_t id, enum wire_error_code code, const char *message)
{
	bool sent = gpu->in_flight && gpu->in_flight->id == id;
	struct event_node *node = gpu_events_push(
		&gpu->events, GPU_EVENT_ERROR, id, sent ? clock_ms() - gpu->sent_at : 0);
	node->arena = arena_new();
	node->error = (struct wire_error){code, arena_strdup(node->arena, message)};
	node->event.error = &node->error;
}

void gpu_events_push_progress(
	struct events *events, int64_t id, const struct wire_progress *progress, struct arena *arena, double ms)
{
	struct event_node *node = events->last;
	if (!node || node->event.kind != GPU_EVENT_PROGRESS || node->event.id != id)
		node = gpu_events_push(events, GPU_EVENT_PROGRESS, id, ms);
	arena_free(node->arena);
	node->arena = arena;
	node->event.progress = *progress;
	node->event.ms = ms;
}

void gpu_events_push_answer(struct events *events, const struct wire_message *answer, struct arena *arena, double ms)
{
	bool measured = answer->kind == WIRE_RESULT_MEASURE;
	struct event_node *node = gpu_events_push(
		events, measured ? GPU_EVENT_MEASURED : GPU_EVENT_ANSWERED, answer->id, ms);
	node->arena = arena;
	node->answer = *answer;
	node->event.answer = &node->answer;
	node->event.measurement = measured ? &node->answer.measurement : NULL;
}

struct gpu_event gpu_events_take(struct events *events)
{
	struct event_node *node = events->first;
	node_free(events->taken);
	events->taken = node;
	if (!node)
		return (struct gpu_event){0};
	events->first = node->next;
	if (!events->first)
		events->last = NULL;
	return node->event;
}
