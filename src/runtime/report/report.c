/* What was wrong with a program: kept as it is found, for the report at its end. */
#include "runtime/report/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "machine/ptx/program.h"
#include "runtime/report/report_order.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

static struct report report;
static _Thread_local struct report_site here;
static _Thread_local bool is_here;

struct report *report_state(void)
{
	return &report;
}

bool report_is_on(void)
{
	return report.on;
}

static const char *asked_for(const char *variable)
{
	const char *text = getenv(variable);
	return text && *text ? text : NULL;
}

/* The program may go to another folder. */
const char *report_requested_file(struct arena *arena, const char *variable)
{
	const char *path = asked_for(variable);
	char folder[PATH_MAX];
	if (!path || *path == '/' || strcmp(path, "-") == 0 || strcmp(path, "none") == 0 ||
		!getcwd(folder, sizeof folder))
		return path;
	return arena_printf(arena, "%s/%s", folder, path);
}

void report_begin(struct runtime *r)
{
	const char *code = asked_for("SIMTTUTOR_ERROR_EXITCODE");
	report.path = report_requested_file(r->arena, "SIMTTUTOR_REPORT");
	report.json = report_requested_file(r->arena, "SIMTTUTOR_REPORT_JSON");
	report_keep_open(r);
	report.on = report.path || report.json || code || report_keeps();
	if (report.path && strcmp(report.path, "none") == 0)
		report.path = NULL;
	report.arena = r->arena;
	report.runtime = r;
	char *end = NULL;
	long value = code ? strtol(code, &end, 10) : 0;
	if (code && (*end || value < 1 || value > 255))
		runtime_warn("SIMTTUTOR_ERROR_EXITCODE=%s is not a number from 1 to 255; it is not used", code);
	else
		report.exit_code = (int)value;
	report_wanted_begin(asked_for("SIMTTUTOR_LAUNCHES"));
	if (report.on)
		report_signals_begin(r);
}

/* --- where the program is ----------------------------------------------------------------------------------------- */

static void follow_error(struct runtime *r);

void report_enter(struct runtime *r, const struct report_script *script)
{
	if (!report.on)
		return;
	here = report_site_here();
	here.script = *script;
	is_here = true;
	follow_error(r);
}

const struct report_site *report_call(void)
{
	return report.on && is_here ? &here : NULL;
}

const struct report_site *report_here(void)
{
	if (!report_call())
		return NULL;
	struct report_site *site = arena_alloc(report.arena, sizeof *site);
	*site = here;
	return site;
}

bool report_is_stub(const void *function)
{
	const struct runtime *r = report.runtime;
	for (int i = 0; function && i < r->n_kernels; i++)
		if (r->kernels[i]->host == function)
			return true;
	return false;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

#define FREED_MOST 65536
#define PAST_MOST ((uint64_t)1 << 35) /* bytes by which an access may miss what it is said to miss */

struct report_freed {
	uint64_t address;
	size_t bytes;
	const struct report_site *made, *freed;
};

void report_freed(struct runtime *r, const struct cuda_allocation *a)
{
	(void)r;
	if (report.on)
		report_order_freed(a->address, a->bytes);
	if (!report.on || report.n_freed >= FREED_MOST)
		return;
	*(struct report_freed *)vec_push(report.freed, report.n_freed, report.freed_cap) = (struct report_freed){
		a->address, a->bytes, a->site, report_here()};
}

static void put_site(struct buf *out, const char *before, const struct report_site *site)
{
	struct buf at = {0};
	if (site && report_site_text(site, &at))
		buf_printf(out, "%s%s", before, buf_str(&at));
	buf_free(&at);
}

/* "4 bytes past the end of 64 bytes that were allocated" */
static void put_location(struct buf *out, uint64_t at, const char *relation, size_t bytes)
{
	buf_printf(out, "%" PRIu64 " byte%s %s %zu byte%s that %s allocated", at, at == 1 ? "" : "s", relation, bytes,
		bytes == 1 ? "" : "s", bytes == 1 ? "was" : "were");
}

bool report_was_freed(const struct runtime *r, uint64_t address, struct buf *out)
{
	(void)r;
	for (int i = report.n_freed; i-- > 0;) {
		const struct report_freed *f = &report.freed[i];
		if (address < f->address || address - f->address >= (f->bytes ? f->bytes : 1))
			continue;
		put_location(out, address - f->address, "into", f->bytes);
		put_site(out, " at ", f->made);
		buf_puts(out, " and freed");
		put_site(out, " at ", f->freed);
		return true;
	}
	return false;
}

bool report_address(const struct runtime *r, uint64_t address, struct buf *out)
{
	const char *reserved = runtime_reservation(address);
	if (reserved) {
		buf_puts(out, reserved);
		return true;
	}
	if (report_was_freed(r, address, out))
		return true;
	const struct cuda_allocation *before = NULL, *after = NULL;
	for (int i = 0; i < r->n_allocations; i++)
		if (r->allocations[i].address <= address)
			before = &r->allocations[i];
		else if (!after)
			after = &r->allocations[i];
	uint64_t offset = before ? address - before->address : 0;
	if (before && before->kind == MEMORY_GRAPH && before->away && offset < before->bytes) {
		put_location(out, offset, "into", before->bytes);
		put_site(out, " at ", before->site);
		buf_puts(out, " by a graph: no launch of it has allocated them yet, or they were freed since");
		return true;
	}
	if (before && offset < before->bytes)
		put_location(out, offset, "into", before->bytes);
	else if (before && offset - before->bytes < PAST_MOST)
		put_location(out, offset - before->bytes, "past the end of", before->bytes);
	else if (after && after->address - address < PAST_MOST)
		put_location(out, after->address - address, "before", after->bytes);
	else if (runtime_is_hosts(address, 1)) {
		buf_puts(out, "memory of the host");
		return true;
	} else {
		return false;
	}
	if (before && before->read_only && offset < before->bytes) {
		buf_puts(out, ", which may only be read (cuMemSetAccess)");
		return true;
	}
	bool is_before = before && offset - before->bytes < PAST_MOST;
	put_site(out, " at ", is_before || (before && offset < before->bytes) ? before->site : after->site);
	return true;
}

/* --- errors that nothing asked about ------------------------------------------------------------------------------ */

static _Thread_local struct {
	int error;
	bool asked, followed;
	struct report_site site;
} pending;

/* Calls after which an error that came before them is hidden. */
static bool goes_on(const char *call)
{
	static const char *const work[] = {"cudaLaunch", "__cudaLaunch", "cudaMemcpy", "cudaMemset",
		"cudaDeviceSynchronize", "cudaGraphLaunch", "cudaStreamSynchronize", "cudaMalloc"};
	for (size_t i = 0; call && i < sizeof work / sizeof *work; i++)
		if (strncmp(call, work[i], strlen(work[i])) == 0)
			return true;
	return false;
}

static void follow_error(struct runtime *r)
{
	(void)r;
	if (pending.error && !pending.asked && goes_on(here.call))
		pending.followed = true;
}

void report_pending(struct runtime *r)
{
	int error = pending.error;
	pending.error = 0;
	if (!error || pending.asked || !pending.followed)
		return;
	report_problem(r, REPORT_UNASKED, &pending.site,
		"%s returned %s, and the program went on without asking for it (cudaGetLastError, cudaGetErrorString)",
		!pending.site.call                            ? "a call"
			: strstr(pending.site.call, "Launch") ? "the launch"
							      : pending.site.call,
		runtime_error_name(error));
}

void report_error(struct runtime *r, int error)
{
	if (!report.on || !is_here || error == CUDA_ErrorNotReady || error == CUDA_ErrorPeerAccessAlreadyEnabled ||
		(error == pending.error && r->failure_known))
		return;
	report_pending(r);
	pending.error = error;
	pending.asked = pending.followed = false;
	pending.site = here;
}

void report_error_read(int error)
{
	if (error && error == pending.error)
		pending.asked = true;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

/* What a script has asked for is freed by its interpreter, or kept in a pool by a library, whatever its author does. */
static bool is_leak(const struct cuda_allocation *a)
{
	return !a->freed && !a->of_module && !(a->site && a->site->script.line) &&
		(a->kind == MEMORY_DEVICE || a->kind == MEMORY_PINNED || a->kind == MEMORY_MANAGED ||
			a->kind == MEMORY_REGISTERED || a->kind == MEMORY_ARRAY);
}

static const char *kind_of_memory(const struct cuda_allocation *a)
{
	static const char *const names[] = {[MEMORY_DEVICE] = "of device memory",
		[MEMORY_PINNED] = "of pinned memory",
		[MEMORY_REGISTERED] = "of registered memory",
		[MEMORY_MANAGED] = "of managed memory",
		[MEMORY_ARRAY] = "of arrays"};
	return names[a->kind];
}

/* Those of one line are one leak. */
static void find_leaks(struct runtime *r)
{
	static const struct report_site nowhere;
	char *reported = base_calloc((size_t)r->n_allocations + 1, 1);
	for (int i = 0; i < r->n_allocations; i++) {
		const struct cuda_allocation *a = &r->allocations[i];
		size_t bytes = 0;
		int n = 0;
		for (int j = i; j < r->n_allocations && !reported[i]; j++) {
			const struct cuda_allocation *b = &r->allocations[j];
			if (!is_leak(b) || b->kind != a->kind || (j > i && !report_site_is(a->site, b->site)))
				continue;
			reported[j] = j > i;
			bytes += b->bytes;
			n++;
		}
		if (!n || !is_leak(a))
			continue;
		struct buf parts = {0};
		if (n > 1)
			buf_printf(&parts, " in %d allocations", n);
		report_problem(r, REPORT_LEAK, a->site ? a->site : &nowhere,
			"%zu byte%s %s, allocated here%s, %s never freed", bytes, bytes == 1 ? "" : "s",
			kind_of_memory(a), buf_str(&parts), bytes == 1 ? "was" : "were");
		buf_free(&parts);
	}
	free(reported);
}

/* Kernels that waited for others have ended later. */
static int by_first(const void *a, const void *b)
{
	uint64_t x = ((const struct report_row *)a)->first, y = ((const struct report_row *)b)->first;
	return (x > y) - (x < y);
}

void report_write(struct runtime *r)
{
	struct buf text = {0};
	struct diag diag = {0};
	if (report.n_rows)
		qsort(report.rows, (size_t)report.n_rows, sizeof *report.rows, by_first);
	if (report.path)
		report_put_text(r, strcmp(report.path, "-") != 0, &text);
	if (report.path && strcmp(report.path, "-") == 0)
		runtime_write(&text);
	else if (report.path)
		file_write(report.path, text.data, text.len, &diag);
	buf_free(&text);
	if (report.json) {
		report_put_json(r, &text);
		file_write(report.json, text.data, text.len, &diag);
	}
	runtime_warn_diag(&diag);
	diag_free(&diag);
	buf_free(&text);
}

int report_end(struct runtime *r)
{
	int counted = 0;
	if (!report.on)
		return 0;
	is_here = false;
	fflush(stdout); /* what the program has said comes first */
	report_pending(r);
	report_unsynced_end(r);
	if (!report_is_ending())
		find_leaks(r);
	report_write(r);
	for (int i = 0; i < report.n_problems; i++)
		counted += report_kind_counts(report.problems[i].kind);
	report.on = false;
	return counted ? report.exit_code : 0;
}

/* --- problems, as they are found -------------------------------------------------------------------------------------
 *
 * What is wrong with a program: said as it is found, once, and kept for its end. */

#define SOURCE_MAX ((size_t)16 << 20)
#define PROBLEMS_MAX 1024 /* that are known again */

static const struct {
	const char *name;
	bool serious;
} kinds[] = {
#define PROBLEM(id, name, serious) {name, serious},
#include "runtime/report/problems.def"
#undef PROBLEM
};

const char *report_kind_name(enum report_kind kind)
{
	return kinds[kind].name;
}

bool report_kind_counts(enum report_kind kind)
{
	return kinds[kind].serious || report_state()->strict;
}

/* --- lines of source ---------------------------------------------------------------------------------------------- */

const char *report_base_name(const char *file)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	return slash ? slash + 1 : file;
}

/* The text of the file that was asked for last: they come many times in a row. */
const struct buf *report_source_text(const char *file)
{
	static struct buf text;
	static char *name;
	struct diag quiet = {0};
	if (name && strcmp(name, file) == 0)
		return &text;
	free(name);
	name = base_strdup(file);
	buf_clear(&text);
	if (!file_read_text(file, SOURCE_MAX, &text, &quiet))
		buf_clear(&text);
	diag_free(&quiet);
	return &text;
}

void report_put_source(const char *file, int line, struct buf *out)
{
	const struct buf *text = file && line > 0 ? report_source_text(file) : NULL;
	const char *at = text && text->len ? text->data : NULL, *end = at ? at + text->len : NULL;
	for (int i = 1; at && i < line; i++) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return;
	const char *stop = memchr(at, '\n', (size_t)(end - at));
	size_t len = (size_t)((stop ? stop : end) - at);
	buf_append(out, at, len && at[len - 1] == '\r' ? len - 1 : len);
}

/* --- problems ----------------------------------------------------------------------------------------------------- */

/* A word of a text, up to a blank or a mark, or a mark. */
struct word {
	const char *at;
	size_t len;
};

static struct word next_word(const char **text)
{
	struct word w = {.at = *text};
	w.len = strcspn(w.at, " ,;:()");
	w.len += w.len == 0 && *w.at;
	*text = w.at + w.len;
	return w;
}

static bool is_same_word(const struct word *w, const char *text)
{
	return w->len == strlen(text) && strncmp(w->at, text, w->len) == 0;
}

static bool are_words(const struct word *a, const struct word *b, const char *one, const char *more)
{
	return (is_same_word(a, one) && is_same_word(b, more)) || (is_same_word(a, more) && is_same_word(b, one));
}

bool report_texts_agree(const char *a, const char *b)
{
	bool after_colon = false;
	while (*a && *b) {
		struct word x = next_word(&a), y = next_word(&b);
		bool numbers = isdigit((unsigned char)*x.at) && isdigit((unsigned char)*y.at) && !after_colon;
		if (!numbers && (x.len != y.len || strncmp(x.at, y.at, x.len) != 0) &&
			!are_words(&x, &y, "byte", "bytes") && !are_words(&x, &y, "was", "were"))
			return false;
		after_colon = *x.at == ':';
	}
	return *a == *b;
}

/* Problems of one place are one, but for numbers and addresses in it; in a kernel, those of a kind. */
static bool is_same(const struct report_problem *p, const struct report_problem *q)
{
	if (p->kind != q->kind || p->line != q->line || strcmp(p->file, q->file) != 0)
		return false;
	if (p->kernel || q->kernel) {
		size_t kind = strcspn(p->text + p->message, ":");
		return p->kernel == q->kernel && p->place.ptx_line == q->place.ptx_line &&
			kind == strcspn(q->text + q->message, ":") &&
			strncmp(p->text + p->message, q->text + q->message, kind) == 0;
	}
	return p->line && p->kind != REPORT_ENDED ? report_texts_agree(p->text, q->text)
						  : strcmp(p->text, q->text) == 0;
}

/* The problem among those that are kept; NULL: it has been said before. */
static const struct report_problem *keep(const struct report_problem *new, const struct report_site *site)
{
	struct report_problem problem = *new;
	if (!report.on || !site || !report_site_line(site, problem.file, sizeof problem.file, &problem.line))
		problem.line = 0;
	for (int i = 0; i < report.n_problems && i < PROBLEMS_MAX; i++)
		if (is_same(&report.problems[i], &problem)) {
			report.problems[i].times++;
			return NULL;
		}
	struct report_problem *p = vec_push(report.problems, report.n_problems, report.problems_cap);
	*p = problem;
	p->text = arena_strdup(report.arena, problem.text);
	p->times = 1;
	return p;
}

void report_problem(struct runtime *r, enum report_kind kind, const struct report_site *site, const char *format, ...)
{
	(void)r;
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	const struct report_problem *p = keep(
		&(struct report_problem){.kind = kind, .text = buf_str(&text)}, site ? site : report_call());
	if (p && p->line)
		runtime_warn("%s:%d: %s", p->file, p->line, p->text);
	else if (p)
		runtime_warn("%s", p->text);
	buf_free(&text);
}

void report_defect(
	struct runtime *r, const struct cuda_work *work, const struct ptx_location *place, const char *message)
{
	struct buf launch = {0}, text = {0};
	char at[PTX_LOCATION_TEXT];
	(void)r;
	runtime_put_launch(work->launch.kernel, &work->launch.config, &launch);
	buf_printf(&text, "%s: %s: %s", buf_str(&launch), ptx_location_text(place, at), message);
	const struct report_problem *p = keep(&(struct report_problem){.kind = REPORT_DEFECT,
						      .text = buf_str(&text),
						      .message = text.len - strlen(message),
						      .kernel = work->launch.kernel->ptx,
						      .place = *place},
		work->site);
	if (p) {
		/* The kernel's line with its text, and then the host's. */
		struct diag diag = {0};
		const struct buf *source = place->file && place->line ? report_source_text(place->file) : NULL;
		if (place->file && place->line)
			diag_error(&diag,
				(struct diag_pos){.file = report_base_name(place->file),
					.line = place->line,
					.text = source->len ? source->data : NULL,
					.text_len = source->len},
				"%s", message);
		else
			diag_error(&diag, (struct diag_pos){.file = ptx_location_text(place, at)}, "%s", message);
		diag_note(&diag, (struct diag_pos){.file = p->line ? p->file : NULL, .line = p->line}, "in %s%s",
			buf_str(&launch), p->line ? ", launched here" : "");
		runtime_warn_diag(&diag);
		diag_free(&diag);
	}
	buf_free(&text);
	buf_free(&launch);
}
