#include "gpu/worker/serve.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/portable.h"

#define CHUNK ((size_t)1 << 16)
#define ENDING_MS 200 /* from the end of its output to its own, which says why */

bool sass_worker_runs(const struct sass_worker *worker)
{
	return worker->process.pid != 0;
}

void sass_worker_stop(struct sass_worker *worker)
{
	if (sass_worker_runs(worker))
		process_kill(&worker->process);
	buf_free(&worker->process.errors);
	buf_free(&worker->answers);
	*worker = (struct sass_worker){.process = PROCESS_NONE};
}

static void wait_for(int fd, short events, int timeout_ms)
{
	struct pollfd one = {fd, events, 0};
	while (poll(&one, 1, timeout_ms) < 0 && errno == EINTR)
		continue;
}

/* It reads a request whole before it writes, so that neither waits for the other. */
static bool send_request(struct sass_worker *worker, const struct wire_message *request)
{
	struct buf line = {0};
	size_t sent = 0;
	ssize_t n = 0;
	wire_write(request, &line);
	while (sent < line.len && (n = process_write(&worker->process, line.data + sent, line.len - sent)) >= 0) {
		sent += (size_t)n;
		if (n == 0)
			wait_for(worker->process.in, POLLOUT, -1);
	}
	buf_free(&line);
	return n >= 0;
}

/* The next line, without its newline, in `line`. False: there will be none. */
static bool next_line(struct sass_worker *worker, struct arena *arena, const char **line, size_t *len)
{
	struct process *process = &worker->process;
	struct buf *in = &worker->answers;
	size_t scanned = 0;
	for (;;) {
		const char *end = in->len > scanned ? memchr(in->data + scanned, '\n', in->len - scanned) : NULL;
		if (end) {
			*len = (size_t)(end - in->data);
			*line = arena_strndup(arena, in->data, *len);
			in->len -= *len + 1;
			memmove(in->data, end + 1, in->len);
			return true;
		}
		scanned = in->len;
		int some = process_read(process, in, CHUNK);
		process_read_errors(process);
		if (some < 0 || in->len > WIRE_LINE_MAX)
			return false;
		if (some == 0)
			wait_for(process_fd(process), POLLIN, process_errors_timeout_ms(process));
	}
}

/* The answer to the request with this id; what comes before it (the greeting) is passed over. */
static bool read_answer(struct sass_worker *worker, struct arena *arena, int64_t id, struct wire_message *answer)
{
	const char *line;
	size_t len;
	while (next_line(worker, arena, &line, &len)) {
		struct diag diag = {0};
		bool good = wire_read(arena, line, len, answer, &diag);
		diag_free(&diag);
		if (!good)
			return false;
		if (answer->id == id && (answer->kind == WIRE_RESULT_LINES || answer->kind == WIRE_ERROR_REPLY))
			return true;
	}
	return false;
}

void sass_worker_ask(struct sass_worker *worker, const struct server *server, struct arena *arena,
	const struct wire_message *request, struct wire_message *answer)
{
	struct buf why = {0};
	bool runs = sass_worker_runs(worker);
	if (!runs) {
		char device[16];
		snprintf(device, sizeof device, "%d", server->device);
		const char *const argv[] = {server->program, "--lines", "--device", device, NULL};
		*worker = (struct sass_worker){.process = PROCESS_NONE};
		if (!server->program) {
			buf_puts(&why,
				"lines are counted by a second process, and the path of simttutor-gpu cannot be found");
		} else {
			runs = process_start(&worker->process, argv, &why);
		}
	}
	if (!runs || !send_request(worker, request) || !read_answer(worker, arena, request->id, answer)) {
		if (runs) {
			struct process *end_process = &worker->process;
			double until = clock_ms() + ENDING_MS;
			while (!process_ended(end_process) && clock_ms() < until)
				wait_for(-1, 0, 1);
			process_read_errors(end_process);
			buf_puts(&why, "the process that counts lines ");
			process_describe(end_process, &why);
		}
		*answer = (struct wire_message){.kind = WIRE_ERROR_REPLY,
			.id = request->id,
			.error = {WIRE_INTERNAL, arena_strdup(arena, buf_str(&why))}};
		sass_worker_stop(worker);
	} else if (answer->kind == WIRE_ERROR_REPLY && wire_error_is_fatal(answer->error.code)) {
		sass_worker_stop(worker);
	}
	buf_free(&why);
}
