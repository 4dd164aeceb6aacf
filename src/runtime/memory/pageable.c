/* All memory of the process as kernels reach it with heterogeneous memory management (HMM), if the program is to run on
 * a device that has that: what the process has mapped when a launch begins, and kernels may do there what it may. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime/memory/memory.h"

struct pageable_span {
	uint64_t first, end;
	bool read_only;
};

static uint64_t *reached; /* where what is mapped begins */
static int n_reached, reached_cap;

void runtime_pageable_drop(struct runtime *r)
{
	for (int i = 0; i < n_reached; i++)
		simt_memory_release(r->memory, reached[i]);
	n_reached = 0;
}

/* What the process has, in the order of addresses; owned by the caller. */
static struct pageable_span *read_spans(int *n)
{
	struct pageable_span *spans = NULL, s;
	char *line = NULL, rights[5];
	size_t cap = 0;
	int spans_cap = 0;
	FILE *maps = fopen("/proc/self/maps", "re");
	*n = 0;
	while (maps && getline(&line, &cap, maps) > 0) {
		/* the kernel's own pages are not the program's */
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &s.first, &s.end, rights) != 3 || rights[0] != 'r' ||
			strstr(line, "[v"))
			continue;
		s.read_only = rights[1] != 'w';
		*(struct pageable_span *)vec_push(spans, *n, spans_cap) = s;
	}
	free(line);
	if (maps)
		fclose(maps);
	return spans;
}

/* Those parts of the spans that no buffer has. */
static struct pageable_span *find_gaps(const struct runtime *r, const struct pageable_span *spans, int n, int *n_gaps)
{
	struct pageable_span *gaps = NULL;
	int cap = 0, buffers = simt_memory_count(r->memory), next = 0;
	*n_gaps = 0;
	for (int i = 0; i < n; i++) {
		struct pageable_span left = spans[i];
		for (; next < buffers; next++) {
			struct simt_buffer b = simt_memory_buffer(r->memory, next);
			if (b.address + b.bytes <= left.first)
				continue;
			if (b.address >= left.end)
				break;
			if (b.address > left.first)
				*(struct pageable_span *)vec_push(gaps, *n_gaps, cap) = (struct pageable_span){
					left.first, b.address, left.read_only};
			left.first = b.address + b.bytes < left.end ? b.address + b.bytes : left.end;
			if (b.address + b.bytes > left.end)
				break; /* the next span may begin in it, too */
		}
		if (left.first < left.end)
			*(struct pageable_span *)vec_push(gaps, *n_gaps, cap) = left;
	}
	return gaps;
}

void runtime_pageable_reach(struct runtime *r)
{
	if (!r->pageable)
		return;
	runtime_pageable_drop(r);
	int n, n_gaps;
	struct pageable_span *spans = read_spans(&n), *gaps = find_gaps(r, spans, n, &n_gaps);
	for (int i = 0; i < n_gaps; i++) {
		void *host = (void *)(uintptr_t)gaps[i].first;
		if (!simt_memory_map(r->memory, host, gaps[i].end - gaps[i].first))
			continue;
		if (gaps[i].read_only)
			simt_memory_protect(r->memory, gaps[i].first);
		*(uint64_t *)vec_push(reached, n_reached, reached_cap) = gaps[i].first;
	}
	free(spans);
	free(gaps);
}
