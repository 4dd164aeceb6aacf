/* runtime/stream/event.h: events. Inside runtime/ only. */
#pragma once
#include "runtime/stream/queue.h"

/* NULL where it is none, or was destroyed. */
struct cuda_event *event_of(struct cuda_event *handle);
