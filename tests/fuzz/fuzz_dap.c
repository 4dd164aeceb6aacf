/* Fuzz target of the Debug Adapter Protocol, as an editor's client may send it: a line is one message, framed here,
 * unless the input begins with R: then all of it is raw bytes. Whatever is launched is a kernel of tests/run. Run it
 * where that lies, or with $top_srcdir set. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/debug_kernels.h"
#include "front/dap/dap.h"

#define MESSAGES 60
#define SLICES 50 /* of what runs; then it is as if the client went */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct session {
	struct dap *dap;
	struct opened opened;
	bool is_open;
};

static bool take(struct session *s, const char *bytes, size_t len)
{
	bool ok = dap_take(s->dap, bytes, len);
	if (dap_wants_launch(s->dap)) {
		if (s->is_open)
			abort(); /* it has been launched */
		s->opened = debug_open("scan", "scan", ".cu");
		s->is_open = true;
		dap_launched(s->dap, &(struct dap_launched){.debug = s->opened.debug, .name = "scan.cu", .where = "x"});
	}
	for (int i = 0; i < SLICES && dap_busy(s->dap); i++)
		dap_work(s->dap);
	buf_clear(dap_out(s->dap));
	return ok && !dap_over(s->dap);
}

static bool take_line(struct session *s, const char *line, size_t len)
{
	char head[64];
	snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", len);
	return take(s, head, strlen(head)) && take(s, line, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session s = {.dap = dap_new()};
	const char *at = (const char *)data, *end = at + size;
	bool raw = size && *data == 'R', goes_on = true;
	if (raw)
		take(&s, at + 1, size - 1);
	for (int i = 0; i < MESSAGES && !raw && goes_on && at < end; i++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((newline ? newline : end) - at);
		goes_on = take_line(&s, at, len);
		at += len + (newline != NULL);
	}
	dap_free(s.dap);
	if (s.is_open)
		debug_close(&s.opened);
	return 0;
}

#include "replay.h"
