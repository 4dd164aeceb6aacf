/* runtime/report/report_keep.h: launches that are kept in files. Inside runtime/ only.
 *
 * SIMTTUTOR_RECORD names the folder, which is there; SIMTTUTOR_LAUNCHES chooses. With SIMTTUTOR_RECORD_STOP the program ends before the
 * first of them begins, whose file then has nothing of after it. */
#pragma once
#include "runtime/stream/queue.h"

void report_keep_open(struct runtime *r);
bool report_keeps(void);

/* What a launch begins with. Its memory is as the launch finds it, as nothing else runs now. NULL: it is not kept. */
struct report_keep;
struct report_keep *report_keep_begin(
	struct runtime *r, const struct cuda_work *work, uint64_t number, const struct simt_launch *launch);

/* Writes the file: the launch has ended. Frees it; NULL is fine. */
void report_keep_end(struct runtime *r, struct report_keep *keep, const struct simt_result *result);
