/* How soon the numbers of a measurement come, as a reader asks for them: not one request on the heels of another.
 * Prints the median milliseconds from the request to the first numbers and to the answer, the number of passes, and how
 * many numbers came first. Needs a GPU; run by tests/gpu/ncu.sh:
 *
 *   first WORKER REQUEST TIMES
 *
 * REQUEST is a file with one line, a request to measure. The first quarter of the TIMES is not looked at. */
#include "config.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "gpu/wire/wire.h"

#define TIMES_MAX 1000
#define PAUSE_MS 150 /* for what the worker does when it has nothing to do */

struct times {
	double first[TIMES_MAX], all[TIMES_MAX];
	int n, passes, came_first;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof *v, compare);
	return v[n / 2];
}

static void fail(const char *what)
{
	fprintf(stderr, "first: %s\n", what);
	exit(1);
}

static int start_worker(const char *path, FILE **to, FILE **from)
{
	int in[2], out[2];
	if (pipe(in) != 0 || pipe(out) != 0)
		fail("no pipe");
	int pid = fork();
	if (pid == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		close(out[0]);
		execl(path, path, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	*to = fdopen(in[1], "w");
	*from = fdopen(out[0], "r");
	return pid > 0 && *to && *from;
}

/* One request; false: the answer is none. */
static bool ask(FILE *to, FILE *from, const struct buf *request, struct times *t, bool counts)
{
	static char *line;
	static size_t cap;
	struct diag diag = {0};
	double begin = clock_ms(), first = 0;
	fwrite(request->data, 1, request->len, to);
	fflush(to);
	for (ssize_t len; (len = getline(&line, &cap, from)) > 0;) {
		double now = clock_ms() - begin;
		struct arena *arena = arena_new();
		struct wire_message m;
		bool ok = wire_read(arena, line, (size_t)len - 1, &m, &diag), progress = m.kind == WIRE_PROGRESS;
		if (ok && progress && m.progress.n && first <= 0) {
			first = now;
			t->came_first = m.progress.n;
		}
		if (ok && m.kind == WIRE_RESULT_MEASURE) {
			t->passes = m.measurement.passes;
			t->came_first = first > 0 ? t->came_first : m.measurement.n;
			t->first[t->n] = first > 0 ? first : now;
			t->all[t->n] = now;
			t->n += counts;
		}
		arena_free(arena);
		if (!ok || !progress)
			return ok && m.kind == WIRE_RESULT_MEASURE;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct buf request = {0};
	struct diag diag = {0};
	struct times t = {0};
	FILE *to, *from;
	char *hello = NULL;
	size_t cap = 0;
	int times = argc == 4 ? atoi(argv[3]) : 0;
	if (times < 4 || times > TIMES_MAX || !file_read_text(argv[2], (size_t)1 << 26, &request, &diag))
		fail("usage: first WORKER REQUEST TIMES");
	if (!start_worker(argv[1], &to, &from) || getline(&hello, &cap, from) <= 0)
		fail("the worker does not start");
	for (int i = 0; i < times; i++) {
		if (!ask(to, from, &request, &t, i >= times / 4))
			fail("it was not measured");
		poll(NULL, 0, PAUSE_MS);
	}
	printf("%.2f %.2f %d %d\n", median(t.first, t.n), median(t.all, t.n), t.passes, t.came_first);
	free(hello);
	buf_free(&request);
	return 0;
}
